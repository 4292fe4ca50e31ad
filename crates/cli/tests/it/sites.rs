//! Published documentation, by the real binary from a server on this machine.

use crate::polc::{PAGE, Zoo};
use polc_records::Digest;
use polc_records::locator::SectionPath;
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::store::save_toml;
use polc_records::vocabulary::{ExclusionCode, Inclusion};
use polc_testkit::{Reply, Server};

const DOCS: &str = "https://docs.example/en/stable/contributing.html";

/// A site made by Sphinx that states these versions, on a mirror without the first part of its address.
fn site(options: &str, inventory: &str) -> Server {
    let server = Server::start();
    let page = "<html data-content_root='./'><title>Contributing</title><p>Hello";
    server.at("/stable/contributing.html", [Reply::html(page)]);
    let options = format!("const DOCUMENTATION_OPTIONS = {{VERSION: '{options}'}};");
    server.at("/stable/_static/documentation_options.js", [Reply::text(options)]);
    let inventory = format!("# Sphinx inventory version 2\n# Project: Zoo\n# Version: {inventory}\n");
    server.at("/stable/objects.inv", [Reply::text(inventory)]);
    server
}

/// A project with these flags of `init`, and what a command says of the site, with the mirror's address taken out.
fn run(zoo: &Zoo, server: &Server, arguments: &[&str], code: i32) -> String {
    let mirror = server.url("/");
    let ran = zoo.polc(&[arguments, &["--served", &mirror]].concat()).exits(code);
    ran.err.replace(&mirror, "MIRROR/")
}

#[test]
fn a_site_is_pinned_beside_the_repository_and_read_on_a_mirror() {
    let zoo = Zoo::with(PAGE);
    let server = site("1.2.3", "1.2");
    zoo.polc(&["init", "zoo/zoo", "--git", ".", "--docs", DOCS, "--slug", "zoo"]).exits(0);
    assert!(zoo.read("corpora/zoo/project.toml").contains(&format!("docs = \"{DOCS}\"")));
    let first = run(&zoo, &server, &["pin", "zoo"], 0);
    let again = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(again.contains("the pin stands at commit"), "{again}");
    let pin = zoo.read("manifests/zoo/pin.toml").replace(&server.url("/"), "MIRROR/");
    let site = pin.split_once("[site]").unwrap().1;
    insta::assert_snapshot!(format!("{}\n[site]{site}", first.split_once("documentation at").unwrap().1));
    zoo.does(&["fetch zoo", "manifest zoo"]);
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("; documentation 1.2.3"), "{status}");
    let server = self::site("1.2.4", "1.2");
    let moved = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(moved.contains("the site, version `1.2.3` before and version `1.2.4` now"), "{moved}");
}

#[test]
fn versions_that_disagree_are_refused_until_somebody_says_which_one_it_is() {
    let zoo = Zoo::with(PAGE);
    let server = site("1.2.3", "1.1");
    zoo.polc(&["init", "zoo/zoo", "--docs", DOCS, "--site-alone", "--slug", "zoo"]).exits(0);
    let refused = run(&zoo, &server, &["pin", "zoo"], 2);
    assert!(!zoo.path().join("manifests/zoo/pin.toml").exists());
    let by_hand =
        run(&zoo, &server, &["pin", "zoo", "--version", "1.2.3", "--reason", "the inventory is old"], 0);
    let kept = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(kept.contains("by hand: the inventory is old"), "{kept}");
    insta::assert_snapshot!(format!("{refused}\n{by_hand}"));
    let gate = zoo.polc(&["manifest", "zoo"]).exits(4).err;
    assert!(gate.contains("have not been fetched") && gate.contains("polc fetch zoo"), "{gate}");
    let offline = zoo.polc(&["--offline", "fetch", "zoo"]).exits(2).err;
    assert!(offline.contains("this run is offline"), "{offline}");
    zoo.does(&["fetch zoo", "manifest zoo"]);
}

