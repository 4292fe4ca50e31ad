use crate::{get, get_with, quick, url};
use polc_net::{FetchError, Fetcher, Request, Settings, Validators};
use polc_testkit::{Reply, Server, shared};

#[tokio::test]
async fn every_hop_is_recorded() {
    let server = Server::start();
    let end = server.url("/end");
    server.at("/a", [Reply::status(301).header("location", "b/?x=1")]);
    server.at("/b/?x=1", [Reply::status(307).header("location", &format!("{end}#part"))]);
    server.at("/end", [Reply::text("here")]);
    let answer = get(&server.url("/a#mine")).await.unwrap();
    let hops: Vec<_> = answer.hops.iter().map(|hop| (hop.url.as_str(), hop.status, &*hop.location)).collect();
    assert_eq!(
        hops,
        [(&*server.url("/a"), 301, "b/?x=1"), (&*server.url("/b/?x=1"), 307, &*format!("{end}#part"))]
    );
    assert_eq!((answer.url.as_str(), answer.requested.as_str()), (&*end, &*server.url("/a#mine")));
    assert_eq!(answer.attempts, 3);
}

#[tokio::test]
async fn a_redirect_without_a_place_is_an_answer() {
    let server = Server::start();
    server.at("/lost", [Reply::status(302)]).at("/choices", [Reply::status(300).header("location", "/")]);
    assert_eq!(get(&server.url("/lost")).await.unwrap().status, 302);
    assert_eq!(get(&server.url("/choices")).await.unwrap().status, 300);
}

#[tokio::test]
async fn redirects_end_at_the_limit() {
    let server = Server::start();
    for step in 0..5 {
        server.at(&format!("/{step}"), [Reply::redirect(&format!("/{}", step + 1))]);
    }
    server.at("/5", [Reply::text("the end")]);
    let limited = |most_hops| Settings { most_hops, ..quick() };
    assert_eq!(get_with(limited(5), &server.url("/0")).await.unwrap().hops.len(), 5);
    let error = get_with(limited(4), &server.url("/0")).await.unwrap_err();
    let FetchError::TooManyHops { url, hops } = error else { panic!("{error}") };
    assert_eq!((url.path(), hops.len()), ("/5", 5));
    assert_eq!(server.requests("/5").len(), 1, "what is too far away is not asked");
}

#[tokio::test]
async fn a_redirect_must_stay_on_the_web() {
    let server = Server::start();
    server.at("/mail", [Reply::redirect("mailto:someone@example.org")]);
    server.at("/file", [Reply::redirect("file:///etc/hostname")]);
    server.at("/wrong", [Reply::redirect("http://[half/")]);
    server.at("/secret", [Reply::redirect("http://me:secret@127.0.0.1/")]);
    for path in ["/mail", "/file"] {
        let error = get(&server.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::LeftTheWeb { .. }), "{error}");
        assert!(error.to_string().contains(&server.url(path)), "it names the page to correct: {error}");
    }
    for path in ["/wrong", "/secret"] {
        let error = get(&server.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::BadUrl { .. }), "{error}");
        assert_eq!(error.url().path(), path);
    }
    assert!(
        matches!(get("ftp://example.org/").await, Err(FetchError::LeftTheWeb { hops, .. }) if hops.is_empty())
    );
}

#[tokio::test]
async fn a_circle_is_told_from_a_cookie_that_is_set() {
    let Some(case) = shared::case("cr4") else { return };
    let server = Server::start();
    for page in ["a", "b"] {
        let steps = case["input"][page].as_array().unwrap();
        let replies = steps.iter().map(|step| {
            let mut reply = Reply::status(u16::try_from(step["status"].as_u64().unwrap()).unwrap());
            if let Some(location) = step["location"].as_str() {
                reply = reply.header("location", url(location).path());
            }
            if let Some(cookie) = step["set_cookie"].as_str() {
                reply = reply.header("set-cookie", cookie);
            }
            if let Some(cookie) = step["sent_cookie"].as_str() {
                reply = reply.only_with("cookie", cookie);
            }
            reply.body(step["body"].as_str().unwrap_or_default())
        });
        server.at(url(steps[0]["url"].as_str().unwrap()).path(), replies);
    }
    let (a, b) = (&case["expected"]["a"], &case["expected"]["b"]);
    let answer = get(&server.url("/p")).await.unwrap();
    assert_eq!(
        (u64::from(answer.status), answer.hops.len() as u64),
        (a["status"].as_u64().unwrap(), a["hops"].as_u64().unwrap())
    );
    assert_eq!(answer.body, b"ok");
    let error = get(&server.url("/q")).await.unwrap_err();
    let FetchError::RedirectLoop { url, hops } = &error else { panic!("{error}") };
    assert_eq!((b["error"].as_str(), url.path(), hops.len()), (Some("redirect-loop"), "/q", 2));
    assert_eq!(server.requests("/q").len() as u64, b["requests"].as_u64().unwrap());
}

#[tokio::test]
async fn longer_circles_are_found_and_new_cookies_do_not_go_on_for_ever() {
    let server = Server::start();
    server
        .at("/a", [Reply::redirect("/b")])
        .at("/b", [Reply::redirect("/c")])
        .at("/c", [Reply::redirect("/b")]);
    let error = get(&server.url("/a")).await.unwrap_err();
    let FetchError::RedirectLoop { hops, .. } = &error else { panic!("{error}") };
    assert_eq!(hops.iter().map(|hop| hop.url.path()).collect::<Vec<_>>(), ["/a", "/b", "/c", "/b"]);
    let counting = (0..20).map(|count| Reply::redirect("/n").header("set-cookie", &format!("n={count}")));
    server.at("/n", counting);
    assert!(matches!(get(&server.url("/n")).await, Err(FetchError::TooManyHops { .. })));
    assert_eq!(server.requests("/n").len(), Settings::default().most_hops + 1);
}

#[tokio::test]
async fn an_unchanged_page_is_not_sent_again() {
    let server = Server::start();
    let page =
        Reply::html("one").header("etag", "\"v1\"").header("last-modified", "Wed, 05 Nov 2025 10:00:00 GMT");
    server.at("/page", [page, Reply::status(304).only_with("if-none-match", "\"v1\"")]);
    server.at("/stable", [Reply::redirect("/page"), Reply::redirect("/other")]);
    server.at("/other", [Reply::html("two"), Reply::status(304).only_with("if-none-match", "\"v1\"")]);
    let fetcher = Fetcher::new(quick()).unwrap();
    let request = Request::new(url(&server.url("/stable")));
    let first = fetcher.get(&request).await.unwrap();
    let Some(validators) = first.validators() else { panic!("{first:?}") };
    let again = Request { validators: Some(validators.clone()), ..Request::new(first.url.clone()) };
    let second = fetcher.get(&again).await.unwrap();
    assert!(second.not_modified() && second.body.is_empty());
    let asked = &server.requests("/page")[1].headers;
    assert_eq!(asked["if-modified-since"], "Wed, 05 Nov 2025 10:00:00 GMT");
    // The alias leads elsewhere now: what is known of the old page says nothing of the new one.
    let moved = fetcher.get(&Request { validators: Some(validators), ..request }).await.unwrap();
    assert_eq!((moved.not_modified(), moved.body.as_slice()), (false, b"two".as_slice()));
    let nothing = Validators { of: first.url, etag: None, last_modified: None };
    assert!(!fetcher.get(&Request { validators: Some(nothing), ..again }).await.unwrap().not_modified());
}
