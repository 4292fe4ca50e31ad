//! The runs that others published, and what is left of them when something is broken.

use polc_checker::evidence::{Action, Step};
use polc_evidence::adapter::Adapter;
use polc_evidence::openhands::read_folder;
use polc_evidence::sample::Sample;
use polc_evidence::transcript::Transcript;
use polc_testkit::shared::{files_below, shared};
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// What was counted in each sample by hand: steps in a shell, of reading, editing, fetching and of other tools; outputs,
/// exit codes and cut outputs; how it ended.
type Counted = (&'static str, Adapter, [usize; 5], [usize; 3], Option<&'static str>);

const COUNTED: [Counted; 10] = [
    ("claude-code/bash-error.2.0.27.excerpt.jsonl", Adapter::ClaudeCode, [2, 0, 0, 0, 0], [2, 0, 0], None),
    ("codex/exec-json-2.0.46.0.jsonl", Adapter::Codex, [1, 0, 0, 0, 0], [1, 1, 0], Some("turn.completed")),
    ("codex/exec-json-3.0.46.0.jsonl", Adapter::Codex, [0, 0, 1, 0, 0], [0, 0, 0], Some("turn.completed")),
    ("codex/rollout-0.46.0.excerpt.jsonl", Adapter::Codex, [1, 0, 1, 0, 0], [2, 2, 0], None),
    ("codex/rollout-synthetic.claude-code-log.jsonl", Adapter::Codex, [1, 0, 1, 0, 1], [3, 0, 0], None),
    (
        "openhands-v0/multi_swe_bench_output.first_record.jsonl",
        Adapter::OpenHands,
        [13, 6, 2, 0, 2],
        [22, 13, 3],
        Some("finish"),
    ),
    ("openhands-v1/events.jsonl", Adapter::OpenHands, [3, 0, 0, 0, 0], [3, 1, 0], None),
    (
        "swe-agent/marshmallow-1867.v1_function_calling.traj",
        Adapter::SweAgent,
        [6, 2, 3, 0, 2],
        [13, 0, 0],
        Some("submitted"),
    ),
    ("swe-agent/test-repo-i1.v0.traj", Adapter::SweAgent, [1, 1, 1, 0, 2], [5, 0, 0], Some("submitted")),
    (
        "swe-cc/tests/fixtures/openhands_v1_events.json",
        Adapter::OpenHands,
        [1, 1, 0, 1, 3],
        [6, 1, 0],
        Some("finish"),
    ),
];

fn kinds(steps: &[Step]) -> [usize; 5] {
    let mut kinds = [0; 5];
    for step in steps {
        kinds[match step.action {
            Action::Shell { .. } => 0,
            Action::Read { .. } => 1,
            Action::Edit { .. } => 2,
            Action::Fetch { .. } => 3,
            Action::Tool { .. } => 4,
        }] += 1;
    }
    kinds
}

fn back(steps: &[Step]) -> [usize; 3] {
    let outputs = || steps.iter().filter_map(|step| step.output.as_ref());
    [
        outputs().count(),
        steps.iter().filter(|step| step.exit.is_some()).count(),
        outputs().filter(|output| output.truncated).count(),
    ]
}

fn read(path: &Path) -> Option<(Adapter, Transcript)> {
    let text = std::fs::read_to_string(path).unwrap();
    let adapter = Adapter::looking(&Sample::of(&text))?;
    Some((adapter, adapter.read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))))
}

#[test]
fn every_sample_has_what_was_counted_in_it() {
    let Some(folder) = shared("runs") else { return };
    for (path, adapter, steps, results, ending) in COUNTED {
        let (found, run) = read(&folder.join(path)).unwrap();
        assert_eq!((found, kinds(&run.steps), back(&run.steps)), (adapter, steps, results), "{path}");
        assert_eq!(run.ending.as_deref(), ending, "{path}");
    }
}

#[test]
fn what_two_samples_say_in_full() {
    let Some(folder) = shared("runs") else { return };
    let (_, run) = read(&folder.join("openhands-v0/multi_swe_bench_output.first_record.jsonl")).unwrap();
    let exits: Vec<i32> = run.steps.iter().filter_map(|step| step.exit).collect();
    assert_eq!(exits, [0, 0, 0, 0, 0, 0, 0, 127, 2, 2, 127, 0, 127]);
    assert_eq!(run.instance.as_deref(), Some("ponylang__ponyc-4595"));
    assert_eq!(run.base.as_deref(), Some("f8a2feebba3aea298bde89d445ad35ca48602ca7"));
    assert_eq!(run.model.as_deref(), Some("openai/openrouter-llama-4-maverick"));
    assert!(run.patch.unwrap().starts_with("diff --git a/src/libponyc/ast/parser.c "));
    let (_, run) = read(&folder.join("swe-agent/marshmallow-1867.v1_function_calling.traj")).unwrap();
    let submission = run.submission.unwrap();
    assert!(submission.starts_with("diff --git a/src/marshmallow/fields.py ") && !submission.contains('\r'));
    let turns: Vec<Option<u32>> = run.steps.iter().map(|step| step.turn).collect();
    assert_eq!(turns, (1..=13).map(Some).collect::<Vec<_>>());
    assert_eq!(
        run.steps[8].action,
        Action::Read { path: "src/marshmallow/fields.py".to_owned(), lines: Some((1457, 1556)) }
    );
}

