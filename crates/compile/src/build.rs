//! Building a crate of checkers, and asking its executable.

use crate::CompileError;
use crate::render::crate_name;
use crate::runtime;
use polc_checker::Evidence;
use polc_checker::cases::RuleReport;
use polc_checker::executable::Description;
use polc_checker::explain::Explanation;
use polc_checker::pack::Blunt;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The executable of a crate of checkers.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) path: PathBuf,
}

/// Builds the crate of a project.
///
/// # Errors
/// Where the runtime is not found, cargo cannot be run, or the crate does not build: with what the
/// compiler said.
pub fn build(root: &Root, slug: &Slug) -> Result<Program, CompileError> {
    let crate_name = crate_name(slug);
    // In a fresh clone of a root the copy of the runtime is not there yet.
    runtime::locate(root)?;
    runtime::seed_lock(root)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--quiet", "--color=never", "--package", &crate_name, "--manifest-path"])
        .arg(root.generated().join("Cargo.toml"))
        .arg("--target-dir")
        .arg(root.build());
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
    Ok(Program { path: root.build().join("debug").join(name) })
}

impl Program {
    /// What the crate says of itself.
    ///
    /// # Errors
    /// Where the executable cannot be run or prints something else.
    pub fn describe(&self) -> Result<Description, CompileError> {
        let mut lines = self.ask(&["describe"], b"")?;
        match (lines.pop(), lines.is_empty()) {
            (Some(description), true) => Ok(description),
            _ => Err(self.fault("it did not describe itself".to_owned())),
        }
    }

    /// Runs the cases of every rule.
    ///
    /// # Errors
    /// As [`Program::describe`].
    pub fn cases(&self, blunt: Blunt) -> Result<Vec<RuleReport>, CompileError> {
        match blunt {
            Blunt::None => self.ask(&["cases"], b""),
            Blunt::Satisfied => self.ask(&["cases", "--blunt", "satisfied"], b""),
            Blunt::Violated => self.ask(&["cases", "--blunt", "violated"], b""),
            Blunt::Nothing => self.ask(&["cases", "--blunt", "nothing"], b""),
        }
    }

    /// One rule on one run, with all that its outcome rests on.
    ///
    /// # Errors
    /// As [`Program::describe`]; also where the checker takes its process with it.
    pub fn explain(&self, rule: &str, evidence: &Evidence) -> Result<Explanation, CompileError> {
        let input = serde_json::to_vec(evidence).map_err(|error| self.fault(error.to_string()))?;
        let mut lines = self.ask(&["explain", rule], &input)?;
        match (lines.pop(), lines.is_empty()) {
            (Some(explanation), true) => Ok(explanation),
            _ => Err(self.fault("it did not explain the one run".to_owned())),
        }
    }

    /// Starts the executable, with pipes on all three sides and nothing of our environment.
    pub(crate) fn start(&self, arguments: &[&str]) -> std::io::Result<Child> {
        Command::new(&self.path)
            .args(arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    fn ask<T: DeserializeOwned>(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<T>, CompileError> {
        let fault = |error: std::io::Error| self.fault(error.to_string());
        let mut child = self.start(arguments).map_err(fault)?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Written beside reading: neither side waits for the other.
            let writer = scope.spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input)));
            let output = child.wait_with_output();
            // A program that died left its input unread; how it died is told below.
            let _written = writer.join();
            output
        })
        .map_err(fault)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            return Err(self.fault(format!("{}: {said}", output.status)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines()
            .map(|line| {
                serde_json::from_str(line)
                    .map_err(|error| self.fault(format!("it printed `{line}`: {error}")))
            })
            .collect()
    }

    pub(crate) fn fault(&self, message: String) -> CompileError {
        CompileError::Run {
            program: self.path.display().to_string(),
            message,
            help: "run `polc compile` again, so that crate and runtime are of one version",
        }
    }
}
