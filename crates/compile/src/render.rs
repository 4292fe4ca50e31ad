//! `compile --stubs`: a crate for a corpus, with a stub for every binding rule that has no checker.

use crate::CompileError;
use crate::files::{CheckerFile, Progress, cases_path, folder, read_crate, source_path};
use crate::plan::Plan;
use crate::pristine::{is_free, seal};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use polc_records::corpus::{Corpus, CorpusRow};
use polc_records::ids::{RuleId, Slug};
use polc_records::layout::Root;
use polc_records::store::write_atomically;
use polc_records::visible::visible;
use polc_records::{Digest, Problem};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What rendering did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// Rules whose checker is still to be written: their stub was rendered, or somebody has begun it.
    pub stubs: Vec<RuleId>,
    /// Checkers of somebody's whose rule has another text now: nothing of them was touched.
    pub changed: Vec<RuleId>,
    /// Checkers of somebody's whose rule does not bind any more: moved to `orphaned/`.
    pub orphaned: Vec<RuleId>,
    /// Stubs, as they were rendered, whose rule does not bind any more: removed.
    pub removed: Vec<RuleId>,
    /// Written checkers that stand.
    pub written: Vec<RuleId>,
}

/// The folder below a crate that holds checkers without a rule.
const ORPHANED: &str = "orphaned";

/// Renders the crate of a project. Only files that are as they were rendered are replaced or removed.
///
/// # Errors
/// Where a file cannot be read or written, or would be moved over another one.
pub fn render(
    root: &Root,
    slug: &Slug,
    corpus: &Corpus,
    corpus_digest: Digest,
) -> Result<Rendered, CompileError> {
    let pack = root.pack(slug);
    let templates = templates()?;
    let mut rendered = Rendered::default();
    let mut plan = Plan::default();
    let present = read_crate(&pack, slug)?;
    for row in corpus.binding() {
        let file = present.iter().find(|file| file.rule == row.id);
        render_rule(&templates, &pack, row, file, &mut plan, &mut rendered)?;
    }
    for file in present.iter().filter(|file| corpus.row(&file.rule).is_none_or(|row| !row.is_binding())) {
        put_away(&pack, file, &mut plan, &mut rendered)?;
    }
    plan.carry_out()?;
    write_atomically(&pack.join("Cargo.toml"), manifest(slug).as_bytes())?;
    let registry = registry(slug, &corpus_digest.to_string(), &read_crate(&pack, slug)?)?;
    write_atomically(&pack.join("src/main.rs"), registry.as_bytes())?;
    write_atomically(&root.generated().join("Cargo.toml"), workspace(root)?.as_bytes())?;
    Ok(rendered)
}

fn templates() -> Result<Environment<'static>, CompileError> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.add_template("stub.rs", include_str!("../templates/stub.rs.j2"))?;
    templates.add_template("cases.toml", include_str!("../templates/cases.toml.j2"))?;
    templates.add_template("main.rs", include_str!("../templates/main.rs.j2"))?;
    Ok(templates)
}

/// The digest that the declaration of a rule's checker names.
///
/// # Errors
/// Only where the row cannot be written as JSON, which is a fault of ours.
pub fn rule_digest(path: &Path, row: &CorpusRow) -> Result<Digest, Problem> {
    row.checker_digest().map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))
}

fn struct_name(rule: &RuleId) -> String {
    rule.stem().to_uppercase()
}

fn render_rule(
    templates: &Environment<'_>,
    pack: &Path,
    row: &CorpusRow,
    file: Option<&CheckerFile>,
    plan: &mut Plan,
    rendered: &mut Rendered,
) -> Result<(), CompileError> {
    let wanted = folder(row.category);
    let (source, cases) = (source_path(wanted, &row.id), cases_path(wanted, &row.id));
    let cases_now = file.map_or_else(|| cases.clone(), CheckerFile::cases);
    if let Some(file) = file.filter(|file| file.folder != wanted) {
        plan.rename(pack.join(file.source()), pack.join(&source));
        plan.rename(pack.join(&cases_now), pack.join(&cases));
    }
    let digest = rule_digest(pack, row)?;
    if is_free(&pack.join(cases_now))? {
        let text = fill(templates, "cases.toml", &StubText::of(row, digest))?;
        plan.write(pack.join(cases), seal(&text, "#").into_bytes());
    }
    match file {
        None | Some(CheckerFile { progress: Progress::Rendered, .. }) => {
            let text = fill(templates, "stub.rs", &StubText::of(row, digest))?;
            plan.write(pack.join(source), seal(&text, "//").into_bytes());
            rendered.stubs.push(row.id.clone());
        }
        Some(file) if file.written_for != digest => rendered.changed.push(row.id.clone()),
        Some(CheckerFile { progress: Progress::Begun, .. }) => rendered.stubs.push(row.id.clone()),
        Some(CheckerFile { progress: Progress::Written, .. }) => rendered.written.push(row.id.clone()),
    }
    Ok(())
}

/// What the templates of a stub are filled with.
#[derive(Serialize)]
struct StubText {
    id: String,
    name: String,
    rule: String,
    quote: String,
    url: String,
    section: String,
    trigger: Option<String>,
    evidence: &'static str,
    digest: String,
}

