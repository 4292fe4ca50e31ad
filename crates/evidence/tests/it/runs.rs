//! The released run, whole, against what the released checkers said of it.

use polc_checker::evidence::{Absence, Content, Evidence, FileChange, Part, Setting, Step};
use polc_evidence::run::{Options, Remark, RunRead, find_runs, read_run};
use polc_evidence::sections::{Sections, log, status, values};
use polc_testkit::shared;
use serde_json::Value;
use std::path::Path;

const RELEASED: &str = "runs/swe-cc/examples/sympy__sympy-11618-native";

fn recorded<T>(part: &Part<T>) -> &T {
    match part {
        Part::Recorded(value) => value,
        Part::Missing(absence) => panic!("{}", absence.as_str()),
    }
}

fn read(path: &Path, options: &Options) -> RunRead {
    let places = find_runs(&[path]).unwrap();
    assert_eq!(places.len(), 1, "{places:?}");
    read_run(&places[0], options).unwrap()
}

/// The rows that the released checkers gave for the released run.
fn released_rows() -> Option<Vec<Value>> {
    let path = shared::shared(&format!("{RELEASED}/expected_rows.jsonl"))?;
    let text = std::fs::read_to_string(path).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn commands(evidence: &Evidence) -> Vec<&str> {
    recorded(&evidence.steps).iter().filter_map(Step::command).collect()
}

#[test]
fn the_released_run_says_which_run_it_is() {
    let (Some(path), Some(rows)) = (shared::shared(RELEASED), released_rows()) else { return };
    let RunRead { evidence, remarks } = read(&path, &Options::default());
    let run = &evidence.run;
    let row = &rows[0];
    assert_eq!(run.project, "sympy");
    assert_eq!(run.instance.as_deref(), row["instance_id"].as_str());
    assert_eq!(run.model.as_deref(), row["model"].as_str());
    assert_eq!(run.scaffold.as_deref(), row["framework"].as_str());
    assert_eq!(run.attempt.map(u64::from), row["attempt_n"].as_u64());
    assert_eq!(run.base.as_deref(), row["base_commit"].as_str());
    assert_eq!((row["condition"].as_str(), run.setting), (Some("naive"), Setting::Native));
    assert_eq!(run.start.as_deref(), Some("5d04139ee3094b08aac0c68148d56708936d2b13"), "not the base");
    assert_eq!(run.head.as_deref(), Some("b40ce1eb1dd0a14a609fdb58ac385bcbcf2bfe3f"));
    assert_eq!((run.branch.as_deref(), run.ending.as_deref()), (Some("master"), Some("Submitted")));
    // The copy at hand is a transcription: its digest is not that of the file that was graded.
    assert_eq!(row["run_id"], "sympy__sympy-11618:f49728c0bc66");
    assert_eq!(run.id, "sympy__sympy-11618:e597d208682e");
    assert_eq!(remarks, [Remark::NoClone { files: 2 }]);
}

#[test]
fn the_released_run_has_its_steps_in_order() {
    let (Some(path), Some(rows)) = (shared::shared(RELEASED), released_rows()) else { return };
    let evidence = read(&path, &Options::default()).evidence;
    let steps = recorded(&evidence.steps);
    let commands = commands(&evidence);
    assert_eq!((steps.len(), commands.len()), (31, 31));
    assert_eq!(commands[0], "cd /testbed && ls -la && git log --oneline -5");
    assert!(commands[1].starts_with("cd /testbed && cat /opt/collect.sh"));
    assert_eq!(steps[..3].iter().map(|step| step.turn).collect::<Vec<_>>(), [Some(1), Some(1), Some(2)]);
    // `command:28:add` counts commands from 0, through all turns.
    let target = rows.iter().find(|row| row["rule_id"] == "SYMPY-C014").unwrap()["targets"][0].clone();
    assert_eq!(target["key"], "command:28:add");
    assert!(commands[28].starts_with(target["snippet"].as_str().unwrap()), "{}", commands[28]);
    assert_eq!(steps[28].turn, Some(28));
    // The wrapper is gone, and nothing else.
    let output = |at: usize| steps[at].output.as_ref().unwrap();
    assert_eq!(output(2).text, "sympy/geometry/point.py\n237:    def distance(self, p):\n");
    assert_eq!((output(19).text.as_str(), steps[19].exit), ("", Some(0)));
    let masked = "/opt/miniconda3/envs/testbed/bin/python: No module named pytest\n";
    assert_eq!((output(20).text.as_str(), steps[20].exit), (masked, Some(0)), "`| tail` masks the exit code");
    assert_eq!((output(10).text.as_str(), steps[10].exit), ("[1, 0, 2]\n", Some(1)));
    assert!(steps.iter().all(|step| step.output.as_ref().is_none_or(|output| !output.truncated)));
    // The command that hands in the work has the code -1, and did not fail.
    assert!(commands[30].contains("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"));
    assert_eq!((&steps[30].output, steps[30].exit), (&None, None));
}

#[test]
fn the_released_run_has_its_commit_and_its_files() {
    let (Some(path), Some(rows)) = (shared::shared(RELEASED), released_rows()) else { return };
    let evidence = read(&path, &Options::default()).evidence;
    let commits = recorded(&evidence.commits);
    assert_eq!(commits.len(), 1);
    let commit = &commits[0];
    let target = rows.iter().find(|row| row["rule_id"] == "SYMPY-C013").unwrap()["targets"][0].clone();
    assert_eq!(target["key"], format!("commit:{}", commit.id));
    assert_eq!(target["snippet"], commit.message.subject());
    assert_eq!(commit.parents, ["5d04139ee3094b08aac0c68148d56708936d2b13"]);
    assert_eq!(
        commit.author.as_ref().map(|author| (author.name.as_str(), author.email.as_str())),
        Some(("mini-swe-agent-bot", "mini-swe-agent-bot@example.com"))
    );
    assert!(commit.message.is_parted_from_its_body() && commit.message.trailers().is_empty());
    assert_eq!(commit.message.body_paragraphs().len(), 2);
    assert!(commit.message.raw().ends_with("before computing the distance.\n"));
    let paths = ["sympy/geometry/point.py", "sympy/geometry/tests/test_point.py"];
    assert_eq!(commit.paths.as_deref().unwrap(), paths);
    assert_eq!(recorded(&evidence.status), &[], "a clean tree was recorded");

    let files = recorded(&evidence.files);
    assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), paths);
    assert_eq!(recorded(&evidence.worktree), files, "all of it is committed");
    let authored = |file: &FileChange| file.diff().unwrap().authored().iter().copied().collect::<Vec<_>>();
    assert_eq!(authored(&files[0]), [14, 269, 270, 271, 272, 273, 274, 275]);
    assert_eq!(authored(&files[1]), [44, 45, 46, 47, 48]);
    assert!(files[0].diff().unwrap().anchors().is_empty());
    assert_eq!((&files[0].base, &files[0].head), (&Content::NotRecorded, &Content::NotRecorded));
    let two =
        rows.iter().find(|row| row["rule_id"] == "SYMPY-C001").unwrap()["targets"][0]["snippet"].clone();
    assert_eq!(two, "2 Python file(s) in the contribution");
}

