//! Readers that others wrote, asked through Python.

use polc_testkit::shared;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Every file below the sites whose name has one of these endings.
pub(crate) fn files_that_end_in(endings: &[&str]) -> Vec<PathBuf> {
    let Some(sites) = shared::shared("sites") else { return Vec::new() };
    let ends = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        endings.iter().any(|ending| name.ends_with(ending))
    };
    shared::files_below(&sites).into_iter().filter(ends).collect()
}

/// What a script says of each file; nothing, loudly, where Python lacks what it needs.
pub(crate) fn ask(
    script: &str,
    module: &str,
    paths: &[PathBuf],
    environment: &[(&str, String)],
) -> Option<Vec<Value>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/oracle").join(script);
    let has =
        Command::new("python3").args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        shared::skip(&format!("no python3 with {module}"));
        return None;
    }
    let mut python = Command::new("python3")
        .arg(script)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = python.stdin.take().unwrap();
    let list: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
    let writer = std::thread::spawn(move || stdin.write_all(list.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), paths.len());
    Some(answers)
}

/// Says which facts of which files differ.
pub(crate) fn assert_same(paths: &[PathBuf], theirs: &[Value], facts: impl Fn(&str) -> Value) {
    let mut differences = Vec::new();
    for (path, theirs) in paths.iter().zip(theirs) {
        assert!(theirs.get("error").is_none(), "{}: {theirs}", path.display());
        let ours = facts(&std::fs::read_to_string(path).unwrap().replace('\r', ""));
        for (fact, ours) in ours.as_object().unwrap().iter().filter(|(fact, ours)| **ours != theirs[*fact]) {
            differences.push(format!(
                "{fact} {}\n  ours   {ours}\n  theirs {}",
                path.display(),
                theirs[fact]
            ));
        }
    }
    assert!(differences.is_empty(), "{} facts differ:\n{}", differences.len(), differences.join("\n"));
}
