//! A corpus without the sentences of others: out, to another place, and back to the same bytes.

use crate::polc::{Building, Ran, Zoo, polc, share_builds};
use polc_testkit::shared::files_below;
use polc_testkit::{Reply, Server};
use std::collections::BTreeMap;
use std::path::Path;

const PAGE: &str = "# Contributing to the zoo\n\nEvery file ends with a newline. We are happy about every animal.\n\n\
    Never commit a walrus, since walruses do not merge. Say \"hello\\world\" to the keeper, who is a person, before\n\
    you open a pull request.\n\n<!-- Feed it. -->\n\nYou must:\n\n- sign it;\n- name each animal in its cage.\n";

/// What nobody else may publish: words of the page, as files write them.
const SENTENCES: &[&str] = &[
    "file ends with a newline",
    "happy about every animal",
    "commit a walrus, since walruses",
    "walruses do not merge",
    "to the keeper, who is a person",
    "you open a pull request",
    "Feed it.",
    "name each animal in its cage",
];

/// Every file of a project, by its path.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in ["corpora", "manifests", "generated"] {
        let folder = root.join(folder);
        for file in if folder.is_dir() { files_below(&folder) } else { Vec::new() } {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            if !name.contains("/by-reference/") && !name.ends_with(".gitignore") {
                files.insert(name, std::fs::read(&file).unwrap());
            }
        }
    }
    files
}

/// What is published of a root, moved to an empty one.
fn moved(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    let mut all = vec![from.join("polc.toml")];
    for folder in ["corpora", "manifests", "generated"] {
        all.extend(files_below(&from.join(folder)));
    }
    for file in all {
        let target = to.path().join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(&file, target).unwrap();
    }
    to
}

fn run(root: &Path, command: &str) -> Ran {
    Ran::of(&mut polc(root, &command.split(' ').collect::<Vec<_>>()))
}

#[track_caller]
fn quotes_nothing(root: &Path) {
    for folder in ["corpora", "manifests", "generated"] {
        for file in files_below(&root.join(folder)) {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            for sentence in SENTENCES {
                assert!(!text.contains(sentence), "{} has `{sentence}`", file.display());
            }
        }
    }
}

/// Everything up to the stubs, with all that is made beside them.
fn whole(zoo: &Zoo) {
    zoo.up_to_stubs();
    zoo.does(&["regenerate zoo"]);
}

#[test]
fn a_corpus_of_a_checkout_is_published_without_its_quotes_and_comes_back_the_same() {
    let zoo = Zoo::that_builds(PAGE);
    whole(&zoo);
    let before = files(zoo.path());
    for sentence in SENTENCES {
        let quotes = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(sentence);
        assert!(before.values().any(quotes), "{sentence}");
    }
    let out = zoo.polc(&["dehydrate", "zoo"]).exits(0);
    assert!(out.err.contains("stand by reference to 1 source"), "{}", out.err);
    quotes_nothing(zoo.path());
    let left = files(zoo.path());
    assert!(
        !left.contains_key("corpora/zoo/rules.xlsx") && !left.contains_key("manifests/zoo/raw-sources.md")
    );
    for (name, bytes) in &left {
        assert_eq!(&before[name], bytes, "{name} was changed");
    }
    for command in
        ["ground zoo", "regenerate zoo", "accept zoo", "classify zoo", "dehydrate zoo", "explain ZOO-C001"]
    {
        let gate = run(zoo.path(), command).exits(4).err;
        assert!(gate.contains("by reference alone") && gate.contains("polc hydrate zoo"), "{gate}");
    }
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("next: polc hydrate zoo"), "{status}");

    let root = moved(zoo.path());
    let project = root.path().join("corpora/zoo/project.toml");
    let text = std::fs::read_to_string(&project).unwrap();
    std::fs::write(&project, text.replace("git = \".\"", &format!("git = \"{}\"", zoo.path().display())))
        .unwrap();
    let status = run(root.path(), "status zoo").exits(0).out;
    assert!(status.contains("next: polc fetch zoo"), "{status}");
    let gate = run(root.path(), "hydrate zoo").exits(4).err;
    assert!(gate.contains("`CONTRIBUTING.md`") && gate.contains("run `polc fetch zoo`"), "{gate}");
    run(root.path(), "fetch zoo").exits(0);
    run(root.path(), "hydrate zoo").exits(0);
    let mut expected = before.clone();
    expected.insert("corpora/zoo/project.toml".to_owned(), std::fs::read(&project).unwrap());
    let same = |what: &str| {
        let found = files(root.path());
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
        for (name, bytes) in &found {
            assert!(bytes == &expected[name], "{what}: {name} has other bytes");
        }
    };
    same("hydrated");
    let built = zoo.path().join(".polc/target").read_link().unwrap();
    std::os::unix::fs::symlink(built, root.path().join(".polc/target")).unwrap();
    run(root.path(), "ground zoo").exits(0);
    run(root.path(), "regenerate zoo").exits(0);
    same("regenerated");
    run(root.path(), "regenerate zoo --check").exits(0);
    let status = run(root.path(), "status zoo").exits(0).out;
    assert!(status.contains("by reference  done"), "{status}");
    run(root.path(), "hydrate zoo").exits(0);
    run(root.path(), "dehydrate zoo").exits(0);
    quotes_nothing(root.path());
}

