//! The figures stand beside those of scikit-learn and statsmodels: xtask/audit-figures.py prints them.

use polc_audit::agreement::{Table, Undefined};
use polc_testkit::shared::case;
use proptest::prelude::*;
use serde_json::Value;

const TWO: [&str; 2] = ["y", "n"];
const THREE: [&str; 3] = ["a", "b", "c"];

fn table(labels: &[&'static str], counts: &[Vec<usize>]) -> Table {
    let pairs = counts.iter().enumerate().flat_map(|(row, counts)| {
        counts.iter().enumerate().flat_map(move |(column, count)| vec![(row, column); *count])
    });
    Table::new(labels, pairs)
}

/// Labels, counts, and kappa, its standard error and AC1.
type Figures = (&'static [&'static str], Vec<Vec<usize>>, f64, f64, f64);

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

#[test]
fn kappa_its_error_and_ac1_are_those_of_other_programs() {
    let figures: [Figures; 5] = [
        (&TWO, vec![vec![127, 8], vec![1, 14]], 0.723926380368098, 0.086308896729747, 0.923445518727494),
        (&TWO, vec![vec![94, 3], vec![3, 0]], -0.030927835051547, 0.012620195649917, 0.936292206413251),
        (&TWO, vec![vec![20, 5], vec![10, 15]], 0.4, 0.126996062931100, 0.405940594059406),
        (&TWO, vec![vec![45, 15], vec![25, 15]], 0.130434782608696, 0.098661537623440, 0.266055045871560),
        (
            &THREE,
            vec![vec![12, 3, 1], vec![2, 20, 6], vec![0, 4, 9]],
            0.557496360989811,
            0.094755364662137,
            0.589235446458733,
        ),
    ];
    for (labels, counts, kappa, error, ac1) in figures {
        let table = table(labels, &counts);
        assert!(near(table.kappa().unwrap(), kappa), "{counts:?}: {:?}", table.kappa());
        assert!(near(table.standard_error().unwrap(), error), "{counts:?}: {:?}", table.standard_error());
        assert!(near(table.ac1().unwrap(), ac1), "{counts:?}: {:?}", table.ac1());
        let (asymptotic, bootstrap) = (table.asymptotic().unwrap(), table.bootstrap(7, "test").unwrap());
        assert!(near(asymptotic.low, (kappa - 1.959963984540054 * error).max(-1.0)));
        // Two ways to the same interval: near each other, and not the same.
        assert!((asymptotic.low - bootstrap.low).abs() < 0.08, "{asymptotic:?} {bootstrap:?}");
        assert!((asymptotic.high - bootstrap.high).abs() < 0.08, "{asymptotic:?} {bootstrap:?}");
        assert_eq!(bootstrap, table.bootstrap(7, "test").unwrap());
    }
}

#[test]
fn hard_cases_of_kappa_come_out_as_they_should() {
    let Some(case) = case("st1") else { return };
    let (input, expected) = (&case["input"], &case["expected"]);
    let of = |name: &str| {
        let labels = |at: usize| -> Vec<usize> {
            let given = input[name][at].as_array().unwrap();
            given.iter().map(|label| TWO.iter().position(|it| label == it).unwrap()).collect()
        };
        Table::new(&TWO, labels(0).into_iter().zip(labels(1)))
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let a = of("a");
    assert_eq!(a.raw().unwrap(), number(&expected["a"]["po"]));
    assert_eq!(a.kappa().unwrap_err().to_string(), expected["a"]["reason"].as_str().unwrap());
    let b = of("b");
    assert_eq!(b.raw().unwrap(), number(&expected["b"]["po"]));
    assert_eq!(b.kappa().unwrap(), number(&expected["b"]["kappa"]));
    let d = of("d");
    assert_eq!(d.kappa().unwrap_err().to_string(), expected["d"]["reason"].as_str().unwrap());
    assert_eq!(d.ac1(), Err(Undefined::NoItems));
    let count = |pair: &str| usize::try_from(input["c_table"][pair].as_u64().unwrap()).unwrap();
    let c = table(&TWO, &[vec![count("yy"), count("yn")], vec![count("ny"), count("nn")]]);
    assert!(near(c.raw().unwrap(), number(&expected["c"]["po"])));
    assert!((c.kappa().unwrap() - number(&expected["c"]["kappa"])).abs() < 1e-6);
    assert!((c.ac1().unwrap() - 0.936292).abs() < 1e-6);
    assert_eq!(c.marginals(), (vec![97, 3], vec![97, 3]));
}

#[test]
fn an_interval_of_what_does_not_exist_does_not_exist() {
    let one = table(&TWO, &[vec![5, 0], vec![0, 0]]);
    assert_eq!(one.asymptotic(), Err(Undefined::OneLabel));
    assert_eq!(one.bootstrap(1, "test"), Err(Undefined::OneLabel));
}

proptest! {
    #[test]
    fn the_raters_may_change_places(
        pairs in proptest::collection::vec((0_usize..3, 0_usize..3), 0..60),
    ) {
        let one = Table::new(&THREE, pairs.iter().copied());
        let other = Table::new(&THREE, pairs.iter().map(|(first, second)| (*second, *first)));
        prop_assert_eq!(one.raw(), other.raw());
        prop_assert_eq!(one.agreed(), other.agreed());
        match (one.kappa(), other.kappa()) {
            (Ok(one), Ok(other)) => {
                prop_assert!(near(one, other));
                prop_assert!((-1.0..=1.0).contains(&one));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        if let (Ok(one), Ok(other)) = (one.standard_error(), other.standard_error()) {
            prop_assert!(near(one, other));
        }
    }

    #[test]
    fn agreement_in_everything_is_one_unless_there_is_one_label(
        labels in proptest::collection::vec(0_usize..3, 1..60),
    ) {
        let table = Table::new(&THREE, labels.iter().map(|label| (*label, *label)));
        match table.kappa() {
            Ok(kappa) => prop_assert!(near(kappa, 1.0)),
            Err(why) => {
                prop_assert_eq!(why, Undefined::OneLabel);
                prop_assert!(labels.iter().all(|label| *label == labels[0]));
            }
        }
    }
}
