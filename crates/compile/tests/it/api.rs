//! The summary of the runtime for those who write checkers.

use polc_compile::api::summary;
use std::path::Path;

/// With `POLC_WRITE_DOCS=1` the page is written anew.
#[test]
fn the_summary_of_the_runtime_is_what_its_comments_say() {
    let page = summary().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stages/checker-api.md");
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "run this test with POLC_WRITE_DOCS=1, and read what has changed");
    // Four bytes of English and code are about a token.
    assert!(page.len() / 4 < 18_000, "{} bytes are too many for a prompt", page.len());
    for must in ["lines_written(", "`struct Message`", "python(&self", "`enum Judgement`", "is_owned("] {
        assert!(page.contains(must), "no {must}");
    }
}
