//! `ground`: every quote of the frozen extraction, or of the proposal, against the snapshots.

use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::extract::{load_proposal, read_sources};
use crate::stages::manifest::load_confirmed;
use polc_extraction::freeze::load_frozen;
use polc_extraction::grounding::Grounds;
use polc_records::decisions::Decisions;
use polc_records::ids::Slug;
use polc_records::locator::Fidelity;
use serde::Serialize;

/// What became of every quote, as JSON.
#[derive(Debug, Serialize)]
struct GroundReport<'r> {
    schema: u32,
    project: &'r str,
    quotes: &'r [Grounded],
}

/// What became of one quote.
#[derive(Debug, Serialize)]
struct Grounded {
    /// The rule's id, or the digest of the proposed row.
    row: String,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

pub(super) fn run(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let (manifest, digest) = load_confirmed(&root, &project)?;
    let sources = read_sources(&root, &manifest)?;
    let grounds = Grounds::new(&sources);
    let mut grounded = Vec::new();
    if root.extraction(slug).exists() {
        let decisions = Decisions::load(&root.decisions(slug), slug)?;
        let (extraction, _) = load_frozen(&root.extraction(slug), slug, &decisions)?;
        for row in &extraction.rows {
            grounded.push(answer(row.id.to_string(), grounds.prove_frozen(row)));
        }
    } else {
        let (rows, _) = load_proposal(&root, &project, digest)?;
        for proposed in &rows {
            let found = grounds.prove(&proposed.row, Some(&proposed.locator));
            grounded.push(answer(proposed.digest.short(), found.map(|place| place.fidelity)));
        }
    }
    let lost = grounded.iter().filter(|row| row.message.is_some()).count();
    if session.json {
        session.print_json(&GroundReport { schema: 1, project: slug.as_str(), quotes: &grounded })?;
    } else {
        for row in grounded.iter().filter(|row| row.message.is_some()) {
            session.print(format!("{}: {}\n", row.row, row.message.as_deref().unwrap_or_default()))?;
        }
        let of = |result| grounded.iter().filter(|row| row.result == result).count();
        session.print(format!(
            "{}: {} exact, {} folded, {lost} not found\n",
            count(grounded.len(), "quote"),
            of("exact"),
            of("folded")
        ))?;
    }
    Ok(if lost == 0 { Exit::Done } else { Exit::Found })
}

fn answer(row: String, result: Result<Fidelity, String>) -> Grounded {
    match result {
        Ok(Fidelity::Exact) => Grounded { row, result: "exact", message: None },
        Ok(Fidelity::Folded) => Grounded { row, result: "folded", message: None },
        Err(message) => Grounded { row, result: "not found", message: Some(message) },
    }
}
