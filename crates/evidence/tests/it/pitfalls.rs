//! Runs that are easy to misread, each made up for one way to do so.

use polc_checker::evidence::{Absence, Action, Content, Evidence, FileChange, Part, Setting, Step};
use polc_evidence::adapter::Adapter;
use polc_evidence::reports::Class;
use polc_evidence::run::{Options, Remark, RunError, RunRead, find_runs, read_run};
use polc_testkit::TestRepository;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PATCH: &str = "diff --git a/seal.py b/seal.py\nindex 1..2 100644\n--- a/seal.py\n+++ b/seal.py\n\
                     @@ -1,2 +1,2 @@\n def feed():\n-    fish()\n+    herring()\n";

/// A folder with files of runs.
struct Runs(TempDir);

impl Runs {
    fn new() -> Self {
        Runs(tempfile::tempdir().unwrap())
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.0.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, content).unwrap();
        file
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

/// A run of mini-swe-agent in its newer format: the messages, and what was handed in.
fn mini(messages: &[Value], submission: &str) -> Value {
    json!({
        "trajectory_format": "mini-swe-agent-1.1",
        "instance_id": "zoo__ark-1",
        "info": {
            "exit_status": "Submitted",
            "submission": submission,
            "config": {"model": {"model_name": "vendor/walrus-1"}},
        },
        "messages": messages,
    })
}

fn prompt() -> Value {
    json!({"role": "user", "content": "Feed the seal. Begin with the exact line `PR SUBMISSION:`.\n\nPR SUBMISSION:\n"})
}

fn asks(said: &str, commands: &[(&str, &str)]) -> Value {
    let actions: Vec<Value> =
        commands.iter().map(|(id, command)| json!({"command": command, "tool_call_id": id})).collect();
    json!({"role": "assistant", "content": said, "extra": {"actions": actions}})
}

fn answers(id: &str, code: i32, output: &str) -> Value {
    let content = format!("<returncode>{code}</returncode><output>\n{output}</output>");
    json!({"role": "tool", "tool_call_id": id, "content": content, "extra": {"returncode": code}})
}

fn short(submission: &str) -> Value {
    mini(&[prompt(), asks("I look.", &[("1", "ls")]), answers("1", 0, "seal.py\n")], submission)
}

fn read_at(path: &Path, options: &Options) -> Result<RunRead, RunError> {
    let places = find_runs(&[path])?;
    assert_eq!(places.len(), 1, "{places:?}");
    read_run(&places[0], options)
}

fn read(path: &Path) -> RunRead {
    read_at(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn read_value(run: &Value) -> RunRead {
    let runs = Runs::new();
    read(&runs.write("run.traj.json", run.to_string()))
}

fn recorded<T>(part: &Part<T>) -> &T {
    match part {
        Part::Recorded(value) => value,
        Part::Missing(absence) => panic!("{}", absence.as_str()),
    }
}

fn steps(run: &Value) -> Vec<Step> {
    recorded(&read_value(run).evidence.steps).clone()
}

fn text(step: &Step) -> Option<&str> {
    step.output.as_ref().map(|output| output.text.as_str())
}

fn paths(part: &Part<Vec<FileChange>>) -> Vec<&str> {
    recorded(part).iter().map(|file| file.path.as_str()).collect()
}

// 1: the wrong adapter.

#[test]
fn an_adapter_that_does_not_fit_is_refused_with_the_keys_and_the_one_that_does() {
    let runs = Runs::new();
    let path = runs.write("run.traj.json", short(PATCH).to_string());
    for adapter in
        [Adapter::Plain, Adapter::SweAgent, Adapter::OpenHands, Adapter::Codex, Adapter::ClaudeCode]
    {
        let options = Options { adapter: Some(adapter), ..Options::default() };
        let error = read_at(&path, &options).unwrap_err().to_string();
        assert!(error.contains("messages") && error.contains("trajectory_format"), "{error}");
        assert!(error.contains("it looks like mini-swe-agent"), "{error}");
    }
    let plain = runs.write("plain.json", json!({"instance_id": "zoo__ark-1", "steps": []}).to_string());
    let options = Options { adapter: Some(Adapter::MiniSweAgent), ..Options::default() };
    let error = read_at(&plain, &options).unwrap_err().to_string();
    assert!(error.contains("missing field `messages`") && error.contains("it looks like plain"), "{error}");
    let unknown = runs.write("other.json", "{\"turns\": [], \"agent\": 1}");
    let error = read_at(&unknown, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("found: agent, turns") && error.contains("mini-swe-agent, openhands"), "{error}");
    let broken = runs.write("broken.json", "{\"messages\": [\n{]}");
    let options = Options { adapter: Some(Adapter::MiniSweAgent), ..Options::default() };
    let error = read_at(&broken, &options).unwrap_err().to_string();
    assert!(error.contains("line 2, column 2: this is not JSON"), "{error}");
}

#[test]
fn a_run_without_a_step_is_refused_unless_it_says_how_it_ended() {
    let runs = Runs::new();
    let mut talk = mini(&[prompt(), json!({"role": "assistant", "content": "I cannot."})], "");
    talk["info"]["exit_status"] = json!("RepeatedFormatError");
    let evidence = read_value(&talk).evidence;
    assert_eq!((recorded(&evidence.steps).len(), paths(&evidence.worktree).len()), (0, 0));
    for ending in [json!(""), Value::Null] {
        talk["info"]["exit_status"] = ending;
        let path = runs.write("run.traj.json", talk.to_string());
        let error = read_at(&path, &Options::default()).unwrap_err();
        assert!(matches!(error, RunError::NoSteps { .. }), "{error}");
        assert!(error.to_string().contains("found: info, instance_id, messages"), "{error}");
    }
}

const HOME: &str = "runs/zoo/mini-swe-agent/walrus-1/zoo__ark-1/guided/attempt3";

#[test]
fn the_folders_above_a_run_choose_the_adapter_and_say_what_the_run_does_not() {
    let runs = Runs::new();
    let mut run = short(PATCH);
    run.as_object_mut().unwrap().remove("instance_id");
    run["info"].as_object_mut().unwrap().remove("config");
    runs.write(&format!("{HOME}/trajectory.json"), run.to_string());
    let RunRead { evidence, remarks } = read(&runs.path().join(HOME));
    let of = evidence.run;
    assert_eq!((of.project.as_str(), of.instance.as_deref()), ("zoo", Some("zoo__ark-1")));
    assert_eq!((of.model.as_deref(), of.scaffold.as_deref()), (Some("walrus-1"), Some("mini-swe-agent")));
    assert_eq!((of.setting, of.attempt), (Setting::Consolidated, Some(3)));
    assert_eq!(remarks, [Remark::NotToldApart, Remark::NoClone { files: 1 }, Remark::NoLog]);

    let plain = HOME.replace("mini-swe-agent", "plain");
    runs.write(&format!("{plain}/trajectory.json"), run.to_string());
    let error = read_at(&runs.path().join(&plain), &Options::default()).unwrap_err().to_string();
    assert!(error.contains("as plain: missing field `steps`") && error.contains("mini-swe-agent"), "{error}");

    let own = HOME.replace("mini-swe-agent", "own-agent");
    runs.write(&format!("{own}/trajectory.json"), run.to_string());
    let error = read_at(&runs.path().join(&own), &Options::default()).unwrap_err();
    assert!(
        matches!(&error, RunError::UnknownScaffold { scaffold, .. } if scaffold == "own-agent"),
        "{error}"
    );
    let options = Options { adapter: Some(Adapter::MiniSweAgent), ..Options::default() };
    let evidence = read_at(&runs.path().join(&own), &options).unwrap().evidence;
    assert_eq!(
        evidence.run.scaffold.as_deref(),
        Some("own-agent"),
        "a harness may write a format of another"
    );
}

#[test]
fn what_the_folders_say_and_the_run_does_not_is_remarked() {
    let runs = Runs::new();
    let mut run = short(PATCH);
    run["info"]["config"]["environment"]["env"] = json!({
        "RUN_MODEL": "vendor/walrus-1", "RUN_FRAMEWORK": "openhands", "RUN_CONDITION": "naive", "RUN_ATTEMPT": "2",
    });
    run["instance_id"] = json!("zoo__ark-2");
    runs.write(&format!("{HOME}/trajectory.json"), run.to_string());
    let RunRead { evidence, remarks } = read(&runs.path().join(HOME));
    let differs: Vec<&str> = remarks
        .iter()
        .filter_map(|remark| match remark {
            Remark::Differs { what, .. } => Some(*what),
            _ => None,
        })
        .collect();
    assert_eq!(differs, ["task", "scaffold", "attempt", "setting"], "the model's folder has its last name");
    assert_eq!(evidence.run.setting, Setting::Native);
    let said = remarks[0].to_string();
    assert_eq!(said, "the task is `zoo__ark-2` by its own file, and `zoo__ark-1` by the folders above it");
    let options =
        Options { project: Some("ark".to_owned()), setting: Some(Setting::None), ..Options::default() };
    let RunRead { evidence, remarks } = read_at(&runs.path().join(HOME), &options).unwrap();
    assert_eq!(
        (evidence.run.project.as_str(), evidence.run.setting),
        ("ark", Setting::None),
        "the caller wins"
    );
    assert!(remarks.iter().any(|remark| remark.to_string().contains("the project is `ark` by the caller")));
}

// 2: results are joined by id.

#[test]
fn results_find_their_commands_by_id_in_whatever_order_they_come() {
    let run = mini(
        &[
            prompt(),
            asks("", &[("a", "first"), ("b", "second")]),
            answers("b", 1, "of second\n"),
            answers("a", 0, "of first\n"),
            asks("", &[("c", "unanswered")]),
        ],
        PATCH,
    );
    let steps = steps(&run);
    assert_eq!((text(&steps[0]), steps[0].exit), (Some("of first\n"), Some(0)));
    assert_eq!((text(&steps[1]), steps[1].exit), (Some("of second\n"), Some(1)));
    assert_eq!(
        (text(&steps[2]), steps[2].exit, steps[2].turn),
        (None, None, Some(2)),
        "the last one may be missing"
    );
}

#[test]
fn results_without_ids_find_them_by_position_and_stay_within_their_turn() {
    let ask = |command: &str| json!({"role": "assistant", "content": "", "extra": {"actions": [{"command": command}]}});
    let answer = |output: &str| {
        let content = format!("<returncode>0</returncode>\n<output>\n{output}\n</output>");
        json!({"role": "user", "content": content, "extra": {"returncode": 0}})
    };
    let steps = steps(&mini(&[prompt(), ask("a"), ask("b"), answer("of b"), ask("c"), answer("of c")], ""));
    assert_eq!(steps.iter().map(text).collect::<Vec<_>>(), [None, Some("of b\n"), Some("of c\n")]);
}

// 3: the marker of the pull request.

fn request(said: &[&str]) -> Option<(String, String)> {
    let mut messages = vec![prompt()];
    messages.extend(said.iter().map(|said| asks(said, &[("1", "ls")])));
    messages.push(answers("1", 0, "PR SUBMISSION:\nof a tool\n"));
    match read_value(&mini(&messages, PATCH)).evidence.pull_request {
        Part::Recorded(request) => Some((request.title, request.body)),
        Part::Missing(absence) => {
            assert_eq!(absence, Absence::NotInThisRun);
            None
        }
    }
}

#[test]
fn a_pull_request_is_what_the_agent_wrote_last() {
    let is = |title: &str, body: &str| Some((title.to_owned(), body.to_owned()));
    assert_eq!(request(&["I look."]), None, "the prompt and a tool have the marker");
    assert_eq!(
        request(&["PR SUBMISSION:\nFirst", "PR SUBMISSION:\nFeed it\n\nWhy not."]),
        is("Feed it", "Why not.")
    );
    assert_eq!(request(&["PR SUBMISSION:\nFeed it\n", "Done."]), is("Feed it", ""), "not the last message");
    assert_eq!(request(&["PR SUBMISSION:"]), is("", ""), "an empty one was written");
    let both = "I write `PR SUBMISSION:` now.\n\n**PR SUBMISSION:**\n\n# Feed it\n\nBody";
    assert_eq!(request(&[both]), is("Feed it", "Body"), "the one that begins a line");
    assert_eq!(request(&["Here is my PR SUBMISSION: Feed it"]), is("Feed it", ""));
    assert_eq!(
        request(&["PR SUBMISSION:\n**Title:** Feed it\n\n## Why\nHungry"]),
        is("Feed it", "## Why\nHungry")
    );
    assert_eq!(
        request(&["PR SUBMISSION:\n## Why\n\nHungry"]),
        is("", "## Why\n\nHungry"),
        "no title was written"
    );
    assert_eq!(request(&["PR SUBMISSION:\nIt is\nhungry."]), is("", "It is\nhungry."));
}

#[test]
fn a_fence_around_all_of_a_pull_request_is_taken_off() {
    let body = |text: &str| request(&[&format!("PR SUBMISSION:\n{text}")]).unwrap();
    assert_eq!(body("```\n# Feed it\n\nBody\n```").1, "Body");
    assert_eq!(body("```markdown\n# Feed it\n\n```python\nfeed()\n```\n```").1, "```python\nfeed()\n```");
    assert_eq!(body("````md\n# Feed it\n\n```\nfeed()\n```\n````").1, "```\nfeed()\n```");
    let two = "```\nfeed()\n```\nand\n```\nfeed()\n```";
    assert_eq!(body(two), (String::new(), two.to_owned()), "two blocks are no wrapper");
    assert_eq!(body("```\n```"), (String::new(), String::new()));
}

#[test]
fn the_action_of_a_message_is_no_part_of_what_was_said() {
    let said = "PR SUBMISSION:\nFeed it\n\nWith:\n```python\nfeed()\n```\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```";
    let run = json!([
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "PR SUBMISSION: is how to begin."},
        {"role": "assistant", "content": said},
        {"role": "user", "content": PATCH},
    ]);
    let runs = Runs::new();
    let options = Options { instance: Some("zoo__ark-1".to_owned()), ..Options::default() };
    let path = runs.write("run.traj.json", run.to_string());
    let evidence = read_at(&path, &options).unwrap().evidence;
    let request = recorded(&evidence.pull_request);
    assert_eq!((request.title.as_str(), request.body.as_str()), ("Feed it", "With:\n```python\nfeed()\n```"));
    assert_eq!(paths(&evidence.files), ["seal.py"], "what was handed in stands where a result would");
    let steps = recorded(&evidence.steps);
    assert_eq!((steps.len(), &steps[0].output, steps[0].exit), (1, &None, None));
}

// 4: observations that were cut.

#[test]
fn only_the_scaffolds_own_mark_says_that_an_output_was_cut() {
    let answer = |content: &str| {
        let messages = [
            prompt(),
            asks("", &[("1", "cat log")]),
            json!({"role": "tool", "tool_call_id": "1", "content": content}),
        ];
        steps(&mini(&messages, PATCH))[0].output.clone().unwrap()
    };
    let cut = answer(
        "<returncode>0</returncode>\n<warning>\nToo long.\n</warning>\n<output_head>\nhead\n</output_head>\n\
         <elided_chars>\n9 characters elided\n</elided_chars>\n<output_tail>\ntail\n</output_tail>",
    );
    assert!(cut.truncated);
    assert_eq!(cut.text, "head\ntail");
    let talk =
        "a log says\n<elided_chars>\n9 characters elided\n</elided_chars>\noutput truncated\n</output>\n";
    let whole = answer(&format!("<returncode>0</returncode><output>\n{talk}</output>"));
    assert_eq!((whole.text.as_str(), whole.truncated), (talk, false));
    let json = answer(
        "{\"returncode\": 0, \"output_head\": \"a\", \"output_tail\": \"z\", \"elided_chars\": 7, \"warning\": \"w\"}",
    );
    assert_eq!((json.text.as_str(), json.truncated), ("a\nz", true));
    let json = answer("{\"returncode\": 3, \"output\": \"{}\"}");
    assert_eq!((json.text.as_str(), json.truncated), ("{}", false));
    let failed = answer(
        "<exception>it took too long</exception>\n<returncode>-1</returncode><output>\npart\n</output>",
    );
    assert_eq!(failed.text, "it took too long\npart\n", "as the model saw it");
}

#[test]
fn items_of_the_responses_api_are_steps() {
    let run = mini(
        &[
            prompt(),
            json!({"object": "response", "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": "PR SUBMISSION:\nFeed it"}]},
                {"type": "function_call", "name": "bash", "call_id": "c1", "arguments": "{\"command\": \"ls\"}"},
                {"type": "function_call", "name": "search", "call_id": "c2", "arguments": "{\"query\": \"seal\"}"},
            ]}),
            json!({"type": "function_call_output", "call_id": "c2", "output": "none"}),
            json!({"type": "function_call_output", "call_id": "c1", "output": "{\"returncode\": 2, \"output\": \"no\"}"}),
        ],
        PATCH,
    );
    let evidence = read_value(&run).evidence;
    let steps = recorded(&evidence.steps);
    assert_eq!((steps[0].command(), text(&steps[0]), steps[0].exit), (Some("ls"), Some("no"), Some(2)));
    let search = Action::Tool { name: "search".to_owned(), input: "{\"query\": \"seal\"}".to_owned() };
    assert_eq!((&steps[1].action, text(&steps[1])), (&search, Some("none")));
    assert_eq!(recorded(&evidence.pull_request).title, "Feed it");
}

