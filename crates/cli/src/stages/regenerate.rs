//! `regenerate`: everything that is made after the freeze, again.

use super::copies::{canonical, copy_file, copy_folder, root_beside};
use super::import::imported_labels;
use super::manifest::load_pin;
use super::{classify, compile, papers, workbook};
use crate::exit::CliError;
use polc_checker::cases::RuleReport;
use polc_checker::pack::Blunt;
use polc_compile::build::build;
use polc_compile::sandbox::Confinement;
use polc_records::Problem;
use polc_records::facts::load_facts;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::save_toml;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was made.
pub(crate) struct Regenerated {
    /// The rules of the crate, each with its cases.
    pub(crate) rules: Vec<RuleReport>,
    /// What was kept from the crate while it ran.
    pub(crate) confinement: Confinement,
    /// Whether the corpus is acceptable.
    pub(crate) acceptable: bool,
}

/// Makes everything after the freeze, builds the crate and runs its cases.
pub(crate) fn regenerate(root: &Root, project: &Project) -> Result<Regenerated, CliError> {
    // The quotes are proven against snapshots, which version control does not hold.
    if root.pin(&project.slug).exists() && project.git.is_some() {
        let (pin, _) = load_pin(root, project)?;
        polc_sources::fetch::fetch(root, project, &pin)?;
    }
    if imported_labels(root, &project.slug)?.is_none() {
        classify::classify(root, project)?;
    }
    workbook::export(root, project)?;
    papers::write_rules_file(root, project)?;
    papers::write_run_log(root, project)?;
    let (acceptance, _) = papers::write_acceptance(root, project)?;
    compile::stubs(root, project)?;
    let program = build(root, &project.slug)?;
    let rules = program.cases(Blunt::None)?;
    Ok(Regenerated { rules, confinement: program.confinement(), acceptable: acceptance.holds() })
}

/// A file that is not what would be made.
pub(crate) struct Difference {
    /// The file, below the root.
    pub(crate) file: PathBuf,
    /// What it is; none where it is not there.
    pub(crate) is: Option<Vec<u8>>,
    /// What would be made; none where it would not be there.
    pub(crate) made: Option<Vec<u8>>,
}

/// Makes it all in a root beside this one, and gives every file that differs.
pub(crate) fn compare(home: &Root, project: &Project) -> Result<(Regenerated, Vec<Difference>), CliError> {
    let slug = &project.slug;
    let root = root_beside(home, "regenerate")?;
    copy_folder(&home.manifests(slug), &root.manifests(slug))?;
    copy_folder(&home.corpus_folder(slug), &root.corpus_folder(slug))?;
    copy_folder(&home.pack(slug), &root.pack(slug))?;
    copy_file(&home.generated().join("Cargo.lock"), &root.generated().join("Cargo.lock"))?;
    copy_folder(&home.snapshots(), &root.snapshots())?;
    forget_what_is_made(home, &root, slug)?;
    let git = project.git.as_ref().map(|git| canonical(&home.folder().join(git))).transpose()?;
    let git = git.map(|git| git.display().to_string());
    let there = Project { git, ..project.clone() };
    save_toml(&root.project(slug), &there)?;
    let made = regenerate(&root, &there)?;
    let mut differences = Vec::new();
    for file in files(home, slug)?.union(&files(&root, slug)?) {
        let is = read(&home.folder().join(file))?;
        let made = read(&root.folder().join(file))?;
        if is != made {
            differences.push(Difference { file: file.clone(), is, made });
        }
    }
    Ok((made, differences))
}

/// Takes the files away that are made anew, so that an edit of one is a difference and not a gate. The
/// facts are what an engine answered, and are asked for again only where they cannot be read.
fn forget_what_is_made(home: &Root, root: &Root, slug: &Slug) -> Result<(), CliError> {
    let mut made = vec![root.workbook(slug), root.rules_file(slug), root.acceptance(slug)];
    if imported_labels(home, slug)?.is_none() {
        made.push(root.rules(slug));
    }
    let facts = root.facts(slug);
    if load_facts(&facts).is_err() && !classify::names_a_model(&facts)? {
        made.push(facts);
    }
    for path in made.iter().filter(|path| path.exists()) {
        std::fs::remove_file(path).map_err(|error| Problem::io(path, "remove", &error))?;
    }
    Ok(())
}

/// The files of a project that stages make after the freeze, below the root.
fn files(root: &Root, slug: &Slug) -> Result<BTreeSet<PathBuf>, CliError> {
    let mut found = BTreeSet::new();
    for folder in [root.corpus_folder(slug), root.manifests(slug), root.pack(slug)] {
        below(&folder, &mut found)?;
    }
    let mut files: BTreeSet<PathBuf> = found.iter().map(|file| root.shown(file).to_path_buf()).collect();
    // What people write: it is read, not made.
    files.remove(root.shown(&root.project(slug)));
    Ok(files)
}

fn below(folder: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), CliError> {
    if !folder.is_dir() {
        return Ok(());
    }
    let list = |error: std::io::Error| Problem::io(folder, "list", &error);
    for entry in std::fs::read_dir(folder).map_err(list)? {
        let path = entry.map_err(list)?.path();
        if path.is_dir() {
            below(&path, found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, CliError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::io(path, "read", &error).into()),
    }
}
