use crate::{get_with, impatient, quick, url};
use polc_net::{Allowed, Disallowed, FetchError, Fetcher, Request, RobotsVerdict, Settings};
use polc_testkit::server::{Deaf, closed_url};
use polc_testkit::{Reply, Server, shared};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

fn obedient() -> Settings {
    Settings { obey_robots: true, ..quick() }
}

async fn verdict(settings: Settings, server: &Server, path: &str) -> RobotsVerdict {
    Fetcher::new(settings).unwrap().robots(&url(&server.url(path))).await.unwrap()
}

/// Fetches so many pages of a server at once.
async fn fetch_at_once(settings: Settings, server: &Server, pages: usize) {
    let fetcher = Fetcher::new(settings).unwrap();
    let tasks: Vec<_> = (0..pages)
        .map(|page| {
            let (fetcher, page) = (fetcher.clone(), url(&server.url(&format!("/{page}"))));
            tokio::spawn(async move { fetcher.get(&Request::new(page)).await.unwrap().status })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), 200);
    }
}

#[tokio::test]
async fn as_many_requests_as_are_allowed_are_open_at_once() {
    for limit in [1, 2, 5] {
        let server = Server::start();
        for page in 0..20 {
            server.at(&format!("/{page}"), [Reply::text("a page").together(limit)]);
        }
        let settings = Settings { per_host: NonZeroUsize::new(limit).unwrap(), ..quick() };
        fetch_at_once(settings, &server, 20).await;
        assert_eq!(server.most_open(), limit);
    }
}

#[tokio::test]
async fn a_host_that_gives_nothing_is_left_alone_and_others_are_not() {
    let (server, other) = (Server::start(), Server::start());
    other.at("/", [Reply::text("a page")]);
    server.at("/fine", [Reply::text("a page")]);
    server.at("/broken", [Reply::status(500)]);
    let busy = |status: u16| Reply::status(status).header("retry-after", "0");
    let fetcher = Fetcher::new(quick()).unwrap();
    let get = async |server: &Server, path: &str| fetcher.get(&Request::new(url(&server.url(path)))).await;
    for page in 0..30 {
        server.at(&format!("/{page}"), [if page % 2 == 0 { busy(429) } else { busy(503) }]);
    }
    for _ in 0..10 {
        assert!(matches!(get(&server, "/broken").await, Err(FetchError::GaveUp { status: 500, .. })));
    }
    for page in 0..4 {
        assert!(matches!(get(&server, &format!("/{page}")).await, Err(FetchError::GaveUp { .. })));
    }
    assert_eq!(
        get(&server, "/fine").await.unwrap().status,
        200,
        "broken pages are no sign, and it begins anew"
    );
    for page in 0..5 {
        assert!(matches!(get(&server, &format!("/{page}")).await, Err(FetchError::GaveUp { .. })));
    }
    for page in 5..30 {
        let error = get(&server, &format!("/{page}")).await.unwrap_err();
        assert!(matches!(error, FetchError::HostGivenUp { .. }) && error.may_pass(), "{error}");
        assert!(error.to_string().contains(&server.url("/4")), "{error}");
        assert_eq!(server.requests(&format!("/{page}")).len(), 0);
    }
    assert_eq!(get(&other, "/").await.unwrap().status, 200);
}

#[tokio::test]
async fn however_a_host_gives_nothing_it_is_left_alone_also_by_those_that_wait_for_their_turn() {
    let once = Settings { attempts: NonZeroU32::MIN, per_host: NonZeroUsize::MIN, ..impatient() };
    for reply in [Reply::status(429), Reply::status(503), Reply::raw(""), Reply::silence()] {
        let server = Server::start();
        let fetcher = Fetcher::new(once.clone()).unwrap();
        let tasks: Vec<_> = (0..20)
            .map(|page| {
                let path = format!("/{page}");
                server.at(&path, [reply.clone()]);
                let (fetcher, request) = (fetcher.clone(), Request::new(url(&server.url(&path))));
                tokio::spawn(async move { fetcher.get(&request).await })
            })
            .collect();
        let mut given_up = 0;
        for task in tasks {
            given_up += usize::from(matches!(task.await.unwrap(), Err(FetchError::HostGivenUp { .. })));
        }
        let asked: usize = (0..20).map(|page| server.requests(&format!("/{page}")).len()).sum();
        assert_eq!((asked, given_up), (5, 15), "{reply:?}");
    }
    let deaf = Deaf::start();
    for address in [closed_url(), deaf.url()] {
        let fetcher = Fetcher::new(once.clone()).unwrap();
        let get = async || fetcher.get(&Request::new(url(&address))).await.unwrap_err();
        for _ in 0..5 {
            let error = get().await;
            assert!(!matches!(error, FetchError::HostGivenUp { .. }), "{error}");
        }
        assert!(matches!(get().await, FetchError::HostGivenUp { .. }), "{address}");
    }
}

