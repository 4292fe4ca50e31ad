//! Stored runs against written checkers: rows in order, faults as rows, interruptions, parts.

use crate::check::{NEWLINE, WALRUS, cases, stem, write};
use crate::polc::{Ran, Zoo, checkout, polc, share_builds};
use polc_checker::PullRequest;
use polc_checker::evidence::{Commit, Content, Evidence, FileChange, Part, Person, Run, Setting};
use polc_checker::message::Message;
use polc_testkit::github::Pull;
use polc_testkit::shared;
use polc_testkit::shared::files_below;
use polc_testkit::{GitHubServer, TestRepository};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. Never mention a walrus in a commit message.\n\n\
    Name the keeper in the description of the pull request.\n";

/// Does to its process what a title says.
const KEEPER: &str = r#"use polc_checker::{Checker, Declaration, Judgement, Ownership, PullRequest, Read, Selection, View};

pub struct C003;

impl Checker for C003 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C003", "DIGEST", Ownership::Created, &[Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(Some(view.pull_request()?).filter(|request| request.title != "Nobody").into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.body.contains("keeper"), || "name the keeper".to_owned())
    }
}
"#;

/// The same for commits, in the middle of the rules.
const DEADLY: &str = r#"
        let message = target.message.raw();
        if message.contains("panic") { panic!("no lion was found"); }
        if message.contains("greedy") && vec![1_u8; 3 << 30].len() == message.len() { return Judgement::Satisfied; }
        while message.contains("loop") {}
        fn deeper(depth: usize) -> usize { if depth == usize::MAX { 0 } else { deeper(depth + 1) + 1 } }
        if message.contains("deep") && deeper(0) == message.len() { return Judgement::Satisfied; }
"#;

/// A zoo with three written checkers.
fn zoo() -> Zoo {
    let zoo = Zoo::that_builds(PAGE);
    zoo.up_to_stubs();
    let file = |text: &str| format!("[[case.file]]\npath = \"a\"\nhead = \"{text}\"\n");
    let commit = |text: &str| format!("[[case.commit]]\nmessage = \"{text}\"\n");
    let request =
        |title: &str, body: &str| format!("[case.pull_request]\ntitle = \"{title}\"\nbody = \"{body}\"\n");
    let newline = cases("ZOO-C001", &file("x\\n"), &file("x"), &file(""));
    write(&zoo, &stem(&zoo, "ZOO-C001"), NEWLINE, &newline);
    let walrus = cases("ZOO-C002", &commit("A lion"), &commit("A walrus"), &file(""));
    let judged = "-> Judgement {\n";
    let deadly = WALRUS.replace(judged, &format!("{judged}{DEADLY}"));
    write(&zoo, &stem(&zoo, "ZOO-C002"), &deadly, &walrus);
    let keeper = cases("ZOO-C003", &request("A", "keeper"), &request("A", ""), &request("Nobody", ""));
    write(&zoo, &stem(&zoo, "ZOO-C003"), KEEPER, &keeper);
    zoo
}

