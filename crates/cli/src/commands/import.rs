//! `import`: a released file in, and what is odd about its rows.

use crate::arguments::ImportArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages::hydrate::require_whole;
use crate::stages::import::{Done, import};
use polc_extraction::classify::rubric::Rubrics;
use polc_records::Problem;
use polc_records::ids::RuleId;
use polc_records::import::{Contents, Imported, Oddity};
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::vocabulary::OddityKind;
use polc_sources::project::{ensure_root, without_checkout};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What `import` prints as JSON.
#[derive(Debug, Serialize)]
struct ImportReport<'r> {
    schema: u32,
    project: &'r str,
    result: ImportResult,
    labels: bool,
    rows: usize,
    /// Cells and records that are kept as they stand, since the rows would give them otherwise.
    verbatim: usize,
    oddities: &'r [Oddity],
}

/// What came of the command.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ImportResult {
    Written,
    WrittenBefore,
    DryRun,
}

pub(super) fn run(session: &Session, given: &ImportArguments) -> Result<Exit, CliError> {
    let bytes = std::fs::read(&given.file).map_err(|error| Problem::io(&given.file, "read", &error))?;
    let imported = Imported::read(&given.file, &bytes, given.slug.as_ref())?;
    let slug = &imported.slug;
    let Some(by) = given.by.as_ref().filter(|_| !given.dry_run) else {
        report(session, &imported, ImportResult::DryRun)?;
        return Ok(Exit::Done);
    };
    let root = match session.root() {
        Ok(root) => root,
        Err(_) => ensure_root(&session.folder()?)?,
    };
    let project = project(&root, given, &imported)?;
    let _lock = root.lock(slug)?;
    let result = match import(&root, &project, &imported, &bytes, by, &now())? {
        Done::Written => ImportResult::Written,
        Done::Before => ImportResult::WrittenBefore,
    };
    report(session, &imported, result)?;
    let next = match imported.record.contents {
        Contents::Extraction => format!("polc classify {slug}"),
        Contents::Corpus { .. } => format!("polc compile {slug} --stubs"),
    };
    session.tell(match result {
        ImportResult::WrittenBefore => "this file was imported before: nothing was written".to_owned(),
        _ => format!("frozen as it is in {}\nnext: {next}", root.shown(&root.extraction(slug)).display()),
    });
    Ok(Exit::Done)
}

/// The project that is there, where it is the one that was named, else a new one.
fn project(root: &Root, given: &ImportArguments, imported: &Imported) -> Result<Project, CliError> {
    let slug = &imported.slug;
    let path = root.project(slug);
    if path.is_file() {
        require_whole(root, slug)?;
        let present: Project = polc_records::store::load_toml(&path)?;
        let differs = given.repository.as_ref().is_some_and(|repository| *repository != present.repository)
            || given.setting.as_ref().is_some_and(|setting| *setting != present.setting);
        if differs {
            return Err(CliError::Misuse {
                what: format!("`{slug}` exists, with another repository or setting"),
                help: format!("leave the flags away, or see {}", root.shown(&path).display()),
            });
        }
        return Ok(present);
    }
    let Some(repository) = given.repository.clone() else {
        return Err(CliError::Misuse {
            what: format!(
                "there is no project `{slug}` yet, and the file does not say whose rules these are"
            ),
            help: "name the repository with --repository ORG/REPO".to_owned(),
        });
    };
    let setting = given.setting.clone().unwrap_or_else(|| "patch".to_owned());
    Rubrics::load(root, &setting)?;
    Ok(without_checkout(slug.clone(), repository, setting))
}

fn report(session: &Session, imported: &Imported, result: ImportResult) -> Result<(), CliError> {
    let record = &imported.record;
    let rows = imported.extraction.rows.len();
    if session.json {
        return session.print_json(&ImportReport {
            schema: 1,
            project: imported.slug.as_str(),
            result,
            labels: imported.corpus.is_some(),
            rows,
            verbatim: record.cells.len() + record.records.len(),
            oddities: &imported.oddities,
        });
    }
    let labels = if imported.corpus.is_some() { "with their labels" } else { "without labels" };
    let mut text = format!("{}: {} {labels}\n", imported.slug, count(rows, "row"));
    for kind in OddityKind::ALL {
        let of_kind = imported.oddities.iter().filter(|oddity| oddity.kind == *kind);
        let rules: BTreeSet<&RuleId> = of_kind.map(|oddity| &oddity.rule).collect();
        if !rules.is_empty() {
            let ids: Vec<String> = rules.iter().map(ToString::to_string).collect();
            // Writing to a string cannot fail.
            let _written = writeln!(text, "  {kind}: {} ({})", ids.len(), ids.join(", "));
        }
    }
    session.print(text)
}
