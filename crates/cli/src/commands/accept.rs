//! `accept`: the ten checks of checkpoint 3. `rules-file`: the binding rules for contributors.

use super::status::done;
use crate::arguments::AcceptArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages::classify::load_corpus;
use crate::stages::papers;
use polc_extraction::acceptance::{Acceptance, Check, CheckResult};
use polc_records::Digest;
use polc_records::ids::Slug;
use serde::Serialize;

/// What the checks came to, as JSON.
#[derive(Debug, Serialize)]
struct AcceptanceReport<'r> {
    schema: u32,
    project: &'r str,
    accepted: bool,
    rules: Digest,
    checks: &'r [Check],
}

pub(super) fn run(session: &Session, given: &AcceptArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    // A corpus that cannot be read whole is what the checks are there to tell.
    if load_corpus(&root, &project).is_ok() {
        papers::write_run_log(&root, &project)?;
    }
    let (acceptance, report) = papers::write_acceptance(&root, &project)?;
    let holds = acceptance.holds();
    if session.json {
        session.print_json(&AcceptanceReport {
            schema: 1,
            project: slug.as_str(),
            accepted: holds,
            rules: acceptance.rules,
            checks: &acceptance.checks,
        })?;
    } else {
        session.print(human(&acceptance))?;
    }
    let shown = root.acceptance(slug);
    let report_file = root.shown(&shown).display();
    if !holds {
        session.tell(format!("not accepted; every fault is in {report_file}"));
        return Ok(Exit::Found);
    }
    match &given.by {
        Some(by) => {
            papers::record_reader(&root, &project, (acceptance.rules, report), by, &now())?;
            session.tell(format!("checkpoint 3: accepted, read by {by}"));
        }
        None => session.tell(format!(
            "acceptable. Read {report_file} and {}, then run `polc accept {slug} --by NAME`",
            root.shown(&root.run_log(slug)).display()
        )),
    }
    Ok(Exit::Done)
}

/// How many faults of one check are listed.
const LISTED: usize = 3;

fn human(acceptance: &Acceptance) -> String {
    let mut text = String::new();
    for check in &acceptance.checks {
        let (word, lines): (_, Vec<&str>) = match &check.result {
            CheckResult::Passed => ("passed", Vec::new()),
            CheckResult::Warned { why } => ("warning", vec![why]),
            CheckResult::Failed { faults } => ("FAILED", faults.iter().map(String::as_str).collect()),
        };
        text.push_str(&format!("{word:8} {}: {}\n", check.name.asks(), check.measured));
        for line in lines.iter().take(LISTED) {
            text.push_str(&format!("         {}\n", line.replace('\n', "\n         ")));
        }
        if lines.len() > LISTED {
            text.push_str(&format!("         and {} more\n", lines.len() - LISTED));
        }
    }
    text
}

pub(super) fn rules_file(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let rules = papers::write_rules_file(&root, &project)?;
    session.tell(format!(
        "{} in {}",
        count(rules, "binding rule"),
        root.shown(&root.rules_file(slug)).display()
    ));
    done(session, &root, &project)
}
