use crate::extracting::{cues, extracted};
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::duplicates::{Candidate, Content, governing};
use polc_extraction::classify::facts::answer;
use polc_extraction::classify::rubric::{Rubrics, StatedBy};
use polc_extraction::freeze::frozen_row;
use polc_records::corpus::{Corpus, OutOfScope, Verdict};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::ProposedDuplicate;
use polc_records::ids::{RuleId, Slug};
use polc_records::layout::Root;
use polc_records::vocabulary::{EvidenceType, Fact, Level, LevelRoute, ScopeRoute, Truth};
use std::fmt::Write;

pub(crate) fn rubrics(setting: &str) -> Rubrics {
    Rubrics::load(&Root::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), setting).unwrap()
}

/// The rows of a document, as they are when they are frozen without a change.
pub(crate) fn rows(text: &str) -> Vec<ExtractionRow> {
    let slug: Slug = "zoo".parse().unwrap();
    extracted("CONTRIBUTING.md", "contributing", text)
        .rows
        .iter()
        .zip(1..)
        .map(|(row, number)| {
            frozen_row(RuleId::new(&slug, number), &row.row, &row.locator, "https://code.example/")
        })
        .collect()
}

pub(crate) fn classify(setting: &str, text: &str) -> Corpus {
    let rows = rows(text);
    decide(&cues(), &rubrics(setting), &rows, &answer(&cues(), &rows))
}

/// The routes that hold on exactly these facts.
fn fired(facts: &[Fact]) -> Option<LevelRoute> {
    rubrics("patch").level.evaluate(&|fact| Truth::from(facts.contains(&fact))).fired
}

fn facts_of(route: LevelRoute) -> Vec<Fact> {
    rubrics("patch").level.routes.iter().find(|known| known.gives == route).unwrap().all.clone()
}

/// D.1.3: M3 beats everything; D2 beats M4 and M5; D3 beats M5; M5 beats D1.
#[test]
fn every_pair_of_the_papers_precedence() {
    use LevelRoute::{D1, D2, D3, D4, M1, M2, M3, M4, M5, M6};
    let mut stated = vec![(D2, M4), (D2, M5), (D3, M5), (M5, D1)];
    stated.extend([M1, M2, M4, M5, M6, D1, D2, D3, D4].map(|under| (M3, under)));
    let table = rubrics("patch").level;
    for (over, under) in &stated {
        assert_eq!(fired(&[facts_of(*over), facts_of(*under)].concat()), Some(*over), "{over} over {under}");
        assert!(
            table.pairs().any(|pair| pair == (*over, *under, StatedBy::Paper)),
            "{over} over {under} is the paper's"
        );
    }
    let papers = table.pairs().filter(|(_, _, by)| *by == StatedBy::Paper).count();
    assert_eq!(papers, stated.len(), "no other pair is called the paper's");
}

/// The pairs that the paper does not state are ours, and they hold too.
#[test]
fn every_pair_of_routes_is_ordered() {
    let table = rubrics("patch").level;
    assert_eq!(table.pairs().count(), 45);
    for (over, under, _) in table.pairs() {
        assert_eq!(fired(&[facts_of(over), facts_of(under)].concat()), Some(over), "{over} over {under}");
    }
    for route in LevelRoute::ALL {
        assert_eq!(fired(&facts_of(*route)), Some(*route));
    }
}

fn only(corpus: &Corpus) -> (Option<Level>, String) {
    let row = corpus.rows.first().unwrap();
    let route = match &row.verdict {
        Verdict::InScope { route, .. } => route.to_string(),
        Verdict::OutOfScope { route, .. } => route.to_string(),
    };
    (row.verdict.level(), route)
}

/// The worked examples of the paper, in sentences of our own, from the document to the label.
#[test]
fn worked_examples() {
    let examples = [
        ("Keep the first line 71 characters or less.", Some(Level::Must), "M4"),
        ("Keep the first line 72 characters or less. The limits are soft.", Some(Level::Should), "D2"),
        ("Avoid use of 'we' in the documentation.", Some(Level::Must), "M4"),
        ("Write code that will work even if the network is down.", Some(Level::Should), "D4"),
        ("Branch off `upstream/main`.", None, "N1 not observable"),
        ("If you are a first-time contributor, add yourself to `AUTHORS`.", None, "N4 trigger"),
        ("Disclose any use of AI tools in the pull request description.", Some(Level::Must), "M5"),
        ("Write clear messages.", None, "N2 subjective"),
        ("A pull request without a test will not be merged.", Some(Level::Must), "M3"),
        ("Please consider small steps, they would be a good idea.", None, "N2 subjective"),
        ("You must never use `unwrap`.", Some(Level::Must), "M2"),
        ("Prefer tabs.", Some(Level::Should), "D1"),
        ("Add a benchmark where it makes sense.", Some(Level::Should), "D3"),
    ];
    for (text, level, route) in examples {
        let corpus = classify("patch", &format!("# Guide\n\n## Rules\n\n{text}\n"));
        assert_eq!(only(&corpus), (level, route.to_owned()), "{text}\n{:#?}", corpus.rows);
    }
}

