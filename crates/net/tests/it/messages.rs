use crate::url;
use polc_net::{Disallowed, FetchError, Hop, Limit, LimitKind, Phase};
use std::time::Duration;

#[test]
fn every_error_says_what_where_why_and_what_to_do() {
    let page = || Box::new(url("https://docs.example/guide"));
    let robots_url = || Box::new(url("https://docs.example/robots.txt"));
    let hops = || {
        let hop = |path: &str| Hop {
            url: url(&format!("https://docs.example/{path}")),
            status: 302,
            location: "/guide".to_owned(),
        };
        vec![hop("guide"), hop("moved")]
    };
    let why = || "connection refused".to_owned();
    let unavailable = Disallowed::Unavailable { why: "status 503".to_owned() };
    let (waited, asked) = (Duration::from_secs(7), Some(Duration::from_secs(3600)));
    let until = std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let limit = Limit { kind: LimitKind::Primary, wait: Duration::from_secs(600), until };
    let errors = [
        FetchError::Offline { url: page() },
        FetchError::RobotsDisallow { url: page(), robots_url: robots_url(), why: Disallowed::ByRule },
        FetchError::RobotsDisallow { url: page(), robots_url: robots_url(), why: unavailable },
        FetchError::RedirectLoop { url: page(), hops: hops() },
        FetchError::TooManyHops { url: page(), hops: hops() },
        FetchError::LeftTheWeb { url: Box::new(url("mailto:a@docs.example")), hops: hops() },
        FetchError::LeftTheWeb { url: Box::new(url("mailto:a@docs.example")), hops: vec![] },
        FetchError::TooLarge { url: page(), limit: 10, seen: 11 },
        FetchError::TimedOut { url: page(), phase: Phase::Body, attempts: 4 },
        FetchError::Dropped { url: page(), seen: 11, attempts: 4, why: why() },
        FetchError::Unreachable { url: page(), attempts: 4, why: why() },
        FetchError::BadBody { url: page(), why: "invalid gzip header".to_owned() },
        FetchError::GaveUp { url: page(), status: 503, attempts: 4, waited, asked },
        FetchError::GaveUp { url: page(), status: 503, attempts: 4, waited, asked: None },
        FetchError::HostGivenUp { url: page(), last: "its words; try later".to_owned() },
        FetchError::Limited { url: page(), attempts: 2, limit },
        FetchError::BadUrl {
            url: page(),
            address: "http://[half".to_owned(),
            why: "no such host".to_owned(),
        },
    ];
    let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(messages.join("\n"));
}