#[test]
fn version_control_sees_what_stands_by_reference_and_not_what_is_restored() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["dehydrate zoo", "hydrate zoo"]);
    let git = |arguments: &[&str]| {
        let mut git = polc_testkit::repository::command(zoo.path());
        Ran::of(git.args(arguments)).exits(0).out
    };
    let seen = git(&["ls-files", "--others", "--exclude-standard"]);
    let seen: Vec<&str> =
        seen.lines().filter(|path| path.starts_with("corpora") || path.starts_with("manifests")).collect();
    assert!(seen.contains(&"corpora/zoo/by-reference/corpora/zoo/extraction.csv"), "{seen:?}");
    assert!(!seen.contains(&"corpora/zoo/extraction.csv") && !seen.contains(&"manifests/zoo/raw-sources.md"));
    assert!(zoo.read("corpora/zoo/extraction.csv").contains("Never commit a walrus"));
    zoo.repository.write("corpora/zoo/ledger.jsonl", "other\n");
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("changed since: corpora/zoo/ledger.jsonl"), "{status}");
    let gate = zoo.polc(&["hydrate", "zoo"]).exits(4).err;
    assert!(gate.contains("corpora/zoo/ledger.jsonl is there, and is not what would be restored"), "{gate}");
}

#[test]
fn quotes_that_are_not_held_are_not_published() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    let store = zoo.path().join(".polc/snapshots");
    std::fs::remove_dir_all(&store).unwrap();
    let before = files(zoo.path());
    zoo.polc(&["dehydrate", "zoo"]).exits(2);
    assert_eq!(files(zoo.path()), before);
    let gate = zoo.polc(&["hydrate", "zoo"]).exits(4).err;
    assert!(gate.contains("nothing of `zoo` stands by reference"), "{gate}");
}

/// The pages of a site, the guide with this text.
fn site(server: &Server, guide: &str) {
    let page = |title: &str, body: &str| {
        Reply::html(format!(
            "<html><head><title>{title} — Zoo 1.2.3</title></head><body><nav><a href='guide.html'>Guide</a> <a \
             href='about.html'>About</a></nav><main><h1 id=top>{title}</h1>{body}</main></body></html>"
        ))
    };
    server.pages([
        ("/docs/guide.html".to_owned(), page("Guide", guide)),
        (
            "/docs/about.html".to_owned(),
            page("About us", "<p>Name each animal in its cage, and name it well.</p>"),
        ),
    ]);
}

const GUIDE: &str = "<h2 id=commits>Commits</h2><p>Never commit a <code>walrus</code>, since walruses do not merge.</p>\
    <p>Every file ends with a newline.</p><ul><li>Sign each of your commits, and say \u{201c}why\u{201d}.</li></ul>";

#[test]
fn a_corpus_of_a_site_comes_back_from_the_same_pages_and_from_no_others() {
    let zoo = Zoo::with("# Nothing\n");
    let _building: Building = share_builds(zoo.path());
    let server = Server::start();
    site(&server, GUIDE);
    zoo.polc(&["init", "zoo/zoo", "--docs", "https://zoo.example/docs/guide.html", "--slug", "zoo"]).exits(0);
    zoo.polc(&["pin", "zoo", "--served", &server.url("/"), "--version", "1.2.3", "--reason", "by its title"])
        .exits(0);
    zoo.does(&["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper", "regenerate zoo", "snapshot export zoo copy"]);
    let before = files(zoo.path());
    zoo.does(&["dehydrate zoo"]);
    quotes_nothing(zoo.path());

    let root = moved(zoo.path());
    run(root.path(), "hydrate zoo").exits(4);
    run(root.path(), "fetch zoo").exits(0);
    run(root.path(), "hydrate zoo").exits(0);
    assert!(files(root.path()) == before, "hydrated");
    let built = zoo.path().join(".polc/target").read_link().unwrap();
    std::os::unix::fs::symlink(built, root.path().join(".polc/target")).unwrap();
    run(root.path(), "regenerate zoo").exits(0);
    assert!(files(root.path()) == before, "regenerated");

    let late = moved(zoo.path());
    let changed = Server::start();
    site(&changed, &GUIDE.replace("newline", "new line"));
    let pin = late.path().join("manifests/zoo/pin.toml");
    let text = std::fs::read_to_string(&pin).unwrap().replace(&server.url("/"), &changed.url("/"));
    std::fs::write(&pin, text).unwrap();
    run(late.path(), "fetch zoo").exits(0);
    let fetched = files(late.path());
    let gate = run(late.path(), "hydrate zoo").exits(4).err;
    assert!(
        gate.contains("`guide.html`, https://zoo.example/docs/guide.html") && !gate.contains("about.html"),
        "{gate}"
    );
    assert!(files(late.path()) == fetched, "all or nothing");
    let copy = zoo.path().join("copy");
    run(late.path(), &format!("hydrate zoo --from {}", copy.display())).exits(0);
    assert_eq!(files(late.path())["corpora/zoo/extraction.csv"], before["corpora/zoo/extraction.csv"]);
}
