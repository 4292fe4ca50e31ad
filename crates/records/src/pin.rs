//! `manifests/<slug>/pin.toml`: the commit, the blobs and the version of the documentation that every source is
//! read at.

use crate::Digest;
use crate::ids::{ObjectId, Repository};
use crate::project::Project;
use crate::store::{TomlFile, TomlRecord};
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// The pin of a project.
///
/// Any commit that holds the same blobs at the same paths satisfies it: the blobs decide, the
/// commit is where they were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Schema version.
    pub schema: u32,
    /// The repository side; none where the project has no checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<RepositoryPin>,
    /// The side of the published documentation; none where the project names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<SitePin>,
}

impl Pin {
    /// A pin of both sides, or of the one that there is.
    ///
    /// Its schema is the lowest that holds it: a pin of a checkout without a site is what older programs wrote.
    pub fn new(repository: Option<RepositoryPin>, site: Option<SitePin>) -> Self {
        let hosted = |pin: &RepositoryPin| pin.host.is_some() || pin.defaults.is_some();
        let schema = match &repository {
            Some(repository) if !repository.siblings.is_empty() => Self::SCHEMA,
            Some(repository) if hosted(repository) => 3,
            Some(_) if site.is_none() => Self::OLDEST,
            Some(_) | None => 2,
        };
        Pin { schema, repository, site }
    }

    /// Every pinned file of the repository.
    pub fn files(&self) -> &[PinnedFile] {
        self.repository.as_ref().map_or(&[], |repository| &repository.files)
    }

    /// Every pinned file, of the repository and of others of its organisation, as a source of a project.
    pub fn sources(&self, project: &Project) -> Vec<PinnedSource<'_>> {
        let own = self.files().iter().map(|file| (file.path.clone(), file));
        let others = self.repository.iter().flat_map(RepositoryPin::of_others);
        own.chain(others.map(|other| (other.key(), other.file)))
            .filter_map(|(key, file)| Some(PinnedSource { url: self.link(project, &key)?, key, file }))
            .collect()
    }

    /// Where the source with a key can be read at the pin; none where there is no repository.
    pub fn link(&self, project: &Project, key: &str) -> Option<String> {
        let pin = self.repository.as_ref()?;
        if let Some(OtherFile { name, commit, file }) = pin.of_others().find(|other| other.key() == key) {
            return Some(project.link_in(name, commit.as_str(), &file.path));
        }
        let name = pin.host.as_ref().map_or(&project.repository, |host| &host.name);
        Some(project.link_in(name, pin.commit.as_str(), key))
    }
}

/// A pinned file as a source of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedSource<'p> {
    /// What names the source: the path, after the name of the repository where that is another than the project's.
    pub key: String,
    /// Where it can be read at the pin.
    pub url: String,
    /// The file.
    pub file: &'p PinnedFile,
}

/// What a documentation site was when it was pinned. Addresses are the published ones, unless they say otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SitePin {
    /// The entry page that was asked for.
    pub entry: Url,
    /// Where it led, after every redirect.
    pub resolved: Url,
    /// The address that the bytes came from: another one where a mirror was read.
    pub served: Url,
    /// Below what all pages of the documentation are.
    pub root: Url,
    /// The digest of the entry page as it was served.
    pub digest: Digest,
    /// What made the site.
    pub generator: Generator,
    /// The word in the address that another version will bear in time, such as `latest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// What whoever reads the pin should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The version.
    pub version: PinnedVersion,
    /// What the site's own list of versions says of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<Listed>,
    /// Everything that states a version, in the order in which it is believed.
    #[serde(default, rename = "claim", skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Where addresses are read that begin with a prefix. The first one that fits counts.
    #[serde(default, rename = "url", skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<UrlRow>,
}

impl SitePin {
    /// Whether an address is one of the site.
    pub fn is_of(&self, url: &Url) -> bool {
        url.origin() == self.root.origin()
    }
}

/// The version of a site, and who says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PinnedVersion {
    /// The site says it, and nothing on it disagrees.
    Claimed {
        /// The version, as the site spells it.
        value: String,
        /// What says it.
        by: ClaimedBy,
    },
    /// A person says it.
    ByHand {
        /// The version.
        value: String,
        /// Why.
        reason: String,
    },
    /// Nothing says it, and a person said that nothing does: the digest of the entry page is all there is.
    Unversioned {
        /// Why.
        reason: String,
    },
}

impl PinnedVersion {
    /// The version, where there is one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Claimed { value, .. } | Self::ByHand { value, .. } => Some(value),
            Self::Unversioned { .. } => None,
        }
    }
}

/// A version that something on a site states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What states it.
    pub by: ClaimedBy,
    /// The version, as it is spelt there.
    pub value: String,
    /// Where.
    pub url: Url,
}

/// What on a site can state a version, in the order in which it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimedBy {
    /// Sphinx's options script.
    SphinxOptions,
    /// The options of Sphinx in the page itself.
    SphinxPage,
    /// The head of Sphinx's inventory.
    SphinxInventory,
    /// The data of Read the Docs.
    ReadTheDocs,
    /// The list of versions that mike or Docusaurus publishes.
    VersionsList,
    /// A meta tag of the page.
    MetaTag,
    /// The title of the page, after the name of the project.
    Title,
}

