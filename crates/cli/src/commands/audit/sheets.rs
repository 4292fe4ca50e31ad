//! `audit sheets` and `audit try`: what a rater works with.

use super::folder;
use crate::arguments::{SheetsArguments, TryArguments};
use crate::commands::explain::project_of;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::audit::{Checked, load, refuse_reviewers, refuse_writers, shown, stale};
use crate::stages::compile::open;
use polc_audit::draw::order;
use polc_audit::score::same_person;
use polc_audit::sheet::{SheetOf, ShownCheck, write};
use polc_checker::cases::{CaseFile, describe};
use polc_compile::worker::Worker;
use polc_records::audit::{RaterSheet, SheetsFile, SheetsHeader, Tried, TriedFile, TriedHeader};
use polc_records::layout::{DataFile, Root};
use polc_records::store::{JsonLines, load_lines, read_text, save_lines, write_once};
use polc_records::{Digest, Problem};
use std::path::PathBuf;
use std::time::Duration;

/// The guidelines that raters go by.
pub(super) fn guidelines(root: &Root) -> Result<DataFile, Problem> {
    root.data("rubrics/checker-review.md", include_str!("../../../../../rubrics/checker-review.md"))
}

/// The name of a rater's sheet: letters and digits of the name.
fn file_name(rater: &str) -> PathBuf {
    let kept: String =
        rater.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    PathBuf::from(kept).with_extension("xlsx")
}

pub(super) fn write_all(session: &Session, given: &SheetsArguments) -> Result<Exit, CliError> {
    session.has_no_json("two workbooks")?;
    let root = session.root()?;
    let folder = folder(&root, &given.name);
    let kept = load(&folder)?;
    let [one, other] = given.raters.as_slice() else {
        return Err(CliError::Misuse {
            what: format!("{} named", count(given.raters.len(), "rater")),
            help: "an audit has two raters: say --rater A --rater B".to_owned(),
        });
    };
    if same_person(one, other)
        || file_name(one) == file_name(other)
        || one.trim().is_empty()
        || other.trim().is_empty()
    {
        return Err(CliError::Misuse {
            what: format!("`{one}` and `{other}` are not the names of two people"),
            help: "agreement is between two people: name both, so that they can be told apart".to_owned(),
        });
    }
    refuse_reviewers(&root, &kept.header, &[one, other])?;
    refuse_writers(&root, &kept.header, &[one, other])?;
    if folder.sheets().exists() {
        return Err(CliError::Gate {
            what: format!("the sheets of `{}` were written already, and may be filled in", given.name),
            help: "give the audit another name: a sheet is not written over".to_owned(),
        });
    }
    let changed = stale(&root, &kept.header)?;
    if let Some(slug) = changed.first() {
        return Err(CliError::Gate {
            what: format!("the checkers of {slug} are others than those that were drawn from"),
            help: "draw an audit under another name".to_owned(),
        });
    }
    let all = every_shown(session, &root, &kept.header.projects)?;
    let mut checks: Vec<&ShownCheck> = Vec::new();
    for drawn in &kept.sample {
        checks.extend(all.iter().find(|shown| shown.check == drawn.check));
    }
    if checks.len() < kept.sample.len() {
        return Err(CliError::Gate {
            what: "this root has not all of the checkers that were drawn".to_owned(),
            help: "sheets show code and cases: draw from `--population corpora`".to_owned(),
        });
    }
    let guidelines = guidelines(&root)?;
    let header = SheetsHeader {
        schema: SheetsFile::SCHEMA,
        sample: kept.digest,
        guidelines: guidelines.digest(),
        items: checks.iter().map(|shown| shown.item()).collect(),
    };
    let raters = [one, other].map(|rater| RaterSheet { rater: rater.clone(), file: file_name(rater) });
    let mut written = Vec::new();
    for sheet in &raters {
        let order = order(&kept.sample, kept.header.seed, &sheet.rater);
        let ordered: Vec<&ShownCheck> =
            order.iter().filter_map(|id| checks.iter().find(|shown| shown.check == *id).copied()).collect();
        let path = folder.0.join(&sheet.file);
        let of = SheetOf { sample: kept.digest, rater: &sheet.rater };
        written.push((write(&path, of, &guidelines.text, &ordered)?, path));
    }
    for (bytes, path) in written {
        if !write_once(&path, &bytes)? {
            let message = "there is such a file already, and it may be a sheet that is filled in";
            return Err(Problem::new(&path, message, "move it away, or give the audit another name").into());
        }
        session.tell(format!("{}: {}", root.shown(&path).display(), count(kept.sample.len(), "checker")));
    }
    save_lines::<SheetsFile>(&folder.sheets(), &header, &raters)?;
    session.tell(format!(
        "next: give each rater their own sheet and nothing else; when both are back: polc audit score {}",
        given.name
    ));
    Ok(Exit::Done)
}

