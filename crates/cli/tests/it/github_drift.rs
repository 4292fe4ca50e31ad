//! Projects on GitHub whose files change under frozen rules: what is said of it, how it is taken in, and how it is
//! published.

use crate::github::Desk;
use crate::polc::Ran;
use polc_records::extraction::Extraction;
use polc_testkit::shared::files_below;
use polc_testkit::{GitHubServer, Reply, Server, TestRepository};
use serde_json::Value;
use std::collections::BTreeMap;

const AGENTS: &str =
    "# Agents\n\n## Commits\n\nNever commit a sleeping walrus.\n\n## Tests\n\nAdd a test for every cage.\n";

const NAMES: &str = "# Names\n\nName every animal in its own file.\n";

const FOR_ALL: &str =
    "# Contributing\n\nEvery file must end with a newline. Commit messages must be in the imperative mood.\n";

const WALRUS: &str = "Never commit a sleeping walrus.";
const CAGE: &str = "Add a test for every cage.";
const NAME: &str = "Name every animal in its own file.";
const NEWLINE: &str = "Every file must end with a newline.";
const MOOD: &str = "Commit messages must be in the imperative mood.";

fn pointer() -> String {
    format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 94318\n", "ab".repeat(32))
}

/// A zoo of an organisation that says something for all, on GitHub, with frozen rules.
struct Frozen {
    zoo: TestRepository,
    for_all: TestRepository,
    server: GitHubServer,
}

impl Frozen {
    fn new() -> Self {
        let (zoo, for_all) = (TestRepository::new(), TestRepository::new());
        zoo.write("AGENTS.md", AGENTS);
        zoo.write("docs/contributing/ä b.md", NAMES);
        zoo.write("docs/contributing/large.md", pointer());
        zoo.commit("Start");
        for_all.write("CONTRIBUTING.md", FOR_ALL);
        for_all.commit("Say it for all");
        let server = GitHubServer::start();
        server.serve("acme/zoo", zoo.path()).serve("acme/.github", for_all.path());
        Frozen { zoo, for_all, server }
    }

    fn desk(&self) -> Desk<'_> {
        let desk = Desk::at(&self.server);
        desk.run("init acme/zoo --slug zoo --setting pull-request", 0);
        take_in(&desk);
        desk.run("extract zoo", 0);
        freeze(&desk);
        assert_eq!(ids(&desk).len(), 5, "{:?}", ids(&desk));
        desk
    }
}

pub(crate) fn take_in(desk: &Desk<'_>) {
    for stage in ["pin zoo", "fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper"] {
        desk.run(stage, 0);
    }
}

pub(crate) fn freeze(desk: &Desk<'_>) {
    let sheet = desk.run("decide zoo --sheet -", 0).out;
    let sheet = sheet.replace("# replaces", "replaces").replace("decision = \"\"", "decision = \"accept\"");
    std::fs::write(desk.path("sheet.toml"), sheet.replace("acknowledged = false", "acknowledged = true"))
        .unwrap();
    desk.run("decide zoo --from sheet.toml --by keeper", 0);
    desk.run("freeze zoo --by keeper", 0);
}

