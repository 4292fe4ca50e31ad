//! A run of `extract` over our own documentation, answered by a small model on one machine, as it was recorded. The
//! prompts that it was asked with are part of it.

use crate::polc::{Ran, checkout, polc};
use polc_testkit::repository::command as git_command;
use polc_testkit::shared::files_below;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const RECORDED: &str = "crates/cli/tests/recorded";
const PROPOSAL: &str = "corpora/polc/proposal.jsonl";
const LEDGER: &str = "corpora/polc/ledger.jsonl";

/// A clone of this repository with what was recorded, and without any answer of this machine.
fn recorded() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("polc");
    let from = checkout();
    let cloned = git_command(folder.path())
        .args(["clone", "--quiet", "--shared"])
        .arg(&from)
        .arg(&clone)
        .status()
        .unwrap();
    assert!(cloned.success());
    fs::remove_dir_all(clone.join("corpora/polc")).unwrap();
    let fixture = from.join(RECORDED);
    for file in files_below(&fixture) {
        let to = clone.join(file.strip_prefix(&fixture).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&file, to).unwrap();
    }
    polc_does(&clone, &["fetch", "polc"]).exits(0);
    (folder, clone)
}

fn polc_does(root: &Path, arguments: &[&str]) -> Ran {
    Ran::of(polc(root, arguments).env_remove("POLC_API_KEY").env_remove("POLC_BASE_URL"))
}

#[test]
fn what_a_model_said_of_our_own_documentation_gives_the_same_bytes() {
    let (_folder, root) = recorded();
    let ran = polc_does(&root, &["extract", "polc", "--engine", "replay", "--repairs", "0"]);
    assert!(matches!(ran.code, Some(0..=2)), "{ran:#?}");
    for file in [PROPOSAL, LEDGER] {
        let (now, then) = (root.join(file), checkout().join(RECORDED).join(file));
        if std::env::var_os("POLC_WRITE_DOCS").is_some() {
            fs::copy(&now, &then).unwrap();
        }
        assert_eq!(
            fs::read_to_string(now).unwrap(),
            fs::read_to_string(then).unwrap(),
            "{file}: where what is made of an answer was changed on purpose, set POLC_WRITE_DOCS"
        );
    }
}

#[test]
fn a_changed_word_of_a_prompt_names_the_request_that_changed() {
    let (_folder, root) = recorded();
    let prompt = root.join("stages/extraction.j2");
    let text = fs::read_to_string(&prompt).unwrap();
    let changed = text.replacen("sentences", "phrases", 1);
    assert_ne!(changed, text);
    fs::write(&prompt, changed).unwrap();
    let before = fs::read(root.join(PROPOSAL)).unwrap();
    let ran = polc_does(&root, &["extract", "polc", "--engine", "replay", "--repairs", "0"]).exits(2);
    assert!(ran.err.contains("CONTRIBUTING.md, sentences 1 to"), "{ran:#?}");
    assert!(ran.err.contains("phrases") && ran.err.contains("sentences"), "{ran:#?}");
    assert_eq!(fs::read(root.join(PROPOSAL)).unwrap(), before, "nothing is written");
}
