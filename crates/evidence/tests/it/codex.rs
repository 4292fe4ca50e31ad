//! Codex, with sessions that were made up for it.

use crate::{edit, read_run, refused, shell, tool_name};
use polc_checker::evidence::{Action, Output};
use polc_evidence::adapter::Adapter;
use polc_evidence::transcript::Transcript;
use serde_json::{Value, json};

fn read(values: &[Value]) -> Transcript {
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    read_run(Adapter::Codex, &lines.join("\n"))
}

fn item(event: &str, item: &Value) -> Value {
    json!({"type": format!("item.{event}"), "item": item})
}

fn started() -> Value {
    json!({"type": "thread.started", "thread_id": "t"})
}

#[test]
fn an_item_of_the_stream_is_one_step_however_often_it_is_told_of() {
    let command = |status: &str, code: Value| {
        json!({"id": "1", "type": "command_execution", "command": "/bin/bash -lc 'cargo test --all'",
            "aggregated_output": "out", "exit_code": code, "status": status})
    };
    let read = read(&[
        started(),
        json!({"type": "turn.started"}),
        item("started", &command("in_progress", Value::Null)),
        item("updated", &command("in_progress", Value::Null)),
        item(
            "completed",
            &json!({"id": "2", "type": "file_change", "status": "completed",
            "changes": [{"path": "a.rs", "kind": "add"}, {"path": "b.rs", "kind": {"type": "update"}}]}),
        ),
        item("completed", &command("failed", json!(101))),
        item(
            "started",
            &json!({"id": "3", "type": "command_execution", "command": "ls", "aggregated_output": "", "status": "in_progress"}),
        ),
        item("completed", &json!({"id": "4", "type": "reasoning", "text": "not said"})),
        item("completed", &json!({"id": "5", "type": "agent_message", "text": "Said."})),
        json!({"type": "turn.failed", "error": {"message": "no more tokens"}}),
    ]);
    assert_eq!((shell(&read.steps[0]), read.steps[0].exit), ("cargo test --all", Some(101)));
    assert_eq!(edit(&read.steps[1]).0, ["a.rs", "b.rs"]);
    assert_eq!((shell(&read.steps[2]), read.steps[2].output.as_ref()), ("ls", None), "it did not end");
    assert_eq!(
        (read.said.as_slice(), read.ending.as_deref()),
        (&["Said.".to_owned()][..], Some("turn.failed: no more tokens"))
    );
}

#[test]
fn the_older_shape_of_items_is_read_as_well() {
    let read = read(&[
        started(),
        item(
            "completed",
            &json!({"id": "1", "item_type": "command_execution", "command": "bash -lc ls", "aggregated_output": "a\n", "exit_code": 0, "status": "completed"}),
        ),
        item("completed", &json!({"id": "2", "item_type": "assistant_message", "text": "Done."})),
        json!({"type": "turn.completed", "usage": {}}),
    ]);
    assert_eq!((shell(&read.steps[0]), read.steps[0].exit), ("ls", Some(0)));
    assert_eq!(
        (read.said.as_slice(), read.ending.as_deref()),
        (&["Done.".to_owned()][..], Some("turn.completed"))
    );
}

/// Each process counts its items from the beginning, and a file may hold the streams of several.
#[test]
fn a_stream_behind_another_has_ids_of_its_own() {
    let run = |command: &str| {
        item(
            "completed",
            &json!({"id": "1", "type": "command_execution", "command": command, "aggregated_output": "", "exit_code": 0, "status": "completed"}),
        )
    };
    let said = |text: &str| item("completed", &json!({"id": "2", "type": "agent_message", "text": text}));
    let read = read(&[started(), run("ls"), said("One."), started(), run("pwd"), said("Two.")]);
    assert_eq!(read.steps.iter().map(shell).collect::<Vec<_>>(), ["ls", "pwd"]);
    assert_eq!(read.said, ["One.", "Two."]);
}

