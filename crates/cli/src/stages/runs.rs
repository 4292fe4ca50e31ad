//! The runs that a command names: folders, files, lines of evidence.

use super::pulls::Pulls;
use polc_checker::Evidence;
use polc_evidence::packed::{EvidenceFile, Line, Lines, evidence};
use polc_evidence::run::{Options, Place, RunError, find_runs, read_run};
use polc_evidence::store::Store;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where lines come from that stand in no file.
const STANDARD_INPUT: &str = "-";

/// Why an address is not asked.
const SECRET: &str = "the address holds a name or a password, which would end up in files; leave them out";

/// A run of a list.
#[derive(Debug)]
pub(crate) struct Listed {
    /// Its number, from 1.
    pub(crate) ordinal: u64,
    /// Where it is.
    pub(crate) source: String,
    found: Found,
}

#[derive(Debug)]
enum Found {
    /// As a scaffold wrote it.
    Stored(Place),
    /// As evidence, with the texts that are not in the line.
    Line(Vec<u8>, Option<Arc<Store>>),
    /// As a pull request, which was read when it was listed: GitHub wants to be asked one thing at a time.
    Pull(Box<ReadRun>),
    /// Not at all.
    Lost(String),
}

/// A run that was read, and what has to be said of it.
pub(crate) type ReadRun = (Evidence, Vec<String>);

impl Listed {
    /// Reads the run.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(crate) fn read(self, options: &Options) -> Result<ReadRun, String> {
        match self.found {
            Found::Stored(place) => {
                // What a run says of its project goes before the project whose rules it is graded by.
                let silent = Options { project: None, ..options.clone() };
                let read = match read_run(&place, &silent) {
                    Err(RunError::NoProject { .. }) if options.project.is_some() => read_run(&place, options),
                    read => read,
                };
                let read = read.map_err(|error| error.to_string())?;
                Ok((read.evidence, read.remarks.iter().map(ToString::to_string).collect()))
            }
            Found::Line(text, store) => Ok((evidence(&text, store.as_deref())?, Vec::new())),
            Found::Pull(read) => Ok(*read),
            Found::Lost(why) => Err(why),
        }
    }
}

/// Lists the runs at and below paths, in order, one at a time: until there are no more, or `take` wants no more. What
/// cannot be listed is a run that cannot be read.
pub(crate) fn list(
    paths: &[PathBuf],
    options: &Options,
    pulls: Option<Pulls<'_>>,
    mut take: impl FnMut(Listed) -> bool,
) {
    let mut ordinal = 0;
    let mut list = |source: String, found: Found| {
        ordinal += 1;
        take(Listed { ordinal, source, found })
    };
    for path in paths {
        let more = if path == Path::new(STANDARD_INPUT) {
            lines(STANDARD_INPUT, Lines::of(std::io::stdin().lock()), None, &mut list).is_some()
        } else if let Some(address) = path.to_str().filter(|path| Pulls::is_address(path)) {
            let (shown, was_secret) = Pulls::shown(address);
            list(shown, if was_secret { Found::Lost(SECRET.to_owned()) } else { pull(address, pulls) })
        } else {
            one(path, options, &mut list)
        };
        if !more {
            return;
        }
    }
}

fn pull(address: &str, pulls: Option<Pulls<'_>>) -> Found {
    let Some(pulls) = pulls else {
        return Found::Lost("a pull request is read for a project: name it with `polc grade`".to_owned());
    };
    match pulls.read(address) {
        Ok(read) => Found::Pull(Box::new(read)),
        Err(error) => Found::Lost(error.to_string()),
    }
}

fn one(path: &Path, options: &Options, list: &mut impl FnMut(String, Found) -> bool) -> bool {
    let shown = path.display().to_string();
    // Whoever names a format says that it is no evidence.
    let file = if options.adapter.is_some() { Ok(None) } else { EvidenceFile::at(path) };
    let opened = file.and_then(|file| file.map(|file| Ok((file.lines()?, file))).transpose());
    match opened {
        Err(problem) => list(shown, Found::Lost(problem.to_string())),
        Ok(Some((found, file))) => {
            let shown = file.path().display().to_string();
            let store = file.store().cloned().map(Arc::new);
            let Some(runs) = lines(&shown, found, store.as_ref(), list) else { return false };
            match file.runs().filter(|packed| *packed != runs) {
                Some(packed) => list(
                    shown,
                    Found::Lost(format!("{packed} runs were packed, and {runs} are here: pack them again")),
                ),
                None => true,
            }
        }
        Ok(None) => match find_runs(&[path]) {
            Ok(places) => places.into_iter().all(|place| list(place.to_string(), Found::Stored(place))),
            Err(error) => list(shown, Found::Lost(error.to_string())),
        },
    }
}

/// Gives how many runs there were, or nothing where no more are wanted.
fn lines<R: BufRead>(
    shown: &str,
    lines: Lines<R>,
    store: Option<&Arc<Store>>,
    list: &mut impl FnMut(String, Found) -> bool,
) -> Option<u64> {
    let mut runs = 0;
    for line in lines {
        runs += 1;
        let more = match line {
            Ok(Line { number, text }) => list(format!("{shown}:{number}"), Found::Line(text, store.cloned())),
            // A stream that broke gives nothing more.
            Err(error) => return list(shown.to_owned(), Found::Lost(error.to_string())).then_some(runs),
        };
        if !more {
            return None;
        }
    }
    Some(runs)
}