/// The ids of the frozen rules, by their quotes.
fn ids(desk: &Desk<'_>) -> BTreeMap<String, String> {
    let path = desk.path("corpora/zoo/extraction.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let rows = Extraction::parse(&path, &"zoo".parse().unwrap(), &text).unwrap().rows;
    rows.into_iter().map(|row| (row.original, row.id.to_string())).collect()
}

pub(crate) fn fates(report: &Value) -> BTreeMap<&str, &str> {
    let rules = report["rules"].as_array().unwrap();
    rules.iter().map(|rule| (rule["quote"].as_str().unwrap(), rule["fate"].as_str().unwrap())).collect()
}

#[test]
fn what_changes_on_github_is_told_and_taken_in() {
    let made = Frozen::new();
    let desk = made.desk();
    let before = ids(&desk);
    let told = desk.run("drift zoo", 0);
    assert!(told.out.contains("5 rules: 5 same"), "a pointer is what it was: {}", told.out);
    // A sentence is another, a file is gone, the organisation says something else, and the name is another.
    made.zoo.write("AGENTS.md", AGENTS.replace("sleeping walrus", "sleeping walrus or a seal"));
    made.zoo.git(&["rm", "--quiet", "docs/contributing/ä b.md"]);
    made.zoo.commit("Let no seal in");
    made.for_all.write("CONTRIBUTING.md", FOR_ALL.replace("imperative mood", "imperative mood and short"));
    made.for_all.commit("Be short");
    made.server.serve("acme/park", made.zoo.path()).renamed("acme/zoo", "acme/park");
    let told = desk.run("drift zoo --json", 1);
    assert!(told.err.contains("`acme/zoo` is called `acme/park` now"), "{}", told.err);
    let report = told.json();
    let expected = BTreeMap::from([
        (WALRUS, "changed"),
        (CAGE, "same"),
        (NAME, "gone"),
        (NEWLINE, "same"),
        (MOOD, "changed"),
    ]);
    assert_eq!(fates(&report), expected, "{report:#}");
    assert_eq!(
        (&report["complete"], &report["sentences"]),
        (&Value::from(true), &Value::from(Vec::<Value>::new()))
    );
    let links = report["rules"].as_array().unwrap().iter().filter_map(|rule| rule["now"]["url"].as_str());
    let links: Vec<&str> = links.collect();
    assert!(links.iter().any(|url| url.starts_with("https://github.com/acme/.github/blob/")), "{links:?}");
    // The rows name their files at the commit, and under the name, that they were drawn at.
    take_in(&desk);
    let pinned = desk.run("drift zoo --pinned --json", 1).json();
    assert_eq!(fates(&pinned), expected, "{pinned:#}");
    let ground = desk.run("ground zoo --json", 1).json();
    let results = ground["quotes"].as_array().unwrap().iter().map(|row| row["result"].as_str().unwrap());
    let count = |result: &str| results.clone().filter(|found| *found == result).count();
    assert_eq!((count("exact"), count("not-found"), count("not-held")), (2, 2, 1), "{ground:#}");
    desk.run("extract zoo --update", 0);
    freeze(&desk);
    let after = ids(&desk);
    assert_eq!(after.len(), 4, "{after:?}");
    for (quote, now) in [
        (CAGE, CAGE),
        (NEWLINE, NEWLINE),
        (WALRUS, "Never commit a sleeping walrus or a seal."),
        (MOOD, "Commit messages must be in the imperative mood and short."),
    ] {
        assert_eq!(after[now], before[quote]);
    }
    desk.run("drift zoo", 0);
}

#[test]
fn what_cannot_be_said_of_a_repository_is_not_said() {
    let made = Frozen::new();
    let desk = made.desk();
    // The text is kept elsewhere now, and nothing is known of it.
    made.zoo.write("AGENTS.md", pointer());
    made.zoo.commit("Keep it elsewhere");
    let told = desk.run("drift zoo", 2);
    assert!(told.out.contains("2 unknown") && told.out.contains("pointer of Git LFS"), "{}", told.out);
    // What the repository says itself, the organisation does not say for it.
    made.zoo.write("AGENTS.md", AGENTS);
    made.zoo.write("CONTRIBUTING.md", "# Contributing\n\nEvery file must end with a newline.\n");
    made.zoo.commit("Say it here");
    let report = desk.run("drift zoo --json", 1).json();
    assert_eq!((fates(&report)[NEWLINE], fates(&report)[MOOD]), ("moved", "gone"), "{report:#}");
    // The name is given up, and somebody else takes it.
    made.server.serve("acme/zoo", made.for_all.path());
    let told = desk.run("drift zoo", 1).out;
    assert!(told.contains("`acme/zoo` is another repository than the one that was pinned"), "{told}");
    // Nobody is asked where nothing could be compared, or nothing may be asked.
    let asked = made.server.asked().len();
    let offline = desk.run("--offline drift zoo", 2).err;
    assert!(offline.contains("offline"), "{offline}");
    desk.run("init acme/lab --slug lab", 0);
    let gate = desk.run("drift lab", 4).err;
    assert!(gate.contains("polc "), "{gate}");
    assert_eq!(made.server.asked().len(), asked);
}

#[test]
fn a_project_on_github_that_was_taken_over_is_published_by_reference() {
    let made = Frozen::new();
    let desk = made.desk();
    made.zoo.write("AGENTS.md", format!("# Agents\n\n## Testing\n\n{CAGE}\n\n## Commits\n\n{WALRUS}\n"));
    made.zoo.commit("Give it another name");
    let told = desk.run("drift zoo", 1).out;
    assert!(told.contains("4 same, 1 moved"), "{told}");
    take_in(&desk);
    desk.run("extract zoo --update", 0);
    desk.run("freeze zoo --by keeper", 0);
    desk.run("classify zoo", 0);
    let decisions = std::fs::read_to_string(desk.path("corpora/zoo/decisions.jsonl")).unwrap();
    assert!(decisions.contains("\"schema\":3") && decisions.contains("carr"), "{decisions}");
    let files = |desk: &Desk<'_>| -> BTreeMap<String, Vec<u8>> {
        let below = ["corpora", "manifests"].map(|folder| files_below(&desk.path(folder)));
        let read = below.into_iter().flatten().map(|file| {
            let name = file.strip_prefix(desk.folder.path()).unwrap().display().to_string();
            (name, std::fs::read(&file).unwrap())
        });
        read.filter(|(name, _)| !name.contains("by-reference") && !name.ends_with(".gitignore")).collect()
    };
    let whole = files(&desk);
    desk.run("dehydrate zoo", 0);
    for (name, bytes) in files(&desk) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for quote in [WALRUS, CAGE, NAME, NEWLINE, MOOD] {
            assert!(!text.contains(quote), "{name}: {quote}");
        }
    }
    let asked = made.server.asked().len();
    for gated in ["drift zoo", "drift zoo --pinned", "ground zoo", "extract zoo --update", "pin zoo"] {
        let gate = desk.run(gated, 4).err;
        assert!(gate.contains("polc hydrate zoo"), "{gate}");
    }
    assert_eq!(made.server.asked().len(), asked);
    desk.run("snapshot gc", 0);
    // Somewhere else, from what is published.
    let there = Desk::at(&made.server);
    for file in files_below(desk.folder.path()) {
        let name = file.strip_prefix(desk.folder.path()).unwrap();
        if !name.starts_with(".polc") {
            std::fs::create_dir_all(there.folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::copy(&file, there.folder.path().join(name)).unwrap();
        }
    }
    there.run("fetch zoo", 0);
    for desk in [&desk, &there] {
        desk.run("hydrate zoo", 0);
        assert!(files(desk) == whole);
        desk.run("drift zoo", 0);
        desk.run("ground zoo", 0);
    }
}

