//! OpenHands, with runs that were made up for it.

use crate::{edit, read_run, refused, shell, tool_name};
use polc_checker::evidence::{Action, Output};
use polc_evidence::adapter::Adapter;
use polc_evidence::openhands::read_folder;
use polc_evidence::transcript::Transcript;
use polc_testkit::shared::case;
use serde_json::{Value, json};

fn read(events: &[Value]) -> Transcript {
    read_run(Adapter::OpenHands, &Value::from(events).to_string())
}

fn call(id: &str, name: &str, action: &Value) -> Value {
    json!({"kind": "ActionEvent", "id": id, "source": "agent", "timestamp": "2026-01-01T00:00:00", "thought": [],
        "action": action, "tool_name": name, "tool_call_id": format!("call-{id}"), "llm_response_id": "r1",
        "tool_call": {"id": format!("call-{id}"), "name": name, "arguments": "{\"as\": \"written\"}"}})
}

fn command(id: &str, command: &str) -> Value {
    call(id, "terminal", &json!({"kind": "TerminalAction", "command": command, "is_input": false}))
}

fn answer(id: &str, text: &str, code: i32) -> Value {
    json!({"kind": "ObservationEvent", "id": format!("answer-{id}"), "source": "environment", "action_id": id,
        "tool_name": "terminal", "tool_call_id": format!("call-{id}"), "observation": {"kind": "TerminalObservation",
        "content": [{"type": "text", "text": text}], "exit_code": code, "metadata": {"exit_code": code,
        "prefix": "", "suffix": "\n[The command completed.]"}}})
}

fn output(transcript: &Transcript, step: usize) -> &Output {
    transcript.steps[step].output.as_ref().unwrap()
}

#[test]
fn results_find_their_calls_by_id_in_whatever_order_they_come() {
    let read = read(&[
        command("a", "cargo test"),
        command("b", "cargo fmt"),
        command("c", "git push"),
        answer("b", "formatted", 0),
        answer("a", "1 failed", 101),
    ]);
    assert_eq!(read.steps.iter().map(shell).collect::<Vec<_>>(), ["cargo test", "cargo fmt", "git push"]);
    assert_eq!((output(&read, 0).text.as_str(), read.steps[0].exit), ("1 failed", Some(101)));
    assert_eq!((output(&read, 1).text.as_str(), read.steps[1].exit), ("formatted", Some(0)));
    assert_eq!((read.steps[2].output.as_ref(), read.steps[2].exit), (None, None), "nothing came back");
    assert_eq!(
        read.steps.iter().map(|step| step.turn).collect::<Vec<_>>(),
        [Some(1); 3],
        "one answer of the model"
    );
}

#[test]
fn a_command_that_was_still_running_ends_with_what_a_later_look_at_it_says() {
    let look = call("b", "terminal", &json!({"kind": "TerminalAction", "command": "", "is_input": true}));
    let read =
        read(&[command("a", "cargo build"), answer("a", "building", -1), look, answer("b", "done", 101)]);
    assert_eq!(shell(&read.steps[0]), "cargo build");
    assert_eq!(
        (read.steps[0].exit, tool_name(&read.steps[1]), read.steps[1].exit),
        (Some(101), "terminal", None)
    );
}

#[test]
fn a_call_that_was_turned_down_or_not_understood_is_no_command() {
    let rejected = json!({"kind": "UserRejectObservation", "id": "x", "source": "environment", "action_id": "a",
        "tool_name": "terminal", "tool_call_id": "call-a", "rejection_reason": "not now"});
    let failed = json!({"kind": "AgentErrorEvent", "id": "y", "source": "agent", "tool_name": "terminal",
        "tool_call_id": "call-b", "error": "no such argument"});
    let read =
        read(&[command("a", "git push --force"), call("b", "terminal", &Value::Null), rejected, failed]);
    assert!(read.steps.iter().all(|step| step.command().is_none()));
    assert_eq!(
        (output(&read, 0).text.as_str(), output(&read, 1).text.as_str()),
        ("not now", "no such argument")
    );
    assert_eq!(
        read.steps[1].action,
        Action::Tool { name: "terminal".to_owned(), input: "{\"as\": \"written\"}".to_owned() }
    );
}

