//! Pull requests: what they say, the commits they propose, and what the host takes for renamed.

use super::{GitHub, GitHubError};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// How many rows GitHub gives on one page at most.
const PER_PAGE: usize = 100;

/// A pull request as it is now: open, closed or merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullAnswer {
    /// Its title.
    pub title: String,
    /// Its body; empty where nothing was written.
    pub body: String,
    /// The commit of the branch that it is proposed to.
    pub base: String,
    /// Its last commit. It stays in the repository when the fork that it came from is gone.
    pub head: String,
    /// The branch that it came from.
    pub branch: String,
}

/// What one commit has that another has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonAnswer {
    /// The best common ancestor.
    pub start: CommitRow,
    /// The commits, oldest first.
    pub commits: Vec<CommitRow>,
}

/// A commit with its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitRow {
    /// Its id.
    pub sha: String,
    /// The ids of its parents.
    pub parents: Vec<String>,
    /// The id of its tree.
    pub tree: String,
    /// Who wrote it: name and address.
    pub author: (String, String),
    /// Who committed it: name and address.
    pub committer: (String, String),
    /// Its message.
    pub message: String,
}

/// A file that has another path than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// Before.
    pub old: String,
    /// After.
    pub new: String,
}

#[derive(Deserialize)]
struct Pull {
    title: String,
    body: Option<String>,
    base: Side,
    head: Side,
}

#[derive(Deserialize)]
struct Side {
    sha: String,
    #[serde(rename = "ref")]
    reference: String,
}

#[derive(Deserialize)]
struct Comparison {
    merge_base_commit: Commit,
    total_commits: usize,
    commits: Vec<Commit>,
}

#[derive(Deserialize)]
struct Commit {
    sha: String,
    commit: Body,
    parents: Vec<Named>,
}

#[derive(Deserialize)]
struct Body {
    message: String,
    author: Person,
    committer: Person,
    tree: Named,
}

#[derive(Deserialize)]
struct Person {
    name: String,
    email: String,
}

#[derive(Deserialize)]
struct Named {
    sha: String,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    previous_filename: Option<String>,
    status: String,
}

impl From<Commit> for CommitRow {
    fn from(Commit { sha, commit, parents }: Commit) -> Self {
        let person = |person: Person| (person.name, person.email);
        CommitRow {
            sha,
            parents: parents.into_iter().map(|parent| parent.sha).collect(),
            tree: commit.tree.sha,
            author: person(commit.author),
            committer: person(commit.committer),
            message: commit.message,
        }
    }
}

impl GitHub {
    /// A pull request.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn pull(&self, name: &str, number: u64) -> Result<PullAnswer, GitHubError> {
        let what = format!("the pull request {number} of `{name}`");
        let Pull { title, body, base, head } =
            self.asked(&format!("/repos/{name}/pulls/{number}"), &what).await?;
        let body = body.unwrap_or_default();
        Ok(PullAnswer { title, body, base: base.sha, head: head.sha, branch: head.reference })
    }

    /// The commits that `head` has and `base` has not, however many, and where the two parted.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists, and where fewer commits are listed than there are.
    pub async fn compared(
        &self,
        name: &str,
        base: &str,
        head: &str,
    ) -> Result<ComparisonAnswer, GitHubError> {
        let what = format!("the commits from {base} to {head} of `{name}`");
        let mut commits: Vec<CommitRow> = Vec::new();
        for page in 1_usize.. {
            let route = format!("/repos/{name}/compare/{base}...{head}?per_page={PER_PAGE}&page={page}");
            let found: Comparison = self.asked(&route, &what).await?;
            let is_empty = found.commits.is_empty();
            commits.extend(found.commits.into_iter().map(CommitRow::from));
            if commits.len() >= found.total_commits {
                return Ok(ComparisonAnswer { start: found.merge_base_commit.into(), commits });
            }
            if is_empty {
                break;
            }
        }
        Err(GitHubError::CutShort { what })
    }

    /// The files that a pull request renames, as far as GitHub lists its files: it stops at 3,000.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn renames(&self, name: &str, number: u64) -> Result<Vec<Rename>, GitHubError> {
        let what = format!("the files of the pull request {number} of `{name}`");
        let mut renames = Vec::new();
        for page in 1_usize.. {
            let route = format!("/repos/{name}/pulls/{number}/files?per_page={PER_PAGE}&page={page}");
            let files: Vec<File> = self.asked(&route, &what).await?;
            let is_last = files.len() < PER_PAGE;
            let renamed = files.into_iter().filter(|file| file.status == "renamed");
            renames.extend(
                renamed.filter_map(|file| Some(Rename { old: file.previous_filename?, new: file.filename })),
            );
            if is_last {
                break;
            }
        }
        Ok(renames)
    }

    async fn asked<T: DeserializeOwned>(&self, route: &str, what: &str) -> Result<T, GitHubError> {
        self.crab.get(route, None::<&()>).await.map_err(|error| self.failed(what.to_owned(), error))
    }
}
