//! A repository on GitHub: its policy files at a commit, and what its organisation says by default.

use crate::SourcesError;
use crate::defaults::{Chosen, choose, is_wanting};
use crate::discovery::Discovery;
use crate::fetch::origin;
use crate::pin::{Targets, discover, links};
use crate::siblings::again;
use polc_git::{EntryKind, TreeEntry};
use polc_net::github::{CommitAnswer, GitHub, GitHubError, TreeRow};
use polc_records::ids::{ObjectId, Repository};
use polc_records::layout::Root;
use polc_records::pin::{DefaultsPin, HostPin, PinnedFile, RepositoryPin, SiblingPin, SkippedEntry};
use polc_records::project::Project;
use polc_text::snapshots::Snapshots;
use std::collections::BTreeMap;

/// The revision that stands for the branch that contributions go to.
const HEAD: &str = "HEAD";

/// A repository that is read over the network.
pub(crate) struct Remote<'g> {
    pub(crate) github: &'g GitHub,
    pub(crate) name: Repository,
}

/// The policy files of a project's repository at a revision, as GitHub has them, with the files of its siblings that
/// were pinned before, as they are now.
///
/// # Errors
/// Where GitHub does not answer, the repository is not there, or its tree cannot be listed whole.
pub async fn of_github(
    root: &Root,
    project: &Project,
    revision: &str,
    siblings: &[SiblingPin],
    github: &GitHub,
) -> Result<RepositoryPin, SourcesError> {
    let discovery = Discovery::load(root, project)?;
    let asked = Remote { github, name: project.repository.clone() };
    let answer = github.repository(&asked.name.to_string()).await?;
    let name: Repository = asked.expected(&answer.full_name)?;
    let remote = Remote { github, name: name.clone() };
    let reference = if revision == HEAD { &answer.default_branch } else { revision };
    let (commit, date, tree) = remote.tree(reference).await?;
    let targets = remote.targets(&discovery, &tree).await?;
    let (files, skipped) = discover(&discovery, &tree, &targets);
    let defaults = remote.defaults(&discovery, &tree).await?;
    let siblings = again(github, &[&name, &project.repository], siblings).await?;
    let host = Some(HostPin { name, id: answer.id, branch: answer.default_branch });
    let resolved_from = revision.to_owned();
    Ok(RepositoryPin { commit, date, resolved_from, host, files, skipped, defaults, siblings })
}

/// Puts every blob of a repository's pin into the store that is not there, and gives how many that were. What was read
/// before an error is kept.
///
/// # Errors
/// Where GitHub does not give a blob, or it cannot be written.
pub async fn download(
    root: &Root,
    project: &Project,
    repository: &RepositoryPin,
    github: &GitHub,
) -> Result<usize, SourcesError> {
    let mut store = Snapshots::open(&root.snapshots())?;
    let mut read = 0;
    let name = repository.host.as_ref().map_or(&project.repository, |host| &host.name);
    let theirs = repository.of_others().map(|other| (other.name, other.file));
    let mut outcome = Ok(());
    for (name, file) in repository.files.iter().map(|file| (name, file)).chain(theirs) {
        if store.of_blob(&file.blob).is_some_and(|digest| store.holds(digest)) {
            continue;
        }
        match github.blob(&name.to_string(), file.blob.as_str()).await {
            Ok(bytes) => {
                store.put(&bytes, origin(file))?;
                read += 1;
            }
            Err(error) => {
                outcome = Err(error.into());
                break;
            }
        }
    }
    store.save()?;
    outcome.map(|()| read)
}

impl Remote<'_> {
    /// The commit that a reference leads to, its date, and every entry of its tree.
    pub(crate) async fn tree(
        &self,
        reference: &str,
    ) -> Result<(ObjectId, String, Vec<TreeEntry>), SourcesError> {
        let name = self.name.to_string();
        let CommitAnswer { sha, date, tree } = self.github.commit(&name, reference).await?;
        let rows = self.github.tree(&name, &tree).await?;
        let entries = rows.iter().map(|row| self.entry(row)).collect::<Result<_, _>>()?;
        let date: jiff::Timestamp = self.expected(&date)?;
        Ok((self.expected(&sha)?, date.to_string(), entries))
    }

    fn entry(&self, row: &TreeRow) -> Result<TreeEntry, SourcesError> {
        let kind = EntryKind::of_mode(&row.mode)
            .ok_or_else(|| self.unexpected(format!("`{}` has the mode {}", row.path, row.mode)))?;
        Ok(TreeEntry { path: row.path.clone(), kind, id: self.expected(&row.sha)? })
    }

    async fn targets(&self, discovery: &Discovery, tree: &[TreeEntry]) -> Result<Targets, SourcesError> {
        let mut targets = BTreeMap::new();
        for link in links(discovery, tree) {
            let text = self.github.blob(&self.name.to_string(), link.id.as_str()).await?;
            targets.insert(link.id.clone(), text);
        }
        Ok(targets)
    }

    /// What the organisation says where the repository says nothing.
    async fn defaults(
        &self,
        discovery: &Discovery,
        own: &[TreeEntry],
    ) -> Result<Option<DefaultsPin>, SourcesError> {
        let own: Vec<&str> = own.iter().map(|entry| entry.path.as_str()).collect();
        let name = self.name.defaults();
        if name == self.name || !is_wanting(&own) {
            return Ok(None);
        }
        let remote = Remote { github: self.github, name };
        let branch = match self.github.repository(&remote.name.to_string()).await {
            Ok(answer) => answer.default_branch,
            Err(GitHubError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let (commit, date, tree) = remote.tree(&branch).await?;
        let targets = remote.targets(discovery, &tree).await?;
        let (found, _) = discover(discovery, &tree, &targets);
        let theirs: Vec<&str> = tree.iter().map(|entry| entry.path.as_str()).collect();
        let chosen = choose(&own, &theirs);
        let holds = |file: &PinnedFile| chosen.get(file.path.as_str()) == Some(&Chosen::Holds);
        let files: Vec<PinnedFile> = found.into_iter().filter(holds).collect();
        let unsure = chosen.iter().filter_map(|(path, chosen)| match chosen {
            Chosen::Holds => None,
            Chosen::Unsure(reason) => {
                Some(SkippedEntry { path: (*path).to_owned(), reason: (*reason).to_owned() })
            }
        });
        let skipped: Vec<SkippedEntry> = unsure.collect();
        let nothing = files.is_empty() && skipped.is_empty();
        Ok((!nothing).then_some(DefaultsPin { name: remote.name, commit, date, files, skipped }))
    }

    pub(crate) fn expected<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        text: &str,
    ) -> Result<T, SourcesError> {
        text.parse().map_err(|error: T::Err| self.unexpected(format!("`{text}`: {error}")))
    }

    fn unexpected(&self, what: String) -> SourcesError {
        SourcesError::Unexpected { repository: self.name.clone(), what }
    }
}
