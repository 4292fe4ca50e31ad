//! Crawls of sites made up for the purpose.

use crate::layouts::generators;
use crate::sites::fetcher;
use crate::url;
use polc_net::{Fetcher, Settings};
use polc_sources::crawl::{
    Crawl, CrawlRecord, Elsewhere, Limits, PageOutcome, PageRecord, ProbeAnswer, Reached, Scope, key,
};
use polc_testkit::shared::case;
use polc_testkit::{Reply, Server};
use polc_text::snapshots::Snapshots;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

async fn crawl_with(fetcher: &Fetcher, scope: &Scope, limits: Limits, store: &Path) -> CrawlRecord {
    let mut store = Snapshots::open(store).unwrap();
    let generators = Arc::new(generators());
    let crawl = Crawl { fetcher, store: &mut store, generators: &generators, limits };
    let mut done = 0;
    let record = crawl.run(scope, |progress| done = progress.done).await.unwrap();
    let named = |page: &&PageRecord| {
        !matches!(page.outcome, PageOutcome::OutOfScope { ref hops, .. } if hops.is_empty())
            && page.outcome != PageOutcome::OverLimit
    };
    assert_eq!(record.pages.iter().filter(named).count(), done, "progress tells of each page");
    record
}

/// A crawl of a server below a root, into a store of its own.
pub(crate) async fn crawl(server: &Server, root: &str, entry: &str) -> CrawlRecord {
    let store = tempfile::tempdir().unwrap();
    let scope = Scope::new(&url(&server.url(root)), &url(&server.url(entry)));
    crawl_with(&fetcher(), &scope, Limits::default(), store.path()).await
}

/// What became of a page, in a word.
fn word(outcome: &PageOutcome) -> String {
    match outcome {
        PageOutcome::Page(page) if page.stub_of.is_some() => "stub".to_owned(),
        PageOutcome::Page(_) => "page".to_owned(),
        PageOutcome::NavigationDocument { .. } => "navigation".to_owned(),
        PageOutcome::SameAs { page, .. } => format!("same as {}", page.url().path()),
        PageOutcome::Status { status } => status.to_string(),
        PageOutcome::SoftMissing => "soft-404".to_owned(),
        PageOutcome::Blocked { status, challenge } => format!("blocked {status} {challenge:?}"),
        PageOutcome::NoStaticContent => "no static content".to_owned(),
        PageOutcome::NotHtml { content_type } => content_type.clone(),
        PageOutcome::Failed { may_pass, .. } => format!("failed, may pass: {may_pass}"),
        PageOutcome::Refused { .. } => "refused".to_owned(),
        PageOutcome::OutOfScope { elsewhere, .. } => format!("{elsewhere:?}"),
        PageOutcome::OverLimit => "over limit".to_owned(),
    }
}

fn way(reached: &Reached) -> &'static str {
    match reached {
        Reached::Entry => "entry",
        Reached::Navigation { .. } => "navigation",
        Reached::NextPrevious { .. } => "next or previous",
        Reached::OneHop { .. } => "hop",
        Reached::Refresh { .. } => "refresh",
        Reached::NavigationDocument { .. } => "document",
    }
}

/// The record with a line for each page, without the address of the server.
pub(crate) fn lines(server: &Server, record: &CrawlRecord) -> Vec<String> {
    let line = |page: &PageRecord| {
        let address = page.key.to_string().replace(server.url("").trim_end_matches('/'), "");
        format!("{address}: {}: {}", way(&page.reached_by), word(&page.outcome))
    };
    record.pages.iter().map(line).collect()
}

/// A page with links in its navigation and in its text.
fn page(title: &str, navigation: &[&str], text: &[&str]) -> Reply {
    let list =
        |links: &[&str]| links.iter().map(|link| format!("<a href=\"{link}\">x</a>")).collect::<String>();
    Reply::html(format!(
        "<title>{title}</title><nav>{}</nav><main><h1 id=top>{title}</h1><p>Words.{}</main>",
        list(navigation),
        list(text)
    ))
}

