//! The ratings that were given: sheets that came back, or tables.

use super::{Kept, require};
use crate::exit::CliError;
use polc_audit::ratings::{Ratings, parse};
use polc_audit::sheet::{SheetOf, read};
use polc_compile::files::crate_digest;
use polc_records::Problem;
use polc_records::audit::{AuditFolder, SampleHeader, SheetsFile};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::store::{load_lines, read_text};
use std::path::{Path, PathBuf};

/// The ratings of two raters; the first by name is the first.
pub(crate) struct Given {
    pub(crate) one: Ratings,
    pub(crate) other: Ratings,
}

/// Reads the ratings: tables where they are named, else the sheets of the audit.
pub(crate) fn given(folder: &AuditFolder, kept: &Kept, tables: &[PathBuf]) -> Result<Given, CliError> {
    let mut ratings = if tables.is_empty() { sheets(folder, kept)? } else { of_tables(kept, tables)? };
    ratings.sort_by(|one, other| one.rater.cmp(&other.rater));
    let found = ratings.len();
    let [one, other] = <[Ratings; 2]>::try_from(ratings).map_err(|_| CliError::Misuse {
        what: format!("the ratings of {found} are given"),
        help: "an audit has two raters: give the ratings of both, and of nobody else".to_owned(),
    })?;
    Ok(Given { one, other })
}

fn of_tables(kept: &Kept, tables: &[PathBuf]) -> Result<Vec<Ratings>, CliError> {
    let mut ratings = Vec::new();
    for path in tables {
        let rater = path.file_stem().unwrap_or_default().to_string_lossy();
        ratings.push(parse(path, &rater, &read_text(path)?, &kept.sample).map_err(CliError::Ratings)?);
    }
    Ok(ratings)
}

fn sheets(folder: &AuditFolder, kept: &Kept) -> Result<Vec<Ratings>, CliError> {
    let path = folder.sheets();
    require(&path, "there are no sheets", "polc audit sheets NAME --rater A --rater B")?;
    let (header, sheets) = load_lines::<SheetsFile>(&path)?;
    if header.sample != kept.digest {
        let help = "restore the sample or the sheets from version control";
        return Err(Problem::new(&path, "the sheets were written for another sample", help).into());
    }
    let mut ratings = Vec::new();
    for sheet in sheets {
        let of = SheetOf { sample: kept.digest, rater: &sheet.rater };
        let path = folder.0.join(&sheet.file);
        let read = read(&path, of, &header.items, &kept.sample, &bytes(&path)?);
        ratings.push(read.map_err(CliError::Ratings)?);
    }
    Ok(ratings)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    std::fs::read(path).map_err(|error| Problem::io(path, "read", &error))
}

/// The projects whose checkers are others than those that were drawn from.
pub(crate) fn stale(root: &Root, header: &SampleHeader) -> Result<Vec<Slug>, CliError> {
    let mut stale = Vec::new();
    for project in &header.projects {
        let Some(drawn) = project.checkers else { continue };
        let pack = root.pack(&project.project);
        if !pack.exists() || crate_digest(&pack)? != drawn {
            stale.push(project.project.clone());
        }
    }
    Ok(stale)
}
