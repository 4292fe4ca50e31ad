//! `regenerate`: everything after the freeze, made again or compared with what is there.

use super::compile::listing;
use super::status::done;
use crate::arguments::RegenerateArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::regenerate::{Difference, Regenerated, compare, regenerate};
use polc_checker::declaration::State;
use polc_records::ids::Slug;
use serde::Serialize;
use similar::TextDiff;

/// How many lines of one difference are shown.
const LINES: usize = 40;

/// What `regenerate --check` prints as JSON.
#[derive(Debug, Serialize)]
struct CompareReport<'r> {
    schema: u32,
    project: &'r str,
    same: bool,
    /// Files that are not what would be made.
    different: Vec<String>,
    /// Rules whose cases fail.
    failing: Vec<&'r str>,
}

pub(super) fn run(session: &Session, given: &RegenerateArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    if !given.check {
        let made = regenerate(&root, &project)?;
        told(session, slug, &made)?;
        done(session, &root, &project)?;
        return Ok(if failing(&made).is_empty() { Exit::Done } else { Exit::Found });
    }
    let (made, differences) = compare(&root, &project)?;
    let failing = failing(&made);
    if session.json {
        let different = differences.iter().map(|difference| difference.file.display().to_string()).collect();
        let same = differences.is_empty();
        session.print_json(&CompareReport { schema: 1, project: slug.as_str(), same, different, failing })?;
    } else {
        for difference in &differences {
            session.print(shown(difference))?;
        }
        told(session, slug, &made)?;
        session.tell(if differences.is_empty() {
            "every file is what is made from the freeze".to_owned()
        } else {
            format!("{} not what is made from the freeze", count(differences.len(), "file"))
        });
    }
    let clean = differences.is_empty() && self::failing(&made).is_empty();
    Ok(if clean { Exit::Done } else { Exit::Found })
}

fn failing(made: &Regenerated) -> Vec<&str> {
    let failing = made.rules.iter().filter(|rule| rule.state == State::Written && !rule.passed());
    failing.map(|rule| rule.rule.as_str()).collect()
}

fn told(session: &Session, slug: &Slug, made: &Regenerated) -> Result<(), CliError> {
    session.tell_of_sandbox(made.confinement);
    let written = made.rules.iter().filter(|rule| rule.state == State::Written);
    let passed = written.clone().filter(|rule| rule.passed()).count();
    if !failing(made).is_empty() && !session.json {
        session.print(listing(&made.rules))?;
    }
    session.tell(format!(
        "{passed} of {} written rules pass, {} not written; {}",
        written.count(),
        count(made.rules.iter().filter(|rule| rule.state == State::Unwritten).count(), "stub"),
        if made.acceptable {
            "the corpus is acceptable".to_owned()
        } else {
            format!("the corpus is not acceptable: see `polc accept {slug}`")
        }
    ));
    Ok(())
}

/// A difference for people: what is there against what would be made.
fn shown(difference: &Difference) -> String {
    let file = difference.file.display();
    let [is, made] =
        [&difference.is, &difference.made].map(|bytes| bytes.as_deref().map(std::str::from_utf8));
    match (is, made) {
        (None, _) => format!("{file}: is not there, and would be made\n"),
        (_, None) => format!("{file}: is there, and nothing makes it\n"),
        (Some(Ok(is)), Some(Ok(made))) => {
            let diff = TextDiff::from_lines(is, made);
            let header = (format!("{file} (as it is)"), format!("{file} (as it is made)"));
            let whole = diff.unified_diff().context_radius(1).header(&header.0, &header.1).to_string();
            let lines: Vec<&str> = whole.lines().collect();
            let mut text: String = lines.iter().take(LINES).map(|line| format!("{line}\n")).collect();
            if lines.len() > LINES {
                text.push_str(&format!("and {} more lines\n", lines.len() - LINES));
            }
            text
        }
        _ => format!("{file}: other bytes\n"),
    }
}
