//! What is recognised in the runs that others published.

use polc_checker::activity::{Deed, Root, Work};
use polc_checker::evidence::Step;
use polc_evidence::adapter::Adapter;
use polc_evidence::sample::Sample;
use polc_testkit::shared::{files_below, shared};
use std::collections::BTreeMap;
use std::fmt::Write;

const fn kind(deed: &Deed) -> &'static str {
    match deed {
        Deed::Test(_) => "tests",
        Deed::Check(_) => "checks",
        Deed::Edit(_) => "edits",
        Deed::Read(_) => "reads",
        Deed::Fetch(_) => "fetches",
        Deed::Install(_) => "installs",
        Deed::Commit(_) => "commits",
        Deed::Push(_) => "pushes",
        Deed::Stage(_) => "stages",
        Deed::Branch(_) => "branches",
        Deed::Rewrite(_) => "rewrites",
        Deed::Propose(_) => "proposals",
    }
}

/// The steps of every sample that has any.
fn samples() -> Option<Vec<(String, Vec<Step>)>> {
    let folder = shared("runs")?;
    let mut samples = Vec::new();
    for path in files_below(&folder) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(adapter) = Adapter::looking(&Sample::of(&text)) else { continue };
        let Ok(transcript) = adapter.read(&text) else { continue };
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        samples.push((name, transcript.steps));
    }
    Some(samples)
}

#[test]
fn each_sample_has_the_activities_that_were_counted_in_it() {
    let Some(samples) = samples() else { return };
    let mut table = String::new();
    for (name, steps) in samples {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for activity in steps.iter().flat_map(Step::activities) {
            *count.entry(kind(&activity.deed)).or_default() += 1;
        }
        let whole = steps.iter().filter_map(Step::script).filter(|script| script.is_whole()).count();
        let scripts = steps.iter().filter_map(Step::script).count();
        let count: Vec<String> = count.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
        writeln!(table, "{name}: {whole} of {scripts} scripts; {}", count.join(", ")).unwrap();
    }
    insta::assert_snapshot!(table);
}

/// The one whole run of the benchmark, activity by activity.
#[test]
fn a_run_of_the_benchmark_is_read_as_a_person_reads_it() {
    let Some(samples) = samples() else { return };
    let (_, steps) = samples.iter().find(|(name, _)| name.contains("sympy__sympy-11618-native")).unwrap();
    let work = Work::of(steps, Root::Guessed);
    assert_eq!(work.root(), Some("/testbed"));
    let mut told = String::new();
    for run in work.tests() {
        writeln!(told, "{} {:?} {:?}", run.at.step, run.deed.runner, run.deed.result).unwrap();
    }
    insta::assert_snapshot!(told);
}