#[test]
fn an_answer_whose_call_is_missing_still_tells_its_command() {
    let mut told = answer("gone", "text", 0);
    told["observation"]["command"] = json!("git status");
    let mut other = answer("gone too", "text", 0);
    other["tool_name"] = json!("file_editor");
    let read = read(&[told, other]);
    assert_eq!(read.steps.iter().map(shell).collect::<Vec<_>>(), ["git status"]);
}

#[test]
fn tools_have_kinds_of_their_own() {
    let editor = |command: &str, rest: Value| {
        let mut action = json!({"kind": "FileEditorAction", "command": command, "path": "/w/a.rs"});
        action.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        call(command, "file_editor", &action)
    };
    let browser = |id: &str, url: &str| {
        call(id, "browser_navigate", &json!({"kind": "BrowserNavigateAction", "url": url}))
    };
    let mut whole = editor("view", json!({"view_range": null}));
    whole["id"] = json!("whole");
    let mut rest = editor("view", json!({"view_range": [40, -1]}));
    rest["id"] = json!("rest");
    let read = read(&[
        whole,
        rest,
        editor("view", json!({"view_range": [2, 9]})),
        editor("create", json!({"file_text": "new\n"})),
        editor("str_replace", json!({"old_str": "a", "new_str": "b"})),
        editor("insert", json!({"insert_line": 3, "new_str": "c"})),
        editor("undo_edit", json!({})),
        browser("page", "https://docs.example/rules"),
        browser("local", "file:///rules/RULES.md"),
        call("mcp", "fetch", &json!({"kind": "MCPToolAction", "data": {"url": "https://docs.example/"}})),
        call(
            "patch",
            "apply_patch",
            &json!({"kind": "ApplyPatchAction",
            "patch": "*** Begin Patch\n*** Update File: b.rs\n@@\n-x\n+y\n*** Add File: c.rs\n+z\n*** End Patch"}),
        ),
        call("think", "think", &json!({"kind": "ThinkAction", "thought": "hm"})),
        call("new", "a_new_tool", &json!({"kind": "NewAction", "with": 1})),
    ]);
    let view = |lines| Action::Read { path: "/w/a.rs".to_owned(), lines };
    let actions: Vec<&Action> = read.steps.iter().map(|step| &step.action).collect();
    assert_eq!(actions[..3], [&view(None), &view(Some((40, usize::MAX))), &view(Some((2, 9)))]);
    let texts: Vec<&str> = read.steps[3..7].iter().map(|step| edit(step).1).collect();
    assert_eq!(texts, ["new\n", "b", "c", ""]);
    assert_eq!(*actions[7], Action::Fetch { url: "https://docs.example/rules".to_owned() });
    assert_eq!(
        *actions[8],
        Action::Read { path: "/rules/RULES.md".to_owned(), lines: None },
        "a local file is read"
    );
    assert_eq!(*actions[9], Action::Fetch { url: "https://docs.example/".to_owned() });
    assert_eq!(edit(&read.steps[10]).0, ["b.rs", "c.rs"]);
    assert_eq!((tool_name(&read.steps[11]), tool_name(&read.steps[12])), ("think", "a_new_tool"));
}

/// Marks count in their exact form, at the end or amid a text, and are no part of it.
#[test]
fn a_cut_output_is_marked_and_one_that_speaks_of_cutting_is_not() {
    let note =
        "<NOTE>Due to the max output limit, only part of the full response has been shown to you.</NOTE>";
    let cases = [
        ("a\nb<response clipped><NOTE>Only part is shown.</NOTE>\n".to_owned(), "a\nb", true),
        ("a\n<response clipped>".to_owned(), "a\n", true),
        (format!("head<response clipped>{note}tail"), "head\ntail", true),
        (format!("a<response clipped>{note}b<response clipped>"), "a\nb", true),
        (
            "we print 'output truncated' for long logs".to_owned(),
            "we print 'output truncated' for long logs",
            false,
        ),
        (
            "`<response clipped>` is what it writes".to_owned(),
            "`<response clipped>` is what it writes",
            false,
        ),
        ("<NOTE>Only part is shown.</NOTE>".to_owned(), "<NOTE>Only part is shown.</NOTE>", false),
    ];
    for (text, kept, truncated) in cases {
        let read = read(&[command("a", "cat x"), answer("a", &text, 0)]);
        assert_eq!(*output(&read, 0), Output { text: kept.to_owned(), truncated }, "{text}");
    }
}