#[test]
fn what_was_declined_or_failed_to_be_written_was_not_done() {
    let read = read(&[
        started(),
        item(
            "completed",
            &json!({"id": "1", "type": "command_execution", "command": "git push --force", "aggregated_output": "", "exit_code": null, "status": "declined"}),
        ),
        item(
            "completed",
            &json!({"id": "2", "type": "file_change", "changes": [{"path": "a", "kind": "add"}], "status": "failed"}),
        ),
        item(
            "completed",
            &json!({"id": "3", "type": "web_search", "query": "rules", "action": {"type": "search", "query": "rules"}}),
        ),
        item(
            "completed",
            &json!({"id": "4", "type": "web_search", "query": "", "action": {"type": "open_page", "url": "https://docs.example/"}}),
        ),
        item(
            "completed",
            &json!({"id": "5", "type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {"a": 1}, "result": {"content": [{"type": "text", "text": "back"}]}, "error": null, "status": "completed"}),
        ),
        item(
            "completed",
            &json!({"id": "6", "type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {}, "result": null, "error": {"message": "broken"}, "status": "failed"}),
        ),
        item("completed", &json!({"id": "7", "type": "something_new", "with": 1})),
        json!({"type": "error", "message": "stream lost"}),
    ]);
    let names: Vec<&str> = [0, 1, 2, 4].map(|at: usize| tool_name(&read.steps[at])).to_vec();
    assert_eq!(names, ["command_execution", "file_change", "web_search", "mcp__s__t"]);
    assert_eq!(read.steps[3].action, Action::Fetch { url: "https://docs.example/".to_owned() });
    let texts: Vec<&str> =
        read.steps[4..].iter().map(|step| step.output.as_ref().unwrap().text.as_str()).collect();
    assert_eq!((texts, read.ending.as_deref()), (vec!["back", "broken"], Some("error: stream lost")));
}

fn line(kind: &str, payload: &Value) -> Value {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload})
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    line(
        "response_item",
        &json!({"type": "function_call", "name": name, "call_id": id, "arguments": arguments.to_string()}),
    )
}

fn back(id: &str, output: impl Into<Value>) -> Value {
    line("response_item", &json!({"type": "function_call_output", "call_id": id, "output": output.into()}))
}

fn ran(output: impl Into<Value>) -> (Output, Option<i32>) {
    let read = read(&[call("1", "exec_command", &json!({"cmd": "x"})), back("1", output)]);
    (read.steps[0].output.clone().unwrap(), read.steps[0].exit)
}

#[test]
fn a_call_is_a_command_in_each_of_its_spellings() {
    let read = read(&[
        line("session_meta", &json!({"id": "s", "cwd": "/w", "cli_version": "0.1"})),
        line("turn_context", &json!({"cwd": "/w", "model": "zoo/keeper"})),
        call("1", "exec_command", &json!({"cmd": "cargo test", "workdir": "/w/a"})),
        call("2", "shell", &json!({"command": ["bash", "-lc", "cd x && ls"], "workdir": "/w"})),
        call("3", "shell", &json!({"command": ["git", "commit", "-m", "Say it's so"]})),
        call("4", "shell_command", &json!({"command": "make"})),
        line(
            "response_item",
            &json!({"type": "local_shell_call", "call_id": "5", "status": "completed",
            "action": {"type": "exec", "command": ["ls"], "working_directory": "/w"}}),
        ),
        call(
            "6",
            "shell",
            &json!({"command": ["apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch"]}),
        ),
        line(
            "response_item",
            &json!({"type": "custom_tool_call", "call_id": "7", "name": "apply_patch",
            "input": "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@\n-*** Add File: no\n+x\n*** End Patch"}),
        ),
        call("8", "view_image", &json!({"path": "a.png"})),
        call("9", "mcp__web__fetch", &json!({"url": "https://docs.example/"})),
        line(
            "response_item",
            &json!({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "q"}}),
        ),
        call("10", "exec_command", &json!({"command": 7})),
        back("5", json!([{"type": "output_text", "text": "a"}])),
        line(
            "response_item",
            &json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}),
        ),
        line("event_msg", &json!({"type": "agent_message", "message": "Done."})),
        line("event_msg", &json!({"type": "turn_aborted", "reason": "interrupted"})),
    ]);
    let commands: Vec<&str> = read.steps[..5].iter().map(shell).collect();
    assert_eq!(commands, ["cargo test", "cd x && ls", "git commit -m 'Say it'\\''s so'", "make", "ls"]);
    assert_eq!(
        read.steps[0].action,
        Action::Shell { command: "cargo test".to_owned(), folder: Some("/w/a".to_owned()) }
    );
    assert_eq!(read.steps[4].output.as_ref().unwrap().text, "a");
    assert_eq!(
        (edit(&read.steps[5]).0, edit(&read.steps[6]).0),
        (&["a".to_owned()][..], &["a.rs".to_owned(), "b.rs".to_owned()][..])
    );
    assert_eq!(read.steps[7].action, Action::Read { path: "a.png".to_owned(), lines: None });
    assert_eq!(read.steps[8].action, Action::Fetch { url: "https://docs.example/".to_owned() });
    assert_eq!((tool_name(&read.steps[9]), tool_name(&read.steps[10])), ("web_search", "exec_command"));
    assert_eq!((read.said.len(), read.model.as_deref()), (1, Some("zoo/keeper")));
    assert_eq!(read.ending.as_deref(), Some("turn_aborted: interrupted"));
}

