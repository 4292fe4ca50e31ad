//! Claude Code, with sessions that were made up for it.

use crate::{edit, read_run, refused, shell, tool_name};
use polc_checker::evidence::{Action, Output};
use polc_evidence::adapter::Adapter;
use polc_evidence::transcript::Transcript;
use serde_json::{Value, json};

fn read(lines: &[Value]) -> Transcript {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    read_run(Adapter::ClaudeCode, &lines.join("\n"))
}

fn said(message: &str, block: &Value) -> Value {
    json!({"type": "assistant", "sessionId": "s", "cwd": "/w", "isSidechain": false,
        "message": {"id": message, "role": "assistant", "model": "zoo-keeper-1", "content": [block]}})
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    said(id, &json!({"type": "tool_use", "id": id, "name": name, "input": input}))
}

fn given(id: &str, content: impl Into<Value>, is_error: bool) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": content.into(), "is_error": is_error});
    json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": [block]}})
}

fn ran(content: impl Into<Value>, is_error: bool) -> (Output, Option<i32>) {
    let read = read(&[call("1", "Bash", &json!({"command": "x"})), given("1", content, is_error)]);
    (read.steps[0].output.clone().unwrap(), read.steps[0].exit)
}

#[test]
fn tools_have_kinds_and_results_find_their_calls() {
    let read = read(&[
        json!({"type": "summary", "summary": "Earlier.", "leafUuid": "u"}),
        json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": "PR: of the prompt"}}),
        said("m1", &json!({"type": "thinking", "thinking": "not said", "signature": "x"})),
        said("m1", &json!({"type": "text", "text": "I look."})),
        said(
            "m1",
            &json!({"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "git status", "description": "d"}}),
        ),
        said(
            "m1",
            &json!({"type": "tool_use", "id": "b", "name": "Read", "input": {"file_path": "/w/a.rs", "offset": 5, "limit": 10}}),
        ),
        given("b", json!([{"type": "text", "text": "5 x"}, {"type": "image"}]), false),
        given("a", "clean", false),
        call("c", "Edit", &json!({"file_path": "/w/a.rs", "old_string": "x", "new_string": "y"})),
        call(
            "d",
            "MultiEdit",
            &json!({"file_path": "/w/a.rs", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}),
        ),
        call("e", "Write", &json!({"file_path": "/w/b.rs", "content": "z"})),
        call("f", "NotebookEdit", &json!({"notebook_path": "/w/n.ipynb", "new_source": "1"})),
        call("g", "WebFetch", &json!({"url": "https://docs.example/", "prompt": "p"})),
        call("h", "Grep", &json!({"pattern": "x"})),
        call("i", "Task", &json!({"prompt": "p"})),
        call("j", "Read", &json!({"path": "/w/a.rs"})),
    ]);
    assert_eq!(
        (shell(&read.steps[0]), read.steps[0].output.as_ref().unwrap().text.as_str()),
        ("git status", "clean")
    );
    assert_eq!(read.steps[1].action, Action::Read { path: "/w/a.rs".to_owned(), lines: Some((5, 14)) });
    assert_eq!(read.steps[1].output.as_ref().unwrap().text, "5 x");
    let texts: Vec<&str> = read.steps[2..6].iter().map(|step| edit(step).1).collect();
    assert_eq!(texts, ["y", "b\nd", "z", "1"]);
    assert_eq!(read.steps[6].action, Action::Fetch { url: "https://docs.example/".to_owned() });
    let names: Vec<&str> = read.steps[7..].iter().map(tool_name).collect();
    assert_eq!(names, ["Grep", "Task", "Read"], "the last one was not called as it has to be");
    let turns: Vec<Option<u32>> = read.steps[..3].iter().map(|step| step.turn).collect();
    assert_eq!(turns, [Some(1), Some(1), Some(2)], "a message is spread over lines");
    assert_eq!(
        (read.said.as_slice(), read.model.as_deref()),
        (&["I look.".to_owned()][..], Some("zoo-keeper-1"))
    );
}

#[test]
fn a_command_that_failed_says_its_exit_code_on_the_first_line() {
    let whole = |text: &str| Output { text: text.to_owned(), truncated: false };
    assert_eq!(ran("Exit code 101\nerror: broken", true), (whole("error: broken"), Some(101)));
    assert_eq!(ran("Exit code 1", true), (whole(""), Some(1)));
    assert_eq!(
        ran("Exit code 3\nis what it printed", false),
        (whole("Exit code 3\nis what it printed"), None)
    );
    assert_eq!(ran("broken", true), (whole("broken"), None));
}

#[test]
fn a_cut_output_is_marked_in_each_of_its_forms() {
    let cut = |text: &str| (Output { text: text.to_owned(), truncated: true }, None);
    assert_eq!(ran("a\nb\n\n... [90 lines truncated] ...", false), cut("a\nb"));
    let kept = "<persisted-output>\nOutput too large (73.3KB). Full output saved to: /tmp/x.txt\n\nPreview (first 2KB):\na\nb\n...\n</persisted-output>";
    assert_eq!(ran(kept, false), cut("a\nb"));
    for quoted in [
        "it prints ... [90 lines truncated] ... and goes on",
        "x\n\n... [many lines truncated] ...",
        "see <persisted-output>\n",
    ] {
        assert_eq!(ran(quoted, false).0, Output { text: quoted.to_owned(), truncated: false });
    }
    let reminded = "text\n\n<system-reminder>\nBe kind.\n</system-reminder>\n";
    assert_eq!(ran(reminded, false).0.text, "text", "the scaffold put that there");
}

#[test]
fn a_file_that_was_shown_in_part_was_cut() {
    let shown = |lines: usize| {
        let mut result = given("1", "1 x", false);
        result["toolUseResult"] = json!({"type": "text", "file": {"filePath": "/w/a", "content": "x", "startLine": 1, "numLines": lines, "totalLines": 9}});
        read(&[call("1", "Read", &json!({"file_path": "/w/a"})), result]).steps[0]
            .output
            .clone()
            .unwrap()
            .truncated
    };
    assert_eq!((shown(8), shown(9)), (true, false));
}

#[test]
fn what_a_person_turned_down_was_not_done() {
    let read = read(&[
        call("1", "Bash", &json!({"command": "git push --force"})),
        given("1", "The user doesn't want to proceed with this tool use. The tool use was rejected.", true),
        call("2", "Bash", &json!({"command": "ls"})),
    ]);
    assert_eq!(
        read.steps.iter().map(polc_checker::evidence::Step::command).collect::<Vec<_>>(),
        [None, Some("ls")]
    );
}

#[test]
fn helpers_act_and_do_not_speak_for_the_agent() {
    let mut helper = said("h", &json!({"type": "text", "text": "PR: mine"}));
    helper["isSidechain"] = json!(true);
    helper["message"]["model"] = json!("zoo-cub-1");
    let mut act = call("1", "Bash", &json!({"command": "ls"}));
    act["isSidechain"] = json!(true);
    let mut failed = said("e", &json!({"type": "text", "text": "API Error"}));
    failed["isApiErrorMessage"] = json!(true);
    failed["message"]["model"] = json!("<synthetic>");
    let read = read(&[said("m", &json!({"type": "text", "text": "Mine."})), helper, act, failed]);
    assert_eq!(
        (read.said.as_slice(), read.model.as_deref()),
        (&["Mine.".to_owned()][..], Some("zoo-keeper-1"))
    );
    assert_eq!(shell(&read.steps[0]), "ls");
}

#[test]
fn lines_that_a_session_repeats_count_once() {
    let mut text = said("m", &json!({"type": "text", "text": "Once."}));
    text["uuid"] = json!("u1");
    let run = call("1", "Bash", &json!({"command": "ls"}));
    let read = read(&[text.clone(), run.clone(), text, run]);
    assert_eq!((read.said.len(), read.steps.len()), (1, 1));
}

#[test]
fn the_stream_of_messages_tells_how_it_ended() {
    let read = read(&[
        json!({"type": "system", "subtype": "init", "session_id": "s", "model": "zoo-keeper-1"}),
        json!({"type": "assistant", "session_id": "s", "message": {"id": "m", "content": [{"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}}]}}),
        json!({"type": "result", "subtype": "error_max_turns", "is_error": true, "session_id": "s"}),
    ]);
    assert_eq!((shell(&read.steps[0]), read.ending.as_deref()), ("ls", Some("error_max_turns")));
}

/// A text that was cut within a character leaves half of it behind, which is no JSON.
#[test]
fn half_a_character_does_not_make_a_session_unreadable() {
    let line = call("1", "Bash", &json!({"command": "echo X \\u Y"})).to_string();
    let broken = line.replace('X', "\\ud83d").replace('Y', "\\ud83d\\ude00 \\\\ud83d");
    let read = read_run(Adapter::ClaudeCode, &broken);
    assert_eq!(shell(&read.steps[0]), "echo \u{fffd} \\u 😀 \\ud83d");
}

#[test]
fn another_file_is_refused_with_its_keys() {
    let error = refused(Adapter::ClaudeCode, "{\"type\": \"thread.started\", \"thread_id\": \"t\"}");
    assert!(error.contains("no session of Claude Code") && error.contains("thread_id, type"), "{error}");
    let mut broken = said("m", &json!({}));
    broken["message"]["content"] = json!(7);
    let error = refused(Adapter::ClaudeCode, &broken.to_string());
    assert!(error.contains("line 1") && error.contains("message"), "{error}");
    let asked = json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Hello"}});
    assert!(read(&[asked.clone(), asked]).steps.is_empty(), "nothing was done");
}
