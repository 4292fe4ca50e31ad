//! SWE-agent, with runs that were made up for it.

use crate::{edit, read_run, refused, shell, tool_name};
use polc_checker::evidence::{Action, Output};
use polc_evidence::adapter::Adapter;
use polc_evidence::transcript::Transcript;
use serde_json::{Value, json};

fn step(action: &str, observation: &str) -> Value {
    json!({"action": action, "observation": observation, "response": "r", "thought": "I think.", "execution_time": 0.1,
        "state": {"open_file": "/w/open.py", "working_dir": "/w"}})
}

fn file(steps: &[Value], info: &Value) -> Value {
    json!({"environment": "main", "trajectory": steps, "history": [], "info": info})
}

fn read(file: &Value) -> Transcript {
    read_run(Adapter::SweAgent, &file.to_string())
}

fn of_steps(steps: &[Value]) -> Transcript {
    read(&file(steps, &json!({"exit_status": "submitted", "submission": ""})))
}

#[test]
fn tools_are_commands_and_have_kinds_of_their_own() {
    let window = "[File: a.py (40 lines total)]\r\n(10 more lines above)\r\n11:x\r\n(5 more lines below)";
    let read = of_steps(&[
        step("open \"a.py\" 20\n", window),
        step("scroll_down", window),
        step("open b.py", "[File: b.py (1 lines total)]\n1:x"),
        step("str_replace_editor view /w/a.py --view_range 2 9", ""),
        step("str_replace_editor view /w", ""),
        step("str_replace_editor create /w/n.py --file_text 'it'\"'\"'s\nnew\n'", ""),
        step("str_replace_editor str_replace /w/n.py --old_str 'a; b' --new_str 'c | d'", ""),
        step("str_replace_editor undo_edit /w/n.py", ""),
        step("create new.py", ""),
        step("edit 'old' 'new text' replace-all", ""),
        step("edit 4:5\ndef f():\n    end_of_edit()\nend_of_edit\n", ""),
        step("find_file a.py src", ""),
        step("submit", "diff"),
    ]);
    let view = |path: &str, lines| Action::Read { path: path.to_owned(), lines };
    let actions: Vec<&Action> = read.steps.iter().map(|step| &step.action).collect();
    assert_eq!(actions[..2], [&view("a.py", Some((11, 35))), &view("/w/open.py", Some((11, 35)))]);
    assert_eq!(actions[2..5], [&view("b.py", None), &view("/w/a.py", Some((2, 9))), &view("/w", None)]);
    let edits: Vec<(&str, &str)> =
        read.steps[5..11].iter().map(|step| (edit(step).0[0].as_str(), edit(step).1)).collect();
    assert_eq!(
        edits,
        [
            ("/w/n.py", "it's\nnew\n"),
            ("/w/n.py", "c | d"),
            ("/w/n.py", ""),
            ("new.py", ""),
            ("/w/open.py", "new text"),
            ("/w/open.py", "def f():\n    end_of_edit()"),
        ]
    );
    assert_eq!(*actions[11], Action::Tool { name: "find_file".to_owned(), input: "a.py src".to_owned() });
    assert_eq!(
        (tool_name(&read.steps[12]), read.steps[12].turn, read.steps[12].exit),
        ("submit", Some(13), None)
    );
}

/// What is more than one call of a tool is for the shell, where whoever reads commands will look into it.
#[test]
fn a_tool_within_a_longer_command_is_a_command() {
    for command in [
        "open a.py && ls",
        "cd src; create b.py",
        "cat x | submit",
        "opened",
        "open $FILE",
        "git commit -m 'open a.py'",
    ] {
        assert_eq!(shell(&of_steps(&[step(command, "")]).steps[0]), command);
    }
}

#[test]
fn version_0_writes_its_state_as_text() {
    let mut one = step("edit 1:1\nx\nend_of_edit\n", "");
    one["state"] = json!("{\"open_file\": \"/w/a.py\", \"working_dir\": \"/w\"}\n");
    assert_eq!(edit(&of_steps(&[one.clone()]).steps[0]), (&["/w/a.py".to_owned()][..], "x"));
    one["state"] = json!("{\"open_file\": \"n/a\"}");
    assert_eq!(shell(&of_steps(&[one]).steps[0]), "edit 1:1\nx\nend_of_edit", "no file was open");
}

#[test]
fn a_status_says_who_took_the_patch() {
    let patch = "\r\ndiff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n";
    let unwound = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    let of =
        |status: Value| read(&file(&[step("ls", "")], &json!({"exit_status": status, "submission": patch})));
    let handed_in = of(json!("submitted"));
    assert_eq!((handed_in.submission.as_deref(), handed_in.patch), (Some(unwound), None));
    let taken = of(json!("submitted (exit_cost)"));
    assert_eq!(
        (taken.submission, taken.patch.as_deref(), taken.ending.as_deref()),
        (None, Some(unwound), Some("submitted (exit_cost)"))
    );
    assert_eq!(of(Value::Null).ending.as_deref(), Some(""), "the run was cut off");
    let silent = read(&file(&[step("ls", "")], &json!({"submission": null})));
    assert_eq!((silent.ending, silent.submission, silent.patch), (None, None, None));
    let crlf = "diff --git a/x b/x\n+one\r\n";
    let own = read(&file(&[], &json!({"exit_status": "submitted", "submission": crlf})));
    assert_eq!(own.submission.as_deref(), Some(crlf), "the file has these line ends");
}

