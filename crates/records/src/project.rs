//! `corpora/<slug>/project.toml`: what a project is and where it comes from.

use crate::ids::{Repository, Slug};
use crate::store::{TomlFile, TomlRecord};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use url::Url;

/// A project being onboarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Schema version.
    pub schema: u32,
    /// The slug; the rule-id prefix is derived from it.
    pub slug: Slug,
    /// The repository on its code host.
    pub repository: Repository,
    /// A local git checkout, relative to the root (or absolute). An imported corpus may have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    /// The code host that the repository is read on where there is no checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<CodeHost>,
    /// Where its contributors begin to read: the entry page of published documentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docs: Option<Url>,
    /// The setting that decides what is observable: a table of `rubrics/setting.toml`.
    pub setting: String,
    /// Where a file of the repository can be read on the web. `{repository}`, `{commit}` and
    /// `{path}` are filled in.
    pub links: String,
    /// Globs of paths that discovery leaves out, matched without regard to case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Discovery patterns of the project, beside those that hold for every project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<ProjectPattern>,
    /// Phrases of the project for lists of `rubrics/cues.toml`, by table and list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cues: ProjectCues,
}

/// A code host that repositories are read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeHost {
    /// GitHub, or a server that speaks as it does.
    GitHub,
}

/// Where the repository of a project is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'p> {
    /// In a local checkout, also where there is a host.
    Checkout(&'p str),
    /// On its code host.
    Host(CodeHost),
    /// Nowhere: only its published documentation, or an imported corpus, is known.
    Nowhere,
}

/// A file of a repository, as an address names it at whatever commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedFile {
    /// The repository; none where the addresses of the project do not say it.
    pub repository: Option<Repository>,
    /// Whether it is one of those that the organisation says for all of its repositories.
    pub is_default: bool,
    /// The path, as it is encoded in the address.
    path: String,
}

/// Phrases by table and list.
pub type ProjectCues = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// A discovery pattern of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectPattern {
    /// A glob over the whole tree, matched without regard to case.
    pub glob: String,
    /// A kind of file that `stages/discovery.toml` describes.
    pub kind: String,
}

impl Project {
    /// The lowest schema that holds a project with such a host and documentation, so that older programs read what
    /// they can.
    pub fn schema_for(host: Option<CodeHost>, docs: Option<&Url>) -> u32 {
        match (host, docs) {
            (Some(_), _) => Self::SCHEMA,
            (None, Some(_)) => 3,
            (None, None) => Self::OLDEST,
        }
    }

    /// Where the repository is read.
    pub fn place(&self) -> Place<'_> {
        match (&self.git, self.host) {
            (Some(git), _) => Place::Checkout(git),
            (None, Some(host)) => Place::Host(host),
            (None, None) => Place::Nowhere,
        }
    }

    /// The address of a file of a repository at a commit.
    pub fn link_in(&self, repository: &Repository, commit: &str, path: &str) -> String {
        self.links
            .replace("{repository}", &repository.to_string())
            .replace("{commit}", commit)
            .replace("{path}", &encode_path(path))
    }

    /// The file that an address names, where it is one as [`Project::link_in`] makes them.
    pub fn linked(&self, url: &str) -> Option<LinkedFile> {
        let mut rest = url.split('#').next()?;
        let mut parts = self.links.split('{');
        rest = rest.strip_prefix(parts.next()?)?;
        let (mut repository, mut path) = (None, None);
        for part in parts {
            let (name, literal) = part.split_once('}')?;
            let from = if name == "repository" { rest.find('/')? + 1 } else { 0 };
            let end = if literal.is_empty() { rest.len() } else { from + rest[from..].find(literal)? };
            let (value, after) = rest.split_at(end);
            rest = after.strip_prefix(literal)?;
            match name {
                "repository" => repository = Some(value.parse().ok()?),
                "path" => path = Some(value.to_owned()),
                _ if value.is_empty() || value.contains('/') => return None,
                _ => {}
            }
        }
        let path = path.filter(|path| !path.is_empty() && rest.is_empty())?;
        let says_defaults = |name: &Repository| name.says_defaults();
        let is_default = repository.as_ref().is_some_and(says_defaults) && !self.repository.says_defaults();
        Some(LinkedFile { repository, is_default, path })
    }
}

impl LinkedFile {
    /// Whether both have the same path in a repository; in which one is for whoever asks to say.
    pub fn has_path_of(&self, other: &LinkedFile) -> bool {
        self.path == other.path
    }
}

/// Percent-encodes what a URL path cannot hold, and the separator of `Source`.
fn encode_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

impl TomlFile for Project {
    const SCHEMA: u32 = 4;
    const OLDEST: u32 = 2;
    const WHAT: &'static str = "project";
}

impl TomlRecord for Project {
    const HEADER: &'static str = "Written by `polc init`. Edit it freely: every stage reads it again.";
}

#[cfg(test)]
mod tests {
    use super::{Project, encode_path};

    #[test]
    fn a_path_in_a_link_holds_no_separator_and_no_fragment() {
        assert_eq!(encode_path("docs/a b|c#d.md"), "docs/a%20b%7Cc%23d.md");
    }

    fn with(links: &str) -> Project {
        Project {
            schema: 2,
            slug: "zoo".parse().unwrap(),
            repository: "zoo/zoo".parse().unwrap(),
            git: None,
            host: None,
            docs: None,
            setting: "patch".to_owned(),
            links: links.to_owned(),
            ignore: Vec::new(),
            patterns: Vec::new(),
            cues: super::ProjectCues::new(),
        }
    }

    #[test]
    fn what_a_link_names_is_read_back_from_it() {
        let repository = "acme/.github".parse().unwrap();
        for links in [
            "https://github.com/{repository}/blob/{commit}/{path}",
            "https://raw.example/{repository}/{commit}/{path}",
            "https://git.example/{repository}/file/{path}?at={commit}",
            "https://code.example/{commit}/{path}",
        ] {
            let project = with(links);
            for path in ["a.md", "docs/ä b|c#d.md", ".github/x/y.md"] {
                let [one, other] =
                    ["ab12", "main"].map(|commit| project.link_in(&repository, commit, path) + "#top");
                let [one, other] = [one, other].map(|url| project.linked(&url));
                assert!(one.is_some() && one == other, "{links} {path}");
                assert_eq!(one.unwrap().is_default, links.contains("{repository}"), "{links}");
            }
            assert_eq!(project.linked("https://docs.example/a.html"), None);
        }
        let github = with("https://github.com/{repository}/blob/{commit}/{path}");
        for other in [
            "https://github.com/zoo/zoo",
            "https://github.com/zoo/zoo/blob/main/",
            "https://github.com/zoo/zoo/pull/1",
        ] {
            assert_eq!(github.linked(other), None, "{other}");
        }
    }
}