/// What is shown of every checker of the projects that this root has.
fn every_shown(
    session: &Session,
    root: &Root,
    projects: &[polc_records::audit::DrawnProject],
) -> Result<Vec<ShownCheck>, CliError> {
    let known = root.projects()?;
    let mut all = Vec::new();
    for project in projects.iter().filter(|project| known.contains(&project.project)) {
        all.extend(shown(root, &Checked::open(session, root, &project.project)?)?);
    }
    Ok(all)
}

/// How long a checker may take over a case.
const TIME_LIMIT: Duration = Duration::from_secs(60);

pub(super) fn run_case(session: &Session, given: &TryArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let folder = folder(&root, &given.audit);
    let kept = load(&folder)?;
    if !kept.sample.iter().any(|drawn| drawn.check == given.check) {
        return Err(CliError::Misuse {
            what: format!("{} was not drawn for `{}`", given.check, given.audit),
            help: "try a checker of your sheet".to_owned(),
        });
    }
    let sheets = load_lines::<SheetsFile>(&folder.sheets())?.1;
    let Some(sheet) = sheets.iter().find(|sheet| same_person(&sheet.rater, &given.rater)) else {
        return Err(CliError::Misuse {
            what: format!("`{}` does not rate for `{}`", given.rater, given.audit),
            help: "say the name that your sheet was written for".to_owned(),
        });
    };
    let text = read_text(&given.case)?;
    let wrong = |message: String| {
        Problem::new(&given.case, message, "write it as the cases on your sheet are written")
    };
    let file = CaseFile::parse(&text).map_err(wrong)?;
    let rule = given.check.to_string();
    if file.rule != rule || file.cases.is_empty() {
        return Err(wrong(format!(
            "it has {} for {}, and none for {rule}",
            count(file.cases.len(), "case"),
            file.rule
        ))
        .into());
    }
    let pack = open(session, &root, &project_of(&root, &given.check)?)?;
    let mut worker = Worker::new(&pack.program, &pack.description, TIME_LIMIT);
    let mut tried = Vec::new();
    let mut as_expected = true;
    for case in &file.cases {
        let rows = worker.grade(&case.evidence(&pack.description.project, &rule))?;
        let row = rows.iter().find(|row| row.rule == rule);
        let outcome = row.map_or("error: it was not graded".to_owned(), |row| describe(&row.graded));
        as_expected &= row.is_some_and(|row| case.expect.is(&row.graded.outcome));
        tried.push(Tried {
            check: given.check.clone(),
            name: case.name.clone(),
            case: text.clone(),
            expected: case.expect.as_str().to_owned(),
            outcome,
        });
    }
    keep_tried(&folder.tried(&sheet.file), &sheet.rater, kept.digest, &tried)?;
    if session.json {
        session.print_json(&tried)?;
    } else {
        for case in &tried {
            session.print(format!("{}: expected {}, got {}\n", case.name, case.expected, case.outcome))?;
        }
    }
    Ok(if as_expected { Exit::Done } else { Exit::Found })
}

/// Adds what was tried to what the rater tried before.
fn keep_tried(path: &std::path::Path, rater: &str, sample: Digest, tried: &[Tried]) -> Result<(), Problem> {
    let mut all = if path.exists() { load_lines::<TriedFile>(path)?.1 } else { Vec::new() };
    for case in tried {
        if !all.contains(case) {
            all.push(case.clone());
        }
    }
    let header = TriedHeader { schema: TriedFile::SCHEMA, rater: rater.to_owned(), sample };
    save_lines::<TriedFile>(path, &header, &all)
}
