//! Grounding: every quote of a row in the snapshots, never fuzzily (invariant 5).

use crate::documents::ReadSource;
use polc_records::extraction::ExtractionRow;
use polc_records::ids::Repository;
use polc_records::locator::{Locator, SectionPath, SourceReference};
use polc_records::pin::UrlRow;
use polc_records::project::{LinkedFile, Project};
use polc_records::proposal::{ContextQuote, Row};
use polc_text::locate::{ChosenBy, Found, Index, Readings, Wanted, pieces};
use polc_text::nearest::Nearest;
use serde::Serialize;
use std::collections::BTreeMap;

/// The retrieved sources, made ready for many quotes.
pub struct Grounds<'s> {
    sources: Vec<(&'s ReadSource<'s>, Index<'s>)>,
    names: Names,
    by_url: BTreeMap<&'s str, usize>,
}

/// Under which addresses sources are known beside their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Where published addresses are read.
    pub urls: Vec<UrlRow>,
    /// Pages that are another page: their address and that of the other.
    pub same_as: BTreeMap<String, String>,
    /// Whose files addresses of repositories name.
    pub files: Vec<Files>,
}

/// The files of a project in its repository: a row may name another revision, or a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The project, which says what its addresses look like.
    pub project: Project,
    /// What its repository is called, or was.
    pub own: Vec<Repository>,
}

/// What became of the quotes of a frozen or released row.
#[derive(Debug, Clone, PartialEq)]
pub enum Grounding {
    /// They stand in their sources.
    Stands(Place),
    /// The rule's own quote stands only where the manifest admits no rule.
    NotAdmitted {
        /// The source, by its key.
        source: String,
        /// Where in it.
        section: SectionPath,
    },
    /// A quote is not in the source that it has to stand in.
    NotFound(Missing),
    /// The source was not retrieved.
    NotHeld,
}

/// Where the rule's own quote stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The source, by its key.
    pub source: String,
    /// The place that is meant; where nothing tells which one is, the first.
    pub locator: Locator,
    /// In how many places of the source the quote stands.
    pub places: usize,
    /// What told which one is meant; none where nothing did.
    pub told_by: Option<ToldBy>,
}

/// What told which of several places is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldBy {
    /// There is no other.
    Only,
    /// The section that was named.
    Section,
    /// The text before it.
    Before,
    /// Its number among them.
    Occurrence,
    /// It is the only one that the manifest admits.
    Manifest,
}

impl From<ChosenBy> for ToldBy {
    fn from(by: ChosenBy) -> Self {
        match by {
            ChosenBy::Only => ToldBy::Only,
            ChosenBy::Section => ToldBy::Section,
            ChosenBy::Before => ToldBy::Before,
            ChosenBy::Occurrence => ToldBy::Occurrence,
        }
    }
}

/// A quote that was not found.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    /// What the row quotes it for.
    pub quoted: Quoted,
    /// The quote.
    pub quote: String,
    /// What was searched, in words.
    pub searched: String,
    /// The passage that it resembles most, with the key of its source.
    pub nearest: Option<(String, Nearest)>,
    /// What is known of it all the same.
    pub known: Option<Known>,
}

/// What a row quotes a text for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quoted {
    /// The rule itself.
    Rule,
    /// What its level turns on.
    Context,
}

/// What can be said of a quote that was not found. It is no match for all that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// It stands in another source, which has this key.
    Elsewhere(String),
    /// It is of several sentences or lines, and so many of them stand in the source, each on its own.
    Pieces {
        /// How many stand there.
        found: usize,
        /// How many there are.
        of: usize,
    },
}

