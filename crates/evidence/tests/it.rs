//! Evidence from real repositories.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails its test")]

use polc_checker::evidence::{Absence, Content, Evidence, Part};
use polc_evidence::range::{Range, evidence, pull_request_text};
use polc_git::Repository;
use polc_testkit::TestRepository;

fn read(made: &TestRepository, base: &str, head: &str) -> Evidence {
    let repository = Repository::open(made.path()).unwrap();
    evidence(&repository, &Range { project: "zoo", base, head, pull_request: None }).unwrap()
}

fn recorded<T>(part: &Part<T>) -> &T {
    match part {
        Part::Recorded(value) => value,
        Part::Missing(cause) => panic!("{}", cause.as_str()),
    }
}

#[test]
fn a_branch_beside_a_base_that_went_on() {
    let made = TestRepository::new();
    made.write("keep.txt", "one\ntwo\nthree\n");
    made.write("gone.txt", "gone\n");
    made.write("old name.rs", "fn a() {}\nfn b() {}\nfn c() {}\n");
    made.write("image.png", [0_u8, 1, 2]);
    made.commit("Start");
    made.git(&["switch", "--quiet", "--create", "work"]);
    made.write("keep.txt", "one\nthree\nfour");
    std::fs::remove_file(made.path().join("gone.txt")).unwrap();
    made.git(&["mv", "old name.rs", "new name.rs"]);
    made.write("image.png", [0_u8, 1, 3]);
    made.write("latin.txt", b"caf\xe9\n");
    std::os::unix::fs::symlink("keep.txt", made.path().join("link")).unwrap();
    made.commit("Change things\n\nBecause.\n\nRefs: #1\n");
    made.write("keep.txt", "one\nthree\nfour\n");
    made.commit("Change more");
    made.git(&["switch", "--quiet", "main"]);
    made.write("main.txt", "main\n");
    made.commit("Go on");

    let evidence = read(&made, "main", "work");
    let files = recorded(&evidence.files);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        ["gone.txt", "image.png", "keep.txt", "latin.txt", "link", "new name.rs"],
        "not main.txt"
    );
    assert!(files[0].is_deleted());
    assert_eq!(files[1].head, Content::Binary);
    assert_eq!(files[2].diff().authored().iter().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(files[2].diff().anchors().iter().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(files[3].head, Content::Binary, "not UTF-8 is no text");
    assert_eq!(files[4].head, Content::Link("keep.txt".to_owned()));
    assert_eq!(files[5].old_path.as_deref(), Some("old name.rs"));
    assert!(files[5].diff().authored().is_empty(), "a rename writes no line");
    let commits = recorded(&evidence.commits);
    let subjects: Vec<&str> = commits.iter().map(|commit| commit.message.first_line()).collect();
    assert_eq!(subjects, ["Change things", "Change more"], "oldest first");
    assert_eq!(commits[0].message.trailer("Refs"), ["#1"]);
    assert_eq!(commits[1].paths.as_deref(), Some(&["keep.txt".to_owned()][..]));
    assert_eq!(evidence.pull_request, Part::Missing(Absence::NotInThisRun));

    let json = serde_json::to_string(&evidence).unwrap();
    assert_eq!(serde_json::from_str::<Evidence>(&json).unwrap(), evidence, "evidence survives its file");
    assert_eq!(serde_json::to_string(&read(&made, "main", "work")).unwrap(), json, "the same bytes again");
}

#[test]
fn histories_without_a_common_commit_are_refused_with_a_remedy() {
    let made = TestRepository::new();
    made.write("a", "a\n");
    made.commit("Start");
    made.git(&["checkout", "--quiet", "--orphan", "other"]);
    made.commit("Start again");
    let repository = Repository::open(made.path()).unwrap();
    let error =
        evidence(&repository, &Range { project: "zoo", base: "main", head: "other", pull_request: None })
            .unwrap_err()
            .to_string();
    assert!(error.contains("no commit in common") && error.contains("help: "), "{error}");
}

#[test]
fn the_text_of_a_pull_request_is_a_title_and_a_body() {
    let made = TestRepository::new();
    let file = made.write("pr.md", "\n Add a walrus \r\n\r\n## Why\r\nBecause.\r\n");
    let request = pull_request_text(&file).unwrap();
    assert_eq!((request.title.as_str(), request.body.as_str()), ("Add a walrus", "## Why\nBecause.\n"));
    let empty = pull_request_text(&made.write("empty.md", "")).unwrap();
    assert_eq!((empty.title.as_str(), empty.body.as_str()), ("", ""), "an empty one was written");
    assert!(pull_request_text(&made.path().join("none.md")).is_err());
}
