//! `compile --stubs`, `compile test`, `compile status`.

use super::status::done;
use crate::arguments::{BluntName, CompileArguments, CompileStep};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::classify::load_corpus;
use crate::stages::compile;
use polc_checker::cases::{CaseResult, RuleReport};
use polc_checker::declaration::State;
use polc_checker::pack::Blunt;
use polc_compile::build::build;
use polc_compile::status::{CheckerStanding, StatusLine, status};
use polc_records::ids::{RuleId, Slug};
use serde::Serialize;
use std::fmt::Write;

pub(super) fn run(session: &Session, given: CompileArguments) -> Result<Exit, CliError> {
    match (given.step, given.slug) {
        (Some(CompileStep::Test { slug, blunt, allow_stubs }), _) => test(session, &slug, blunt, allow_stubs),
        (Some(CompileStep::Status(project)), _) => tell_status(session, &project.slug),
        (None, Some(slug)) => stubs(session, &slug),
        (None, None) => Err(CliError::Misuse {
            what: "no project was named".to_owned(),
            help: "polc compile SLUG --stubs".to_owned(),
        }),
    }
}

fn stubs(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let rendered = compile::stubs(&root, &project)?;
    session.tell(format!(
        "{}: {} written and kept, {} to be written, {} changed, {} orphaned",
        root.shown(&root.pack(slug)).display(),
        rendered.written.len(),
        count(rendered.stubs.len(), "stub"),
        rendered.changed.len(),
        rendered.orphaned.len()
    ));
    let names = |ids: &[RuleId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if !rendered.changed.is_empty() {
        session
            .tell(format!("written for another text of their rule, untouched: {}", names(&rendered.changed)));
        session.tell("review each: read its rule with `polc explain`, correct the checker, and let it name the digest that `polc compile status` gives");
    }
    if !rendered.orphaned.is_empty() {
        session.tell(format!("without a rule, moved to orphaned/: {}", names(&rendered.orphaned)));
    }
    if !rendered.removed.is_empty() {
        session.tell(format!("stubs without a rule, removed: {}", names(&rendered.removed)));
    }
    session.tell(format!("next: write the checkers, then polc compile test {slug}"));
    done(session, &root, &project)
}

/// What `compile test` prints as JSON.
#[derive(Debug, Serialize)]
struct TestReport<'r> {
    schema: u32,
    project: &'r str,
    passed: usize,
    failed: usize,
    unwritten: usize,
    rules: &'r [RuleReport],
}

fn test(
    session: &Session,
    slug: &Slug,
    blunt: Option<BluntName>,
    allow_stubs: bool,
) -> Result<Exit, CliError> {
    let root = session.root()?;
    session.project(&root, slug)?;
    session.tell(format!("building the checkers of {slug} …"));
    let program = build(&root, slug)?;
    session.tell_of_sandbox(program.confinement());
    let blunt = blunt.map_or(Blunt::None, |blunt| match blunt {
        BluntName::Satisfied => Blunt::Satisfied,
        BluntName::Violated => Blunt::Violated,
        BluntName::Nothing => Blunt::Nothing,
    });
    let rules = program.cases(blunt)?;
    if blunt != Blunt::None {
        return blunted(session, slug, &rules, blunt);
    }
    let of = |state: State| rules.iter().filter(move |rule| rule.state == state);
    let (passed, failed) =
        (of(State::Written).filter(|rule| rule.passed()), of(State::Written).filter(|rule| !rule.passed()));
    let (passed, failed, unwritten) = (passed.count(), failed.count(), of(State::Unwritten).count());
    if session.json {
        session.print_json(&TestReport {
            schema: 1,
            project: slug.as_str(),
            passed,
            failed,
            unwritten,
            rules: &rules,
        })?;
    } else {
        session.print(listing(&rules))?;
        let cases: usize = of(State::Written).map(|rule| rule.cases.len()).sum();
        session.print(format!(
            "{} of {} written rules pass ({}), {failed} fail, {} not written\n",
            passed,
            passed + failed,
            count(cases, "case"),
            count(unwritten, "stub")
        ))?;
        exemptions(session, &rules)?;
        session.print(unread(&rules))?;
    }
    Ok(if failed > 0 || (unwritten > 0 && !allow_stubs) { Exit::Found } else { Exit::Done })
}

/// Every rule that does not pass, with what is wrong.
pub(super) fn listing(rules: &[RuleReport]) -> String {
    let mut text = String::new();
    for rule in rules.iter().filter(|rule| !rule.passed()) {
        if rule.state == State::Unwritten {
            // Writing to a string cannot fail.
            let _written = writeln!(text, "{}: not written (src/{}.rs)", rule.rule, rule.file);
            continue;
        }
        let _written = writeln!(text, "{}: fails (src/{}.rs)", rule.rule, rule.file);
        for case in &rule.cases {
            match &case.result {
                CaseResult::Passed => {}
                CaseResult::Unwritten => {
                    let _written = writeln!(text, "  case `{}` is not written", case.name);
                }
                CaseResult::Failed { got } => {
                    let _written = writeln!(
                        text,
                        "  case `{}`: expected {}, got {got}",
                        case.name,
                        case.expect.as_str()
                    );
                }
            }
        }
        for fault in &rule.faults {
            let _written = writeln!(text, "  {fault}");
        }
    }
    text
}