impl<'s> Grounds<'s> {
    /// Prepares every retrieved source: rules are quoted from those that the manifest admits, context
    /// from any.
    pub fn new(sources: &'s [ReadSource<'s>]) -> Self {
        let by_url = sources.iter().enumerate().rev().map(|(at, read)| (read.source.url.as_str(), at));
        Grounds {
            sources: sources.iter().map(|read| (read, Index::new(&read.document))).collect(),
            names: Names::default(),
            by_url: by_url.collect(),
        }
    }

    /// The same, with sources that are known under other addresses too.
    #[must_use]
    pub fn known_as(self, names: Names) -> Self {
        Grounds { names, ..self }
    }

    /// The source with a key.
    pub fn source(&self, key: &str) -> Option<&'s ReadSource<'s>> {
        self.sources.iter().map(|(read, _)| *read).find(|read| read.source.key == key)
    }

    /// Where a row's quote stands: where it was recorded, if the snapshot says there what the row
    /// quotes, else where it is found. Its context quotes have to stand somewhere too.
    ///
    /// # Errors
    /// In words: not found, with the nearest passage as a difference; ambiguous; not admitted.
    pub fn prove(&self, row: &Row, recorded: Option<&Locator>) -> Result<Locator, String> {
        let Some((read, index)) = self.sources.iter().find(|(read, _)| read.source.key == row.source) else {
            return Err(format!("`{}` is no source that was retrieved", row.source));
        };
        let document = &read.document;
        let stands = |place: &&Locator| {
            place.snapshot == document.snapshot
                && place.derivation == document.format.derivation()
                && document.quote(place) == row.quote
        };
        let locator = match recorded.filter(stands) {
            Some(place) => place.clone(),
            None => locate(index, row)?,
        };
        if let Some(segment) = locator.segments.iter().find(|segment| !read.source.admits(&segment.section)) {
            return Err(not_admitted(&read.source.key, &segment.section, &row.quote));
        }
        match self.missing_context(&row.context) {
            Some(missing) => Err(missing.to_string()),
            None => Ok(locator),
        }
    }

    /// Whether the source at an address was retrieved.
    pub fn hold(&self, source: &SourceReference) -> bool {
        self.at(source).is_some()
    }

    fn at(&self, source: &SourceReference) -> Option<&(&'s ReadSource<'s>, Index<'s>)> {
        let url = page(source);
        let known = self.names.of(url);
        let exact = known.iter().find_map(|url| self.by_url.get(url.as_str()));
        let alike = || {
            let sources = || self.sources.iter().map(|(read, _)| read.source.url.as_str());
            let revision = sources().position(|held| self.names.is_revision(held, url));
            let shape = || sources().position(|held| known.iter().any(|url| bare(url) == bare(held)));
            revision.or_else(shape)
        };
        let at = exact.copied().or_else(alike)?;
        self.sources.get(at)
    }

    /// What became of the quotes of a frozen or released row.
    pub fn examine(&self, row: &ExtractionRow) -> Grounding {
        let Some((read, index)) = self.at(&row.source) else { return Grounding::NotHeld };
        let wanted = Wanted {
            quote: &row.original,
            section: Some(&row.source.section),
            after: row.notes.preceding.as_deref(),
            occurrence: None,
        };
        let Some(found) = index.seek(wanted) else {
            return Grounding::NotFound(self.missing_rule(row, read, index));
        };
        let place = match place(read, &found) {
            Ok(place) => place,
            Err(section) => {
                return Grounding::NotAdmitted { source: read.source.key.clone(), section };
            }
        };
        match self.missing_context(row.context.quotes()) {
            Some(missing) => Grounding::NotFound(missing),
            None => Grounding::Stands(place),
        }
    }

    fn missing_rule(&self, row: &ExtractionRow, read: &ReadSource<'_>, index: &Index<'_>) -> Missing {
        let wanted = Wanted { quote: &row.original, ..Wanted::default() };
        let readings = Readings::of(&row.original);
        let elsewhere = self.sources.iter().find(|(_, other)| other.seek_read(wanted, &readings).is_some());
        let known = elsewhere.map(|(read, _)| Known::Elsewhere(read.source.key.clone())).or_else(|| {
            let pieces = pieces(&row.original);
            let stands = |piece: &&String| index.seek(Wanted { quote: piece, ..Wanted::default() }).is_some();
            let found = pieces.iter().filter(stands).count();
            (pieces.len() > 1).then_some(Known::Pieces { found, of: pieces.len() })
        });
        Missing {
            quoted: Quoted::Rule,
            quote: row.original.clone(),
            searched: format!("`{}`", page(&row.source)),
            nearest: index.nearest(&row.original).map(|nearest| (read.source.key.clone(), nearest)),
            known,
        }
    }

    fn missing_context(&self, context: &[ContextQuote]) -> Option<Missing> {
        let stands = |context: &&ContextQuote| {
            let wanted = Wanted { quote: &context.quote, ..Wanted::default() };
            let readings = Readings::of(&context.quote);
            self.sources.iter().any(|(_, index)| index.seek_read(wanted, &readings).is_some())
        };
        let context = context.iter().find(|context| !stands(context))?;
        let passages = self.sources.iter().filter_map(|(read, index)| {
            index.nearest(&context.quote).map(|nearest| (read.source.key.clone(), nearest))
        });
        Some(Missing {
            quoted: Quoted::Context,
            quote: context.quote.clone(),
            searched: "any retrieved source".to_owned(),
            nearest: passages.reduce(|best, next| if next.1.ratio > best.1.ratio { next } else { best }),
            known: None,
        })
    }
}

