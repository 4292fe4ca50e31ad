//! The manifest as the baseline assesses it: each source, each section, with a reason (B.2).

use crate::lexis::{Phrases, tokens};
use polc_records::layout::Root;
use polc_records::locator::SectionPath;
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::store::TomlFile;
use polc_records::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use polc_records::{Digest, Problem};
use polc_text::Document;
use serde::Deserialize;

const SECTIONS: &str = include_str!("../../../rubrics/sections.toml");

/// What a kind of file is until a person says otherwise.
#[derive(Debug, Clone, Copy)]
pub struct KindDefaults<'k> {
    /// Its role.
    pub role: SourceRole,
    /// Why it is excluded, where it is.
    pub code: Option<ExclusionCode>,
    /// The reason, in words.
    pub reason: &'k str,
}

/// A pinned file, or a page, with what was read of it.
#[derive(Debug)]
pub struct Candidate<'p> {
    /// What it is called: the path of a file, the address of a page below the documentation's root.
    pub key: &'p str,
    /// The kind of file that it is, or [`PAGE`].
    pub kind: &'p str,
    /// Where it can be read at the pin.
    pub url: String,
    /// What its kind is.
    pub defaults: KindDefaults<'p>,
    /// The bytes, and their text or why there is none.
    pub read: Result<(Digest, Document), String>,
    /// How many obligations the baseline finds in a page: a site has many pages without any, which are
    /// no sources of rules. Not asked of a file, which is there because of its kind.
    pub obligations: Option<usize>,
}

/// The kind of a page of a documentation site.
pub const PAGE: &str = "page";

/// The headings that put a section out of scope.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headings {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "version")]
    _version: String,
    #[serde(rename = "heading")]
    lists: Vec<HeadingList>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadingList {
    code: ExclusionCode,
    reason: String,
    words: Phrases,
}

impl TomlFile for Headings {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of headings";
}

impl Headings {
    /// Reads the root's copy, or the one built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`].
    pub fn load(root: &Root) -> Result<Self, Problem> {
        root.data("rubrics/sections.toml", SECTIONS)?.parse()
    }

    /// Why a section is out, by its own heading or one above it.
    pub fn exclusion(&self, path: &SectionPath) -> Option<(ExclusionCode, String)> {
        path.0.iter().find_map(|heading| {
            let words = tokens(heading);
            let list = self.lists.iter().find(|list| list.words.any(&words))?;
            Some((list.code, format!("{} (heading `{heading}`)", list.reason)))
        })
    }
}

/// The sections of a document that hold any sentence, in order, each once.
pub fn sections(document: &Document) -> Vec<SectionPath> {
    let mut found: Vec<SectionPath> = Vec::new();
    for block in &document.blocks {
        let heading = block.kind == polc_text::BlockKind::Heading;
        if heading || block.prose.plain.trim().is_empty() {
            continue;
        }
        let path = &document.section_of(block).path;
        if !found.contains(path) {
            found.push(path.clone());
        }
    }
    found
}

/// Assesses every pinned file.
pub fn assess(headings: &Headings, pin: Digest, candidates: &[Candidate<'_>]) -> Manifest {
    let sources = candidates.iter().map(|candidate| assess_one(headings, candidate)).collect();
    Manifest::new(pin, sources, None)
}

pub(crate) fn assess_one(headings: &Headings, candidate: &Candidate<'_>) -> Source {
    let kind = candidate.defaults;
    let mut source = Source {
        key: candidate.key.to_owned(),
        url: candidate.url.clone(),
        kind: candidate.kind.to_owned(),
        snapshot: None,
        role: kind.role,
        inclusion: Inclusion::Excluded,
        code: kind.code,
        reason: kind.reason.to_owned(),
        same_text_as: None,
        in_scope: Vec::new(),
        out: Vec::new(),
    };
    let document = match &candidate.read {
        Ok((digest, document)) => {
            source.snapshot = Some(*digest);
            document
        }
        Err(why) => {
            source.role = SourceRole::Excluded;
            source.code = Some(ExclusionCode::FetchFailed);
            source.reason.clone_from(why);
            return source;
        }
    };
    if kind.role == SourceRole::Rules {
        match off_topic(headings, candidate, document) {
            Some((code, reason)) => {
                source.role = SourceRole::Excluded;
                source.code = Some(code);
                source.reason = reason;
            }
            None => assess_sections(headings, document, &mut source),
        }
    }
    source
}

/// Why a page as a whole is no source of rules: by its title, or because it obliges nobody.
fn off_topic(
    headings: &Headings,
    candidate: &Candidate<'_>,
    document: &Document,
) -> Option<(ExclusionCode, String)> {
    let obligations = candidate.obligations?;
    let by_title =
        document.title.as_ref().and_then(|title| headings.exclusion(&SectionPath(vec![title.clone()])));
    let by_content =
        (obligations == 0).then(|| (ExclusionCode::Narrative, "no obligation was found in it".to_owned()));
    by_title.or(by_content)
}

fn assess_sections(headings: &Headings, document: &Document, source: &mut Source) {
    let mut sides = Sides::default();
    for section in sections(document) {
        match headings.exclusion(&section) {
            Some((code, reason)) => sides.out.push(OutSection { section, code, reason }),
            None => sides.in_scope.push(section),
        }
    }
    sides.conclude(source, false);
}

/// The sections of a source, in and out.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    pub(crate) in_scope: Vec<SectionPath>,
    pub(crate) out: Vec<OutSection>,
}

impl Sides {
    /// What a source comes to. Where nothing is in, it may still be needed for context.
    pub(crate) fn conclude(self, source: &mut Source, needed_for_context: bool) {
        let Sides { in_scope, out } = self;
        source.code = None;
        (source.in_scope, source.out) = (Vec::new(), Vec::new());
        match (in_scope.is_empty(), out.first()) {
            (true, _) if needed_for_context => {
                source.role = SourceRole::ContextOnly;
                source.inclusion = Inclusion::Excluded;
            }
            (true, first) => {
                source.role = SourceRole::Excluded;
                source.inclusion = Inclusion::Excluded;
                source.code = Some(first.map_or(ExclusionCode::Narrative, |first| first.code));
                source.reason = first.map_or_else(
                    || "it holds no sentence".to_owned(),
                    |first| format!("every section is out; the first: {}", first.reason),
                );
            }
            (false, None) => {
                source.role = SourceRole::Rules;
                source.inclusion = Inclusion::Full;
            }
            (false, Some(_)) => {
                source.role = SourceRole::Rules;
                source.inclusion = Inclusion::Partial;
                (source.in_scope, source.out) = (in_scope, out);
            }
        }
    }
}
