//! `task render`: what a harness tells an agent.

use crate::polc::Zoo;

const PAGE: &str = "# Contributing\n\nNever commit a walrus.\n";

#[test]
fn a_task_is_told_its_scope_the_place_of_the_rules_and_how_to_hand_in() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    let native = zoo.polc(&["task", "render", "zoo__zoo-1", "native"]).exits(0);
    let manifest = zoo.read("manifests/zoo/manifest.toml");
    let url = manifest.lines().find_map(|line| line.strip_prefix("url = ")).unwrap().trim_matches('"');
    assert!(native.out.contains(&format!("\n- {url}\n")), "{}", native.out);
    for section in ["## What belongs to the task", "## The project's rules", "## Handing in"] {
        assert_eq!(native.out.matches(section).count(), 1, "{section}");
    }
    let docs = "https://docs.zoo.example/start";
    let told = zoo.polc(&["task", "render", "zoo__zoo-1", "native", "--docs", docs]).exits(0).out;
    assert!(told.contains(docs) && !told.contains(url));
    let without = zoo.polc(&["task", "render", "zoo__zoo-1", "consolidated"]).exits(3);
    assert!(without.err.contains("help: write it with `polc rules-file zoo`"), "{}", without.err);
    zoo.repository.write("corpora/zoo/CONTRIBUTING_RULES.md", "# Rules\n");
    let one = zoo.polc(&["task", "render", "zoo__zoo-1", "consolidated", "--rules-file", "/r/R.md"]).exits(0);
    assert!(one.out.contains("\n- /r/R.md\n") && !one.out.contains(url), "{}", one.out);
    assert!(one.err.contains("it has 8 characters"), "{}", one.err);
}

#[test]
fn a_task_is_named_or_read_from_a_file() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    let tasks = "{\"instance_id\": \"zoo__zoo-1\", \"problem_statement\": \"A {{ lion }} roars.\"}\n\n\
                 {\"id\": \"other-2\", \"repo\": \"zoo/zoo\", \"patch\": \"x\"}\n";
    zoo.repository.write("tasks.jsonl", tasks);
    let first = zoo.polc(&["task", "render", "zoo__zoo-1", "native", "--tasks", "tasks.jsonl"]).exits(0).out;
    assert!(first.starts_with("## The task\n\nA {{ lion }} roars.\n\n## What belongs"), "{first}");
    zoo.polc(&["task", "render", "other-2", "native", "--tasks", "tasks.jsonl"]).exits(3);
    zoo.repository.write("one.json", "{\n \"id\": \"zoo__animals-7\", \"repo\": \"zoo/zoo\"\n}\n");
    zoo.polc(&["task", "render", "one.json", "native"]).exits(0);
    let many = zoo.polc(&["task", "render", "tasks.jsonl", "native"]).exits(3).err;
    assert!(many.contains("tasks.jsonl: 2 tasks there are meant"), "{many}");
    let none = zoo.polc(&["task", "render", "zoo__zoo-9", "native", "--tasks", "tasks.jsonl"]).exits(3).err;
    assert!(none.contains("0 tasks there are meant"), "{none}");
    zoo.repository.write("bad.jsonl", "{\"id\": \"a\"}\n{\"repo\": 1}\n");
    let bad = zoo.polc(&["task", "render", "bad.jsonl", "native"]).exits(2).err;
    assert!(bad.contains("bad.jsonl:2: "), "{bad}");
    let unknown = zoo.polc(&["task", "render", "ark__ark-1", "native"]).exits(3).err;
    assert!(unknown.contains("`ark__ark-1` is of no project here; there are: zoo"), "{unknown}");
    zoo.polc(&["--json", "task", "render", "zoo__zoo-1", "native"]).exits(3);
}

/// A prompt as scaffolds have them, in words of our own, and what of it is stripped.
const PROMPT: &str = "<task>\nLook at the report. It is about {{ lions }}.\n</task>\n\n\
    I have already taken care of all changes to the test files, so you\nneed not look at them. Go slowly!\n\n\
    1. Read the code.\n\
    2. Make the minimal changes to non-test files that mend it.\n\
    3. Run the tests.\n\n\
    - MODIFY: regular source files\n\
    - DO NOT MODIFY: tests and configuration\n\
    - Write with `git diff -- a.py > patch.txt` what you did\n\n\
    You may install missing packages.\nPlease commit early. Do not weaken tests.\n";

#[test]
fn what_contradicts_is_stripped_from_a_prompt_and_nothing_else() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    zoo.repository.write("prompt.txt", PROMPT);
    let ran = zoo.polc(&["task", "render", "zoo__zoo-1", "native", "--prompt", "prompt.txt"]).exits(0);
    let kept = ran.out.split("\n\n## What belongs").next().unwrap();
    let expected = "<task>\nLook at the report. It is about {{ lions }}.\n</task>\n\nGo slowly!\n\n\
        1. Read the code.\n3. Run the tests.\n\nPlease commit early. Do not weaken tests.";
    assert_eq!(kept, expected, "{}", ran.err);
    let lines: Vec<&str> = ran.err.lines().map(|line| line.split(',').next().unwrap()).collect();
    let from: Vec<String> =
        [5, 9, 12, 13, 14, 16].iter().map(|line| format!("stripped from line {line}")).collect();
    assert_eq!(lines, from, "{}", ran.err);
    zoo.repository
        .write("stages/task/conflicts.toml", "schema = 1\n\n[[conflict]]\npattern = \"(\"\nwhy = \"x\"\n");
    let bad = zoo.polc(&["task", "render", "zoo__zoo-1", "native", "--prompt", "prompt.txt"]).exits(2).err;
    assert!(bad.contains("stages/task/conflicts.toml"), "{bad}");
}

#[test]
fn a_template_of_the_root_that_asks_for_what_is_not_there_is_an_error() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    zoo.repository.write("stages/task/native.j2", "See {{ place }}.\n");
    let ran = zoo.polc(&["task", "render", "zoo__zoo-1", "native"]).exits(2);
    assert!(ran.err.contains("stages/task/native.j2") && ran.out.is_empty(), "{}", ran.err);
}