#[test]
fn the_released_run_has_its_pull_request_and_its_probe() {
    let Some(path) = shared::shared(RELEASED) else { return };
    let evidence = read(&path, &Options::default()).evidence;
    let request = recorded(&evidence.pull_request);
    assert_eq!(request.title, "", "a heading of the second level is no title");
    assert!(request.body.starts_with("## Summary\n\n`Point.distance` was computing"), "{}", request.body);
    assert!(request.body.ends_with("All `test_point`, geometry, and point doctests pass."));
    let probe = recorded(&evidence.probe);
    assert_eq!((probe.get("tool_ruff"), probe.get("repo_hooks_path")), (Some("missing"), Some("")));
    assert_eq!((probe.get("network_docs"), probe.get("no such")), (Some("ok"), None));
    let beside = std::fs::read_to_string(path.join("probe.txt")).unwrap();
    assert_eq!(probe, &values(&beside));
    assert_eq!(evidence.evaluation, Part::Missing(Absence::NotInThisRun));
    assert_eq!(evidence.tool_runs, Part::Missing(Absence::NotInThisRun));
}

#[test]
fn the_released_run_agrees_with_what_the_collect_script_printed() {
    let Some(path) = shared::shared(RELEASED) else { return };
    let evidence = read(&path, &Options::default()).evidence;
    let text = std::fs::read_to_string(path.join("collect.txt")).unwrap();
    let sections = Sections::of(&text).unwrap();
    assert_eq!(&log(sections.log.as_deref().unwrap()).unwrap(), recorded(&evidence.commits));
    assert_eq!(&status(sections.status.as_deref().unwrap()).unwrap(), recorded(&evidence.status));
    let committed = std::fs::read_to_string(path.join("patch_committed.diff")).unwrap();
    assert_eq!(sections.patch_committed.as_deref(), Some(committed.trim_end_matches('\n')));
    // As JSON it is the same again.
    let json = serde_json::to_string(&evidence).unwrap();
    assert_eq!(serde_json::from_str::<Evidence>(&json).unwrap(), evidence);
}

