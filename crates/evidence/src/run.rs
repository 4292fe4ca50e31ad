//! A stored run as evidence: what its scaffold wrote, put together with what stands beside it.

mod beside;
mod contribution;
mod find;
mod identity;
mod outside;
mod remark;
mod request;
mod scraped;

pub use find::{Place, find_runs};
pub use remark::Remark;

use crate::adapter::Adapter;
use crate::openhands;
use crate::sample::Sample;
use crate::sections::{Sections, values};
use crate::transcript::{Transcript, TranscriptError};
use beside::Beside;
use contribution::Patches;
use find::Contents;
use identity::Layout;
use polc_checker::evidence::{Absence, Evidence, Part, Setting};
use polc_records::digest::Digest;
use std::path::{Path, PathBuf};

/// What the caller knows of runs, which goes before what they say themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The format. Without one, the folders above a run name it, or else its own text shows it.
    pub adapter: Option<Adapter>,
    /// The project's slug. Without one, it is read from the name of the task.
    pub project: Option<String>,
    /// The task.
    pub instance: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// How the project's rules reached the agent.
    pub setting: Option<Setting>,
    /// Which attempt at the task it is.
    pub attempt: Option<u32>,
    /// A local clone of the project, from which the texts of files are taken.
    pub clone: Option<PathBuf>,
}

/// A run that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRead {
    /// What a checker may look at.
    pub evidence: Evidence,
    /// What has to be said of it: what is odd, what is not there and why.
    pub remarks: Vec<Remark>,
}

/// Why a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file or a folder.
    #[error("{}: cannot read it: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file that is no text.
    #[error("{}: this is not UTF-8, from byte {valid}", path.display())]
    NotText {
        /// Which.
        path: PathBuf,
        /// How many bytes are.
        valid: usize,
    },
    /// Nothing below a path is a run.
    #[error("{}: there is no run here\nhelp: name a file that a scaffold wrote, or a folder that holds a `trajectory.json`", path.display())]
    NoRun {
        /// Which.
        path: PathBuf,
    },
    /// The folders above a run name a scaffold that nothing reads.
    #[error("{}: the layout says that `{scaffold}` wrote it, and no adapter has that name; there are {}\nhelp: name one with --adapter", path.display(), adapters())]
    UnknownScaffold {
        /// Which file.
        path: PathBuf,
        /// What the layout says.
        scaffold: String,
    },
    /// No format is recognised.
    #[error("{}: this has none of the formats {}; found: {}\nhelp: name one with --adapter", path.display(), adapters(), keys(found))]
    NotRecognised {
        /// Which file.
        path: PathBuf,
        /// The keys in it.
        found: Vec<String>,
    },
    /// It is not what the adapter reads.
    #[error("{} as {adapter}: {error}\nhelp: {}", path.display(), another(*looks_like))]
    Transcript {
        /// Which file.
        path: PathBuf,
        /// What was to read it.
        adapter: Adapter,
        /// What is wrong.
        error: TranscriptError,
        /// What would read it.
        looks_like: Option<Adapter>,
    },
    /// There is text in it, and no step of an agent.
    #[error("{} as {adapter}: no step of an agent is in it; found: {}\nhelp: {}", path.display(), keys(found), another(*looks_like))]
    NoSteps {
        /// Which file.
        path: PathBuf,
        /// What was to read it.
        adapter: Adapter,
        /// The keys in it.
        found: Vec<String>,
        /// What would read it.
        looks_like: Option<Adapter>,
    },
    /// Nothing says of which project it is.
    #[error("{}: nothing says of which project it is: {}\nhelp: name the project", path.display(), instance.as_ref().map_or_else(|| "no task is named".to_owned(), |it| format!("`{it}` is no name of a task like `project__project-12`")))]
    NoProject {
        /// Which file.
        path: PathBuf,
        /// The task, where it is named.
        instance: Option<String>,
    },
}

fn adapters() -> String {
    Adapter::ALL.map(Adapter::as_str).join(", ")
}

fn keys(found: &[String]) -> String {
    if found.is_empty() { "no keys".to_owned() } else { found.join(", ") }
}

fn another(looks_like: Option<Adapter>) -> String {
    match looks_like {
        Some(adapter) => format!("it looks like {adapter}: name that with --adapter"),
        None => "name the format that it has with --adapter".to_owned(),
    }
}

