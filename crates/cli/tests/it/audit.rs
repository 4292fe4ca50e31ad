//! An audit by the program: from the plan to the score.

use crate::check;
use crate::polc::{Ran, Zoo, checkout, polc};
use polc_audit::draw::order;
use polc_records::audit::{AuditCheck, AuditFolder, SampleFile, SampleHeader};
use polc_records::store::load_lines;
use polc_testkit::shared::shared;
use polc_testkit::spreadsheet::typed_into;
use polc_testkit::{ModelServer, Said, TestRepository};
use serde_json::json;
use std::path::Path;

const RATING: &str = "xl/worksheets/sheet2.xml";

fn sample(root: &Path, name: &str) -> (SampleHeader, Vec<AuditCheck>) {
    load_lines::<SampleFile>(&AuditFolder(root.join("audit").join(name)).sample()).unwrap()
}

/// Answers in the order of the columns, from C1 on.
type Answers = [&'static str; 7];

const ACCEPTED: Answers = ["yes", "yes", "yes", "exact", "accept", "", ""];

/// Fills in the sheet of a rater: what is said of the checker at each place of the sample.
fn fill(root: &Path, name: &str, rater: &str, file: &str, say: impl Fn(usize) -> Answers) {
    let (header, sample) = sample(root, name);
    let path = root.join("audit").join(name).join(file);
    let mut cells = Vec::new();
    for (id, row) in order(&sample, header.seed, rater).iter().zip(2..) {
        let place = sample.iter().position(|drawn| drawn.check == *id).unwrap();
        let answers = "IJKLMNO".chars().zip(say(place)).filter(|(_, answer)| !answer.is_empty());
        cells.extend(answers.map(|(column, answer)| (format!("{column}{row}"), answer)));
    }
    std::fs::write(&path, typed_into(&std::fs::read(&path).unwrap(), RATING, cells)).unwrap();
}

#[test]
fn tables_11_and_12_of_the_paper_come_out_of_the_commands() {
    let Some(labels) = shared("gold/policies-labels.csv") else { return };
    let root = TestRepository::new();
    root.write("polc.toml", "schema = 1\n");
    let run = |arguments: &[&str]| Ran::of(&mut polc(root.path(), arguments));
    let labels = labels.to_str().unwrap();
    let plan = run(&["audit", "plan", "--population", labels, "--size", "150", "--json"]).exits(0).json();
    let mut drawn: Vec<u64> =
        plan.as_array().unwrap().iter().map(|project| project["drawn"].as_u64().unwrap()).collect();
    drawn.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(drawn, [24, 21, 21, 18, 14, 11, 9, 9, 8, 7, 6, 2]);
    let few = run(&["audit", "plan", "--population", labels, "--size", "56"]).exits(3);
    assert!(few.err.contains("say --size 57 or more"), "{}", few.err);

    let draw = ["audit", "draw", "released", "--population", labels, "--size", "150", "--seed"];
    let with = |seed: &'static str| run(&[draw.as_slice(), &[seed]].concat());
    with("11").exits(0);
    let first = std::fs::read(root.path().join("audit/released/sample.jsonl")).unwrap();
    with("11").exits(0);
    assert_eq!(first, std::fs::read(root.path().join("audit/released/sample.jsonl")).unwrap());
    assert!(with("12").exits(4).err.contains("a sample that was drawn is not drawn again"));
    let sheets = run(&["audit", "sheets", "released", "--rater", "Ada", "--rater", "Bob"]).exits(4);
    assert!(sheets.err.contains("this root has not all of the checkers that were drawn"), "{}", sheets.err);

    // 135 and 128 accepted, 127 by both.
    let (_, sample) = sample(root.path(), "released");
    let table = |rejected: &dyn Fn(usize) -> bool| {
        let mut table = "Check,C1,C2,C3,C4,Verdict,Failing criterion,Fault\n".to_owned();
        for (place, drawn) in sample.iter().enumerate() {
            let rest = match rejected(place) {
                true => "yes,no,yes,exact,reject,C2,too much",
                false => "yes,yes,yes,exact,accept,,",
            };
            table.push_str(&format!("{},{rest}\n", drawn.check));
        }
        table
    };
    root.write("ada.csv", table(&|place| place < 15));
    root.write("bob.csv", table(&|place| (1..15).contains(&place) || (140..148).contains(&place)));
    let score = ["audit", "score", "released", "--ratings", "ada.csv", "--ratings", "bob.csv"];
    let text = run(&score).exits(0).out;
    assert!(text.contains("verdict (accept / reject)  94.0 %    0.72"), "{text}");
    let csv = run(&[score.as_slice(), &["--format", "csv"]].concat()).exits(0).out;
    for line in ["accepted,first,135", "accepted,second,128", "accepted,both,127", "population,exact,294"] {
        assert!(csv.lines().any(|it| it == line), "{line}: {csv}");
    }
    let json = run(&[score.as_slice(), &["--json"]].concat()).exits(0).json();
    assert_eq!(json["agreement"][0]["table"]["counts"], json!([[127, 8], [1, 14]]));

    // What a sheet lacks, and what is copied, is refused.
    root.write("bob.csv", table(&|place| place < 15));
    assert!(run(&score).exits(2).err.contains("give the same answers"));
    root.write("bob.csv", table(&|place| place < 2).lines().take(150).collect::<Vec<_>>().join("\n"));
    assert!(run(&score).exits(2).err.contains("is missing"));
    assert!(run(&score[..5]).exits(3).err.contains("an audit has two raters"));
}

#[test]
fn an_audit_goes_from_the_draw_to_the_score() {
    let zoo = check::zoo();
    let draw = ["audit", "draw", "first", "--size", "3", "--seed", "7"];
    let refused = zoo.polc(&draw).exits(4);
    assert!(refused.err.contains("3 checkers of zoo cannot be audited: ZOO-C001 (stub)"), "{}", refused.err);
    check::write_all(&zoo);
    zoo.polc(&draw).exits(0);
    let reviewer = zoo.polc(&["audit", "sheets", "first", "--rater", "Keeper", "--rater", "Bob"]).exits(4);
    assert!(reviewer.err.contains("`Keeper` decided on rules of zoo"), "{}", reviewer.err);
    let sheets = ["audit", "sheets", "first", "--rater", "Ada", "--rater", "Bob"];
    zoo.polc(&sheets).exits(0);
    let again = zoo.polc(&sheets).exits(4);
    assert!(again.err.contains("the sheets of `first` were written already"), "{}", again.err);
    let open = zoo.polc(&["audit", "score", "first"]).exits(2);
    assert!(open.err.contains("it is not answered"), "{}", open.err);

    tries_a_case(&zoo);
    reviews_automatically(&zoo);

    let rejected: Answers = ["yes", "no", "yes", "exact", "reject", "C2", "empty files too"];
    let labelled: Answers = ["yes", "yes", "yes", "approximate", "accept", "", ""];
    fill(zoo.path(), "first", "Ada", "ada.xlsx", |at| [ACCEPTED, labelled, rejected][at]);
    fill(zoo.path(), "first", "Bob", "bob.xlsx", |at| [rejected, labelled, ACCEPTED][at]);
    let json = zoo.polc(&["audit", "score", "first", "--json"]).exits(0).json();
    assert_eq!(json["raters"], json!(["Ada", "Bob"]));
    assert_eq!(json["accepted"], json!({"first": 2, "second": 2, "both": 1}));
    assert_eq!(json["agreement"][4]["kappa"], 1.0);
    assert_eq!(json["automated"]["reviewed"], 3);
    // All were taken: nothing is left to estimate.
    let rate = json["mean_rater"]["rate"].as_f64().unwrap();
    assert!((json["mean_rater"]["interval"]["low"].as_f64().unwrap() - rate).abs() < 1e-12);

    let path = check::stem(&zoo, "ZOO-C001");
    let path = format!("generated/zoo/src/{path}.rs");
    zoo.repository.write(&path, format!("{}\n", zoo.read(&path)));
    let stale = zoo.polc(&["audit", "score", "first"]).exits(1);
    assert!(stale.err.contains("stale: the checkers of 1 project were changed"), "{}", stale.err);
}

fn tries_a_case(zoo: &Zoo) {
    let case = "schema = 1\nrule = \"ZOO-C002\"\n[[case]]\nname = \"plural\"\nexpect = \"violated\"\n\
                [[case.commit]]\nmessage = \"Walruses\"\n";
    zoo.repository.write("mine.toml", case);
    let run = |check: &str, rater: &str| {
        zoo.polc(&["audit", "try", check, "--case", "mine.toml", "--audit", "first", "--rater", rater])
    };
    let tried = run("ZOO-C002", "Ada").exits(1);
    assert_eq!(tried.out, "plural: expected violated, got satisfied\n");
    let kept = zoo.read("audit/first/ada.tried.jsonl");
    assert!(kept.contains("\"rater\":\"Ada\"") && kept.contains("\"outcome\":\"satisfied\""), "{kept}");
    assert!(run("ZOO-C001", "Ada").exits(2).err.contains("none for ZOO-C001"));
    assert!(run("ZOO-C002", "Eve").exits(3).err.contains("`Eve` does not rate for `first`"));
}

fn reviews_automatically(zoo: &Zoo) {
    let automated = ["audit", "automated", "first"];
    let baseline = zoo.polc(&[automated.as_slice(), &["--engine", "baseline"]].concat()).exits(3);
    assert!(baseline.err.contains("the baseline reviews no code"), "{}", baseline.err);
    let server = ModelServer::start();
    server.obey(|asked| {
        assert!(!asked.text().contains("const DECLARATION"), "the declaration is left out");
        let rejects = asked.question().contains("walrus");
        Said::json(&match rejects {
            true => json!({"c1": "no", "c2": "yes", "c3": "yes", "c4": "approximate", "verdict": "reject",
                "failing": "C1", "reasoning": "it goes by the word"}),
            false => json!({"c1": "yes", "c2": "yes", "c3": "yes", "c4": "exact", "verdict": "accept",
                "reasoning": "it does what the sentence says"}),
        })
    });
    let address = server.base_url();
    zoo.repository.write(
        "polc.toml",
        format!("schema = 2\n\n[endpoint]\nwire = \"chat-completions\"\nmodel = \"zoo-1\"\nbase_url = \"{address}\"\n"),
    );
    zoo.polc(&automated).exits(0);
    let reviews = zoo.read("audit/first/automated.jsonl");
    assert_eq!(reviews.matches("\"what\":\"it goes by the word\"").count(), 1, "{reviews}");
    assert_eq!(reviews.lines().count(), 4, "{reviews}");
    zoo.polc(&[automated.as_slice(), &["--engine", "replay"]].concat()).exits(0);
    assert_eq!(zoo.read("audit/first/automated.jsonl"), reviews);
}

/// The example on polc's own checkers: its ratings are made up. `POLC_WRITE_DOCS=1` makes it anew.
#[test]
fn the_scored_example_is_what_its_sheets_come_to() {
    let root = checkout();
    let run = |arguments: &[&str]| Ran::of(&mut polc(&root, arguments));
    let folder = root.join("audit/example");
    let score = ["audit", "score", "example", "--format", "markdown"];
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        for file in ["sample.jsonl", "sheets.jsonl", "rater-one.xlsx", "rater-two.xlsx"] {
            let _removed = std::fs::remove_file(folder.join(file));
        }
        run(&["audit", "draw", "example", "--size", "20", "--seed", "42"]).exits(0);
        run(&["audit", "sheets", "example", "--rater", "Rater One", "--rater", "Rater Two"]).exits(0);
        let label = |at: usize| if at.is_multiple_of(4) { "exact" } else { "approximate" };
        let say = move |out: [usize; 2], other_label: usize| {
            move |at: usize| -> Answers {
                let label = if at == other_label { label(at + 3) } else { label(at) };
                match out.contains(&at) {
                    true => ["yes", "no", "yes", label, "reject", "C2", "an example: made up by a program"],
                    false => ["yes", "yes", "yes", label, "accept", "", ""],
                }
            }
        };
        fill(&root, "example", "Rater One", "rater-one.xlsx", say([4, 11], 20));
        fill(&root, "example", "Rater Two", "rater-two.xlsx", say([4, 17], 5));
        std::fs::write(folder.join("report.md"), run(&score).exits(0).out).unwrap();
    }
    // The checkers may have changed since: then the score says that it is stale.
    let ran = run(&score);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    assert_eq!(ran.out, std::fs::read_to_string(folder.join("report.md")).unwrap());
}
