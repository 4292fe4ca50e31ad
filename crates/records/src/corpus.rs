//! `corpora/<slug>/rules.csv`: the classified rows, eleven columns (B.4).

use crate::digest::Digest;
use crate::extraction::{ascending, compose_applies_to, parse_applies_to};
use crate::ids::{RuleId, Slug};
use crate::locator::SourceReference;
use crate::notes::{Fields, compose, quoted, unquoted};
use crate::problem::Problem;
use crate::table::{Cells, Table, render};
use crate::vocabulary::{AppliesTo, Category, EvidenceType, Level, LevelRoute, ModalLevel, ScopeRoute};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

pub(crate) const COLUMNS: &[&str] = &[
    "ID",
    "Source",
    "Original text",
    "Atomic rule",
    "Applies to",
    "Category",
    "Requirement level",
    "Evidence Type",
    "In scope",
    "Out-of-scope route",
    "Notes",
];

/// The route by which a row is out of scope.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum OutOfScope {
    /// N1.
    NotObservable,
    /// N2.
    Subjective,
    /// N3, naming the rule that governs.
    Duplicate(RuleId),
    /// N4.
    Trigger,
}

impl OutOfScope {
    /// The route without what it names.
    pub const fn route(&self) -> ScopeRoute {
        match self {
            OutOfScope::NotObservable => ScopeRoute::N1,
            OutOfScope::Subjective => ScopeRoute::N2,
            OutOfScope::Duplicate(_) => ScopeRoute::N3,
            OutOfScope::Trigger => ScopeRoute::N4,
        }
    }
}

impl std::str::FromStr for OutOfScope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "N1 not observable" => Ok(OutOfScope::NotObservable),
            "N2 subjective" => Ok(OutOfScope::Subjective),
            "N4 trigger" => Ok(OutOfScope::Trigger),
            _ => match text.strip_prefix("N3 duplicate of ").map(str::parse) {
                Some(Ok(id)) => Ok(OutOfScope::Duplicate(id)),
                Some(Err(error)) => Err(error.to_string()),
                None => Err(format!(
                    "`{text}` is no out-of-scope route; allowed: N1 not observable, N2 subjective, \
                     N3 duplicate of <ID>, N4 trigger"
                )),
            },
        }
    }
}

impl fmt::Display for OutOfScope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfScope::NotObservable => out.write_str("N1 not observable"),
            OutOfScope::Subjective => out.write_str("N2 subjective"),
            OutOfScope::Duplicate(id) => write!(out, "N3 duplicate of {id}"),
            OutOfScope::Trigger => out.write_str("N4 trigger"),
        }
    }
}

/// A row is in scope, with the route of its level, or out of it by a route: never both, never neither.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict {
    /// In scope. The level follows from the route.
    InScope {
        /// The first route that holds.
        route: LevelRoute,
        /// The others that hold.
        also: Vec<LevelRoute>,
    },
    /// Out of scope.
    OutOfScope {
        /// The first route that fires.
        route: OutOfScope,
        /// The others that apply.
        also: Vec<ScopeRoute>,
    },
}

impl Verdict {
    /// The requirement level, in scope only.
    pub const fn level(&self) -> Option<Level> {
        match self {
            Verdict::InScope { route, .. } => Some(route.level()),
            Verdict::OutOfScope { .. } => None,
        }
    }
}

/// The line of reasoning (B.4): quotes the rule, states what the section granted, concludes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasoning {
    /// The words of the rule that decided.
    pub quote: String,
    /// What the section granted or withheld.
    pub context: String,
    /// What follows.
    pub conclusion: String,
}

/// One classified row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CorpusRow {
    /// The id.
    pub id: RuleId,
    /// Address and section.
    pub source: SourceReference,
    /// The source's own text.
    pub original: String,
    /// The atomic restatement.
    pub rule: String,
    /// One or more.
    pub applies_to: Vec<AppliesTo>,
    /// One of eight.
    pub category: Category,
    /// What the check opens.
    pub evidence: EvidenceType,
    /// Scope and level.
    pub verdict: Verdict,
    /// What the modal verb alone implied: never reconciled with the level.
    pub modal: ModalLevel,
    /// The line of reasoning.
    pub reasoning: Reasoning,
    /// The subsystem or kind of change that the rule is conditional on.
    pub trigger: Option<String>,
    /// A tool that repairs violations by itself, where the documentation names one.
    pub auto_fix: Option<String>,
    /// The row that states the same obligation at another level.
    pub conflict: Option<RuleId>,
    /// What could not be settled.
    pub low_confidence: Option<String>,
    /// What an imported row said in free prose.
    pub remark: Option<String>,
}

const NOTE_FIELDS: &[&str] = &[
    "Route",
    "Modal",
    "Quote",
    "Context",
    "Conclusion",
    "Also",
    "Trigger",
    "Auto-fix",
    "Conflict",
    "Low confidence",
    "Remark",
];