/// From the published page to a frozen rule, without a checkout.
#[test]
fn a_rule_of_a_page_travels_the_whole_road() {
    let zoo = Zoo::with(PAGE);
    let page = |title: &str, body: &str| {
        Reply::html(format!(
            "<html><head><title>{title} — Zoo 1.2.3</title><meta name=generator content='Zoo'></head><body><nav><a \
             href='guide.html'>Guide</a> <a href='gone.html'>Gone</a> <a href='about.html'>About</a></nav><main><h1 \
             id=top>{title}</h1>{body}</main></body></html>"
        ))
    };
    let server = Server::start();
    server.pages([
        (
            "/docs/guide.html".to_owned(),
            page("Guide", "<h2 id=commits>Commits</h2><p>Never commit a <code>walrus</code>.</p>"),
        ),
        ("/docs/about.html".to_owned(), page("About us", "<p>The zoo is old.</p>")),
    ]);
    let docs = "https://zoo.example/docs/guide.html";
    zoo.polc(&["init", "zoo/zoo", "--docs", docs, "--site-alone", "--slug", "zoo"]).exits(0);
    zoo.polc(&["pin", "zoo", "--served", &server.url("/"), "--version", "1.2.3", "--reason", "by its title"])
        .exits(0);
    zoo.does(&["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
    let manifest = zoo.polc(&["manifest", "zoo", "--show"]).exits(0).out;
    insta::assert_snapshot!("pages_as_sources", manifest);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper", "classify zoo", "compile zoo --stubs", "snapshot verify"]);
    assert_eq!(zoo.polc(&["ground", "zoo"]).exits(0).out, "1 quote: 1 exact, 0 folded, 0 not found\n");
    let told = zoo.polc(&["explain", "ZOO-C001"]).exits(0).out;
    assert!(told.contains("https://zoo.example/docs/guide.html#commits (Commits)"), "{told}");
    let requests = server.requests("/docs/guide.html").len();
    zoo.does(&["fetch zoo", "snapshot gc", "snapshot export zoo copy", "ground zoo"]);
    assert!(
        server.requests("/docs/guide.html").len() > requests,
        "a page without a validator is asked for again"
    );
    let copies = polc_testkit::shared::files_below(&zoo.path().join("copy"));
    let (markdown, documents): (Vec<_>, Vec<_>) =
        copies.iter().partition(|path| path.extension().is_some_and(|ending| ending == "md"));
    assert!(documents.len() >= 2 && markdown.len() == 2, "{copies:?}");
    assert!(markdown.iter().all(|path| documents.contains(&&path.with_extension(""))), "{copies:?}");
    let guide: Vec<String> = markdown
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .filter(|text| text.starts_with("<!-- https://zoo.example/docs/guide.html "))
        .collect();
    assert_eq!(guide.len(), 1, "{copies:?}");
    let (origin, text) = guide[0].split_once("\n\n").unwrap();
    assert!(origin.ends_with(" reading/1 -->"), "{origin}");
    assert_eq!(text, "# Guide\n\n## Commits\n\nNever commit a `walrus`.\n");
    zoo.polc(&["snapshot", "export", "zoo", "copy"]).exits(3);
    let store = zoo.path().join(".polc/snapshots");
    for file in polc_testkit::shared::files_below(&store) {
        if file.file_name().is_some_and(|name| name.len() == 64) {
            std::fs::write(file, "other bytes").unwrap();
        }
    }
    assert!(zoo.polc(&["snapshot", "verify"]).exits(1).out.contains("these are not the bytes"));
}

/// What was read stays where the site is no longer what was pinned, or cannot be had.
#[test]
fn a_site_that_has_moved_on_is_not_read_as_the_pinned_one() {
    let zoo = Zoo::with(PAGE);
    let server = site("1.2.3.dev6", "1.2");
    let page = |title: &str, version: &str| {
        let meta = format!("<meta name=docsearch:version content='{version}'>");
        let head = format!("<html data-content_root='./'><head>{meta}<title>{title}</title></head>");
        let links = "<div class=sphinxsidebar><a href=old.html>Old</a><a href=news.html>News</a></div>";
        Reply::html(format!("{head}{links}<div role=main><h1>{title}</h1><p>Feed the lion."))
    };
    server.at("/stable/contributing.html", [page("Contributing", "1.2.3")]);
    server.at("/stable/old.html", [page("Old", "1.1")]);
    server.at("/stable/news.html", [page("New in Zoo 0.1", "1.2.3")]);
    zoo.polc(&["init", "zoo/zoo", "--docs", DOCS, "--site-alone", "--slug", "zoo"]).exits(0);
    run(&zoo, &server, &["pin", "zoo"], 0);
    zoo.does(&["fetch zoo"]);
    let pages = zoo.read("manifests/zoo/pages.jsonl");
    let old = pages.lines().find(|line| line.contains("stable/old.html\"")).unwrap();
    assert!(pages.contains("\"title\":\"New in Zoo 0.1\""), "a title may speak of any release: {pages}");
    assert!(old.contains("of another release: `1.1`") && old.contains("`1.2.3` was pinned"), "{old}");
    let options = |version: &str| {
        let script = format!("const DOCUMENTATION_OPTIONS = {{VERSION: '{version}'}};");
        server.at("/stable/_static/documentation_options.js", [Reply::text(script)]);
    };
    options("1.2.3.dev7");
    let noted = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(noted.contains("another build of the pinned release: `1.2.3.dev7`"), "{noted}");
    options("1.2.4");
    let refused = zoo.polc(&["fetch", "zoo"]).exits(2).err;
    for part in ["`1.2.4`", "`1.2.3.dev6`", "documentation_options.js", "polc pin"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    options("1.2.3.dev6");
    let other = Server::start();
    other.at("/", [Reply::html("<p>Welcome")]);
    let challenge = Reply::html("<p>Wait").header("cf-mitigated", "challenge");
    for (reply, expected) in [
        (Reply::status(404), "status 404"),
        (Reply::redirect(&other.url("/")), "on another host"),
        (challenge, "challenge"),
        (Reply::html("<div id=root></div>"), "no text before a script"),
    ] {
        server.at("/stable/contributing.html", [reply]);
        let error = zoo.polc(&["fetch", "zoo"]).exits(2).err;
        assert!(error.contains(expected), "{expected}: {error}");
    }
    assert_eq!(zoo.read("manifests/zoo/pages.jsonl"), pages);
}

#[test]
fn a_page_that_is_called_like_a_file_or_another_page_is_a_source_of_its_own() {
    let zoo = Zoo::with(PAGE);
    let server = Server::start();
    let page = |text: &str| {
        let links = "<nav><a href=CONTRIBUTING.md>1</a><a href=.>2</a><a href=index>3</a></nav>";
        Reply::html(format!("<html><body>{links}<main><h1>{text}</h1><p>Never tease {text}."))
    };
    let docs = server.url("/docs/guide.html");
    for (path, text) in
        [("guide.html", "lions"), ("CONTRIBUTING.md", "bears"), ("", "apes"), ("index", "eels")]
    {
        server.at(&format!("/docs/{path}"), [page(text)]);
    }
    zoo.polc(&["init", "zoo/zoo", "--git", ".", "--docs", &docs, "--slug", "zoo"]).exits(0);
    zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
    zoo.does(&["fetch zoo", "manifest zoo", "manifest zoo", "manifest confirm zoo --by keeper"]);
    let shown = zoo.polc(&["manifest", "zoo", "--show"]).exits(0).out;
    let rows = shown.lines().filter(|line| !line.starts_with(' '));
    let keys: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    let contributing = server.url("/docs/CONTRIBUTING.md");
    let index = server.url("/docs/index");
    assert_eq!(keys, ["guide.html", &contributing, "index", &index, "CONTRIBUTING.md"]);
}

/// A site that turns us away while it is read: the run ends soon, every page has its line, and a later run asks
/// for what lacks.
#[test]
fn a_site_that_gives_nothing_any_more_leaves_a_line_for_every_page() {
    let zoo = Zoo::with(PAGE);
    let server = Server::start();
    let links: String = (0..40).map(|page| format!("<a href={page}.html>{page}</a>")).collect();
    let page = |text: &str| Reply::html(format!("<nav>{links}</nav><main><h1>{text}</h1><p>Feed {text}."));
    let busy = || Reply::status(429).header("retry-after", "0");
    // For the pin, for the question whether it still is that, and for the crawl; then no more.
    server.at("/guide.html", [page("lions"), page("lions"), page("lions"), busy()]);
    zoo.polc(&["init", "zoo/zoo", "--docs", &server.url("/guide.html"), "--site-alone", "--slug", "zoo"])
        .exits(0);
    zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
    for page in 0..40 {
        server.at(&format!("/{page}.html"), [busy()]);
    }
    let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(told.contains("read 1 page, 40 could not be read"), "{told}");
    assert!(told.contains("could not be asked in the end"), "{told}");
    let pages = zoo.read("manifests/zoo/pages.jsonl");
    let last = pages.lines().last().unwrap();
    assert!(last.contains("after several pages in a row that its host did not give"), "{pages}");
    assert!(last.contains("it may succeed later"), "{pages}");
    let asked: usize = (0..40).map(|page| server.requests(&format!("/{page}.html")).len()).sum();
    assert!(asked < 100, "{asked} requests");
    server.at("/guide.html", [page("lions")]);
    for number in 0..40 {
        server.at(&format!("/{number}.html"), [page(&number.to_string())]);
    }
    let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(told.contains("read 41 pages, 0 could not be read"), "{told}");
}

/// Where nothing states a version, the bytes are all there is to tell by.
#[test]
fn an_entry_page_that_is_not_what_was_pinned_is_named() {
    let zoo = Zoo::with(PAGE);
    let server = Server::start();
    let docs = server.url("/guide.html");
    server.at("/guide.html", [Reply::html("<main>Feed the lion.")]);
    zoo.polc(&["init", "zoo/zoo", "--docs", &docs, "--site-alone", "--slug", "zoo"]).exits(0);
    zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
    let same = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(!same.contains("warning"), "{same}");
    server.at("/guide.html", [Reply::html("<main>Feed the lions.")]);
    let changed = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(changed.contains("is no longer what was pinned"), "{changed}");
}

/// Pages in other encodings than UTF-8 are sources like any other, however their encoding is declared.
#[test]
fn a_page_in_any_encoding_gives_its_rules() {
    let page = |charset: &str| {
        format!("<html><head><title>Zoo</title>{charset}</head><body><main><h1>Zoo</h1><p>Never tease José.")
    };
    let latin = |page: String| page.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<_>>();
    let utf_16: Vec<u8> =
        std::iter::once(0xFEFF).chain(page("").encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let html = |charset: &str| Reply::status(200).header("content-type", &format!("text/html{charset}"));
    let replies = [
        ("header", html("; charset=iso-8859-1").body(latin(page("")))),
        ("meta", html("").body(latin(page("<meta charset=windows-1252>")))),
        ("lie", html("; charset=ascii").body(page("<meta charset=utf-8>"))),
        ("nobody", html("").body(latin(page("")))),
        ("mark", html("; charset=utf-8").body(utf_16)),
        ("flawed", html("; charset=utf-8").body(latin(page("<meta charset=utf-8>")))),
    ];
    for (name, reply) in replies {
        let zoo = Zoo::with(PAGE);
        let server = Server::start();
        server.at("/guide.html", [reply]);
        let docs = server.url("/guide.html");
        zoo.polc(&["init", "zoo/zoo", "--docs", &docs, "--site-alone", "--slug", "zoo"]).exits(0);
        zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
        zoo.does(&["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
        let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
        let expected = if name == "flawed" { "Never tease Jos\u{FFFD}." } else { "Never tease José." };
        assert!(sheet.contains(expected), "{name}: {sheet}");
    }
}

#[test]
fn what_is_said_of_a_site_has_to_be_whole() {
    let zoo = Zoo::with(PAGE);
    for arguments in [
        &["init", "zoo/zoo", "--docs", "docs.example"][..],
        &["init", "zoo/zoo", "--docs", "ftp://docs.example/"],
        &["init", "zoo/zoo", "--docs", "https://keeper@docs.example/"],
        &["init", "zoo/zoo", "--docs", "https://keeper:pass@docs.example/"],
        &["pin", "zoo", "--served", "https://keeper:pass@docs.example/"],
        &["init", "zoo/zoo", "--site-alone"],
        &["init", "zoo/zoo", "--docs", DOCS, "--site-alone", "--git", "."],
        &["pin", "zoo", "--version", "1.2"],
        &["pin", "zoo", "--unversioned"],
        &["pin", "zoo", "--version", "1.2", "--unversioned", "--reason", "x"],
        &["pin", "zoo", "--version", "1.2", "--reason", " "],
    ] {
        zoo.polc(arguments).exits(3);
    }
    zoo.does(&["init zoo/zoo --git . --slug zoo"]);
    let error = zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "x"]).exits(2).err;
    assert!(error.contains("names no published documentation"), "{error}");
}

/// The widest line that `manifest --show` makes of words that can be broken.
const WIDTH: usize = 110;

#[test]
fn a_long_key_and_long_words_widen_nothing_but_their_own_line() {
    let zoo = Zoo::with(PAGE);
    zoo.polc(&["init", "zoo/zoo", "--git", ".", "--slug", "zoo"]).exits(0);
    let long = format!("https://docs.example/{}", "very-long-name/".repeat(9));
    let words = "a reason with many words ".repeat(9).trim().to_owned();
    let path = SectionPath(
        ["Development", "Guide to a guide to a guide to a guide", "The end"].map(str::to_owned).to_vec(),
    );
    let source = |key: &str, reason: &str| Source {
        reason: reason.to_owned(),
        ..Source::whole(key, "page", "https://docs.example/a", Digest::of("a"))
    };
    let other = SectionPath(vec!["Installing".to_owned()]);
    let out = OutSection { section: other, code: ExclusionCode::Install, reason: words.clone() };
    let partial = Source {
        inclusion: Inclusion::Partial,
        in_scope: vec![path],
        out: vec![out],
        ..source("dev/guide.html", "short")
    };
    let sources = vec![source(&long, &words), source("index", &words), partial, source("a", &long)];
    let manifest = Manifest::new(Digest::of("pin"), sources, None);
    save_toml(&zoo.path().join("manifests/zoo/manifest.toml"), &manifest).unwrap();
    let shown = zoo.polc(&["manifest", "zoo", "--show"]).exits(0).out;
    let (wide, others): (Vec<&str>, Vec<&str>) = shown.lines().partition(|line| line.contains(&long));
    assert_eq!(wide.len(), 2, "{shown}");
    assert!(others.iter().all(|line| line.chars().count() <= WIDTH), "{shown}");
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(flat.matches(&words).count(), 3, "nothing is left out: {shown}");
    insta::assert_snapshot!("a_table_of_long_keys", shown);
}

/// How a site turns an attempt away.
type Refusal = fn() -> Reply;

/// Every way in which a site can turn a later attempt away, and no page is lost or silently old.
#[test]
fn a_page_that_was_read_at_the_pin_stays_where_a_later_attempt_fails() {
    let page = |text: &str, links: &str| {
        Reply::html(format!("<html><body><nav>{links}</nav><main><h1>{text}</h1><p>Never tease {text}."))
    };
    let refusals: [(&str, Refusal, &str); 4] = [
        ("429", || Reply::status(429).header("retry-after", "0"), "still answers 429"),
        ("403", || Reply::status(403), "the server refuses us with 403"),
        ("challenge", || Reply::html("<p>Wait").header("cf-mitigated", "challenge"), "with a challenge"),
        ("down", || Reply::status(503).header("retry-after", "0"), "still answers 503"),
    ];
    for (name, refusal, why) in refusals {
        let zoo = Zoo::with(PAGE);
        let server = Server::start();
        let docs = server.url("/docs/guide.html");
        let site = [
            ("guide.html", page("lions", "<a href=bears.html>2</a><a href=eels.html>3</a>")),
            ("bears.html", page("bears", "<a href=apes.html>4</a>")),
            ("apes.html", page("apes", "")),
            ("eels.html", page("eels", "")),
        ];
        for (path, reply) in &site {
            server.at(&format!("/docs/{path}"), [reply.clone()]);
        }
        zoo.polc(&["init", "zoo/zoo", "--git", ".", "--docs", &docs, "--slug", "zoo"]).exits(0);
        zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
        zoo.does(&["fetch zoo", "manifest zoo"]);
        let (pages, manifest) =
            (zoo.read("manifests/zoo/pages.jsonl"), zoo.read("manifests/zoo/manifest.toml"));
        // `bears` is turned away, so that nothing leads to `apes`.
        server.at("/docs/bears.html", [refusal()]);
        let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
        let bears = told
            .lines()
            .find(|line| line.contains("/docs/bears.html was not read again"))
            .unwrap_or_default();
        assert!(bears.contains(why), "{name}: {told}");
        assert!(
            told.contains("/docs/apes.html was not read again") && told.contains("(2 of them earlier)"),
            "{told}"
        );
        let kept = zoo.read("manifests/zoo/pages.jsonl");
        let without = |text: &str| {
            let lines = text.lines().skip(1).map(|line| line.split(",\"failed_since\"").next().unwrap());
            lines.map(|line| line.trim_end_matches('}').to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(without(&kept), without(&pages), "{name}: the same pages in the same order");
        assert!(kept.contains("\"failed_since\":"), "{kept}");
        zoo.does(&["manifest zoo", "snapshot gc", "manifest zoo", "snapshot verify"]);
        assert_eq!(zoo.read("manifests/zoo/manifest.toml"), manifest, "{name}");
        let status = zoo.polc(&["status", "zoo"]).exits(0).out;
        assert!(status.contains("2 pages as an earlier fetch read them"), "{status}");
        // Given again, it is what it is now; what nothing leads to then is gone.
        server.at("/docs/bears.html", [page("bears", "")]);
        let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
        let now = zoo.read("manifests/zoo/pages.jsonl");
        assert!(!told.contains("was not read again") && !now.contains("failed_since"), "{told}{now}");
        assert!(!now.contains("apes.html"), "{now}");
        // What the site says there is none of is gone.
        server.at("/docs/eels.html", [Reply::status(404)]);
        let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
        assert!(told.contains("1 could not be read") && !told.contains("was not read again"), "{told}");
    }
}

#[test]
fn an_entry_page_that_is_busy_or_closed_is_no_wrong_address() {
    let zoo = Zoo::with(PAGE);
    let server = Server::start();
    let page = Reply::html("<html><body><main><h1>Lions</h1><p>Never tease lions.");
    let docs = server.url("/docs/guide.html");
    server.at("/docs/guide.html", [page.clone()]);
    zoo.polc(&["init", "zoo/zoo", "--docs", &docs, "--site-alone", "--slug", "zoo"]).exits(0);
    zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "it states none"]).exits(0);
    zoo.does(&["fetch zoo"]);
    let busy = || Reply::status(429).header("retry-after", "0");
    let wait = "wait some minutes";
    let ask = "ask the keepers of the site";
    let correct = "correct `docs`";
    for (reply, help) in [
        (busy(), wait),
        (Reply::status(500), wait),
        (Reply::status(501), wait),
        (Reply::status(503).header("retry-after", "0"), wait),
        (Reply::status(403), ask),
        (Reply::html("<p>Wait").header("cf-mitigated", "challenge"), ask),
        (Reply::status(404), correct),
        (Reply::html("<div id=root></div>"), correct),
    ] {
        // The pin is asked first, and the pages after it.
        for before in [vec![], vec![page.clone()]] {
            server.at("/docs/guide.html", before.into_iter().chain([reply.clone()]).collect::<Vec<_>>());
            let error = zoo.polc(&["fetch", "zoo"]).exits(2).err;
            for other in [wait, ask, correct] {
                assert_eq!(error.contains(other), other == help, "{reply:?}: {error}");
            }
        }
    }
}
