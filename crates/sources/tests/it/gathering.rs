//! Pinning from servers: twenty real sites, mirrors, redirects, and what a person settles.

use crate::sites::fetcher;
use crate::url;
use polc_records::pin::{PinnedVersion, SitePin, UrlRow};
use polc_records::project::Project;
use polc_sources::SourcesError;
use polc_sources::pin::site::{Hand, Place, check, gather, published, served};
use polc_sources::project::without_checkout;
use polc_testkit::shared::{case, shared};
use polc_testkit::{Reply, Server, serve_site};
use std::path::{Path, PathBuf};

/// Every shared site: its repository, its entry page, and the version that its origin says it is.
const SITES: &[(&str, &str, &str, Option<&str>)] = &[
    ("astropy-8.0", "astropy/astropy", "index_dev.html", Some("8.0.2")),
    ("astropy-dev", "astropy/astropy", "index_dev.html", Some("8.1.0.dev437+g1fdfae1fe1")),
    ("django-5.2", "django/django", "internals/contributing/index.html", Some("5.2.19")),
    ("django-6.1", "django/django", "internals/contributing/index.html", Some("6.1.3")),
    ("flask-3.1", "pallets/flask", "contributing.html", Some("3.1.3")),
    ("flask-dev", "pallets/flask", "contributing.html", Some("3.2.0.dev0")),
    ("matplotlib-3.11", "matplotlib/matplotlib", "devel/index.html", Some("3.11.2")),
    ("mdbook-guide", "rust-lang/mdBook", "for_developers/index.html", None),
    ("pallets-website", "pallets/website", "contributing/", None),
    ("pydantic", "pydantic/pydantic", "contributing/", None),
    ("pylint-4.1", "pylint-dev/pylint", "development_guide/contributor_guide/index.html", Some("4.1.4")),
    ("pytest-9.2", "pytest-dev/pytest", "contributing.html", Some("9.2.0")),
    ("pytest-dev", "pytest-dev/pytest", "contributing.html", Some("9.2.0.dev228")),
    ("requests-dev", "psf/requests", "dev/contributing.html", Some("2.34.2")),
    ("sklearn-1.9", "scikit-learn/scikit-learn", "developers/index.html", Some("1.9.1")),
    ("sphinx-9.1", "sphinx-doc/sphinx", "internals/contributing.html", Some("9.1.1")),
    ("sympy-1.14", "sympy/sympy", "contributing/index.html", Some("1.14.0")),
    ("sympy-dev", "sympy/sympy", "contributing/index.html", Some("1.15.0.dev")),
    ("xarray-2026.9", "pydata/xarray", "contribute/index.html", Some("2026.9.0")),
    ("xarray-dev", "pydata/xarray", "contribute/index.html", Some("2026.7.1.dev41+gb1c1dc549")),
];

fn project(repository: &str, docs: &str) -> Project {
    let bare = without_checkout("zoo".parse().unwrap(), repository.parse().unwrap(), "patch".to_owned());
    Project { docs: Some(url(docs)), ..bare }
}

fn mirror(server: &Server, prefix: &str) -> Place {
    Place::Mirror(url(&server.url(prefix)))
}

async fn pin(docs: &str, place: &Place, hand: Option<&Hand>) -> Result<SitePin, SourcesError> {
    gather(&fetcher(), &project("zoo/zoo", docs), place, hand, None).await
}

fn unversioned() -> Hand {
    Hand::Unversioned { reason: "no page of the site states one".to_owned() }
}

/// A file of a shared site, where it has one.
fn quietly(name: &str, file: &str) -> Option<PathBuf> {
    let path = shared(&format!("sites/{name}"))?.join(file);
    path.is_file().then_some(path)
}

