//! `init`: a project is described.

use crate::SourcesError;
use polc_git::Repository as GitRepository;
use polc_net::Url;
use polc_records::config::Config;
use polc_records::ids::{Repository, Slug};
use polc_records::layout::Root;
use polc_records::project::{CodeHost, Project};
use polc_records::store::{TomlFile, load_toml, save_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where files of a repository are read on the code host most projects use.
pub const DEFAULT_LINKS: &str = "https://github.com/{repository}/blob/{commit}/{path}";

const INSTANCES: &str = include_str!("../../../stages/instances.toml");

/// What a person says of a new project.
#[derive(Debug, Clone)]
pub struct NewProject {
    /// The repository on its code host.
    pub repository: Repository,
    /// The slug, where it is not the default.
    pub slug: Option<Slug>,
    /// A local checkout, absolute or relative to the folder polc runs in.
    pub git: Option<PathBuf>,
    /// The code host that the repository is read on, where there is no checkout.
    pub host: Option<CodeHost>,
    /// The entry page of its published documentation.
    pub docs: Option<Url>,
    /// The setting.
    pub setting: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instances {
    #[serde(rename = "schema")]
    _schema: u32,
    repositories: Vec<Repository>,
}

impl TomlFile for Instances {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of instances";
}

/// Makes a folder a root, if it is none yet. The runtime for generated crates is the one that polc
/// carries until `polc.toml` says otherwise.
///
/// # Errors
/// Where the file cannot be written.
pub fn ensure_root(folder: &Path) -> Result<Root, SourcesError> {
    let root = Root::new(folder);
    if !root.config().exists() {
        save_toml(&root.config(), &Config::new(None, None))?;
        root.keep_state_apart()?;
    }
    Ok(root)
}

/// Describes a project in `corpora/<slug>/project.toml`.
///
/// # Errors
/// Where the checkout is no git repository, or a project of that slug exists and says otherwise.
pub fn init(root: &Root, new: NewProject) -> Result<Project, SourcesError> {
    let git = match &new.git {
        Some(git) => {
            GitRepository::open(git)?;
            Some(relative_to_root(root, git)?)
        }
        None => None,
    };
    let slug = match new.slug {
        Some(slug) => slug,
        None => default_slug(root, &new.repository)?,
    };
    let schema = Project::schema_for(new.host, new.docs.as_ref());
    let bare = without_checkout(slug.clone(), new.repository, new.setting);
    let project = Project { schema, git, host: new.host, docs: new.docs, ..bare };
    let path = root.project(&slug);
    if path.exists() {
        let present: Project = load_toml(&path)?;
        let differs = [
            ("repository", present.repository != project.repository),
            ("git", present.git != project.git),
            ("host", present.host != project.host),
            ("docs", present.docs != project.docs),
            ("setting", present.setting != project.setting),
        ];
        let what: Vec<&str> = differs.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        if !what.is_empty() {
            let file = root.shown(&path).display().to_string();
            return Err(SourcesError::Exists { slug, what: what.join(" and "), file });
        }
        return Ok(present);
    }
    save_toml(&path, &project)?;
    Ok(project)
}

/// A project that has no checkout, as an imported one.
pub fn without_checkout(slug: Slug, repository: Repository, setting: String) -> Project {
    Project {
        schema: Project::schema_for(None, None),
        slug,
        repository,
        git: None,
        host: None,
        docs: None,
        setting,
        links: DEFAULT_LINKS.to_owned(),
        ignore: Vec::new(),
        patterns: Vec::new(),
        cues: BTreeMap::new(),
    }
}

fn default_slug(root: &Root, repository: &Repository) -> Result<Slug, SourcesError> {
    let instances: Instances = root.data("stages/instances.toml", INSTANCES)?.parse()?;
    let wanted = repository.to_string();
    let known = instances.repositories.iter().any(|known| known.to_string().eq_ignore_ascii_case(&wanted));
    if known { repository.instance_prefix() } else { repository.joined_slug() }.map_err(SourcesError::Slug)
}

/// The checkout as `project.toml` names it: relative to the root where it lies inside, so that a
/// clone of the root can be moved.
fn relative_to_root(root: &Root, git: &Path) -> Result<String, SourcesError> {
    let canonical =
        |path: &Path| path.canonicalize().map_err(|error| polc_records::Problem::io(path, "find", &error));
    let (base, git) = (canonical(root.folder())?, canonical(git)?);
    let shown = match git.strip_prefix(&base) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.display().to_string(),
        Err(_) => git.display().to_string(),
    };
    Ok(shown)
}

/// Opens the checkout of a project.
///
/// # Errors
/// Where it is not there or no git repository.
pub fn open_checkout(root: &Root, project: &Project) -> Result<GitRepository, SourcesError> {
    let Some(git) = &project.git else {
        return Err(polc_records::Problem::new(
            &root.project(&project.slug),
            "the project has no git checkout",
            "name one: `git = \"PATH\"`, relative to the root",
        )
        .field("git")
        .into());
    };
    Ok(GitRepository::open(&root.folder().join(git))?)
}
