//! What the collect script prints at the end of a run: sections below lines like `===LOG===`.

use crate::range::person;
use polc_checker::evidence::{Commit, Probe, StatusEntry};
use polc_checker::message::Message;
use polc_checker::patch::quoted;
use std::collections::BTreeMap;

/// The sections, in the order in which they are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Probe,
    Branch,
    Log,
    Status,
    PatchCommitted,
    Patch,
}

impl Name {
    /// Without which a set is not complete. Older scripts print no committed patch, and a run may
    /// have no probe.
    const NEEDED: [Name; 4] = [Name::Branch, Name::Log, Name::Status, Name::Patch];

    fn of(name: &str) -> Option<Name> {
        match name {
            "PROBE" => Some(Name::Probe),
            "BRANCH" => Some(Name::Branch),
            "LOG" => Some(Name::Log),
            "STATUS" => Some(Name::Status),
            "PATCH_COMMITTED" => Some(Name::PatchCommitted),
            "PATCH" => Some(Name::Patch),
            _ => None,
        }
    }
}

/// The text of each section. None was not printed, an empty one was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// What was recorded of the environment.
    pub probe: Option<String>,
    /// Where the contribution starts and ends.
    pub branch: Option<String>,
    /// The commits.
    pub log: Option<String>,
    /// What git says of the tree.
    pub status: Option<String>,
    /// What was committed.
    pub patch_committed: Option<String>,
    /// All that was changed.
    pub patch: Option<String>,
}

/// A set of sections: where each text lies.
#[derive(Default)]
struct Set {
    texts: BTreeMap<Name, std::ops::Range<usize>>,
    last: Option<Name>,
}

impl Sections {
    /// The last complete set of sections in a text, or the last one where none is complete. None
    /// where there is no section at all. An agent that prints the script prints its markers too.
    pub fn of(text: &str) -> Option<Sections> {
        let mut sets: Vec<Set> = Vec::new();
        // The section that is open: none that is not known, so that its text goes to no other one.
        let mut open: Option<Name> = None;
        let mut from = 0;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let (start, end) = (at, at + line.len());
            at = end;
            // Behind the last marker comes the patch, whatever stands in it.
            let Some(marker) = marker(line) else { continue };
            let name = Name::of(marker);
            if name.is_none() && open == Some(Name::Patch) {
                continue;
            }
            if let (Some(open), Some(set)) = (open, sets.last_mut()) {
                set.texts.insert(open, from..start);
            }
            (open, from) = (name, end);
            if let Some(name) = name {
                if sets.last().is_none_or(|set| set.last >= Some(name)) {
                    sets.push(Set::default());
                }
                if let Some(set) = sets.last_mut() {
                    set.last = Some(name);
                }
            }
        }
        if let (Some(open), Some(set)) = (open, sets.last_mut()) {
            set.texts.insert(open, from..text.len());
        }
        let is_complete = |set: &&Set| Name::NEEDED.iter().all(|name| set.texts.contains_key(name));
        let set = sets.iter().rev().find(is_complete).or(sets.last())?;
        let section = |name| {
            let range: std::ops::Range<usize> = set.texts.get(&name)?.clone();
            // A carriage return at the end of a patch may be of a file that it changes.
            let ends: &[char] = if name >= Name::PatchCommitted { &['\n'] } else { &['\n', '\r'] };
            Some(text[range].trim_start_matches(['\n', '\r']).trim_end_matches(ends).to_owned())
        };
        Some(Sections {
            probe: section(Name::Probe),
            branch: section(Name::Branch),
            log: section(Name::Log),
            status: section(Name::Status),
            patch_committed: section(Name::PatchCommitted),
            patch: section(Name::Patch),
        })
    }
}

/// What a line marks, if it is nothing but a marker.
fn marker(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_prefix("===")?.strip_suffix("===")?;
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    (!name.is_empty() && name.bytes().all(fits)).then_some(name)
}

/// Reads `key=value` lines. A later one wins, an empty value is one, `#` begins a comment.
pub fn values(text: &str) -> Probe {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    Probe(pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect())
}

/// A line that a section should not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the section {section}: expected {expected}, found `{found}`")]
pub struct SectionError {
    /// The section.
    pub section: &'static str,
    /// The line in it, from 1.
    pub line: usize,
    /// What should be there.
    pub expected: &'static str,
    /// What is there.
    pub found: String,
}

impl SectionError {
    fn new(section: &'static str, line: usize, expected: &'static str, found: &str) -> Self {
        SectionError { section, line, expected, found: found.chars().take(80).collect() }
    }
}