#[tokio::test]
async fn case_cr2_a_page_is_fetched_once_and_pages_are_joined_only_where_one_leads_to_the_other() {
    let Some(case) = case("cr2") else { return };
    let base = url(case["input"]["base"].as_str().unwrap());
    let hrefs = case["input"]["hrefs"].as_array().unwrap();
    let mut keys = Vec::new();
    for href in hrefs {
        let found = key(&base.join(href.as_str().unwrap()).unwrap());
        if !keys.contains(&found) {
            keys.push(found);
        }
    }
    let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
    let expected: Vec<&str> =
        case["expected"]["fetch"].as_array().unwrap().iter().map(|url| url.as_str().unwrap()).collect();
    assert_eq!(keys, expected);

    let server = Server::start();
    server.at("/", [page("Home", &["guide#install", "/guide", "/blog?page=2#top"], &["guide#usage"])]);
    server.at("/guide", [Reply::redirect("/guide/")]);
    server.at("/guide/", [page("Guide", &["/guide/", "/guide"], &[])]);
    server.at("/blog?page=2", [page("Blog", &["/blog"], &[])]);
    server.at("/blog", [page("Blog", &["/blog?page=2"], &["/guide/#more"])]);
    let record = crawl(&server, "/", "/").await;
    let expected = [
        "/: entry: page",
        "/guide: navigation: page",
        "/blog?page=2: navigation: page",
        "/blog: navigation: page",
    ];
    assert_eq!(lines(&server, &record), expected);
    let fragments: Vec<&str> = record.pages[1].fragments.iter().map(String::as_str).collect();
    assert_eq!(fragments, ["install", "more", "usage"]);
    assert_eq!(server.requests("/guide/").len(), 1);
}

#[tokio::test]
async fn case_cr6_a_missing_page_is_told_by_a_probe_and_a_challenge_by_its_header() {
    let Some(case) = case("cr6") else { return };
    let body = |name: &str| case["input"][name]["body"].as_str().unwrap().to_owned();
    let server = Server::start();
    server.at("/", [page("Home", &["/a", "/b", "/c", "/d"], &[])]);
    let probed = crawl(&server, "/", "/").await.probes;
    assert_eq!(probed[0].answer, ProbeAnswer::Missing { status: 404 });
    server.at(probed[0].url.path(), [Reply::html(case["input"]["random_probe_body"].as_str().unwrap())]);
    for name in ["a", "b", "d"] {
        server.at(&format!("/{name}"), [Reply::html(body(name))]);
    }
    server.at(
        "/c",
        [Reply::status(403)
            .header("content-type", "text/html")
            .body(body("c"))
            .header("cf-mitigated", "challenge")],
    );
    let record = crawl(&server, "/", "/").await;
    for (page, name) in record.pages[1..].iter().zip(["a", "b", "c", "d"]) {
        let expected = case["expected"][name].as_str().unwrap();
        assert!(word(&page.outcome).starts_with(expected), "{name}: {:?}", page.outcome);
    }
    assert_eq!(record.probes[0].answer, ProbeAnswer::Page);
}

#[tokio::test]
async fn a_missing_page_is_told_though_it_shows_its_address_or_is_reached_by_a_redirect() {
    let server = Server::start();
    let missing = |path: &str| Reply::html(format!("<h1>Nothing here</h1><p>There is no {path}."));
    server.at("/", [page("Home", &["/gone.html", "/kept.html", "/moved"], &[])]);
    let probe = crawl(&server, "/", "/").await.probes[0].url.path().to_owned();
    server.at(&probe, [missing(&probe)]);
    server.at("/gone.html", [missing("/gone.html")]);
    server.at("/kept.html", [missing("/kept.html").body("<h1>Nothing here</h1><p>There is no doubt.")]);
    server.at("/moved", [Reply::redirect("/")]);
    let record = crawl(&server, "/", "/").await;
    let outcomes: Vec<String> = record.pages.iter().map(|page| word(&page.outcome)).collect();
    assert_eq!(outcomes, ["page", "soft-404", "page", "same as /"]);
    server.at(&probe, [Reply::redirect("/")]);
    let record = crawl(&server, "/", "/").await;
    let outcomes: Vec<String> = record.pages.iter().map(|page| word(&page.outcome)).collect();
    assert_eq!(outcomes, ["page", "page", "page", "soft-404"]);
}

