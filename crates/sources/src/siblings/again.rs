//! Pinned files of sibling repositories, as they are now.

use super::{asked, is_sibling};
use crate::SourcesError;
use crate::github::Remote;
use polc_git::{EntryKind, TreeEntry};
use polc_net::github::GitHub;
use polc_records::ids::Repository;
use polc_records::pin::{PinnedFile, SiblingPin};

/// What is left of the pinned siblings: a repository that is gone, or that somebody else has taken the name of, and a
/// file that is no longer there, are left out.
pub(crate) async fn again(
    github: &GitHub,
    own: &[&Repository],
    pinned: &[SiblingPin],
) -> Result<Vec<SiblingPin>, SourcesError> {
    let mut now = Vec::new();
    for sibling in pinned {
        match one(github, own, sibling).await {
            Ok(found) => now.extend(found.filter(|found| !found.files.is_empty())),
            Err(SourcesError::GitHub(error)) if error.says_missing() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(now)
}

async fn one(
    github: &GitHub,
    own: &[&Repository],
    sibling: &SiblingPin,
) -> Result<Option<SiblingPin>, SourcesError> {
    let answer = github.repository(&sibling.name.to_string()).await?;
    let remote = Remote { github, name: sibling.name.clone() };
    if answer.id != sibling.id || !is_sibling(&remote.expected(&answer.full_name)?, own) {
        return Ok(None);
    }
    let (commit, date, tree) = remote.tree(asked(&sibling.resolved_from, &answer.default_branch)).await?;
    let now = |file: &PinnedFile| {
        let entry = tree.iter().find(|entry| entry.path == file.path && is_file(entry))?;
        Some(PinnedFile { blob: entry.id.clone(), ..file.clone() })
    };
    let files = sibling.files.iter().filter_map(now).collect();
    Ok(Some(SiblingPin { commit, date, files, ..sibling.clone() }))
}

/// Whether an entry of a tree has a text of its own.
pub(super) fn is_file(entry: &TreeEntry) -> bool {
    matches!(entry.kind, EntryKind::File | EntryKind::Executable)
}
