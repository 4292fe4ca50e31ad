//! What an executable of checkers may do while it runs: read what it is handed, and answer.
//!
//! polc starts itself as a launcher. The launcher lays limits on its own process, gives up the right to open files
//! (Landlock) and to make any call to the kernel that an executable does not need to compute (seccomp), and becomes
//! the executable: none of it can be taken back. Elsewhere than on Linux there is no launcher, and checkers
//! are held by the purity check alone.
//!
//! It is the second wall: what is refused before a crate is built never comes here.

#[cfg(target_os = "linux")]
mod linux;

use crate::CompileError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The memory of a process of checkers, in bytes.
pub const MEMORY: u64 = 2 << 30;

/// Its stack, in bytes.
pub const STACK: u64 = 8 << 20;

/// What this kernel keeps from a process of checkers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The files that it does not need to start.
    pub files: bool,
    /// Processes, sockets, signals, and what else it has to ask the kernel for.
    pub calls: bool,
}

impl Confinement {
    /// What has to be said where not everything is kept from it.
    pub const fn warning(self) -> Option<&'static str> {
        match (self.files, self.calls) {
            (true, true) => None,
            (false, true) => Some(
                "this kernel has no Landlock: that checkers read no files rests on the purity check of their source alone",
            ),
            (true, false) => Some(
                "this kernel has no seccomp: that checkers start no processes and open no sockets rests on the purity \
                 check of their source alone",
            ),
            (false, false) => Some(
                "there is no sandbox on this system: what checkers may do rests on the purity check of their source alone",
            ),
        }
    }
}

/// The word that a launcher is started with.
const CONFINE: &str = "confine";

/// The program that starts executables of checkers.
#[derive(Debug, Clone)]
pub struct Launcher {
    path: Option<PathBuf>,
    confinement: Confinement,
}

impl Launcher {
    /// The program that calls, which has to pass what follows the word `confine` on to [`launch`].
    ///
    /// # Errors
    /// Where it cannot be run.
    pub fn this_program() -> Result<Launcher, CompileError> {
        if cfg!(target_os = "linux") {
            Launcher::at(std::env::current_exe().map_err(|error| fault(Path::new("polc"), &error))?)
        } else {
            Ok(Launcher { path: None, confinement: Confinement::default() })
        }
    }

    /// Another program that does.
    ///
    /// # Errors
    /// Where it cannot be run, or cannot say what this kernel keeps from it.
    pub fn at(path: PathBuf) -> Result<Launcher, CompileError> {
        let output = Command::new(&path).arg(CONFINE).output().map_err(|error| fault(&path, &error))?;
        let confinement = serde_json::from_slice(&output.stdout)
            .map_err(|error| fault(&path, &std::io::Error::other(format!("as a launcher: {error}"))))?;
        Ok(Launcher { path: Some(path), confinement })
    }

    /// What this kernel keeps from the executables that it starts.
    pub const fn confinement(&self) -> Confinement {
        self.confinement
    }

    /// The command that starts an executable: for at most so many seconds of computing.
    pub(crate) fn command(&self, program: &Path, seconds: u64) -> Command {
        match &self.path {
            None => Command::new(program),
            Some(launcher) => {
                let mut command = Command::new(launcher);
                command.arg(CONFINE).arg(seconds.to_string()).arg(program);
                command
            }
        }
    }
}

fn fault(path: &Path, error: &std::io::Error) -> CompileError {
    CompileError::Run {
        program: path.display().to_string(),
        message: error.to_string(),
        help: "install polc again",
    }
}

/// What a launcher does with the words that follow `confine`: seconds, an executable and its arguments. It confines this
/// process for good and becomes the executable, and does not come back. Without a word it confines this process, and
/// gives what the kernel keeps from it now.
///
/// # Errors
/// Where the words are others, a limit cannot be set, or the executable not be run.
#[cfg(target_os = "linux")]
pub fn launch(words: &[String]) -> Result<Confinement, CompileError> {
    use std::os::unix::process::CommandExt;
    let (seconds, program, arguments) = match words {
        [] => return linux::confine(None, 60).map_err(|error| fault(Path::new("polc"), &error)),
        [seconds, program, arguments @ ..] => (seconds, Path::new(program), arguments),
        [_] => return Err(unusable(words)),
    };
    let seconds = seconds.parse().map_err(|_| unusable(words))?;
    let fault = |error: std::io::Error| fault(program, &error);
    let program = program.canonicalize().map_err(fault)?;
    linux::die_with_parent().map_err(fault)?;
    linux::confine(Some(&program), seconds).map_err(fault)?;
    Err(fault(Command::new(&program).args(arguments).env_clear().exec()))
}

/// There is no launcher here, and nothing is kept from a process.
///
/// # Errors
/// Where there is a word.
#[cfg(not(target_os = "linux"))]
pub fn launch(words: &[String]) -> Result<Confinement, CompileError> {
    if words.is_empty() { Ok(Confinement::default()) } else { Err(unusable(words)) }
}

fn unusable(words: &[String]) -> CompileError {
    CompileError::Run {
        program: CONFINE.to_owned(),
        message: format!("`{}` is no number of seconds and an executable", words.join(" ")),
        help: "leave this command to polc, which starts itself with it",
    }
}

/// How a process ended, with the limit that this speaks of; `said` is what it wrote to standard error.
pub(crate) fn ending(status: std::process::ExitStatus, said: &str) -> String {
    match limit(status, said) {
        Some(limit) => format!("{limit}; {status}"),
        None => status.to_string(),
    }
}

#[cfg(unix)]
fn limit(status: std::process::ExitStatus, said: &str) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal()?;
    if said.contains("has overflowed its stack") {
        return Some(format!("the stack limit of {} MiB was reached", STACK >> 20));
    }
    if said.contains("memory allocation of") {
        return Some(format!("the memory limit of {} GiB was reached", MEMORY >> 30));
    }
    named(signal)
}

#[cfg(not(unix))]
fn limit(_status: std::process::ExitStatus, _said: &str) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn named(signal: i32) -> Option<String> {
    match signal {
        libc::SIGSEGV => Some(format!(
            "it reached for memory that is not its own, as behind the end of its stack of {} MiB",
            STACK >> 20
        )),
        libc::SIGSYS => Some("it asked the kernel for what the sandbox forbids".to_owned()),
        libc::SIGXCPU => Some("the limit of computing time was reached".to_owned()),
        libc::SIGXFSZ => Some("it wrote to a file".to_owned()),
        _ => None,
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn named(_signal: i32) -> Option<String> {
    None
}
