//! `ground`: every quote of a project's rows, or of a released file's, against the sources.

use crate::arguments::{GroundArguments, GroundPlace};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::extract::load_proposal;
use crate::stages::ground::Sought;
use crate::stages::import::is_imported;
use crate::stages::manifest::load_confirmed;
use polc_extraction::freeze::load_frozen;
use polc_extraction::grounding::{Grounding, Grounds, Known, Missing, Place, Quoted, ToldBy, not_admitted};
use polc_records::Problem;
use polc_records::decisions::Decisions;
use polc_records::extraction::ExtractionRow;
use polc_records::ids::Slug;
use polc_records::import::Imported;
use polc_records::locator::{Fidelity, Locator};
use polc_text::nearest::{Change, Nearest};
use serde::Serialize;
use std::fmt;

/// What became of every quote, as JSON.
#[derive(Debug, Serialize)]
struct GroundReport<'r> {
    schema: u32,
    project: &'r str,
    quotes: &'r [Grounded],
}

/// What became of the quotes of one row.
#[derive(Debug, Serialize)]
struct Grounded {
    /// The rule's id, or the digest of the proposed row.
    row: String,
    result: GroundResult,
    /// In words, where the quote does not simply stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The source that was searched, by its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// In how many places of its source the quote stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<usize>,
    /// What told which one is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    told_by: Option<ToldBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locator: Option<Locator>,
    /// What was not found: the quote of the rule, or one of its context.
    #[serde(skip_serializing_if = "Option::is_none")]
    quoted: Option<Quoted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<NearestPassage>,
    /// How many of the pieces of a quote stand in its source, each on its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Pieces>,
    /// Another source in which the quote stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    elsewhere: Option<String>,
}

/// The result for one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum GroundResult {
    Exact,
    Folded,
    Ambiguous,
    NotFound,
    NotAdmitted,
    NotHeld,
}

impl fmt::Display for GroundResult {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Exact => "exact",
            Self::Folded => "folded",
            Self::Ambiguous => "ambiguous",
            Self::NotFound => "not found",
            Self::NotAdmitted => "not admitted",
            Self::NotHeld => "not held",
        })
    }
}