#[test]
fn another_setting_derives_scope_again() {
    let text = "# Guide\n\n## Rules\n\nBranch off `upstream/main`.\n";
    assert_eq!(only(&classify("patch", text)).1, "N1 not observable");
    assert_eq!(only(&classify("pull-request", text)), (Some(Level::Must), "M4".to_owned()));
    let error = Rubrics::load(&Root::new("/nowhere"), "moon").unwrap_err().to_string();
    assert!(
        error.contains("`moon` is no setting") && error.contains("allowed: patch, pull-request"),
        "{error}"
    );
}

/// D.1.1: judgment is never in scope; not observable goes before subjective, which is then named.
#[test]
fn judgment_is_never_in_scope() {
    let corpus = classify("patch", "# Guide\n\n## Rules\n\nName branches well. Write clear messages.\n");
    assert_eq!(corpus.rows.len(), 2);
    for row in &corpus.rows {
        assert_eq!(row.evidence, EvidenceType::Judgment);
    }
    let Verdict::OutOfScope { route, also } = &corpus.rows[0].verdict else { panic!("{:?}", corpus.rows[0]) };
    assert_eq!((route, also.as_slice()), (&OutOfScope::NotObservable, &[ScopeRoute::N2][..]));
}

/// What becomes of sentences, each in a section of its own: its label, and whom it conflicts with.
fn labels(setting: &str, sentences: &[&str]) -> Vec<String> {
    let mut text = String::from("# Guide\n");
    for (index, sentence) in sentences.iter().enumerate() {
        write!(text, "\n## Section {index}\n\n{sentence}\n").unwrap();
    }
    let corpus = classify(setting, &text);
    assert_eq!(corpus.rows.len(), sentences.len(), "{sentences:?}");
    let path = std::path::Path::new("rules.csv");
    let file = corpus.render(path).unwrap();
    assert_eq!(Corpus::parse(path, &"zoo".parse().unwrap(), &file).unwrap(), corpus);
    let rows = corpus.rows.iter();
    rows.map(|row| {
        let label = match &row.verdict {
            Verdict::InScope { route, .. } => route.to_string(),
            Verdict::OutOfScope { route, also } if also.is_empty() => route.to_string(),
            Verdict::OutOfScope { route, also } => format!("{route}, also {also:?}"),
        };
        let conflict = row.conflict.as_ref().map_or(String::new(), |with| format!(", conflict with {with}"));
        label + &conflict
    })
    .collect()
}

#[test]
fn the_stricter_governs_and_the_weaker_names_it() {
    let first = "N3 duplicate of ZOO-C001";
    let second = "N3 duplicate of ZOO-C002, conflict with ZOO-C002";
    for (sentences, expected) in [
        // The level, then the limit, then the place decides.
        (["Prefer tabs in makefiles.", "You must use tabs in makefiles."], [second, "M1"]),
        (
            [
                "End every docstring sentence with a period.",
                "You must end every docstring sentence with a period.",
            ],
            ["M4", first],
        ),
        (["Keep lines at most 100 characters.", "Keep lines at most 80 characters."], [second, "M4"]),
        (
            ["Keep lines at most 80 characters.", "Keep lines at most 100 characters."],
            ["M4", "N3 duplicate of ZOO-C001, conflict with ZOO-C001"],
        ),
        (
            ["Give every function at least 2 tests.", "Give every function at least three tests."],
            [second, "M4"],
        ),
        // Two ways to say one limit.
        (["Keep lines at most 80 characters.", "Never make lines longer than 80 characters."], ["M4", first]),
    ] {
        assert_eq!(labels("patch", &sentences), expected, "{sentences:?}");
    }
}

