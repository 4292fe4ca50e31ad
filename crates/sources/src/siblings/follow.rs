//! Links to files of sibling repositories, followed one by one.

use super::again::is_file;
use super::{HEAD, Target, asked, is_sibling, own_names};
use crate::SourcesError;
use crate::crawl::key;
use crate::discovery::Discovery;
use crate::fetch::origin;
use crate::github::Remote;
use polc_git::TreeEntry;
use polc_net::Url;
use polc_net::github::{GitHub, RepositoryAnswer};
use polc_records::Problem;
use polc_records::ids::{ObjectId, Repository};
use polc_records::pages::PageFate;
use polc_records::pin::{OtherFile, PinnedFile, RepositoryPin, SiblingPin};
use polc_records::project::Project;
use polc_text::snapshots::Snapshots;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many files of sibling repositories a project has at most.
pub const MOST_FILES: usize = 50;

/// The kind of a file that no pattern knows, and that is a source because it is linked to.
pub const LINKED: &str = "linked-document";

/// Endings of names of prose.
const PROSE: [&str; 4] = [".md", ".markdown", ".rst", ".txt"];

/// What is said of any other file that no pattern knows.
const NO_DOCUMENT: &str = "it is no document by its name: source files are named, not read";

/// The names of a README, in the order in which they are looked for.
const READMES: [&str; 4] = ["readme.md", "readme.rst", "readme.txt", "readme"];

/// How many parts of an address a reference may have: `release/2.x/docs`.
const LONGEST_REFERENCE: usize = 4;

/// Follows links to files of sibling repositories, and pins what they lead to.
pub struct Follower<'f> {
    project: &'f Project,
    discovery: &'f Discovery,
    github: &'f GitHub,
    store: &'f mut Snapshots,
    most_files: usize,
    pin: RepositoryPin,
    /// What was asked for under a name, in lower case, or why there is none.
    repositories: BTreeMap<String, Result<Rc<Named>, String>>,
    /// By the number of the repository and the reference. None where there is no such reference.
    trees: BTreeMap<(u64, String), Option<Rc<Tree>>>,
    /// Why nothing more is asked for.
    ended: Option<String>,
    /// Whether a link was not answered, so that nobody knows where it leads.
    is_unsure: bool,
}

/// A repository under the name that it has now.
struct Named {
    name: Repository,
    answer: RepositoryAnswer,
}

/// A repository at a commit.
struct Tree {
    commit: ObjectId,
    date: String,
    entries: Vec<TreeEntry>,
}

/// What a link leads to.
struct Found {
    reference: String,
    tree: Rc<Tree>,
    entry: TreeEntry,
    kind: String,
}

/// Why a link leads to no source.
enum Stop {
    Fate(PageFate),
    Error(SourcesError),
}

impl<E: Into<SourcesError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Error(error.into())
    }
}

fn named<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fate(PageFate::Named(why.into())))
}

fn lacking<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fate(PageFate::Lacking(why.into())))
}

impl<'f> Follower<'f> {
    /// Somebody who follows links on behalf of a project, beyond what its pin has already.
    pub fn new(
        project: &'f Project,
        pin: RepositoryPin,
        discovery: &'f Discovery,
        github: &'f GitHub,
        store: &'f mut Snapshots,
    ) -> Self {
        Follower {
            project,
            discovery,
            github,
            store,
            most_files: MOST_FILES,
            pin,
            repositories: BTreeMap::new(),
            trees: BTreeMap::new(),
            ended: None,
            is_unsure: false,
        }
    }

    /// The same, with another limit than [`MOST_FILES`].
    #[must_use]
    pub fn at_most(mut self, files: usize) -> Self {
        self.most_files = files;
        self
    }

    /// The key of the pinned file that a link leads to, without a question to anybody.
    pub fn pinned(&self, link: &Url, target: &Target) -> Option<String> {
        let address = key(link);
        let is_same = |sibling: &SiblingPin, file: &PinnedFile| {
            file.pattern == address.url().as_str()
                || (sibling.name.to_string().eq_ignore_ascii_case(&target.repository.to_string())
                    && target.place.join("/") == format!("{}/{}", sibling.resolved_from, file.path))
        };
        self.pin.siblings.iter().find_map(|sibling| {
            let file = sibling.files.iter().find(|file| is_same(sibling, file))?;
            Some(OtherFile { name: &sibling.name, commit: &sibling.commit, file }.key())
        })
    }

    /// Whether a link was not answered, so that nobody knows where it leads.
    pub fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    /// The pin, with every file that a link led to.
    pub fn into_pin(self) -> RepositoryPin {
        self.pin
    }

