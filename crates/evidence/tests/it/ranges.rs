//! Evidence from real repositories.
use crate::recorded;
use polc_checker::evidence::{Absence, Content, Evidence, Part};
use polc_evidence::range::{Range, evidence, pull_request_text};
use polc_git::Repository;
use polc_testkit::TestRepository;

fn read(made: &TestRepository, base: &str, head: &str) -> Evidence {
    let repository = Repository::open(made.path()).unwrap();
    evidence(&repository, &Range { project: "zoo", base, head, pull_request: None }).unwrap()
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
    assert_eq!(files[2].diff().unwrap().authored().iter().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(files[2].diff().unwrap().anchors().iter().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(files[3].head, Content::NotUtf8);
    assert_eq!(files[4].head, Content::Link("keep.txt".to_owned()));
    assert_eq!(files[5].old_path.as_deref(), Some("old name.rs"));
    assert!(files[5].diff().unwrap().authored().is_empty(), "a rename writes no line");
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

/// As git decides: by a NUL among the first 8000 bytes.
#[test]
fn a_file_is_binary_by_a_nul_at_its_beginning_and_withheld_where_it_is_no_utf_8() {
    let made = TestRepository::new();
    made.commit("Start");
    let nul_at = |at: usize| [vec![b'a'; at], vec![0]].concat();
    let large = vec![b'a'; polc_evidence::range::MOST_BYTES + 1];
    for (path, bytes) in [
        ("1", nul_at(7999)),
        ("2", nul_at(8000)),
        ("3", b"caf\xe9\n".to_vec()),
        ("4", b"\xff\xfea\0".to_vec()),
        ("5", large.clone()),
        ("6", [vec![0], large].concat()),
    ] {
        made.write(path, bytes);
    }
    made.commit("Add files");
    let evidence = read(&made, "HEAD~1", "HEAD");
    let files = recorded(&evidence.files);
    let binary = files.iter().map(|file| file.head == Content::Binary).collect::<Vec<_>>();
    assert_eq!(binary, [true, false, false, true, false, true]);
    assert!(files[1].head_text().is_some());
    assert_eq!((&files[2].head, &files[4].head), (&Content::NotUtf8, &Content::TooLarge));
    let numstat = made.git(&["diff", "--numstat", "HEAD~1", "HEAD"]);
    let of_git = numstat.lines().map(|line| line.starts_with('-')).collect::<Vec<_>>();
    assert_eq!(of_git, binary, "git agrees");
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