#[test]
fn a_form_by_reference_keeps_the_snapshots_that_it_refers_to() {
    let made = Frozen::new();
    let desk = made.desk();
    desk.run("dehydrate zoo", 0);
    desk.run("hydrate zoo", 0);
    made.zoo.write("AGENTS.md", AGENTS.replace("walrus", "seal"));
    made.zoo.commit("Feed the walrus");
    take_in(&desk);
    desk.run("snapshot gc", 0);
    // Everything but the form is gone, as after a clean checkout of what was published.
    for file in files_below(&desk.path("corpora/zoo")) {
        let kept = ["by-reference", "project.toml", ".gitignore"];
        if !kept.iter().any(|kept| file.display().to_string().contains(kept)) {
            std::fs::remove_file(file).unwrap();
        }
    }
    std::fs::remove_file(desk.path("manifests/zoo/raw-sources.md")).unwrap();
    desk.run("hydrate zoo", 0);
}

/// A page and a file of the repository that says the same.
const TEXT: [&str; 3] = [
    "Every file must end with a newline.",
    "Never commit a sleeping walrus to the tree.",
    "Add a test for every cage that is mended.",
];

fn page(sentences: &[&str]) -> Reply {
    let body: String = sentences.iter().map(|sentence| format!("<p>{sentence}</p>")).collect();
    Reply::html(format!(
        "<html><head><title>Guide — Zoo</title></head><body><nav><a href='guide.html'>Guide</a> <a \
         href='more.html'>More</a></nav><main><h1 id=top>Guide</h1>{body}</main></body></html>"
    ))
}

