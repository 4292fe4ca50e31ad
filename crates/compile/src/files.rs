//! The files of a crate of checkers, and what each says without being compiled.

use crate::pristine::is_pristine;
use polc_checker::diff::lines;
use polc_checker::rust::Rust;
use polc_records::ids::{RuleId, Slug};
use polc_records::store::read_text;
use polc_records::vocabulary::Category;
use polc_records::{Digest, Problem};
use std::path::{Path, PathBuf};

/// The folder of a category's checkers.
pub const fn folder(category: Category) -> &'static str {
    match category {
        Category::Documentation => "documentation",
        Category::Style => "style",
        Category::Tests => "testing",
        Category::Specialized => "specialized",
        Category::PullRequest => "pull_request",
        Category::Git => "git",
        Category::AiPolicy => "ai_policy",
        Category::Quality => "quality",
    }
}

/// How far a checker has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A stub as it was rendered: nobody's work.
    Rendered,
    /// A stub that somebody changed, and that is not written yet.
    Begun,
    /// It is written.
    Written,
}

/// A checker's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckerFile {
    /// The rule, by the name of the file.
    pub rule: RuleId,
    /// The folder.
    pub folder: &'static str,
    /// How far it has come.
    pub progress: Progress,
    /// The digest of what it was written for.
    pub written_for: Digest,
}

impl CheckerFile {
    /// Its source below the crate.
    pub fn source(&self) -> PathBuf {
        source_path(self.folder, &self.rule)
    }

    /// Its cases below the crate.
    pub fn cases(&self) -> PathBuf {
        cases_path(self.folder, &self.rule)
    }
}

/// The source of a rule's checker, below the crate.
pub fn source_path(folder: &str, rule: &RuleId) -> PathBuf {
    Path::new("src").join(folder).join(format!("{}.rs", rule.stem()))
}

/// The cases of a rule's checker, below the crate.
pub fn cases_path(folder: &str, rule: &RuleId) -> PathBuf {
    Path::new("cases").join(folder).join(format!("{}.toml", rule.stem()))
}

/// Reads what is in a crate, in the order of the rules.
///
/// # Errors
/// A file whose name is no rule's, or that has no declaration this program can read.
pub fn read_crate(pack: &Path, slug: &Slug) -> Result<Vec<CheckerFile>, Problem> {
    let mut found: Vec<CheckerFile> = Vec::new();
    for category in Category::ALL {
        let folder = folder(*category);
        let path = pack.join("src").join(folder);
        if !path.is_dir() {
            continue;
        }
        let entries = std::fs::read_dir(&path).map_err(|error| Problem::io(&path, "list", &error))?;
        for entry in entries {
            let file = entry.map_err(|error| Problem::io(&path, "list", &error))?.path();
            if file.extension().is_some_and(|extension| extension == "rs") {
                found.push(read_file(&file, folder, slug)?);
            }
        }
    }
    found.sort_by(|a, b| a.rule.cmp(&b.rule));
    if let Some(pair) = found.windows(2).find(|pair| pair[0].rule == pair[1].rule) {
        return Err(Problem::new(
            &pack.join(pair[1].source()),
            format!("{} has a second file: {}", pair[1].rule, pair[0].source().display()),
            "keep the one in the folder of the rule's category",
        ));
    }
    Ok(found)
}

/// The digest of a crate of checkers: of what its packages, sources and cases say. It is the version of the crate that
/// outcomes name.
///
/// # Errors
/// Where a file cannot be read.
pub fn crate_digest(pack: &Path) -> Result<Digest, Problem> {
    let mut open = vec![pack.to_path_buf()];
    let mut lines = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Problem::io(&folder, "list", &error))?;
        for entry in entries {
            let path = entry.map_err(|error| Problem::io(&folder, "list", &error))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ["rs", "toml"].iter().any(|it| ending == *it)) {
                let bytes = std::fs::read(&path).map_err(|error| Problem::io(&path, "read", &error))?;
                let name = path.strip_prefix(pack).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                lines.push(format!("{name} {}\n", Digest::of(bytes)));
            }
        }
    }
    lines.sort();
    Ok(Digest::of(lines.concat()))
}

fn read_file(path: &Path, folder: &'static str, slug: &Slug) -> Result<CheckerFile, Problem> {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let number = stem.strip_prefix('c').and_then(|digits| digits.parse().ok());
    let rule = number.map(|number| RuleId::new(slug, number)).filter(|rule| rule.stem() == stem);
    let Some(rule) = rule else {
        return Err(Problem::new(
            path,
            "its name is no rule's",
            "name it after the number of its rule, as in `c012.rs`",
        ));
    };
    let text = read_text(path)?;
    let declaration = declaration(path, &text);
    let progress = match (declaration.code.contains("::unwritten("), is_pristine(&text)) {
        (false, _) => Progress::Written,
        (true, false) => Progress::Begun,
        (true, true) => Progress::Rendered,
    };
    let digest = declaration
        .text
        .match_indices("\"sha256:")
        .find_map(|(at, _)| declaration.text[at + 1..].split('"').next()?.parse().ok());
    let Some(written_for) = digest else {
        return Err(Problem::new(
            path,
            "its declaration names no digest of the rule that it is written for",
            "copy the digest from `polc compile status`",
        ));
    };
    Ok(CheckerFile { rule, folder, progress, written_for })
}

/// The source of a checker, in two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parted {
    /// What it does, without a word on whether that is exact.
    pub code: String,
    /// What it says of itself: the declaration, and the paragraphs of its comment on what it goes by.
    pub declaration: String,
}

/// Parts the source of a checker, for somebody who has to judge the code before they read what it says of itself. What
/// it imports tells too, and is left out of both.
pub fn parted(path: &Path, text: &str) -> Parted {
    let (mut code, mut declaration) = (String::new(), String::new());
    let (mut in_import, mut in_declaration, mut in_paragraph) = (false, false, false);
    let rust = Rust::new(&path.to_string_lossy(), text);
    for (line, raw) in rust.lines().iter().zip(text.lines()) {
        let starts = |with: &str| raw.trim_start().starts_with(with);
        in_import |= starts("use polc_checker");
        in_declaration |= line.code.contains("const DECLARATION");
        in_paragraph = starts("///") && raw.trim() != "///" && (in_paragraph || starts("/// *Approximate"));
        if in_declaration || in_paragraph {
            declaration.push_str(raw.trim_start());
            declaration.push('\n');
        } else if !in_import {
            code.push_str(raw);
            code.push('\n');
        }
        if line.code.contains(';') {
            (in_import, in_declaration) = (false, false);
        }
    }
    Parted { code: code.trim_start().to_owned(), declaration }
}

/// The constant that declares a checker, up to its semicolon.
#[derive(Default)]
struct DeclarationText {
    /// Its code without white space, literals and comments.
    code: String,
    /// Its lines without comments.
    text: String,
}

fn declaration(path: &Path, text: &str) -> DeclarationText {
    let mut declaration = DeclarationText::default();
    let rust = Rust::new(&path.to_string_lossy(), text);
    let scanned = rust.lines().iter().zip(lines(text));
    for (line, raw) in scanned.skip_while(|(line, _)| !line.code.contains("const DECLARATION")) {
        declaration.code.extend(line.code.split_whitespace());
        declaration.text.push_str(raw.strip_suffix(&line.comment).unwrap_or(raw));
        if line.code.contains(';') {
            break;
        }
    }
    declaration
}