#[tokio::test]
async fn what_is_not_of_this_documentation_is_named_and_hops_go_no_further() {
    let server = Server::start();
    let text = [
        "/about",
        "/en/latest/aside",
        "https://other.example/x",
        "/en/1.0/",
        "/de/latest/",
        "#top",
        "mailto:a@b.example",
    ];
    server.at("/en/latest/", [page("Home", &["guide", "/blog", "/en/stable/guide"], &text)]);
    server.at("/en/latest/guide", [page("Guide", &["aside"], &["/blog#news"])]);
    server.at("/en/latest/aside", [page("Aside", &["deeper"], &["deeper"])]);
    server.at("/about", [page("About", &["/team"], &["/team"])]);
    server.at("/blog", [page("Blog", &["/team"], &["/team"])]);
    let record = crawl(&server, "/en/latest/", "/en/latest/").await;
    insta::assert_snapshot!(lines(&server, &record).join("\n"));
    let Reached::OneHop { from, section } =
        &record.pages.iter().find(|page| page.key.url().path() == "/about").unwrap().reached_by
    else {
        panic!("a hop leads there")
    };
    assert_eq!((from.url().path(), section.as_deref()), ("/en/latest/", Some("top")));
}

#[test]
fn places_are_told_by_host_path_version_and_language() {
    let scope = Scope::new(&url("https://d.example/en/latest/"), &url("https://d.example/en/latest/"));
    let outside = [
        ("https://e.example/en/latest/a", Elsewhere::OtherHost),
        ("https://d.example:8000/en/latest/a", Elsewhere::OtherHost),
        ("https://code.example/zoo/cage/blob/main/CONTRIBUTING.md", Elsewhere::OtherHost),
        ("https://d.example/en/stable/a", Elsewhere::OtherVersion),
        ("https://d.example/en/v2.x/a", Elsewhere::OtherVersion),
        ("https://d.example/en/3.2.0rc1/", Elsewhere::OtherVersion),
        ("https://d.example/pt-br/latest/a", Elsewhere::OtherLanguage),
        ("https://d.example/zh_CN/latest/a", Elsewhere::OtherLanguage),
        ("https://d.example/en/latest/1.0/a", Elsewhere::OtherVersion),
    ];
    for (address, expected) in outside {
        assert_eq!(scope.place(&url(address)), polc_sources::crawl::Place::Outside(expected), "{address}");
    }
    for address in [
        "https://d.example/en/latest/",
        "http://d.example/en/latest/dev/a",
        "https://d.example/en/latest/a?b",
    ] {
        assert_eq!(scope.place(&url(address)), polc_sources::crawl::Place::Inside, "{address}");
    }
    for address in ["https://d.example/", "https://d.example/blog/", "https://d.example/en/"] {
        assert_eq!(scope.place(&url(address)), polc_sources::crawl::Place::Neighbour, "{address}");
    }
}

#[tokio::test]
async fn stubs_are_followed_within_the_limits_and_are_rows() {
    let server = Server::start();
    let stub = |to: &str| Reply::html(format!("<meta http-equiv=refresh content=\"0; url={to}\">"));
    server.at("/", [page("Home", &["/old.html#part", "/loop", "/away", "/chain1"], &[])]);
    server.at("/old.html", [stub("new.html")]);
    server.at("/new.html", [page("New", &["/deeper"], &[])]);
    server.at("/deeper", [page("Deeper", &[], &[])]);
    server.at("/loop", [stub("/loop2")]);
    server.at("/loop2", [stub("/loop")]);
    server.at("/away", [stub("https://other.example/")]);
    for step in 1..9 {
        server.at(&format!("/chain{step}"), [stub(&format!("/chain{}", step + 1))]);
    }
    let record = crawl(&server, "/", "/").await;
    insta::assert_snapshot!(lines(&server, &record).join("\n"));
}

#[tokio::test]
async fn the_limit_of_pages_is_kept_and_what_is_beyond_it_is_named() {
    let server = Server::start();
    server.at("/", [page("Home", &["/a", "/b", "/c", "/d"], &["/e"])]);
    for path in ["/a", "/b", "/c", "/d"] {
        server.at(path, [page(path, &[], &[])]);
    }
    let store = tempfile::tempdir().unwrap();
    let scope = Scope::new(&url(&server.url("/")), &url(&server.url("/")));
    let limits = Limits { pages: NonZeroUsize::new(3).unwrap(), ..Limits::default() };
    let record = crawl_with(&fetcher(), &scope, limits, store.path()).await;
    let expected = [
        "/: entry: page",
        "/a: navigation: page",
        "/b: navigation: page",
        "/c: navigation: over limit",
        "/d: navigation: over limit",
        "/e: navigation: over limit",
    ];
    assert_eq!(lines(&server, &record), expected);
    assert_eq!(server.requests("/c").len(), 0);
}

