//! Files of sibling repositories: one hop out of sections in scope, raw, at a commit that is pinned.

use crate::github::Desk;
use crate::github_drift::{fates, freeze, take_in};
use crate::polc::{PAGE, Zoo};
use polc_records::pages::{PageFate, PagesFile};
use polc_records::store::load_lines;
use polc_records::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use polc_testkit::{GitHubServer, Reply, Server, TestRepository};
use std::collections::BTreeMap;

const HUB: &str = "https://github.com";

const STYLE: &str = "# Style\n\nNever paint a walrus pink. The rest is in \
    [the annex](https://github.com/zoo/annex/blob/main/annex.md).\n";

/// A contributing guide whose section in scope says this.
fn guide(words: &str) -> String {
    format!("# Contributing\n\n## Rules\n\nEvery file ends with a newline.\n\n{words}\n")
}

fn repository(files: &[(&str, &str)]) -> TestRepository {
    let made = TestRepository::new();
    for (path, text) in files {
        made.write(path, text);
    }
    made.commit("Start");
    made
}

/// What became of every link, by its address without the host.
fn links(desk: &Desk<'_>) -> BTreeMap<String, PageFate> {
    let (_, lines) = load_lines::<PagesFile>(&desk.path("manifests/zoo/pages.jsonl")).unwrap();
    let short = |url: &str| url.strip_prefix(HUB).unwrap_or(url).to_owned();
    lines.into_iter().map(|line| (short(line.url.as_str()), line.fate)).collect()
}

fn file(key: &str) -> PageFate {
    PageFate::File(key.to_owned())
}

#[track_caller]
fn says(fate: &PageFate, words: &str) {
    let (PageFate::Lacking(why) | PageFate::Named(why)) = fate else { panic!("{fate:?}") };
    assert!(why.contains(words), "{why}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table of addresses, looked at from every side")]
