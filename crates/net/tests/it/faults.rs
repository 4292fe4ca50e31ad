use crate::{get, get_with, impatient, quick, url};
use polc_net::{FetchError, Fetcher, NetError, Phase, Request, Settings};
use polc_testkit::server::{Deaf, closed_url};
use polc_testkit::{Reply, Server};
use std::time::Duration;

#[tokio::test]
async fn a_page_arrives_with_what_is_known_of_it() {
    let server = Server::start();
    let page = Reply::html("<p>Hello").header("etag", "\"1\"").header("cf-mitigated", "challenge");
    server.at("/page?part=2", [page]);
    let answer = get(&server.url("/page?part=2#end")).await.unwrap();
    assert_eq!((answer.status, answer.attempts), (200, 1));
    assert_eq!(answer.requested.fragment(), Some("end"));
    assert_eq!(answer.url.as_str(), server.url("/page?part=2"));
    assert_eq!(answer.text().text, "<p>Hello");
    assert_eq!(answer.headers.etag.as_deref(), Some("\"1\""));
    assert_eq!(answer.headers.challenge.as_deref(), Some("challenge"));
    assert_eq!(answer.hops, []);
    let request = &server.requests("/page?part=2")[0];
    assert_eq!(request.headers["user-agent"], quick().user_agent);
}

#[tokio::test]
async fn a_status_that_will_not_pass_is_an_answer() {
    let server = Server::start();
    for status in [400, 401, 403, 404, 410, 451, 501] {
        let path = format!("/{status}");
        server.at(&path, [Reply::status(status).body("no")]);
        let answer = get(&server.url(&path)).await.unwrap();
        assert_eq!((answer.status, answer.attempts, answer.body), (status, 1, b"no".to_vec()));
    }
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    let server = Server::start();
    let good = Reply::text("good");
    let passing = [
        ("/busy", Reply::status(429)),
        ("/broken", Reply::status(500)),
        ("/gateway", Reply::status(502)),
        ("/down", Reply::status(503).header("retry-after", "0")),
        ("/gateway-timeout", Reply::status(504)),
        ("/dropped", Reply::text("good").cut_after(2)),
        ("/hung-up", Reply::raw("")),
        ("/garbage", Reply::raw("SMTP ready\r\n\r\n")),
        ("/silent", Reply::silence()),
        ("/stalled", Reply::text("good").stall_after(2)),
    ];
    for (path, failure) in passing {
        server.at(path, [failure.clone(), failure, good.clone()]);
        let hangs = ["/silent", "/stalled"].contains(&path);
        let settings = if hangs { impatient() } else { quick() };
        let answer = get_with(settings, &server.url(path)).await.unwrap();
        assert_eq!((answer.attempts, answer.body.as_slice()), (3, b"good".as_slice()), "{path}");
        assert_eq!(server.requests(path).len(), 3, "{path}");
    }
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again() {
    let server = Server::start();
    server.at("/bad", [Reply::text("plain").header("content-encoding", "gzip")]);
    server.at("/long", [Reply::text("x".repeat(100))]);
    assert!(matches!(get(&server.url("/bad")).await, Err(FetchError::BadBody { .. })));
    let short = Settings { most_bytes: 99, ..quick() };
    assert!(matches!(get_with(short, &server.url("/long")).await, Err(FetchError::TooLarge { .. })));
    assert_eq!((server.requests("/bad").len(), server.requests("/long").len()), (1, 1));
}

#[tokio::test]
async fn a_server_that_stays_busy_is_given_up() {
    let server = Server::start();
    server.at("/busy", [Reply::status(429), Reply::status(503).header("retry-after", "3600")]);
    let error = get(&server.url("/busy")).await.unwrap_err();
    let FetchError::GaveUp { status, attempts, asked, .. } = error else { panic!("{error}") };
    assert_eq!((status, attempts, asked), (503, 3, Some(Duration::from_secs(3600))));
    assert_eq!(server.requests("/busy").len(), 3);
}

#[tokio::test]
async fn silence_ends_at_every_phase() {
    let server = Server::start();
    let deaf = Deaf::start();
    let page = Reply::text("a page that takes its time");
    server.at("/silent", [Reply::silence()]).at("/stalled", [page.clone().stall_after(3)]);
    server.at("/dripping", [page.drip(Duration::from_millis(50))]);
    let soon = Duration::from_millis(200);
    let of_body = Settings { idle_timeout: soon, ..quick() };
    let of_all = Settings { total_timeout: 2 * soon, ..quick() };
    let cases = [
        (deaf.url(), Settings { connect_timeout: soon, ..quick() }, Phase::Connection),
        (server.url("/silent"), impatient(), Phase::Answer),
        (server.url("/stalled"), of_body, Phase::Body),
        (server.url("/dripping"), of_all.clone(), Phase::End),
        (server.url("/silent"), of_all, Phase::End),
    ];
    let at_once: Vec<_> = cases
        .into_iter()
        .map(|(address, settings, expected)| {
            let fetched = tokio::spawn(async move { get_with(settings, &address).await });
            (fetched, expected)
        })
        .collect();
    for (fetched, expected) in at_once {
        let error = fetched.await.unwrap().unwrap_err();
        let FetchError::TimedOut { phase, attempts, .. } = error else { panic!("{expected}: {error}") };
        assert_eq!((phase, attempts), (expected, 3));
    }
}

#[tokio::test]
async fn a_slow_page_that_keeps_coming_arrives() {
    let server = Server::start();
    // The whole takes longer than the server may be silent at a time.
    server.at("/slow", [Reply::text("very slowly").drip(Duration::from_millis(100))]);
    let settings = Settings { idle_timeout: Duration::from_secs(1), ..quick() };
    assert_eq!(get_with(settings, &server.url("/slow")).await.unwrap().body, b"very slowly");
}

#[tokio::test]
async fn a_connection_that_breaks_says_how_much_came() {
    let server = Server::start();
    server.at("/cut", [Reply::text("0123456789").cut_after(4)]);
    server.at("/promised", [Reply::text("0123").header("content-length", "10")]);
    // The head of the compression alone: how much of the text the next bytes give is up to the decompressor.
    server.at("/packed", [Reply::text("0123456789".repeat(100)).gzip().cut_after(10)]);
    server.at("/closed", [Reply::raw("")]);
    for (path, expected) in [("/cut", 4), ("/promised", 4), ("/packed", 0), ("/closed", 0)] {
        let error = get(&server.url(path)).await.unwrap_err();
        let FetchError::Dropped { seen, attempts, .. } = error else { panic!("{path}: {error}") };
        assert_eq!((seen, attempts), (expected, 3), "{path}");
    }
}

#[tokio::test]
async fn a_host_that_is_not_there_is_unreachable() {
    for address in [closed_url(), closed_url().replace("http", "https")] {
        let error = get(&address).await.unwrap_err();
        assert!(matches!(error, FetchError::Unreachable { attempts: 3, .. }), "{address}: {error}");
    }
    let server = Server::start();
    let error = get(&server.url("/").replace("http", "https")).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "no handshake: {error}");
}