/// What shares its words is not always one obligation.
#[test]
fn alike_is_not_the_same() {
    for sentences in [
        ["Use `tabs` in makefiles.", "Do not use `tabs` in makefiles."],
        ["Keep lines at most 80 characters.", "Keep lines at least 80 characters."],
        ["If you add a crate, name the licence in `deny.toml`.", "Name the licence in `deny.toml`."],
        ["End the commit message with a full stop.", "End the docstring with a full stop."],
        ["Use 4 spaces for indents.", "Use 2 spaces for indents."],
        ["Use single quotes for all string literals.", "Use double quotes for all string literals."],
        ["Sort imports before constants in modules.", "Sort constants before imports in modules."],
        ["Add a changelog entry to `CHANGES.md` for bugs.", "Add a changelog entry to `NEWS.md` for bugs."],
        ["Versions must be at least 1.2 in manifests.", "Versions must be at least 1.3 in manifests."],
        ["Keep every image file below 100 kB in size.", "Keep every image file below 1 MB in size."],
    ] {
        for label in labels("patch", &sentences) {
            assert!(!label.contains("N3"), "{sentences:?}: {label}");
        }
    }
    let corpus = classify("patch", "# A\n\nUse 4 spaces for indents.\n\n# B\n\nUse 2 spaces for indents.\n");
    let open = corpus.rows[1].low_confidence.as_deref().unwrap_or_default();
    assert_eq!(open, "it may state what ZOO-C001 states: their numbers cannot be compared");
}

/// A row that is out by N1 or N2 governs nothing, and names N3 where it applies too.
#[test]
fn a_row_out_of_scope_names_that_it_is_also_a_duplicate() {
    let sentences = ["Run `make lint` before you push.", "Always run `make lint` before you push."];
    assert_eq!(labels("pull-request", &sentences), ["N1 not observable", "N1 not observable"]);
    assert_eq!(labels("patch", &sentences)[1], "N3 duplicate of ZOO-C001");
    let mixed = ["Write clear messages with a subject.", "Write messages with a subject."];
    assert_eq!(labels("patch", &mixed)[0], "N2 subjective, also [N3]");
}

#[test]
fn what_the_facts_say_is_recorded_for_every_fact() {
    let rows = rows(
        "# Guide\n\n## Commits\n\nPlease keep a short subject of at most 50 characters, as `git` shows it. CI checks it.\n",
    );
    let facts = answer(&cues(), &rows);
    let corpus = decide(&cues(), &rubrics("patch"), &rows, &facts);
    let mut seen = String::new();
    for fact in Fact::answered() {
        let answer = &facts[0].facts[&fact];
        let line = format!("{fact}: {} {}", answer.holds, answer.words);
        writeln!(seen, "{}", line.trim_end()).unwrap();
    }
    writeln!(seen, "opens {}; fails: {}", facts[0].opens, facts[0].failure).unwrap();
    writeln!(seen, "{} | {}", corpus.rows[0].evidence, corpus.rows[0].notes()).unwrap();
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("facts", seen) });
}

#[test]
fn reasoning_is_distinct_across_rows() {
    let corpus = classify(
        "patch",
        "# Guide\n\n## Rules\n\nNever use `a`. Never use `b`. Add tests. Add a changelog entry. Run the linter. Document every option.\n\n\
         ## More\n\nAdd tests. Run the linter.\n",
    );
    let seen = corpus.rows.iter().map(|row| &row.reasoning);
    let mut seen: Vec<_> = seen.map(|reasoning| format!("{reasoning:?}")).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), corpus.rows.len());
}

proptest::proptest! {
    /// No chains and no cycles: whoever governs is not governed, and is in scope.
    #[test]
    fn whoever_governs_is_not_governed(
        levels in proptest::collection::vec((proptest::bool::ANY, proptest::bool::ANY, 1_u8..5), 1..12),
        pairs in proptest::collection::vec((0_usize..12, 0_usize..12), 0..30),
    ) {
        let page: String = levels.iter().enumerate()
            .map(|(index, (_, _, limit))| format!("# S{index}\n\nKeep lines at most {limit}0 characters.\n\n"))
            .collect();
        let rows = rows(&page);
        let facts = answer(&cues(), &rows);
        let proposed: Vec<Vec<ProposedDuplicate>> = (0..levels.len())
            .map(|index| {
                let of = pairs.iter().filter(|(a, b)| *a == index && *b < levels.len() && b != a);
                of.map(|(_, b)| ProposedDuplicate { of: rows[*b].id.clone(), because: String::new() }).collect()
            })
            .collect();
        let cues = cues();
        let candidates: Vec<Candidate<'_>> = levels
            .iter()
            .enumerate()
            .map(|(index, (governs, must, _))| Candidate {
                id: &rows[index].id,
                governs: *governs,
                level: if *must { Level::Must } else { Level::Should },
                content: Content::new(&cues, &rows[index], &facts[index]),
                pairs: &proposed[index],
            })
            .collect();
        let governed = governing(&candidates);
        for (index, row) in governed.iter().enumerate() {
            let Some(governor) = row.by else { continue };
            let other = rows.iter().position(|row| row.id == *governor).unwrap();
            proptest::prop_assert!(governed[other].by.is_none() && levels[other].0);
            let weaker = levels[other].1 >= levels[index].1 && levels[other].2 <= levels[index].2;
            proptest::prop_assert!(!levels[index].0 || weaker);
        }
    }
}