#[test]
fn calls_of_a_tool_are_steps_where_no_actions_stand_beside_them() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "bash", "arguments": "{\"command\": \"ls\"}"}},
    ]});
    let parts = json!({"role": "tool", "tool_call_id": "x", "content": [
        {"type": "text", "text": "<returncode>0</returncode><output>\nok\n</output>", "cache_control": {}},
    ]});
    let steps = steps(&mini(&[prompt(), call, parts], PATCH));
    assert_eq!((steps[0].command(), text(&steps[0])), (Some("ls"), Some("ok\n")));
}

// 5: patches that only delete.

#[test]
fn a_patch_that_only_deletes_has_anchors() {
    let patch = "--- a/seal.py\n+++ b/seal.py\n@@ -1,3 +1,2 @@\n a\n-b\n c\n";
    let evidence = read_value(&short(patch)).evidence;
    let diff = recorded(&evidence.files)[0].diff().unwrap();
    assert_eq!((diff.authored().len(), diff.anchors().iter().copied().collect::<Vec<_>>()), (0, vec![2]));
}

// 8 and 7: reports beside a run.

fn with_report(submission: &str, report: &Value) -> RunRead {
    let runs = Runs::new();
    runs.write(&format!("{HOME}/trajectory.json"), short(submission).to_string());
    runs.write(&format!("{HOME}/eval_report.json"), report.to_string());
    runs.write(&format!("{HOME}/lint_report.json"), json!({"tools": {}}).to_string());
    read(&runs.path().join(HOME))
}