impl StubText {
    fn of(row: &CorpusRow, digest: Digest) -> Self {
        StubText {
            id: row.id.to_string(),
            name: struct_name(&row.id),
            rule: doc_text(&row.rule),
            quote: doc_text(&row.original),
            url: row.source.url.clone(),
            section: doc_text(&row.source.section.to_string()),
            trigger: row.trigger.as_deref().map(doc_text),
            evidence: row.evidence.as_str(),
            digest: digest.to_string(),
        }
    }
}

/// The text that a template comes to.
fn fill(templates: &Environment<'_>, name: &str, values: &impl Serialize) -> Result<String, CompileError> {
    let mut text = templates.get_template(name)?.render(Value::from(Serde(values)))?;
    text.push('\n');
    Ok(text)
}

fn one_line(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text for a doc comment: one line, in which brackets make no links and no tags, outside of code.
fn doc_text(text: &str) -> String {
    let mut escaped = String::new();
    for (number, part) in one_line(text).split('`').enumerate() {
        if number > 0 {
            escaped.push('`');
        }
        let is_code = number % 2 == 1;
        for c in part.chars() {
            if !is_code && matches!(c, '[' | ']' | '<') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

/// What somebody made for a rule that does not bind any more goes to `orphaned/`, checker and cases
/// together; what was only rendered goes away.
fn put_away(
    pack: &Path,
    file: &CheckerFile,
    plan: &mut Plan,
    rendered: &mut Rendered,
) -> Result<(), CompileError> {
    let paths = [file.source(), file.cases()];
    if file.progress == Progress::Rendered && is_free(&pack.join(file.cases()))? {
        paths.iter().for_each(|path| plan.remove(pack.join(path)));
        rendered.removed.push(file.rule.clone());
    } else {
        paths.iter().for_each(|path| plan.rename(pack.join(path), pack.join(ORPHANED).join(path)));
        rendered.orphaned.push(file.rule.clone());
    }
    Ok(())
}

/// The checkers in `orphaned/`: the rule each was for, and its file.
///
/// # Errors
/// As [`read_crate`].
pub fn orphans(pack: &Path, slug: &Slug) -> Result<Vec<(RuleId, PathBuf)>, Problem> {
    let files = read_crate(&pack.join(ORPHANED), slug)?;
    Ok(files.into_iter().map(|file| (file.rule.clone(), Path::new(ORPHANED).join(file.source()))).collect())
}

/// What the template of the registry is filled with.
#[derive(Serialize)]
struct Registry<'r> {
    project: &'r str,
    corpus: String,
    folders: Vec<FolderModules>,
    entries: Vec<RegistryEntry>,
}

#[derive(Serialize)]
struct FolderModules {
    name: &'static str,
    modules: Vec<String>,
}

#[derive(Serialize)]
struct RegistryEntry {
    folder: &'static str,
    stem: String,
    name: String,
    id: String,
}

/// The registry of a crate with these checkers, compiled from a corpus with this digest.
pub(crate) fn registry(slug: &Slug, corpus: &str, files: &[CheckerFile]) -> Result<String, CompileError> {
    let mut folders: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for file in files {
        folders.entry(file.folder).or_default().push(file.rule.stem());
    }
    let folders: Vec<FolderModules> =
        folders.into_iter().map(|(name, modules)| FolderModules { name, modules }).collect();
    let entries: Vec<RegistryEntry> = files
        .iter()
        .map(|file| RegistryEntry {
            folder: file.folder,
            stem: file.rule.stem(),
            name: struct_name(&file.rule),
            id: file.rule.to_string(),
        })
        .collect();
    let registry = Registry { project: slug.as_str(), corpus: corpus.to_owned(), folders, entries };
    fill(&templates()?, "main.rs", &registry)
}

/// The name of a project's crate: cargo takes no name that begins with a digit or holds a dot, and a
/// slug may do both.
pub fn crate_name(slug: &Slug) -> String {
    format!("checkers-{}", slug.as_str().replace('.', "-dot-"))
}

/// The manifest of a project's crate.
pub(crate) fn manifest(slug: &Slug) -> String {
    let name = crate_name(slug);
    format!(
        "# Made by `polc compile`: do not edit it.\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         publish = false\n\n[dependencies]\npolc-checker.workspace = true\n\n[lints]\nworkspace = true\n"
    )
}

/// The workspace of all crates of checkers of a root.
pub(crate) fn workspace(root: &Root) -> Result<String, CompileError> {
    let generated = root.generated();
    let mut members = Vec::new();
    let entries = std::fs::read_dir(&generated).map_err(|error| Problem::io(&generated, "list", &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Problem::io(&generated, "list", &error))?.path();
        if let (true, Some(name)) = (path.join("Cargo.toml").is_file(), path.file_name()) {
            members.push(format!("\"{}\"", name.to_string_lossy()));
        }
    }
    members.sort();
    let runtime = crate::runtime::locate(root)?;
    Ok(format!(
        "# Made by `polc compile`: do not edit it. A workspace of its own: the code in it is written for a\n\
         # project, and depends on the runtime alone.\n[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n\
         [workspace.dependencies]\npolc-checker = {{ path = \"{runtime}\" }}\n\n[workspace.lints.rust]\n\
         unsafe_code = \"forbid\"\n\n[profile.dev]\ndebug = false\n",
        members.join(", ")
    ))
}