#[tokio::test]
async fn stubs_that_lead_in_a_circle_are_failures_and_those_that_lead_out_of_one_are_none() {
    let server = Server::start();
    let stub = |to: &str| Reply::html(format!("<meta http-equiv=refresh content=\"0; url={to}\">"));
    server.at("/", [page("Home", &["/a", "/b", "/in", "/page", "/far"], &[])]);
    server.at("/a", [stub("/b")]);
    server.at("/b", [stub("/c")]);
    server.at("/c", [Reply::redirect("/a")]);
    server.at("/in", [stub("/a#here")]);
    server.at("/page", [stub("/real")]);
    server.at("/real", [page("Real", &[], &[])]);
    server.at("/far", [stub("https://elsewhere.example/")]);
    let record = crawl(&server, "/", "/").await;
    let outcome = |path: &str| {
        &record.pages.iter().find(|page| page.key.url().as_str() == server.url(path)).unwrap().outcome
    };
    for path in ["/a", "/b", "/c", "/in"] {
        let PageOutcome::Failed { why, may_pass: false } = outcome(path) else {
            panic!("{path}: {:?}", outcome(path))
        };
        assert!(why.contains("in a circle") && why.contains(&server.url("/b")), "{path}: {why}");
    }
    assert_eq!(["/page", "/real", "/far"].map(|path| word(outcome(path))), ["stub", "page", "stub"]);
}

#[tokio::test]
async fn a_name_or_a_password_in_a_link_is_neither_sent_nor_recorded() {
    let server = Server::start();
    let secret = |path: &str| server.url(path).replace("http://", "http://keeper:pass@");
    let (a, b, base) = (secret("/a"), secret("/b"), secret("/base/"));
    server.at("/", [page("Home", &[&a, "/stub", "/based"], &[&b])]);
    server.at("/a", [page("A", &[], &[])]);
    server.at("/b", [page("B", &[], &[])]);
    server.at("/stub", [Reply::html(format!("<meta http-equiv=refresh content='0; url={a}'>"))]);
    server
        .at("/based", [Reply::html(format!("<base href='{base}'><nav><a href=c>c</a></nav><main>C</main>"))]);
    server.at("/base/c", [page("C", &[], &[])]);
    let record = crawl(&server, "/", "/").await;
    let expected = ["/: page", "/a: page", "/stub: stub", "/based: page", "/b: page", "/base/c: page"];
    let mut found: Vec<String> = record
        .pages
        .iter()
        .map(|page| format!("{}: {}", page.key.url().path(), word(&page.outcome)))
        .collect();
    found.sort();
    let mut expected = expected.map(str::to_owned);
    expected.sort();
    assert_eq!(found, expected);
    let recorded = format!("{record:?}");
    assert!(!recorded.contains("keeper") && !recorded.contains("pass@"), "{recorded}");
    assert!(!server.requests("/a").is_empty());
}

/// A fetcher that gives up soon.
fn impatient() -> Fetcher {
    let soon = Duration::from_millis(300);
    let settings = Settings {
        delay: Duration::ZERO,
        per_host: NonZeroUsize::new(8).unwrap(),
        longest_wait: Duration::from_millis(20),
        idle_timeout: soon,
        total_timeout: soon * 3,
        most_bytes: 5_000_000,
        ..Settings::default()
    };
    Fetcher::new(settings).unwrap()
}

