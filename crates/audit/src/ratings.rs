//! What one rater says of every checker of a sample, and the plain table that it can be kept in.

use polc_records::Problem;
use polc_records::audit::{AuditCheck, RatedFault, Rating};
use polc_records::ids::RuleId;
use polc_records::problem::UnknownValue;
use polc_records::vocabulary::{Criterion, Opinion};
use polc_records::workbook::Faults;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

/// The ratings of one rater.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    /// Who.
    pub rater: String,
    /// What is said of each checker.
    pub of: BTreeMap<RuleId, Rating>,
}

/// The columns with answers, as sheets and tables name them.
pub const ANSWERS: [&str; 7] = ["C1", "C2", "C3", "C4", "Verdict", "Failing criterion", "Fault"];

/// The column with the checker.
pub const CHECK: &str = "Check";

/// One row as it was filled in: the answers in the order of [`ANSWERS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledRow {
    /// Where it stands.
    pub line: usize,
    /// The checker.
    pub check: RuleId,
    /// The answers, without white space around them.
    pub answers: [String; ANSWERS.len()],
}

/// Reads the answers of rows that were filled in; `path` is only named in errors.
///
/// # Errors
/// All at once: cells that are blank or hold no answer, ratings that contradict themselves, checkers that are missing,
/// stand twice or are not of the sample.
pub fn ratings(
    path: &Path,
    rater: &str,
    rows: &[FilledRow],
    sample: &[AuditCheck],
) -> Result<Ratings, Faults> {
    let mut faults = Vec::new();
    let mut of = BTreeMap::new();
    for row in rows {
        if !sample.iter().any(|drawn| drawn.check == row.check) {
            let message = format!("{} was not drawn", row.check);
            faults.push(
                Problem::new(
                    path,
                    message,
                    "this is the sheet of another audit, or a row was added: remove it",
                )
                .at(row.line, None),
            );
            continue;
        }
        match rating(path, row) {
            Ok(rating) => {
                if of.insert(row.check.clone(), rating).is_some() {
                    let message = format!("{} has a row already", row.check);
                    faults.push(Problem::new(path, message, "remove the copy").at(row.line, None));
                }
            }
            Err(wrong) => faults.extend(wrong),
        }
    }
    let has_row = |check: &RuleId| rows.iter().any(|row| row.check == *check);
    for missing in sample.iter().filter(|drawn| !has_row(&drawn.check)) {
        let message = format!("{} is missing", missing.check);
        faults.push(Problem::new(path, message, "bring the row back, and answer it"));
    }
    if faults.is_empty() { Ok(Ratings { rater: rater.to_owned(), of }) } else { Err(Faults(faults)) }
}

fn rating(path: &Path, row: &FilledRow) -> Result<Rating, Vec<Problem>> {
    let mut faults = Vec::new();
    let wrong = |at: usize, message: String, help: &str| {
        let message = format!("{}: {message}", row.check);
        Problem::new(path, message, help).at(row.line, None).field(ANSWERS[at])
    };
    let [c1, c2, c3, c4, verdict, criterion, what] = &row.answers;
    let encodes = answer(c1).map_err(|error| faults.push(wrong(0, error, ANSWER)));
    let precondition = answer(c2).map_err(|error| faults.push(wrong(1, error, ANSWER)));
    let postcondition = answer(c3).map_err(|error| faults.push(wrong(2, error, ANSWER)));
    let exactness = answer(c4).map_err(|error| faults.push(wrong(3, error, ANSWER)));
    let fault = match answer::<Opinion>(verdict) {
        Err(error) => {
            faults.push(wrong(4, error, ANSWER));
            Err(())
        }
        Ok(Opinion::Accept) if criterion.is_empty() && what.is_empty() => Ok(None),
        Ok(Opinion::Accept) => {
            let help = "reject it, or clear the failing criterion and the fault";
            faults.push(wrong(4, "it is accepted, and has a fault".to_owned(), help));
            Err(())
        }
        Ok(Opinion::Reject) => {
            let criterion = answer::<Criterion>(criterion).map_err(|error| {
                faults.push(wrong(5, error, "name the criterion that fails, as in `C2`"));
            });
            if what.is_empty() {
                faults.push(wrong(
                    6,
                    "it is rejected without a fault".to_owned(),
                    "say what is wrong with it",
                ));
            }
            criterion.map(|criterion| Some(RatedFault { criterion, what: what.clone() }))
        }
    };
    let (Ok(encodes), Ok(precondition), Ok(postcondition), Ok(exactness), Ok(fault), true) =
        (encodes, precondition, postcondition, exactness, fault, faults.is_empty())
    else {
        return Err(faults);
    };
    let rating = Rating { encodes, precondition, postcondition, exactness, fault };
    let contradictions = rating.contradictions();
    if contradictions.is_empty() {
        return Ok(rating);
    }
    let help =
        "who cannot settle a criterion answers `no` and rejects; who accepts answers `yes` to C1, C2 and C3";
    Err(contradictions.into_iter().map(|what| wrong(4, what, help)).collect())
}

const ANSWER: &str = "choose one of the values of the list; who cannot settle an item rejects it";

fn answer<T: FromStr<Err = UnknownValue>>(text: &str) -> Result<T, String> {
    if text.is_empty() {
        return Err("it is not answered".to_owned());
    }
    text.to_ascii_lowercase().parse().or_else(|_: UnknownValue| text.to_ascii_uppercase().parse()).map_err(
        |_: UnknownValue| match text.parse::<T>() {
            Err(unknown) => unknown.to_string(),
            Ok(_) => String::new(),
        },
    )
}

/// Reads a table of ratings: a CSV with the columns `Check` and those of [`ANSWERS`]; others are not looked at.
/// `path` is only named in errors.
///
/// # Errors
/// A column that is missing; as [`ratings`].
pub fn parse(path: &Path, rater: &str, text: &str, sample: &[AuditCheck]) -> Result<Ratings, Faults> {
    let fault = |error: &csv::Error| Problem::new(path, error.to_string(), "save it as CSV in UTF-8");
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let headers = reader.headers().map_err(|error| fault(&error))?.clone();
    let column = |name: &str| {
        headers.iter().position(|header| header.trim() == name).ok_or_else(|| {
            Problem::new(path, "the column is missing", "name it in the first line").at(1, None).field(name)
        })
    };
    let check = column(CHECK)?;
    let mut columns = [0; ANSWERS.len()];
    for (place, name) in columns.iter_mut().zip(ANSWERS) {
        *place = column(name)?;
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| fault(&error))?;
        let line = record.position().map_or(1, |at| usize::try_from(at.line()).unwrap_or(usize::MAX));
        let cell = |index: usize| record.get(index).unwrap_or_default().trim().to_owned();
        let check = cell(check).parse().map_err(|error: polc_records::problem::Malformed| {
            Problem::new(path, error.to_string(), "name the rule of the checker").at(line, None).field(CHECK)
        })?;
        rows.push(FilledRow { line, check, answers: columns.map(cell) });
    }
    ratings(path, rater, &rows, sample)
}
