use crate::extracting::{cues, extracted};
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::duplicates::{Candidate, governing};
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

fn rubrics(setting: &str) -> Rubrics {
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

fn classify(setting: &str, text: &str) -> Corpus {
    let rows = rows(text);
    decide(&rubrics(setting), &rows, &answer(&cues(), &rows))
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

#[test]
fn the_stricter_governs_and_the_weaker_names_it() {
    let corpus = classify(
        "patch",
        "# Guide\n\n## A\n\nPlease end every docstring sentence with a period.\n\n## B\n\nEnd every docstring sentence with a period. \
         You must end every docstring sentence with a period.\n\n## C\n\nKeep lines below 80 characters.\n\n## D\n\nKeep lines below 100 characters.\n",
    );
    let verdicts: Vec<String> = corpus
        .rows
        .iter()
        .map(|row| match &row.verdict {
            Verdict::InScope { route, .. } => format!("{route} {:?}", row.conflict),
            Verdict::OutOfScope { route, .. } => {
                format!("{route} {:?}", row.conflict.as_ref().map(ToString::to_string))
            }
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            "M4 None",
            "N3 duplicate of ZOO-C001 None",
            "N3 duplicate of ZOO-C001 None",
            "M4 None",
            "N3 duplicate of ZOO-C004 None"
        ]
    );
    let path = std::path::Path::new("rules.csv");
    let text = corpus.render(path).unwrap();
    assert_eq!(Corpus::parse(path, &"zoo".parse().unwrap(), &text).unwrap(), corpus);
}

#[test]
fn what_the_facts_say_is_recorded_for_every_fact() {
    let rows = rows(
        "# Guide\n\n## Commits\n\nPlease keep a short subject of at most 50 characters, as `git` shows it. CI checks it.\n",
    );
    let facts = answer(&cues(), &rows);
    let corpus = decide(&rubrics("patch"), &rows, &facts);
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
        "# Guide\n\n## Rules\n\nNever use `a`. Never use `b`. Add tests. Add a changelog entry. Run the linter. Document every option.\n",
    );
    let mut seen: Vec<_> = corpus.rows.iter().map(|row| row.reasoning.conclusion.clone()).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), corpus.rows.len());
}

proptest::proptest! {
    /// No chains and no cycles: whoever governs is not governed, and is in scope.
    #[test]
    fn whoever_governs_is_not_governed(
        levels in proptest::collection::vec((proptest::bool::ANY, 0_u8..2), 1..12),
        pairs in proptest::collection::vec((0_usize..12, 0_usize..12), 0..30),
    ) {
        let slug: Slug = "zoo".parse().unwrap();
        let ids: Vec<RuleId> = (1..).take(levels.len()).map(|number| RuleId::new(&slug, number)).collect();
        let proposed: Vec<Vec<ProposedDuplicate>> = (0..levels.len())
            .map(|index| {
                let of = pairs.iter().filter(|(a, b)| *a == index && *b < levels.len() && b != a);
                of.map(|(_, b)| ProposedDuplicate { of: ids[*b].clone(), because: String::new() }).collect()
            })
            .collect();
        let candidates: Vec<Candidate<'_>> = levels
            .iter()
            .enumerate()
            .map(|(index, (governs, strictness))| Candidate {
                id: &ids[index],
                governs: *governs,
                strictness: *strictness,
                pairs: &proposed[index],
            })
            .collect();
        let governed = governing(&candidates);
        for (index, governor) in governed.iter().enumerate() {
            let Some(governor) = governor else { continue };
            let other = ids.iter().position(|id| id == *governor).unwrap();
            proptest::prop_assert!(governed[other].is_none() && levels[other].0);
            proptest::prop_assert!(!levels[index].0 || levels[other].1 >= levels[index].1);
        }
    }
}