/// Pull requests by their addresses stand among other runs; what is none is a run that cannot be read.
fn pull_requests(zoo: &Zoo) {
    let made = TestRepository::new();
    made.write("lion", "roar\n");
    made.commit("A lion");
    made.git(&["checkout", "--quiet", "-b", "work"]);
    made.write("seal", "bark");
    made.commit("A walrus");
    let server = GitHubServer::start();
    let request = || Pull {
        title: "Add a seal".to_owned(),
        body: Some("The keeper asked for it.".to_owned()),
        base: "main".to_owned(),
        head: "work".to_owned(),
        state: "open".to_owned(),
    };
    server.serve("zoo/zoo", made.path()).pull("zoo/zoo", 12, request());
    let host = server.api();
    let (pull, issue) = (format!("{host}/zoo/zoo/pull/12"), format!("{host}/zoo/zoo/issues/12"));
    let arguments =
        ["grade", "zoo", &pull, "runs.jsonl", &issue, "https://elsewhere.example/zoo/zoo/pull/12"];
    let graded = Ran::of(polc(zoo.path(), &arguments).env("GITHUB_API_URL", server.api())).exits(2);
    let rows = outcomes(&graded.out);
    let first: Vec<(&str, &str)> =
        rows[..3].iter().map(|(_, rule, outcome, _)| (rule.as_str(), outcome.as_str())).collect();
    assert_eq!(first, [("ZOO-C001", "violated"), ("ZOO-C002", "violated"), ("ZOO-C003", "satisfied")]);
    assert!(rows[0].0.starts_with("zoo/zoo#12:"), "{rows:?}");
    let lines = lines(&graded.out);
    let unread: Vec<&Value> = lines
        .iter()
        .filter(|line| line["source"].as_str().is_some_and(|it| it.starts_with("http")))
        .collect();
    let error = |of: usize| unread[of]["error"].as_str().unwrap_or_default().to_owned();
    assert!(error(1).contains("expected an address like"), "{unread:?}");
    assert!(error(2).contains("not on the host of the API"), "{unread:?}");
    assert_eq!(unread[0]["remarks"], Value::Null, "{unread:?}");

    let secret = pull.replace("://", "://keeper:s3cret@");
    let graded =
        Ran::of(polc(zoo.path(), &["grade", "zoo", &secret]).env("GITHUB_API_URL", server.api())).exits(2);
    assert!(graded.out.contains("holds a name or a password"), "{graded:#?}");
    assert!(!graded.out.contains("s3cret") && !graded.err.contains("s3cret"), "{graded:#?}");
    server.serve("ark/ark", made.path()).pull("ark/ark", 3, request());
    let elsewhere = format!("{host}/ark/ark/pull/3");
    let graded =
        Ran::of(polc(zoo.path(), &["grade", "zoo", &elsewhere]).env("GITHUB_API_URL", server.api())).exits(0);
    assert!(
        graded.out.contains("the pull request is of `ark/ark`, and the rules are of `zoo/zoo`"),
        "{graded:#?}"
    );
    let packed = zoo.polc(&["evidence", "pack", &pull, "-o", "packed-pull"]).exits(2);
    assert!(packed.err.contains("name it with `polc grade`"), "{packed:#?}");
}

/// A run with one file, one commit and a pull request.
fn run(id: &str, message: &str) -> Evidence {
    let person = Person { name: "Anna".to_owned(), email: "anna@zoo.example".to_owned(), raw: None };
    let commit = Commit {
        id: "c".repeat(40),
        parents: Vec::new(),
        author: Some(person.clone()),
        committer: Some(person),
        message: Message::new(message),
        paths: None,
    };
    let mut run = Run::new(id, "zoo");
    run.instance = Some("zoo__zoo-1".to_owned());
    run.model = Some("model".to_owned());
    run.setting = Setting::Native;
    run.attempt = Some(2);
    let text = if id.ends_with('3') { "roar" } else { "roar\n" };
    Evidence {
        files: Part::Recorded(vec![FileChange::new("lion", Content::Absent, Content::Text(text.to_owned()))]),
        commits: Part::Recorded(vec![commit]),
        pull_request: Part::Recorded(PullRequest { title: "Add a lion".to_owned(), body: "\n".repeat(2000) }),
        ..Evidence::of_nothing(run)
    }
}

fn line(evidence: &Evidence) -> String {
    serde_json::to_string(evidence).unwrap() + "\n"
}

