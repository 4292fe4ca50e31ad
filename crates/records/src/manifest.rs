//! `manifests/<slug>/manifest.toml`: every source that was assessed, with role, inclusion and reason.

use crate::asked::Asked;
use crate::digest::Digest;
use crate::locator::SectionPath;
use crate::problem::Problem;
use crate::store::{TomlFile, TomlRecord};
use crate::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The manifest of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Schema version.
    pub schema: u32,
    /// The digest of the pin that the sources were read at.
    pub pin: Digest,
    /// The model that assessed the sources; none where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The sources, in traversal order.
    #[serde(default, rename = "source", skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What names the source for good: its path in the repository, or the address of a page, below the root of
    /// the documentation where nothing else is called so.
    pub key: String,
    /// Where it can be read at the pin.
    pub url: String,
    /// The kind of file, of `stages/discovery.toml`.
    pub kind: String,
    /// The bytes that were assessed. Without them only X-FETCH-FAILED can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Digest>,
    /// The role.
    pub role: SourceRole,
    /// How much of it is in scope.
    pub inclusion: Inclusion,
    /// Why it is out, on an excluded source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ExclusionCode>,
    /// The reason, in words.
    pub reason: String,
    /// The source that says the same and that rules are drawn from in its place: a file of the repository is also
    /// rendered as a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_text_as: Option<String>,
    /// The headings in scope, on a partial source.
    #[serde(default, rename = "in", skip_serializing_if = "Vec::is_empty")]
    pub in_scope: Vec<SectionPath>,
    /// The headings out of scope, on a partial source.
    #[serde(default, rename = "out", skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<OutSection>,
}

/// A section that is out of scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutSection {
    /// Its headings.
    pub section: SectionPath,
    /// Why.
    pub code: ExclusionCode,
    /// The reason, in words.
    pub reason: String,
}

/// What role, inclusion and code say together: the only combinations there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Rules are drawn from every section.
    Full,
    /// Rules are drawn from the sections named as in scope.
    Partial,
    /// Read for context only.
    ContextOnly,
    /// Out, with its code.
    Excluded(ExclusionCode),
}

impl Source {
    /// A document that rules are drawn from wholly, for no reason that anybody gave.
    pub fn whole(key: &str, kind: &str, url: &str, snapshot: Digest) -> Self {
        Source {
            key: key.to_owned(),
            url: url.to_owned(),
            kind: kind.to_owned(),
            snapshot: Some(snapshot),
            role: SourceRole::Rules,
            inclusion: Inclusion::Full,
            code: None,
            reason: String::new(),
            same_text_as: None,
            in_scope: Vec::new(),
            out: Vec::new(),
        }
    }

    /// The one meaning of role, inclusion and code.
    ///
    /// # Errors
    /// In words, where they contradict each other.
    pub fn standing(&self) -> Result<Standing, String> {
        if self.snapshot.is_none() && self.code != Some(ExclusionCode::FetchFailed) {
            return Err("it has no snapshot, so nothing but X-FETCH-FAILED can be said of it".to_owned());
        }
        let sections = !self.in_scope.is_empty() || !self.out.is_empty();
        match (self.role, self.inclusion, self.code) {
            (SourceRole::Rules, Inclusion::Full, None) if !sections => Ok(Standing::Full),
            (SourceRole::Rules, Inclusion::Full, None) => Err("a full source names no sections".to_owned()),
            (SourceRole::Rules, Inclusion::Partial, None)
                if self.in_scope.is_empty() || self.out.is_empty() =>
            {
                Err("a partial source names the headings on each side, in `in` and `out`".to_owned())
            }
            (SourceRole::Rules, Inclusion::Partial, None) => Ok(Standing::Partial),
            (SourceRole::ContextOnly, Inclusion::Excluded, None) if !sections => Ok(Standing::ContextOnly),
            (SourceRole::Excluded, Inclusion::Excluded, Some(code)) if !sections => {
                Ok(Standing::Excluded(code))
            }
            (SourceRole::Excluded, Inclusion::Excluded, None) => {
                Err("an excluded source has a code".to_owned())
            }
            (role, inclusion, code) => Err(format!(
                "role `{role}`, inclusion `{inclusion}` and {} do not go together: rules are full or partial and \
                 have no code; context-only and excluded have inclusion `excluded` and no sections",
                code.map_or("no code".to_owned(), |code| format!("code `{code}`")),
            )),
        }
    }

    /// Whether rules are drawn from it, wholly or in part.
    pub fn gives_rules(&self) -> bool {
        matches!(self.standing(), Ok(Standing::Full | Standing::Partial))
    }

    /// Whether rules may be drawn from a section.
    pub fn admits(&self, section: &SectionPath) -> bool {
        match self.standing() {
            Ok(Standing::Full) => true,
            Ok(Standing::Partial) => self.in_scope.contains(section),
            Ok(Standing::ContextOnly | Standing::Excluded(_)) | Err(_) => false,
        }
    }
}

impl Manifest {
    /// A manifest with the lowest schema that holds it, so that older programs read what they can.
    pub fn new(pin: Digest, sources: Vec<Source>, asked: Option<Asked>) -> Self {
        let twice = sources.iter().any(|source| source.same_text_as.is_some());
        let schema = if asked.is_some() || twice { Self::SCHEMA } else { Self::OLDEST };
        Manifest { schema, pin, asked, sources }
    }

    /// Refuses sources that contradict themselves or stand twice.
    ///
    /// # Errors
    /// With the source's key.
    pub fn validate(&self, path: &Path) -> Result<(), Problem> {
        for (index, source) in self.sources.iter().enumerate() {
            let fault = |message: String| {
                Problem::new(path, format!("source `{}`: {message}", source.key), "correct the entry")
            };
            source.standing().map_err(fault)?;
            if self.sources[..index].iter().any(|earlier| earlier.key == source.key) {
                return Err(fault("it stands twice".to_owned()));
            }
            if let Some(other) = &source.same_text_as {
                let known = self.sources.iter().find(|known| known.key == *other && known.key != source.key);
                let known = known.ok_or_else(|| {
                    fault(format!("`same_text_as` names `{other}`, which is no other source"))
                })?;
                if known.same_text_as.is_some() || (known.gives_rules() && source.gives_rules()) {
                    let why = "rules are drawn from one of the two: give the other the role context-only, and it \
                               alone names the first";
                    return Err(fault(format!("it says the same as `{other}`, so {why}")));
                }
            }
            let mut sections: Vec<&SectionPath> =
                source.in_scope.iter().chain(source.out.iter().map(|out| &out.section)).collect();
            sections.sort();
            if let Some(pair) = sections.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(fault(format!("the section `{}` stands twice", pair[0])));
            }
        }
        Ok(())
    }

    /// Reads and validates the file.
    ///
    /// # Errors
    /// As [`crate::store::load_toml`] and [`Manifest::validate`].
    pub fn load(path: &Path) -> Result<Self, Problem> {
        let manifest: Manifest = crate::store::load_toml(path)?;
        manifest.validate(path)?;
        Ok(manifest)
    }

    /// The source with a key.
    pub fn source(&self, key: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.key == key)
    }
}

impl TomlFile for Manifest {
    const SCHEMA: u32 = 2;
    const OLDEST: u32 = 1;
    const WHAT: &'static str = "manifest";
}

impl TomlRecord for Manifest {
    const HEADER: &'static str = "Written by `polc manifest`, for people to read and amend. What you change here survives a rebuild.\n\
        role: rules | context-only | excluded; inclusion: full | partial | excluded.\n\
        A partial source names every heading on one side: `in`, or `out` with code and reason.";
}