#[tokio::test]
async fn two_hosts_do_not_wait_for_each_other() {
    let (silent, quick_one) = (Server::start(), Server::start());
    silent.at("/", [Reply::silence()]);
    quick_one.at("/", [Reply::text("a page")]);
    let settings = Settings { per_host: NonZeroUsize::MIN, ..quick() };
    let fetcher = Fetcher::new(settings).unwrap();
    let (waiting, address) = (fetcher.clone(), url(&silent.url("/")));
    let waiting = tokio::spawn(async move { waiting.get(&Request::new(address)).await });
    let answer = fetcher.get(&Request::new(url(&quick_one.url("/")))).await.unwrap();
    assert_eq!(answer.status, 200);
    waiting.abort();
}

/// Settings with which nothing that has to wait is sent before a test is over.
fn sleepy() -> Settings {
    Settings { longest_wait: Duration::from_secs(3600), per_host: NonZeroUsize::MIN, ..obedient() }
}

/// Asks for a page that has to wait, then for many pages of another host: those go on, and that one waits.
async fn rests(fetcher: &Fetcher, server: &Server, path: &str) {
    let (waiting, page) = (fetcher.clone(), url(&server.url(path)));
    let waiting = tokio::spawn(async move { waiting.get(&Request::new(page)).await });
    for _ in 0..10 {
        let other = Server::start();
        fetcher.get(&Request::new(url(&other.url("/")))).await.unwrap();
    }
    assert_eq!(server.requests(path), []);
    waiting.abort();
}

#[tokio::test]
async fn a_host_rests_between_two_requests() {
    let server = Server::start();
    let fetcher =
        Fetcher::new(Settings { delay: Duration::from_secs(3600), obey_robots: false, ..sleepy() }).unwrap();
    assert_eq!(fetcher.get(&Request::new(url(&server.url("/first")))).await.unwrap().status, 404);
    rests(&fetcher, &server, "/second").await;
}

#[tokio::test]
async fn a_host_rests_as_long_as_its_robots_txt_asks() {
    let server = Server::start();
    server.at("/robots.txt", [Reply::text("User-agent: *\nCrawl-delay: 1800\nDisallow: /no\n")]);
    let fetcher = Fetcher::new(sleepy()).unwrap();
    assert_eq!(fetcher.get(&Request::new(url(&server.url("/first")))).await.unwrap().status, 404);
    rests(&fetcher, &server, "/second").await;
}

#[tokio::test]
async fn a_host_rests_for_all_when_it_asks_one() {
    let server = Server::start();
    server.at("/busy", [Reply::status(503).header("retry-after", "1800")]);
    let fetcher = Fetcher::new(sleepy()).unwrap();
    let (busy, page) = (fetcher.clone(), url(&server.url("/busy")));
    let busy = tokio::spawn(async move { busy.get(&Request::new(page)).await });
    while server.requests("/busy").is_empty() {
        tokio::task::yield_now().await;
    }
    rests(&fetcher, &server, "/page").await;
    busy.abort();
}

#[tokio::test]
async fn robots_txt_is_asked_once_and_obeyed() {
    let server = Server::start();
    let rules =
        "User-agent: *\nDisallow: /\n\nUser-agent: POLC-TEST\nDisallow: /private\nAllow: /private/open$\n";
    server.at("/robots.txt", [Reply::text(rules)]);
    for path in ["/0", "/private/open"] {
        server.at(path, [Reply::text("a page")]);
    }
    server.at("/elsewhere", [Reply::redirect("/private/page")]);
    fetch_at_once(obedient(), &server, 1).await;
    let fetcher = Fetcher::new(obedient()).unwrap();
    let robots_url = url(&server.url("/robots.txt"));
    for path in ["/private/page", "/elsewhere"] {
        let error = fetcher.get(&Request::new(url(&server.url(path)))).await.unwrap_err();
        let FetchError::RobotsDisallow { url, robots_url: by, why } = error else { panic!("{error}") };
        assert_eq!((url.path(), *by, why), ("/private/page", robots_url.clone(), Disallowed::ByRule));
    }
    assert_eq!(fetcher.get(&Request::new(url(&server.url("/private/open")))).await.unwrap().status, 200);
    let expected = RobotsVerdict::Allowed { robots_url: robots_url.clone(), because: Allowed::ByRules };
    assert_eq!(fetcher.robots(&url(&server.url("/public"))).await.unwrap(), expected);
    assert_eq!(server.requests("/robots.txt").len(), 2, "once for each of the two fetchers");
    assert_eq!(server.requests("/private/page"), []);
}

#[tokio::test]
async fn tasks_that_start_together_share_one_robots_txt() {
    let server = Server::start();
    server.at("/robots.txt", [Reply::text("User-agent: *\nAllow: /\n")]);
    for page in 0..8 {
        server.at(&format!("/{page}"), [Reply::text("a page")]);
    }
    fetch_at_once(obedient(), &server, 8).await;
    assert_eq!(server.requests("/robots.txt").len(), 1);
}

