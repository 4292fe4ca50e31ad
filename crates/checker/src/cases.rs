//! Authored cases: one input each, with the outcome it has to have. Data, so that a reader who knows
//! no Rust can check and dispute them.

use crate::declaration::{Exemption, Read, ReadSet, State};
use crate::evidence::{
    Absence, Action, Commit, Content, Evaluation, Evidence, FileChange, Output, Part, Person, Probe,
    PullRequest, Run, StatusEntry, Step, ToolRun,
};
use crate::explain::Tracer;
use crate::message::Message;
use crate::outcome::Outcome;
use crate::pack::{Blunt, Entry};
use serde::{Deserialize, Serialize};

/// The schema versions of a case file. The second has steps, status, worktree, probe, evaluation,
/// tool runs, the branch, and parts that are missing.
const SCHEMAS: std::ops::RangeInclusive<u32> = 1..=2;

/// A case file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Schema version.
    pub schema: u32,
    /// The rule.
    pub rule: String,
    /// The cases.
    #[serde(default, rename = "case")]
    pub cases: Vec<Case>,
}

impl CaseFile {
    /// Reads a case file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: CaseFile = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if !SCHEMAS.contains(&file.schema) {
            return Err(format!("it has schema {}; this runtime reads schema 1 and 2", file.schema));
        }
        Ok(file)
    }
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows, in words.
    pub name: String,
    /// The outcome it has to have.
    pub expect: Expected,
    /// Whether it is only a skeleton.
    #[serde(default)]
    pub unwritten: bool,
    /// The commits, oldest first. None are none, recorded as such.
    #[serde(default, rename = "commit")]
    pub commits: Vec<CaseCommit>,
    /// The files. None are none, recorded as such.
    #[serde(default, rename = "file")]
    pub files: Vec<CaseFileChange>,
    /// The pull request. Without one, none was recorded.
    #[serde(default)]
    pub pull_request: Option<PullRequest>,
    /// The branch at the end. Without one, none was recorded.
    #[serde(default)]
    pub branch: Option<String>,
    /// What the agent did. Without a step, none was recorded.
    #[serde(default, rename = "step")]
    pub steps: Option<Vec<CaseStep>>,
    /// The files of the tree at the end, where they are others than the contribution's.
    #[serde(default)]
    pub worktree: Option<Vec<CaseFileChange>>,
    /// What git said of the tree at the end.
    #[serde(default)]
    pub status: Option<Vec<StatusEntry>>,
    /// What was recorded of the environment.
    #[serde(default)]
    pub probe: Option<Probe>,
    /// What the functional tests said.
    #[serde(default)]
    pub evaluation: Option<Evaluation>,
    /// What tools that ran outside found.
    #[serde(default)]
    pub tool_runs: Option<Vec<ToolRun>>,
    /// Parts that this run should carry and does not.
    #[serde(default)]
    pub missing: Vec<Read>,
}

/// The outcome a case has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// Satisfied.
    Satisfied,
    /// Violated.
    Violated,
    /// Inapplicable.
    Inapplicable,
    /// Withheld.
    Withheld,
}

impl Expected {
    /// The name in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Expected::Satisfied => "satisfied",
            Expected::Violated => "violated",
            Expected::Inapplicable => "inapplicable",
            Expected::Withheld => "withheld",
        }
    }

    /// Whether an outcome is the one expected.
    pub fn is(self, outcome: &Outcome) -> bool {
        matches!(
            (self, outcome),
            (Expected::Satisfied, Outcome::Satisfied)
                | (Expected::Violated, Outcome::Violated)
                | (Expected::Inapplicable, Outcome::Inapplicable)
                | (Expected::Withheld, Outcome::Withheld { .. })
        )
    }
}

/// A commit of a case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseCommit {
    /// The whole message.
    pub message: String,
    /// The number of its parents.
    #[serde(default = "one")]
    pub parents: usize,
    /// The paths it changes, where the rule looks at them.
    #[serde(default)]
    pub paths: Option<Vec<String>>,
}

fn one() -> usize {
    1
}

/// A file of a case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFileChange {
    /// Its path.
    pub path: String,
    /// Its path before, where it was renamed.
    #[serde(default)]
    pub old_path: Option<String>,
    /// Its text before; a new file has none.
    #[serde(default)]
    pub base: Option<String>,
    /// Its text after; a deleted file has none.
    #[serde(default)]
    pub head: Option<String>,
    /// How often the text after is repeated.
    #[serde(default = "one")]
    pub repeat: usize,
}

