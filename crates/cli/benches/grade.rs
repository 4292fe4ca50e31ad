//! How fast stored runs are graded: copies of the released run, as its scaffold wrote it, by our own checkers.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use divan::counter::ItemsCount;
use polc_testkit::shared::shared;
use std::path::Path;
use std::process::Command;

fn main() {
    divan::main();
}

/// From files to rows, with the crate built before.
#[divan::bench(args = [100, 1000], sample_count = 3)]
fn runs(bencher: divan::Bencher<'_, '_>, copies: usize) {
    let Some(run) = shared("runs/swe-cc/examples/sympy__sympy-11618-native") else { return };
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    for number in 0..copies {
        std::os::unix::fs::symlink(&run, folder.path().join(number.to_string())).unwrap();
    }
    let grade = || {
        let mut polc = Command::new(env!("CARGO_BIN_EXE_polc"));
        polc.arg("--root").arg(&checkout).args(["--quiet", "grade", "polc"]).arg(folder.path());
        assert!(polc.arg("--output").arg(folder.path().join("rows.jsonl")).status().unwrap().success());
    };
    grade();
    bencher.counter(ItemsCount::new(copies)).bench(grade);
}