#[tokio::test]
async fn a_robots_txt_that_fails_is_not_one_without_rules() {
    let Some(case) = shared::case("cr5") else { return };
    for (name, robots) in case["input"]["robots"].as_object().unwrap() {
        let server = Server::start();
        let reply = match robots["status"].as_u64() {
            Some(status) => Reply::status(u16::try_from(status).unwrap()),
            None => Reply::silence(),
        };
        let settings = Settings { obey_robots: true, ..impatient() };
        server.at("/robots.txt", [reply.body(robots["body"].as_str().unwrap_or_default())]);
        let found = match verdict(settings, &server, "/page").await {
            RobotsVerdict::Allowed { because: Allowed::NoRules { .. }, .. } => "allow all",
            RobotsVerdict::Disallowed { why: Disallowed::Unavailable { .. }, .. } => "disallow all for now",
            other => panic!("{other:?}"),
        };
        assert_eq!(case["expected"]["robots"][name], found, "{name}");
    }
}

#[tokio::test]
async fn every_failure_of_a_robots_txt_has_a_verdict() {
    let missing = [400, 401, 403, 404, 410, 302];
    for status in [missing.as_slice(), &[429, 500, 501, 503, 505]].concat() {
        let server = Server::start();
        server.at("/robots.txt", [Reply::status(status)]);
        let allowed = matches!(verdict(obedient(), &server, "/page").await, RobotsVerdict::Allowed { .. });
        assert_eq!(allowed, missing.contains(&status), "{status}");
    }
    let server = Server::start();
    server.at("/robots.txt", [Reply::text("\u{FEFF}User-agent: *\r\nDisallow: /page\r\n")]);
    let found = verdict(obedient(), &server, "/page").await;
    assert!(matches!(found, RobotsVerdict::Disallowed { why: Disallowed::ByRule, .. }), "a mark: {found:?}");
    server.at("/robots.txt", [Reply::raw("")]);
    let found = verdict(obedient(), &server, "/page").await;
    assert!(matches!(found, RobotsVerdict::Disallowed { .. }), "{found:?}");
    assert_eq!(verdict(quick(), &server, "/page").await, RobotsVerdict::NotAsked);
}

#[tokio::test]
async fn a_robots_txt_that_could_not_be_had_is_asked_for_again() {
    let server = Server::start();
    let down = Reply::status(503);
    server
        .at("/robots.txt", [down.clone(), down.clone(), down, Reply::text("User-agent: *\nDisallow: /no\n")]);
    server.at("/yes", [Reply::text("a page")]);
    let fetcher = Fetcher::new(obedient()).unwrap();
    let request = Request::new(url(&server.url("/yes")));
    let first = fetcher.get(&request).await;
    assert!(
        matches!(first, Err(FetchError::RobotsDisallow { why: Disallowed::Unavailable { .. }, .. })),
        "{first:?}"
    );
    let allowed = async {
        while fetcher.get(&request).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), allowed).await.unwrap();
    assert_eq!(server.requests("/robots.txt").len(), 4);
}

#[tokio::test]
async fn a_robots_txt_may_be_elsewhere_but_not_far_and_not_endless() {
    let rules = "User-agent: *\nDisallow: /no\n";
    for (hops, obeyed) in [(5, true), (6, false)] {
        let server = Server::start();
        server.at("/robots.txt", [Reply::redirect("/1")]);
        for hop in 1..hops {
            server.at(&format!("/{hop}"), [Reply::redirect(&format!("/{}", hop + 1))]);
        }
        server.at(&format!("/{hops}"), [Reply::text(rules)]);
        let found = verdict(obedient(), &server, "/no").await;
        assert_eq!(matches!(found, RobotsVerdict::Disallowed { .. }), obeyed, "{hops}: {found:?}");
    }
    let server = Server::start();
    let padding = "# padding\n".repeat(100_000);
    server.at("/robots.txt", [Reply::text(format!("{rules}{padding}User-agent: *\nDisallow: /late\n"))]);
    assert!(matches!(verdict(obedient(), &server, "/no").await, RobotsVerdict::Disallowed { .. }));
    assert!(matches!(verdict(obedient(), &server, "/late").await, RobotsVerdict::Allowed { .. }));
}

#[tokio::test]
async fn each_origin_on_the_way_is_asked_for_its_rules() {
    let (first, second) = (Server::start(), Server::start());
    first.at("/page", [Reply::redirect(&second.url("/page"))]);
    second
        .at("/robots.txt", [Reply::text("User-agent: *\nDisallow: /\n")])
        .at("/page", [Reply::text("a page")]);
    let error = get_with(obedient(), &first.url("/page")).await.unwrap_err();
    assert_eq!(error.url().as_str(), second.url("/page"));
    assert_eq!(second.requests("/page"), []);
}
