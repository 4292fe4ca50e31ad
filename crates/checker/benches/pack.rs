//! How fast a pack grades one run: the forty checkers of the tests, again and again until there are as many as the
//! released checkers of one run were. The run is the first line of the file that `POLC_EVIDENCE` names: a line of evidence
//! with its texts in it, as a pack of checkers reads it. To have targets, its package lies below `kiln`.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]
#![expect(unreachable_pub, reason = "as in a crate of checkers")]

use divan::Bencher;
use divan::counter::ItemsCount;
use polc_checker::evidence::Evidence;
use polc_checker::outcome::Graded;
use polc_checker::pack::{Blunt, Entry};
use polc_testkit::shared::skip;

#[path = "../tests/it/pack40/pack.rs"]
mod pack;

/// So many checkers graded the released run.
const CHECKERS: usize = 142;

fn main() {
    divan::main();
}

/// The run, as it goes into a pack of checkers.
fn line() -> Option<String> {
    let Some(path) = std::env::var_os("POLC_EVIDENCE") else {
        skip("POLC_EVIDENCE names no file with a line of evidence");
        return None;
    };
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().next().map(str::to_owned)
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    pack::PACK.entries.iter().cycle().take(CHECKERS)
}

#[inline(never)]
fn grade(evidence: &Evidence) -> Vec<Graded> {
    entries().map(|entry| entry.grade(evidence, Blunt::None)).collect()
}

/// All that is derived from the evidence is there already.
#[divan::bench]
fn warm(bencher: Bencher<'_, '_>) {
    let Some(line) = line() else { return };
    let evidence = Evidence::from_line(&line).unwrap();
    grade(&evidence);
    bencher.counter(ItemsCount::new(CHECKERS)).bench_local(|| grade(&evidence));
}

/// Differences, trees and layouts are derived on the way.
#[divan::bench]
fn cold(bencher: Bencher<'_, '_>) {
    let Some(line) = line() else { return };
    let read = || Evidence::from_line(&line).unwrap();
    bencher.counter(ItemsCount::new(CHECKERS)).with_inputs(read).bench_local_refs(|evidence| grade(evidence));
}

/// From the line of JSON to lines of JSON.
#[divan::bench]
fn end_to_end(bencher: Bencher<'_, '_>) {
    let Some(line) = line() else { return };
    bencher.counter(ItemsCount::new(CHECKERS)).bench_local(|| {
        let evidence = Evidence::from_line(&line).unwrap();
        grade(&evidence).iter().map(|graded| serde_json::to_string(graded).unwrap()).collect::<Vec<_>>()
    });
}

/// One checker after another, warm.
#[divan::bench(args = pack::PACK.entries.iter().map(|entry| entry.declaration.rule))]
fn each(bencher: Bencher<'_, '_>, rule: &str) {
    let Some(line) = line() else { return };
    let evidence = Evidence::from_line(&line).unwrap();
    let entry = pack::PACK.entries.iter().find(|entry| entry.declaration.rule == rule).unwrap();
    entry.grade(&evidence, Blunt::None);
    bencher.bench_local(|| entry.grade(&evidence, Blunt::None));
}