/// A step of a case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseStep {
    /// What was done: `action.shell.command = "…"`, or `read`, `edit`, `fetch`, `tool`.
    pub action: Action,
    /// What came back; nothing was recorded without it.
    #[serde(default)]
    pub output: Option<String>,
    /// Whether that was cut.
    #[serde(default)]
    pub truncated: bool,
    /// With what a command ended.
    #[serde(default)]
    pub exit: Option<i32>,
}

impl CaseStep {
    fn step(&self) -> Step {
        Step {
            output: self.output.clone().map(|text| Output { text, truncated: self.truncated }),
            exit: self.exit,
            ..Step::of(self.action.clone())
        }
    }
}

/// What became of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub enum CaseResult {
    /// The outcome was the one expected.
    Passed,
    /// It was not.
    Failed {
        /// What it was.
        got: String,
    },
    /// It is only a skeleton.
    Unwritten,
}

/// One case with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseReport {
    /// What the case shows.
    pub name: String,
    /// The outcome it has to have.
    pub expect: Expected,
    /// What became of it.
    #[serde(flatten)]
    pub result: CaseResult,
}

/// What the cases of one rule came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleReport {
    /// The rule.
    pub rule: String,
    /// Its files: `git/c012`.
    pub file: String,
    /// Whether its checker is written.
    pub state: State,
    /// Its exemption.
    pub exemption: Option<Exemption>,
    /// Each case.
    pub cases: Vec<CaseReport>,
    /// What is wrong beside the cases: a file that does not parse, a type of case that is missing.
    pub faults: Vec<String>,
    /// What the checker declares that it reads, and does not read in any case. It withholds without need where
    /// a run does not hold that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Read>,
}

impl RuleReport {
    /// Whether the rule is written and every case came out as expected.
    pub fn passed(&self) -> bool {
        self.state == State::Written
            && self.faults.is_empty()
            && self.cases.iter().all(|case| case.result == CaseResult::Passed)
    }

    /// Whether any case failed.
    pub fn failed_case(&self) -> Option<&CaseReport> {
        self.cases.iter().find(|case| matches!(case.result, CaseResult::Failed { .. }))
    }

    /// Whether the rule has a case that a blunt has to fail.
    pub fn has_contrary(&self, blunt: Blunt) -> bool {
        self.cases.iter().any(|case| match blunt {
            Blunt::None => false,
            Blunt::Satisfied => case.expect == Expected::Violated,
            Blunt::Violated => case.expect == Expected::Satisfied,
            Blunt::Nothing => matches!(case.expect, Expected::Satisfied | Expected::Violated),
        })
    }
}

impl Case {
    /// The evidence that the case describes: commits and files as recorded, the rest where it is given.
    pub fn evidence(&self, project: &str, rule: &str) -> Evidence {
        let commits =
            self.commits.iter().zip(1_u32..).map(|(commit, number)| case_commit(commit, number)).collect();
        let mut run = Run::new(format!("case {rule}: {}", self.name), project);
        run.branch.clone_from(&self.branch);
        let mut evidence = Evidence {
            files: Part::Recorded(case_files(&self.files)),
            worktree: part(self.worktree.as_deref().map(case_files)),
            commits: Part::Recorded(commits),
            status: part(self.status.clone()),
            pull_request: part(self.pull_request.clone()),
            steps: part(self.steps.as_ref().map(|steps| steps.iter().map(CaseStep::step).collect())),
            probe: part(self.probe.clone()),
            evaluation: part(self.evaluation.clone()),
            tool_runs: part(self.tool_runs.clone()),
            ..Evidence::of_nothing(run)
        };
        for missing in &self.missing {
            evidence.forget(*missing);
        }
        evidence
    }
}

fn part<T>(given: Option<T>) -> Part<T> {
    given.map_or(Part::Missing(Absence::NotInThisRun), Part::Recorded)
}

