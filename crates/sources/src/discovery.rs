//! Which files of a tree carry policy: patterns are data, matched without regard to case.

use globset::{GlobBuilder, GlobMatcher};
use polc_records::Problem;
use polc_records::layout::{DataFile, Root};
use polc_records::project::Project;
use polc_records::store::TomlFile;
use polc_records::vocabulary::{ExclusionCode, SourceRole};
use serde::Deserialize;
use std::path::Path;

const DISCOVERY: &str = include_str!("../../../stages/discovery.toml");
const PATH: &str = "stages/discovery.toml";

/// A kind of file that carries policy or decides what it means.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The role that a file of it has until a person says otherwise.
    pub role: SourceRole,
    /// Why it is excluded, where it is.
    #[serde(default)]
    pub code: Option<ExclusionCode>,
    /// The reason, in words.
    pub reason: String,
    /// Whether nobody may give such a file the role `rules`.
    #[serde(default)]
    pub fixed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "version")]
    _version: String,
    ignore: Vec<String>,
    #[serde(rename = "kind")]
    kinds: Vec<Kind>,
    #[serde(rename = "pattern")]
    patterns: Vec<Pattern>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    kind: String,
    globs: Vec<String>,
}

impl TomlFile for File {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of discovery patterns";
}

/// The patterns of one project, ready to match.
#[derive(Debug)]
pub struct Discovery {
    kinds: Vec<Kind>,
    ignore: Vec<GlobMatcher>,
    patterns: Vec<(GlobMatcher, usize)>,
}

/// A file that a pattern found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discovered<'d> {
    /// Its kind.
    pub kind: &'d Kind,
    /// The pattern.
    pub pattern: &'d str,
}

impl Discovery {
    /// The patterns that hold for every project, then those of `project`.
    ///
    /// # Errors
    /// A pattern that is no glob, or names a kind that is not described: with file and value.
    pub fn load(root: &Root, project: &Project) -> Result<Self, Problem> {
        let data = root.data(PATH, DISCOVERY)?;
        let mut discovery = Discovery::from_data(&data)?;
        let path = root.project(&project.slug);
        for glob in &project.ignore {
            discovery.ignore.push(matcher(&path, glob)?);
        }
        for pattern in &project.patterns {
            discovery.add(&path, &pattern.glob, &pattern.kind)?;
        }
        Ok(discovery)
    }

    /// The patterns of one file.
    ///
    /// # Errors
    /// As [`Discovery::load`].
    pub fn from_data(data: &DataFile) -> Result<Self, Problem> {
        let file: File = data.parse()?;
        let ignore = file.ignore.iter().map(|glob| matcher(&data.path, glob)).collect::<Result<_, _>>()?;
        let mut discovery = Discovery { kinds: file.kinds, ignore, patterns: Vec::new() };
        for pattern in &file.patterns {
            for glob in &pattern.globs {
                discovery.add(&data.path, glob, &pattern.kind)?;
            }
        }
        Ok(discovery)
    }

    fn add(&mut self, path: &Path, glob: &str, kind: &str) -> Result<(), Problem> {
        let Some(index) = self.kinds.iter().position(|known| known.name == kind) else {
            return Err(Problem::new(
                path,
                format!("`{kind}` is no kind of file"),
                "use one that discovery.toml describes",
            )
            .field("kind")
            .allowed(self.kinds.iter().map(|known| &known.name)));
        };
        self.patterns.push((matcher(path, glob)?, index));
        Ok(())
    }

    /// Whether a path belongs to somebody else.
    pub fn ignores(&self, path: &str) -> bool {
        self.ignore.iter().any(|glob| glob.is_match(path))
    }

    /// What a path is, if any pattern knows it.
    pub fn find(&self, path: &str) -> Option<Discovered<'_>> {
        if self.ignores(path) {
            return None;
        }
        let (glob, kind) = self.patterns.iter().find(|(glob, _)| glob.is_match(path))?;
        Some(Discovered { kind: &self.kinds[*kind], pattern: glob.glob().glob() })
    }

    /// The kinds to which nobody may give the role `rules`.
    pub fn fixed_kinds(&self) -> Vec<&str> {
        self.kinds.iter().filter(|kind| kind.fixed).map(|kind| kind.name.as_str()).collect()
    }

    /// A kind by its name.
    pub fn kind(&self, name: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }
}

fn matcher(path: &Path, glob: &str) -> Result<GlobMatcher, Problem> {
    let built =
        GlobBuilder::new(glob).case_insensitive(true).literal_separator(true).empty_alternates(true).build();
    match built {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => {
            Err(Problem::new(path, format!("`{glob}` is no glob: {}", error.kind()), "correct the pattern"))
        }
    }
}
