//! A crate of checkers at work: one process that grades run after run.
//!
//! A checker may loop for ever, or take its process with it. The rule that was being graded then has an error of its
//! own, and a process that begins after it grades the others.

use crate::CompileError;
use crate::build::Program;
use polc_checker::Outcome;
use polc_checker::evidence::Evidence;
use polc_checker::executable::{Description, OutcomeRow};
use polc_checker::outcome::Fault;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a process may be lost over one run, before the rest of its rules are given up.
const MOST_LOSSES: usize = 3;

/// How many bytes are kept of what a process said before it died.
const MOST_SAID: u64 = 2048;

/// Grades runs, one after the other, in a process of its own.
#[derive(Debug)]
pub struct Worker<'p> {
    program: &'p Program,
    description: &'p Description,
    limit: Duration,
    process: Option<Process>,
}

impl<'p> Worker<'p> {
    /// A worker that gives each process this long for one run. Nothing is started yet.
    pub fn new(program: &'p Program, description: &'p Description, limit: Duration) -> Self {
        Worker { program, description, limit, process: None }
    }

    /// Every rule of the crate on one run, in the order of the rules.
    ///
    /// # Errors
    /// Where no process can be started at all.
    pub fn grade(&mut self, evidence: &Evidence) -> Result<Vec<OutcomeRow>, CompileError> {
        let fault = |error: std::io::Error| self.program.fault(error.to_string());
        let mut line = serde_json::to_vec(evidence).map_err(|error| fault(error.into()))?;
        line.push(b'\n');
        let checkers = &self.description.checkers;
        let mut rows: Vec<OutcomeRow> = Vec::with_capacity(checkers.len());
        let mut losses = 0;
        while let Some(missing) = checkers.get(rows.len()..).filter(|missing| !missing.is_empty()) {
            let kept = if rows.is_empty() { self.process.take() } else { None };
            let started = kept.map_or_else(|| Process::start(self.program, rows.last()), Ok);
            let mut process = started.map_err(fault)?;
            let whole = rows.is_empty();
            match process.grade(&line, missing.len(), self.limit, &mut rows) {
                Ok(()) if whole => self.process = Some(process),
                Ok(()) => {}
                Err((kind, what)) => {
                    losses += 1;
                    let what = process.end(&what);
                    let lost = checkers.get(rows.len()..).unwrap_or_default();
                    let given_up = if losses < MOST_LOSSES { 1 } else { lost.len() };
                    rows.extend(lost.iter().take(given_up).map(|checker| {
                        let outcome = Outcome::Error { kind, message: what.clone() };
                        OutcomeRow::fault(self.description, checker, &evidence.run.id, outcome)
                    }));
                }
            }
        }
        Ok(rows)
    }
}

/// The process of a worker.
#[derive(Debug)]
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    said: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts one: for all rules, or for those after the one that was graded last.
    fn start(program: &Program, after: Option<&OutcomeRow>) -> std::io::Result<Process> {
        let mut child = match after {
            None => program.start(&["grade"]),
            Some(row) => program.start(&["grade", "--after", &row.rule]),
        }?;
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let said = child.stderr.take().map(|stderr| std::thread::spawn(move || first_words(stderr)));
        Ok(Process { child, input, output, said })
    }

    /// Hands a run over and takes this many rows. Gives what went wrong, after the rows that came before.
    fn grade(
        &mut self,
        line: &[u8],
        wanted: usize,
        limit: Duration,
        rows: &mut Vec<OutcomeRow>,
    ) -> Result<(), (Fault, String)> {
        let Process { child, input, output, .. } = self;
        let (Some(input), Some(output)) = (input, output) else {
            return Err((Fault::Died, "it has no pipes".to_owned()));
        };
        let (done, waiting) = channel::<()>();
        let (told, late) = std::thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let late = waiting.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
                // Where it cannot be killed it is dead already.
                let _killed = if late { child.kill() } else { Ok(()) };
                late
            });
            let told = converse(input, output, line, wanted, rows);
            drop(done);
            (told, watch.join().unwrap_or(false))
        });
        told.map_err(|what| match late {
            true => (Fault::TimedOut, format!("it did not come to an end within {} s", limit.as_secs_f64())),
            false => (Fault::Died, what),
        })
    }

    /// Ends it, and says how it ended.
    fn end(mut self, what: &str) -> String {
        drop(self.input.take());
        let _killed = self.child.kill();
        let ended = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        let said = said.trim();
        if said.is_empty() { format!("{what} ({ended})") } else { format!("{what} ({ended}): {said}") }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// The process reads a run whole before it prints a row of it: neither side waits for the other.
fn converse(
    input: &mut ChildStdin,
    output: &mut BufReader<ChildStdout>,
    line: &[u8],
    wanted: usize,
    rows: &mut Vec<OutcomeRow>,
) -> Result<(), String> {
    let ended = |_: std::io::Error| "its process ended".to_owned();
    input.write_all(line).and_then(|()| input.flush()).map_err(ended)?;
    let mut text = String::new();
    for _ in 0..wanted {
        text.clear();
        if output.read_line(&mut text).map_err(ended)? == 0 {
            return Err("its process ended".to_owned());
        }
        let row = serde_json::from_str(&text)
            .map_err(|error| format!("its process printed `{}`: {error}", text.trim_end()))?;
        rows.push(row);
    }
    Ok(())
}

/// The first words of a stream, which is read to its end.
fn first_words(mut stream: ChildStderr) -> String {
    let mut kept = Vec::new();
    // A stream that breaks has said all it will.
    let _read = stream.by_ref().take(MOST_SAID).read_to_end(&mut kept);
    let _rest = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}
