//! Documentation that changes under frozen rules: what is said of it, and how it is taken in.

use crate::check::{NEWLINE, WALRUS as NO_WALRUS, cases, stem, write};
use crate::polc::{PAGE, Zoo};
use polc_testkit::shared::files_below;
use polc_testkit::{Reply, Server};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

const DOCS: &str = "https://zoo.example/docs/guide.html";

fn page(title: &str, body: &str) -> Reply {
    Reply::html(format!(
        "<html><head><title>{title} — Zoo</title><meta name=generator content='Zoo'></head><body><nav><a \
         href='guide.html'>Guide</a> <a href='pets.html'>Pets</a> <a href='animals.html'>Animals</a></nav><main><h1 \
         id=top>{title}</h1>{body}</main></body></html>"
    ))
}

const THEN: &str = "<h2 id=commits>Commits</h2><p>Never commit a <code>walrus</code>. Every commit message must end with a \
    full stop.</p><h2 id=names>Names</h2><p>File names must be in lower case. Order is the keeper's joy.</p><h2 \
    id=food>Food</h2><p>Never commit a sleeping lion.</p>";

/// One sentence is another, one section has another name, one is gone, one is new.
const NOW: &str = "<h2 id=commits>Commits</h2><p>Never commit a <code>walrus</code>. Every commit message must end with a \
    full stop or a question mark.</p><h2 id=naming>Naming</h2><p>File names must be in lower case. Order is the keeper's \
    joy.</p><h2 id=tests>Tests</h2><p>Add a test for every cage that is mended.</p>";

const PETS: &str = "<h2 id=pets>Pets</h2><p>Each pull request must name one animal. Do not bring a dog.</p>";

fn then(server: &Server) {
    server.pages([
        ("/docs/guide.html".to_owned(), page("Guide", THEN)),
        ("/docs/pets.html".to_owned(), page("Pets", PETS)),
        ("/docs/animals.html".to_owned(), Reply::status(404)),
    ]);
}

fn now(server: &Server, guide: &str) {
    server.pages([
        ("/docs/guide.html".to_owned(), page("Guide", guide)),
        ("/docs/pets.html".to_owned(), Reply::status(404)),
        ("/docs/animals.html".to_owned(), page("Animals", PETS)),
    ]);
}

/// What is decided otherwise than by acceptance, below the row that quotes a text.
fn decide(sheet: &str, quote: &str, decision: &str) -> String {
    let at = sheet.find(&format!("quote      {quote}")).unwrap_or_else(|| panic!("{quote} in {sheet}"));
    let empty = "decision = \"\"\n";
    let start = at + sheet[at..].find(empty).unwrap();
    format!("{}{decision}{}", &sheet[..start], &sheet[start + empty.len()..])
}

