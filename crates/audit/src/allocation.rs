//! How many checkers are drawn of each project (B.6.1).
//!
//! Small projects are taken whole, every other gets a floor, and the rest of the budget is shared in proportion to the
//! number of checkers by largest remainder, in whole numbers; where remainders are equal, the name that comes first in
//! the order of bytes is served first. What a project cannot take, since it has no more, is shared among the others.

use crate::population::Population;
use polc_records::ids::Slug;
use polc_records::vocabulary::EvidenceType;
use serde::Serialize;

/// What an allocation goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// How many are drawn in all.
    pub size: usize,
    /// Projects with so many checkers or fewer are taken whole.
    pub census: usize,
    /// The fewest that are drawn of any other project.
    pub floor: usize,
}

impl Terms {
    /// The paper's terms for a sample of this size: ten or fewer are taken whole, the floor is five.
    pub const fn of(size: usize) -> Self {
        Terms { size, census: 10, floor: 5 }
    }
}

/// A project, as far as an allocation is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stratum {
    /// The project.
    pub project: Slug,
    /// How many checkers it has.
    pub population: usize,
    /// How many kinds of evidence it has of which one at least has to be drawn: differential and trajectory.
    pub minima: usize,
}

/// What is drawn of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Allotted {
    /// The project.
    pub project: Slug,
    /// How many checkers it has.
    pub population: usize,
    /// How many are drawn.
    pub drawn: usize,
}

/// What is drawn of every project, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The projects, by name.
    pub projects: Vec<Allotted>,
    /// How many fewer than the budget there are in all projects together.
    pub short_by: usize,
}

/// A budget that does not suffice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a sample of {asked} is too small: the projects that are taken whole and the floor of the others need {least}"
)]
pub struct TooSmall {
    /// What was asked for.
    pub asked: usize,
    /// The smallest budget that suffices.
    pub least: usize,
}

/// The kinds of evidence of which chance alone may draw none.
pub(crate) const RARE: [EvidenceType; 2] = [EvidenceType::Differential, EvidenceType::Trajectory];

/// The projects of a population.
pub fn strata(population: &Population) -> Vec<Stratum> {
    population
        .projects()
        .filter_map(|checks| {
            let minima =
                RARE.iter().filter(|kind| checks.iter().any(|check| check.evidence == **kind)).count();
            let project = checks.first()?.project.clone();
            Some(Stratum { project, population: checks.len(), minima })
        })
        .collect()
}

/// A project that has what it has to have, and may get more.
struct Share {
    index: usize,
    population: usize,
    room: usize,
}

/// Allots a budget. The order in which the projects are given does not matter.
///
/// # Errors
/// A budget that is smaller than what has to be drawn.
pub fn allocate(strata: &[Stratum], terms: Terms) -> Result<Allocation, TooSmall> {
    let mut strata: Vec<&Stratum> = strata.iter().collect();
    strata.sort_by(|a, b| a.project.cmp(&b.project));
    let least = |stratum: &Stratum| {
        if stratum.population <= terms.census {
            stratum.population
        } else {
            terms.floor.max(stratum.minima).min(stratum.population)
        }
    };
    let mut drawn: Vec<usize> = strata.iter().map(|stratum| least(stratum)).collect();
    let needed: usize = drawn.iter().sum();
    let Some(mut rest) = terms.size.checked_sub(needed) else {
        return Err(TooSmall { asked: terms.size, least: needed });
    };
    let mut open: Vec<Share> = strata
        .iter()
        .enumerate()
        .map(|(index, stratum)| Share {
            index,
            population: stratum.population,
            room: stratum.population - drawn[index],
        })
        .filter(|share| share.room > 0)
        .collect();
    // A project whose share is all that it has, or more, is taken whole; the others share what is left.
    loop {
        let total: u128 = open.iter().map(|share| share.population as u128).sum();
        let (full, still): (Vec<Share>, Vec<Share>) = open
            .into_iter()
            .partition(|share| rest as u128 * share.population as u128 >= share.room as u128 * total);
        open = still;
        if full.is_empty() {
            break;
        }
        for share in full {
            let taken = share.room.min(rest);
            drawn[share.index] += taken;
            rest -= taken;
        }
    }
    largest_remainders(&open, rest, &mut drawn);
    let short_by = if open.is_empty() { rest } else { 0 };
    let projects = strata.iter().zip(drawn).map(|(stratum, drawn)| Allotted {
        project: stratum.project.clone(),
        population: stratum.population,
        drawn,
    });
    Ok(Allocation { projects: projects.collect(), short_by })
}

fn largest_remainders(open: &[Share], rest: usize, drawn: &mut [usize]) {
    let total: u128 = open.iter().map(|share| share.population as u128).sum();
    if total == 0 {
        return;
    }
    let mut left = rest;
    let mut remainders = Vec::new();
    for share in open {
        let product = rest as u128 * share.population as u128;
        // A share of `rest` is no larger than it.
        let whole = usize::try_from(product / total).unwrap_or(rest);
        drawn[share.index] += whole;
        left -= whole;
        remainders.push((product % total, share.index));
    }
    // The index follows the name.
    remainders.sort_by(|(one, first), (other, second)| other.cmp(one).then(first.cmp(second)));
    for (_, index) in remainders.iter().take(left) {
        drawn[*index] += 1;
    }
}
