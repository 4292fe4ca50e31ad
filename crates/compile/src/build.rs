//! Building a crate of checkers, and asking its executable.

use crate::CompileError;
use crate::process::{Patience, Process};
use crate::render::crate_name;
use crate::sandbox::{Confinement, Launcher};
use crate::{purity, runtime, worker};
use polc_checker::Evidence;
use polc_checker::cases::RuleReport;
use polc_checker::executable::{CheckerDescription, Description};
use polc_checker::explain::Explanation;
use polc_checker::pack::Blunt;
use polc_records::Problem;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long a crate may take to describe itself.
const DESCRIPTION: Duration = Duration::from_secs(60);

/// How long a checker may take over the run that is explained.
const EXPLANATION: Duration = Duration::from_secs(60);

/// The executable of a crate of checkers.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    launcher: Launcher,
}

/// Builds the crate of a project, once its source is found to be pure.
///
/// # Errors
/// Where something in the crate is banned, the runtime is not found, cargo cannot be run, or the crate does
/// not build: with what the compiler said.
pub fn build(root: &Root, slug: &Slug) -> Result<Program, CompileError> {
    let crate_name = crate_name(slug);
    // In a fresh clone of a root the copy of the runtime is not there yet.
    runtime::locate(root)?;
    runtime::seed_lock(root)?;
    purity::check(root, slug)?;
    let launcher = Launcher::this_program()?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| Problem::io(path, "find", &error));
    let target = absolute(&root.build())?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // What cargo reads of its own files it reads from here upward: the purity check has read them too.
    command
        .current_dir(root.folder())
        .args(["build", "--quiet", "--color=never", "--package", &crate_name, "--manifest-path"])
        .arg(absolute(&root.generated().join("Cargo.toml"))?)
        .arg("--target-dir")
        .arg(&target);
    // Set while polc itself runs under cargo: they speak of its own package.
    for variable in
        ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"]
    {
        command.env_remove(variable);
    }
    let output = command.stdin(Stdio::null()).output().map_err(CompileError::NoCargo)?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(CompileError::Build { crate_name, output });
    }
    let name = format!("{crate_name}{}", std::env::consts::EXE_SUFFIX);
    Ok(Program { path: target.join("debug").join(name), launcher })
}

impl Program {
    /// An executable that was built already.
    pub fn new(path: PathBuf, launcher: Launcher) -> Self {
        Program { path, launcher }
    }

    /// What is kept from it while it runs.
    pub const fn confinement(&self) -> Confinement {
        self.launcher.confinement()
    }

    /// What the crate says of itself.
    ///
    /// # Errors
    /// Where the executable cannot be run or prints something else.
    pub fn describe(&self) -> Result<Description, CompileError> {
        let patience = Patience::Each(DESCRIPTION);
        let mut process = Process::start(self, &["describe"], None, patience)
            .map_err(|error| self.fault(error.to_string()))?;
        match process.answer(patience) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| self.fault(format!("it described itself as `{text}`: {error}"))),
            Err((_, what)) => Err(self.fault(process.end(&what))),
        }
    }

    /// Runs the cases of every rule.
    ///
    /// # Errors
    /// As [`Program::describe`].
    pub fn cases(&self, blunt: Blunt) -> Result<Vec<RuleReport>, CompileError> {
        worker::cases(self, &self.describe()?.checkers, blunt)
    }

    /// One rule on one run, with all that its outcome rests on.
    ///
    /// # Errors
    /// As [`Program::describe`]; also where the checker takes its process with it.
    pub fn explain(&self, rule: &str, evidence: &Evidence) -> Result<Explanation, CompileError> {
        let fault = |error: std::io::Error| self.fault(error.to_string());
        let checkers = self.describe()?.checkers;
        let checker: Vec<_> = checkers.into_iter().filter(|checker| checker.rule == rule).collect();
        let mut question = serde_json::to_vec(evidence).map_err(|error| fault(error.into()))?;
        question.push(b'\n');
        let patience = Patience::Each(EXPLANATION);
        let mut process = Process::start(self, &["explain", rule], None, patience).map_err(fault)?;
        let is_answer = |_: &CheckerDescription, told: &Explanation| {
            told.row.rule == rule && told.row.run == evidence.run.id
        };
        let mut answers = Vec::new();
        let asked = process.ask(&question, &checker, patience, &is_answer, &mut answers);
        match (asked, answers.pop()) {
            (Ok(()), Some(explanation)) => Ok(explanation),
            (Ok(()), None) => Err(self.fault(format!("there is no checker for `{rule}`"))),
            (Err(loss), _) => Err(self.fault(process.end(&loss.what))),
        }
    }

    /// Starts the executable, with pipes on all three sides and nothing of our environment.
    pub(crate) fn start(&self, arguments: &[&str], seconds: u64) -> std::io::Result<Child> {
        self.launcher
            .command(&self.path, seconds)
            .args(arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    pub(crate) fn fault(&self, message: String) -> CompileError {
        CompileError::Run {
            program: self.path.display().to_string(),
            message,
            help: "run `polc compile` again, so that crate and runtime are of one version",
        }
    }
}
