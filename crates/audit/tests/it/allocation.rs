use crate::made::{population, slug};
use polc_audit::allocation::{Stratum, Terms, TooSmall, allocate, strata};
use polc_audit::population::Population;
use polc_testkit::shared::{case, shared};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

fn sizes(sizes: &[(&str, usize)]) -> Vec<Stratum> {
    sizes.iter().map(|(name, size)| Stratum { project: slug(name), population: *size, minima: 0 }).collect()
}

fn drawn(strata: &[Stratum], terms: Terms) -> BTreeMap<String, usize> {
    let allocation = allocate(strata, terms).unwrap();
    allocation.projects.iter().map(|project| (project.project.to_string(), project.drawn)).collect()
}

#[test]
fn the_released_population_gives_the_drawn_column_of_table_11() {
    let Some(path) = shared("gold/policies-labels.csv") else { return };
    let population = Population::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
    let allocation = allocate(&strata(&population), Terms::of(150)).unwrap();
    let mut rows: Vec<(usize, usize)> =
        allocation.projects.iter().map(|project| (project.population, project.drawn)).collect();
    rows.sort_by(|a, b| b.cmp(a));
    let table_11 = [
        (167, 24),
        (146, 21),
        (142, 21),
        (111, 18),
        (78, 14),
        (49, 11),
        (35, 9),
        (34, 9),
        (24, 8),
        (22, 7),
        (13, 6),
        (2, 2),
    ];
    assert_eq!(rows, table_11);
    assert_eq!(allocation.short_by, 0);
}

#[test]
fn a_budget_that_does_not_suffice_is_refused_with_the_smallest_that_does() {
    let population = population(&[("small", 3, 0, 0), ("large", 40, 0, 0), ("larger", 60, 0, 0)]);
    let strata = strata(&population);
    let refused = allocate(&strata, Terms::of(12)).unwrap_err();
    assert_eq!(refused, TooSmall { asked: 12, least: 13 });
    assert!(allocate(&strata, Terms::of(13)).is_ok());
}

#[test]
fn one_of_each_rare_kind_fits_into_what_is_drawn_whatever_the_floor() {
    let population = population(&[("large", 40, 5, 5), ("larger", 60, 0, 7)]);
    let drawn = drawn(&strata(&population), Terms { size: 3, census: 0, floor: 0 });
    assert_eq!(drawn, BTreeMap::from([("large".to_owned(), 2), ("larger".to_owned(), 1)]));
}

/// The hard cases: whatever `sizes`, `n` and `floor` they have.
#[test]
fn hard_cases_of_proportional_allocation_come_out_as_they_should() {
    let Some(case) = case("st3") else { return };
    for (name, input) in case["input"].as_object().unwrap() {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let strata: Vec<Stratum> = input["sizes"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, size)| Stratum { project: slug(name), population: number(size), minima: 0 })
            .collect();
        let floor = input.get("floor").map_or(0, number);
        let allocation = allocate(&strata, Terms { size: number(&input["n"]), census: 0, floor }).unwrap();
        for (key, expected) in case["expected"][name].as_object().unwrap() {
            match key.as_str() {
                "note" => {}
                "short_by" => assert_eq!(allocation.short_by, number(expected), "{name}"),
                project => {
                    let of = allocation.projects.iter().find(|of| of.project.as_str() == project).unwrap();
                    assert_eq!(of.drawn, number(expected), "{name}: {project}");
                }
            }
        }
    }
}

#[test]
fn equal_remainders_are_served_by_name() {
    let of = drawn(&sizes(&[("c", 50), ("b", 50), ("a", 50)]), Terms { size: 11, census: 0, floor: 0 });
    assert_eq!(of, BTreeMap::from([("a".to_owned(), 4), ("b".to_owned(), 4), ("c".to_owned(), 3)]));
}

fn any_strata() -> impl Strategy<Value = Vec<Stratum>> {
    proptest::collection::btree_map("[a-z]{1,6}", (0_usize..200, 0_usize..3), 0..12).prop_map(|projects| {
        let of = |(name, (population, minima)): (String, (usize, usize))| Stratum {
            project: slug(&name),
            population,
            minima: minima.min(population),
        };
        projects.into_iter().map(of).collect()
    })
}

proptest! {
    #[test]
    fn sums_floors_censuses_and_minima_hold(
        strata in any_strata(), size in 0_usize..600, census in 0_usize..15, floor in 0_usize..8,
    ) {
        let terms = Terms { size, census, floor };
        match allocate(&strata, terms) {
            Err(refused) => {
                prop_assert!(refused.least > size);
                let enough = allocate(&strata, Terms { size: refused.least, ..terms }).unwrap();
                prop_assert_eq!(enough.projects.iter().map(|of| of.drawn).sum::<usize>(), refused.least);
            }
            Ok(allocation) => {
                let sum: usize = allocation.projects.iter().map(|of| of.drawn).sum();
                let all: usize = strata.iter().map(|of| of.population).sum();
                prop_assert_eq!(sum, size.min(all));
                prop_assert_eq!(sum + allocation.short_by, size);
                for of in &allocation.projects {
                    let stratum = strata.iter().find(|stratum| stratum.project == of.project).unwrap();
                    prop_assert!(of.drawn <= of.population);
                    prop_assert!(of.drawn >= floor.min(of.population));
                    prop_assert!(of.drawn >= stratum.minima);
                    prop_assert!(of.population > census || of.drawn == of.population);
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_projects_changes_nothing(strata in any_strata(), size in 0_usize..600) {
        let reversed: Vec<Stratum> = strata.iter().rev().cloned().collect();
        prop_assert_eq!(allocate(&strata, Terms::of(size)), allocate(&reversed, Terms::of(size)));
    }

    #[test]
    fn a_larger_project_gets_no_less_than_a_smaller_one(strata in any_strata(), size in 0_usize..600) {
        let Ok(allocation) = allocate(&strata, Terms { size, census: 0, floor: 0 }) else { return Ok(()) };
        // The minima of a small project may exceed the share of a larger one without any.
        let plain: Vec<_> = allocation
            .projects
            .iter()
            .filter(|of| strata.iter().any(|stratum| stratum.project == of.project && stratum.minima == 0))
            .collect();
        for one in &plain {
            for other in &plain {
                prop_assert!(one.population <= other.population || one.drawn >= other.drawn);
            }
        }
    }
}