/// A zoo whose rules were drawn from the site, with five proposed, one in a person's words, and one more that a person added.
fn frozen(server: &Server) -> Zoo {
    let zoo = Zoo::with(PAGE);
    then(server);
    zoo.polc(&[
        "init",
        "zoo/zoo",
        "--docs",
        DOCS,
        "--site-alone",
        "--slug",
        "zoo",
        "--setting",
        "pull-request",
    ])
    .exits(0);
    let served = server.url("/");
    zoo.polc(&["pin", "zoo", "--served", &served, "--version", "1.2.3", "--reason", "by its title"]).exits(0);
    zoo.does(&["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    let amended = "decision = \"amend\"\n[row.amend]\nrule = \"Give every file a name in lower case.\"\n";
    let sheet = decide(&sheet, "File names must be in lower case.", amended);
    let sheet = sheet.replace("decision = \"\"", "decision = \"accept\"");
    let added = "[[add]]\nsource = \"guide.html\"\nsection = [\"Guide\", \"Names\"]\nquote = \"Order is the keeper's joy.\"\n\
        rule = \"Keep order.\"\nmodal = \"must\"\napplies_to = [\"code\"]\ncategory = \"Code and quality\"\n";
    zoo.repository.write(
        "sheet.toml",
        format!("{sheet}\n{}", added.replace("[\"Guide\", \"Names\"]", &section(&sheet))),
    );
    zoo.does(&["decide zoo --from sheet.toml --by keeper", "freeze zoo --by keeper"]);
    zoo.does(&["classify zoo", "compile zoo --stubs"]);
    zoo
}

/// The section of names, as the sheet spells it.
fn section(sheet: &str) -> String {
    let line =
        sheet.lines().find(|line| line.starts_with("# ") && line.contains("| ") && line.ends_with("Names"));
    let line = line.unwrap_or_else(|| panic!("{sheet}"));
    let headings: Vec<&str> = line.split(" | ").skip(1).collect();
    format!("{headings:?}")
}

/// Every file of pin, manifest, corpus and crate, with its bytes.
fn corpus(zoo: &Zoo) -> BTreeMap<PathBuf, Vec<u8>> {
    let folders = ["manifests", "corpora", "generated"].map(|folder| zoo.path().join(folder));
    let files = folders.iter().flat_map(|folder| files_below(folder));
    files.map(|file| (file.clone(), std::fs::read(&file).unwrap())).collect()
}

fn fates(report: &Value) -> BTreeMap<String, String> {
    let rules = report["rules"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rules.iter().map(|rule| (text(&rule["quote"]), text(&rule["fate"]))).collect()
}

/// Makes a written checker of every stub; its text, by its path.
fn write_checkers(zoo: &Zoo) -> BTreeMap<String, String> {
    let mut written = BTreeMap::new();
    for line in zoo.polc(&["compile", "status", "zoo"]).exits(0).out.lines() {
        let Some(file) = line.split_whitespace().find(|word| word.ends_with(".rs")) else { continue };
        let path = format!("generated/zoo/{file}");
        let text = zoo.read(&path).replace("Declaration::unwritten(", "Declaration::exact(");
        zoo.repository.write(&path, &text);
        written.insert(line.split_whitespace().nth(1).unwrap().to_owned(), text);
    }
    written
}

/// The ids of the frozen rules, by their quotes.
fn ids(zoo: &Zoo) -> BTreeMap<String, String> {
    let slug = "zoo".parse().unwrap();
    let path = zoo.path().join("corpora/zoo/extraction.csv");
    let text = zoo.read("corpora/zoo/extraction.csv");
    let rows = polc_records::extraction::Extraction::parse(&path, &slug, &text).unwrap().rows;
    rows.into_iter().map(|row| (row.original, row.id.to_string())).collect()
}

const WALRUS: &str = "Never commit a walrus.";
const STOP: &str = "Every commit message must end with a full stop.";
const LOWER: &str = "File names must be in lower case.";
const ORDER: &str = "Order is the keeper's joy.";
const LION: &str = "Never commit a sleeping lion.";
const ANIMAL: &str = "Each pull request must name one animal.";
const DOG: &str = "Do not bring a dog.";

#[test]
fn what_changes_on_a_site_is_told_and_taken_in_and_nothing_else_is_touched() {
    let server = Server::start();
    let zoo = frozen(&server);
    let before = ids(&zoo);
    let written = write_checkers(&zoo);
    assert!(written.len() > 4, "{written:?}");
    assert_eq!(zoo.polc(&["drift", "zoo"]).exits(0).out.lines().count(), 2);
    now(&server, NOW);
    let files = corpus(&zoo);
    let told = zoo.polc(&["drift", "zoo"]).exits(1);
    insta::assert_snapshot!("drift_told", format!("{}{}", told.out, told.err));
    let report = zoo.polc(&["drift", "zoo", "--json"]).exits(1).json();
    let expected = [
        (WALRUS, "same"),
        (STOP, "changed"),
        (LOWER, "moved"),
        (ORDER, "moved"),
        (LION, "gone"),
        (ANIMAL, "moved"),
        (DOG, "moved"),
    ];
    assert_eq!(fates(&report), expected.map(|(quote, fate)| (quote.to_owned(), fate.to_owned())).into());
    assert_eq!(report["sentences"].as_array().unwrap().len(), 1);
    assert_eq!(report["sentences"][0]["quote"], "Add a test for every cage that is mended.");
    assert!(corpus(&zoo) == files, "drift changes no file of the corpus");
    take_in(&zoo, &server, &before, &written);
    assert_eq!(zoo.polc(&["drift", "zoo"]).exits(0).out.lines().count(), 2, "all of it is taken in");
    comes_back(&zoo, &server, &before);
}

/// Pins, fetches, confirms and takes over.
fn update(zoo: &Zoo, server: &Server) {
    let served = server.url("/");
    zoo.polc(&["pin", "zoo", "--served", &served, "--version", "1.3", "--reason", "by its title"]).exits(0);
    zoo.does(&["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper"]);
    let frozen = zoo.read("corpora/zoo/extraction.csv");
    zoo.does(&["extract zoo --update"]);
    let all = || {
        ["proposal.jsonl", "ledger.jsonl", "decisions.jsonl"]
            .map(|name| zoo.read(&format!("corpora/zoo/{name}")))
    };
    let once = all();
    zoo.does(&["extract zoo --update"]);
    assert_eq!(all(), once, "a second run finds everything done");
    assert_eq!(zoo.read("corpora/zoo/extraction.csv"), frozen, "what is frozen stays until the next freeze");
}

fn take_in(
    zoo: &Zoo,
    server: &Server,
    before: &BTreeMap<String, String>,
    written: &BTreeMap<String, String>,
) {
    update(zoo, server);
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    insta::assert_snapshot!(
        "drift_sheet",
        sheet.lines().skip_while(|line| !line.starts_with("project")).collect::<Vec<_>>().join("\n")
    );
    zoo.repository.write(
        "sheet.toml",
        sheet
            .replace("decision = \"\"\n# replaces", "decision = \"accept\"\nreplaces")
            .replace("decision = \"\"", "decision = \"accept\""),
    );
    zoo.does(&["decide zoo --from sheet.toml --by keeper", "freeze zoo --by keeper", "classify zoo"]);
    let after = ids(zoo);
    for quote in [WALRUS, LOWER, ORDER, ANIMAL, DOG] {
        assert_eq!(after[quote], before[quote], "{quote}");
    }
    let changed = &before[STOP];
    assert_eq!(after["Every commit message must end with a full stop or a question mark."], *changed);
    assert_eq!(after["Add a test for every cage that is mended."], "ZOO-C008");
    assert!(!after.values().any(|id| *id == before[LION]), "{after:?}");
    let extraction = zoo.read("corpora/zoo/extraction.csv");
    assert!(extraction.contains("Give every file a name in lower case."), "what a person wrote stands");
    assert!(extraction.contains("https://zoo.example/docs/animals.html#pets"), "{extraction}");
    let told = zoo.polc(&["compile", "zoo", "--stubs"]).exits(0).err;
    assert!(told.contains(&format!("untouched: {changed}\n")), "{told}");
    assert!(told.contains(&format!("moved to orphaned/: {}\n", before[LION])), "{told}");
    let status = zoo.polc(&["compile", "status", "zoo"]).exits(0).out;
    for (id, text) in written {
        let line = status
            .lines()
            .find(|line| line.contains(id.as_str()))
            .unwrap_or_else(|| panic!("{id}: {status}"));
        let standing = line.split_whitespace().next().unwrap();
        let expected = if *id == before[LION] {
            "orphaned"
        } else if id == changed {
            "changed"
        } else {
            "written"
        };
        assert_eq!(standing, expected, "{line}");
        let file = line.split_whitespace().find(|word| word.ends_with(".rs")).unwrap();
        assert_eq!(zoo.read(&format!("generated/zoo/{file}")), *text, "{line}");
    }
    zoo.does(&["ground zoo"]);
}

/// A sentence that comes back is the rule that it was, and a new one gets an id that nobody had.
fn comes_back(zoo: &Zoo, server: &Server, before: &BTreeMap<String, String>) {
    now(
        server,
        &format!("{NOW}<h2 id=food>Food</h2><p>Never commit a sleeping lion. Never wake the bear.</p>"),
    );
    update(zoo, server);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper"]);
    let after = ids(zoo);
    assert_eq!(after[LION], before[LION]);
    assert_eq!(after["Never wake the bear."], "ZOO-C009");
    assert_eq!(after.len(), before.len() + 2);
}

#[test]
fn a_page_that_cannot_be_read_leaves_its_rules_unknown_and_never_gone() {
    let server = Server::start();
    let zoo = frozen(&server);
    server.pages([("/docs/pets.html".to_owned(), Reply::status(403))]);
    let ran = zoo.polc(&["drift", "zoo", "--json"]).exits(2);
    let fates = fates(&ran.json());
    assert_eq!((fates[ANIMAL].as_str(), fates[WALRUS].as_str()), ("unknown", "same"));
    let told = zoo.polc(&["drift", "zoo"]).exits(2);
    assert!(told.out.contains("source    not read: pets.html: the server refuses us with 403"), "{told:#?}");
    let offline = zoo.polc(&["--offline", "drift", "zoo", "--json"]).exits(2).json();
    let rules = offline["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["fate"] == "unknown"), "{offline:#}");
    assert_eq!(offline["sentences"].as_array().unwrap().len(), 0);
}

#[test]
fn two_pins_are_compared_without_a_server() {
    let server = Server::start();
    let zoo = frozen(&server);
    zoo.polc(&["drift", "zoo", "--pinned", "--offline"]).exits(0);
    now(&server, NOW);
    let live = zoo.polc(&["drift", "zoo", "--json"]).exits(1).json();
    let served = server.url("/");
    zoo.polc(&["pin", "zoo", "--served", &served, "--version", "1.3", "--reason", "by its title"]).exits(0);
    zoo.polc(&["drift", "zoo", "--pinned"]).exits(4);
    zoo.does(&["fetch zoo"]);
    drop(server);
    let pinned = zoo.polc(&["drift", "zoo", "--pinned", "--offline", "--json"]).exits(1).json();
    assert_eq!(pinned["rules"], live["rules"]);
    assert_eq!(pinned["sentences"], live["sentences"]);
    assert_eq!((&pinned["then"], &pinned["now"]["version"]), (&Value::Null, &Value::from("1.3")));
}

#[test]
fn a_checkout_is_compared_at_its_head_or_at_a_revision() {
    let zoo = Zoo::with(PAGE);
    zoo.polc(&["drift", "zoo"]).exits(3);
    zoo.up_to_manifest();
    let gate = zoo.polc(&["drift", "zoo"]).exits(4).err;
    assert!(gate.contains("not frozen"), "{gate}");
    zoo.does(&["extract zoo"]);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper", "drift zoo", "--offline drift zoo"]);
    let files = ["pin.toml", "manifest.toml"].map(|name| zoo.read(&format!("manifests/zoo/{name}")));
    zoo.repository
        .write("CONTRIBUTING.md", PAGE.replace("Never commit a walrus", "Never commit a big walrus"));
    zoo.repository.commit("Let small ones in");
    let report = zoo.polc(&["drift", "zoo", "--json"]).exits(1).json();
    let changed = report["rules"].as_array().unwrap().iter().filter(|rule| rule["fate"] == "changed");
    let differences: Vec<&Value> = changed.map(|rule| &rule["change"]["difference"][1]).collect();
    assert_eq!(differences, [&serde_json::json!({"side": "now", "words": "big"})]);
    zoo.does(&["drift zoo --commit HEAD~1"]);
    zoo.polc(&["drift", "zoo", "--commit", "HEAD~1", "--pinned"]).exits(3);
    std::fs::rename(zoo.path().join("CONTRIBUTING.md"), zoo.path().join("AGENTS.md")).unwrap();
    zoo.repository.commit("Speak to agents");
    let told = zoo.polc(&["drift", "zoo"]).exits(1).out;
    assert!(told.contains("source    renamed: CONTRIBUTING.md is AGENTS.md now"), "{told}");
    let now = ["pin.toml", "manifest.toml"].map(|name| zoo.read(&format!("manifests/zoo/{name}")));
    assert_eq!(now, files, "nothing is pinned or assessed anew");
}

/// Two rules with checkers, one with a stub.
const RULES: &str = "# Contributing to the zoo\n\n## Files\n\nEvery file ends with a newline.\n\n## Commits\n\n\
    Never mention a walrus in a commit message.\n\n## Food\n\nName the keeper in the description of the pull request.\n";

/// One moved, one changed, one gone, one new.
const CHANGED_RULES: &str = "# Contributing to the zoo\n\n## Commits\n\n\
    Never mention a walrus or a seal in a commit message.\n\n## Text files\n\nEvery file ends with a newline.\n\n\
    ## Tests\n\nAdd a test for every cage that is mended.\n";

/// A corpus with two written checkers, accepted and committed.
fn accepted() -> Zoo {
    let zoo = Zoo::that_builds(RULES);
    zoo.up_to_stubs();
    let file = |text: &str| format!("[[case.file]]\npath = \"a\"\nhead = \"{text}\"\n");
    let commit = |text: &str| format!("[[case.commit]]\nmessage = \"{text}\"\n");
    let newline = cases("ZOO-C001", &file("x\\n"), &file("x"), &file(""));
    write(&zoo, &stem(&zoo, "ZOO-C001"), NEWLINE, &newline);
    let walrus = cases("ZOO-C002", &commit("A lion"), &commit("A walrus"), &file(""));
    write(&zoo, &stem(&zoo, "ZOO-C002"), NO_WALRUS, &walrus);
    zoo.does(&["compile test zoo --allow-stubs", "accept zoo", "accept zoo --by keeper"]);
    zoo.repository.commit("Onboard the zoo");
    zoo
}

/// How a checker stands, and the digest that it should name.
fn checker(zoo: &Zoo, rule: &str) -> (String, String) {
    let status = zoo.polc(&["compile", "status", "zoo", "--json"]).exits(0).json();
    let line = status["checkers"].as_array().unwrap().iter().find(|line| line["rule"] == rule).cloned();
    let text = |name: &str| {
        line.as_ref().and_then(|line| line[name].as_str().map(str::to_owned)).unwrap_or_default()
    };
    (text("standing"), text("digest"))
}

#[test]
fn a_checker_is_carried_with_a_sentence_that_moved_and_flagged_with_one_that_changed() {
    let zoo = accepted();
    zoo.does(&["drift zoo"]);
    zoo.repository.write("CONTRIBUTING.md", CHANGED_RULES);
    zoo.repository.commit("Let no seal in");
    let files = corpus(&zoo);
    let report = zoo.polc(&["drift", "zoo", "--json"]).exits(1).json();
    let by_id: Vec<&str> =
        report["rules"].as_array().unwrap().iter().map(|rule| rule["fate"].as_str().unwrap()).collect();
    assert_eq!(by_id, ["moved", "changed", "gone"], "{report:#}");
    assert_eq!(report["sentences"].as_array().unwrap().len(), 1, "{report:#}");
    assert!(corpus(&zoo) == files, "drift changes no file of the corpus");
    zoo.does(&["pin zoo", "fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper"]);
    zoo.does(&["extract zoo --update"]);
    let gate = zoo.polc(&["drift", "zoo"]).exits(4).err;
    assert!(gate.contains("being taken over to other sources"), "{gate}");
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    let sheet = sheet.replace("# replaces = \"ZOO-C002\"", "replaces = \"ZOO-C002\"");
    zoo.repository.write(".polc/sheet.toml", sheet.replace("decision = \"\"", "decision = \"accept\""));
    zoo.does(&["decide zoo --from .polc/sheet.toml --by keeper", "freeze zoo --by keeper", "classify zoo"]);
    zoo.does(&["drift zoo", "compile zoo --stubs"]);
    let standings = ["ZOO-C001", "ZOO-C002", "ZOO-C003", "ZOO-C004"].map(|rule| checker(&zoo, rule).0);
    assert_eq!(standings, ["written", "changed", "", "stub"], "a stub without a rule is removed");
    let checked = zoo.polc(&["check", "zoo", "--base", "HEAD", "--allow-stubs"]).exits(2);
    assert!(checked.out.contains("ZOO-C002"), "{checked:#?}");
    reviewed(&zoo);
    let told = ["ZOO-C001", "ZOO-C002", "ZOO-C003", "ZOO-C004"]
        .map(|rule| history(&zoo.polc(&["explain", rule]).exits(0).out));
    insta::assert_snapshot!("histories", told.join("\n"));
    let retired = zoo.polc(&["explain", "ZOO-C003", "--json"]).exits(0).json();
    assert_eq!((&retired["retired"], &retired["sentence"]), (&Value::from(true), &Value::Null));
}

/// A person reads the rule that changed, and says that its checker still decides it.
fn reviewed(zoo: &Zoo) {
    let path = format!("generated/zoo/src/{}.rs", stem(zoo, "ZOO-C002"));
    let text = zoo.read(&path);
    let old = text.split("\"sha256:").nth(1).unwrap().split('"').next().unwrap();
    let (_, digest) = checker(zoo, "ZOO-C002");
    let seals = text.replace(&format!("sha256:{old}"), &digest);
    zoo.repository.write(
        &path,
        seals.replace(
            "contains(\"walrus\")",
            "contains(\"walrus\") && !target.message.raw().contains(\"seal\")",
        ),
    );
    zoo.does(&["compile test zoo --allow-stubs", "accept zoo", "accept zoo --by keeper"]);
    zoo.does(&[
        "rules-file zoo",
        "workbook zoo",
        "regenerate zoo --check",
        "check zoo --base HEAD --allow-stubs",
    ]);
}

/// Id, text and history of an explanation, without its times.
fn history(explanation: &str) -> String {
    let lines = explanation.lines().enumerate();
    let kept = lines.filter(|(index, line)| *index == 0 || line.starts_with("  history"));
    kept.map(|(index, line)| match line.rsplit_once(", ") {
        Some((event, _)) if index > 0 => format!("{event}\n"),
        _ => format!("{line}\n"),
    })
    .collect()
}