impl fmt::Display for ClaimedBy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::SphinxOptions => "options script",
            Self::SphinxPage => "options in the page",
            Self::SphinxInventory => "inventory",
            Self::ReadTheDocs => "Read the Docs",
            Self::VersionsList => "list of versions",
            Self::MetaTag => "meta tag",
            Self::Title => "title",
        })
    }
}

/// What made a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// Sphinx.
    Sphinx,
    /// MkDocs, with or without mike.
    Mkdocs,
    /// mdBook.
    Mdbook,
    /// Docusaurus.
    Docusaurus,
    /// Something else, or nothing that says so.
    Unknown,
}

impl fmt::Display for Generator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Sphinx => "Sphinx",
            Self::Mkdocs => "MkDocs",
            Self::Mdbook => "mdBook",
            Self::Docusaurus => "Docusaurus",
            Self::Unknown => "unknown",
        })
    }
}

/// A version in a site's own list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its name in addresses.
    pub version: String,
    /// Its name for readers, where it has another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Words that stand for it in addresses, for now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// One row of the map from published addresses to those that are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrlRow {
    /// How a published address begins.
    pub published: Url,
    /// What stands in place of that beginning where it is read.
    pub served: Url,
}

/// A commit, never a branch name, and the policy files in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryPin {
    /// The commit that was resolved.
    pub commit: ObjectId,
    /// Its committer date, RFC 3339 in UTC: the one time that artifacts may show.
    pub date: String,
    /// What was asked for and resolved to the commit.
    pub resolved_from: String,
    /// What the repository is on its code host, where it was read there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostPin>,
    /// Every policy file that discovery found in the tree, by path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PinnedFile>,
    /// What a pattern found that is no file: symbolic links and submodules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedEntry>,
    /// What the organisation says for repositories that say nothing themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defaults: Option<DefaultsPin>,
    /// The repositories of the organisation whose files the documentation links to, each at a reference.
    #[serde(default, rename = "sibling", skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<SiblingPin>,
}

/// A repository on its code host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPin {
    /// What it was called when it was pinned, which need not be what it was asked for by.
    pub name: Repository,
    /// Its number there, which stays when it is renamed.
    pub id: u64,
    /// The branch that contributions go to.
    pub branch: String,
}

/// The files of an organisation's `.github` repository that hold for a repository without its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultsPin {
    /// That repository.
    pub name: Repository,
    /// The commit that its default branch led to.
    pub commit: ObjectId,
    /// Its committer date, RFC 3339 in UTC.
    pub date: String,
    /// The files that hold, by path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PinnedFile>,
    /// Files of which it is not documented whether they hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedEntry>,
}

/// Another repository of the organisation, with the files of it that the documentation links to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiblingPin {
    /// That repository, as it was called when a file of it was pinned first.
    pub name: Repository,
    /// Its number on the code host, which stays when it is renamed.
    pub id: u64,
    /// What the links name: a branch, a tag, an id, or `HEAD`.
    pub resolved_from: String,
    /// The commit that it led to.
    pub commit: ObjectId,
    /// Its committer date, RFC 3339 in UTC.
    pub date: String,
    /// The files, in the order in which they were linked to; each has its link in the place of a pattern.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PinnedFile>,
}

/// A pinned file of another repository than the project's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherFile<'p> {
    /// The repository.
    pub name: &'p Repository,
    /// The commit that the file is pinned at.
    pub commit: &'p ObjectId,
    /// The file.
    pub file: &'p PinnedFile,
}

impl OtherFile<'_> {
    /// What names the file among the sources of a project.
    pub fn key(&self) -> String {
        format!("{}:{}", self.name, self.file.path)
    }
}

/// An entry of the tree that a pattern found and that has no text of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedEntry {
    /// Path from the top of the repository.
    pub path: String,
    /// Why, in words.
    pub reason: String,
}

/// One policy file of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Path from the top of the repository.
    pub path: String,
    /// What holds its bytes.
    pub blob: ObjectId,
    /// The kind of file that the pattern names, of `stages/discovery.toml`.
    pub kind: String,
    /// The pattern that found it; of a file of a sibling repository, the address that led to it.
    pub pattern: String,
}

impl RepositoryPin {
    /// The pinned file at `path`.
    pub fn file(&self, path: &str) -> Option<&PinnedFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The pinned files of other repositories: what the organisation says for all, then what is linked to.
    pub fn of_others(&self) -> impl Iterator<Item = OtherFile<'_>> {
        let defaults = self.defaults.iter().map(|pin| (&pin.name, &pin.commit, &pin.files));
        let siblings = self.siblings.iter().map(|pin| (&pin.name, &pin.commit, &pin.files));
        defaults
            .chain(siblings)
            .flat_map(|(name, commit, files)| files.iter().map(move |file| OtherFile { name, commit, file }))
    }
}

impl TomlFile for Pin {
    const SCHEMA: u32 = 4;
    const OLDEST: u32 = 1;
    const WHAT: &'static str = "pin";
}

impl TomlRecord for Pin {
    const HEADER: &'static str = "Written by `polc pin`. Every source of the project is read at these blobs.";
}
