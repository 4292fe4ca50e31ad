//! A process of an executable of checkers, and what it says.

use crate::build::Program;
use crate::sandbox::ending;
use polc_checker::executable::CheckerDescription;
use polc_checker::outcome::Fault;
use serde::de::DeserializeOwned;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many bytes are kept of what a process said before it died.
const MOST_SAID: u64 = 2048;

/// How many bytes one answer may have.
const MOST_ANSWER: u64 = 64 << 20;

/// How many characters are told of what is no answer.
const MOST_TOLD: usize = 200;

/// For how many questions that take all of their time a process may compute, before another one takes its place.
const QUESTIONS: u32 = 60;

/// How long a process may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    /// For all answers together.
    Whole(Duration),
    /// For each.
    Each(Duration),
}

impl Patience {
    fn limit(self) -> Duration {
        match self {
            Patience::Whole(limit) | Patience::Each(limit) => limit,
        }
    }

    /// The seconds that a process may compute: time enough never to end one that keeps to its limit.
    fn seconds(self) -> u64 {
        self.limit().saturating_mul(QUESTIONS).as_secs().max(1)
    }
}

/// What went wrong, after the answers that came before.
#[derive(Debug)]
pub(crate) struct Loss {
    pub(crate) kind: Fault,
    pub(crate) what: String,
    /// Whether the question had been read, and a checker was at work.
    pub(crate) begun: bool,
}

/// The process.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    said: Option<JoinHandle<String>>,
    /// What its answers begin with. Checkers are not told, so that what one prints is none.
    seal: String,
    busy: Duration,
}

impl Process {
    /// Starts one: for all rules, or for those after a rule.
    pub(crate) fn start(
        program: &Program,
        words: &[&str],
        after: Option<&str>,
        patience: Patience,
    ) -> std::io::Result<Process> {
        let mut words = words.to_vec();
        words.extend(after.into_iter().flat_map(|rule| ["--after", rule]));
        words.push("--sealed");
        let mut child = program.start(&words, patience.seconds())?;
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let said = child.stderr.take().map(|stderr| std::thread::spawn(move || first_words(stderr)));
        let mut process = Process { child, input, output, said, seal: seal(), busy: Duration::ZERO };
        if let Some(input) = &mut process.input {
            // One that has ended already is found out by what it does not answer.
            let _written = writeln!(input, "{}", process.seal);
        }
        Ok(process)
    }

    /// Whether it has computed so little that one more question cannot reach the limit of all together.
    pub(crate) fn has_time_for(&self, patience: Patience) -> bool {
        self.busy.saturating_add(patience.limit()) < Duration::from_secs(patience.seconds())
    }

    /// Puts a question and takes the answers of these checkers, in their order.
    pub(crate) fn ask<T: DeserializeOwned>(
        &mut self,
        question: &[u8],
        checkers: &[CheckerDescription],
        patience: Patience,
        is_answer: &dyn Fn(&CheckerDescription, &T) -> bool,
        answers: &mut Vec<T>,
    ) -> Result<(), Loss> {
        let mut begun = false;
        let told = self.within(patience, |talk| {
            talk.say(question)?;
            if talk.sealed()?.is_some() {
                return Err("it answered before it was asked".to_owned());
            }
            begun = true;
            for checker in checkers {
                let text = talk.sealed()?.ok_or("it began twice")?;
                let answer: T = serde_json::from_str(&text)
                    .map_err(|error| format!("it answered `{}`: {error}", told(&text)))?;
                if !is_answer(checker, &answer) {
                    return Err(format!("it answered for another rule or run: `{}`", told(&text)));
                }
                answers.push(answer);
            }
            Ok(())
        });
        told.map_err(|(kind, what)| Loss { kind, what, begun })
    }

    /// The one answer to a question that is put to the crate as a whole.
    pub(crate) fn answer(&mut self, patience: Patience) -> Result<String, (Fault, String)> {
        self.within(patience, |talk| talk.sealed()?.ok_or_else(|| "it did not answer".to_owned()))
    }

