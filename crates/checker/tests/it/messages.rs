use polc_checker::issue;
use polc_checker::markdown::Markdown;
use polc_checker::message::{
    BodyKind, Message, Prefix, Subject, TrailerSyntax, VerbForm, not_imperative, verb_form,
};
use polc_testkit::{TestRepository, repository::command, shared};
use proptest::prelude::*;
use std::io::Write;
use std::process::Stdio;

fn listed(message: &str) -> Vec<String> {
    listed_as(message, &TrailerSyntax::default())
}

fn listed_as(message: &str, syntax: &TrailerSyntax<'_>) -> Vec<String> {
    Message::new(message)
        .trailers_as(syntax)
        .into_iter()
        .map(|trailer| format!("{}: {}", trailer.name, trailer.value))
        .collect()
}

/// What git lists.
fn by_git(repository: &TestRepository, message: &str) -> Vec<String> {
    by_git_as(repository, message, &["--no-divider"], ":")
}

fn by_git_as(
    repository: &TestRepository,
    message: &str,
    arguments: &[&str],
    separators: &str,
) -> Vec<String> {
    let mut git = command(repository.path())
        .args(["-c", &format!("trailer.separators={separators}"), "interpret-trailers", "--parse"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    let output = git.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

fn ours_as(message: &str, syntax: &TrailerSyntax<'_>) -> Vec<String> {
    listed_as(message, syntax).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The hard case gd6, its part on messages.
#[test]
fn trailers_are_those_of_the_last_paragraph() {
    let Some(case) = shared::case("gd6") else { return };
    let message = Message::new(case["input"]["message"].as_str().unwrap());
    let expected: Vec<String> = case["expected"]["trailers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| format!("{}: {}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
        .collect();
    assert_eq!(listed(message.raw()), expected);
    assert_eq!(by_git(&TestRepository::new(), message.raw()), expected);
    assert_eq!(message.body_paragraphs().len() as u64, case["expected"]["body_paragraphs"].as_u64().unwrap());
    let only = Message::new(case["input"]["only_trailers"].as_str().unwrap());
    assert_eq!(only.body().join("\n"), case["expected"]["only_trailers_body"]);
    assert_eq!(only.trailer("assisted-by"), ["SomeTool:model-x"]);
}

#[test]
fn subject_and_body() {
    let message = Message::new("\nAdd a thing\nand more\n\nWhy.\n\nMore.\n\nRefs: #1\n");
    assert_eq!(message.first_line(), "Add a thing");
    assert_eq!(message.subject(), "Add a thing and more");
    assert_eq!(message.body_paragraphs(), ["and more", "Why.", "More."]);
    assert!(!message.is_parted_from_its_body());
    let bare = Message::new("Add a thing");
    assert!(bare.body().is_empty() && bare.is_parted_from_its_body() && bare.trailers().is_empty());
    let glued = Message::new("Add a thing\nthe body follows at once\n");
    assert_eq!(glued.body(), ["the body follows at once"]);
    assert!(Message::new("").first_line().is_empty());
}

const LINES: &[&str] = &[
    "",
    "",
    "",
    "Signed-off-by: A <a@b>",
    "Fixes: #1",
    "Fix it: now",
    "plain words",
    " folded",
    "\tfolded",
    "(cherry picked from commit 12)",
    "Key : v",
    "key:",
    ":",
    "no_key: x",
    "Refs:v",
    "# comment",
    "  ",
    "a b: c",
    "---",
    "--- ",
    "---x",
    "Conflicts:",
    "\tpath/of/conflict",
    "Key=v",
    "Key: v  ",
    "Key:\tv",
    " Key: v",
    "\r",
    "Key: v\r",
    "# ------------------------ >8 ------------------------",
    "Überschrift: x",
    "Signed-off-by:x",
    "Key: \u{a0}v",
    "\u{b}",
    "diff --git a/x b/x",
    "-: x",
    "1: x",
    "http://x",
    "Key:v: w",
    "  deep",
    "#: x",
    "Key#: y",
    "Key = v: w",
];

proptest! {
    // Git is asked each time, so it is asked less often.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]
    #[test]
    fn trailers_are_those_that_git_lists(
        subject in proptest::sample::select(vec!["Subject", "Subject: x", "# comment", "", "Signed-off-by: A"]),
        lines in proptest::collection::vec(proptest::sample::select(LINES), 0..12),
        end in proptest::sample::select(vec!["", "\n", "\n\n", "\n \n"]),
        has_divider in any::<bool>(),
        separators in proptest::sample::select(vec![":", ":=", "=", "#:"]),
    ) {
        thread_local! {
            static REPOSITORY: TestRepository = TestRepository::new();
        }
        let message = format!("{subject}\n{}{end}", lines.join("\n"));
        let arguments: &[&str] = if has_divider { &[] } else { &["--no-divider"] };
        let git = REPOSITORY.with(|repository| by_git_as(repository, &message, arguments, separators));
        // Git writes the first of its separators, we write a colon.
        let first = separators.chars().next().unwrap();
        let git: Vec<_> = git.iter().map(|line| line.replacen(first, ":", 1)).collect();
        let syntax = TrailerSyntax { separators, has_divider };
        let ours: Vec<_> = ours_as(&message, &syntax);
        prop_assert_eq!(ours, git, "{:?} {:?}", message, syntax);
    }
}

proptest! {
    #[test]
    fn any_message_reads(text in "\\PC*|[-#:\\[\\]a-zA-Z0-9 /`&;().\n\t]{0,200}") {
        let message = Message::new(text.clone());
        let count = text.split('\n').count();
        let known = [Prefix::Bracket, Prefix::Conventional, Prefix::Topic, Prefix::Issue];
        let subject = message.subject_line();
        let (prefixes, sentence) = (subject.prefixes(&known), subject.sentence(&known));
        prop_assert!(subject.text.ends_with(sentence));
        prop_assert!(prefixes.iter().map(|prefix| prefix.len()).sum::<usize>() + sentence.len() <= subject.text.len());
        let _form = subject.verb_form(&known);
        prop_assert!(subject.width() <= 2 * subject.length());
        prop_assert!(message.trailers().iter().all(|trailer| (1..=count).contains(&trailer.line)));
        prop_assert!(message.body_lines().iter().all(|line| text.split('\n').nth(line.line - 1).unwrap().trim_end() == line.text));
        for found in message.issues() {
            prop_assert!(text.split('\n').nth(found.line - 1).unwrap().contains(&found.text));
        }
    }
}

#[test]
fn the_form_of_a_verb_is_told_by_lists_and_endings() {
    let form = |words: &str, expected: VerbForm| {
        for word in words.split_whitespace() {
            assert_eq!(verb_form(word), expected, "{word}");
        }
    };
    form("Add fix Embed bring need process bypass focus exceed seed rework reopen", VerbForm::Imperative);
    form("Added fixed wrote written made ran rewrote undid Sped refactored stopped", VerbForm::Past);
    form("adds Fixes removes applies tries goes processes rewrites", VerbForm::ThirdPerson);
    form("adding Fixing running writing", VerbForm::Gerund);
    form("set reset put read cut let split docs tests this string everything Frobnicate", VerbForm::Unknown);
}

/// Each of the irregular pasts is known as one, and no base form as anything else.
#[test]
fn the_lists_of_verbs_do_not_contradict_each_other() {
    let source = include_str!("../../src/message/verb.rs");
    let list = |name: &str| {
        let behind = source.split(&format!("{name}: &str = \"")).nth(1).unwrap();
        behind.split('"').next().unwrap().split_whitespace().collect::<Vec<_>>()
    };
    let (pasts, bases) = (list("IRREGULAR_PASTS"), list("BASES"));
    assert!(pasts.len() >= 118 && bases.len() > 400, "{} {}", pasts.len(), bases.len());
    for past in &pasts {
        assert_eq!(verb_form(past), VerbForm::Past, "{past}");
        assert!(!bases.contains(past), "{past}");
    }
    for base in &bases {
        assert!(matches!(verb_form(base), VerbForm::Imperative | VerbForm::Unknown), "{base}");
    }
}

#[test]
fn prefixes_stand_before_the_sentence() {
    use Prefix::{Bracket, Conventional, Exact, Issue, Topic};
    for (line, known, prefixes, verb) in [
        ("ENH: Add a thing", &[Topic][..], vec!["ENH:"], Some("Add")),
        ("[MRG] DOC Add a thing", &[Bracket, Exact("DOC ")], vec!["[MRG]", "DOC"], Some("Add")),
        ("feat(cli)!: add a thing", &[Conventional], vec!["feat(cli)!:"], Some("add")),
        (
            "[5.2.x] Fixed #12 -- Added a thing.",
            &[Bracket, Issue],
            vec!["[5.2.x]", "Fixed #12 --"],
            Some("Added"),
        ),
        ("Refs #12, #13 -- Corrected", &[Issue], vec!["Refs #12, #13 --"], Some("Corrected")),
        ("net/http, url: fix it", &[Topic], vec!["net/http, url:"], Some("fix")),
        ("Add this: that", &[Topic], vec![], Some("Add")),
        ("#12", &[Issue], vec![], None),
    ] {
        let subject = Subject::new(line);
        assert_eq!(subject.prefixes(known), prefixes, "{line}");
        assert_eq!(subject.verb(known).filter(|verb| !verb.is_empty()), verb, "{line}");
    }
    let parts = Subject::new("feat(cli)!: add a thing").conventional().unwrap();
    assert_eq!(
        (parts.kind, parts.scope, parts.is_breaking, parts.description),
        ("feat", Some("cli"), true, "add a thing")
    );
    assert!(Subject::new("Add a thing").conventional().is_none());
    let wide = Subject::new("Füge 漢字 hinzu");
    assert_eq!((wide.length(), wide.width()), (13, 15));
}

#[test]
fn lines_of_a_body_are_told_apart() {
    let message = Message::new(
        "Add\n\nA line of prose\n> quoted\n    code\nsee https://a.example/x\n```\nx\n```\n\nRefs: #1\n",
    );
    let kinds: Vec<_> = message.body_lines().iter().map(|line| (line.line, line.kind)).collect();
    use BodyKind::{Code, Link, Prose, Quoted};
    assert_eq!(kinds, [(3, Prose), (4, Quoted), (5, Code), (6, Link), (7, Code), (8, Code), (9, Code)]);
    assert_eq!(message.overlong(10).iter().map(|line| line.line).collect::<Vec<_>>(), [3]);
    assert_eq!(message.trailers()[0].line, 11);
}

#[test]
fn issues_are_referred_to_in_the_forms_that_are_linked() {
    let refs = |text: &str| {
        let found = issue::in_text(text);
        found
            .into_iter()
            .map(|found| {
                (found.repository.unwrap_or_default(), found.number, found.keyword.unwrap_or_default())
            })
            .collect::<Vec<_>>()
    };
    let one = |repository: &str, number: u64, keyword: &str| {
        vec![(repository.to_owned(), number, keyword.to_owned())]
    };
    for (text, expected) in [
        ("see #1", one("", 1, "")),
        ("(#1)", one("", 1, "")),
        ("GH-12, of course", one("", 12, "")),
        ("zoo/ark.x#12.", one("zoo/ark.x", 12, "")),
        ("Fixes: zoo/ark#12", one("zoo/ark", 12, "Fixes")),
        ("closes https://code.example/zoo/ark/issues/12#note", one("zoo/ark", 12, "closes")),
        ("https://code.example/zoo/ark/pull/12/files", one("zoo/ark", 12, "")),
        ("resolved GH-3", one("", 3, "resolved")),
        ("**Fixes #3**", one("", 3, "Fixes")),
    ] {
        assert_eq!(refs(text), expected, "{text}");
    }
    for text in [
        "C#1",
        "&#39;",
        "`#1`",
        "``a `#1` b``",
        "#1a",
        "a/b/c#1",
        "#",
        "x#1",
        "```\n#1\n```",
        "https://a.example/#1",
        "prefixes",
    ] {
        assert_eq!(refs(text), [], "{text}");
    }
    assert_eq!(refs("fixes #1, #2\nand `a` #3").len(), 3);
    assert_eq!(refs("a `lone #1").len(), 1, "what is not closed is no code");
    let body = "<!-- Fixes #1 -->\nFixes #2 <!-- #3 -->\n\n    #4\n\n```\n#5\n```\n";
    let found = issue::in_markdown(&Markdown::new(body));
    assert_eq!(
        found.iter().map(|found| (found.number, found.line, found.closes())).collect::<Vec<_>>(),
        [(2, 2, true)]
    );
}

#[test]
fn a_first_word_in_another_mood_is_named_and_an_imperative_is_not() {
    for line in ["Added a thing", "Adds a thing", "`Adding` a thing", "mended: it"] {
        assert!(not_imperative(line).is_some(), "{line}");
    }
    for line in ["Add a thing", "Embed it", "Pass the root", "Proceed", "Canvas", "", "#12"] {
        assert_eq!(not_imperative(line), None, "{line}");
    }
    assert_eq!(not_imperative("cli: Adds a thing"), None, "only the first word counts");
    assert_eq!(not_imperative("`Adds` it"), Some("Adds"));
}