fn case_files(files: &[CaseFileChange]) -> Vec<FileChange> {
    let mut files: Vec<FileChange> = files.iter().map(case_file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn case_commit(commit: &CaseCommit, number: u32) -> Commit {
    let person =
        Person { name: "A Contributor".to_owned(), email: "contributor@example.org".to_owned(), raw: None };
    Commit {
        id: format!("{number:040x}"),
        parents: (0..commit.parents).map(|parent| format!("{:040x}", 0xfff_0000 + parent)).collect(),
        author: Some(person.clone()),
        committer: Some(person),
        message: Message::new(commit.message.clone()),
        paths: commit.paths.clone(),
    }
}

fn case_file(file: &CaseFileChange) -> FileChange {
    let content = |text: Option<String>| text.map_or(Content::Absent, Content::Text);
    let head = file.head.as_ref().map(|head| head.repeat(file.repeat));
    let mut change = FileChange::new(file.path.clone(), content(file.base.clone()), content(head));
    change.old_path.clone_from(&file.old_path);
    change
}

/// Runs the cases of one rule.
pub fn run(project: &str, entry: &Entry, blunt: Blunt) -> RuleReport {
    let declaration = &entry.declaration;
    let mut report = RuleReport {
        rule: declaration.rule.to_owned(),
        file: entry.file.to_owned(),
        state: declaration.state,
        exemption: declaration.exemption,
        cases: Vec::new(),
        faults: Vec::new(),
        unread: Vec::new(),
    };
    let mut touched = ReadSet::default();
    let file: CaseFile = match toml::from_str(entry.cases) {
        Ok(file) => file,
        Err(error) => {
            report.faults.push(format!(
                "cases/{}.toml does not parse: {}",
                entry.file,
                error.to_string().trim_end()
            ));
            return report;
        }
    };
    if !SCHEMAS.contains(&file.schema) {
        report.faults.push(format!(
            "cases/{}.toml has schema {}; this runtime reads schema 1 and 2",
            entry.file, file.schema
        ));
    }
    if file.rule != declaration.rule {
        report
            .faults
            .push(format!("cases/{}.toml is for {}, not for {}", entry.file, file.rule, declaration.rule));
    }
    for case in &file.cases {
        let result = if case.unwritten || declaration.state == State::Unwritten {
            CaseResult::Unwritten
        } else {
            let trace = Tracer::default();
            let evidence = case.evidence(project, declaration.rule);
            let graded = entry.traced(&evidence, blunt, Some(&trace));
            touched = touched.union(trace.touched());
            let again = entry.grade(&evidence, blunt);
            if graded != again {
                let got = format!("{}; and asked again: {}", describe(&graded), describe(&again));
                CaseResult::Failed { got }
            } else if case.expect.is(&graded.outcome) {
                CaseResult::Passed
            } else {
                CaseResult::Failed { got: describe(&graded) }
            }
        };
        report.cases.push(CaseReport { name: case.name.clone(), expect: case.expect, result });
    }
    if declaration.state == State::Written {
        report.faults.extend(missing_types(&report));
        let unread = declaration.reads.iter().filter(|read| !touched.has(**read));
        report.unread = if blunt == Blunt::None { unread.copied().collect() } else { Vec::new() };
    }
    report
}

/// What grading a case came to, in words.
pub fn describe(graded: &crate::outcome::Graded) -> String {
    match &graded.outcome {
        Outcome::Satisfied => "satisfied".to_owned(),
        Outcome::Violated => {
            let reasons: Vec<&str> =
                graded.violations.iter().map(|violation| violation.reason.as_str()).collect();
            format!("violated: {}", reasons.join("; "))
        }
        Outcome::Inapplicable => "inapplicable".to_owned(),
        Outcome::Withheld { what, cause } => format!("withheld: {what} is {}", cause.as_str()),
        Outcome::Error { message, .. } => format!("error: {message}"),
    }
}

/// The types of case that a rule has to have and has not, by its exemption.
fn missing_types(report: &RuleReport) -> Vec<String> {
    let wanted: &[Expected] = match report.exemption {
        None => &[Expected::Satisfied, Expected::Violated, Expected::Inapplicable],
        Some(Exemption::HumanInTheLoop | Exemption::SelectsOnlyViolations) => {
            &[Expected::Violated, Expected::Inapplicable]
        }
        Some(Exemption::NotCarried) => &[Expected::Withheld, Expected::Inapplicable],
    };
    wanted
        .iter()
        .filter(|wanted| !report.cases.iter().any(|case| case.expect == **wanted))
        .map(|wanted| format!("there is no {} case", wanted.as_str()))
        .collect()
}

/// Fails the test of a crate, by name, where a rule is a stub or a case comes out wrong.
///
/// # Panics
/// With everything that is wrong.
pub fn assert_rule(project: &str, entries: &[Entry], rule: &str) {
    let report = entries
        .iter()
        .find(|entry| entry.declaration.rule == rule)
        .map(|entry| run(project, entry, Blunt::None));
    let message = match report {
        None => format!("{rule} is not in the registry"),
        Some(report) if report.passed() => return,
        Some(report) if report.state == State::Unwritten => format!("{rule} is not written yet"),
        Some(report) => {
            let failed = report.cases.iter().filter_map(|case| match &case.result {
                CaseResult::Passed => None,
                CaseResult::Failed { got } => {
                    Some(format!("case `{}`: expected {}, got {got}", case.name, case.expect.as_str()))
                }
                CaseResult::Unwritten => Some(format!("case `{}` is not written", case.name)),
            });
            failed.chain(report.faults.clone()).collect::<Vec<_>>().join("\n")
        }
    };
    #[expect(clippy::panic, reason = "this is how a test fails")]
    {
        panic!("{message}");
    }
}