#[test]
fn a_summary_is_believed_only_where_the_run_does_not_speak_against_it() {
    let summary = |class: &str| {
        let mut summary = json!({
            "total_instances": 9, "submitted_instances": 1, "completed_instances": 1, "resolved_instances": 1,
            "submitted_ids": ["zoo__ark-1"],
        });
        summary[class] = json!(["zoo__ark-1"]);
        summary
    };
    let read = with_report(PATCH, &summary("resolved_ids"));
    assert!(
        recorded(&read.evidence.evaluation).resolved
            && read.remarks.contains(&Remark::BySummary { class: Class::Resolved })
    );
    assert_eq!(recorded(&read.evidence.tool_runs).len(), 0);
    let read = with_report(PATCH, &summary("empty_patch_ids"));
    assert_eq!(read.evidence.evaluation, Part::Missing(Absence::NotInThisRun), "this run has a patch");
    assert!(read.remarks.contains(&Remark::Contradicted { class: Class::EmptyPatch }));
    let read = with_report("", &summary("empty_patch_ids"));
    assert!(!recorded(&read.evidence.evaluation).patch);
    let read = with_report("", &summary("resolved_ids"));
    assert_eq!(read.evidence.evaluation, Part::Missing(Absence::NotInThisRun), "nothing could be resolved");
    let read = with_report(PATCH, &summary("error_ids"));
    assert_eq!(read.evidence.evaluation, Part::Missing(Absence::NotInThisRun));
    assert!(read.remarks.contains(&Remark::NotGraded { class: Class::Error }));
    let read = with_report(PATCH, &json!({"zoo__ark-7": {"resolved": true}}));
    assert!(read.remarks.contains(&Remark::ReportOfOthers { tasks: 1 }));
    let read = with_report(PATCH, &json!({"a": 1}));
    assert_eq!(read.evidence.evaluation, Part::Missing(Absence::NotParseable));
}

