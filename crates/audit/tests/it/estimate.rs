use crate::made::population;
use polc_audit::agreement::Undefined;
use polc_audit::allocation::{Terms, allocate, strata};
use polc_audit::draw::draw;
use polc_audit::estimate::{Estimate, Item, RatedStratum, estimate};
use polc_records::Digest;
use polc_records::ids::RuleId;

fn stratum(population: usize, values: &[f64]) -> RatedStratum {
    let items = values.iter().map(|value| Item { value: *value, inclusion: 0.5 }).collect();
    RatedStratum { population, items }
}

/// The values are those of xtask/audit-figures.py.
#[test]
fn rate_and_interval_are_those_of_another_program() {
    let strata = [
        stratum(40, &[1.0, 1.0, 0.0, 1.0, 1.0, 0.5, 1.0, 1.0]),
        stratum(12, &[1.0, 0.0, 1.0, 1.0, 1.0]),
        stratum(3, &[1.0, 0.0, 1.0]),
    ];
    let estimate = estimate(&strata);
    let interval = estimate.interval.unwrap();
    assert!((estimate.rate.unwrap() - RATE).abs() < 1e-12, "{estimate:?}");
    assert!((interval.low - (RATE - 1.959963984540054 * ERROR)).abs() < 1e-12, "{estimate:?}");
    assert!((interval.high - (RATE + 1.959963984540054 * ERROR).min(1.0)).abs() < 1e-12, "{estimate:?}");
}

const RATE: f64 = 0.801818181818182;
const ERROR: f64 = 0.091818824737366;

#[test]
fn what_was_taken_whole_is_known() {
    let whole = estimate(&[stratum(3, &[1.0, 0.0, 1.0]), stratum(1, &[0.0])]);
    let interval = whole.interval.unwrap();
    assert_eq!((interval.low, interval.high), (0.5, 0.5));
}

#[test]
fn what_the_sample_says_nothing_of_does_not_exist() {
    assert_eq!(estimate(&[]).rate, Err(Undefined::NoItems));
    assert_eq!(estimate(&[stratum(5, &[])]).rate, Err(Undefined::NoItems));
    let single = estimate(&[stratum(5, &[1.0]), stratum(3, &[1.0, 0.0, 1.0])]);
    assert!(single.rate.is_ok());
    assert_eq!(single.interval, Err(Undefined::SingleItem));
}

/// A population whose true rate is known: each check is right or wrong by the digest of its id.
#[test]
fn the_interval_covers_the_true_rate_as_often_as_it_says() {
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
    let right = |check: &RuleId| Digest::of(check.to_string()).bytes()[0] < 210;
    let truth = population.checks().iter().filter(|check| right(&check.check)).count() as f64
        / population.checks().len() as f64;
    assert!((0.78..0.88).contains(&truth), "{truth}");
    let allocation = allocate(&strata(&population), Terms::of(150)).unwrap();
    let draws = 1_000;
    let (mut covered, mut sum, mut weighted) = (0, 0.0, 0.0);
    for seed in 0..draws {
        let sample = draw(&population, &allocation, seed);
        let of = |projects: &polc_audit::allocation::Allotted| RatedStratum {
            population: projects.population,
            items: sample
                .iter()
                .filter(|check| check.project == projects.project)
                .map(|check| {
                    let mix = polc_records::audit::Mix::of(
                        population.checks().iter().filter(|of| of.project == projects.project),
                    );
                    Item {
                        value: f64::from(u8::from(right(&check.check))),
                        inclusion: polc_audit::draw::inclusion(
                            check.evidence,
                            &mix,
                            projects.population,
                            projects.drawn,
                        ),
                    }
                })
                .collect(),
        };
        let Estimate { rate, interval, inclusion_weighted } =
            estimate(&allocation.projects.iter().map(of).collect::<Vec<_>>());
        let interval = interval.unwrap();
        covered += i32::from(interval.low <= truth && truth <= interval.high);
        sum += rate.unwrap();
        weighted += inclusion_weighted.unwrap();
    }
    let share = f64::from(covered) / draws as f64;
    assert!((share - 0.95).abs() <= 0.015, "{share}");
    let (mean, weighted) = (sum / draws as f64, weighted / draws as f64);
    assert!((weighted - truth).abs() < 0.005, "the weighted rate is near the truth: {weighted} {truth}");
    assert!((mean - truth).abs() < 0.01, "{mean} {truth}");
}
