//! The texts of a project's files before a contribution, from a local clone.

use crate::range;
use polc_checker::evidence::Content;
use polc_git::{GitError, Objects, Repository, TreeEntry};
use std::collections::BTreeMap;
use std::path::Path;

/// The files of one commit of a clone.
#[derive(Debug)]
pub struct Base {
    entries: BTreeMap<String, TreeEntry>,
    objects: Objects,
}

impl Base {
    /// Opens a clone at the first of some commits that it has. The commit that a contribution starts
    /// from may be one of the image that it was made in: then the commit below it is in the clone. A
    /// partial clone is asked for commits that it has, and fetches the contents it left out.
    ///
    /// # Errors
    /// Where there is no clone, or none of the commits is in it.
    pub fn open(clone: &Path, commits: &[&str]) -> Result<Base, GitError> {
        let here = Repository::open(clone)?;
        let mut found = Err(GitError::NoCommit {
            revision: "HEAD".to_owned(),
            folder: clone.to_path_buf(),
            message: "the run does not say from which commit it starts".to_owned(),
            help: "leave the clone out",
        });
        for commit in commits {
            found = here.resolve(commit);
            if found.is_ok() {
                break;
            }
        }
        let commit = found?;
        let repository = here.fetching();
        let entries =
            repository.tree(&commit)?.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        Ok(Base { entries, objects: repository.objects()? })
    }

    /// What a path holds there.
    ///
    /// # Errors
    /// Where the object is not to be had.
    pub fn content(&mut self, path: &str) -> Result<Content, GitError> {
        range::content(&mut self.objects, self.entries.get(path))
    }
}