/// A field of a `Notes` cell that need not be otherwise whole.
pub fn note(cell: &str, field: &str) -> Option<String> {
    Fields::parse(cell).ok()?.take(field)
}

impl CorpusRow {
    /// Whether the rule binds: in scope and must. Such a rule gets a checker.
    pub const fn is_binding(&self) -> bool {
        matches!(self.verdict.level(), Some(Level::Must))
    }

    /// The digest of what a checker is written from: the quoted sentence, the restatement, the
    /// evidence type and the trigger (B.5.1). A checker records it.
    ///
    /// # Errors
    /// Only where the row cannot be written as JSON at all.
    pub fn checker_digest(&self) -> Result<Digest, serde_json::Error> {
        #[derive(Serialize)]
        struct WrittenFrom<'r> {
            original: &'r str,
            rule: &'r str,
            evidence: EvidenceType,
            trigger: Option<&'r str>,
        }
        Digest::of_json(&WrittenFrom {
            original: &self.original,
            rule: &self.rule,
            evidence: self.evidence,
            trigger: self.trigger.as_deref(),
        })
    }

    /// The `Notes` cell.
    pub fn notes(&self) -> String {
        let mut fields = Vec::new();
        let also: Vec<&str> = match &self.verdict {
            Verdict::InScope { route, also } => {
                fields.push(("Route", route.to_string()));
                also.iter().map(|route| route.as_str()).collect()
            }
            Verdict::OutOfScope { also, .. } => also.iter().map(|route| route.as_str()).collect(),
        };
        fields.push(("Modal", self.modal.to_string()));
        fields.push(("Quote", quoted(&self.reasoning.quote)));
        fields.push(("Context", self.reasoning.context.clone()));
        fields.push(("Conclusion", self.reasoning.conclusion.clone()));
        if !also.is_empty() {
            fields.push(("Also", also.join(", ")));
        }
        let optional = [
            ("Trigger", self.trigger.clone()),
            ("Auto-fix", self.auto_fix.clone()),
            ("Conflict", self.conflict.as_ref().map(RuleId::to_string)),
            ("Low confidence", self.low_confidence.clone()),
            ("Remark", self.remark.clone()),
        ];
        fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value?))));
        compose(fields)
    }

    pub(crate) fn parse(cells: &Cells<'_>) -> Result<Self, Problem> {
        let note = |message: String| cells.problem("Notes", message, "correct the cell");
        let mut fields = Fields::parse(cells.text("Notes")).map_err(note)?;
        let verdict = parse_verdict(cells, &mut fields)?;
        let evidence = cells.parse("Evidence Type")?;
        let judged_out = match &verdict {
            Verdict::InScope { .. } => false,
            Verdict::OutOfScope { route: OutOfScope::Subjective, .. } => true,
            Verdict::OutOfScope { route, also } => {
                *route == OutOfScope::NotObservable && also.contains(&ScopeRoute::N2)
            }
        };
        if evidence == EvidenceType::Judgment && !judged_out {
            return Err(cells.problem(
                "In scope",
                "judgment is never in scope",
                "correct the evidence type, or put the row out of scope by N2, or by N1 with `Also: N2`",
            ));
        }
        let mut require = |name| fields.require(name).map_err(note);
        let modal = require("Modal")?
            .parse()
            .map_err(|error: crate::problem::UnknownValue| note(error.to_string()))?;
        let reasoning = Reasoning {
            quote: unquoted(&require("Quote")?).map_err(note)?,
            context: require("Context")?,
            conclusion: require("Conclusion")?,
        };
        let conflict = fields
            .take("Conflict")
            .map(|text| text.parse())
            .transpose()
            .map_err(|error: crate::problem::Malformed| note(error.to_string()))?;
        let row = CorpusRow {
            id: cells.parse("ID")?,
            source: cells.parse("Source")?,
            original: cells.filled("Original text")?,
            rule: cells.filled("Atomic rule")?,
            applies_to: parse_applies_to(cells)?,
            category: cells.parse("Category")?,
            evidence,
            verdict,
            modal,
            reasoning,
            trigger: fields.take("Trigger"),
            auto_fix: fields.take("Auto-fix"),
            conflict,
            low_confidence: fields.take("Low confidence"),
            remark: fields.take("Remark"),
        };
        fields.finish(NOTE_FIELDS).map_err(note)?;
        Ok(row)
    }

    pub(crate) fn cells(&self) -> Vec<String> {
        let (level, in_scope, route) = match &self.verdict {
            Verdict::InScope { route, .. } => (route.level().to_string(), IN_SCOPE, String::new()),
            Verdict::OutOfScope { route, .. } => (String::new(), OUT_OF_SCOPE, route.to_string()),
        };
        vec![
            self.id.to_string(),
            self.source.to_string(),
            self.original.clone(),
            self.rule.clone(),
            compose_applies_to(&self.applies_to),
            self.category.to_string(),
            level,
            self.evidence.to_string(),
            in_scope.to_owned(),
            route,
            self.notes(),
        ]
    }
}