#[test]
fn the_shared_case_of_cut_outputs_is_told_as_it_says() {
    let Some(case) = case("tr3") else { return };
    for name in ["b", "c", "d"] {
        let read = read(&[command("a", "x"), answer("a", case["input"][name].as_str().unwrap(), 0)]);
        assert_eq!(json!(!output(&read, 0).truncated), case["expected"][name]["complete"], "{name}");
    }
    let read = read(&[command("a", "ls"), answer("a", case["input"]["b"].as_str().unwrap(), 0)]);
    let text = &output(&read, 0).text;
    let (whole, cut) = text.rsplit_once('\n').unwrap();
    assert_eq!((json!([whole]), cut), (case["expected"]["b"]["paths"].clone(), "src/b"));
}

#[test]
fn the_end_of_a_run_is_in_the_scaffold_s_words() {
    let state = |value: &str| {
        json!({"kind": "ConversationStateUpdateEvent", "id": "s", "source": "environment",
        "key": "execution_status", "value": value})
    };
    let broken = json!({"kind": "ConversationErrorEvent", "id": "e", "source": "environment", "code": "LimitReached",
        "detail": "no more"});
    let paused = json!({"kind": "PauseEvent", "id": "p", "source": "user"});
    let finish = call("f", "finish", &json!({"kind": "FinishAction", "message": "All done."}));
    let said = json!({"kind": "MessageEvent", "id": "m", "source": "agent", "llm_message": {"role": "assistant",
        "content": [{"type": "text", "text": "Here it is."}]}});
    let asked = json!({"kind": "MessageEvent", "id": "u", "source": "user", "llm_message": {"role": "user",
        "content": [{"type": "text", "text": "PR SUBMISSION: of the prompt"}]}});
    let ending = |events: &[Value]| read(events).ending;
    assert_eq!(ending(&[asked.clone(), state("running")]), None);
    assert_eq!(ending(&[state("running"), state("stuck")]).as_deref(), Some("stuck"));
    assert_eq!(ending(&[broken, state("error")]).as_deref(), Some("LimitReached"), "it says more");
    assert_eq!(ending(std::slice::from_ref(&paused)).as_deref(), Some("paused"));
    assert_eq!(ending(&[paused, state("running")]), None);
    assert_eq!(ending(std::slice::from_ref(&finish)).as_deref(), Some("finish"));
    let read = read(&[asked, said, finish]);
    assert_eq!(read.said, ["Here it is.", "All done."], "a prompt is not the agent's");
}

#[test]
fn calls_of_another_agent_are_told_of_several_times_and_are_one_step() {
    let event = |rest: Value| {
        let mut event = json!({"kind": "ACPToolCallEvent", "id": "i", "source": "agent", "title": "Run"});
        event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        event
    };
    let read = read(&[
        event(
            json!({"tool_call_id": "1", "tool_kind": "execute", "raw_input": {"command": ["bash", "-lc", "make"]}}),
        ),
        event(
            json!({"tool_call_id": "1", "tool_kind": "execute", "status": "completed", "raw_output": "built"}),
        ),
        event(json!({"tool_call_id": "2", "tool_kind": "edit", "content": [
            {"type": "diff", "path": "a.rs", "oldText": null, "newText": "fn a() {}\n"}]})),
        event(json!({"tool_call_id": "3", "tool_kind": "read", "raw_input": {"path": "/w/b.rs"},
            "content": [{"type": "content", "content": {"type": "text", "text": "text"}}]})),
        event(json!({"tool_call_id": "4", "tool_kind": "other", "raw_input": {"q": 1}})),
    ]);
    assert_eq!(read.steps.len(), 4);
    assert_eq!((shell(&read.steps[0]), output(&read, 0).text.as_str()), ("make", "built"));
    assert_eq!(edit(&read.steps[1]), (&["a.rs".to_owned()][..], "fn a() {}\n"));
    assert_eq!(read.steps[2].action, Action::Read { path: "/w/b.rs".to_owned(), lines: None });
    assert_eq!((output(&read, 2).text.as_str(), tool_name(&read.steps[3])), ("text", "Run"));
}