    fn within<R>(
        &mut self,
        patience: Patience,
        conversation: impl FnOnce(&mut Talk<'_>) -> Result<R, String>,
    ) -> Result<R, (Fault, String)> {
        let Process { child, input, output, seal, busy, .. } = self;
        let (Some(input), Some(output)) = (input, output) else {
            return Err((Fault::Died, "it has no pipes".to_owned()));
        };
        let started = Instant::now();
        let limit = patience.limit();
        let (progress, waiting) = channel::<()>();
        let (told, late) = std::thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let mut began = Instant::now();
                loop {
                    match waiting.recv_timeout(limit.saturating_sub(began.elapsed())) {
                        Ok(()) if matches!(patience, Patience::Each(_)) => began = Instant::now(),
                        Ok(()) => {}
                        Err(RecvTimeoutError::Disconnected) => return false,
                        Err(RecvTimeoutError::Timeout) => {
                            // Where it cannot be killed it is dead already.
                            let _killed = child.kill();
                            return true;
                        }
                    }
                }
            });
            let mut talk = Talk { input, output, seal, progress };
            let told = conversation(&mut talk);
            drop(talk);
            (told, watch.join().unwrap_or(false))
        });
        *busy += started.elapsed();
        told.map_err(|what| match late {
            true => (Fault::TimedOut, format!("it did not come to an end within {} s", limit.as_secs_f64())),
            false => (Fault::Died, what),
        })
    }

    /// Ends it, and says how it ended.
    pub(crate) fn end(mut self, what: &str) -> String {
        drop(self.input.take());
        drop(self.output.take());
        let _killed = self.child.kill();
        let ended = self.child.wait();
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        let said = said.trim();
        let ended = ended.map_or_else(|error| error.to_string(), |status| ending(status, said));
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

/// Both ends of a conversation. A process reads a question whole before it answers: neither side waits for the other.
struct Talk<'t> {
    input: &'t mut ChildStdin,
    output: &'t mut BufReader<ChildStdout>,
    seal: &'t str,
    progress: Sender<()>,
}

impl Talk<'_> {
    fn say(&mut self, text: &[u8]) -> Result<(), String> {
        self.input.write_all(text).and_then(|()| self.input.flush()).map_err(ended)
    }

    /// The next line without its seal; none where that is all of it.
    fn sealed(&mut self) -> Result<Option<String>, String> {
        let mut line = Vec::new();
        self.output.by_ref().take(MOST_ANSWER).read_until(b'\n', &mut line).map_err(ended)?;
        let text = match line.pop() {
            None => return Err("its process ended".to_owned()),
            Some(b'\n') => String::from_utf8_lossy(&line),
            Some(_) if line.len() as u64 + 1 >= MOST_ANSWER => {
                return Err(format!("the limit of {} MiB for one answer was reached", MOST_ANSWER >> 20));
            }
            Some(_) => return Err("its process ended within an answer".to_owned()),
        };
        // The other side of the channel is gone where the time has run out.
        let _told = self.progress.send(());
        match text.strip_prefix(self.seal) {
            Some("") => Ok(None),
            Some(answer) => Ok(Some(answer.trim_start().to_owned())),
            None => Err(format!("it printed `{}`", told(&text))),
        }
    }
}

fn ended(_: std::io::Error) -> String {
    "its process ended".to_owned()
}

fn told(text: &str) -> String {
    text.chars().take(MOST_TOLD).collect()
}

/// A word that nobody else knows.
fn seal() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// The first words of a stream, which is read to its end.
fn first_words(mut stream: ChildStderr) -> String {
    let mut kept = Vec::new();
    // A stream that breaks has said all it will.
    let _read = stream.by_ref().take(MOST_SAID).read_to_end(&mut kept);
    let _rest = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}