fn with_site(site: &Server, more: Reply) -> (TestRepository, GitHubServer) {
    site.pages([
        (
            "/docs/guide.html".to_owned(),
            page(&["Feed every animal in the morning, before you open a pull request."]),
        ),
        ("/docs/more.html".to_owned(), more),
    ]);
    let zoo = TestRepository::new();
    zoo.write("CONTRIBUTING.md", format!("# Guide\n\n{}\n", TEXT.join("\n\n")));
    zoo.commit("Start");
    let server = GitHubServer::start();
    server.serve("acme/zoo", zoo.path());
    (zoo, server)
}

fn freezes_with_site(desk: &Desk<'_>, site: &Server) {
    desk.run("init acme/zoo --slug zoo --docs https://zoo.example/docs/guide.html --setting pull-request", 0);
    pins(desk, site);
    desk.run("extract zoo", 0);
    freeze(desk);
}

fn pins(desk: &Desk<'_>, site: &Server) -> Ran {
    let pin = format!("pin zoo --served {} --version 1.2.3 --reason none", site.url("/"));
    desk.run(&pin, 0);
    for stage in ["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper"] {
        desk.run(stage, 0);
    }
    desk.run("manifest zoo --show", 0)
}

#[test]
fn a_page_that_shows_a_known_file_brings_nothing_new_but_what_it_adds() {
    let site = Server::start();
    let (_zoo, server) = with_site(&site, Reply::status(404));
    let desk = Desk::at(&server);
    freezes_with_site(&desk, &site);
    let added = "Do not bring a dog into the cage.";
    site.pages([("/docs/more.html".to_owned(), page(&[&TEXT[..], &[added]].concat()))]);
    let report = desk.run("drift zoo --json", 1).json();
    assert!(fates(&report).values().all(|fate| *fate == "same"), "{report:#}");
    let new = report["sentences"].as_array().unwrap();
    assert_eq!(new.iter().map(|sentence| &sentence["quote"]).collect::<Vec<_>>(), [added], "{report:#}");
    pins(&desk, &site);
    assert_eq!(
        desk.manifest("zoo").source("CONTRIBUTING.md").unwrap().same_text_as.as_deref(),
        Some("more.html")
    );
    let told = desk.run("extract zoo --update", 0).err;
    assert!(told.contains("3 moved, 1 new, 0 retired"), "{told}");
}

#[test]
fn rules_of_a_page_that_no_longer_shows_a_file_are_in_the_file() {
    let site = Server::start();
    let (_zoo, server) = with_site(&site, page(&TEXT));
    let desk = Desk::at(&server);
    freezes_with_site(&desk, &site);
    assert_eq!(
        desk.manifest("zoo").source("CONTRIBUTING.md").unwrap().same_text_as.as_deref(),
        Some("more.html")
    );
    desk.run("drift zoo", 0);
    site.pages([("/docs/more.html".to_owned(), Reply::status(404))]);
    let report = desk.run("drift zoo --json", 1).json();
    for quote in TEXT {
        assert_eq!(fates(&report)[quote], "moved", "{report:#}");
    }
    assert_eq!(report["sentences"], Value::from(Vec::<Value>::new()), "{report:#}");
    pins(&desk, &site);
    let told = desk.run("extract zoo --update", 0).err;
    assert!(told.contains("3 moved, 0 new, 0 retired"), "{told}");
}
