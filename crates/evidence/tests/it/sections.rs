//! The output of the collect script: markers, logs and status of real repositories.

use polc_checker::evidence::StatusEntry;
use polc_evidence::sections::{Sections, log, status, values};
use polc_testkit::TestRepository;
use polc_testkit::repository::command;
use proptest::prelude::*;

const COMPLETE: &str = "===PROBE===\na=1\n===BRANCH===\nbranch=main\n===LOG===\n===STATUS===\n M a.py\n\
                        ===PATCH_COMMITTED===\n===PATCH===\ndiff --git a/a.py b/a.py\n";

/// What git prints, as it is.
fn git(made: &TestRepository, arguments: &[&str]) -> String {
    let output = command(made.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_section_that_is_empty_is_not_one_that_is_missing() {
    let sections = Sections::of(COMPLETE).unwrap();
    assert_eq!(sections.log.as_deref(), Some(""));
    assert_eq!(sections.patch_committed.as_deref(), Some(""));
    assert_eq!(sections.status.as_deref(), Some(" M a.py"), "blanks at the front count");
    let older = COMPLETE.replace("===PATCH_COMMITTED===\n", "");
    assert_eq!(Sections::of(&older).unwrap().patch_committed, None);
    assert_eq!(Sections::of("diff --git a/a b/a\n+===PATCH===\n===patch===\n=== LOG ===\n"), None);
    let ends_in_cr = COMPLETE.to_owned() + "+a\r\n";
    assert!(Sections::of(&ends_in_cr).unwrap().patch.unwrap().ends_with("\n+a\r"), "it is of the file");
    let terminal = COMPLETE.replace('\n', " \r\n");
    assert_eq!(Sections::of(&terminal).unwrap().probe.as_deref(), Some("a=1 "));
}

/// An agent that prints the script prints its markers too.
#[test]
fn the_last_complete_set_of_sections_counts() {
    let script = "===PROBE===\n===BRANCH===\n===LOG===\n";
    let other = COMPLETE.replace("a=1", "a=2");
    for (text, value) in [
        (format!("{script}{COMPLETE}"), "a=1"),
        (format!("{COMPLETE}{other}"), "a=2"),
        (format!("{COMPLETE}===LOG===\ncut off"), "a=1"),
        (format!("{script}{other}===PROBE===\na=3\n"), "a=2"),
    ] {
        let sections = Sections::of(&text).unwrap();
        assert_eq!(sections.probe.as_deref(), Some(value), "{text}");
        assert_eq!(sections.patch.as_deref(), Some("diff --git a/a.py b/a.py"), "{text}");
    }
    let cut = Sections::of("===PROBE===\na=1\n===BRANCH===\nb=1\n").unwrap();
    assert_eq!((cut.branch.as_deref(), cut.patch), (Some("b=1"), None), "a run that was cut off");
}

#[test]
fn the_patch_is_last_whatever_stands_in_it_and_an_unknown_section_goes_to_no_other() {
    let text = COMPLETE.replace("===STATUS===", "===REMOTES===\norigin\n===STATUS===") + "===NEWS===\n";
    let sections = Sections::of(&text).unwrap();
    assert_eq!(sections.log.as_deref(), Some(""));
    assert!(sections.patch.unwrap().ends_with("===NEWS==="));
}

#[test]
fn a_later_value_wins_and_an_empty_one_is_one() {
    let probe = values("# comment=1\nhooks_path=\nmodel=a=b\nmodel = c \nno value\n");
    let pairs: Vec<(&str, &str)> =
        probe.0.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(pairs, [("hooks_path", ""), ("model", "c")]);
}

#[test]
fn a_log_of_git_gives_the_commits_as_they_are_stored() {
    let made = TestRepository::new();
    made.write("keep.txt", "keep\n");
    made.write("zoo/old säule.txt", "a\nb\nc\nd\n");
    let base = made.commit("Start");
    let messages = [
        "Feed the walrus\n\nIt is hungry:\n\n    herring\n\n stat | 2 ++\n\nSigned-off-by: A <a@example.org>\n",
        "A body without a blank\nright below\n",
        "",
        "Leave everything\n",
    ];
    made.write("keep.txt", "kept\n");
    made.commit(messages[0]);
    made.git(&["mv", "zoo/old säule.txt", "zoo/new.txt"]);
    made.commit(messages[1]);
    made.write("b.bin", [0_u8, 1]);
    made.git(&["add", "--all"]);
    made.git(&["commit", "--quiet", "--allow-empty-message", "-m", ""]);
    made.git(&["commit", "--quiet", "--allow-empty", "-m", "Leave everything"]);
    let range = format!("{base}..HEAD");
    let text = git(&made, &["log", "--pretty=raw", "--stat", &range]);
    for text in
        [text.clone(), text.trim().to_owned(), text.replace("    \n", "\n"), text.replace('\n', "\r\n")]
    {
        let commits = log(&text).unwrap();
        let found: Vec<&str> = commits.iter().map(|commit| commit.message.raw()).collect();
        assert_eq!(found, messages, "oldest first");
        assert_eq!(commits[0].parents, std::slice::from_ref(&base));
        assert_eq!(commits[3].id, made.git(&["rev-parse", "HEAD"]));
        assert_eq!(commits[0].author.as_ref().unwrap().email, "contributor@example.org");
        assert_eq!(commits[0].message.trailer("Signed-off-by"), ["A <a@example.org>"]);
        assert_eq!(commits[1].message.body(), ["right below"]);
        let paths: Vec<_> = commits.iter().map(|commit| commit.paths.clone().unwrap()).collect();
        assert_eq!(paths[0], ["keep.txt"]);
        assert_eq!(paths[1].len(), 1);
        assert_eq!((paths[2].as_slice(), paths[3].len()), (&["b.bin".to_owned()][..], 0));
    }
    let bare = log(&git(&made, &["log", "--pretty=raw", &range])).unwrap();
    assert!(bare.iter().all(|commit| commit.paths.is_none()), "without a list of files none is known");
    assert_eq!(log("").unwrap(), []);
    let error = log("fatal: bad revision\n").unwrap_err().to_string();
    assert_eq!(error, "line 1 of the section LOG: expected `commit` and its id, found `fatal: bad revision`");
}

#[test]
fn a_merge_and_a_signature_do_not_confuse_a_log() {
    let made = TestRepository::new();
    made.commit("Start");
    made.git(&["switch", "--quiet", "--create", "side"]);
    made.write("a", "a\n");
    made.commit("Side");
    made.git(&["switch", "--quiet", "main"]);
    made.write("b", "b\n");
    made.commit("Main");
    made.git(&["merge", "--quiet", "--no-edit", "side"]);
    let text = git(&made, &["log", "--pretty=raw", "--stat"]).replacen(
        "committer A",
        "gpgsig -----BEGIN SIGNATURE-----\n \n abc\n -----END SIGNATURE-----\ncommitter A",
        1,
    );
    let commits = log(&text).unwrap();
    assert_eq!(commits.len(), 4);
    assert!(commits[3].is_merge() && commits[3].paths.is_none());
    assert_eq!(commits[3].message.raw(), "Merge branch 'side'\n");
}

#[test]
fn a_status_keeps_both_paths_of_what_moved() {
    let made = TestRepository::new();
    made.write("old \"name\".txt", "a\nb\nc\n");
    made.write("a -> b", "a\n");
    made.write("changed", "a\n");
    made.commit("Start");
    made.git(&["mv", "old \"name\".txt", "new säule.txt"]);
    made.write("changed", "b\n");
    made.write("a -> b", "b\n");
    made.write("new", "");
    let entry = |code: &str, path: &str, old: Option<&str>| StatusEntry {
        code: code.to_owned(),
        path: path.to_owned(),
        old_path: old.map(str::to_owned),
    };
    let text = git(&made, &["status", "--porcelain", "--branch"]);
    assert_eq!(
        status(&text).unwrap(),
        [
            entry(" M", "a -> b", None),
            entry(" M", "changed", None),
            entry("R ", "new säule.txt", Some("old \"name\".txt")),
            entry("??", "new", None),
        ],
        "{text}"
    );
    assert!(status("M\n").unwrap_err().to_string().contains("line 1 of the section STATUS"));
    assert!(status("?? \"a\n").is_err());
}

#[test]
fn a_list_of_files_names_what_a_file_is_called_now() {
    let made = TestRepository::new();
    for (at, name) in ["tab\told", "plain", "quo\"te", "zoo/in/a"].into_iter().enumerate() {
        made.write(name, format!("{at}\n").repeat(20));
    }
    made.commit("Start");
    for (old, new) in
        [("tab\told", "tab\tnew"), ("plain", "back\\slash"), ("quo\"te", "bare"), ("zoo/in/a", "zoo/a")]
    {
        made.git(&["mv", old, new]);
    }
    made.commit("Rename");
    let text = git(&made, &["log", "--pretty=raw", "--stat", "-1"]);
    let paths = log(&text).unwrap()[0].paths.clone().unwrap();
    let found: std::collections::BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(found, ["tab\tnew", "back\\slash", "bare", "zoo/a"].into(), "{text}");
}

proptest! {
    /// What is printed below the markers is read back, whatever stands before it.
    #[test]
    fn sections_are_read_as_they_were_printed(
        texts in proptest::collection::vec(proptest::option::of("([a-z=+ ]{1,6}\n){0,3}[a-z]{1,3}"), 6),
        before in "(===[A-Z]{1,4}===|[a-z]{0,4}|===LOG===|===PATCH===)(\n(===[A-Z]{1,4}===|===PROBE===|x)){0,4}",
    ) {
        const NAMES: [&str; 6] = ["PROBE", "BRANCH", "LOG", "STATUS", "PATCH_COMMITTED", "PATCH"];
        let mut printed = String::new();
        let mut expected: Vec<Option<String>> = Vec::new();
        for (at, name) in NAMES.iter().enumerate() {
            // A set without these is not complete.
            let needed = [1, 2, 3, 5].contains(&at);
            let text = texts[at].clone().or(needed.then(String::new));
            if let Some(text) = &text {
                printed += &format!("==={name}===\n{text}\n");
            }
            expected.push(text);
        }
        let read = Sections::of(&format!("{before}\n{printed}")).unwrap();
        let found = [read.probe, read.branch, read.log, read.status, read.patch_committed, read.patch];
        // Without a probe of its own, a set takes the one that was printed right before it.
        let from = usize::from(expected[0].is_none());
        prop_assert_eq!(&found[from..], &expected[from..]);
    }

    /// Whatever a container prints, nothing here goes down.
    #[test]
    fn no_text_brings_the_readers_down(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("commit 12".to_owned()), Just("author A <a> 1".to_owned()), Just("committer >A<".to_owned()),
                Just(String::new()), Just("    text".to_owned()), Just(" a | 1 +".to_owned()),
                Just(" 1 file changed".to_owned()), Just("R  a -> b".to_owned()), Just("R  \"a\\3\" -> ".to_owned()),
                Just(" {a => b}/c | 2".to_owned()), Just("===LOG===".to_owned()), "\\PC{0,8}",
            ],
            0..10,
        ),
    ) {
        let text = lines.join("\n");
        let _read = (log(&text), status(&text), values(&text), Sections::of(&text));
    }
}