    /// Follows a link, and says what became of it. A limit of GitHub, or an offline run, ends what is asked for: every
    /// later link that is not pinned already lacks for the same reason.
    ///
    /// # Errors
    /// Only where the store cannot be written.
    pub async fn follow(&mut self, link: &Url, target: &Target) -> Result<PageFate, Problem> {
        if let Some(key) = self.pinned(link, target) {
            return Ok(PageFate::File(key));
        }
        if let Some(why) = &self.ended {
            return Ok(PageFate::Lacking(why.clone()));
        }
        match self.source(link, target).await {
            Ok(key) => Ok(PageFate::File(key)),
            Err(Stop::Fate(fate)) => Ok(fate),
            Err(Stop::Error(SourcesError::Problem(problem))) => Err(problem),
            Err(Stop::Error(error)) => {
                let why = first_line(&error);
                self.is_unsure = true;
                if matches!(&error, SourcesError::GitHub(error) if error.ends_run()) {
                    self.ended = Some(why.clone());
                }
                Ok(PageFate::Lacking(why))
            }
        }
    }

    /// The key of the source that a link leads to, which is pinned and in the store then.
    async fn source(&mut self, link: &Url, target: &Target) -> Result<String, Stop> {
        if self.is_source_file(target) {
            return named(NO_DOCUMENT);
        }
        let repository = self.repository(&target.repository).await?;
        let own = own_names(self.project, Some(&self.pin));
        let is_own = self.pin.host.as_ref().is_some_and(|host| host.id == repository.answer.id);
        if is_own {
            return named("it is a file of the repository itself, under an earlier name");
        }
        if !is_sibling(&repository.name, &own) {
            return named(format!("it is a file of `{}`, of another organisation", repository.name));
        }
        let Found { reference, tree, entry, kind } = self.find(&repository, target).await?;
        let known = self.pin.siblings.iter().find(|known| known.id == repository.answer.id);
        let name = known.map_or(&repository.name, |known| &known.name).clone();
        let pattern = key(link).to_string();
        let file = PinnedFile { path: entry.path, blob: entry.id, kind, pattern };
        let key = OtherFile { name: &name, commit: &tree.commit, file: &file }.key();
        if let Some(other) = self.pin.of_others().find(|other| other.key() == key) {
            return if other.file.blob == file.blob {
                Ok(key)
            } else {
                let commit = other.commit.short();
                named(format!(
                    "`{key}` is read at commit {commit}, where it is another text than at `{reference}`"
                ))
            };
        }
        if self.pin.siblings.iter().map(|sibling| sibling.files.len()).sum::<usize>() >= self.most_files {
            let most = self.most_files;
            return lacking(format!("the limit of {most} files of sibling repositories was reached"));
        }
        self.keep(&repository.name, &file).await?;
        let same =
            |known: &&mut SiblingPin| known.id == repository.answer.id && known.resolved_from == reference;
        match self.pin.siblings.iter_mut().find(same) {
            Some(sibling) => sibling.files.push(file),
            None => self.pin.siblings.push(SiblingPin {
                name,
                id: repository.answer.id,
                resolved_from: reference,
                commit: tree.commit.clone(),
                date: tree.date.clone(),
                files: vec![file],
            }),
        }
        Ok(key)
    }

    async fn repository(&mut self, asked: &Repository) -> Result<Rc<Named>, Stop> {
        let lower = asked.to_string().to_ascii_lowercase();
        if let Some(known) = self.repositories.get(&lower) {
            return known.clone().or_else(lacking);
        }
        let found = match self.github.repository(&asked.to_string()).await {
            Ok(answer) => {
                let remote = Remote { github: self.github, name: asked.clone() };
                Ok(Rc::new(Named { name: remote.expected(&answer.full_name)?, answer }))
            }
            Err(error) if error.says_missing() => Err(first_line(&error)),
            Err(error) => return Err(SourcesError::from(error).into()),
        };
        self.repositories.insert(lower, found.clone());
        found.or_else(lacking)
    }

    /// Whether an address says by its name that it is one of a source file, so that nobody needs to be asked.
    fn is_source_file(&self, target: &Target) -> bool {
        let place = &target.place;
        let has_ending = place.last().and_then(|name| name.rfind('.')).is_some_and(|at| at > 0);
        let mut starts = 1..place.len().min(LONGEST_REFERENCE + 3);
        has_ending && !target.is_folder && starts.all(|at| self.kind(&place[at..].join("/")).is_none())
    }

