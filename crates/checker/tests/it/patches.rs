//! Patches as git writes them, as others do, and as they come back from a terminal or a trimmed field.

use polc_checker::diff::{Diff, Hunk, HunkLine};
use polc_checker::patch::{FilePatch, Mode, PatchError, parse, rebuild, reversed};
use polc_testkit::repository::command;
use polc_testkit::{TestRepository, shared};
use proptest::prelude::*;

fn one(text: &str) -> FilePatch {
    let files = parse(text).unwrap();
    assert_eq!(files.len(), 1, "{files:#?}");
    files.into_iter().next().unwrap()
}

fn paths(file: &FilePatch) -> (Option<&str>, Option<&str>) {
    (file.old_path.as_deref(), file.new_path.as_deref())
}

fn added(hunks: &[Hunk]) -> Vec<&str> {
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter_map(|line| if let HunkLine::Added(text) = line { Some(text.as_str()) } else { None })
        .collect()
}

fn removed(hunks: &[Hunk]) -> Vec<&str> {
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter_map(|line| if let HunkLine::Removed(text) = line { Some(text.as_str()) } else { None })
        .collect()
}

fn error(text: &str) -> PatchError {
    parse(text).unwrap_err()
}

/// What `git diff` prints for the tree as it is, with some options.
fn git_diff(made: &TestRepository, options: &[&str]) -> String {
    made.git(&["add", "--all", "--intent-to-add"]);
    let mut git = command(made.path());
    let output = git.args(["diff", "--no-color", "--no-ext-diff"]).args(options).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The hard case gd1: lines that look like the headers of a diff are lines.
#[test]
fn lines_that_look_like_headers_are_counted() {
    let Some(case) = shared::case("gd1") else { return };
    let files = parse(case["input"]["diff"].as_str().unwrap()).unwrap();
    let names: Vec<&str> = files.iter().map(FilePatch::path).collect();
    assert_eq!(serde_json::json!(names), case["expected"]["files"]);
    let hunks = &files[0].hunks;
    assert_eq!(hunks.len() as u64, case["expected"]["hunks"].as_u64().unwrap());
    assert_eq!(added(hunks).len() as u64, case["expected"]["added"].as_u64().unwrap());
    assert_eq!(removed(hunks).len() as u64, case["expected"]["removed"].as_u64().unwrap());
    assert_eq!((removed(hunks)[0], added(hunks)[0]), ("-- header note", "++ header note"));
    assert!(hunks[1].old_unended && !hunks[1].new_unended);
}

/// The hard case gd2: only `\n` ends a line.
#[test]
fn a_carriage_return_a_form_feed_and_a_line_separator_end_no_line() {
    let Some(case) = shared::case("gd2") else { return };
    let file = one(case["input"]["diff"].as_str().unwrap());
    assert_eq!(serde_json::json!(added(&file.hunks)), case["expected"]["added"]);
    assert_eq!(serde_json::json!(removed(&file.hunks)), case["expected"]["removed"]);
    assert_eq!(file.hunks[0].lines[0], HunkLine::Context("x = 1\r".to_owned()));
    assert_eq!(
        rebuild("x = 1\r\ny = 2\r\n", &file.hunks).unwrap(),
        "x = 1\r\ns = 'a\u{2028}b'\n\x0c\ny = 2\n"
    );
}

/// The hard case gd3: the mark of a missing line end counts for no line.
#[test]
fn the_mark_of_a_missing_line_end_counts_for_no_line() {
    let Some(case) = shared::case("gd3") else { return };
    let file = one(case["input"]["diff"].as_str().unwrap());
    let diff = Diff::of_hunks(file.hunks);
    let numbered: serde_json::Map<String, serde_json::Value> =
        diff.added().map(|(number, line)| (number.to_string(), line.into())).collect();
    assert_eq!(serde_json::Value::Object(numbered), case["expected"]["added"]);
    assert_eq!(diff.removed().collect::<Vec<_>>(), ["last"]);
    assert_eq!(diff.ends_with_newline(), case["expected"]["new_file_ends_with_newline"]);
}

#[test]
fn git_says_what_became_of_each_file() {
    let made = TestRepository::new();
    for name in ["changed", "gone", "old name.txt", "mode", "tab\there \"and\" säule", "to link"] {
        made.write(name, format!("{name}\nb\nc\nd\ne\nf\n"));
    }
    made.write("image.png", [0_u8, 1, 2]);
    made.link("link", "changed");
    made.commit("Start");
    made.write("changed", "changed\nb\n");
    std::fs::remove_file(made.path().join("gone")).unwrap();
    made.git(&["mv", "old name.txt", "new name.txt"]);
    made.git(&["update-index", "--chmod=+x", "mode"]);
    made.write("tab\there \"and\" säule", "another\n");
    made.write("new file", "one\ntwo");
    made.write("new empty", "");
    made.write("image.png", [0_u8, 1, 3]);
    std::fs::remove_file(made.path().join("to link")).unwrap();
    made.link("to link", "changed");
    std::fs::remove_file(made.path().join("link")).unwrap();
    made.link("link", "mode");
    made.git(&["add", "--all"]);
    made.git(&["update-index", "--chmod=+x", "mode"]);
    for options in [
        &["--cached"][..],
        &["--cached", "--no-prefix"],
        &["--cached", "--binary", "--full-index"],
        &["--cached", "-U0", "--src-prefix=i/", "--dst-prefix=w/"],
    ] {
        let mut git = command(made.path());
        let text = git.args(["diff", "-M"]).args(options).output().unwrap().stdout;
        let text = String::from_utf8(text).unwrap();
        let files = parse(&text).unwrap();
        let all: Vec<_> = files.iter().map(paths).collect();
        let same = |name| (Some(name), Some(name));
        assert_eq!(
            all,
            [
                same("changed"),
                (Some("gone"), None),
                same("image.png"),
                same("link"),
                same("mode"),
                (None, Some("new empty")),
                (None, Some("new file")),
                (Some("old name.txt"), Some("new name.txt")),
                same("tab\there \"and\" säule"),
                (Some("to link"), None),
                (None, Some("to link")),
            ],
            "{text}"
        );
        assert!(files[2].binary && files[2].hunks.is_empty());
        assert_eq!((files[3].old_mode, files[3].new_mode), (Some(Mode::Link), Some(Mode::Link)));
        assert_eq!((files[4].old_mode, files[4].new_mode), (Some(Mode::File), Some(Mode::Executable)));
        assert_eq!(rebuild("", &files[6].hunks).unwrap(), "one\ntwo");
        assert!(files[7].hunks.is_empty(), "a rename changes no line");
        assert_eq!(rebuild("", &reversed(&files[1].hunks)).unwrap(), "gone\nb\nc\nd\ne\nf\n");
        assert_eq!(files[10].new_mode, Some(Mode::Link));
    }
}

#[test]
fn a_submodule_and_a_copy_are_told_from_files() {
    let text = "diff --git a/vendored b/vendored\nindex 1111111..2222222 160000\n--- a/vendored\n\
                +++ b/vendored\n@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n\
                diff --git a/zebra.py b/quagga.py\nsimilarity index 100%\ncopy from zebra.py\n\
                copy to quagga.py\n";
    let files = parse(text).unwrap();
    assert_eq!(files[0].new_mode, Some(Mode::Submodule));
    assert!(files[1].copied && !files[0].copied);
    assert_eq!(paths(&files[1]), (Some("zebra.py"), Some("quagga.py")));
}

#[test]
fn plain_diffs_have_names_times_and_text_around_them() {
    let text = "From: A Keeper\nSubject: Feed the walrus\n\n---\n a.py | 2 +-\n\n\
                --- a/zoo/a b.py\t2026-01-02 03:04:05.000000000 +0000\n\
                +++ b/zoo/a b.py\t2026-01-02 03:04:06.000000000 +0000\n\
                @@ -1 +1 @@\n-fish\n+herring\n\
                --- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+++count\n\
                --- zoo/b.py.orig\n+++ zoo/b.py\n@@ -3,0 +4 @@ def feed():\n+    pass\n-- \n2.43.0\n\n";
    let files = parse(text).unwrap();
    assert_eq!(paths(&files[0]), (Some("zoo/a b.py"), Some("zoo/a b.py")));
    assert_eq!(paths(&files[1]), (None, Some("new.py")));
    assert_eq!(added(&files[1].hunks), ["++count"]);
    assert_eq!(paths(&files[2]), (Some("zoo/b.py"), Some("zoo/b.py")), "no rename is recorded");
    assert_eq!((files[2].hunks[0].old_start, files[2].hunks[0].new_start), (4, 4));
    assert_eq!(rebuild("1\n2\n3\n4\n", &files[2].hunks).unwrap(), "1\n2\n3\n    pass\n4\n");
    assert!(parse("Nothing was changed.\n--- a\n+++ b\nis how a diff begins\n").unwrap().is_empty());
    assert!(parse("").unwrap().is_empty());
}

/// Terminals end lines with CR LF, fields are trimmed: both at once, and a file that has CR itself.
#[test]
fn a_patch_survives_a_terminal_and_a_trimmed_field() {
    let base = "a\r\nb\n\n";
    let head = "a\r\nc\n\n";
    let made = TestRepository::new();
    made.write("a.txt", base);
    made.commit("Start");
    made.write("a.txt", head);
    let text = git_diff(&made, &[]);
    for sent in [
        text.clone(),
        text.trim().to_owned(),
        text.trim_end_matches('\n').to_owned(),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r\n").trim().to_owned(),
        text.replace("\n \n", "\n\n"),
    ] {
        assert_eq!(rebuild(base, &one(&sent).hunks).unwrap(), head, "{sent:?}");
    }
}

#[test]
fn what_the_header_does_not_announce_is_refused_by_line() {
    let with = |hunk: &str| format!("--- a/x\n+++ b/x\n{hunk}");
    let cut = error(&with("@@ -1,3 +1,3 @@\n a\n-b\n+c\n-d\n"));
    assert_eq!((cut.line, cut.found.as_deref()), (8, None), "{cut}");
    let more = error(&with("@@ -1 +1 @@\n-a\n+b\n+c\n"));
    assert_eq!((more.line, more.found.as_deref()), (6, Some("+c")), "{more}");
    let fewer = error(&with("@@ -1,2 +1,2 @@\n-a\n+b\ndiff --git a/y b/y\n"));
    assert!(
        fewer.to_string().contains("line 6 of the patch: expected 1 old and 1 new lines more"),
        "{fewer}"
    );
    let overlap = error(&with("@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -2 +2 @@\n-b\n+d\n"));
    assert_eq!(overlap.line, 7, "{overlap}");
    let moved = error(&with("@@ -1 +1 @@\n-a\n+b\n@@ -5 +6 @@\n-e\n+f\n"));
    assert!(moved.to_string().contains("line 5 on the new side"), "{moved}");
    assert!(error(&with("@@ -x +1 @@\n")).to_string().contains("header of a hunk"));
    assert!(error(&with("@@ -0,1 +1 @@\n-a\n+b\n")).to_string().contains("header of a hunk"));
    assert!(error(&with("@@ -99999999999999999999 +1 @@\n")).line == 3);
    assert!(error(&with("@@ -1 +0,0 @@\n\\ No newline\n-a\n")).to_string().contains("missing line end"));
    assert!(error(&with("@@ -1,2 +1 @@\n-a\n\\ No newline\n b\n")).line == 6, "a line behind the last one");
    assert!(error("@@ -1 +1 @@\n-a\n+b\n").to_string().contains("names of a file"));
    assert!(error("diff --cc x\n").to_string().contains("combined"));
    assert!(error("diff --git a/x b/x\nnew file mode 100999\n").to_string().contains("mode"));
    assert!(error("diff --git a/x b/y\n").to_string().contains("told apart"));
    assert!(error("--- \"a/x\n+++ \"b/x\"\n@@ -1 +1 @@\n-a\n+b\n").to_string().contains("quotation"));
    assert!(error("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n").line == 2);
}

#[test]
fn a_text_is_rebuilt_only_from_the_text_that_the_hunks_were_made_for() {
    let hunks = one("--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n b\n-c\n+d\n").hunks;
    assert_eq!(rebuild("a\nb\nc\n", &hunks).unwrap(), "a\nb\nd\n");
    let error = |base: &str| rebuild(base, &hunks).unwrap_err().to_string();
    assert_eq!(error("a\nB\nc\n"), "line 2 before the change: expected `b`, found `B`");
    assert_eq!(error("a\nb\n"), "line 3 before the change: expected `c`, and the text ends");
    assert_eq!(error("a\nb\nc"), "line 3 before the change: expected `c`, found `c`");
    assert!(error("").contains("within the text"));
    let twice = [hunks.clone(), hunks].concat();
    assert!(rebuild("a\nb\nc\nd\n", &twice).unwrap_err().to_string().contains("behind the one before it"));
    let unended = one("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+a\n+b\n\\ No newline at end of file\n").hunks;
    assert_eq!(rebuild("a\n", &unended).unwrap(), "a\nb");
    assert!(rebuild("a\nmore\n", &unended).unwrap_err().to_string().contains("the end of the text"));
    let behind = one("--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+b\n").hunks;
    assert_eq!(rebuild("a\n", &behind).unwrap(), "a\nb\n");
    assert!(rebuild("a", &behind).unwrap_err().to_string().contains("line end"));
    let nothing = one("--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+\n\\ No newline at end of file\n").hunks;
    let refused = rebuild("a\n", &nothing).unwrap_err().to_string();
    assert!(refused.contains("text in a line without a line end"), "{refused}");
}

/// Lines that are hard to tell from the marks of a diff.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[ab]{0,2}",
        1 => Just("-- x".to_owned()),
        1 => Just("++ x".to_owned()),
        1 => Just("\\ No newline at end of file".to_owned()),
        1 => Just("@@ -1 +1 @@".to_owned()),
        1 => Just("a\r".to_owned()),
        1 => Just("\x0cb\u{2028}c\rd".to_owned()),
    ];
    (proptest::collection::vec(line, 0..14), any::<bool>()).prop_map(|(lines, ended)| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if ended { text } else { text.strip_suffix('\n').unwrap_or(&text).to_owned() }
    })
}