#[test]
fn a_folder_is_read_in_the_order_of_its_numbers() {
    let (first, second, third) =
        (command("a", "one").to_string(), command("b", "two").to_string(), answer("a", "x", 0).to_string());
    let state = json!({"id": "c", "agent": {"llm": {"model": "zoo/keeper"}}}).to_string();
    let files = [
        ("event-100000-b.json", second.as_str()),
        ("event-99999-a.json", &first),
        ("event-100001-x.json", &third),
    ];
    let read = read_folder(Some(&state), &files).unwrap();
    assert_eq!(read.steps.iter().map(shell).collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!((read.model.as_deref(), read.steps[0].exit), (Some("zoo/keeper"), Some(0)));
    assert!(read_folder(Some(&state), &[]).unwrap().steps.is_empty(), "it was started, and nothing was done");
    let error = read_folder(None, &[("notes.json", "{}")]).unwrap_err().to_string();
    assert!(error.contains("event-<number>") && error.contains("notes.json"), "{error}");
}

fn event(id: u32, rest: &Value) -> Value {
    let mut event = json!({"id": id, "timestamp": "2026-01-01T00:00:00", "source": "agent", "message": "m"});
    event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    event
}

#[test]
fn version_0_joins_by_cause() {
    let metadata = |code: i32| json!({"metadata": {"exit_code": code}});
    let read = read(&[
        event(0, &json!({"action": "system", "args": {"content": "You are an agent."}})),
        event(1, &json!({"source": "user", "action": "message", "args": {"content": "Do it."}})),
        event(2, &json!({"action": "run", "args": {"command": "make", "thought": "I build."}})),
        event(3, &json!({"action": "run", "args": {"command": "make test", "cwd": "/w"}})),
        event(5, &json!({"observation": "run", "cause": 3, "content": "ok\r\n", "extras": metadata(0)})),
        event(4, &json!({"observation": "run", "cause": 2, "content": "broken", "extras": metadata(2)})),
        event(6, &json!({"action": "read", "args": {"path": "a.c", "start": 9, "end": 20}})),
        event(7, &json!({"observation": "error", "cause": 6, "content": "no such file"})),
        event(
            8,
            &json!({"action": "edit", "args": {"path": "a.c", "command": "", "content": "x", "start": 1, "end": -1}}),
        ),
        event(9, &json!({"action": "write", "args": {"path": "b.c", "content": "y"}})),
        event(
            10,
            &json!({"action": "browse_interactive", "args": {"browser_actions": "goto('https://docs.example/')"}}),
        ),
        event(
            11,
            &json!({"action": "browse_interactive", "args": {"browser_actions": "goto('a')\nclick('3')"}}),
        ),
        event(12, &json!({"action": "call_tool_mcp", "args": {"name": "lookup", "arguments": {"q": "x"}}})),
        event(13, &json!({"action": "message", "args": {"content": "I am done."}})),
        event(
            14,
            &json!({"observation": "agent_state_changed", "content": "", "extras": {"agent_state": "finished"}}),
        ),
    ]);
    assert_eq!(
        read.steps[..2].iter().map(|step| (shell(step), step.exit)).collect::<Vec<_>>(),
        [("make", Some(2)), ("make test", Some(0))]
    );
    assert_eq!((output(&read, 0).text.as_str(), output(&read, 1).text.as_str()), ("broken", "ok\n"));
    assert_eq!(
        read.steps[1].action,
        Action::Shell { command: "make test".to_owned(), folder: Some("/w".to_owned()) }
    );
    assert_eq!(
        read.steps[2].action,
        Action::Read { path: "a.c".to_owned(), lines: Some((10, 20)) },
        "lines count from 0 there"
    );
    assert_eq!(output(&read, 2).text, "no such file");
    assert_eq!((edit(&read.steps[3]).1, edit(&read.steps[4]).1), ("x", "y"));
    assert_eq!(read.steps[5].action, Action::Fetch { url: "https://docs.example/".to_owned() });
    assert_eq!((tool_name(&read.steps[6]), tool_name(&read.steps[7])), ("browse_interactive", "lookup"));
    assert_eq!(
        (read.said.join(" ").as_str(), read.ending.as_deref()),
        ("I build. I am done.", Some("finished"))
    );
}

#[test]
fn version_0_marks_a_cut_by_a_line_of_its_own() {
    let run = |text: &str| {
        read(&[
            event(1, &json!({"action": "run", "args": {"command": "cat x"}})),
            event(2, &json!({"observation": "run", "cause": 1, "content": text, "extras": {"exit_code": 0}})),
        ])
    };
    let cut = run("head\n[... Observation truncated due to length ...]\ntail");
    assert_eq!(*output(&cut, 0), Output { text: "head\ntail".to_owned(), truncated: true });
    let quoted = "it writes `[... Observation truncated due to length ...]` there";
    assert_eq!(*output(&run(quoted), 0), Output { text: quoted.to_owned(), truncated: false });
    assert_eq!(run("x").steps[0].exit, Some(0));
}

/// Actions and observations have no ids there, and the terminal left its line ends and its prompt in the output.
#[test]
fn the_resolver_s_records_pair_by_adjacency() {
    let record = json!({"issue": {"owner": "zoo", "repo": "zoo", "number": 12, "title": "Walrus"}, "issue_type": "issue",
        "instruction": "Solve it.", "base_commit": "a".repeat(40), "git_patch": "diff --git a/x b/x\n", "error": null,
        "history": [
            {"action": "run", "command": "ls", "thought": "I look."},
            {"observation": "run", "command": "ls", "command_id": 1, "exit_code": 0,
             "content": "a.py\r\nb.py\r\n\r\n[Python Interpreter: /usr/bin/python]\r\nopenhands@host:/workspace $ "},
            {"observation": "run", "command": "?", "exit_code": 3, "content": "nobody asked"},
            {"action": "run", "command": "price", "thought": ""},
            {"observation": "run", "command": "price", "exit_code": 0, "content": "5 $ "},
            {"action": "read", "path": "a.py", "thought": ""},
            {"action": "finish", "outputs": {}, "thought": "Solved."}]});
    let read = read_run(Adapter::OpenHands, &record.to_string());
    assert_eq!(read.steps.iter().map(|step| step.exit).collect::<Vec<_>>(), [Some(0), Some(0), None, None]);
    assert_eq!((output(&read, 0).text.as_str(), output(&read, 1).text.as_str()), ("a.py\nb.py", "5 $ "));
    assert_eq!((read.steps[2].output.as_ref(), read.steps[3].output.as_ref()), (None, None));
    assert_eq!(read.said, ["I look.", "Solved."]);
    assert_eq!((read.instance.as_deref(), read.base), (Some("zoo/zoo#12"), Some("a".repeat(40))));
    assert_eq!(
        (read.patch.as_deref(), read.ending.as_deref()),
        (Some("diff --git a/x b/x\n"), Some("finish"))
    );
}

#[test]
fn an_older_history_is_pairs() {
    let record = json!({"instance_id": "zoo__zoo-1", "instance": {"base_commit": "b"}, "test_result": {"git_patch": ""},
        "metadata": {"llm_config": {"model": "m"}}, "history": [
            [event(0, &json!({"action": "run", "args": {"command": "ls"}})),
             event(1, &json!({"observation": "run", "cause": 0, "content": "a", "extras": {"exit_code": 0}}))]]});
    let read = read_run(Adapter::OpenHands, &record.to_string());
    assert_eq!(
        (shell(&read.steps[0]), read.steps[0].exit, read.model.as_deref()),
        ("ls", Some(0), Some("m"))
    );
    assert_eq!(read.patch.as_deref(), Some(""), "an empty patch was taken");
    let failed =
        json!({"instance_id": "zoo__zoo-2", "test_result": {}, "history": null, "error": "no image"});
    let read = read_run(Adapter::OpenHands, &failed.to_string());
    assert_eq!((read.steps.len(), read.patch, read.ending.as_deref()), (0, None, Some("no image")));
}

#[test]
fn what_is_no_run_is_refused_with_its_keys() {
    for text in ["{\"messages\": [], \"info\": {}}", "[{\"role\": \"user\", \"content\": \"hi\"}]"] {
        let error = refused(Adapter::OpenHands, text);
        assert!(
            error.contains("no events of OpenHands")
                && (error.contains("messages") || error.contains("role")),
            "{error}"
        );
    }
    let record = |name: &str| json!({"instance_id": name, "test_result": {}, "history": []}).to_string();
    let error = refused(Adapter::OpenHands, &format!("{}\n{}\n", record("one"), record("two")));
    assert!(error.contains("several runs") && error.contains("one, two"), "{error}");
    let mut changed = command("a", "ls");
    changed["action"] = json!({"kind": "TerminalAction", "cmd": "ls"});
    let error = refused(Adapter::OpenHands, &json!([changed]).to_string());
    assert!(error.contains("TerminalAction has no `command`; found: cmd, kind"), "{error}");
    assert!(refused(Adapter::OpenHands, "").contains("found: nothing"));
    assert!(refused(Adapter::OpenHands, "{\"kind\": ").starts_with("line 1, column "));
}