impl Names {
    /// The addresses that one may stand for, itself first.
    fn of(&self, url: &str) -> Vec<String> {
        let mut known = vec![url.to_owned()];
        let published = self.urls.iter().filter_map(|row| {
            url.strip_prefix(row.served.as_str()).map(|rest| format!("{}{rest}", row.published))
        });
        known.extend(published);
        let others: Vec<String> = known.iter().filter_map(|url| self.same_as.get(url)).cloned().collect();
        known.extend(others);
        known
    }

    /// Whether an address names the file of another one at another revision.
    fn is_revision(&self, held: &str, url: &str) -> bool {
        self.files.iter().any(|Files { project, own }| {
            let (Some(held), Some(named)) = (project.linked(held), project.linked(url)) else { return false };
            let is_own = |file: &LinkedFile| file.repository.as_ref().is_none_or(|name| own.contains(name));
            let same = held.repository == named.repository || (is_own(&held) && is_own(&named));
            same && held.has_path_of(&named)
        })
    }
}

/// The address without the place on the page.
fn page(source: &SourceReference) -> &str {
    source.url.split('#').next().unwrap_or_default()
}

/// An address without what servers add to it or leave away.
fn bare(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    let url = url.strip_suffix(".html").unwrap_or(url);
    url.strip_suffix("/index").unwrap_or(url)
}

/// The place that is meant, among those that are admitted.
fn place(read: &ReadSource<'_>, found: &Found) -> Result<Place, SectionPath> {
    let refused = |locator: &Locator| {
        locator
            .segments
            .iter()
            .map(|segment| &segment.section)
            .find(|section| !read.source.admits(section))
            .cloned()
    };
    let admitted: Vec<usize> =
        (0..found.candidates.len()).filter(|index| refused(&found.candidates[*index]).is_none()).collect();
    let Some(first) = admitted.first() else {
        let section = found.locator().or(found.candidates.first()).and_then(refused);
        return Err(section.unwrap_or_default());
    };
    let chosen = found.chosen.filter(|chosen| admitted.contains(&chosen.index));
    let (index, told_by) = match chosen {
        Some(chosen) => (chosen.index, Some(chosen.by.into())),
        None => (*first, (admitted.len() == 1).then_some(ToldBy::Manifest)),
    };
    Ok(Place {
        source: read.source.key.clone(),
        locator: found.candidates[index].clone(),
        places: found.candidates.len(),
        told_by,
    })
}

fn locate(index: &Index<'_>, row: &Row) -> Result<Locator, String> {
    let wanted = Wanted {
        quote: &row.quote,
        section: Some(&row.section),
        after: row.preceding.as_deref(),
        occurrence: Some(row.occurrence as usize),
    };
    let found = index
        .find(wanted)
        .map_err(|nearest| not_found(&format!("`{}`", row.source), &row.quote, nearest.as_ref()))?;
    found.locator().cloned().ok_or_else(|| {
        format!("the quote stands {} times in `{}`: {}", found.candidates.len(), row.source, row.quote)
    })
}

/// A section that gives no rules, in words.
pub fn not_admitted(source: &str, section: &SectionPath, quote: &str) -> String {
    format!(
        "the quote stands in the section `{section}` of `{source}`, which the manifest does not admit: {quote}"
    )
}

impl std::fmt::Display for Missing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nearest = self.nearest.as_ref().map(|(_, nearest)| nearest);
        out.write_str(&not_found(&self.searched, &self.quote, nearest))?;
        match &self.known {
            None => Ok(()),
            Some(Known::Elsewhere(source)) => write!(out, "\n  it stands in `{source}`"),
            Some(Known::Pieces { found, of }) => {
                write!(out, "\n  of its {of} pieces {found} stand there, each on its own")
            }
        }
    }
}

fn not_found(source: &str, quote: &str, nearest: Option<&Nearest>) -> String {
    let nearest = nearest.map_or("no passage shares a word with it".to_owned(), |nearest| {
        format!("nearest passage, in `{}`: {nearest}", nearest.section)
    });
    format!("the quote is not in {source}: {quote}\n  {nearest}")
}