const NAMES: [&str; 4] = ["a.txt", "b/with blank.txt", "ü \"quoted\".txt", "a/b b/c.txt"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// What git finds between two trees leads from one to the other and back.
    #[test]
    fn a_patch_of_git_rebuilds_the_text_after_it(
        before in proptest::collection::vec(text(), 4),
        after in proptest::collection::vec(proptest::option::weighted(0.9, text()), 4),
    ) {
        let made = TestRepository::new();
        let base = |at: usize| format!("{}{at}\n{}", "shared\n".repeat(8), before[at]);
        for (at, name) in NAMES.iter().enumerate() {
            made.write(name, base(at));
        }
        made.commit("Start");
        let mut heads = Vec::new();
        for (at, name) in NAMES.iter().enumerate() {
            let file = made.path().join(name);
            std::fs::remove_file(&file).unwrap();
            if let Some(after) = &after[at] {
                // One file moves.
                let name = if at == 1 { "moved/here it is.txt" } else { name };
                let head = format!("{}{at}\n{after}", "shared\n".repeat(8));
                made.write(name, &head);
                heads.push((name, head));
            }
        }
        for options in [&["-M"][..], &["-U0", "-M"], &["--no-prefix", "--no-renames"], &["-U1", "--patience"]] {
            let text = git_diff(&made, options);
            let files = parse(&text).unwrap();
            let mut rebuilt = 0;
            for file in &files {
                let old = file.old_path.as_deref().and_then(|path| NAMES.iter().position(|name| *name == path));
                let old = old.map(base).unwrap_or_default();
                let head = heads.iter().find(|(name, _)| Some(*name) == file.new_path.as_deref());
                let head = head.map(|(_, head)| head.clone()).unwrap_or_default();
                prop_assert_eq!(&rebuild(&old, &file.hunks).unwrap(), &head, "{}", text);
                prop_assert_eq!(&rebuild(&head, &reversed(&file.hunks)).unwrap(), &old);
                rebuilt += 1;
            }
            let renames = if options.contains(&"--no-renames") { "--no-renames" } else { "-M" };
            let names = git_diff(&made, &[renames, "--name-only"]);
            prop_assert_eq!(rebuilt, names.lines().count(), "every file is read");
        }
    }
}

