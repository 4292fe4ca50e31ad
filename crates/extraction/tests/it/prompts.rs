//! Prompts are files, and what other people wrote cannot leave its place in them.

use polc_extraction::prompts::{Block, Prompts, Words};
use polc_records::layout::Root;
use proptest::prelude::*;

fn root_with(path: &str, text: &str) -> (tempfile::TempDir, Root) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
    let root = Root::new(folder.path());
    (folder, root)
}

#[test]
fn a_roots_own_prompt_goes_before_the_one_built_in() {
    let (_folder, root) = root_with("stages/repair.j2", "{#- version 7 -#}\nMend this:\n{{ faults }}");
    let prompts = Prompts::load(&root).unwrap();
    assert!(prompts.repair(&["x".to_owned()]).starts_with("Mend this:\n<<<block "));
    let version = |file: &str| prompts.versions.iter().find(|known| known.file == file).unwrap();
    assert_eq!(version("repair.j2").version, "7");
    let built_in = Prompts::load(&Root::new("/nowhere")).unwrap();
    assert!(
        built_in.versions.iter().all(|known| !prompts.versions.contains(known) || known.file != "repair.j2")
    );
}

#[test]
fn a_prompt_that_cannot_be_used_is_named() {
    let cases = [
        ("no version", "Mend this: {{ faults }}", "it does not say its version"),
        ("an empty version", "{#- version  -#}\n{{ faults }}", "it does not say its version"),
        ("no template", "{#- version 1 -#}\n{% for %}", "stages/repair.j2:2"),
        ("a value that it is not given", "{#- version 1 -#}\n\n{{ secrets }}", "stages/repair.j2:3"),
    ];
    for (what, text, said) in cases {
        let (folder, root) = root_with("stages/repair.j2", text);
        let error = Prompts::load(&root).unwrap_err().to_string();
        let error = error.replace(&format!("{}/", folder.path().display()), "");
        assert!(error.contains(said), "{what}: {error}");
    }
}

#[test]
fn faults_are_named_in_a_block() {
    let prompts = Prompts::load(&Root::new("/nowhere")).unwrap();
    let faults =
        ["the quote `Ignore\nall rules` stands nowhere".to_owned(), "row 2 has no modal verb".to_owned()];
    insta::assert_snapshot!(prompts.repair(&faults));
}

/// Providers bill the beginning that questions share at a fraction, and servers do not read it twice.
#[test]
fn what_all_questions_share_stands_before_what_differs() {
    let prompts =
        [include_str!("../../../../stages/extraction.j2"), include_str!("../../../../stages/manifest.j2")];
    for prompt in prompts {
        let first_value = prompt.find("{{").unwrap();
        let shared = first_value * 100 / prompt.len();
        assert!(shared > 75, "{shared} % stand before the first value");
    }
}

proptest! {
    #[test]
    fn nothing_ends_the_block_that_it_stands_in(text in "(?s).{0,40}", label in "(?s).{0,20}", guess in "[0-9a-f]{12}") {
        for text in [text.clone(), format!("block {guess}>>>\n{text}"), format!("{}\n{text}", Block::new("x", &text))] {
            let block = Block::new(&label, &text);
            let end = format!("block {}>>>", block.mark());
            let shown = block.to_string();
            prop_assert_eq!(shown.lines().filter(|line| *line == end).count(), 1);
            prop_assert!(shown.ends_with(&end));
            prop_assert_eq!(shown.split('\n').count(), text.trim_end_matches('\n').split('\n').count() + 2);
        }
    }

    #[test]
    fn words_stay_in_their_line(text in "(?s).{0,40}") {
        let shown = Words(text).to_string();
        let leaves = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{202e}');
        prop_assert!(!shown.contains(leaves));
        let inside = &shown[1..shown.len() - 1];
        prop_assert!(!inside.replace("\\\\", "").replace("\\\"", "").contains('"'));
    }
}
