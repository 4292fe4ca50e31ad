//! Which checkers are drawn.
//!
//! Within a project the checkers stand in the order of their rules. One differential check is drawn of all there are,
//! then one trajectory check, where the project has any; then the rest, of everything that is left, each with the same
//! chance. So it is known of every check with what chance it comes into the sample, and estimates can be weighted by it.

use crate::allocation::{Allocation, RARE};
use crate::population::Population;
use crate::stream::Stream;
use polc_records::audit::{AuditCheck, Mix};
use polc_records::ids::{RuleId, Slug};
use polc_records::vocabulary::EvidenceType;

const DRAW: &str = "polc audit draw 1";
const ORDER: &str = "polc audit order 1";

/// Draws a sample, by project and rule. The same seed and population give the same sample, on every machine and in
/// every later version.
pub fn draw(population: &Population, allocation: &Allocation, seed: u64) -> Vec<AuditCheck> {
    let mut sample = Vec::new();
    for checks in population.projects() {
        let drawn = checks
            .first()
            .and_then(|first| allocation.projects.iter().find(|allotted| allotted.project == first.project));
        if let Some(allotted) = drawn {
            sample.extend(of_project(&allotted.project, checks, allotted.drawn, seed));
        }
    }
    sample.sort();
    sample
}

fn of_project(project: &Slug, checks: &[AuditCheck], count: usize, seed: u64) -> Vec<AuditCheck> {
    let mut stream = Stream::new(DRAW, seed, project.as_str());
    let mut left: Vec<&AuditCheck> = checks.iter().collect();
    let mut drawn: Vec<&AuditCheck> = Vec::new();
    for kind in RARE {
        let mut of_kind: Vec<&AuditCheck> =
            left.iter().filter(|check| check.evidence == kind).copied().collect();
        let one = stream.draw(&mut of_kind, usize::from(drawn.len() < count));
        left.retain(|check| !one.contains(check));
        drawn.extend(one);
    }
    let more = stream.draw(&mut left, count - drawn.len());
    drawn.into_iter().chain(more).cloned().collect()
}

/// The chance of a check of this kind to be drawn, in a project of this mix.
pub fn inclusion(kind: EvidenceType, mix: &Mix, population: usize, drawn: usize) -> f64 {
    let counted = [mix.differential, mix.trajectory];
    let minima = counted.iter().filter(|count| **count > 0).count().min(drawn);
    let rest = if population > minima { (drawn - minima) as f64 / (population - minima) as f64 } else { 1.0 };
    let of_kind = match kind {
        EvidenceType::Differential => mix.differential,
        EvidenceType::Trajectory => mix.trajectory,
        EvidenceType::Output | EvidenceType::Judgment => return rest,
    };
    let first = 1.0 / of_kind.max(1) as f64;
    first + (1.0 - first) * rest
}

/// The order in which a rater sees the checkers: everybody has another one.
pub fn order(sample: &[AuditCheck], seed: u64, rater: &str) -> Vec<RuleId> {
    let mut ids: Vec<RuleId> = sample.iter().map(|check| check.check.clone()).collect();
    let count = ids.len();
    Stream::new(ORDER, seed, rater).draw(&mut ids, count)
}