/// A released fixture whose committed patch and tree differ, and whose results have no ids.
#[test]
fn what_was_left_in_the_tree_is_not_the_contribution() {
    let Some(path) = shared::shared("runs/swe-cc/tests/fixtures/phase0_split_patch.traj.json") else {
        return;
    };
    let evidence = read(&path, &Options::default()).evidence;
    assert_eq!(commands(&evidence), ["git commit -F /tmp/m.txt"]);
    assert_eq!(recorded(&evidence.steps)[0].exit, Some(0));
    let paths = |part: &Part<Vec<FileChange>>| {
        recorded(part).iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths(&evidence.files), ["sympy/geometry/point.py"]);
    assert_eq!(paths(&evidence.worktree), ["reproduce.py", "sympy/geometry/point.py"]);
    assert_eq!(recorded(&evidence.worktree)[0].head_text(), Some("print(1)  # scratch\n"));
    assert_eq!(recorded(&evidence.files)[0].diff().unwrap().added().count(), 1);
    assert_eq!(recorded(&evidence.worktree)[1].diff().unwrap().added().count(), 2);
    let codes: Vec<(&str, &str)> =
        recorded(&evidence.status).iter().map(|entry| (entry.code.as_str(), entry.path.as_str())).collect();
    assert_eq!(codes, [(" M", "sympy/geometry/point.py"), ("??", "reproduce.py")]);
    let request = recorded(&evidence.pull_request);
    assert_eq!((request.title.as_str(), request.body.as_str()), ("Fixes distance.", ""));
}

/// Every sample is found and read, by what is in it.
#[test]
fn every_sample_reads_as_a_run() {
    let Some(folder) = shared::shared("runs") else { return };
    let places = find_runs(&[&folder]).unwrap();
    assert_eq!(find_runs(&[&folder]).unwrap(), places, "the same order again");
    let named = Options { project: Some("zoo".to_owned()), ..Options::default() };
    let mut read = Vec::new();
    for place in &places {
        // Only samples of a benchmark name a task.
        let run = read_run(place, &Options::default()).or_else(|_| read_run(place, &named));
        let RunRead { evidence, remarks } = run.unwrap_or_else(|error| panic!("{error}"));
        let path = place.path().strip_prefix(&folder).unwrap().display().to_string();
        let count = |part: &Part<Vec<FileChange>>| match part {
            Part::Recorded(files) => Some(files.len()),
            Part::Missing(_) => None,
        };
        let files = count(&evidence.files).map_or("no".to_owned(), |count| count.to_string());
        let remarks: String = remarks.iter().map(|remark| format!("\n    {remark}")).collect();
        let (run, steps) = (evidence.run, recorded(&evidence.steps).len());
        let scaffold = run.scaffold.unwrap_or_default();
        read.push(format!(
            "{path}\n    {}, {scaffold}: {steps} steps, {files} files{remarks}\n",
            run.project
        ));
    }
    insta::assert_snapshot!(read.concat());
}