/// Reads one run: a file, a record of a file of many, or a folder of events.
///
/// # Errors
/// Where a file cannot be read, is of another format than it should be, or has no step of an agent.
pub fn read_run(place: &Place, options: &Options) -> Result<RunRead, RunError> {
    let path = place.path();
    let layout = Layout::of(path);
    let beside = Beside::of(path)?;
    let (adapter, transcript, digest) = match place.contents()? {
        Contents::Text(text) => {
            let sample = Sample::of(&text);
            let adapter = adapter(path, layout.as_ref(), &sample, options)?;
            (adapter, transcript(path, adapter, &text, &sample)?, Digest::of(&text))
        }
        Contents::Events { state, events } => {
            let pairs: Vec<(&str, &str)> =
                events.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let adapter = Adapter::OpenHands;
            let read = openhands::read_folder(state.as_deref(), &pairs).map_err(|error| {
                RunError::Transcript { path: path.to_path_buf(), adapter, error, looks_like: None }
            })?;
            let all: String = pairs.iter().map(|(_, text)| *text).collect();
            (adapter, read, Digest::of(all))
        }
    };
    let mut remarks = Vec::new();
    let sections = sections(&transcript, &beside, &mut remarks);
    let sections = sections.as_ref();
    let probe = sections.and_then(|it| it.probe.as_deref()).or(beside.probe.as_deref()).map(values);
    let branch = sections.and_then(|it| it.branch.as_deref()).map(values);
    let identity = identity::Sources {
        path,
        options,
        transcript: &transcript,
        probe: probe.as_ref(),
        branch: branch.as_ref(),
        layout: layout.as_ref(),
        adapter,
    };
    let mut evidence = Evidence::of_nothing(identity.run(&digest, &mut remarks)?);
    let patches = Patches::of(&transcript, sections, &beside);
    if patches.committed.is_none() && patches.tree.is_none() {
        let was_cut_off = transcript.ending.as_deref() == Some("");
        remarks.push(if was_cut_off { Remark::CutOff } else { Remark::NoPatch });
    }
    contribution::files(&mut evidence, &patches, options.clone.as_deref(), &mut remarks);
    contribution::history(&mut evidence, &transcript.steps, sections, branch.as_ref(), &mut remarks);
    outside::reports(&mut evidence, &beside, &mut remarks);
    let request = request::pull_request(&transcript);
    evidence.pull_request = request.map_or(Part::Missing(Absence::NotInThisRun), Part::Recorded);
    evidence.probe = probe.map_or(Part::Missing(Absence::NotInThisRun), Part::Recorded);
    evidence.steps = Part::Recorded(transcript.steps);
    Ok(RunRead { evidence, remarks })
}

/// What the collect script printed: as it was handed in, or as it lies beside the run.
fn sections(transcript: &Transcript, beside: &Beside, remarks: &mut Vec<Remark>) -> Option<Sections> {
    let handed_in = transcript.submission.as_deref().and_then(Sections::of);
    match (handed_in, &beside.sections) {
        (Some(handed_in), Some(beside)) => {
            if handed_in != *beside {
                remarks.push(Remark::CollectedTwice);
            }
            Some(handed_in)
        }
        (handed_in, beside) => handed_in.or_else(|| beside.clone()),
    }
}

fn adapter(
    path: &Path,
    layout: Option<&Layout>,
    sample: &Sample,
    options: &Options,
) -> Result<Adapter, RunError> {
    if let Some(adapter) = options.adapter {
        return Ok(adapter);
    }
    if let Some(layout) = layout {
        return Adapter::named(&layout.scaffold).ok_or_else(|| RunError::UnknownScaffold {
            path: path.to_path_buf(),
            scaffold: layout.scaffold.clone(),
        });
    }
    Adapter::looking(sample)
        .ok_or_else(|| RunError::NotRecognised { path: path.to_path_buf(), found: sample.keys() })
}

/// Reads a text with an adapter. A run that seems to have no step is refused, unless it says how it
/// ended: an agent that did nothing and one that was not understood look alike.
fn transcript(path: &Path, adapter: Adapter, text: &str, sample: &Sample) -> Result<Transcript, RunError> {
    let looks_like = || Adapter::looking(sample).filter(|other| *other != adapter);
    let transcript = adapter.read(text).map_err(|error| RunError::Transcript {
        path: path.to_path_buf(),
        adapter,
        error,
        looks_like: looks_like(),
    })?;
    let says_how_it_ended = transcript.ending.as_deref().is_some_and(|ending| !ending.is_empty());
    if transcript.steps.is_empty() && !says_how_it_ended {
        let path = path.to_path_buf();
        return Err(RunError::NoSteps { path, adapter, found: sample.keys(), looks_like: looks_like() });
    }
    Ok(transcript)
}
