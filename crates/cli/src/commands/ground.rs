//! `ground`: every quote of the frozen extraction, or of the proposal, against the snapshots.

use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::extract::{load_proposal, read_sources};
use crate::stages::import::is_imported;
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
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let imported = is_imported(&root, &project, &decisions);
    let unheld = imported && !root.manifest(slug).exists();
    let manifest = if unheld { None } else { Some(load_confirmed(&root, &project)?) };
    let sources = match &manifest {
        Some((manifest, _)) => read_sources(&root, manifest)?,
        None => Vec::new(),
    };
    let grounds = Grounds::new(&sources);
    let mut grounded = Vec::new();
    match &manifest {
        Some((_, digest)) if !root.extraction(slug).exists() => {
            let (rows, _) = load_proposal(&root, &project, *digest)?;
            for proposed in &rows {
                let found = grounds.prove(&proposed.row, Some(&proposed.locator));
                grounded.push(answer(proposed.digest.short(), found.map(|place| place.fidelity)));
            }
        }
        _ => {
            let (extraction, _) = load_frozen(&root.extraction(slug), slug, &decisions)?;
            for row in &extraction.rows {
                let id = row.id.to_string();
                grounded.push(if imported && !grounds.hold(&row.source) {
                    Grounded { row: id, result: "by reference", message: None }
                } else {
                    answer(id, grounds.prove_frozen(row))
                });
            }
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
        let by_reference =
            if imported { format!(", {} by reference", of("by reference")) } else { String::new() };
        session.print(format!(
            "{}: {} exact, {} folded, {lost} not found{by_reference}\n",
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
