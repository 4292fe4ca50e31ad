//! A corpus without the sentences of others: out, to another place, and back to the same bytes.

use crate::polc::{Building, Ran, Zoo, polc, share_builds};
use polc_testkit::reading::honest;
use polc_testkit::shared::files_below;
use polc_testkit::{ModelServer, Reply, Said, Server};
use serde_json::Value;
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
    quotes_none_of(SENTENCES, root);
}

#[track_caller]
fn quotes_none_of(sentences: &[&str], root: &Path) {
    for folder in ["corpora", "manifests", "generated"] {
        let folder = root.join(folder);
        for file in if folder.is_dir() { files_below(&folder) } else { Vec::new() } {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            for sentence in sentences {
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

/// Lets the root ask a server.
fn endpoint(zoo: &Zoo, server: &ModelServer) {
    let wire = "schema = 2\n\n[endpoint]\nwire = \"chat-completions\"\nmodel = \"zoo-1\"";
    zoo.repository.write("polc.toml", format!("{wire}\nbase_url = \"{}\"\n", server.base_url()));
}

#[test]
fn recorded_questions_are_published_without_the_pages_in_them_and_come_back() {
    let server = ModelServer::start();
    server.obey(|asked| match asked.question().contains("Draw the rules") {
        true => Said::json(&honest(asked.question())),
        false => Said::Refused("I would rather not".into()),
    });
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    endpoint(&zoo, &server);
    // What a model refused is recorded too, and its question holds the whole page.
    zoo.polc(&["manifest", "zoo"]).exits(2);
    zoo.does(&["manifest confirm zoo --by keeper"]);
    zoo.polc(&["extract", "zoo"]).exits(0);
    let before = files(zoo.path());
    let recorded = |files: &BTreeMap<String, Vec<u8>>| {
        files.keys().filter(|name| name.contains("/recording/")).cloned().collect::<Vec<_>>()
    };
    assert!(recorded(&before).len() >= 2, "{:?}", recorded(&before));
    zoo.does(&["dehydrate zoo"]);
    quotes_nothing(zoo.path());
    assert_eq!(recorded(&files(zoo.path())), [""; 0]);
    zoo.does(&["hydrate zoo"]);
    assert_eq!(files(zoo.path()), before);
    // A replay goes by them, without what was recorded on this machine.
    drop(server);
    std::fs::remove_dir_all(zoo.path().join(".polc/answers")).unwrap();
    zoo.does(&["extract zoo --engine replay"]);
    assert_eq!(files(zoo.path()), before);
}

#[test]
fn a_manifest_of_a_model_is_published_without_what_the_model_copied() {
    // Whatever a model does with its answer, the words of the page may be in it.
    let sections = |question: &str, change: fn(&mut Value, &str)| {
        let mut answer = honest(question);
        for section in answer["sections"].as_array_mut().unwrap() {
            change(section, &SENTENCES.join(", "));
        }
        answer
    };
    let all: [fn(&mut Value, &str); 4] = [
        |section, copied| section["reason"] = copied.into(),
        |section, _| section["verdict"] = "X-NARRATIVE".into(),
        |section, copied| section["quote"] = copied.into(),
        |section, copied| section["verdict"] = copied.into(),
    ];
    type Answer = Box<dyn Fn(&str) -> Said + Send + Sync>;
    let mut answers: Vec<Answer> = vec![
        Box::new(|_| Said::Words(SENTENCES.join(" "))),
        Box::new(|_| Said::Refused(SENTENCES.join(" "))),
    ];
    for change in all {
        answers.push(Box::new(move |question| Said::json(&sections(question, change))));
    }
    for answer in answers {
        let server = ModelServer::start();
        server.obey(move |asked| answer(asked.question()));
        let zoo = Zoo::with(PAGE);
        zoo.does(&["init zoo/zoo --git . --slug zoo", "pin zoo", "fetch zoo"]);
        endpoint(&zoo, &server);
        let ran = zoo.polc(&["manifest", "zoo"]);
        assert!(zoo.read("manifests/zoo/manifest.toml").contains("zoo-1"), "{ran:?}");
        zoo.does(&["dehydrate zoo"]);
        // Before there is a ledger nobody knows of shorter sentences.
        let long: Vec<&str> =
            SENTENCES.iter().copied().filter(|sentence| sentence.split(' ').count() >= 4).collect();
        quotes_none_of(&long, zoo.path());
    }
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
    std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
    zoo.polc(&["dehydrate", "zoo"]).exits(2);
    zoo.repository.write("corpora/zoo/extraction.csv", &before["corpora/zoo/extraction.csv"]);
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
    zoo.polc(&[
        "init",
        "zoo/zoo",
        "--docs",
        "https://zoo.example/docs/guide.html",
        "--site-alone",
        "--slug",
        "zoo",
    ])
    .exits(0);
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

/// A project by reference alone, with its snapshots, and its record.
fn dry() -> (Zoo, String) {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["workbook zoo", "dehydrate zoo"]);
    let record = zoo.read(RECORD);
    (zoo, record)
}

const RECORD: &str = "corpora/zoo/by-reference/references.toml";

#[test]
fn a_record_restores_no_file_but_those_of_its_project_that_quote() {
    let (zoo, record) = dry();
    let outside = tempfile::tempdir().unwrap();
    let corpus = zoo.path().join("corpora/zoo");
    std::fs::write(outside.path().join("file"), "of somebody else").unwrap();
    std::os::unix::fs::symlink(outside.path(), corpus.join("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("file"), corpus.join("file.csv")).unwrap();
    let absolute = outside.path().join("a.csv").display().to_string();
    let before = files(zoo.path());
    for path in [
        absolute.as_str(),
        "/corpora/zoo/extraction.csv",
        "corpora/zoo/../zoo/extraction.csv",
        "corpora/zoo/../../../a.csv",
        "../a.csv",
        "./corpora/zoo/extraction.csv",
        "corpora//zoo/extraction.csv",
        "corpora/zoo/",
        "corpora/zoo",
        "",
        ".",
        r"corpora\\zoo\\extraction.csv",
        r"corpora/zoo/..\\..\\..\\a.csv",
        r"C:\\a.csv",
        r"corpora/zoo/a.csv\u0000.md",
        r"corpora/zoo/a\n!*.csv",
        "corpora/other/extraction.csv",
        "corpora/zoo2/extraction.csv",
        "generated/other/src/main.rs",
        "generated/Cargo.toml",
        "manifests/zoo/pin.toml",
        "corpora/zoo/project.toml",
        "corpora/zoo/.gitignore",
        "corpora/zoo/.git/hooks/pre-commit",
        "generated/zoo/.GIT/config",
        ".git/config",
        ".polc/snapshots/index.jsonl",
        "polc.toml",
        "corpora/zoo/by-reference/references.toml",
        "corpora/zoo/out/a.csv",
        "corpora/zoo/file.csv",
    ] {
        for own in ["corpora/zoo/extraction.csv", "corpora/zoo/rules.xlsx"] {
            let evil = record.replace(&format!("path = \"{own}\""), &format!("path = \"{path}\""));
            assert_ne!(evil, record);
            zoo.repository.write(RECORD, evil);
            for command in ["hydrate zoo", "status zoo", "ground zoo"] {
                let error = run(zoo.path(), command).exits(2).err;
                assert!(error.contains("references.toml") && error.contains("help: "), "{path}: {error}");
            }
            assert!(files(zoo.path()) == before, "{path}");
            assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1, "{path}");
        }
    }
    zoo.repository.write(RECORD, record.replace("corpora/zoo/rules.xlsx", "corpora/zoo/rules.csv"));
    run(zoo.path(), "hydrate zoo").exits(2);
    zoo.repository.write(RECORD, record.replace("project = \"zoo\"", "project = \"other\""));
    let error = run(zoo.path(), "hydrate zoo").exits(2).err;
    assert!(error.contains("it is the record of `other`, not of `zoo`"), "{error}");
    zoo.repository.write(RECORD, record);
    run(zoo.path(), "hydrate zoo").exits(0);
}

#[test]
fn links_stay_links_and_what_is_ignored_besides_stays_ignored() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    let corpus = zoo.path().join("corpora/zoo");
    std::os::unix::fs::symlink("../../CONTRIBUTING.md", corpus.join("link.md")).unwrap();
    let own = "*.log\n!keep.log";
    zoo.repository.write("corpora/zoo/.gitignore", own);
    let note = "corpora/zoo/notes [1]/a*b?.md";
    zoo.repository.write(note, "Never commit a walrus, since walruses do not merge.\n");
    std::fs::write(corpus.join("latin.txt"), b"caf\xe9: every file ends with a newline").unwrap();
    let before = files(zoo.path());
    std::os::unix::fs::symlink(".", corpus.join("loop")).unwrap();
    let told = zoo.polc(&["dehydrate", "zoo"]).exits(0).err;
    assert!(told.contains("warning: no text") && told.contains("corpora/zoo/latin.txt"), "{told}");
    assert!(corpus.join("loop").is_symlink() && corpus.join("link.md").is_symlink());
    std::fs::remove_file(corpus.join("loop")).unwrap();
    assert!(!zoo.read(RECORD).contains("/loop/") && !zoo.read(RECORD).contains("link.md"));
    let ignored = zoo.read("corpora/zoo/.gitignore");
    assert!(ignored.starts_with(&format!("{own}\n# Stand by reference")), "{ignored}");
    zoo.does(&["hydrate zoo"]);
    assert!(files(zoo.path()) == before);
    let mut git = polc_testkit::repository::command(zoo.path());
    Ran::of(git.args(["check-ignore", note])).exits(0);
    let after = "# mine\n";
    zoo.repository.write("corpora/zoo/.gitignore", format!("{ignored}{after}"));
    zoo.does(&["dehydrate zoo", "hydrate zoo"]);
    let again = zoo.read("corpora/zoo/.gitignore");
    assert!(again.starts_with(&format!("{own}\n{after}")), "{again}");
    assert_eq!(again.matches("/extraction.csv").count(), 1, "{again}");
}

#[test]
fn a_folder_that_is_a_link_is_refused_before_anything_is_taken_away() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    let elsewhere = tempfile::tempdir().unwrap();
    let (corpus, moved) = (zoo.path().join("corpora/zoo"), elsewhere.path().join("zoo"));
    let copied = Ran::of(std::process::Command::new("mv").arg(&corpus).arg(&moved));
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    std::os::unix::fs::symlink(&moved, &corpus).unwrap();
    let before = files_below(&moved);
    let error = zoo.polc(&["dehydrate", "zoo"]).exits(2).err;
    assert!(error.contains("is reached by a symbolic link"), "{error}");
    assert_eq!(files_below(&moved), before);
}

#[test]
fn another_workbook_shuts_nobody_out() {
    let (zoo, record) = dry();
    let (before, workbook) = record.split_once("corpora/zoo/rules.xlsx\"\ndigest = \"sha256:").unwrap();
    let other =
        format!("{before}corpora/zoo/rules.xlsx\"\ndigest = \"sha256:{}{}", "0".repeat(64), &workbook[64..]);
    zoo.repository.write(RECORD, other);
    let told = run(zoo.path(), "hydrate zoo").exits(1).err;
    assert!(told.contains("but for the workbook"), "{told}");
    run(zoo.path(), "ground zoo").exits(0);
    run(zoo.path(), "dehydrate zoo").exits(0);
    run(zoo.path(), "hydrate zoo").exits(0);
}

#[test]
fn work_goes_on_after_a_file_that_was_by_reference_is_gone() {
    let (zoo, _) = dry();
    zoo.does(&["hydrate zoo"]);
    let stubs = files(zoo.path());
    let stub =
        stubs.keys().find(|name| name.starts_with("generated/zoo/src/") && name.contains("/c0")).unwrap();
    std::fs::remove_file(zoo.path().join(stub)).unwrap();
    let status = run(zoo.path(), "status zoo").exits(0).out;
    assert!(status.contains(&format!("changed since: {stub}")), "{status}");
    zoo.does(&["compile zoo --stubs", "dehydrate zoo"]);

    // A file of the corpus that was changed, and one that is gone: both ways out lose nothing.
    zoo.does(&["hydrate zoo"]);
    let ledger = zoo.read("corpora/zoo/ledger.jsonl");
    zoo.repository.write("corpora/zoo/rules.csv", "mine\n");
    std::fs::remove_file(zoo.path().join("corpora/zoo/ledger.jsonl")).unwrap();
    run(zoo.path(), "dehydrate zoo").exits(4);
    let gate = run(zoo.path(), "hydrate zoo").exits(4).err;
    assert!(gate.contains("move it away") && gate.contains("move `corpora/zoo/by-reference` away"), "{gate}");
    assert_eq!(zoo.read("corpora/zoo/rules.csv"), "mine\n");
    std::fs::remove_file(zoo.path().join("corpora/zoo/rules.csv")).unwrap();
    run(zoo.path(), "hydrate zoo").exits(0);
    assert_eq!(zoo.read("corpora/zoo/ledger.jsonl"), ledger);
}

#[test]
fn damaged_snapshots_and_forms_restore_nothing_and_say_what_to_do() {
    let (zoo, _) = dry();
    let left = files(zoo.path());
    let form = "corpora/zoo/by-reference/corpora/zoo/rules.csv";
    let text = zoo.read(form);
    let reference = text.find('⟦').unwrap();
    for (damaged, says) in [
        (text.replacen(':', ":1", 1).replacen("⟦1:", "⟦1:9", 1), "restore it from version control"),
        (text.replacen("⟦1:", "⟦77:", 1), "there is no source 77"),
        (format!("{text}more"), "is not the file with the digest"),
        (text[..reference + 5].to_owned(), "is no reference"),
        (text.replace('\n', "\r\n"), "is not the file with the digest"),
    ] {
        zoo.repository.write(form, &damaged);
        let error = run(zoo.path(), "hydrate zoo").exits(2).err;
        assert!(error.contains(says) && error.contains("help: "), "{says}: {error}");
        assert!(files(zoo.path()) == left, "{says}");
    }
    std::fs::remove_file(zoo.path().join(form)).unwrap();
    run(zoo.path(), "hydrate zoo").exits(2);
    zoo.repository.write(form, &text);

    zoo.does(&["snapshot export zoo copy"]);
    let store = zoo.path().join(".polc/snapshots");
    let snapshots: Vec<_> = files_below(&store);
    let page = snapshots.iter().find(|file| std::fs::read(file).unwrap() == PAGE.as_bytes()).unwrap();
    std::fs::write(page, PAGE.replace("walrus", "wolves")).unwrap();
    let gate = run(zoo.path(), "hydrate zoo").exits(4).err;
    assert!(gate.contains("run `polc fetch zoo`") && gate.contains("--from FOLDER"), "{gate}");
    assert!(files(zoo.path()) == left);
    let copy = zoo.path().join("copy").join(page.file_name().unwrap());
    std::fs::write(&copy, "other").unwrap();
    let error = run(zoo.path(), "hydrate zoo --from copy").exits(2).err;
    assert!(error.contains("their digest is"), "{error}");
    run(zoo.path(), "hydrate zoo --from nowhere").exits(4);
    std::fs::write(&copy, PAGE).unwrap();
    run(zoo.path(), "hydrate zoo --from copy").exits(0);
    run(zoo.path(), "ground zoo").exits(0);
}