#[test]
fn of_several_attempts_the_chosen_one_counts() {
    let attempt = |command: &str, status: Value| {
        file(&[step(command, "")], &json!({"exit_status": status, "submission": "p"}))
    };
    let mut chosen = attempt("first", json!("submitted"));
    chosen["info"]["best_attempt_idx"] = json!(0);
    chosen["attempts"] = json!([attempt("first", json!("submitted")), attempt("second", json!("exit_cost"))]);
    assert_eq!(shell(&read(&chosen).steps[0]), "first");
    let open = json!({"attempts": [attempt("first", json!("submitted")), attempt("second", Value::Null)]});
    let last = read(&open);
    assert_eq!((shell(&last.steps[0]), last.ending.as_deref()), ("second", Some("")));
    let none = read(&json!({"attempts": []}));
    assert_eq!((none.steps.len(), none.ending.as_deref()), (0, Some("")));
}

/// The step has all of the output, the message what the model saw of it.
#[test]
fn the_history_says_what_the_model_saw() {
    let steps = [step("ls", "short"), step("cat big", &"x".repeat(30)), step("python t.py", "lines\r\nhere")];
    let note = |kept: &str| {
        format!(
            "Observation: {kept}<response clipped><NOTE>Observations should not exceeded 10 characters. 20 characters were \
             elided. Please try a different command.</NOTE>"
        )
    };
    let said = |action: &str| json!({"role": "assistant", "content": "c", "action": action, "agent": "main"});
    let given =
        |text: &str| json!({"role": "tool", "content": [{"type": "text", "text": text}], "agent": "main"});
    let mut run = file(&steps, &json!({"exit_status": "submitted"}));
    run["history"] = json!([
        {"role": "user", "is_demo": true, "content": note("a demonstration"), "action": "cat big"},
        said("ls"), given("short"), said("cat big"), given(&note("xxxxxxxxxx")), said("python t.py"), given("lines\nhere"),
    ]);
    let outputs: Vec<Output> = read(&run).steps.into_iter().filter_map(|step| step.output).collect();
    let whole = |text: &str| Output { text: text.to_owned(), truncated: false };
    assert_eq!(
        outputs,
        [whole("short"), Output { text: "x".repeat(10), truncated: true }, whole("lines\nhere")]
    );
    run["history"][1]["action"] = json!("something else");
    assert!(
        read(&run).steps.iter().all(|step| !step.output.as_ref().unwrap().truncated),
        "it is not of these steps"
    );
}

#[test]
fn what_the_scaffold_says_for_the_agent_is_not_said() {
    let mut gone = step("", "Exited (autosubmitted)");
    gone["thought"] = json!("Exit due to cost limit");
    let read = of_steps(&[step("ls", ""), gone]);
    assert_eq!((read.said.len(), read.steps.len()), (1, 1));
}

#[test]
fn the_configuration_names_model_task_and_base() {
    let configuration = json!({"agent": {"model": {"name": "zoo/keeper"}}, "problem_statement": {"id": "zoo__zoo-1"},
        "env": {"repo": {"base_commit": "b".repeat(40)}}});
    for configuration in [configuration.clone(), json!(configuration.to_string())] {
        let mut run = file(&[], &json!({"exit_status": "exit_error"}));
        run["replay_config"] = configuration;
        let read = read(&run);
        assert_eq!(
            (read.model.as_deref(), read.instance.as_deref()),
            (Some("zoo/keeper"), Some("zoo__zoo-1"))
        );
        assert_eq!(read.base, Some("b".repeat(40)));
    }
    let mut run = file(&[], &json!({"exit_status": "exit_error"}));
    run["replay_config"] = json!({"env": {"repo": {"base_commit": "HEAD"}}});
    assert_eq!(read(&run).base, None, "that names no commit");
}

#[test]
fn another_file_is_refused_with_its_keys() {
    let error = refused(Adapter::SweAgent, "{\"messages\": [], \"trajectory\": {}}");
    assert!(
        error.contains("no trajectory of SWE-agent") && error.contains("messages, trajectory"),
        "{error}"
    );
    let error = refused(Adapter::SweAgent, &file(&[json!({"observation": "x"})], &json!({})).to_string());
    assert!(error.contains("`action`"), "{error}");
    assert!(
        read(&file(&[], &json!({"exit_status": "exit_format"}))).steps.is_empty(),
        "an agent that did nothing"
    );
}