#[test]
fn an_empty_patch_was_handed_in_or_nothing_was() {
    let handed_in = read_value(&short(""));
    assert_eq!(handed_in.evidence.files, Part::Recorded(Vec::new()));
    assert!(handed_in.remarks.contains(&Remark::NothingToGrade));
    let mut killed = short("");
    killed["info"]["exit_status"] = json!("");
    let killed = read_value(&killed);
    assert_eq!(killed.evidence.files, Part::Missing(Absence::NotInThisRun));
    assert!(killed.remarks.contains(&Remark::CutOff));
    assert_eq!(killed.evidence.run.ending.as_deref(), Some(""));
}

#[test]
fn a_submission_that_is_no_patch_is_not_an_empty_one() {
    for text in ["I could not do it.\n", "--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n-a\n+b\n"] {
        let read = read_value(&short(text));
        assert_eq!(read.evidence.files, Part::Missing(Absence::NotParseable));
        assert!(read.remarks.iter().any(|remark| matches!(remark, Remark::Unreadable { .. })), "{text}");
    }
}

// What lies beside a run.

#[test]
fn sections_and_patches_beside_a_run_stand_in_for_those_in_it() {
    let runs = Runs::new();
    let mut run = short("");
    run["info"].as_object_mut().unwrap().remove("submission");
    runs.write(&format!("{HOME}/trajectory.json"), run.to_string());
    runs.write(&format!("{HOME}/patch.diff"), PATCH);
    let home = runs.path().join(HOME);
    let RunRead { evidence, remarks } = read(&home);
    assert_eq!((paths(&evidence.files), paths(&evidence.worktree)), (vec!["seal.py"], vec!["seal.py"]));
    assert!(remarks.contains(&Remark::NotToldApart));

    runs.write(&format!("{HOME}/patch_committed.diff"), "");
    runs.write(&format!("{HOME}/probe.txt"), "model=vendor/walrus-1\nstart_head=abc\n");
    let RunRead { evidence, remarks } = read(&home);
    assert_eq!(
        (paths(&evidence.files), paths(&evidence.worktree)),
        (vec![], vec!["seal.py"]),
        "nothing was committed"
    );
    assert!(!remarks.contains(&Remark::NotToldApart));
    assert_eq!(evidence.run.start.as_deref(), Some("abc"));

    let printed = collected("abd", "abe", PATCH);
    runs.write(&format!("{HOME}/bundle.txt"), &printed);
    let evidence = read(&home).evidence;
    assert_eq!(paths(&evidence.files), ["seal.py"], "the sections go before the files");
    assert_eq!((evidence.run.start.as_deref(), evidence.run.base.as_deref()), (Some("abd"), Some("abe")));
    assert_eq!((recorded(&evidence.commits).len(), recorded(&evidence.status).len()), (0, 0));

    run["info"]["submission"] = json!(printed.replace("abd", "abf"));
    runs.write(&format!("{HOME}/trajectory.json"), run.to_string());
    let RunRead { evidence, remarks } = read(&home);
    assert_eq!(evidence.run.start.as_deref(), Some("abf"));
    assert!(remarks.contains(&Remark::CollectedTwice));
}

// 10, 11 and 19: whole texts from a clone.

fn collected(start: &str, base: &str, patch: &str) -> String {
    format!(
        "===PROBE===\nbase_commit={base}\n===BRANCH===\nstart_head={start}\nhead=\nbranch=(detached)\nn_commits=2\n\
         ===LOG===\n===STATUS===\n===PATCH_COMMITTED===\n{patch}===PATCH===\n{patch}"
    )
}