proptest! {
    /// Garbage is refused or skipped.
    #[test]
    fn no_text_brings_the_reader_down(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("diff --git a/x b/x".to_owned()), Just("--- a/x".to_owned()), Just("+++ b/x".to_owned()),
                Just("rename from x".to_owned()), Just("index 1..2 100644".to_owned()),
                Just("\\ No".to_owned()), Just(" a".to_owned()), Just("+a".to_owned()), Just("-a".to_owned()),
                Just(String::new()), Just("GIT binary patch".to_owned()),
                "@@ -[0-3](,[0-3])? \\+[0-3](,[0-3])? @@", "--- \"?[a-z\\\\\"0-7]{0,6}\"?", "\\PC{0,12}",
            ],
            0..16,
        ),
        base in "[a\n]{0,6}",
    ) {
        if let Ok(files) = parse(&lines.join("\n")) {
            for file in files {
                let _rebuilt = rebuild(&base, &file.hunks);
                let _diff = Diff::of_hunks(file.hunks);
            }
        }
    }
}

/// How often the fuzzers run, unless `PROPTEST_CASES` says otherwise.
fn fuzzed(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(asked.unwrap_or(cases))
}

/// A text with some of its lines changed, taken out, doubled or moved.
fn mutated(text: &str, edits: &[(usize, u8, String)]) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for (at, how, with) in edits {
        let at = at % lines.len();
        match how {
            0 => lines[at].clone_from(with),
            1 if lines.len() > 1 => drop(lines.remove(at)),
            2 => lines.insert(at, lines[at].clone()),
            3 => lines[at].push_str(with),
            4 => {
                let other = with.len() % lines.len();
                lines.swap(at, other);
            }
            _ => lines.truncate(at + 1),
        }
    }
    lines.join("\n")
}

