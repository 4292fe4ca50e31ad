//! The server that real sites stand on.

use crate::url;
use polc_net::{Answer, Fetcher, Request, Settings};
use polc_testkit::{Server, serve_site};
use std::time::Duration;

/// A fetcher for servers on this machine.
pub(crate) fn fetcher() -> Fetcher {
    Fetcher::new(Settings { delay: Duration::ZERO, ..Settings::default() }).unwrap()
}

async fn get(server: &Server, path: &str) -> Answer {
    fetcher().get(&Request::new(url(&server.url(path)))).await.unwrap()
}

#[tokio::test]
async fn a_shared_site_is_served_below_a_prefix() {
    let Some(server) = serve_site("matplotlib-3.11", "/en/stable") else { return };
    let script = get(&server, "/en/stable/_static/documentation_options.js?v=1").await;
    assert_eq!(script.headers.content_type.as_deref(), Some("text/javascript"));
    assert!(script.text().text.contains("VERSION: '3.11.2'"));
    assert_eq!(get(&server, "/en/stable/devel/").await.status, 200);
    assert_eq!(get(&server, "/en/stable/devel").await.url.as_str(), server.url("/en/stable/devel/"));
    assert_eq!(get(&server, "/_static/documentation_options.js").await.status, 404);
}

#[tokio::test]
async fn a_map_of_addresses_and_names_that_need_encoding_are_obeyed() {
    let Some(server) = serve_site("pallets-website", "") else { return };
    let moved = get(&server, "/contributing").await;
    assert_eq!((moved.status, moved.hops[0].status), (200, 302));
    assert_eq!(get(&server, "/code-of-conduct").await.status, 200);
    assert_eq!(get(&server, "/contributing/git").await.status, 404);
    let Some(server) = serve_site("matplotlib-3.11", "") else { return };
    assert_eq!(get(&server, "/devel/coding_guide%23new-features-and-api-changes.html").await.status, 200);
    assert_eq!(get(&server, "/nothing").await.status, 404);
}