fn with_clone(clone: &Path, submission: &str) -> RunRead {
    let runs = Runs::new();
    let path = runs.write("run.traj.json", short(submission).to_string());
    let options = Options { clone: Some(clone.to_path_buf()), ..Options::default() };
    read_at(&path, &options).unwrap()
}

fn read_silent(clone: &Path) -> RunRead {
    let mut read = with_clone(clone, PATCH);
    read.remarks.retain(|remark| *remark != Remark::NotToldApart);
    read
}

#[test]
fn head_texts_are_rebuilt_from_a_clone_and_never_guessed() {
    let made = TestRepository::new();
    made.write("seal.py", "def feed():\n    fish()\n");
    let base = made.commit("Start");
    made.write("seal.py", "def feed():\n    squid()\n");
    let later = made.commit("Feed squid");
    let image = "1234567890123456789012345678901234567890";

    // The first commit is one of the image that the run was made in: the clone has the one below it.
    let read = with_clone(made.path(), &collected(image, &base, PATCH));
    let file = &recorded(&read.evidence.files)[0];
    assert_eq!(file.head_text(), Some("def feed():\n    herring()\n"));
    assert_eq!(file.base_text(), Some("def feed():\n    fish()\n"));
    assert_eq!(file.diff().unwrap().authored().iter().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(recorded(&read.evidence.worktree)[0], *file);
    assert_eq!(
        (read.evidence.run.start.as_deref(), read.evidence.run.base.as_deref()),
        (Some(image), Some(base.as_str()))
    );
    assert_eq!((read.evidence.run.head, read.evidence.run.branch), (None, None), "detached is no branch");
    let counted = "the number of commits is `0` by the section LOG, and `2` by the section BRANCH";
    assert_eq!(read.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(), [counted]);

    // Another text is not patched as far as it goes.
    let read = with_clone(made.path(), &collected(&later, &base, PATCH));
    let file = &recorded(&read.evidence.files)[0];
    assert_eq!((&file.base, &file.head), (&Content::NotRecorded, &Content::NotRecorded));
    let why = "line 2 before the change: expected `    fish()`, found `    squid()`".to_owned();
    assert!(read.remarks.contains(&Remark::NotRebuilt { path: "seal.py".to_owned(), why }));

    let read = with_clone(made.path(), &collected(image, image, PATCH));
    assert!(matches!(read.remarks.as_slice(), [Remark::NoBase { .. }, ..]), "{:?}", read.remarks);
    let silent = read_silent(made.path());
    assert!(silent.remarks[0].to_string().contains("does not say from which commit"), "{:?}", silent.remarks);
    let read = with_clone(&made.path().join("none"), &collected(image, &base, PATCH));
    assert!(read.remarks[0].to_string().contains("there is no such folder"), "{}", read.remarks[0]);
    let read = read_value(&short(&collected(image, &base, PATCH)));
    assert!(read.remarks.contains(&Remark::NoClone { files: 1 }), "a missing clone is said of every run");
}

#[test]
fn a_partial_clone_fetches_what_it_left_out() {
    let made = TestRepository::new();
    made.write("seal.py", "def feed():\n    fish()\n");
    let base = made.commit("Start");
    made.git(&["config", "uploadpack.allowFilter", "true"]);
    made.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", made.path().display());
    let clone = folder.path().join("clone");
    made.git(&["clone", "--quiet", "--bare", "--filter=blob:none", &url, &clone.display().to_string()]);
    let read = with_clone(&clone, &collected(&base, &base, PATCH));
    assert_eq!(recorded(&read.evidence.files)[0].head_text(), Some("def feed():\n    herring()\n"));
}

#[test]
fn every_kind_of_change_has_the_sides_that_are_known() {
    let made = TestRepository::new();
    let text = "a\nb\nc\nd\ne\n";
    for name in ["moved.py", "to_link.py", "run.sh"] {
        made.write(name, text);
    }
    made.write("gone.py", "gone\n");
    made.write("image.png", [0_u8, 1]);
    let base = made.commit("Start");
    std::fs::remove_file(made.path().join("gone.py")).unwrap();
    std::fs::remove_file(made.path().join("to_link.py")).unwrap();
    made.link("to_link.py", "run.sh");
    made.git(&["mv", "moved.py", "there.py"]);
    made.write("new.py", "new");
    made.write("image.png", [0_u8, 2]);
    made.git(&["add", "--all"]);
    made.git(&["update-index", "--chmod=+x", "run.sh"]);
    let patch = made.git(&["diff", "--cached", "-M", "HEAD"]) + "\n";
    let check = |read: RunRead, known: Content| {
        let files = recorded(&read.evidence.files).clone();
        let text = |text: &str| Content::Text(text.to_owned());
        let sides: Vec<(&str, &Content, &Content)> =
            files.iter().map(|file| (file.path.as_str(), &file.base, &file.head)).collect();
        assert_eq!(
            sides,
            [
                ("gone.py", &text("gone\n"), &Content::Absent),
                ("image.png", &Content::Binary, &Content::Binary),
                ("new.py", &Content::Absent, &text("new")),
                ("run.sh", &known, &known),
                ("there.py", &known, &known),
                ("to_link.py", &text("a\nb\nc\nd\ne\n"), &Content::Link("run.sh".to_owned())),
            ]
        );
        assert_eq!(files[3].executable, [false, true]);
        assert_eq!(files[4].old_path.as_deref(), Some("moved.py"));
        assert!(files[4].diff().unwrap().authored().is_empty());
    };
    check(read_value(&short(&patch)), Content::NotRecorded);
    check(with_clone(made.path(), &collected(&base, &base, &patch)), Content::Text(text.to_owned()));
    let twice = read_value(&short(&format!("{PATCH}{PATCH}")));
    assert!(twice.remarks.contains(&Remark::TwoChanges { path: "seal.py".to_owned() }));
    assert_eq!(twice.evidence.files, Part::Missing(Absence::NotParseable));
}

// 14: what identifies a run.

#[test]
fn two_runs_in_files_of_one_name_are_two() {
    let runs = Runs::new();
    let mut ids = Vec::new();
    for (at, condition) in ["naive", "guided"].into_iter().enumerate() {
        let mut run = short(PATCH);
        run["messages"][1]["content"] = json!(format!("Look {at}."));
        let home = HOME.replace("guided", condition);
        runs.write(&format!("{home}/trajectory.json"), run.to_string());
    }
    let places = find_runs(&[runs.path()]).unwrap();
    for place in &places {
        ids.push(read_run(place, &Options::default()).unwrap().evidence.run.id);
    }
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
    assert!(ids.iter().all(|id| id.starts_with("zoo__ark-1:") && id.len() == "zoo__ark-1:".len() + 12));
}

#[test]
fn a_run_that_names_no_project_has_to_be_told_one() {
    let mut run = short(PATCH);
    run.as_object_mut().unwrap().remove("instance_id");
    let runs = Runs::new();
    let path = runs.write("run.traj.json", run.to_string());
    let error = read_at(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("no task is named") && error.contains("help: name the project"), "{error}");
    let named = runs.write("zoo__ark-4.traj.json", run.to_string());
    assert_eq!(read(&named).evidence.run.instance.as_deref(), Some("zoo__ark-4"), "a file's name comes last");
}

// 18: codes that are no failures, and no successes.

#[test]
fn what_was_never_run_has_no_exit_code() {
    let unrun = |id: &str| {
        json!({
            "role": "tool", "tool_call_id": id,
            "content": "<exception>action was not executed</exception>\n<returncode>-1</returncode><output>\n</output>",
            "extra": {"returncode": -1, "exception_info": "action was not executed"},
        })
    };
    let submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && bash /opt/collect.sh";
    let run = mini(&[prompt(), asks("", &[("1", submit), ("2", "ls")]), unrun("1"), unrun("2")], PATCH);
    for step in steps(&run) {
        assert_eq!((step.output, step.exit), (None, None));
    }
}

// 20: what the ends of a run lose.

#[test]
fn a_submission_from_a_terminal_reads_like_any_other() {
    let mut whole = read_value(&short(PATCH)).evidence;
    for sent in [PATCH.trim_end().to_owned(), PATCH.replace('\n', "\r\n")] {
        let evidence = read_value(&short(&sent)).evidence;
        whole.run.id.clone_from(&evidence.run.id);
        assert_eq!(evidence, whole, "{sent:?}");
    }
}

// Where runs are.

#[test]
fn runs_are_found_in_order_whatever_lies_between_them() {
    let runs = Runs::new();
    let record = |task: &str| {
        json!({"instance_id": task, "steps": [{"command": "ls", "output": "", "returncode": 0}]}).to_string()
    };
    runs.write("b/trajectory.json", short(PATCH).to_string());
    runs.write("b/rows.jsonl", "{\"rule_id\": \"ZOO-C001\"}\n");
    runs.write("b/other.jsonl", record("zoo__ark-9"));
    runs.write("a/zoo__ark-3.traj.json", short(PATCH).to_string());
    runs.write("a/preds.json", "{}");
    let many = format!("{}\n\n{}\n{}", record("zoo__ark-1"), record("zoo__ark-2"), record("zoo__sea-3"));
    runs.write("c/output.jsonl", many);
    runs.write("d/notes.txt", "none");
    let places = find_runs(&[runs.path()]).unwrap();
    let names: Vec<String> = places
        .iter()
        .map(|place| place.to_string().replace(&runs.path().display().to_string(), ""))
        .collect();
    assert_eq!(
        names,
        [
            "/a/zoo__ark-3.traj.json",
            "/b/trajectory.json",
            "/c/output.jsonl:1",
            "/c/output.jsonl:3",
            "/c/output.jsonl:4"
        ]
    );
    let tasks: Vec<Option<String>> = places[2..]
        .iter()
        .map(|place| read_run(place, &Options::default()).unwrap().evidence.run.instance)
        .collect();
    assert_eq!(tasks, ["zoo__ark-1", "zoo__ark-2", "zoo__sea-3"].map(|task| Some(task.to_owned())));
    let twice = find_runs(&[runs.path().join("b"), runs.path().join("a")]).unwrap();
    assert_eq!(twice, [places[1].clone(), places[0].clone()], "paths keep their order");
    assert!(matches!(find_runs(&[runs.path().join("d")]), Err(RunError::NoRun { .. })));
    assert!(matches!(find_runs(&[runs.path().join("e")]), Err(RunError::File { .. })));
    let latin = runs.write("e/run.traj.json", b"{\"messages\": \"\xe9\"}");
    assert!(
        read_at(&latin, &Options::default()).unwrap_err().to_string().contains("not UTF-8, from byte 14")
    );
}

#[test]
fn a_conversation_in_a_folder_of_events_is_one_run() {
    let runs = Runs::new();
    let state = json!({"id": "1", "agent": {"llm": {"model": "vendor/walrus-1"}}});
    runs.write("talk/base_state.json", state.to_string());
    let action = json!({
        "kind": "ActionEvent", "source": "agent", "id": "e1", "timestamp": "t", "tool_name": "terminal", "tool_call_id": "c1",
        "thought": [], "action": {"kind": "ExecuteBashAction", "command": "ls"},
    });
    runs.write("talk/events/event-00001-e1.json", action.to_string());
    runs.write("talk/events/notes.txt", "none");
    let options = Options { project: Some("zoo".to_owned()), ..Options::default() };
    let evidence: Evidence = read_at(runs.path(), &options).unwrap().evidence;
    assert_eq!(recorded(&evidence.steps)[0].command(), Some("ls"));
    assert_eq!((evidence.run.model.as_deref(), evidence.run.id.len()), (Some("vendor/walrus-1"), 12));
}

// The plain format.

#[test]
fn a_plain_run_says_all_that_evidence_has_of_a_run() {
    let run = json!({
        "instance_id": "zoo__ark-1", "model": "walrus", "setting": "consolidated", "exit_status": "done", "cost_usd": 1.5,
        "steps": [
            {"command": "ls", "folder": "/ark", "output": "seal.py", "returncode": 0, "turn": 1},
            {"action": {"fetch": {"url": "https://zoo.example.org/rules"}}, "output": "Feed", "truncated": true},
            {"command": "git push"},
        ],
        "pr_text": "Feed it\n\nIt is hungry.", "submission": PATCH,
    });
    let runs = Runs::new();
    let evidence = read(&runs.write("run.json", run.to_string())).evidence;
    let steps = recorded(&evidence.steps);
    let shell = Action::Shell { command: "ls".to_owned(), folder: Some("/ark".to_owned()) };
    assert_eq!((&steps[0].action, text(&steps[0]), steps[0].exit), (&shell, Some("seal.py"), Some(0)));
    assert!(matches!(steps[1].action, Action::Fetch { .. }) && steps[1].output.as_ref().unwrap().truncated);
    assert_eq!((&steps[2].output, steps[2].exit), (&None, None));
    assert_eq!(
        (evidence.run.setting, evidence.run.model.as_deref()),
        (Setting::Consolidated, Some("walrus"))
    );
    assert_eq!(recorded(&evidence.pull_request).title, "Feed it");
    assert_eq!(paths(&evidence.files), ["seal.py"]);
    let mut both = run.clone();
    both["steps"][0]["action"] = json!({"fetch": {"url": "x"}});
    let path = runs.write("both.json", both.to_string());
    let error = read_at(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("step 1: expected either `command` or `action`"), "{error}");
    let mut odd = run;
    odd["setting"] = json!("sideways");
    let remarks = read(&runs.write("odd.json", odd.to_string())).remarks;
    assert!(remarks.contains(&Remark::UnknownSetting { setting: "sideways".to_owned() }));
}

#[test]
fn the_run_that_the_documentation_shows_reads() {
    let page = include_str!("../../../../docs/runs.md");
    let shown = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let runs = Runs::new();
    let evidence = read(&runs.write("run.json", shown)).evidence;
    assert_eq!((recorded(&evidence.steps).len(), evidence.run.setting), (2, Setting::Native));
    assert!(matches!(&recorded(&evidence.steps)[1].action, Action::Fetch { .. }));
    assert_eq!(recorded(&evidence.pull_request).title, "Feed the seal");
    assert_eq!(evidence.files, Part::Recorded(Vec::new()), "an empty patch was handed in");
}

/// A run whose agent ran these commands, with their return codes.
fn commands(all: &[(&str, i64)]) -> RunRead {
    let steps: Vec<(&str, i64, &str)> = all.iter().map(|(command, code)| (*command, *code, "")).collect();
    printed(&steps)
}

/// A run whose agent ran these commands, with their return codes and what they printed.
fn printed(all: &[(&str, i64, &str)]) -> RunRead {
    let steps = all
        .iter()
        .map(|(command, code, output)| json!({"command": command, "output": output, "returncode": code}));
    let run = json!({
        "instance_id": "zoo__ark-1", "model": "walrus-1", "setting": "native", "exit_status": "Submitted",
        "steps": steps.collect::<Vec<_>>(), "pr_text": "", "submission": PATCH,
    });
    let runs = Runs::new();
    read(&runs.write("run.json", run.to_string()))
}

#[test]
fn a_run_without_a_log_tells_its_commits_by_its_commands() {
    let RunRead { evidence, remarks } = commands(&[
        ("cd /w && git add -A && git commit -m 'Feed the lyon'", 0),
        ("cd /w && git commit -m 'It fails'", 1),
        ("cd /w && git commit --amend -m 'Feed the lion' -m 'It was hungry.'", 0),
        ("cd /w && git commit --amend --no-edit", 0),
        ("git -C /w commit -qm 'Feed the seal'; echo 'git commit -m nope'", 0),
    ]);
    let commits = recorded(&evidence.commits);
    let told: Vec<(&str, &str)> =
        commits.iter().map(|commit| (commit.id.as_str(), commit.message.raw())).collect();
    assert_eq!(told, [("command:3", "Feed the lion\n\nIt was hungry.\n"), ("command:4", "Feed the seal\n")]);
    assert!(commits.iter().all(|commit| commit.author.is_none() && commit.paths.is_none()));
    assert!(remarks.contains(&Remark::Scraped { commits: 2 }), "{remarks:?}");

    for (line, remark) in [("git commit -F /tmp/message", Remark::NotScraped), ("git log", Remark::NoLog)] {
        let RunRead { evidence, remarks } = commands(&[(line, 0)]);
        assert_eq!(evidence.commits, Part::Missing(Absence::NotInThisRun), "{line}");
        assert!(remarks.contains(&remark), "{line}: {remarks:?}");
    }
}

/// What was not committed in the project is judged as no commit of it, and where that is not told, none is.
#[test]
fn a_command_that_says_commit_is_not_yet_a_commit() {
    let told = |steps: &[(&str, i64, &str)]| {
        let RunRead { evidence, remarks } = printed(steps);
        match evidence.commits {
            Part::Recorded(commits) => Ok(commits.iter().map(|it| it.message.subject().clone()).collect()),
            Part::Missing(_) => Err(remarks.contains(&Remark::NotScraped)),
        }
    };
    let made = "[main 1a2b3c4] Feed the lion\n 1 file changed, 1 insertion(+)\n";
    let first = ("git commit -m 'Feed the lion'", 0, made);
    let lion = || -> Result<Vec<String>, bool> { Ok(vec!["Feed the lion".to_owned()]) };
    for (steps, expected) in [
        (vec![("git commit -m 'Feed the lion' && pytest", 1, made)], lion()),
        (vec![("git commit -m 'Feed the lion'; true", 0, "On branch main\nnothing to commit\n")], Err(false)),
        (vec![("git commit -m a || true", 0, "no changes added to commit"), first], lion()),
        (vec![("git commit -qm 'Feed the lion' && git status", 0, "nothing to commit")], lion()),
        (vec![("git commit -qm 'Feed the lion' && pytest", 1, "1 failed")], Err(true)),
        (vec![("git commit -m 'Feed' && pytest", 1, "a hook failed")], Err(false)),
        (vec![("git commit -m a || git commit -nm b", 0, made)], Err(true)),
        (vec![("git commit -sm 'Feed the lion'", 0, made)], Err(true)),
        (vec![first, ("git reset --soft HEAD~1", 0, ""), ("git commit -m 'Feed both'", 0, "")], Err(true)),
        (vec![first, ("git reset --hard abc1234", 0, "")], Err(true)),
        (vec![("git commit -m a && git reset --soft HEAD^", 0, made)], Err(true)),
        (vec![first, ("git reset --hard abc1234", 128, "")], lion()),
        (vec![first, ("git reset HEAD a.py && git reset b.py && git reset --hard", 0, "")], lion()),
        (vec![first, ("git rebase -i HEAD~2", 0, "")], Err(true)),
        (vec![("git cherry-pick abc1234", 0, ""), first], Err(true)),
        (vec![("cd $(mktemp -d) && git init && git commit -m 'Try'", 0, ""), first], lion()),
        (vec![("git init /tmp/try", 0, ""), ("cd /tmp/try && git commit -m 'Try'", 0, ""), first], lion()),
        (
            vec![("cd /tmp && git clone x/zoo.git", 0, ""), ("git -C /tmp/zoo commit -m 'Try'", 0, "")],
            Err(false),
        ),
    ] {
        assert_eq!(told(&steps), expected, "{steps:?}");
    }
}

#[test]
fn a_commit_may_be_amended_any_number_of_times() {
    let command =
        "git commit -m 'Feed the lion'\n".to_owned() + &"git commit --amend --no-edit\n".repeat(50_000);
    let commits = printed(&[(&command, 0, "")]).evidence.commits;
    assert_eq!(recorded(&commits)[0].message.raw(), "Feed the lion\n");
    let command = "git commit --amend --no-edit\n".repeat(50_000);
    assert!(printed(&[(&command, 0, "")]).remarks.contains(&Remark::NotScraped));
}

/// Folders that links lead to again are gone into once, and what cannot be read stops nothing.
#[test]
fn a_folder_of_runs_may_hold_loops_pipes_and_links_to_nothing() {
    let runs = Runs::new();
    let text = mini(&[prompt()], PATCH).to_string();
    let own = runs.write("a/trajectory.json", &text);
    let other = runs.write("c/run.traj.json", &text);
    for (link, to) in
        [("b", "."), ("c/up", ".."), ("c/again", "../a"), ("d.jsonl", "nowhere"), ("e.traj", "x")]
    {
        std::os::unix::fs::symlink(to, runs.path().join(link)).unwrap();
    }
    let pipe = runs.path().join("c/pipe.traj");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let places = find_runs(&[runs.path()]).unwrap();
    let found: Vec<&Path> = places.iter().map(polc_evidence::run::Place::path).collect();
    let (broken, lost) = (runs.path().join("d.jsonl"), runs.path().join("e.traj"));
    assert_eq!(found, [own.as_path(), other.as_path(), broken.as_path(), lost.as_path()]);
    let error = read_run(&places[2], &Options::default()).unwrap_err();
    assert!(matches!(error, RunError::File { .. }), "{error}");
}

/// Python writes half a surrogate pair where it decoded what is no UTF-8.
#[test]
fn half_a_surrogate_pair_hides_no_format_and_a_mark_at_the_front_no_records() {
    let runs = Runs::new();
    let list = json!([
        {"role": "system", "content": "SURROGATE"},
        {"role": "user", "content": "Feed the seal."},
        {"role": "assistant", "content": "THOUGHT\n\n```bash\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\nSURROGATE</output>"},
    ]);
    let list = list.to_string().replace("SURROGATE", "\\udc80");
    let evidence = read(&runs.write("zoo__ark-1.traj.json", list)).evidence;
    assert_eq!(recorded(&evidence.steps).len(), 1);

    let record = json!({
        "instance_id": "zoo__ark-1", "model": "walrus", "setting": "native", "exit_status": "Submitted",
        "steps": [{"command": "ls", "output": "SURROGATE", "returncode": 0}], "pr_text": "", "submission": PATCH,
    });
    let record = record.to_string().replace("SURROGATE", "\\ud83d");
    let lines = format!("\u{feff}{record}\r\n{record}\r\n");
    let path = runs.write("many.jsonl", lines);
    let places = find_runs(&[&path]).unwrap();
    assert_eq!(places.len(), 2, "{places:?}");
    for place in &places {
        assert_eq!(recorded(&read_run(place, &Options::default()).unwrap().evidence.steps).len(), 1);
    }
}

/// The last line of a patch is of the file, with a carriage return where the file has one; a terminal adds one to every
/// line.
#[test]
fn a_file_keeps_its_carriage_returns_to_the_end_of_a_section() {
    let collected = "===BRANCH===\nhead=1\n===LOG===\n===STATUS===\n===PATCH_COMMITTED===\n===PATCH===\n";
    let patch = |end: &str| {
        format!(
            "diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+1{end}\n+2{end}\n"
        )
    };
    let runs = Runs::new();
    for (submission, head) in [
        (format!("{collected}{}", patch("\r")), "1\r\n2\r\n"),
        (format!("{collected}{}", patch("")), "1\n2\n"),
        (format!("{collected}{}", patch("")).replace('\n', "\r\n"), "1\n2\n"),
        (format!("{collected}{}", patch("\r")).replace('\n', "\r\n"), "1\r\n2\r\n"),
    ] {
        let evidence = read(&runs.write("a.traj.json", mini(&[prompt()], &submission).to_string())).evidence;
        assert_eq!(recorded(&evidence.worktree)[0].head, Content::Text(head.to_owned()), "{submission:?}");
        assert_eq!(evidence.files, Part::Recorded(Vec::new()), "{submission:?}");
    }
}

#[test]
fn a_mark_at_the_front_of_what_lies_beside_a_run_hides_nothing() {
    let runs = Runs::new();
    let path = runs.write("a/trajectory.json", mini(&[prompt()], "").to_string());
    let marked = |name: &str, text: &str| runs.write(name, format!("\u{feff}{text}"));
    marked("a/bundle.txt", "===PROBE===\nmodel=seal\n===BRANCH===\n===LOG===\n===STATUS===\n===PATCH===\n");
    marked("a/report.json", r#"{"resolved": true, "patch_successfully_applied": true}"#);
    let evidence = read(&path).evidence;
    assert_eq!(evidence.run.model.as_deref(), Some("seal"));
    assert!(recorded(&evidence.evaluation).resolved);
}
