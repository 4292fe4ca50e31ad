//! Where every file of a root lies.

use crate::digest::Digest;
use crate::ids::Slug;
use crate::problem::Problem;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The name of the file that makes a folder a root.
pub const CONFIG_FILE: &str = "polc.toml";

/// A root: any folder with a `polc.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    folder: PathBuf,
}

/// Held while a stage writes a project's files; released when dropped.
#[derive(Debug)]
pub struct ProjectLock {
    _file: File,
}

/// A data file, from the root or built in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl DataFile {
    /// The digest of its text.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.text)
    }

    /// Its values.
    ///
    /// # Errors
    /// As [`crate::store::parse_toml`].
    pub fn parse<T: crate::store::TomlFile>(&self) -> Result<T, Problem> {
        crate::store::parse_toml(&self.path, &self.text)
    }
}

impl Root {
    /// The root in `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Root { folder: folder.into() }
    }

    /// The nearest root at or above `start`.
    pub fn find(start: &Path) -> Option<Self> {
        start.ancestors().find(|folder| folder.join(CONFIG_FILE).is_file()).map(Root::new)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `polc.toml`.
    pub fn config(&self) -> PathBuf {
        self.folder.join(CONFIG_FILE)
    }

    /// `.polc`: what is not in version control.
    pub fn state(&self) -> PathBuf {
        self.folder.join(".polc")
    }

    /// The snapshots, by digest.
    pub fn snapshots(&self) -> PathBuf {
        self.state().join("snapshots")
    }

    /// The answers of language models, by the digest of the request.
    pub fn answers(&self) -> PathBuf {
        self.state().join("answers")
    }

    /// The answers that a project keeps in version control.
    pub fn recording(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("recording")
    }

    /// What cargo builds of the generated crates.
    pub fn build(&self) -> PathBuf {
        self.state().join("target")
    }

    /// `manifests/<slug>`.
    pub fn manifests(&self, slug: &Slug) -> PathBuf {
        self.folder.join("manifests").join(slug.as_str())
    }

    /// The pin of a project.
    pub fn pin(&self, slug: &Slug) -> PathBuf {
        self.manifests(slug).join("pin.toml")
    }

    /// The manifest as people read and edit it.
    pub fn manifest(&self, slug: &Slug) -> PathBuf {
        self.manifests(slug).join("manifest.toml")
    }

    /// The manifest as it was last generated: the base of the three-way rebuild.
    pub fn generated_manifest(&self, slug: &Slug) -> PathBuf {
        self.manifests(slug).join("manifest.generated.toml")
    }

    /// `manifests/<slug>/pages.jsonl`.
    pub fn pages(&self, slug: &Slug) -> PathBuf {
        self.manifests(slug).join("pages.jsonl")
    }

    /// The raw text of every fetched file.
    pub fn raw_sources(&self, slug: &Slug) -> PathBuf {
        self.manifests(slug).join("raw-sources.md")
    }

    /// `corpora/<slug>`.
    pub fn corpus_folder(&self, slug: &Slug) -> PathBuf {
        self.folder.join("corpora").join(slug.as_str())
    }

    /// The project's description.
    pub fn project(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("project.toml")
    }

    /// What an engine proposed.
    pub fn proposal(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("proposal.jsonl")
    }

    /// What became of every sentence.
    pub fn ledger(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("ledger.jsonl")
    }

    /// Who decided what.
    pub fn decisions(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("decisions.jsonl")
    }

    /// The frozen extraction.
    pub fn extraction(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("extraction.csv")
    }

    /// What was imported.
    pub fn import(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("import.toml")
    }

    /// What classification found.
    pub fn facts(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("facts.jsonl")
    }

    /// The corpus.
    pub fn rules(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("rules.csv")
    }

    /// `corpora/<slug>/CONTRIBUTING_RULES.md`.
    pub fn rules_file(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("CONTRIBUTING_RULES.md")
    }

    /// `corpora/<slug>/run-log.md`.
    pub fn run_log(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("run-log.md")
    }

    /// `corpora/<slug>/acceptance.md`.
    pub fn acceptance(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("acceptance.md")
    }

    /// `corpora/<slug>/waivers.toml`.
    pub fn waivers(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("waivers.toml")
    }

    /// `corpora/<slug>/by-reference`: what is published of files that quote their sources.
    pub fn by_reference(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("by-reference")
    }

    /// `corpora/<slug>/by-reference/references.toml`
    pub fn references(&self, slug: &Slug) -> PathBuf {
        self.by_reference(slug).join("references.toml")
    }

    /// The corpus as a workbook.
    pub fn workbook(&self, slug: &Slug) -> PathBuf {
        self.corpus_folder(slug).join("rules.xlsx")
    }

    /// `audit/<name>`.
    pub fn audit(&self, name: &Slug) -> PathBuf {
        self.folder.join("audit").join(name.as_str())
    }

    /// `generated`: a cargo workspace of its own.
    pub fn generated(&self) -> PathBuf {
        self.folder.join("generated")
    }

    /// The checkers of one project.
    pub fn pack(&self, slug: &Slug) -> PathBuf {
        self.generated().join(slug.as_str())
    }

    /// A data file that polc carries: the root's own copy where it has one, else the one built in.
    ///
    /// `path` is relative to the root, `built_in` the text that was compiled in.
    ///
    /// # Errors
    /// Where the root's copy cannot be read.
    pub fn data(&self, path: &str, built_in: &str) -> Result<DataFile, Problem> {
        let file = self.folder.join(path);
        let text = crate::store::read_text_if_there(&file)?.unwrap_or_else(|| built_in.to_owned());
        Ok(DataFile { path: file, text })
    }

    /// A path as people should see it: relative to the root where it lies inside.
    pub fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    /// The slugs of the projects of this root, in order. Folders whose name is no slug are not
    /// projects.
    ///
    /// # Errors
    /// Where `corpora` cannot be listed.
    pub fn projects(&self) -> Result<Vec<Slug>, Problem> {
        let corpora = self.folder.join("corpora");
        let entries = match std::fs::read_dir(&corpora) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Problem::io(&corpora, "list", &error)),
        };
        let mut slugs = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Problem::io(&corpora, "list", &error))?;
            let slug = entry.file_name().to_str().and_then(|name| name.parse::<Slug>().ok());
            if let Some(slug) = slug.filter(|slug| self.project(slug).is_file()) {
                slugs.push(slug);
            }
        }
        slugs.sort();
        Ok(slugs)
    }

    /// Keeps `.polc` out of version control, whoever made it.
    ///
    /// # Errors
    /// Where the file that says so cannot be written.
    pub fn keep_state_apart(&self) -> Result<(), Problem> {
        let path = self.state().join(".gitignore");
        if path.exists() {
            return Ok(());
        }
        crate::store::write_atomically(&path, b"# Caches of polc: nothing here is kept.\n*\n")
    }

    /// Takes the project for writing.
    ///
    /// # Errors
    /// Where another process has it, or the lock file cannot be made.
    pub fn lock(&self, slug: &Slug) -> Result<ProjectLock, Problem> {
        let path = self.state().join("locks").join(slug.as_str());
        let folder = self.state().join("locks");
        std::fs::create_dir_all(&folder).map_err(|error| Problem::io(&folder, "make", &error))?;
        self.keep_state_apart()?;
        let file = File::create(&path).map_err(|error| Problem::io(&path, "make", &error))?;
        match file.try_lock() {
            Ok(()) => Ok(ProjectLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Problem::new(
                &path,
                format!("another polc is writing the files of `{slug}`"),
                "wait until it has finished, then run the command again",
            )),
            Err(TryLockError::Error(error)) => Err(Problem::io(&path, "lock", &error)),
        }
    }
}