/// What is declared and read in no case: the rule withholds without need where a run does not hold it.
fn unread(rules: &[RuleReport]) -> String {
    let mut text = String::new();
    for rule in rules.iter().filter(|rule| !rule.unread.is_empty()) {
        let parts: Vec<&str> = rule.unread.iter().map(|read| read.as_str()).collect();
        let _written = writeln!(text, "{}: declares and never reads {}", rule.rule, parts.join(", "));
    }
    text
}

/// The exemptions from a type of case, counted in every report (B.5.2).
fn exemptions(session: &Session, rules: &[RuleReport]) -> Result<(), CliError> {
    let exempt: Vec<String> =
        rules.iter().filter_map(|rule| Some(format!("{} ({:?})", rule.rule, rule.exemption?))).collect();
    let named = if exempt.is_empty() { "none".to_owned() } else { exempt.join(", ") };
    session.print(format!("exempt from a type of case: {named}\n"))
}

/// What `compile test --blunt` prints as JSON.
#[derive(Debug, Serialize)]
struct BluntReport<'r> {
    schema: u32,
    project: &'r str,
    rules: &'r [RuleReport],
}

/// Each rule with a contrary case has to fail under a blunt.
fn blunted(session: &Session, slug: &Slug, rules: &[RuleReport], blunt: Blunt) -> Result<Exit, CliError> {
    let written: Vec<&RuleReport> = rules.iter().filter(|rule| rule.state == State::Written).collect();
    let contrary: Vec<&&RuleReport> = written.iter().filter(|rule| rule.has_contrary(blunt)).collect();
    // Cases that were not run notice nothing either.
    let unread: Vec<&RuleReport> =
        written.iter().copied().filter(|rule| rule.cases.is_empty() && !rule.faults.is_empty()).collect();
    let survivors: Vec<&&&RuleReport> = contrary.iter().filter(|rule| rule.failed_case().is_none()).collect();
    if session.json {
        session.print_json(&BluntReport { schema: 1, project: slug.as_str(), rules })?;
    } else {
        for rule in &unread {
            session.print(format!("{}: {} (src/{}.rs)\n", rule.rule, rule.faults.join("; "), rule.file))?;
        }
        for rule in &contrary {
            let line = match rule.failed_case() {
                Some(case) => format!("{}: fails, as it has to (case `{}`)\n", rule.rule, case.name),
                None => format!("{}: SURVIVES: its cases do not notice (src/{}.rs)\n", rule.rule, rule.file),
            };
            session.print(line)?;
        }
        session.print(format!(
            "{} of {} written rules with a contrary case fail; {} written without one, {} not written\n",
            contrary.len() - survivors.len(),
            contrary.len(),
            written.len() - contrary.len(),
            count(rules.len() - written.len(), "stub")
        ))?;
    }
    Ok(if survivors.is_empty() && unread.is_empty() { Exit::Done } else { Exit::Found })
}

/// What `compile status` prints as JSON.
#[derive(Debug, Serialize)]
struct CompileStatusReport<'r> {
    schema: u32,
    project: &'r str,
    checkers: Vec<StatusJson>,
}

/// A line of `compile status` as JSON.
#[derive(Debug, Serialize)]
struct StatusJson {
    rule: String,
    standing: &'static str,
    file: Option<String>,
    digest: Option<String>,
}

fn tell_status(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let (corpus, _) = load_corpus(&root, &project)?;
    let lines = status(&root.pack(slug), slug, &corpus)?;
    if session.json {
        let checkers = lines.iter().map(as_json).collect();
        session.print_json(&CompileStatusReport { schema: 1, project: slug.as_str(), checkers })?;
        return Ok(Exit::Done);
    }
    for line in &lines {
        let file = line.file.as_ref().map_or(String::new(), |file| file.display().to_string());
        let digest = match (line.standing, line.digest) {
            (CheckerStanding::Changed, Some(digest)) => format!("  its rule is now {digest}"),
            _ => String::new(),
        };
        session.print(format!("{:8}  {:12}  {file}{digest}\n", line.standing.as_str(), line.rule))?;
    }
    let of = |standing| lines.iter().filter(|line| line.standing == standing).count();
    let bind = corpus.binding().count();
    session.print(format!(
        "{}: {} written, {} not written, {} changed, {} absent; {} orphaned\n",
        count(bind, "binding rule"),
        of(CheckerStanding::Written),
        count(of(CheckerStanding::Stub), "stub"),
        of(CheckerStanding::Changed),
        of(CheckerStanding::Absent),
        of(CheckerStanding::Orphaned)
    ))?;
    if of(CheckerStanding::Written) < bind {
        session.print("unfinished: a rule without a written checker grades as an error\n")?;
    }
    Ok(Exit::Done)
}

fn as_json(line: &StatusLine) -> StatusJson {
    StatusJson {
        rule: line.rule.to_string(),
        standing: line.standing.as_str(),
        file: line.file.as_ref().map(|file| file.display().to_string()),
        digest: line.digest.map(|digest| digest.to_string()),
    }
}