/// A line of the table of sites.
fn line(name: &str, entry: &str, pin: &SitePin) -> String {
    let (version, by) = match &pin.version {
        PinnedVersion::Claimed { value, by } => (format!("`{value}`"), by.to_string()),
        PinnedVersion::ByHand { value, .. } => (format!("`{value}`"), "by hand".to_owned()),
        PinnedVersion::Unversioned { .. } => ("none".to_owned(), "by hand: unversioned".to_owned()),
    };
    let stated: Vec<String> =
        pin.claims.iter().map(|claim| format!("{} `{}`", claim.by, claim.value)).collect();
    let stated = if stated.is_empty() { "nothing".to_owned() } else { stated.join(", ") };
    format!("| {name} | `{entry}` | {} | {version} | {by} | {stated} |\n", pin.generator)
}

#[tokio::test]
async fn every_shared_site_is_pinned_at_the_version_that_it_is_and_the_page_of_sites_says_so() {
    let mut table = String::from(
        "| site | entry page | made by | version | told by | stated |\n|---|---|---|---|---|---|\n",
    );
    for (name, repository, entry, expected) in SITES {
        let alias = if name.ends_with("-dev") { "latest" } else { "stable" };
        let Some(server) = serve_site(name, &format!("/en/{alias}")) else { return };
        // The rules of a host stand at its top.
        if let Some(robots) = quietly(name, "robots.txt") {
            server.at("/robots.txt", [Reply::file(&robots)]);
        }
        let project = project(repository, &format!("https://docs.example/en/{alias}/{entry}"));
        let place = mirror(&server, "/");
        let ask = async |hand: Option<&Hand>| gather(&fetcher(), &project, &place, hand, None).await;
        let found = ask(None).await;
        let pin = match expected {
            Some(_) => found.unwrap(),
            None => {
                assert!(matches!(found, Err(SourcesError::NoVersion { .. })), "{name}: {found:?}");
                ask(Some(&unversioned())).await.unwrap()
            }
        };
        assert_eq!(pin.version.value(), *expected, "{name}");
        assert_eq!(pin.alias.as_deref(), Some(alias), "{name}");
        assert_eq!(pin.warnings.len(), 1, "{name}: {:?}", pin.warnings);
        assert!(pin.resolved.as_str().starts_with("https://docs.example/en/"), "{name}: {}", pin.resolved);
        table.push_str(&line(name, entry, &pin));
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sites.md");
    let present = std::fs::read_to_string(&page).unwrap();
    let (text, _) = present.split_once("| site |").unwrap();
    let made = format!("{text}{table}");
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        return std::fs::write(&page, &made).unwrap();
    }
    assert!(
        present == made,
        "docs/sites.md is not what the sites come to: run this test with POLC_WRITE_DOCS=1"
    );
}

const SPHINX: &str =
    "<html data-content_root='./'><script src='_static/documentation_options.js'></script><p>Hello";

/// A site made by Sphinx below a prefix.
fn sphinx(server: &Server, prefix: &str, version: &str) {
    server.at(&format!("{prefix}a.html"), [Reply::html(SPHINX)]);
    let options = format!("const DOCUMENTATION_OPTIONS = {{VERSION: '{version}'}};");
    server.at(&format!("{prefix}_static/documentation_options.js"), [Reply::text(options)]);
}

#[tokio::test]
async fn a_mirror_may_leave_out_any_part_of_the_published_path_and_the_pin_keeps_published_addresses() {
    for (prefix, from) in [
        ("/en/stable/", "https://docs.example/"),
        ("/stable/", "https://docs.example/en/"),
        ("/", "https://docs.example/en/stable/"),
    ] {
        let server = Server::start();
        sphinx(&server, prefix, "1.2");
        let docs = "https://docs.example/en/stable/a.html";
        let found = pin(docs, &mirror(&server, "/"), None).await.unwrap();
        assert_eq!(found.resolved.as_str(), docs);
        assert_eq!(found.served.as_str(), server.url(&format!("{prefix}a.html")));
        assert_eq!(found.root.as_str(), "https://docs.example/en/stable/");
        assert_eq!(
            found.claims[0].url.as_str(),
            "https://docs.example/en/stable/_static/documentation_options.js"
        );
        let row = UrlRow { published: url(from), served: url(&server.url("/")) };
        assert_eq!(found.urls, std::slice::from_ref(&row));
        assert_eq!(found.alias.as_deref(), Some("stable"));
        let by_row = pin(docs, &Place::Row(row), None).await.unwrap();
        assert_eq!(by_row, found);
    }
}

