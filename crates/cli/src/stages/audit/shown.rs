//! What raters, and the automated pass, see of a checker.

use super::Checked;
use crate::exit::CliError;
use polc_audit::sheet::ShownCheck;
use polc_checker::cases::{CaseResult, RuleReport};
use polc_compile::files::{CheckerFile, parted, read_crate};
use polc_records::corpus::CorpusRow;
use polc_records::layout::Root;
use polc_records::store::read_text;
use std::fmt::Write;

/// Every checker of a project.
pub(crate) fn shown(root: &Root, checked: &Checked) -> Result<Vec<ShownCheck>, CliError> {
    let slug = &checked.project.slug;
    let pack = root.pack(slug);
    let files = read_crate(&pack, slug)?;
    let mut shown = Vec::new();
    for row in checked.pack.corpus.binding() {
        let file = files.iter().find(|file| file.rule == row.id);
        let report = checked.reports.iter().find(|report| report.rule == row.id.to_string());
        if let (Some(file), Some(report)) = (file, report) {
            shown.push(of(root, checked, row, (file, report))?);
        }
    }
    Ok(shown)
}

fn of(
    root: &Root,
    checked: &Checked,
    row: &CorpusRow,
    (file, report): (&CheckerFile, &RuleReport),
) -> Result<ShownCheck, CliError> {
    let slug = &checked.project.slug;
    let pack = root.pack(slug);
    let source = pack.join(file.source());
    let parted = parted(&source, &read_text(&source)?);
    let mut cases = read_text(&pack.join(file.cases()))?;
    cases.push_str("\n# What came of them\n");
    for case in &report.cases {
        let got = match &case.result {
            CaseResult::Passed => case.expect.as_str(),
            CaseResult::Failed { got } => got,
            CaseResult::Unwritten => "not written",
        };
        // Writing to a string cannot fail.
        let _written = writeln!(cases, "# {}: {got}", case.name);
    }
    let trigger = row.trigger.as_ref().map_or_else(String::new, |trigger| format!("\nTrigger: {trigger}"));
    Ok(ShownCheck {
        check: row.id.clone(),
        project: slug.clone(),
        rule: row.rule.clone(),
        sentence: row.original.clone(),
        context: format!("{}{trigger}", row.reasoning.context),
        link: format!("{} ({})", row.source.url, row.source.section),
        code: parted.code,
        cases,
        declaration: parted.declaration,
    })
}
