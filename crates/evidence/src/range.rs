//! A range of commits of a local repository: no trajectory, so what needs one withholds.
//!
//! The files are compared as a code host compares a pull request: from the best common ancestor of
//! base and head to head. The commits are those that head has and base has not.

use crate::EvidenceError;
use polc_checker::evidence::{
    Absence, Commit, Content, Evidence, FileChange, Part, Person, PullRequest, Run,
};
use polc_checker::message::Message;
use polc_git::{Change, EntryKind, GitError, Objects, Repository, TreeEntry};
use std::path::Path;

/// The bytes of a file beyond which its text is not kept.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Git calls a file binary where a NUL is among so many of its first bytes.
const BYTES_THAT_DECIDE: usize = 8000;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Range<'r> {
    /// The project's slug.
    pub project: &'r str,
    /// The revision that the contribution is proposed to.
    pub base: &'r str,
    /// Its last commit.
    pub head: &'r str,
    /// The pull request, where its text is at hand.
    pub pull_request: Option<&'r PullRequest>,
}

/// Reads a range of commits as evidence.
///
/// # Errors
/// Where a revision is unknown, or history or objects are missing.
pub fn evidence(repository: &Repository, range: &Range<'_>) -> Result<Evidence, EvidenceError> {
    let base = repository.resolve(range.base)?;
    let head = repository.resolve(range.head)?;
    let start = repository.merge_base(&base, &head)?;
    let mut objects = repository.objects()?;
    let mut files = Vec::new();
    for change in repository.changes(&start, &head)? {
        files.push(file_change(&mut objects, change)?);
    }
    let mut commits = Vec::new();
    for id in repository.commits_between(&base, &head)? {
        let commit = objects.commit(&id)?;
        let paths = match commit.parents.first() {
            Some(parent) => Some(repository.changes(parent, &id)?.into_iter().map(path_of).collect()),
            None => Some(repository.tree(&id)?.into_iter().map(|entry| entry.path).collect()),
        };
        commits.push(Commit {
            id: commit.id.to_string(),
            parents: commit.parents.iter().map(ToString::to_string).collect(),
            author: Some(person(commit.author)),
            committer: Some(person(commit.committer)),
            message: Message::new(commit.message),
            paths,
        });
    }
    let mut run = Run::new(format!("{start}..{head}"), range.project);
    run.base = Some(start.to_string());
    run.start = Some(start.to_string());
    run.head = Some(head.to_string());
    Ok(Evidence {
        files: Part::Recorded(files),
        commits: Part::Recorded(commits),
        pull_request: range
            .pull_request
            .cloned()
            .map_or(Part::Missing(Absence::NotInThisRun), Part::Recorded),
        ..Evidence::of_nothing(run)
    })
}

fn path_of(change: Change) -> String {
    change.new.or(change.old).map_or_else(String::new, |entry| entry.path)
}

fn file_change(objects: &mut Objects, change: Change) -> Result<FileChange, EvidenceError> {
    let executable =
        |side: &Option<TreeEntry>| side.as_ref().is_some_and(|entry| entry.kind == EntryKind::Executable);
    let flags = [executable(&change.old), executable(&change.new)];
    let base = content(objects, change.old.as_ref())?;
    let head = content(objects, change.new.as_ref())?;
    let old_path = match (&change.old, &change.new) {
        (Some(old), Some(new)) if old.path != new.path => Some(old.path.clone()),
        _ => None,
    };
    let mut file = FileChange::new(path_of(change), base, head);
    file.old_path = old_path;
    file.executable = flags;
    Ok(file)
}

/// What an entry of a tree holds.
pub(crate) fn content(objects: &mut Objects, entry: Option<&TreeEntry>) -> Result<Content, GitError> {
    let Some(entry) = entry else { return Ok(Content::Absent) };
    if entry.kind == EntryKind::Submodule {
        return Ok(Content::Submodule(entry.id.to_string()));
    }
    let bytes = objects.blob(&entry.id)?;
    if entry.kind == EntryKind::Link {
        return Ok(Content::Link(String::from_utf8_lossy(&bytes).into_owned()));
    }
    Ok(content_of(bytes))
}

/// The bytes of a file as what they are.
pub(crate) fn content_of(bytes: Vec<u8>) -> Content {
    if bytes.iter().take(BYTES_THAT_DECIDE).any(|byte| *byte == 0) {
        return Content::Binary;
    }
    if bytes.len() > MOST_BYTES {
        return Content::TooLarge;
    }
    String::from_utf8(bytes).map_or(Content::NotUtf8, Content::Text)
}

pub(crate) fn person(person: polc_git::Person) -> Person {
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Person { name: person.name, email: person.email, raw: person.raw.map(hex) }
}

/// Reads the text of a pull request: the title on the first line that is not blank, the body below.
///
/// # Errors
/// Where the file cannot be read as text.
pub fn pull_request_text(file: &Path) -> Result<PullRequest, EvidenceError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| EvidenceError::PullRequestText { file: file.display().to_string(), error })?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (title, body) = match text.trim_start().split_once('\n') {
        Some((title, body)) => (title, body),
        None => (text.trim(), ""),
    };
    let body = body.trim_start_matches('\n');
    Ok(PullRequest { title: title.trim().to_owned(), body: body.to_owned() })
}