/// The table of a page of the documentation: what each sample carries and what it lacks.
#[test]
fn the_table_of_runs_is_up_to_date() {
    let Some(folder) = shared("runs") else { return };
    let mut table = String::from(
        "| sample | format | shell | reads | edits | fetches | tools | outputs | exit codes | cut | said | patch | model | task | base | ended |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for path in files_below(&folder) {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        if let Some((adapter, run)) = read(&path) {
            row(&mut table, &name, adapter, &run);
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runs.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let start = text.find("| sample | format |").unwrap();
    let end = text[start..].find("\n\n").map_or(text.len(), |length| start + length + 1);
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&page, format!("{}{table}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(
            &text[start..end],
            table,
            "run POLC_WRITE_DOCS=1 cargo test -p polc-evidence the_table_of_runs"
        );
    }
}

fn row(table: &mut String, name: &str, adapter: Adapter, run: &Transcript) {
    let or_nothing = |text: Option<&str>| text.map_or("–".to_owned(), |text| format!("`{text}`"));
    let [shell, reads, edits, fetches, tools] = kinds(&run.steps);
    let [outputs, exits, cut] = back(&run.steps);
    let is_patch = |text: &str| text.lines().any(|line| line.starts_with("diff --git "));
    let handed_in = run.submission.as_deref();
    let patch = match (run.patch.as_deref(), handed_in) {
        (Some(_), _) => "taken",
        (None, Some(text)) if text.lines().any(|line| line.trim_end() == "===PATCH===") => "collected",
        (None, Some(text)) if is_patch(text) => "handed in",
        (None, Some(_)) => "other text",
        (None, None) => "–",
    };
    let said = run.said.len();
    let base = or_nothing(run.base.as_deref().map(|base| &base[..base.len().min(7)]));
    let (model, task, ended) = (
        or_nothing(run.model.as_deref()),
        or_nothing(run.instance.as_deref()),
        or_nothing(run.ending.as_deref()),
    );
    writeln!(
        table,
        "| `{name}` | {adapter} | {shell} | {reads} | {edits} | {fetches} | {tools} | {outputs} | {exits} | {cut} | {said} | \
         {patch} | {model} | {task} | {base} | {ended} |"
    )
    .unwrap();
}

fn any_json() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        prop::sample::select(vec![
            "type",
            "kind",
            "source",
            "action",
            "observation",
            "history",
            "test_result",
            "trajectory",
            "info",
            "attempts",
            "payload",
            "item",
            "message",
            "content",
            "sessionId",
            "id",
            "command",
            "args",
            "cause",
            "state",
            "thought",
            "output",
            "call_id",
            "arguments",
            "name",
            "text",
            "timestamp",
            "tool_name",
            "tool_call_id",
            "action_id",
        ])
        .prop_map(str::to_owned),
        "[a-z]{1,4}",
    ];
    let words = prop::sample::select(vec![
        "assistant",
        "user",
        "tool_use",
        "tool_result",
        "ActionEvent",
        "ObservationEvent",
        "run",
        "edit",
        "agent",
        "response_item",
        "function_call",
        "item.completed",
        "thread.started",
        "command_execution",
        "Bash",
        "shell",
        "{\"cmd\": \"x\"}",
        "<response clipped>",
        "…1 tokens truncated…",
        "edit 1:1\nend_of_edit",
        "open 'x",
        "\r\n$ ",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Every adapter reads a text or says what is wrong with it.
fn survives(text: &str) {
    let sample = Sample::of(text);
    for adapter in Adapter::ALL {
        adapter.recognises(&sample);
        if let Err(error) = adapter.read(text) {
            assert!(!error.to_string().is_empty());
        }
    }
    let _read = read_folder(Some(text), &[("event-00000-a.json", text)]);
}

proptest! {
    #[test]
    fn no_json_is_too_odd(values in prop::collection::vec(any_json(), 1..5)) {
        survives(&values[0].to_string());
        survives(&values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
        survives(&Value::from(values).to_string());
    }

    #[test]
    fn no_text_is_too_odd(text in any::<String>(), json in "[\\[\\]{}\":,0-9a-fu\\\\ ]{0,40}") {
        survives(&text);
        survives(&json);
    }
}

/// Takes something out of a value, or puts something else there.
fn broken(value: &mut Value, choices: &mut impl Iterator<Item = usize>, other: &Value) {
    let Some(choice) = choices.next() else { return *value = other.clone() };
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(choice % map.len()).unwrap().clone();
            if choice % 7 == 0 {
                map.remove(&key);
            } else {
                broken(&mut map[&key], choices, other);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let at = choice % list.len();
            if choice % 7 == 0 { drop(list.remove(at)) } else { broken(&mut list[at], choices, other) }
        }
        other_kind => *other_kind = other.clone(),
    }
}

#[test]
fn no_broken_sample_is_too_odd() {
    let Some(folder) = shared("runs") else { return };
    let small = |path: &&(&str, Adapter, [usize; 5], [usize; 3], Option<&str>)| {
        std::fs::metadata(folder.join(path.0)).unwrap().len() < 100_000
    };
    let texts: Vec<String> = COUNTED
        .iter()
        .filter(small)
        .map(|(path, ..)| std::fs::read_to_string(folder.join(path)).unwrap())
        .collect();
    let values: Vec<Vec<Value>> = texts
        .iter()
        .map(|text| serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().unwrap())
        .collect();
    let choice = (0..texts.len(), any::<prop::sample::Index>());
    let mutation = (choice, prop::collection::vec(any::<u16>(), 1..7), any_json());
    let mut runner = prop::test_runner::TestRunner::new(ProptestConfig::with_cases(96));
    let outcome = runner.run(&mutation, |((at, index), choices, other)| {
        let mut values = values[at].clone();
        let line = index.index(values.len());
        broken(&mut values[line], &mut choices.into_iter().map(usize::from), &other);
        survives(&values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
        let text = &texts[at];
        let end = text.floor_char_boundary(index.index(text.len()));
        survives(&text[..end]);
        Ok(())
    });
    outcome.unwrap();
}
