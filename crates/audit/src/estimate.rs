//! What a sample says of the population: rates weighted by each project's share, with a stratified interval.

use crate::agreement::{Figure, Interval, Undefined, Z95};
use serde::Serialize;

/// One rated item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// What is averaged: 1 for an accepted item, 0 for a rejected one, ½ where the raters differ.
    pub value: f64,
    /// The chance with which it came into the sample.
    pub inclusion: f64,
}

/// The rated items of one project.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedStratum {
    /// How many checkers the project has.
    pub population: usize,
    /// The rated ones.
    pub items: Vec<Item>,
}

/// A rate in the population, as the sample has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean of each project, weighted by its share of the population.
    #[serde(serialize_with = "or_null")]
    pub rate: Figure,
    /// Around it, 95 %: stratified by project, with the finite population correction, so that a project taken whole
    /// adds nothing to its width.
    #[serde(serialize_with = "or_null")]
    pub interval: Figure<Interval>,
    /// The same rate with each item weighted by the inverse of its chance to be drawn, within its project: what the
    /// minima draw too often counts less.
    #[serde(serialize_with = "or_null")]
    pub inclusion_weighted: Figure,
}

/// A figure that does not exist is null in JSON.
pub(crate) fn or_null<T: Serialize, S: serde::Serializer>(
    figure: &Figure<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    figure.as_ref().ok().serialize(serializer)
}

/// Estimates a rate. Every project of the population has to be among the strata.
pub fn estimate(strata: &[RatedStratum]) -> Estimate {
    let total: usize = strata.iter().map(|stratum| stratum.population).sum();
    if total == 0 || strata.iter().any(|stratum| stratum.items.is_empty() && stratum.population > 0) {
        let none = Undefined::NoItems;
        return Estimate { rate: Err(none), interval: Err(none), inclusion_weighted: Err(none) };
    }
    let strata = strata.iter().filter(|stratum| stratum.population > 0);
    let (mut rate, mut weighted, mut variance) = (0.0, 0.0, Ok(0.0));
    for stratum in strata {
        let share = stratum.population as f64 / total as f64;
        rate += share * stratum.mean();
        weighted += share * stratum.weighted_mean();
        variance = match (variance, stratum.variance_of_mean()) {
            (Ok(sum), Ok(of_mean)) => Ok(sum + share * share * of_mean),
            (Err(why), _) | (_, Err(why)) => Err(why),
        };
    }
    let interval = variance.map(|variance| {
        let half = Z95 * variance.sqrt();
        Interval { low: (rate - half).max(0.0), high: (rate + half).min(1.0) }
    });
    Estimate { rate: Ok(rate), interval, inclusion_weighted: Ok(weighted) }
}

impl RatedStratum {
    fn mean(&self) -> f64 {
        self.items.iter().map(|item| item.value).sum::<f64>() / self.items.len() as f64
    }

    fn weighted_mean(&self) -> f64 {
        let weights: f64 = self.items.iter().map(|item| item.inclusion.recip()).sum();
        self.items.iter().map(|item| item.value / item.inclusion).sum::<f64>() / weights
    }

    /// The variance of the mean under sampling without replacement.
    fn variance_of_mean(&self) -> Figure {
        let count = self.items.len();
        if count >= self.population {
            return Ok(0.0);
        }
        if count < 2 {
            return Err(Undefined::SingleItem);
        }
        let mean = self.mean();
        let squares: f64 = self.items.iter().map(|item| (item.value - mean).powi(2)).sum();
        let spread = squares / (count - 1) as f64;
        Ok((1.0 - count as f64 / self.population as f64) * spread / count as f64)
    }
}
