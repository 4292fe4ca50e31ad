//! A pull request on GitHub, open, closed or merged: what it says and what it changes, from the host alone.
//!
//! The files are those that differ between the trees of its last commit and of the commit where it parted from the branch
//! that it is proposed to. Both stay in the repository when a fork is deleted, and their texts are whole where the host
//! cuts or leaves out a patch. What counts as renamed is what the host shows as renamed.

use crate::EvidenceError;
use crate::range::{MOST_BYTES, content_of};
use polc_checker::evidence::{Commit, Content, Evidence, FileChange, Part, Person, PullRequest, Run};
use polc_checker::message::Message;
use polc_git::EntryKind;
use polc_net::Url;
use polc_net::github::{CommitRow, GitHub, GitHubError, TreeRow};
use std::collections::{BTreeMap, BTreeSet};

/// Which pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The repository, `org/name`.
    pub repository: String,
    /// Its number.
    pub number: u64,
}

impl Address {
    /// Reads the address of a page of a pull request, which has to be on the host that the API is of.
    ///
    /// # Errors
    /// Where it is none, or is on another host.
    pub fn read(text: &str, api: &Url) -> Result<Address, EvidenceError> {
        let wrong = |why: &str| EvidenceError::Address { address: text.to_owned(), why: why.to_owned() };
        let form = "expected an address like https://github.com/zoo/walrus/pull/12";
        let url = Url::parse(text).map_err(|_| wrong(form))?;
        let parts: Vec<&str> = url.path().trim_matches('/').split('/').collect();
        let [organisation, name, "pull", number, ..] = parts.as_slice() else { return Err(wrong(form)) };
        let number = number.parse().map_err(|_| wrong(form))?;
        let host = url.host_str().unwrap_or_default();
        let of_api = api.host_str().unwrap_or_default();
        if host != of_api && of_api.strip_prefix("api.") != Some(host) {
            return Err(wrong(&format!(
                "it is not on the host of the API, {of_api}; GITHUB_API_URL names another"
            )));
        }
        Ok(Address { repository: format!("{organisation}/{name}"), number })
    }
}

/// Reads a pull request as evidence for a project, by the project's slug.
///
/// # Errors
/// Where GitHub does not answer, or not as documented.
pub async fn evidence(github: &GitHub, address: &Address, project: &str) -> Result<Evidence, EvidenceError> {
    let Address { repository: name, number } = address;
    let pull = github.pull(name, *number).await?;
    let compared = github.compared(name, &pull.base, &pull.head).await?;
    let start = &compared.start;
    let mut run = Run::new(format!("{name}#{number}:{}..{}", start.sha, pull.head), project);
    run.base = Some(start.sha.clone());
    run.start = Some(start.sha.clone());
    run.head = Some(pull.head.clone());
    run.branch = Some(pull.branch);
    let mut files = Vec::new();
    // A branch that has nothing of its own changes nothing.
    if let Some(head) = compared.commits.iter().find(|commit| commit.sha == pull.head) {
        let changes = changes(github, address, &start.tree, &head.tree).await?;
        let mut texts = Texts { github, name, known: BTreeMap::new() };
        for change in changes {
            files.push(texts.file(change).await?);
        }
    }
    Ok(Evidence {
        files: Part::Recorded(files),
        commits: Part::Recorded(compared.commits.into_iter().map(commit).collect()),
        pull_request: Part::Recorded(PullRequest {
            title: pull.title,
            body: pull.body.replace("\r\n", "\n"),
        }),
        ..Evidence::of_nothing(run)
    })
}

fn commit(row: CommitRow) -> Commit {
    let person = |(name, email): (String, String)| Person { name, email, raw: None };
    Commit {
        id: row.sha,
        parents: row.parents,
        author: Some(person(row.author)),
        committer: Some(person(row.committer)),
        message: Message::new(row.message),
        paths: None,
    }
}