#[tokio::test]
async fn the_limit_holds_for_the_body_as_it_is_read() {
    let server = Server::start();
    let long = vec![b'x'; 30_000_000];
    server.at("/long", [Reply::text(long.clone())]);
    server.at("/endless", [Reply::text(long.clone()).header("content-length", "99999999999")]);
    server.at("/bomb", [Reply::text(long.clone()).gzip()]);
    server.at("/brotli-bomb", [Reply::text(long).brotli()]);
    let unsaid = [b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 200_000]].concat();
    server.at("/unsaid", [Reply::raw(unsaid)]);
    let settings = Settings { most_bytes: 100_000, ..quick() };
    for path in ["/long", "/endless", "/bomb", "/brotli-bomb", "/unsaid"] {
        let error = get_with(settings.clone(), &server.url(path)).await.unwrap_err();
        let FetchError::TooLarge { limit, seen, .. } = error else { panic!("{path}: {error}") };
        assert!(limit == 100_000 && seen > limit, "{path}: {seen}");
        assert_eq!(seen == 99_999_999_999, path == "/endless", "what is said to be too long is not read");
    }
    let raised = Request { most_bytes: Some(200_000), ..Request::new(url(&server.url("/unsaid"))) };
    let answer = Fetcher::new(settings).unwrap().get(&raised).await.unwrap();
    assert_eq!(answer.body.len(), 200_000, "a body of exactly the limit is not too large");
}

#[tokio::test]
async fn compressed_bodies_are_unpacked_and_bad_ones_named() {
    let server = Server::start();
    server.at("/gzip", [Reply::text("hello").gzip()]).at("/br", [Reply::text("hello").brotli()]);
    server.at("/none", [Reply::text("hello").header("content-encoding", "identity")]);
    server.at("/empty", [Reply::text("").header("content-encoding", "gzip")]);
    for (path, expected) in [("/gzip", "hello"), ("/br", "hello"), ("/none", "hello"), ("/empty", "")] {
        assert_eq!(get(&server.url(path)).await.unwrap().body, expected.as_bytes(), "{path}");
    }
    server.at("/not-gzip", [Reply::text("hello").header("content-encoding", "gzip")]);
    server.at("/not-br", [Reply::text("hello, hello").header("content-encoding", "br")]);
    server.at("/other", [Reply::text("hello").header("content-encoding", "compress")]);
    for path in ["/not-gzip", "/not-br", "/other"] {
        let error = get(&server.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::BadBody { .. }), "{path}: {error}");
    }
}

#[tokio::test]
async fn nothing_is_sent_offline() {
    let server = Server::start();
    let fetcher = Fetcher::new(Settings { offline: true, obey_robots: true, ..quick() }).unwrap();
    let page = url(&server.url("/"));
    assert!(matches!(fetcher.get(&Request::new(page.clone())).await, Err(FetchError::Offline { .. })));
    assert!(matches!(fetcher.robots(&page).await, Err(FetchError::Offline { .. })));
    assert_eq!(server.most_open(), 0);
}

#[tokio::test]
async fn an_address_with_a_password_is_refused_and_not_shown() {
    let server = Server::start();
    let address = server.url("/").replace("//", "//me:secret@");
    let error = get(&address).await.unwrap_err();
    assert!(matches!(error, FetchError::BadUrl { .. }) && !error.to_string().contains("secret"), "{error}");
    assert_eq!(server.most_open(), 0);
}

#[test]
fn a_user_agent_that_cannot_be_sent_is_refused() {
    for user_agent in ["", "/1.0", "polc\n", "pölc/1.0"] {
        let made = Fetcher::new(Settings { user_agent: user_agent.to_owned(), ..quick() });
        assert!(matches!(made.map(|_| ()), Err(NetError::UserAgent { .. })), "{user_agent:?}");
    }
}