fn a_linked_file_is_read_raw_at_a_commit_and_quoted_from() {
    let handbook = repository(&[
        ("docs/style.md", STYLE),
        ("docs/a b.md", "# Names\n\nName every animal.\n"),
        ("docs/back\\slash.md", "# Odd\n\nNever feed a gull.\n"),
        ("README.md", "# Handbook\n\nYou must read it.\n"),
        ("guides/readme.rst", "Guides\n======\n\nAlways close the gate.\n"),
        ("empty/picture.png", "no picture"),
        ("src/cage.py", "# Never open a cage.\n"),
        (".pre-commit-config.yaml", "repos: []\n"),
        ("story.md", "# Story\n\nOnce there was a zoo.\n"),
    ]);
    handbook.git(&["tag", "v1"]);
    handbook.git(&["branch", "release/2.x"]);
    let old = handbook.git(&["rev-parse", "HEAD"]).trim().to_owned();
    handbook.write("docs/style.md", STYLE.replace("pink", "green"));
    let commit = handbook.commit("Prefer another colour");
    let annex = repository(&[("annex.md", "# Annex\n\nNever ride a walrus.\n")]);
    let expected = [
        ("/zoo/handbook/blob/main/docs/style.md", file("zoo/handbook:docs/style.md")),
        (
            "https://raw.githubusercontent.com/zoo/handbook/refs/heads/main/docs/style.md",
            file("zoo/handbook:docs/style.md"),
        ),
        ("/Zoo/Handbook/blob/HEAD/docs/a%20b.md", file("zoo/handbook:docs/a b.md")),
        ("/zoo/handbook/raw/v1/docs/back%5Cslash.md", file("zoo/handbook:docs/back\\slash.md")),
        ("/zoo/handbook/tree/release/2.x/guides", file("zoo/handbook:guides/readme.rst")),
        ("/zoo/handbook/blob/main/.pre-commit-config.yaml", file("zoo/handbook:.pre-commit-config.yaml")),
        ("/zoo/handbook/blob/main/story.md?plain=1", file("zoo/handbook:story.md")),
        ("/zoo/handbook", file("zoo/handbook:README.md")),
    ];
    let cited = format!("{HUB}/zoo/handbook/blob/{old}/docs/style.md");
    let not_read = [
        (cited.strip_prefix(HUB).unwrap(), "it is another text than at"),
        ("/zoo/handbook/blob/main/src/cage.py", "no document by its name"),
        ("/zoo/handbook/tree/main/empty", "a folder without a README"),
        ("/zoo/handbook/blob/main/docs/gone.md", "`zoo/handbook` has no `docs/gone.md` at `main`"),
        ("/zoo/handbook/blob/nowhere/docs/style.md", "no branch, tag or commit"),
        ("/zoo/handbook/blob/%2E%2E%2Fx/docs/style.md", "no branch, tag or commit"),
        ("/zoo/lost/blob/main/a.md", "is not there, or is private"),
    ];
    let addresses = expected.iter().map(|(to, _)| *to).chain(not_read.iter().map(|(to, _)| *to));
    let full = |to: &str| if to.starts_with('/') { format!("{HUB}{to}") } else { to.to_owned() };
    let mut words: String = addresses
        .map(|to| match to {
            "/zoo/handbook" => format!("- <{HUB}{to}#read-it>\n"),
            to => format!("- [it]({})\n", full(to)),
        })
        .collect();
    // None of these is a document of a sibling.
    words.push_str(&format!(
        "- {HUB}/zoo/annex {HUB}/zoo/handbook/issues/1 {HUB}/zoo/zoo/blob/main/other.md {HUB}/ark/handbook/blob/main/a.md\n\
         \n## Installing\n\nRead <{HUB}/zoo/annex/blob/main/annex.md>.\n\n```\n{HUB}/zoo/annex/blob/main/code.md\n```\n"
    ));
    let zoo = repository(&[("CONTRIBUTING.md", &guide(&words))]);
    let server = GitHubServer::start();
    server
        .serve("zoo/zoo", zoo.path())
        .serve("zoo/handbook", handbook.path())
        .serve("zoo/annex", annex.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    let told = desk.run("fetch zoo", 0).err;
    assert!(
        told.contains("16 links to files of sibling repositories: 8 read, 4 could not be read, 4 only named"),
        "{told}"
    );
    let mut found = links(&desk);
    for (to, fate) in &expected {
        let to = to.strip_suffix("#read-it").unwrap_or(to);
        assert_eq!(found.remove(to).as_ref(), Some(fate), "{to}");
    }
    for (to, why) in not_read {
        let to = if to.contains("%2E") { "/zoo/handbook/blob/%2E%2E%2Fx/docs/style.md" } else { to };
        says(&found.remove(to).unwrap_or_else(|| panic!("{to}")), why);
    }
    says(
        &found.remove("/zoo/annex/blob/main/annex.md").unwrap(),
        "every section that links to it is out of scope",
    );
    assert!(found.is_empty(), "{found:?}");
    let asked = server.asked();
    assert!(
        asked.iter().all(|asked| !asked.contains("annex") && !asked.contains("ark")),
        "no second hop: {asked:?}"
    );
    let pin = desk.pin("zoo");
    let siblings = &pin.repository.as_ref().unwrap().siblings;
    let pinned: Vec<String> = siblings
        .iter()
        .map(|sibling| {
            format!(
                "{} {} {}",
                sibling.resolved_from,
                sibling.commit == commit.parse().unwrap(),
                sibling.files.len()
            )
        })
        .collect();
    assert_eq!(pinned, ["main true 3", "HEAD true 2", "v1 false 1", "release/2.x false 1"]);
    // The second run asks for nothing of what is pinned, and changes nothing.
    let (text, before) = (std::fs::read(desk.path("manifests/zoo/pin.toml")).unwrap(), links(&desk));
    desk.run("fetch zoo", 0);
    assert_eq!((std::fs::read(desk.path("manifests/zoo/pin.toml")).unwrap(), links(&desk)), (text, before));
    for command in
        ["manifest zoo", "manifest confirm zoo --by keeper", "extract zoo", "snapshot gc", "status zoo"]
    {
        desk.run(command, 0);
    }
    let manifest = desk.manifest("zoo");
    let standing: Vec<String> = manifest
        .sources
        .iter()
        .map(|source| {
            let code = source.code.map_or("", |code| code.as_str());
            format!("{} {} {} {code}", source.key, source.kind, source.role).trim_end().to_owned()
        })
        .collect();
    insta::assert_snapshot!("sibling_sources", standing.join("\n").replace(&old, "OLD"));
    let style = manifest.source("zoo/handbook:docs/style.md").unwrap();
    assert_eq!(style.url, format!("{HUB}/zoo/handbook/blob/{commit}/docs/style.md"));
    let quotes = desk.quotes("zoo");
    let from_style = quotes.iter().find(|(source, _)| *source == style.key).map(|(_, quote)| quote.as_str());
    assert_eq!(from_style, Some("Never paint a walrus green."), "{quotes:?}");
    assert!(quotes.iter().any(|(source, _)| source == "zoo/handbook:docs/back\\slash.md"), "{quotes:?}");
    assert!(desk.raw_sources("zoo").contains("## zoo/handbook:docs/a b.md\n"));
}

#[test]
fn pages_link_to_siblings_too_and_a_page_that_is_a_hop_away_does_not() {
    let handbook = repository(&[("style.md", STYLE), ("setup.md", PAGE), ("team.md", PAGE)]);
    let zoo = repository(&[(
        "README.md",
        "# Zoo\n\nYou must see https://github.com/zoo/handbook/blob/main/team.md\n",
    )]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let site = Server::start();
    let page = |body: String| {
        Reply::html(format!("<html><body><nav><a href=guide.html>1</a></nav><main><h1>Guide</h1>{body}"))
    };
    let link = |path: &str| format!("<a href='{HUB}/zoo/{path}'>it</a>");
    site.at("/docs/guide.html", [page(format!(
        "<h2>Rules</h2><p>Never tease a lion. See {} and <a href='{HUB}/ark/a/blob/main/b.md'>another</a>, <a href=/about.html>about</a>, <a href=/old.html>old</a>.\
         <h2>Installing</h2><p>You must see {}.", link("handbook/blob/main/style.md#names"), link("handbook/blob/main/setup.md")
    ))]);
    site.at(
        "/about.html",
        [page(format!("<p>Never tease a bear. See {}.", link("handbook/blob/main/team.md")))],
    );
    site.at("/old.html", [Reply::html("<meta http-equiv=refresh content='0; url=/new.html'>")]);
    site.at(
        "/new.html",
        [page(format!("<p>Never tease a gnu. See {}.", link("handbook/blob/main/team.md")))],
    );
    let desk = Desk::at(&server);
    desk.run(&format!("init zoo/zoo --slug zoo --docs {}", site.url("/docs/guide.html")), 0);
    desk.run("pin zoo --unversioned --reason none", 0);
    desk.run("fetch zoo", 0);
    let found = links(&desk);
    assert_eq!(found["/zoo/handbook/blob/main/style.md"], file("zoo/handbook:style.md"));
    says(&found["/zoo/handbook/blob/main/setup.md"], "out of scope");
    says(&found["/ark/a/blob/main/b.md"], "on another host");
    assert!(!found.contains_key("/zoo/handbook/blob/main/team.md"), "of a README and of a hop: {found:?}");
    for hop in ["/about.html", "/new.html"] {
        assert!(matches!(found[&site.url(hop)], PageFate::Read { .. }), "{hop}");
    }
    desk.run("manifest zoo", 0);
    // What a person puts in scope is followed, and what they put out stays as long as a page links to it.
    let path = desk.path("manifests/zoo/manifest.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let guide = desk.manifest("zoo").source("guide.html").unwrap().clone();
    assert_eq!((guide.in_scope.len(), guide.out.len()), (1, 1), "{guide:?}");
    let inside = text.find("in = [").unwrap();
    let outside = text[inside..].find("[[source]]").map_or(text.len(), |at| inside + at);
    let swapped = text[inside..outside]
        .replace("Rules", "SWAP")
        .replace("Installing", "Rules")
        .replace("SWAP", "Installing");
    std::fs::write(&path, format!("{}{swapped}{}", &text[..inside], &text[outside..])).unwrap();
    desk.run("fetch zoo", 0);
    let found = links(&desk);
    for name in ["style", "setup"] {
        assert_eq!(
            found[&format!("/zoo/handbook/blob/main/{name}.md")],
            file(&format!("zoo/handbook:{name}.md"))
        );
    }
    // A link that is gone takes its file along.
    site.at(
        "/docs/guide.html",
        [page(format!("<h2>Rules</h2><p>Never tease a lion. See {}.", link("handbook/blob/main/setup.md")))],
    );
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains("zoo/handbook:style.md is taken out of the pin"), "{told}");
    let siblings = desk.pin("zoo").repository.unwrap().siblings;
    let left: Vec<&str> = siblings.iter().flat_map(|pin| &pin.files).map(|file| file.path.as_str()).collect();
    assert_eq!(left, ["setup.md"]);
}

#[test]
fn a_sibling_that_moved_or_is_out_of_reach_is_said_and_read_later() {
    let (handbook, ark) =
        (repository(&[("style.md", STYLE), ("more.md", PAGE)]), repository(&[("a.md", PAGE)]));
    let to = |path: &str| format!("- {HUB}/zoo/{path}\n");
    let words = [
        "old-book/blob/main/style.md",
        "gone/blob/main/a.md",
        "lent/blob/main/a.md",
        "oldzoo/blob/main/b.md",
        "handbook/blob/main/more.md",
    ]
    .map(to)
    .concat();
    let zoo = repository(&[("CONTRIBUTING.md", &guide(&words))]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path()).serve("ark/lent", ark.path());
    server
        .renamed("zoo/old-book", "zoo/handbook")
        .renamed("zoo/lent", "ark/lent")
        .renamed("zoo/oldzoo", "zoo/zoo");
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    // Nothing is sent, and nothing is claimed.
    server.budget(1);
    desk.run("fetch zoo", 0);
    let asked = server.asked().len();
    for path in ["manifests/zoo/pages.jsonl", "manifests/zoo/pin.toml"] {
        assert!(desk.path(path).exists());
    }
    let offline = desk.run("--offline fetch zoo", 0).err;
    assert!(
        offline.contains("this run is offline") && offline.contains("0 read, 5 could not be read"),
        "{offline}"
    );
    assert_eq!(server.asked().len(), asked);
    desk.run("manifest zoo", 0);
    desk.run("manifest confirm zoo --by keeper", 0);
    let unread = desk.manifest("zoo");
    let unread = unread.sources.iter().filter(|source| source.code == Some(ExclusionCode::FetchFailed));
    assert_eq!(unread.count(), 5, "each is a row");
    // A limit in the middle keeps what was read before it.
    server.budget(5);
    let limited = desk.run("fetch zoo", 0).err;
    assert!(limited.contains("and 3 more links, for the same reason"), "{limited}");
    assert!(
        limited.contains("the primary rate limit") && limited.contains("1 read, 4 could not be read"),
        "{limited}"
    );
    server.budget(5000);
    desk.run("fetch zoo", 0);
    let found = links(&desk);
    assert_eq!(found["/zoo/old-book/blob/main/style.md"], file("zoo/handbook:style.md"));
    assert_eq!(found["/zoo/handbook/blob/main/more.md"], file("zoo/handbook:more.md"));
    says(&found["/zoo/gone/blob/main/a.md"], "is not there, or is private");
    says(&found["/zoo/lent/blob/main/a.md"], "of `ark/lent`, of another organisation");
    says(&found["/zoo/oldzoo/blob/main/b.md"], "the repository itself, under an earlier name");
    assert_eq!(desk.pin("zoo").repository.unwrap().siblings.len(), 1);
    // What is pinned needs no network.
    let offline = desk.run("--offline fetch zoo", 0).err;
    assert!(offline.contains("2 read, 3 could not be read"), "{offline}");
    desk.run("fetch zoo", 0);
    take_in(&desk);
    assert_eq!(desk.manifest("zoo").source("zoo/handbook:style.md").unwrap().role, SourceRole::Rules);
}

#[test]
fn a_run_that_reaches_nobody_takes_nothing_away() {
    let handbook = repository(&[("style.md", STYLE), ("names.md", PAGE)]);
    let zoo = repository(&[("README.md", "# Zoo\n")]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    server.renamed("zoo/old-book", "zoo/handbook");
    let aliases = [
        "handbook/blob/main/style.md?plain=1",
        "handbook/blob/HEAD/style.md",
        "Old-Book/raw/main/style.md?raw=1",
    ];
    let secret = HUB.replace("//", "//keeper:hush@");
    let (site, mut body) = (Server::start(), "<h2>Rules</h2><p>Never tease a lion.".to_owned());
    let page = |body: &str| {
        Reply::html(format!("<html><body><nav><a href=more.html>1</a></nav><main><h1>Guide</h1>{body}"))
    };
    for alias in aliases {
        body.push_str(&format!(" <a href='{HUB}/zoo/{alias}'>it</a> <a href='{secret}/zoo/{alias}'>it</a>"));
    }
    let other =
        format!("<h2>More</h2><p>Never tease a bear. <a href='{HUB}/zoo/handbook/blob/main/names.md'>it</a>");
    site.at("/docs/guide.html", [page(&body)]);
    site.at("/docs/more.html", [page(&other)]);
    let desk = Desk::at(&server);
    desk.run(&format!("init zoo/zoo --slug zoo --docs {}", site.url("/docs/guide.html")), 0);
    desk.run("pin zoo --unversioned --reason none", 0);
    desk.run("fetch zoo", 0);
    let files = || {
        ["pin.toml", "pages.jsonl", "raw-sources.md"]
            .map(|name| std::fs::read_to_string(desk.path(&format!("manifests/zoo/{name}"))).unwrap())
    };
    let (before, asked) = (files(), server.asked().len());
    let found = links(&desk);
    assert_eq!(found.len(), 6, "one line for each: {found:?}");
    assert!(!before.concat().contains("hush"), "{before:?}");
    for alias in aliases {
        assert_eq!(found[&format!("/zoo/{alias}")], file("zoo/handbook:style.md"));
    }
    // Every address of a file is known again, without a question to anybody.
    desk.run("fetch zoo", 0);
    assert_eq!((files(), server.asked().len()), (before.clone(), asked));
    // A page that is turned away keeps its links as they are, and no link counts as a page.
    site.at("/docs/more.html", [Reply::status(500)]);
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains("(1 of them earlier)"), "{told}");
    assert_eq!((links(&desk), files()[0].clone()), (found, before[0].clone()));
    assert!(desk.run("status zoo", 0).out.contains("; 1 page as an earlier fetch read them"));
    // Nothing leaves the pin while nobody can say where a new address leads.
    site.at("/docs/more.html", [page(&other.replace("main", "refs/heads/main"))]);
    server.budget(0);
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains("3 read, 1 could not be read"), "{told}");
    assert_eq!(files()[0], before[0]);
    server.budget(5000);
    desk.run("fetch zoo", 0);
    assert_eq!(files()[0], before[0], "the same file by another address");
}

#[test]
fn a_reference_is_the_one_that_holds_the_path_and_source_files_cost_nothing() {
    let handbook = repository(&[("style.md", STYLE)]);
    handbook.git(&["tag", "next"]);
    handbook.git(&["checkout", "--quiet", "-b", "next/2.x"]);
    handbook.write("docs/names.md", "# Names\n\nName every animal.\n");
    handbook.write("docs/a#b%20.md", "# Odd\n\nNever feed a gull.\n");
    handbook.commit("Name them");
    handbook.git(&["checkout", "--quiet", "-"]);
    let sources: String = (0..30)
        .map(|number| format!("- {HUB}/zoo/far-{number}/blob/{number}abcdef/src/cage.rs#L3\n"))
        .collect();
    let gone: String = (0..9).map(|number| format!("- {HUB}/zoo/gone/blob/main/{number}.md\n")).collect();
    let words = format!(
        "- {HUB}/zoo/handbook/blob/next/2.x/docs/names.md\n- {HUB}/zoo/handbook/blob/next/style.md\n\
         - {HUB}/zoo/handbook/blob/next/2.x/docs/a%23b%2520.md\n- {HUB}/zoo/handbook/blob/main/docs/names.md\n{sources}{gone}"
    );
    let zoo = repository(&[("CONTRIBUTING.md", &guide(&words))]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains("3 read, 10 could not be read, 30 only named"), "{told}");
    let pinned: Vec<String> = (desk.pin("zoo").repository.unwrap().siblings.iter())
        .flat_map(|sibling| {
            sibling.files.iter().map(|file| format!("{} {}", sibling.resolved_from, file.path))
        })
        .collect();
    assert_eq!(pinned, ["next/2.x docs/names.md", "next/2.x docs/a#b%20.md", "next style.md"]);
    says(&links(&desk)["/zoo/handbook/blob/main/docs/names.md"], "has no `docs/names.md` at `main`");
    let asked = server.asked();
    assert!(!asked.iter().any(|asked| asked.contains("far-")), "{asked:?}");
    assert_eq!(asked.iter().filter(|asked| asked.contains("zoo/gone")).count(), 1, "{asked:?}");
}

#[test]
fn a_file_that_a_person_makes_a_source_of_rules_links_on() {
    let handbook = repository(&[("team.md", STYLE)]);
    let words = format!("# Zoo\n\nYou must see {HUB}/zoo/handbook/blob/main/team.md\n");
    let zoo = repository(&[("README.md", &words), ("CONTRIBUTING.md", PAGE)]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    for stage in ["pin zoo", "fetch zoo", "manifest zoo"] {
        desk.run(stage, 0);
    }
    assert!(!desk.path("manifests/zoo/pages.jsonl").exists());
    let mut manifest = desk.manifest("zoo");
    let readme = manifest.sources.iter_mut().find(|source| source.key == "README.md").unwrap();
    (readme.role, readme.inclusion) = (SourceRole::Rules, Inclusion::Full);
    readme.reason = "it obliges".to_owned();
    polc_records::store::save_toml(&desk.path("manifests/zoo/manifest.toml"), &manifest).unwrap();
    desk.run("fetch zoo", 0);
    assert_eq!(links(&desk)["/zoo/handbook/blob/main/team.md"], file("zoo/handbook:team.md"));
    take_in(&desk);
    assert_eq!(desk.manifest("zoo").source("README.md").unwrap().role, SourceRole::Rules);
    // What was recorded of links at another pin is not what this one has.
    handbook.write("team.md", STYLE.replace("pink", "green"));
    handbook.commit("Prefer another colour");
    desk.run("pin zoo", 0);
    assert!(desk.run("status zoo", 0).out.contains("not in the store"));
    handbook.write("team.md", STYLE);
    handbook.commit("Return");
    desk.run("pin zoo", 0);
    let status = desk.run("status zoo", 0).out;
    assert!(status.contains("at another pin"), "{status}");
    desk.run("manifest zoo", 4);
    desk.run("fetch zoo", 0);
    desk.run("manifest zoo", 0);
}

#[test]
fn no_more_files_are_read_than_the_limit_allows() {
    let most = polc_sources::siblings::MOST_FILES;
    let pages: Vec<(String, String)> = (0..most + 3)
        .map(|number| (format!("{number}.md"), format!("# {number}\n\nNever feed {number} lions.\n")))
        .collect();
    let files: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let handbook = repository(&files);
    let words: String =
        pages.iter().map(|(path, _)| format!("- {HUB}/zoo/handbook/blob/main/{path}\n")).collect();
    let zoo = repository(&[("CONTRIBUTING.md", &guide(&words))]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains(&format!("{most} read, 3 could not be read, 0 only named")), "{told}");
    says(
        &links(&desk)[&format!("/zoo/handbook/blob/main/{}.md", most + 2)],
        &format!("the limit of {most} files"),
    );
}

#[test]
fn a_project_that_is_not_on_a_host_says_what_it_does_not_read() {
    let zoo = Zoo::with(&guide(&format!("Follow {HUB}/zoo/handbook/blob/main/style.md.")));
    zoo.polc(&["init", "zoo/zoo", "--git", ".", "--slug", "zoo"]).exits(0);
    zoo.does(&["pin zoo"]);
    let told = zoo.polc(&["fetch", "zoo"]).exits(0).err;
    assert!(told.contains("1 link to files of sibling repositories of `zoo`, only named"), "{told}");
    assert!(told.contains("host = \"github\""), "{told}");
    let pages = zoo.read("manifests/zoo/pages.jsonl");
    assert!(pages.contains("the project is not read there"), "{pages}");
    zoo.does(&["manifest zoo", "manifest confirm zoo --by keeper"]);
    assert!(!zoo.read("manifests/zoo/pin.toml").contains("sibling"));
}

#[test]
fn what_changes_in_a_sibling_is_told_taken_in_and_published_by_reference() {
    let handbook = repository(&[("style.md", STYLE), ("names.md", "# Names\n\nName every animal.\n")]);
    let words = format!("- {HUB}/zoo/handbook/blob/main/style.md\n- {HUB}/zoo/handbook/blob/HEAD/names.md\n");
    let zoo = repository(&[("CONTRIBUTING.md", &guide(&words))]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo --setting pull-request", 0);
    take_in(&desk);
    desk.run("extract zoo", 0);
    freeze(&desk);
    let told = desk.run("drift zoo", 0);
    assert!(told.out.contains("3 rules: 3 same"), "{}", told.out);
    let ground = desk.run("ground zoo", 0).out;
    assert!(ground.contains("3 quotes: 3 exact"), "{ground}");
    // By reference and back, also where the snapshots are gone.
    desk.run("dehydrate zoo", 0);
    std::fs::remove_dir_all(desk.path(".polc/snapshots")).unwrap();
    desk.run("fetch zoo", 0);
    desk.run("hydrate zoo", 0);
    desk.run("ground zoo", 0);
    let stands = desk.run("pin zoo", 0).err;
    assert!(stands.contains("the pin stands at commit"), "{stands}");
    handbook.write("style.md", STYLE.replace("pink", "green"));
    handbook.git(&["rm", "--quiet", "names.md"]);
    handbook.commit("Change our minds");
    let report = desk.run("drift zoo --json", 1).json();
    let expected = BTreeMap::from([
        ("Every file ends with a newline.", "same"),
        ("Never paint a walrus pink.", "changed"),
        ("Name every animal.", "gone"),
    ]);
    assert_eq!(fates(&report), expected, "{report:#}");
    let moved = desk.run("pin zoo", 0).err;
    assert!(moved.contains("new, gone or changed: zoo/handbook:names.md, zoo/handbook:style.md"), "{moved}");
    desk.run("fetch zoo", 0);
    says(&links(&desk)["/zoo/handbook/blob/HEAD/names.md"], "has no `names.md` at `HEAD`");
    desk.run("manifest zoo", 0);
    // A name that somebody else took is another repository.
    server.serve("zoo/handbook", handbook.path());
    let moved = desk.run("pin zoo", 0).err;
    assert!(moved.contains("zoo/handbook:style.md"), "{moved}");
}

#[test]
fn a_sibling_that_was_closed_holds_up_nothing_else() {
    let handbook = repository(&[("style.md", STYLE)]);
    let zoo =
        repository(&[("CONTRIBUTING.md", &guide(&format!("- {HUB}/zoo/handbook/blob/main/style.md\n")))]);
    let server = GitHubServer::start();
    server.serve("zoo/zoo", zoo.path()).serve("zoo/handbook", handbook.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    desk.run("fetch zoo", 0);
    let (pin, before) = (desk.path("manifests/zoo/pin.toml"), desk.pin("zoo"));
    assert_eq!(before.repository.as_ref().unwrap().siblings.len(), 1);
    for status in [403, 404, 410, 451] {
        polc_records::store::save_toml(&pin, &before).unwrap();
        let closed = Reply::status(status).body("{\"message\": \"Repository access blocked\"}");
        server.server().at("/repos/zoo/handbook", [closed]);
        desk.run("pin zoo", 0);
        assert!(desk.pin("zoo").repository.unwrap().siblings.is_empty(), "{status}");
        let told = desk.run("fetch zoo", 0).err;
        assert!(told.contains("0 read, 1 could not be read"), "{told}");
    }
}