/// Reads what `git status --porcelain` printed.
///
/// # Errors
/// At the first line that is none of it.
pub fn status(text: &str) -> Result<Vec<StatusEntry>, SectionError> {
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1_usize..) {
        if line.trim().is_empty() || line.starts_with("## ") {
            continue;
        }
        let error = || SectionError::new("STATUS", number, "two letters, a blank and a path", line);
        let (code, path) = line.split_at_checked(2).ok_or_else(error)?;
        let mut rest = path.strip_prefix(' ').ok_or_else(error)?;
        let moved = code.contains(['R', 'C']);
        let mut names = Vec::new();
        loop {
            let (name, after) = if rest.starts_with('"') {
                quoted(rest).ok_or_else(error)?
            } else {
                // A name with blanks is in quotation marks.
                let end = rest.find(" -> ").filter(|_| moved).unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            };
            names.push(name);
            match after.strip_prefix(" -> ") {
                Some(more) if moved && names.len() == 1 => rest = more,
                None if after.is_empty() => break,
                Some(_) | None => return Err(error()),
            }
        }
        let path = names.pop().filter(|path| !path.is_empty()).ok_or_else(error)?;
        entries.push(StatusEntry { code: code.to_owned(), path, old_path: names.pop() });
    }
    Ok(entries)
}

/// Reads what `git log --pretty=raw --stat` printed, and gives the commits oldest first.
///
/// # Errors
/// At the first line that is none of it.
pub fn log(text: &str) -> Result<Vec<Commit>, SectionError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut commits = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(id) = lines[at].strip_prefix("commit ") else {
            return Err(SectionError::new("LOG", at + 1, "`commit` and its id", lines[at]));
        };
        let length = lines[at + 1..].iter().take_while(|line| !line.starts_with("commit ")).count();
        commits.push(commit(id, &lines[at + 1..at + 1 + length], at + 2)?);
        at += 1 + length;
    }
    commits.reverse();
    // Without any list of files, none was printed; with one, a commit that has none changes nothing.
    if commits.iter().all(|commit: &Commit| commit.paths.as_ref().is_none_or(Vec::is_empty)) {
        for commit in &mut commits {
            commit.paths = None;
        }
    }
    Ok(commits)
}

/// Reads one commit: fields, a blank line, the message indented by four, a list of files.
fn commit(id: &str, lines: &[&str], first: usize) -> Result<Commit, SectionError> {
    // A signature has lines of one blank.
    let fields = lines.iter().take_while(|line| !line.is_empty()).count();
    let field = |name: &'static str| {
        let lines = lines[..fields].iter();
        lines.filter_map(move |line| line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')))
    };
    let who = |name: &'static str, expected: &'static str| {
        let found = || SectionError::new("LOG", first, expected, lines.first().unwrap_or(&""));
        let line = field(name).next().ok_or_else(found)?;
        Ok(person(polc_git::Person::parse(line.as_bytes())))
    };
    let author = who("author", "the fields of a commit with its `author`")?;
    let committer = who("committer", "the fields of a commit with its `committer`")?;
    let parents: Vec<String> = field("parent").map(str::to_owned).collect();
    let body = &lines[fields..];
    let end = body.iter().position(|line| !line.trim().is_empty() && !line.starts_with(INDENT));
    let (message, stat) = body.split_at(end.unwrap_or(body.len()));
    let message: Vec<&str> = message.iter().map(|line| line.strip_prefix(INDENT).unwrap_or("")).collect();
    let message = message.join("\n");
    let message = message.trim_matches('\n');
    let message = if message.is_empty() { String::new() } else { format!("{message}\n") };
    // What a merge changes against its first parent is not printed.
    let paths = if parents.len() > 1 { None } else { paths(stat) };
    let id = id.split(' ').next().unwrap_or(id).to_owned();
    Ok(Commit {
        id,
        parents,
        author: Some(author),
        committer: Some(committer),
        message: Message::new(message),
        paths,
    })
}

const INDENT: &str = "    ";

/// The paths of a `--stat`, unless some are shortened or left out.
fn paths(stat: &[&str]) -> Option<Vec<String>> {
    let lines: Vec<&&str> = stat.iter().filter(|line| !line.trim().is_empty()).collect();
    let Some((sum, lines)) = lines.split_last() else { return Some(Vec::new()) };
    let count: usize = sum.trim().split(' ').next()?.parse().ok()?;
    let paths: Option<Vec<String>> = lines.iter().map(|line| path_of_stat(line)).collect();
    paths.filter(|paths| paths.len() == count)
}

/// A name in quotation marks or without, and nothing behind it.
fn whole_name(text: &str) -> Option<String> {
    if !text.starts_with('"') {
        return Some(text.to_owned());
    }
    quoted(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
}

fn path_of_stat(line: &str) -> Option<String> {
    let (name, _) = line.rsplit_once(" | ")?;
    let name = name.trim();
    if name.starts_with("...") {
        return None;
    }
    if name.starts_with('"') {
        let (name, rest) = quoted(name)?;
        return match rest.strip_prefix(" => ") {
            Some(new) => whole_name(new),
            None => rest.is_empty().then_some(name),
        };
    }
    let Some((before, after)) = name.split_once(" => ") else { return Some(name.to_owned()) };
    if after.starts_with('"') {
        return whole_name(after);
    }
    // `folder/{old => new}/file`, where either side may be empty.
    match (before.rsplit_once('{'), after.split_once('}')) {
        (Some((front, _)), Some((middle, end))) => Some(format!("{front}{middle}{end}").replace("//", "/")),
        _ => Some(after.to_owned()),
    }
}
