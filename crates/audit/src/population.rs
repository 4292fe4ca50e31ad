//! What an audit draws from.

use polc_records::audit::AuditCheck;
use polc_records::ids::{RuleId, Slug};
use polc_records::vocabulary::{EvidenceType, Exactness};
use polc_records::{Digest, Problem};
use std::path::Path;

/// All checkers that an audit may draw, by project and rule, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Population {
    checks: Vec<AuditCheck>,
}

const ID: &str = "policy_id";
const PROJECT: &str = "project";
const EVIDENCE: &str = "evidence_type";
const EXACTNESS: &str = "check";

impl Population {
    /// A population; the order in which the checkers are given does not matter. `path` is only named in errors.
    ///
    /// # Errors
    /// A checker that stands twice, or one that cannot be a checker of its kind.
    pub fn new(path: &Path, mut checks: Vec<AuditCheck>) -> Result<Self, Problem> {
        checks.sort();
        if let Some(pair) = checks.windows(2).find(|pair| pair[0].check == pair[1].check) {
            let message = format!("{} stands in it twice", pair[0].check);
            return Err(Problem::new(
                path,
                message,
                "a checker is drawn once at the most: remove one of the two",
            ));
        }
        if let Some(check) = checks.iter().find(|check| check.evidence == EvidenceType::Judgment) {
            let message = format!("{} is a matter of judgment, which no checker decides", check.check);
            return Err(Problem::new(path, message, "remove it, or correct its evidence type"));
        }
        Ok(Population { checks })
    }

    /// Reads a table of labels: a CSV with the columns `policy_id`, `project`, `evidence_type` and `check` (exact or
    /// approximate). Other columns are not looked at. `path` is only named in errors.
    ///
    /// # Errors
    /// A column that is missing, a value that is none, with its line; as [`Population::new`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problem> {
        let fault = |error: &csv::Error| {
            let line = error.position().map_or(1, |at| usize::try_from(at.line()).unwrap_or(usize::MAX));
            Problem::new(path, error.to_string(), "save it as CSV in UTF-8").at(line, None)
        };
        let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let headers = reader.headers().map_err(|error| fault(&error))?.clone();
        let column = |name: &str| {
            headers.iter().position(|header| header.trim() == name).ok_or_else(|| {
                Problem::new(path, "the column is missing", "name it in the first line")
                    .at(1, None)
                    .field(name)
            })
        };
        let columns = [column(ID)?, column(PROJECT)?, column(EVIDENCE)?, column(EXACTNESS)?];
        let mut checks = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| fault(&error))?;
            let line = record.position().map_or(1, |at| usize::try_from(at.line()).unwrap_or(usize::MAX));
            let [check, project, evidence, exactness] =
                columns.map(|index| record.get(index).unwrap_or_default().trim());
            let wrong = |field: &str, error: String| {
                Problem::new(path, error, "correct the value").at(line, None).field(field)
            };
            checks.push(AuditCheck {
                project: project.parse::<Slug>().map_err(|error| wrong(PROJECT, error.to_string()))?,
                check: check.parse::<RuleId>().map_err(|error| wrong(ID, error.to_string()))?,
                evidence: evidence
                    .parse::<EvidenceType>()
                    .map_err(|error| wrong(EVIDENCE, error.to_string()))?,
                exactness: exactness
                    .parse::<Exactness>()
                    .map_err(|error| wrong(EXACTNESS, error.to_string()))?,
            });
        }
        Population::new(path, checks)
    }

    /// The checkers, by project and rule.
    pub fn checks(&self) -> &[AuditCheck] {
        &self.checks
    }

    /// The checkers of each project, by the name of the project.
    pub fn projects(&self) -> impl Iterator<Item = &[AuditCheck]> {
        self.checks.chunk_by(|one, other| one.project == other.project)
    }

    /// The digest of all of them: the same for the same checkers in any order.
    pub fn digest(&self) -> Digest {
        let lines = self.checks.iter().map(|check| {
            format!("{} {} {} {}\n", check.project, check.check, check.evidence, check.exactness)
        });
        Digest::of(lines.collect::<String>())
    }
}