#[tokio::test]
async fn a_site_with_every_fault_is_read_to_its_end_and_a_second_run_asks_only_for_what_is_lacking() {
    let server = Server::start();
    let good = |title: &str| {
        // A reply to those who have it already comes first.
        let known = Reply::status(304).only_with("if-none-match", &format!("\"{title}\""));
        [known, page(title, &[], &[]).header("etag", &format!("\"{title}\""))]
    };
    let faults = [
        "/busy", "/dropped", "/drip", "/around", "/deep/1", "/huge", "/latin", "/script", "/gone",
        "/private", "/paper", "/odd", "/late",
    ];
    let [known, entry] = good("entry");
    let entry = entry.body(format!(
        "<title>entry</title><nav>{}<a href=/fine>x</a></nav><main><h1>entry</h1></main>",
        faults.map(|path| format!("<a href={path}>x</a>")).concat()
    ));
    server.at("/", [known, entry]);
    server.at("/robots.txt", [Reply::text("User-agent: *\nDisallow: /private\n")]);
    server.at("/fine", good("fine"));
    let [known, late] = good("late");
    server.at("/late", [known, Reply::status(429).header("retry-after", "0"), late]);
    server.at("/busy", [Reply::status(429).header("retry-after", "3600")]);
    server.at("/dropped", [Reply::html("<main>half of it").cut_after(9)]);
    server.at("/drip", [Reply::html("x".repeat(1000)).drip(Duration::from_millis(50))]);
    server.at("/around", [Reply::redirect("/around")]);
    for step in 1..20 {
        server.at(&format!("/deep/{step}"), [Reply::redirect(&format!("/deep/{}", step + 1))]);
    }
    server.at("/huge", [Reply::html(vec![b'x'; 30_000_000])]);
    let latin = b"<title>B\xe4r</title><main>Ein B\xe4r.</main>";
    server.at(
        "/latin",
        [
            Reply::status(304).only_with("if-none-match", "\"l\""),
            Reply::status(200)
                .header("content-type", "text/html; charset=utf-8")
                .header("etag", "\"l\"")
                .body(*latin),
        ],
    );
    server.at("/script", [Reply::html("<body><div id=app></div><script>start('now')</script>")]);
    server.at("/paper", [Reply::status(200).header("content-type", "application/pdf").body("%PDF")]);
    server.at("/odd", [Reply::raw("HTTP/1.1 nonsense\r\n\r\n")]);
    let store = tempfile::tempdir().unwrap();
    let scope = Scope::new(&url(&server.url("/")), &url(&server.url("/")));
    let first = crawl_with(&impatient(), &scope, Limits::default(), store.path()).await;
    insta::assert_snapshot!(lines(&server, &first).join("\n"));
    let why: Vec<&str> = first
        .pages
        .iter()
        .filter_map(|page| match &page.outcome {
            PageOutcome::Failed { why, .. } | PageOutcome::Refused { why } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert!(why.iter().all(|why| why.contains(server.url("/").as_str())), "{why:#?}");

    server.at("/busy", good("busy"));
    server.at("/dropped", good("dropped"));
    let second = crawl_with(&impatient(), &scope, Limits::default(), store.path()).await;
    let kept = Snapshots::open(store.path()).unwrap().retrievals().count();
    assert_eq!(kept, 6, "what has not changed is not in the store twice");
    for path in ["/", "/fine", "/late", "/latin"] {
        let last = server.requests(path).pop().unwrap();
        assert!(last.headers.contains_key("if-none-match"), "{path} was fetched again");
    }
    let ok = |record: &CrawlRecord| {
        let pages = record.pages.iter().filter(|page| word(&page.outcome) == "page");
        pages.map(|page| page.key.url().path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ok(&first), ["/", "/latin", "/late", "/fine"]);
    assert_eq!(ok(&second), ["/", "/busy", "/dropped", "/latin", "/late", "/fine"]);
}

#[tokio::test]
async fn a_run_that_is_killed_keeps_what_it_had_stored() {
    let server = Server::start();
    let tagged = |path: &str, links: &[&str]| page(path, links, &[]).header("etag", &format!("\"{path}\""));
    server.at("/", [tagged("/", &["/a", "/b", "/c"])]);
    server.at("/a", [tagged("/a", &[])]);
    server.at("/b", [tagged("/b", &[])]);
    server.at("/c", [Reply::silence(), tagged("/c", &[])]);
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::new(&url(&server.url("/")), &url(&server.url("/")));
    let limits = Limits { save_every: NonZeroUsize::MIN, ..Limits::default() };
    let mut store = Snapshots::open(folder.path()).unwrap();
    let (fetcher, generators) = (fetcher(), Arc::new(generators()));
    let crawl =
        Crawl { fetcher: &fetcher, store: &mut store, generators: &generators, limits: limits.clone() };
    let killed = tokio::sync::Notify::new();
    let run = crawl.run(&scope, |progress| {
        if progress.done == 3 {
            killed.notify_one();
        }
    });
    tokio::select! {
        _ = run => panic!("a page is still awaited"),
        () = killed.notified() => {}
    }
    drop(store);
    // The page that hung may not have been asked for before the end.
    let record = crawl_with(&impatient(), &scope, limits, folder.path()).await;
    assert_eq!(record.pages.iter().filter(|page| word(&page.outcome) == "page").count(), 4);
    for path in ["/", "/a", "/b"] {
        let conditional: Vec<bool> = server
            .requests(path)
            .iter()
            .map(|request| request.headers.contains_key("if-none-match"))
            .collect();
        assert_eq!(conditional, [false, true], "{path}");
    }
}
