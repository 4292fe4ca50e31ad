//! Test data that lives beside the checkout, not in it: real documents and hard cases.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A path below the shared data, or a loud SKIP where there is none.
///
/// The data is looked for in the folder that `POLC_SHARED` names, else in `shared` beside the
/// checkout. Standard error is written to directly, so that the test harness does not swallow it.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("POLC_SHARED").map_or(beside, PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("no `{path}` in the shared data (set POLC_SHARED)"));
    None
}

/// Says that the test at hand is not run, and why.
pub fn skip(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _written = writeln!(std::io::stderr(), "SKIP {test}: {why}");
}

/// The hard case with an id.
pub fn case(id: &str) -> Option<Value> {
    let path = shared("cases/cases.jsonl")?;
    let text = std::fs::read_to_string(path).expect("the cases can be read");
    let case = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a case is JSON"))
        .find(|case| case["id"] == id);
    Some(case.unwrap_or_else(|| panic!("no case `{id}`")))
}

/// Every file below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