/// Edits of a patch: garbage, and lines that belong into one.
fn edits() -> impl Strategy<Value = Vec<(usize, u8, String)>> {
    let line = prop_oneof![
        Just("+x".to_owned()),
        Just("-x".to_owned()),
        Just(" x".to_owned()),
        Just("\\ No newline at end of file".to_owned()),
        "@@ -[0-9]{1,3}(,[0-9]{1,2})? \\+[0-9]{1,3}(,[0-9]{1,2})? @@",
        "\\PC{0,12}",
    ];
    proptest::collection::vec((any::<usize>(), 0..6_u8, line), 0..4)
}

proptest! {
    #![proptest_config(fuzzed(256))]

    /// A mutated patch is refused, or it is the patch between what it was applied to and what came of it.
    #[test]
    fn a_mutated_patch_rebuilds_what_it_says_or_nothing(base in text(), head in text(), edits in edits()) {
        let mut patch = "--- a/x\n+++ b/x\n".to_owned();
        for hunk in Diff::between(&base, &head).hunks() {
            patch.push_str(&written(hunk));
        }
        let Ok(files) = parse(&mutated(&patch, &edits)) else { return Ok(()) };
        for file in &files {
            let _read = Diff::of_hunks(file.hunks.clone());
            let Ok(rebuilt) = rebuild(&base, &file.hunks) else { continue };
            prop_assert_eq!(&rebuild(&rebuilt, &reversed(&file.hunks)).unwrap(), &base, "it leads back");
            let lines = rebuilt.split('\n').map(str::to_owned).collect::<Vec<_>>();
            for (number, text) in Diff::of_hunks(file.hunks.clone()).added() {
                prop_assert_eq!(&lines[number - 1], text, "what is written stands where it says");
            }
        }
    }
}