/// Runs of all kinds, some of which are none.
fn runs(number: usize) -> String {
    (1..=number)
        .map(|number| match number % 10 {
            4 => "{\"schema\":2,\"run\":\n".to_owned(),
            5 => "\n".to_owned(),
            6 => line(&run(&format!("run{number}"), "A lion")).replace("\"schema\":2", "\"schema\":99"),
            7 => line(&run(&format!("run{number}"), "A walrus")),
            8 => line(&run(&format!("run{number}"), "panic")),
            _ => line(&run(&format!("run{number}"), "A lion")),
        })
        .collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A text without the digests in it, which change with the documentation of the runtime.
fn without_digests(text: &str) -> String {
    let mut pieces = text.split("sha256:");
    let mut kept = pieces.next().unwrap().to_owned();
    for piece in pieces {
        kept.push_str("sha256:DIGEST");
        kept.push_str(&piece[64..]);
    }
    kept
}

/// The outcome and the status of each row, by run and rule.
fn outcomes(text: &str) -> Vec<(String, String, String, String)> {
    let text_of = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    lines(text)
        .iter()
        .filter(|line| line["kind"] == "row")
        .map(|row| {
            (text_of(row, "run"), text_of(row, "rule"), text_of(row, "outcome"), text_of(row, "status"))
        })
        .collect()
}

fn fed(zoo: &Zoo, arguments: &[&str], input: &str) -> Ran {
    zoo.repository.write("input.jsonl", input);
    let input = std::fs::File::open(zoo.path().join("input.jsonl")).unwrap();
    Ran::of(polc(zoo.path(), arguments).stdin(Stdio::from(input)))
}

/// One test, since the crate is built once: everything that is the same whoever grades, and however.
#[test]
fn rows_are_the_same_bytes_however_runs_are_graded() {
    let zoo = zoo();
    zoo.polc(&["compile", "test", "zoo"]).exits(0);
    zoo.repository.write("runs.jsonl", runs(60));
    let grade = |more: &[&str]| zoo.polc(&[&["grade", "zoo", "runs.jsonl"], more].concat());

    // Any number of threads.
    let one = grade(&["--threads", "1"]).exits(2);
    for threads in ["2", "3", "16"] {
        assert!(grade(&["--threads", threads]).exits(2).out == one.out, "{threads} threads");
    }
    let rows = lines(&one.out);
    assert_eq!(
        rows.len(),
        1 + 54 + 3 * 42 + 1,
        "a head, the runs, three rows for each that was read, an end"
    );
    let ordinals: Vec<u64> = rows.iter().filter_map(|line| line["ordinal"].as_u64()).collect();
    assert!(ordinals.is_sorted());
    let first: Vec<&str> = one.out.lines().take(13).chain(one.out.lines().last()).collect();
    insta::assert_snapshot!("rows", without_digests(&first.join("\n")));
    insta::assert_snapshot!("told", one.err);

    // Into a file, and from standard input.
    grade(&["--output", "rows.jsonl"]).exits(2);
    assert!(zoo.read("rows.jsonl") == one.out);
    assert!(!zoo.path().join("rows.jsonl.part").exists());
    let json = grade(&["-o", "rows.jsonl", "--json", "--quiet"]).exits(2);
    assert_eq!(json.err, "");
    let mut end = rows.last().unwrap().clone();
    end.as_object_mut().unwrap().remove("kind");
    assert_eq!(json.json(), end);
    let from_input = fed(&zoo, &["grade", "zoo", "-"], &runs(60)).exits(2).out;
    let list = |text: &str| lines(text).last().unwrap()["list"].as_str().unwrap().to_owned();
    let renamed = from_input.replace("\"-:", "\"runs.jsonl:").replace(&list(&from_input), &list(&one.out));
    assert!(renamed == one.out);

    // In parts that are merged.
    for part in ["1/3", "2/3", "3/3"] {
        let _some_have_no_fault = grade(&["--part", part, "-o", &format!("part-{}.jsonl", &part[..1])]);
    }
    let merge = |files: &[&str]| zoo.polc(&[&["grade", "zoo", "--merge"], files].concat());
    assert!(merge(&["part-2.jsonl", "part-3.jsonl", "part-1.jsonl"]).exits(2).out == one.out);
    assert!(merge(&["rows.jsonl"]).exits(2).out == one.out, "a whole is a part of itself");
    merge(&["part-2.jsonl", "part-3.jsonl"]).exits(3);
    merge(&["part-1.jsonl", "part-2.jsonl", "part-2.jsonl"]).exits(3);
    merge(&["runs.jsonl"]).exits(2);
    let part = zoo.read("part-2.jsonl");
    zoo.repository.write("part-2.jsonl", &part[..part.len() - 1000]);
    let broken = merge(&["part-1.jsonl", "part-2.jsonl", "part-3.jsonl"]).exits(2);
    assert!(broken.err.contains("part-2.jsonl") && broken.err.contains("not whole"), "{broken:#?}");

    explained(&zoo, &one.out);
    interrupted(&zoo, &one.out);
    pull_requests(&zoo);
    packed(&zoo, &one.out);
}

/// Every row of some runs is explained as it was graded; and who names none that there is, hears of near ones.
fn explained(zoo: &Zoo, graded: &str) {
    let explain = |run: &str, rule: &str| {
        zoo.polc(&["grade", "zoo", "runs.jsonl", "--explain", run, rule, "--json", "--quiet"])
    };
    let rows =
        lines(graded).into_iter().filter(|line| line["kind"] == "row" && line["ordinal"].as_u64() < Some(9));
    let mut outcomes = Vec::new();
    for mut row in rows {
        row.as_object_mut().unwrap().remove("kind");
        let fault = if row["outcome"] == "error" { 2 } else { 0 };
        let told = explain(row["run"].as_str().unwrap(), row["rule"].as_str().unwrap()).exits(fault).json();
        assert_eq!(told["row"], row, "{told:#}");
        let targets = told["explanation"]["targets"].as_array().unwrap();
        let said = |what: &str| targets.iter().filter(|target| target["said"]["said"] == what).count();
        assert_eq!(row["violating"], said("violated"), "{told:#}");
        outcomes.push(row["outcome"].as_str().unwrap().to_owned());
    }
    for outcome in ["satisfied", "violated", "error"] {
        assert!(outcomes.iter().any(|found| found == outcome), "{outcomes:?}");
    }
    let told = zoo.polc(&["grade", "zoo", "runs.jsonl", "--explain", "run3", "ZOO-C001", "--quiet"]).exits(0);
    for wanted in
        ["ZOO-C001 in run3: violated", "files: declared", "owned: ", "1 selected = 0 satisfied + 1 violated"]
    {
        assert!(told.out.contains(wanted), "{wanted}: {}", told.out);
    }
    let near = explain("rum3", "ZOO-C001").exits(3);
    assert!(
        near.err.contains("none of the runs is called `rum3`") && near.err.contains("`run3`"),
        "{near:#?}"
    );
    let near = explain("run3", "ZOO-C01").exits(3);
    assert!(near.err.contains("no checker for `ZOO-C01`") && near.err.contains("`ZOO-C001`"), "{near:#?}");
}

/// A grade that was killed at any size of its file goes on, and leaves what an undisturbed one leaves.
fn interrupted(zoo: &Zoo, undisturbed: &str) {
    let arguments = ["grade", "zoo", "runs.jsonl", "-o", "killed.jsonl"];
    let plain = polc(zoo.path(), &arguments);
    let part = zoo.path().join("killed.jsonl.part");
    let mut lengths = Vec::new();
    for kibibytes in [1, 8, 20, 33, 60, 61] {
        let mut shell = Command::new("bash");
        shell.current_dir(zoo.path()).arg("-c");
        // Beyond the limit the system kills it in the middle of a write: of its rows, or before it comes to them.
        shell.arg(format!("ulimit -c 0; ulimit -f {kibibytes}; exec \"$0\" \"$@\""));
        shell.arg(plain.get_program()).args(plain.get_args());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let killed = shell.output().unwrap();
        assert!(!killed.status.success(), "{kibibytes}");
        assert!(!zoo.path().join("killed.jsonl").exists());
        lengths.push(std::fs::metadata(&part).map_or(0, |part| part.len()));
    }
    assert!(lengths.is_sorted() && lengths[5] > lengths[3] && lengths[3] > lengths[2], "{lengths:?}");

    // What it goes on with has to be what it began with.
    let text = zoo.read("runs.jsonl");
    zoo.repository.write("runs.jsonl", text.replacen("A lion", "A tiger", 1));
    let other = zoo.polc(&arguments).exits(2);
    assert!(other.err.contains("killed.jsonl.part") && other.err.contains("run 1 is another"), "{other:#?}");
    zoo.repository.write("runs.jsonl", text);
    let other = zoo.polc(&[&arguments[..], &["--part", "1/2"]].concat()).exits(2);
    assert!(other.err.contains("remove the file to begin anew"), "{other:#?}");

    let again = zoo.polc(&arguments).exits(2);
    assert!(zoo.read("killed.jsonl") == undisturbed);
    let last = |text: &str| text.lines().find(|line| line.starts_with("zoo: ")).unwrap().to_owned();
    assert_eq!(last(&again.err), last(&zoo.polc(&["grade", "zoo", "runs.jsonl"]).err), "kept runs count");
}

/// Evidence that was packed grades as it did before, and what is lost of it is named.
fn packed(zoo: &Zoo, unpacked: &str) {
    let packed = zoo.polc(&["evidence", "pack", "runs.jsonl", "-o", "packed", "--json"]).exits(2);
    assert_eq!(
        (&packed.json()["runs"], packed.json()["unreadable"].as_array().unwrap().len()),
        (&json!(42), 12)
    );
    let store = files_below(&zoo.path().join("packed/store"));
    assert_eq!(store.len(), 1, "all runs share the body of the pull request");
    let graded = zoo.polc(&["grade", "zoo", "packed"]).exits(2);
    assert_eq!(outcomes(&graded.out), outcomes(unpacked));
    let digests = |text: &str| -> Vec<Value> {
        lines(text)
            .iter()
            .filter(|line| line["read"] == "whole")
            .map(|line| line["evidence"].clone())
            .collect()
    };
    assert_eq!(digests(&graded.out), digests(unpacked), "the same evidence to the byte");
    zoo.polc(&["evidence", "pack", "runs.jsonl", "-o", "packed"]).exits(2);

    std::fs::remove_file(&store[0]).unwrap();
    let lost = lines(&zoo.polc(&["grade", "zoo", "packed"]).exits(2).out);
    assert_eq!(lost.last().unwrap()["unreadable"], 42);
    let error = lost[1]["error"].as_str().unwrap();
    assert!(error.contains("packed/store") && error.contains("is not in the store"), "{error}");
    let some = zoo.read("packed/runs.jsonl").lines().take(3).collect::<Vec<_>>().join("\n");
    zoo.repository.write("packed/runs.jsonl", some);
    let cut = lines(&zoo.polc(&["grade", "zoo", "packed"]).exits(2).out);
    assert!(cut[4]["error"].as_str().unwrap().contains("42 runs were packed, and 3 are here"), "{}", cut[4]);
}

#[test]
fn a_checker_that_takes_its_process_with_it_costs_its_own_row_alone() {
    let zoo = zoo();
    let messages = ["A lion", "greedy", "deep", "loop", "panic", "A walrus"];
    let input: String = messages.iter().map(|message| line(&run(message, message))).collect();
    let graded = fed(&zoo, &["grade", "zoo", "-", "--time-limit", "2", "--threads", "2"], &input).exits(2);
    let outcomes = outcomes(&graded.out);
    for (number, (message, outcome, status)) in [
        ("A lion", "satisfied", "ok"),
        ("greedy", "error", "died"),
        ("deep", "error", "died"),
        ("loop", "error", "timed-out"),
        ("panic", "error", "panic"),
        ("A walrus", "violated", "ok"),
    ]
    .into_iter()
    .enumerate()
    {
        let row = |rule: &str, outcome: &str, status: &str| {
            (message.to_owned(), rule.to_owned(), outcome.to_owned(), status.to_owned())
        };
        let expected = [
            row("ZOO-C001", "satisfied", "ok"),
            row("ZOO-C002", outcome, status),
            row("ZOO-C003", "violated", "ok"),
        ];
        assert_eq!(outcomes[3 * number..3 * number + 3], expected, "{graded:#?}");
    }
    let reasons: Vec<Value> = lines(&graded.out)
        .into_iter()
        .filter(|line| line["outcome"] == "error")
        .map(|line| line["reason"].clone())
        .collect();
    for (reason, said) in
        reasons.iter().zip(["memory limit of 2 GiB", "stack limit of 8 MiB", "within 2 s", "no lion"])
    {
        assert!(reason.as_str().unwrap().contains(said), "{reason}");
    }
    assert!(graded.err.contains("7 satisfied") && graded.err.contains("4 not graded"), "{}", graded.err);
}

#[test]
fn what_is_no_run_is_a_row_and_what_is_no_call_is_refused() {
    let zoo = zoo();
    zoo.repository.write("animals/lion.traj", "{\"lion\": true}");
    zoo.repository.write(
        "plain.json",
        json!({"steps": [{"command": "git status"}], "pr_text": "Add a lion\n\nThe keeper."}).to_string(),
    );
    let graded = zoo.polc(&["grade", "zoo", "nowhere", "animals", "plain.json"]).exits(2);
    let runs: Vec<Value> = lines(&graded.out).into_iter().filter(|line| line["kind"] == "run").collect();
    assert_eq!(runs.len(), 3);
    for (run, said) in runs.iter().zip(["nowhere", "lion"]) {
        assert_eq!(run["read"], "failed");
        assert!(run["error"].as_str().unwrap().contains(said), "{run}");
    }
    assert_eq!(runs[2]["read"], "whole", "of the project that it is graded for: {}", runs[2]);
    assert_eq!(outcomes(&graded.out)[2].2, "satisfied");
    for call in [
        &["grade", "zoo"][..],
        &["grade", "zoo", "plain.json", "--json"],
        &["grade", "zoo", "plain.json", "--part", "3/2"],
        &["grade", "zoo", "plain.json", "--part", "0/2"],
        &["grade", "zoo", "plain.json", "--adapter", "zebra"],
        &["grade", "zoo", "plain.json", "--merge", "--threads", "2"],
        &["grade", "zoo", "plain.json", "--format", "csv"],
        &["grade", "ark", "plain.json"],
    ] {
        zoo.polc(call).exits(3);
    }
    zoo.polc(&["grade", "zoo", "plain.json", "--adapter", "codex"]).exits(2);
}

/// The most memory that a process has had, in KiB.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Run after run is handed over, and the rows of each are taken, while the process lives.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_runs() {
    let zoo = zoo();
    zoo.polc(&["compile", "test", "zoo"]).exits(0);
    let mut large = run("large", "A lion");
    large.pull_request =
        Part::Recorded(PullRequest { title: "Add a lion".to_owned(), body: "keeper ".repeat(100_000) });
    let line = line(&large);
    let mut grading = polc(zoo.path(), &["--quiet", "grade", "zoo", "-", "--threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = grading.stdin.take().unwrap();
    let mut rows = BufReader::new(grading.stdout.take().unwrap()).lines();
    assert!(rows.next().unwrap().unwrap().contains("\"kind\":\"grade\""));
    let mut grade = |runs: u64| {
        std::thread::scope(|scope| {
            scope.spawn(|| (0..runs).for_each(|_| input.write_all(line.as_bytes()).unwrap()));
            // The line on the run, and three rows.
            assert_eq!(
                rows.by_ref().take(4 * runs as usize).filter(Result::is_ok).count(),
                4 * runs as usize
            );
        });
        most_memory(grading.id())
    };
    let (few, many) = (grade(50), grade(450));
    drop(input);
    assert!(grading.wait().unwrap().success());
    // The runs that came between are 315 MB.
    assert!(many < few + 16 * 1024, "{few} KiB after 50 runs, {many} KiB after 500");
}

/// Our own rules over real runs: whatever they come to, no row is a fault of ours.
#[test]
fn our_own_checkers_grade_every_sample_without_a_fault() {
    let Some(samples) = shared::shared("runs") else { return };
    let clone = tempfile::tempdir().unwrap();
    let folder = clone.path().join("polc");
    let (from, to) = (checkout(), folder.to_str().unwrap().to_owned());
    let mut git = polc_testkit::repository::command(clone.path());
    Ran::of(git.args(["clone", "--quiet", "--no-hardlinks", from.to_str().unwrap(), &to])).exits(0);
    let _building = share_builds(&folder);
    // Nothing about its name says that it is a run.
    let unusual = samples.join("swe-cc/tests/fixtures/openhands_v1_events.json");
    let graded =
        Ran::of(&mut polc(&folder, &["grade", "polc", samples.to_str().unwrap(), unusual.to_str().unwrap()]));
    let lines = lines(&graded.out);
    let (runs, end) = (lines.iter().filter(|line| line["kind"] == "run"), lines.last().unwrap());
    let read = |run: &Value| {
        (
            short(run["source"].as_str().unwrap(), &samples),
            run["error"].as_str().map(|error| error.lines().next().unwrap().to_owned()),
        )
    };
    let told: Vec<String> = runs
        .map(read)
        .map(|(source, error)| {
            error.map_or(source.clone(), |error| {
                format!("{source}: {}", error.replace(samples.to_str().unwrap(), ""))
            })
        })
        .collect();
    assert_eq!(end["counts"]["errors"], 0, "{graded:#?}");
    assert!(
        end["counts"]["violated"].as_u64().unwrap() > 0 && end["counts"]["satisfied"].as_u64().unwrap() > 0
    );
    insta::assert_snapshot!("samples", told.join("\n"));
}

fn short(source: &str, samples: &Path) -> String {
    source.trim_start_matches(samples.to_str().unwrap()).trim_start_matches('/').to_owned()
}
