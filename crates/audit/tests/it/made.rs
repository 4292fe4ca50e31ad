//! Populations and ratings that tests make.

use polc_audit::population::Population;
use polc_records::audit::{AuditCheck, RatedFault, Rating};
use polc_records::ids::{RuleId, Slug};
use polc_records::vocabulary::{Criterion, EvidenceType, Exactness, Met};
use std::path::Path;

pub(crate) fn slug(name: &str) -> Slug {
    name.parse().unwrap()
}

pub(crate) fn check(project: &str, number: u32, evidence: EvidenceType) -> AuditCheck {
    let project = slug(project);
    let exactness = if number.is_multiple_of(3) { Exactness::Exact } else { Exactness::Approximate };
    AuditCheck { check: RuleId::new(&project, number), project, evidence, exactness }
}

/// Of each project so many checks: the first some differential, the next some trajectory.
pub(crate) fn population(projects: &[(&str, u32, u32, u32)]) -> Population {
    let checks = projects.iter().flat_map(|(project, size, differential, trajectory)| {
        (1..=*size).map(move |number| {
            let kind = match number {
                number if number <= *differential => EvidenceType::Differential,
                number if number <= differential + trajectory => EvidenceType::Trajectory,
                _ => EvidenceType::Output,
            };
            check(project, number, kind)
        })
    });
    Population::new(Path::new("made"), checks.collect()).unwrap()
}

pub(crate) fn accepted() -> Rating {
    Rating {
        encodes: Met::Yes,
        precondition: Met::Yes,
        postcondition: Met::Yes,
        exactness: Exactness::Approximate,
        fault: None,
    }
}

pub(crate) fn rejected(what: &str) -> Rating {
    let fault = RatedFault { criterion: Criterion::Precondition, what: what.to_owned() };
    Rating { precondition: Met::No, fault: Some(fault), ..accepted() }
}