#[tokio::test]
async fn a_page_that_leads_on_is_followed_and_the_map_knows_the_way() {
    let server = Server::start();
    let stub = "<noscript><meta http-equiv=refresh content='0;url=../1.2/a.html'></noscript>";
    server.at("/latest/a.html", [Reply::html(stub)]);
    server.at("/docs", [Reply::redirect("/latest/a.html")]);
    sphinx(&server, "/1.2/", "1.2.3");
    let place = mirror(&server, "/");
    let found = pin("https://docs.example/latest/a.html#style", &place, None).await.unwrap();
    assert_eq!(found.resolved.as_str(), "https://docs.example/1.2/a.html#style");
    assert_eq!(found.alias.as_deref(), Some("latest"));
    let elsewhere = url("https://docs.example/latest/b.html");
    assert_eq!(served(&found.urls, &elsewhere).as_str(), server.url("/1.2/b.html"));
    let back = published(&found.urls, &url(&server.url("/1.2/b.html")));
    assert_eq!(back.as_str(), "https://docs.example/1.2/b.html");
    let found = pin("https://docs.example/docs", &place, None).await.unwrap();
    assert_eq!(found.resolved.as_str(), "https://docs.example/1.2/a.html");
}

#[tokio::test]
async fn case_dv3_is_pinned_at_the_version_that_its_alias_stands_for() {
    let Some(case) = case("dv3") else { return };
    let (input, expected) = (&case["input"], &case["expected"]);
    let server = Server::start();
    server.at("/latest/guide/", [Reply::html(input["body"].as_str().unwrap())]);
    let page = r#"<script id=__config type="application/json">{"base": ".."}</script><p>Guide"#;
    server.at("/0.9/guide/", [Reply::html(page)]);
    server.at("/versions.json", [Reply::text(input["versions_json"].to_string())]);
    let found = pin(input["requested"].as_str().unwrap(), &mirror(&server, "/"), None).await.unwrap();
    assert_eq!(found.resolved.as_str(), expected["resolved"].as_str().unwrap());
    assert_eq!(found.version.value(), expected["version"].as_str());
    assert_eq!(found.alias.as_deref(), expected["alias"].as_str());
    assert_eq!(found.listed.unwrap().title.as_deref(), expected["title"].as_str());
    assert_eq!(found.root.as_str(), "https://d.example/0.9/");
}

#[tokio::test]
async fn a_site_where_it_is_published_is_its_own_map() {
    let server = Server::start();
    sphinx(&server, "/", "1.2");
    let docs = server.url("/a.html");
    let pin = pin(&docs, &Place::Published, None).await.unwrap();
    assert_eq!((pin.entry.as_str(), pin.served.as_str()), (docs.as_str(), docs.as_str()));
    assert_eq!(pin.urls, [UrlRow { published: url(&server.url("/")), served: url(&server.url("/")) }]);
}

#[tokio::test]
async fn wherever_the_address_that_was_asked_for_leads_the_pages_below_the_root_are_read_where_they_are() {
    let server = Server::start();
    sphinx(&server, "/en/latest/", "1.2");
    for (asked, leads) in [
        ("/", "/en/latest/a.html"),
        ("/en", "/en/latest/a.html"),
        ("/en/latest/", "a.html"),
        ("/en/latest", "/en/latest/"),
        ("/en/late", "/en/latest/a.html"),
        ("/go", "/en/latest/a.html"),
    ] {
        server.at(asked, [Reply::redirect(leads)]);
        for place in [
            Place::Published,
            Place::Row(UrlRow { published: url("https://d.example/"), served: url(&server.url("/")) }),
        ] {
            let base =
                if place == Place::Published { server.url("/") } else { "https://d.example/".to_owned() };
            let docs = url(&base).join(asked).unwrap();
            let found = pin(docs.as_str(), &place, None).await.unwrap();
            for page in ["", "a.html", "deep/b.html"] {
                let at = format!("/en/latest/{page}");
                let page = found.root.join(page).unwrap();
                let read = served(&found.urls, &page);
                assert_eq!(read.as_str(), server.url(&at), "{asked}: {:?}", found.urls);
                assert_eq!(published(&found.urls, &read), page, "{asked}: {:?}", found.urls);
            }
        }
    }
}

