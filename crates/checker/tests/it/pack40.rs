//! Checkers of a project that does not exist, over all categories, readers and kinds of evidence: the runtime has to
//! let each be written in few lines.
#![expect(unreachable_pub, reason = "as in a crate of checkers")]

use polc_checker::cases::run;
use polc_checker::declaration::{Exactness, Exemption, Ownership, Read};
use polc_checker::pack::Blunt;

// The benchmark takes it in as well.
#[path = "pack40/pack.rs"]
mod pack;

use pack::PACK;

#[test]
fn every_rule_passes_its_cases_and_reads_what_it_declares() {
    let reports = PACK.entries.iter().map(|entry| run(PACK.project, entry, Blunt::None));
    let wrong: Vec<_> = reports.filter(|report| !report.passed() || !report.unread.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_blunt_is_caught_by_every_rule_that_has_a_contrary_case() {
    for blunt in [Blunt::Satisfied, Blunt::Violated, Blunt::Nothing] {
        let mut caught = 0;
        for entry in PACK.entries {
            let report = run(PACK.project, entry, blunt);
            if report.has_contrary(blunt) {
                assert!(report.failed_case().is_some(), "{}: {blunt:?}", report.rule);
                caught += 1;
            }
        }
        assert!(caught >= 36, "{caught} rules have a case against {blunt:?}");
    }
}

#[test]
fn the_pack_has_every_kind_of_rule() {
    let declarations: Vec<_> = PACK.entries.iter().map(|entry| entry.declaration).collect();
    assert_eq!(declarations.len(), 40);
    for read in Read::ALL {
        assert!(declarations.iter().any(|found| found.reads.contains(&read)), "{read:?}");
    }
    for owner in [Ownership::Created, Ownership::Touched, Ownership::Enclosing] {
        assert!(declarations.iter().any(|found| found.ownership == owner), "{owner:?}");
    }
    for exemption in [Exemption::HumanInTheLoop, Exemption::NotCarried, Exemption::SelectsOnlyViolations] {
        let exempt = declarations.iter().filter(|found| found.exemption == Some(exemption));
        assert_eq!(exempt.count(), 1, "{exemption:?}");
    }
    let approximate = declarations.iter().filter(|found| found.exactness != Exactness::Exact).count();
    assert!(approximate >= 10, "{approximate}");
}
