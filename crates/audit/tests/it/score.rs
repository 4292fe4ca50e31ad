use crate::made::{accepted, population, rejected};
use polc_audit::allocation::{Terms, allocate, strata};
use polc_audit::draw::draw;
use polc_audit::ratings::Ratings;
use polc_audit::report::{csv, markdown, terminal};
use polc_audit::score::{NotBlind, Rated, Score, blind, score};
use polc_records::audit::{AuditCheck, DrawMethod, DrawnProject, Mix, Rating, SampleHeader};
use polc_records::ids::RuleId;
use std::collections::BTreeMap;

struct Audit {
    header: SampleHeader,
    sample: Vec<AuditCheck>,
}

fn audit() -> Audit {
    let population = population(&[
        ("ape", 167, 9, 8),
        ("bee", 146, 4, 9),
        ("cat", 142, 6, 10),
        ("dog", 111, 10, 10),
        ("eel", 78, 10, 4),
        ("fox", 49, 4, 4),
        ("gnu", 35, 3, 5),
        ("hen", 34, 5, 6),
        ("jay", 24, 4, 6),
        ("kid", 22, 4, 5),
        ("lark", 13, 3, 3),
        ("mole", 2, 0, 1),
    ]);
    let terms = Terms::of(150);
    let allocation = allocate(&strata(&population), terms).unwrap();
    let projects = allocation.projects.iter().map(|of| DrawnProject {
        project: of.project.clone(),
        population: of.population,
        drawn: of.drawn,
        mix: Mix::of(population.checks().iter().filter(|check| check.project == of.project)),
        checkers: None,
    });
    Audit {
        header: SampleHeader {
            schema: 1,
            method: DrawMethod::MinimaFirst1,
            seed: 42,
            size: terms.size,
            census: terms.census,
            floor: terms.floor,
            population: population.digest(),
            projects: projects.collect(),
        },
        sample: draw(&population, &allocation, 42),
    }
}

impl Audit {
    /// The items with these places rejected.
    fn ratings(&self, rater: &str, out: impl Fn(usize) -> bool) -> Ratings {
        let rate = |(at, check): (usize, &AuditCheck)| {
            let rating = if out(at) { rejected(&format!("{rater} says why")) } else { accepted() };
            (check.check.clone(), rating)
        };
        Ratings { rater: rater.to_owned(), of: self.sample.iter().enumerate().map(rate).collect() }
    }

    fn score(&self, automated: Option<&BTreeMap<RuleId, Rating>>) -> Score {
        let (one, other) = self.table_12();
        score(&Rated {
            header: &self.header,
            sample: &self.sample,
            raters: [&one, &other],
            automated,
            stale: &[],
        })
    }

    /// 135 and 128 accepted, 127 by both.
    fn table_12(&self) -> (Ratings, Ratings) {
        let one = self.ratings("Ada", |at| at < 15);
        let other = self.ratings("Bob", |at| (1..15).contains(&at) || (140..148).contains(&at));
        (one, other)
    }
}

#[test]
fn the_verdicts_of_the_paper_give_the_first_row_of_table_12() {
    let score = audit().score(None);
    assert_eq!((score.accepted.first, score.accepted.second, score.accepted.both), (135, 128, 127));
    let verdict = &score.agreement[0];
    assert_eq!(verdict.table.counts, [[127, 8], [1, 14]]);
    assert_eq!(format!("{:.1}", verdict.raw.unwrap() * 100.0), "94.0");
    assert_eq!(format!("{:.2}", verdict.kappa.unwrap()), "0.72");
    assert_eq!(verdict.differing.len(), 9);
    assert_eq!(score.differing.len(), 9);
    let c1 = &score.agreement[1];
    assert_eq!((c1.kappa.ok(), c1.no_kappa.as_deref()), (None, Some("undefined: one label only")));
}

#[test]
fn what_does_not_exist_is_null_in_json_and_said_in_words() {
    let score = audit().score(None);
    let json = serde_json::to_value(&score).unwrap();
    assert!(json["agreement"][1]["kappa"].is_null());
    assert_eq!(json["agreement"][1]["no_kappa"], "undefined: one label only");
    assert_eq!(json["agreement"][0]["table"]["counts"][0][1], 8);
    assert!(terminal(&score).contains("undefined: one label only"));
    assert!(csv(&score).contains("\nC1,kappa,\n"));
    assert!(csv(&score).contains("\nverdict,first_accept_second_reject,8\n"));
    assert!(
        markdown(&score).contains("| verdict (accept / reject) | 94.0 % | 0.72 |"),
        "{}",
        markdown(&score)
    );
}

#[test]
fn the_automated_pass_stands_apart() {
    let audit = audit();
    let automated = audit.ratings("", |at| at == 0 || at == 100).of;
    let with = audit.score(Some(&automated));
    let without = audit.score(None);
    let compared = with.automated.clone().unwrap();
    assert_eq!((compared.reviewed, compared.accepted), (150, 148));
    assert_eq!((compared.missed.len(), compared.raised.len()), (14, 1));
    assert_eq!(Score { automated: None, ..with }, without, "no other figure changes");
}

#[test]
fn sheets_that_were_copied_are_refused() {
    let audit = audit();
    let (one, other) = audit.table_12();
    assert_eq!(blind(&one, &other), Ok(()));
    let copied = Ratings { rater: "Bob".to_owned(), of: one.of.clone() };
    assert_eq!(blind(&one, &copied), Err(NotBlind::Copied("Ada".to_owned(), "Bob".to_owned())));
    let same = Ratings { rater: " ada ".to_owned(), of: other.of };
    assert_eq!(blind(&one, &same), Err(NotBlind::OneRater("Ada".to_owned())));
    // Where nothing is rejected there are no words to tell a copy by.
    let (one, other) = (audit.ratings("Ada", |_| false), audit.ratings("Bob", |_| false));
    assert_eq!(blind(&one, &other), Ok(()));
}