#[test]
fn a_row_of_the_map_is_for_what_lies_below_it_and_not_for_what_is_spelt_alike() {
    let row = |published: &str, served: &str| UrlRow { published: url(published), served: url(served) };
    let rows = [row("https://d.example/docs", "http://localhost/copy")];
    for (address, expected) in [
        ("https://d.example/docs", "http://localhost/copy"),
        ("https://d.example/docs/a", "http://localhost/copy/a"),
        ("https://d.example/docs?q#f", "http://localhost/copy?q#f"),
        ("https://d.example/docs2/a", "https://d.example/docs2/a"),
        ("https://d.example.org/docs", "https://d.example.org/docs"),
    ] {
        assert_eq!(served(&rows, &url(address)).as_str(), expected);
    }
}

#[tokio::test]
async fn pages_that_lead_in_a_circle_or_nowhere_are_errors_that_say_so() {
    let server = Server::start();
    server.at("/a.html", [Reply::html("<meta http-equiv=refresh content='0;url=b.html'>")]);
    server.at("/b.html", [Reply::html("<meta http-equiv=refresh content='0;url=a.html'>")]);
    server.at("/c.html", [Reply::html("<meta http-equiv=refresh content='0;url=gone.html'>")]);
    for (page, expected) in [
        ("a.html", "leads on more than 5 times"),
        ("c.html", "is where `"),
        ("gone.html", "answers with status 404"),
    ] {
        let error =
            pin(&server.url(&format!("/{page}")), &Place::Published, None).await.unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("help: "), "{error}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error_where_it_may_pass_and_a_warning_where_it_will_not() {
    let server = Server::start();
    sphinx(&server, "/", "1.2");
    server.at("/objects.inv", [Reply::status(403)]);
    let docs = server.url("/a.html");
    let found = pin(&docs, &Place::Published, None).await.unwrap();
    assert_eq!(
        found.warnings,
        [format!("`{}` was not read: it answers with status 403", server.url("/objects.inv"))]
    );
    server.at("/robots.txt", [Reply::text("User-agent: *\nDisallow: /_static/\n")]);
    server
        .at("/objects.inv", [Reply::text("# Sphinx inventory version 2\n# Project: Zoo\n# Version: 1.2\n")]);
    let found = pin(&docs, &Place::Published, None).await.unwrap();
    assert!(found.warnings[0].contains("robots.txt"), "{:?}", found.warnings);
    assert_eq!(found.version.value(), Some("1.2"));
}

#[tokio::test]
async fn a_conflict_names_both_and_is_settled_by_hand_for_as_long_as_the_site_says_the_same() {
    let server = Server::start();
    sphinx(&server, "/", "4.2.0");
    let inventory = |version: &str| {
        Reply::text(format!("# Sphinx inventory version 2\n# Project: Z\n# Version: {version}\n"))
    };
    server.at("/objects.inv", [inventory("4.1.9")]);
    let docs = server.url("/a.html");
    let ask = async |hand: Option<Hand>, previous: Option<&SitePin>| {
        gather(&fetcher(), &project("zoo/zoo", &docs), &Place::Published, hand.as_ref(), previous).await
    };
    let error = ask(None, None).await.unwrap_err().to_string();
    for part in
        ["`4.2.0`", "`4.1.9`", "/objects.inv", "documentation_options.js", "--version V --reason TEXT"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    let hand = Hand::Version { value: "4.2.0".to_owned(), reason: "the inventory is an old one".to_owned() };
    let by_hand = ask(Some(hand), None).await.unwrap();
    assert_eq!(by_hand.claims.len(), 2);
    assert_eq!(ask(None, Some(&by_hand)).await.unwrap(), by_hand);
    let error = ask(Some(unversioned()), Some(&by_hand)).await.unwrap_err();
    assert!(matches!(error, SourcesError::Versioned { .. }), "{error}");
    server.at("/objects.inv", [inventory("4.1.8")]);
    assert!(matches!(ask(None, Some(&by_hand)).await, Err(SourcesError::Conflict { .. })));
    server.at("/objects.inv", [inventory("4.2")]);
    assert!(matches!(ask(None, Some(&by_hand)).await.unwrap().version, PinnedVersion::Claimed { .. }));
    let hand = Hand::Version { value: "4.3".to_owned(), reason: "both are old".to_owned() };
    let against_all = ask(Some(hand), None).await.unwrap();
    assert_eq!(ask(None, Some(&against_all)).await.unwrap(), against_all, "the site states the same");
}

#[tokio::test]
async fn a_site_without_a_version_is_pinned_by_its_bytes_once_a_person_says_so() {
    let server = Server::start();
    server.at("/a.html", [Reply::html("<p>Hello")]);
    let docs = server.url("/a.html");
    let error = pin(&docs, &Place::Published, None).await.unwrap_err().to_string();
    assert!(error.contains("states a version") && error.contains("--unversioned --reason TEXT"), "{error}");
    let pinned = pin(&docs, &Place::Published, Some(&unversioned())).await.unwrap();
    assert_eq!(pinned.version.value(), None);
    assert_eq!(pinned.digest, polc_records::Digest::of("<p>Hello"));
}

/// Whatever a site stated at the pin and states now, of one kind or another, the two are compared.
#[tokio::test]
async fn a_site_is_compared_with_its_pin_whatever_states_a_version_then_and_now() {
    const BY: [&str; 2] = ["docsearch:version", "docusaurus_version"];
    let tag = |name: &str, value: &str| format!("<meta name='{name}' content='{value}'>");
    let title = |value: &str| format!("<title>Zoo {value}</title>");
    let both = |one: &str, other: &str| tag(BY[0], one) + &tag(BY[1], other);
    let by_hand = |value: &str| Some(Hand::Version { value: value.to_owned(), reason: "it is".to_owned() });
    let silence = String::new;
    for (then, hand, now, expected) in [
        (both("1.2", "3.4"), by_hand("1.2"), both("1.2", "3.4"), Ok("")),
        (both("1.2", "3.4"), by_hand("1.2"), both("1.2", "3.5"), Err("`3.5` by the meta tag")),
        (both("1.2", "3.4"), by_hand("1.2"), tag(BY[1], "3.4"), Ok("")),
        (tag(BY[0], "1.2"), None, tag(BY[0], "1.3"), Err("`1.3` by the meta tag")),
        (tag(BY[0], "1.2"), None, title("1.3"), Err("`1.3` by the title")),
        (tag(BY[0], "1.2"), None, title("1.2.0"), Ok("states no version now")),
        (tag(BY[0], "1.2"), None, silence(), Ok("stated `1.2` at the pin, and states no version now")),
        (silence(), by_hand("1.2"), silence(), Ok("")),
        (silence(), by_hand("1.2"), tag(BY[1], "1.2"), Ok("")),
        (silence(), by_hand("1.2"), tag(BY[1], "2.0"), Err("`1.2` was pinned, and nothing of the kind")),
        (silence(), Some(unversioned()), tag(BY[1], "2.0"), Ok("states a version now: `2.0`")),
    ] {
        let server = Server::start();
        let serve = |head: &str| server.at("/a.html", [Reply::html(format!("<head>{head}</head><p>Hello"))]);
        serve(&then);
        let pin = pin(&server.url("/a.html"), &Place::Published, hand.as_ref()).await.unwrap();
        serve(&now);
        let told = match (check(&fetcher(), &pin, "zoo").await, expected) {
            (Ok(notes), Ok(_)) => notes.join("\n"),
            (Err(error @ SourcesError::OtherRelease(_)), Err(_)) => error.to_string(),
            (found, _) => panic!("{then} then, {now} now: {found:?}"),
        };
        let (Ok(part) | Err(part)) = expected;
        let is_as_expected = if part.is_empty() { told.is_empty() } else { told.contains(part) };
        assert!(is_as_expected, "{then} then, {now} now: {told}");
    }
}