#[derive(Debug, Serialize)]
struct NearestPassage {
    source: String,
    section: String,
    passage: String,
    ratio: f32,
    difference: Vec<Stretch>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Stretch {
    Same(String),
    OnlyQuote(String),
    OnlySource(String),
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Pieces {
    found: usize,
    of: usize,
}

pub(super) fn run(session: &Session, given: &GroundArguments) -> Result<Exit, CliError> {
    let slug = given.what.to_str().and_then(|what| what.parse::<Slug>().ok());
    match slug {
        Some(slug) if given.places.is_empty() && !given.what.is_file() => project(session, &slug),
        _ => file(session, given),
    }
}

/// The rows of a project: frozen where there are some, else proposed.
fn project(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let imported = is_imported(&root, &project, &decisions);
    let unheld = imported && !root.manifest(slug).exists();
    let mut sought = Sought::default();
    let manifest = if unheld { None } else { Some(load_confirmed(&root, &project)?) };
    if let Some((manifest, _)) = &manifest {
        sought.add_project(&root, &project, manifest)?;
    }
    let sources = sought.sources();
    let grounds = Grounds::new(&sources).known_as(sought.names.clone());
    let mut grounded: Vec<Grounded> = match &manifest {
        Some((_, digest)) if !root.extraction(slug).exists() => {
            let (rows, _) = load_proposal(&root, &project, *digest)?;
            let prove = |proposed: &polc_records::proposal::ProposedRow| {
                let row = proposed.digest.short();
                match grounds.prove(&proposed.row, Some(&proposed.locator)) {
                    Ok(locator) => {
                        Grounded { locator: Some(locator.clone()), ..Grounded::new(row, of(&locator)) }
                    }
                    Err(message) => {
                        Grounded { message: Some(message), ..Grounded::new(row, GroundResult::NotFound) }
                    }
                }
            };
            rows.iter().map(prove).collect()
        }
        _ => {
            let (extraction, _) = load_frozen(&root.extraction(slug), slug, &decisions)?;
            extraction.rows.iter().map(|row| Grounded::of(row, grounds.examine(row))).collect()
        }
    };
    // Nobody claimed that the sources of a released extraction are at hand.
    let unclaimed = |row: &Grounded| imported && row.result == GroundResult::NotHeld;
    grounded.iter_mut().filter(|row| unclaimed(row)).for_each(|row| row.message = None);
    report(session, slug, &grounded)?;
    let stands = |row: &Grounded| row.result.stands() || unclaimed(row);
    Ok(if grounded.iter().all(stands) { Exit::Done } else { Exit::Found })
}

/// The rows of a released file.
fn file(session: &Session, given: &GroundArguments) -> Result<Exit, CliError> {
    let bytes = std::fs::read(&given.what).map_err(|error| Problem::io(&given.what, "read", &error))?;
    let Imported { slug, extraction, .. } = Imported::read(&given.what, &bytes, None)?;
    let own = [GroundPlace::Project(slug.clone())];
    let places = if given.places.is_empty() { &own[..] } else { &given.places };
    let mut sought = Sought::default();
    for place in places {
        match place {
            GroundPlace::Folder(folder) => sought.add_folder(folder, &extraction.rows)?,
            GroundPlace::Project(slug) => {
                let root = session.root()?;
                let project = session.project(&root, slug)?;
                sought.add_project(&root, &project, &load_confirmed(&root, &project)?.0)?;
            }
        }
    }
    let sources = sought.sources();
    let grounds = Grounds::new(&sources).known_as(sought.names.clone());
    let grounded: Vec<Grounded> =
        extraction.rows.iter().map(|row| Grounded::of(row, grounds.examine(row))).collect();
    report(session, &slug, &grounded)?;
    let all = grounded.iter().all(|row| row.result.stands());
    Ok(if all { Exit::Done } else { Exit::Found })
}

fn report(session: &Session, slug: &Slug, grounded: &[Grounded]) -> Result<(), CliError> {
    if session.json {
        return session.print_json(&GroundReport { schema: 2, project: slug.as_str(), quotes: grounded });
    }
    for row in grounded {
        if let Some(message) = &row.message {
            session.print(format!("{}: {message}\n", row.row))?;
        }
    }
    let number = |result| grounded.iter().filter(|row| row.result == result).count();
    let mut text = count(grounded.len(), "quote");
    for (index, result) in
        [GroundResult::Exact, GroundResult::Folded, GroundResult::NotFound].iter().enumerate()
    {
        text.push_str(&format!("{} {} {result}", if index == 0 { ":" } else { "," }, number(*result)));
    }
    for result in [GroundResult::Ambiguous, GroundResult::NotAdmitted, GroundResult::NotHeld] {
        if number(result) > 0 {
            text.push_str(&format!(", {} {result}", number(result)));
        }
    }
    session.print(text + "\n")
}

impl GroundResult {
    /// Whether the quote is in its source.
    const fn stands(self) -> bool {
        matches!(self, Self::Exact | Self::Folded | Self::Ambiguous)
    }
}

fn of(locator: &Locator) -> GroundResult {
    match locator.fidelity {
        Fidelity::Exact => GroundResult::Exact,
        Fidelity::Folded => GroundResult::Folded,
    }
}

impl Grounded {
    fn new(row: String, result: GroundResult) -> Self {
        Grounded {
            row,
            result,
            message: None,
            source: None,
            places: None,
            told_by: None,
            locator: None,
            quoted: None,
            nearest: None,
            pieces: None,
            elsewhere: None,
        }
    }

    fn of(row: &ExtractionRow, grounding: Grounding) -> Self {
        let id = row.id.to_string();
        match grounding {
            Grounding::Stands(place) => Grounded::at(id, place),
            Grounding::NotAdmitted { source, section } => Grounded {
                message: Some(not_admitted(&source, &section, &row.original)),
                source: Some(source),
                ..Grounded::new(id, GroundResult::NotAdmitted)
            },
            Grounding::NotHeld => Grounded {
                message: Some(format!("nothing was retrieved at `{}`", row.source.url)),
                source: Some(row.source.url.clone()),
                ..Grounded::new(id, GroundResult::NotHeld)
            },
            Grounding::NotFound(missing) => Grounded::missing(id, missing),
        }
    }

    fn at(id: String, place: Place) -> Self {
        let Place { source, locator, places, told_by } = place;
        let result = if told_by.is_some() { of(&locator) } else { GroundResult::Ambiguous };
        let message = (result == GroundResult::Ambiguous).then(|| {
            format!("the quote stands {places} times in `{source}`, and nothing tells which one is meant")
        });
        Grounded {
            message,
            source: Some(source),
            places: Some(places),
            told_by,
            locator: Some(locator),
            ..Grounded::new(id, result)
        }
    }

    fn missing(id: String, missing: Missing) -> Self {
        let mut grounded =
            Grounded { message: Some(missing.to_string()), ..Grounded::new(id, GroundResult::NotFound) };
        grounded.quoted = Some(missing.quoted);
        grounded.nearest = missing.nearest.map(|(source, nearest)| NearestPassage::new(source, nearest));
        match missing.known {
            Some(Known::Elsewhere(source)) => grounded.elsewhere = Some(source),
            Some(Known::Pieces { found, of }) => grounded.pieces = Some(Pieces { found, of }),
            None => {}
        }
        grounded
    }
}

impl NearestPassage {
    fn new(source: String, nearest: Nearest) -> Self {
        let stretch = |(change, text): (Change, String)| match change {
            Change::Same => Stretch::Same(text),
            Change::OnlyQuote => Stretch::OnlyQuote(text),
            Change::OnlySource => Stretch::OnlySource(text),
        };
        NearestPassage {
            source,
            section: nearest.section.to_string(),
            passage: nearest.passage,
            ratio: nearest.ratio,
            difference: nearest.difference.into_iter().map(stretch).collect(),
        }
    }
}