/// A hunk as git writes it.
fn written(hunk: &Hunk) -> String {
    let old = hunk.lines.iter().filter(|line| !matches!(line, HunkLine::Added(_))).count();
    let new = hunk.lines.iter().filter(|line| !matches!(line, HunkLine::Removed(_))).count();
    let start = |start: usize, count: usize| if count == 0 { start - 1 } else { start };
    let mut text =
        format!("@@ -{},{old} +{},{new} @@\n", start(hunk.old_start, old), start(hunk.new_start, new));
    let last_old = hunk.lines.iter().rposition(|line| !matches!(line, HunkLine::Added(_)));
    let last_new = hunk.lines.iter().rposition(|line| !matches!(line, HunkLine::Removed(_)));
    for (at, line) in hunk.lines.iter().enumerate() {
        let (mark, line) = match line {
            HunkLine::Context(line) => (' ', line),
            HunkLine::Added(line) => ('+', line),
            HunkLine::Removed(line) => ('-', line),
        };
        text.push(mark);
        text.push_str(line);
        text.push('\n');
        let ends_old = mark != '+' && hunk.old_unended && last_old == Some(at);
        let ends_new = mark != '-' && hunk.new_unended && last_new == Some(at);
        if ends_old || ends_new {
            text.push_str("\\ No newline at end of file\n");
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// What a mutated patch rebuilds is what git makes of it, wherever git takes it as it stands.
    #[test]
    fn git_makes_the_same_of_a_mutated_patch(base in text(), head in text(), edits in edits()) {
        let base = format!("top\n{base}");
        let mut hunks = String::new();
        for hunk in Diff::between(&base, &format!("top\n{head}")).hunks() {
            hunks.push_str(&written(hunk));
        }
        let patch = format!("diff --git a/x b/x\n--- a/x\n+++ b/x\n{}", mutated(&hunks, &edits));
        let Ok(files) = parse(&patch) else { return Ok(()) };
        let [file] = files.as_slice() else { return Ok(()) };
        let Ok(rebuilt) = rebuild(&base, &file.hunks) else { return Ok(()) };
        if file.path() != "x" || file.new_path.is_none() || file.old_path.is_none() {
            return Ok(());
        }
        let made = TestRepository::new();
        made.write("x", &base);
        made.write("mutated.patch", &patch);
        let applied = command(made.path())
            .args(["apply", "--unidiff-zero", "--whitespace=nowarn", "mutated.patch"])
            .output()
            .unwrap();
        if applied.status.success() {
            prop_assert_eq!(rebuilt, std::fs::read_to_string(made.path().join("x")).unwrap(), "{}", patch);
        }
    }
}
