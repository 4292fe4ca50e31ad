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
    /// Opens a clone at a commit, or at another one where it lacks that. The commit that a contribution
    /// starts from may be one of the image that it was made in: then the clone has the one below it.
    /// A partial clone fetches the contents that it left out.
    ///
    /// # Errors
    /// Where there is no clone, or neither commit is in it.
    pub fn open(clone: &Path, commit: &str, or_else: Option<&str>) -> Result<Base, GitError> {
        let here = Repository::open(clone)?;
        let commit =
            here.resolve(commit).or_else(|error| or_else.map_or(Err(error), |it| here.resolve(it)))?;
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
