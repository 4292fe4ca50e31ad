use polc_checker::message::{Message, not_imperative};
use polc_testkit::{TestRepository, repository::command, shared};
use proptest::prelude::*;
use std::io::Write;
use std::process::Stdio;

fn listed(message: &str) -> Vec<String> {
    Message::new(message)
        .trailers()
        .into_iter()
        .map(|trailer| format!("{}: {}", trailer.name, trailer.value))
        .collect()
}

/// What git lists.
fn by_git(repository: &TestRepository, message: &str) -> Vec<String> {
    let mut git = command(repository.path())
        .args(["interpret-trailers", "--parse", "--no-divider"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(message.as_bytes()).unwrap();
    let output = git.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

fn ours(message: &str) -> Vec<String> {
    listed(message).into_iter().map(|line| line.trim_end().to_owned()).collect()
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn trailers_are_those_that_git_lists(
        lines in proptest::collection::vec(
            proptest::sample::select(vec![
                "", "", "Signed-off-by: A <a@b>", "Fixes: #1", "Fix it: now", "plain words", " folded", "\tfolded",
                "(cherry picked from commit 12)", "Key : v", "key:", ":", "no_key: x", "Refs:v", "# comment", "  ", "a b: c",
            ]),
            0..12,
        )
    ) {
        thread_local! {
            static REPOSITORY: TestRepository = TestRepository::new();
        }
        let message = format!("Subject\n{}\n", lines.join("\n"));
        let git = REPOSITORY.with(|repository| by_git(repository, &message));
        prop_assert_eq!(ours(&message), git, "{:?}", message);
    }
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