#[test]
fn the_wrapper_of_an_output_is_taken_off_and_tells_the_exit_code() {
    let whole = |text: &str| Output { text: text.to_owned(), truncated: false };
    assert_eq!(
        ran(json!({"output": "a\n", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}).to_string()),
        (whole("a\n"), Some(2))
    );
    assert_eq!(
        ran("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nExit code: 9\n"),
        (whole("Exit code: 9\n"), Some(1))
    );
    assert_eq!(
        ran(
            "Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nok"
        ),
        (whole("ok"), Some(0))
    );
    assert_eq!(ran("Exit code: 0\nWall time: 0.1 seconds\nOutput:"), (whole(""), Some(0)));
    assert_eq!(ran("just text\nOutput:\nx"), (whole("just text\nOutput:\nx"), None));
    assert_eq!(ran(json!({"content": "in a record", "success": true})), (whole("in a record"), None));
    assert_eq!(ran("{\"output\": \"a\"}"), (whole("{\"output\": \"a\"}"), None), "a file may look like that");
}

#[test]
fn a_cut_output_is_marked_by_its_head_its_line_or_its_count() {
    let text = |output: &str| ran(output).0;
    let cut = |text: &str| Output { text: text.to_owned(), truncated: true };
    assert_eq!(
        text(
            "Exit code: 0\nWall time: 1 seconds\nTotal output lines: 900\nOutput:\na\n…12 tokens truncated…b"
        ),
        cut("a\n\nb")
    );
    assert_eq!(
        text(
            "Exit code: 0\nWall time: 1 seconds\nOutput:\nTotal output lines: 900\n\na\n[... omitted 3 of 900 lines ...]\n\nb"
        ),
        cut("a\n\nb")
    );
    assert_eq!(
        text(
            "Wall time: 1 seconds\nProcess exited with code 0\nOriginal token count: 24000\nOutput:\na…23990 tokens truncated…b"
        ),
        cut("a\nb")
    );
    assert_eq!(
        text(
            "Warning: truncated output (original token count: 9)\nTotal output lines: 2\n\na…5 chars truncated…b"
        ),
        cut("a\nb")
    );
    for quoted in [
        "the log says `…12 tokens truncated…` then",
        "Original token count: 24000 is what it writes",
        "Total output lines: 900\nis the first line of a file",
        "see [... omitted 3 of 900 lines ...] there",
        "[... omitted a few of 900 lines ...]",
    ] {
        assert_eq!(text(quoted), Output { text: quoted.to_owned(), truncated: false });
    }
}

/// The command goes on behind the call; whoever asks after it is told how it ended.
#[test]
fn the_exit_line_of_a_poll_belongs_to_the_command_of_that_session() {
    let running = |session: i64| {
        format!(
            "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID {session}\nOutput:\nbuilding"
        )
    };
    let ended = |code: i32| format!("Wall time: 1 seconds\nProcess exited with code {code}\nOutput:\nended");
    let poll = |id: &str, session: i64| call(id, "write_stdin", &json!({"session_id": session, "chars": ""}));
    let read = read(&[
        call("1", "exec_command", &json!({"cmd": "make all"})),
        back("1", running(7)),
        call("2", "exec_command", &json!({"cmd": "make docs"})),
        back("2", running(8)),
        poll("3", 8),
        back("3", ended(2)),
        poll("4", 7),
        back("4", ended(0)),
        poll("5", 99),
        back("5", ended(1)),
    ]);
    let exits: Vec<Option<i32>> = read.steps.iter().map(|step| step.exit).collect();
    assert_eq!(exits, [Some(0), Some(2), None, None, None]);
    assert_eq!(read.steps[2].output.as_ref().unwrap().text, "ended", "what it saw stays with the poll");
    assert!(read.steps[2..].iter().all(|step| tool_name(step) == "write_stdin"));
}

#[test]
fn a_session_that_was_taken_up_again_does_not_count_twice() {
    let once = call("1", "exec_command", &json!({"cmd": "ls"}));
    let read = read(&[
        once.clone(),
        back("1", "a"),
        line("compacted", &json!({"message": "m"})),
        once,
        back("1", "a"),
        call("2", "exec_command", &json!({"cmd": "pwd"})),
    ]);
    assert_eq!(read.steps.iter().map(shell).collect::<Vec<_>>(), ["ls", "pwd"]);
}

#[test]
fn another_file_is_refused_with_its_keys() {
    let error = refused(Adapter::Codex, "{\"role\": \"user\", \"text\": 1}\n");
    assert!(error.contains("no session of Codex") && error.contains("role, text"), "{error}");
    let error = refused(
        Adapter::Codex,
        &line("response_item", &json!({"type": "function_call", "name": "x"})).to_string(),
    );
    assert!(
        error.contains("line 1") && error.contains("`arguments`") && error.contains("name, type"),
        "{error}"
    );
    assert!(read(&[started(), json!({"type": "turn.started"})]).steps.is_empty(), "nothing was done");
}