    /// The kind of a document, by its path.
    fn kind(&self, path: &str) -> Option<&str> {
        let lower = path.to_ascii_lowercase();
        let is_prose = PROSE.iter().any(|ending| lower.ends_with(ending));
        let discovered = self.discovery.find(path).map(|found| found.kind.name.as_str());
        discovered.or(is_prose.then_some(LINKED))
    }

    /// Finds where the reference of an address ends and its path begins, and what is there. A tag may be called like
    /// the first part of a branch, so that the first reference that holds the path is meant.
    async fn find(&mut self, repository: &Named, target: &Target) -> Result<Found, Stop> {
        let (name, place) = (&repository.name, &target.place);
        if place.is_empty() {
            return match self.tree(repository, HEAD).await? {
                Some(tree) => self.entry(name, tree, HEAD, ""),
                None => lacking(format!("`{name}` is empty")),
            };
        }
        // `refs/heads/main` is one reference for certain, `main/docs` may be.
        let least = if matches!(&place[..], [refs, ..] if refs == "refs") { 3 } else { 1 };
        let mut absent = None;
        for end in least..=place.len().min(least + LONGEST_REFERENCE - 1) {
            let reference = place[..end].join("/");
            if is_reference(&reference)
                && let Some(tree) = self.tree(repository, &reference).await?
            {
                match self.entry(name, tree, &reference, &place[end..].join("/")) {
                    Err(Stop::Fate(PageFate::Lacking(why))) => _ = absent.get_or_insert(why),
                    found => return found,
                }
            }
        }
        lacking(absent.unwrap_or_else(|| {
            format!("`{name}` has no branch, tag or commit that `{}` begins with", place.join("/"))
        }))
    }

    async fn tree(&mut self, repository: &Named, reference: &str) -> Result<Option<Rc<Tree>>, Stop> {
        let key = (repository.answer.id, reference.to_owned());
        if let Some(known) = self.trees.get(&key) {
            return Ok(known.clone());
        }
        let remote = Remote { github: self.github, name: repository.name.clone() };
        let tree = match remote.tree(asked(reference, &repository.answer.default_branch)).await {
            Ok((commit, date, entries)) => Some(Rc::new(Tree { commit, date, entries })),
            Err(SourcesError::GitHub(error)) if error.says_missing() => None,
            Err(error) => return Err(error.into()),
        };
        self.trees.insert(key, tree.clone());
        Ok(tree)
    }

    /// The file that a path leads to, or the README of a folder, with its kind.
    fn entry(&self, name: &Repository, tree: Rc<Tree>, reference: &str, path: &str) -> Result<Found, Stop> {
        let found = match tree.entries.iter().find(|entry| entry.path == path) {
            Some(entry) => entry,
            None => {
                let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
                if !tree.entries.iter().any(|entry| entry.path.starts_with(&folder)) {
                    let commit = tree.commit.short();
                    return lacking(format!("`{name}` has no `{path}` at `{reference}` (commit {commit})"));
                }
                match readme(&tree.entries, &folder) {
                    Some(readme) => readme,
                    None => return named("it is a folder without a README"),
                }
            }
        };
        if !is_file(found) {
            return named("it is a symbolic link or a submodule, and no file");
        }
        match self.kind(&found.path) {
            Some(kind) if self.discovery.kind(kind).is_none() => {
                named(format!("`discovery.toml` describes no kind `{kind}`"))
            }
            Some(kind) => {
                let (entry, kind) = (found.clone(), kind.to_owned());
                Ok(Found { reference: reference.to_owned(), tree, entry, kind })
            }
            None => named(NO_DOCUMENT),
        }
    }

    /// Puts the bytes of a file into the store.
    async fn keep(&mut self, name: &Repository, file: &PinnedFile) -> Result<(), Stop> {
        if self.store.of_blob(&file.blob).is_some_and(|digest| self.store.holds(digest)) {
            return Ok(());
        }
        let bytes =
            self.github.blob(&name.to_string(), file.blob.as_str()).await.map_err(SourcesError::from)?;
        self.store.put(&bytes, origin(file))?;
        Ok(self.store.save()?)
    }
}

fn first_line(error: &impl ToString) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

fn readme<'t>(entries: &'t [TreeEntry], folder: &str) -> Option<&'t TreeEntry> {
    READMES.iter().find_map(|name| {
        entries.iter().find(|entry| {
            entry.path.strip_prefix(folder).is_some_and(|inside| inside.eq_ignore_ascii_case(name))
        })
    })
}

/// Whether git allows such a name, so that it is nothing else in the address of a request.
fn is_reference(name: &str) -> bool {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
    !name.contains("..")
        && !name.contains(forbidden)
        && name.split('/').all(|part| !part.is_empty() && part != ".")
}