/// A path that differs between two trees, with what stands on either side.
struct Change {
    old: Option<TreeRow>,
    new: Option<TreeRow>,
}

/// What differs, sorted by path. A renamed file is one change.
async fn changes(
    github: &GitHub,
    address: &Address,
    old: &str,
    new: &str,
) -> Result<Vec<Change>, EvidenceError> {
    let Address { repository: name, number } = address;
    let by_path = |rows: Vec<TreeRow>| rows.into_iter().map(|row| (row.path.clone(), row)).collect();
    let mut before: BTreeMap<String, TreeRow> = by_path(github.tree(name, old).await?);
    let mut after: BTreeMap<String, TreeRow> = by_path(github.tree(name, new).await?);
    let is_same = |path: &String, row: &TreeRow| {
        before.get(path).is_some_and(|other| (&other.sha, &other.mode) == (&row.sha, &row.mode))
    };
    let same: BTreeSet<String> =
        after.iter().filter(|(path, row)| is_same(path, row)).map(|(path, _)| path.clone()).collect();
    before.retain(|path, _| !same.contains(path));
    after.retain(|path, _| !same.contains(path));
    let mut renamed = BTreeMap::new();
    let may_be_renamed = before.keys().any(|path| !after.contains_key(path))
        && after.keys().any(|path| !before.contains_key(path));
    if may_be_renamed {
        for rename in github.renames(name, *number).await? {
            let is_gone = before.contains_key(&rename.old) && !after.contains_key(&rename.old);
            if is_gone && after.contains_key(&rename.new) && !before.contains_key(&rename.new) {
                renamed.extend(before.remove(&rename.old).map(|row| (rename.new, row)));
            }
        }
    }
    let paths: BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
    let change = |path: String| Change {
        old: renamed.remove(&path).or_else(|| before.remove(&path)),
        new: after.remove(&path),
    };
    Ok(paths.into_iter().map(change).collect())
}

/// The texts of blobs, each of them asked for once.
struct Texts<'g> {
    github: &'g GitHub,
    name: &'g str,
    known: BTreeMap<String, Content>,
}

impl Texts<'_> {
    async fn file(&mut self, Change { old, new }: Change) -> Result<FileChange, EvidenceError> {
        let executable = |row: &Option<TreeRow>| {
            row.as_ref().is_some_and(|row| EntryKind::of_mode(&row.mode) == Some(EntryKind::Executable))
        };
        let flags = [executable(&old), executable(&new)];
        let base = self.content(old.as_ref()).await?;
        let head = self.content(new.as_ref()).await?;
        let old_path = old.map(|row| row.path);
        let path = new.map(|row| row.path).or_else(|| old_path.clone()).unwrap_or_default();
        let mut file = FileChange::new(path, base, head);
        file.old_path = old_path.filter(|old| *old != file.path);
        file.executable = flags;
        Ok(file)
    }

    async fn content(&mut self, row: Option<&TreeRow>) -> Result<Content, EvidenceError> {
        let Some(row) = row else { return Ok(Content::Absent) };
        let kind = EntryKind::of_mode(&row.mode).ok_or_else(|| GitHubError::Unreadable {
            what: format!("`{}` of `{}`", row.path, self.name),
            why: format!("it has the mode {}", row.mode),
        })?;
        if kind == EntryKind::Submodule {
            return Ok(Content::Submodule(row.sha.clone()));
        }
        if row.size.is_some_and(|size| size > MOST_BYTES) {
            return Ok(Content::TooLarge);
        }
        if let Some(known) = self.known.get(&row.sha).filter(|_| kind != EntryKind::Link) {
            return Ok(known.clone());
        }
        let bytes = self.github.blob(self.name, &row.sha).await?;
        if kind == EntryKind::Link {
            return Ok(Content::Link(String::from_utf8_lossy(&bytes).into_owned()));
        }
        let content = content_of(bytes);
        self.known.insert(row.sha.clone(), content.clone());
        Ok(content)
    }
}