pub(crate) const IN_SCOPE: &str = "yes";
pub(crate) const OUT_OF_SCOPE: &str = "no";

fn parse_verdict(cells: &Cells<'_>, fields: &mut Fields) -> Result<Verdict, Problem> {
    let note = |message: String| cells.problem("Notes", message, "correct the cell");
    let also = fields.take("Also").unwrap_or_default();
    let also = also.split(", ").filter(|name| !name.is_empty());
    let unknown = |error: crate::problem::UnknownValue| note(error.to_string());
    match cells.text("In scope") {
        IN_SCOPE => {
            let route: LevelRoute = fields.require("Route").map_err(note)?.parse().map_err(unknown)?;
            let level: Level = cells.parse("Requirement level")?;
            if level != route.level() {
                let message =
                    format!("`{level}` does not follow from route {route}, which leads to {}", route.level());
                return Err(cells.problem(
                    "Requirement level",
                    message,
                    "correct the level or the route in `Notes`",
                ));
            }
            if !cells.text("Out-of-scope route").is_empty() {
                return Err(cells.problem("Out-of-scope route", "a row in scope has none", "empty the cell"));
            }
            Ok(Verdict::InScope {
                route,
                also: also.map(str::parse).collect::<Result<_, _>>().map_err(unknown)?,
            })
        }
        OUT_OF_SCOPE => {
            if !cells.text("Requirement level").is_empty() {
                return Err(cells.problem(
                    "Requirement level",
                    "a row out of scope has none",
                    "empty the cell",
                ));
            }
            let route = cells
                .text("Out-of-scope route")
                .parse()
                .map_err(|message| cells.problem("Out-of-scope route", message, "correct the cell"))?;
            Ok(Verdict::OutOfScope {
                route,
                also: also.map(str::parse).collect::<Result<_, _>>().map_err(unknown)?,
            })
        }
        other => Err(cells.problem(
            "In scope",
            format!("`{other}` is neither; allowed: {IN_SCOPE}, {OUT_OF_SCOPE}"),
            "correct the cell",
        )),
    }
}

/// The corpus of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Its rows, in the order of their ids.
    pub rows: Vec<CorpusRow>,
}

impl Corpus {
    /// Parses the file; `path` is only named in errors.
    ///
    /// # Errors
    /// With row, line, column, value and the values allowed. A duplicate has to name a row that
    /// exists and is in scope.
    pub fn parse(path: &Path, slug: &Slug, text: &str) -> Result<Self, Problem> {
        let table = Table::parse(path, text, COLUMNS)?;
        let mut rows: Vec<CorpusRow> = Vec::new();
        for cells in table.rows() {
            let row = CorpusRow::parse(&cells)?;
            ascending(&cells, slug, rows.last().map(|last| &last.id))?;
            rows.push(row);
        }
        let corpus = Corpus { rows };
        for (cells, row) in table.rows().zip(&corpus.rows) {
            if let Some(other) =
                row.conflict.as_ref().filter(|other| **other == row.id || corpus.row(other).is_none())
            {
                let message = format!("the conflict is with `{other}`, which is no other row");
                return Err(cells.problem("Notes", message, "name the row that states the same otherwise"));
            }
            if let Verdict::OutOfScope { route: OutOfScope::Duplicate(governing), .. } = &row.verdict
                && corpus.row(governing).is_none_or(|row| row.verdict.level().is_none())
            {
                return Err(cells.problem(
                    "Out-of-scope route",
                    format!("`{governing}` does not exist or is out of scope itself"),
                    "name the row in scope that governs",
                ));
            }
        }
        Ok(corpus)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// As [`Corpus::parse`] and [`crate::store::read_text`].
    pub fn load(path: &Path, slug: &Slug) -> Result<Self, Problem> {
        Corpus::parse(path, slug, &crate::store::read_text(path)?)
    }

    /// The row with an id.
    pub fn row(&self, id: &RuleId) -> Option<&CorpusRow> {
        self.rows.iter().find(|row| row.id == *id)
    }

    /// The rows that get a checker.
    pub fn binding(&self) -> impl Iterator<Item = &CorpusRow> {
        self.rows.iter().filter(|row| row.is_binding())
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Only where the table cannot be written at all, which is a fault of ours.
    pub fn render(&self, path: &Path) -> Result<String, Problem> {
        render(COLUMNS, self.rows.iter().map(CorpusRow::cells))
            .map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))
    }
}
