//! What became of every rule since its source was read: the frozen rows beside the sources of today.
//!
//! A rule is found by its quote, by the one normalisation and never approximately. Only where it is not found is a
//! sentence looked for that took its place, and only among sentences that were not there before.

mod near;
mod today;

pub use near::{ELSEWHERE, IN_PLACE, Side};
pub(crate) use today::narrowed;
pub use today::{Reading, Today};

use crate::ExtractionError;
use crate::assess::{Headings, PAGE};
use crate::cues::Cues;
use near::{Passage, Successors};
use polc_records::extraction::ExtractionRow;
use polc_records::ids::RuleId;
use polc_records::ledger::LedgerLine;
use polc_records::locator::{Locator, SectionPath};
use polc_records::manifest::{Manifest, Source};
use polc_records::project::Project;
use polc_text::locate::Wanted;
use std::collections::{BTreeMap, BTreeSet};
use today::{Read, ReadToday, Scope, Was, folded};

/// What was read when the rules were frozen.
#[derive(Debug, Clone, Copy)]
pub struct Then<'t> {
    /// The project.
    pub project: &'t Project,
    /// Its sources.
    pub manifest: &'t Manifest,
    /// The frozen rows.
    pub rows: &'t [ExtractionRow],
    /// Every sentence that was in scope.
    pub ledger: &'t [LedgerLine],
}

/// A place in the documentation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The source, by its key.
    pub source: String,
    /// The section.
    pub section: SectionPath,
    /// The address, with the element.
    pub url: String,
}

impl Place {
    fn element(&self) -> Option<&str> {
        self.url.split_once('#').map(|(_, element)| element)
    }
}

/// What of a rule has another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its own sentence.
    Quote,
    /// A sentence of its section that its level turns on.
    Context,
}

/// A text that took the place of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What of the rule it concerns.
    pub part: Part,
    /// The text now; none where a context went without one in its place.
    pub passage: Option<String>,
    /// What part of the words is the same, from 0 to 1.
    pub similar: f32,
    /// Word by word.
    pub difference: Vec<(Side, String)>,
}

/// What became of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It stands where it stood.
    Same,
    /// It stands elsewhere.
    Moved(Place),
    /// Another text is in its place.
    Changed(Place, Change),
    /// It is not there any more, and why that is said.
    Gone(String),
    /// Its source could not be read, and why.
    Unknown(String),
}

/// A rule and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleDrift {
    /// The rule.
    pub rule: RuleId,
    /// Its quote.
    pub quote: String,
    /// Where it stood.
    pub then: Place,
    /// What became of it.
    pub fate: Fate,
}

/// An obligation that no rule has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSentence {
    /// Where it stands.
    pub place: Place,
    /// The source's own text.
    pub quote: String,
    /// What the baseline makes of it.
    pub rule: String,
    /// Why the baseline takes it for an obligation.
    pub found_by: String,
}

/// What became of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceFate {
    /// It was not there, or was not read; with how many obligations the baseline finds in it.
    New {
        /// The obligations.
        obligations: usize,
    },
    /// It is not there any more, and why that is said.
    Gone(String),
    /// It has another name now.
    Renamed(String),
    /// It could not be read, and why.
    Unread(String),
}

/// A source that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceDrift {
    /// Its key.
    pub source: String,
    /// Its address.
    pub url: String,
    /// Whether rules were drawn from it.
    pub gave_rules: bool,
    /// What became of it.
    pub fate: SourceFate,
}

/// What became of everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drift {
    /// The rules, in the order of their ids.
    pub rules: Vec<RuleDrift>,
    /// Obligations that no rule has, in the order of the keys of their sources.
    pub sentences: Vec<NewSentence>,
    /// Sources that are not what they were, in the order of their keys.
    pub sources: Vec<SourceDrift>,
}

impl Drift {
    /// Whether everything was read.
    pub fn is_complete(&self) -> bool {
        !self.sources.iter().any(|source| matches!(source.fate, SourceFate::Unread(_)))
            && !self.rules.iter().any(|rule| matches!(rule.fate, Fate::Unknown(_)))
    }

    /// Whether anything waits for a decision.
    pub fn is_change(&self) -> bool {
        let stays = |rule: &RuleDrift| matches!(rule.fate, Fate::Same | Fate::Unknown(_));
        !self.sentences.is_empty() || !self.rules.iter().all(stays)
    }
}

/// Compares what was frozen with the sources of today. Neither the order of the rows nor that of the sources makes
/// a difference.
///
/// # Errors
/// As [`crate::baseline::extract::extract`].
pub fn compare(
    cues: &Cues,
    headings: &Headings,
    then: Then<'_>,
    today: &[Today],
) -> Result<Drift, ExtractionError> {
    let was = Was::new(then.ledger);
    let scope = Scope { headings, manifest: then.manifest, was: &was };
    let mut today: Vec<&Today> = today.iter().collect();
    today.sort_by(|a, b| a.key.cmp(&b.key));
    let read = Read::new(cues, &today, &scope)?;
    let comparison = Comparison { then, was: &was, read: &read, today: &today };
    let mut successors = Successors::new(&was, then.rows, &read);
    let mut rows: Vec<&ExtractionRow> = then.rows.iter().collect();
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    let (mut rules, mut stand) = (Vec::new(), BTreeSet::new());
    for row in rows {
        let drift = comparison.rule(row, &successors, &mut stand);
        if let Fate::Changed(_, Change { part: Part::Quote, passage: Some(passage), .. }) = &drift.fate {
            successors.take(passage);
        }
        rules.push(drift);
    }
    let sentences = successors.left(&stand);
    Ok(Drift { rules, sentences, sources: comparison.sources() })
}

struct Comparison<'c> {
    then: Then<'c>,
    was: &'c Was,
    read: &'c Read<'c>,
    today: &'c [&'c Today],
}

impl Comparison<'_> {
    /// Where a frozen row stood. A row of an earlier pin names its source by another address.
    fn place(&self, row: &ExtractionRow) -> Place {
        let url = row.source.url.split('#').next().unwrap_or_default();
        let manifest = self.then.manifest.sources.iter();
        let exact = manifest.clone().find(|source| source.url == url);
        let named = || match self.then.project.linked(url) {
            // The repository may have had another name.
            Some(file) => manifest.clone().find(|source| {
                let held = self.then.project.linked(&source.url);
                held.is_some_and(|held| held.is_default == file.is_default && held.has_path_of(&file))
            }),
            None => {
                let ending = |key: &str| url.strip_suffix(key).is_some_and(|rest| rest.ends_with('/'));
                let pages = manifest.clone().filter(|source| source.kind == PAGE && ending(&source.key));
                pages.max_by_key(|source| source.key.len())
            }
        };
        let source = exact.or_else(named).map_or(url, |source| source.key.as_str());
        Place { source: source.to_owned(), section: row.source.section.clone(), url: row.source.url.clone() }
    }

    fn today(&self, key: &str) -> Option<&Today> {
        self.today.iter().copied().find(|today| today.key == key)
    }

    /// The key that a source has now.
    fn follow<'k>(&'k self, key: &'k str) -> &'k str {
        match self.today(key).map(|today| &today.reading) {
            Some(Reading::MovedTo(to)) => to,
            _ => key,
        }
    }

    fn rule(
        &self,
        row: &ExtractionRow,
        successors: &Successors<'_>,
        stand: &mut BTreeSet<(String, usize)>,
    ) -> RuleDrift {
        let then = self.place(row);
        let key = self.follow(&then.source);
        let fate = match self.today(key).map(|today| &today.reading) {
            Some(Reading::Unread(why)) => Fate::Unknown(why.clone()),
            reading => {
                let found = self.find(row, &then, key);
                if let Some((place, at)) = found {
                    stand.insert((place.source.clone(), at));
                    self.standing(row, &then, place, successors)
                } else if let Some((place, change)) = successors.of(row, &then, key) {
                    Fate::Changed(place, change)
                } else {
                    Fate::Gone(self.why(&then, key, reading))
                }
            }
        };
        RuleDrift { rule: row.id.clone(), quote: row.original.clone(), then, fate }
    }

    /// Where the quote of a row stands: in its section, else anywhere it did not stand before.
    fn find(&self, row: &ExtractionRow, then: &Place, key: &str) -> Option<(Place, usize)> {
        let wanted = Wanted { quote: &row.original, section: Some(&then.section), ..Wanted::default() };
        let own = self.read.source(key).map(|read| (read, read.find(wanted))).into_iter();
        let (mut in_section, mut elsewhere) = (Vec::new(), Vec::new());
        for (read, places) in own {
            for locator in places {
                let place = read.place(&locator);
                if !self.is_whole(row, then, read, &place) {
                    continue;
                }
                if place.section == then.section {
                    in_section.push((place, locator));
                } else if !self.was.stood(&then.source, &place.section, &row.original) {
                    elsewhere.push((place, locator));
                }
            }
        }
        let linked = |(place, _): &&(Place, Locator)| place.element() == then.element();
        let chosen = in_section.iter().find(linked).or(in_section.first()).or(elsewhere.first());
        let chosen = chosen.cloned().or_else(|| self.on_another_page(row, key, wanted));
        chosen.map(|(place, locator)| (place, start(&locator)))
    }

    /// Whether a place ends the quote where its sentence ends, if it did then: a sentence that goes on is another.
    fn is_whole(&self, row: &ExtractionRow, then: &Place, read: &ReadToday<'_>, now: &Place) -> bool {
        let end = self.was.whole_end(&then.source, &then.section, &folded(&row.original));
        end.is_none_or(|end| read.ends_there(end, &now.section))
    }

    /// Where the quote of a row stands in a source that did not have it before.
    fn on_another_page(
        &self,
        row: &ExtractionRow,
        key: &str,
        wanted: Wanted<'_>,
    ) -> Option<(Place, Locator)> {
        if row.original.split_whitespace().count() < FEWEST_WORDS {
            return None;
        }
        let others = self.read.sources().filter(|read| read.key() != key);
        others.into_iter().find_map(|read| {
            let places = read.find(wanted).into_iter().map(|locator| (read.place(&locator), locator));
            places.into_iter().find(|(place, _)| {
                !self.was.stood(read.key(), &place.section, &row.original)
                    && self.is_whole(row, &self.place(row), read, place)
            })
        })
    }

    /// The fate of a rule whose quote stands: its context may not.
    fn standing(&self, row: &ExtractionRow, then: &Place, place: Place, successors: &Successors<'_>) -> Fate {
        let all_read = !self.today.iter().any(|today| matches!(today.reading, Reading::Unread(_)));
        let lost = row.context.quotes().iter().find(|context| !self.read.holds(&context.quote));
        if let Some(context) = lost.filter(|_| all_read) {
            let change = successors.of_context(&context.quote, &place);
            return Fate::Changed(place, change);
        }
        let same =
            place.source == then.source && place.section == then.section && place.element() == then.element();
        if same { Fate::Same } else { Fate::Moved(place) }
    }

    fn why(&self, then: &Place, key: &str, reading: Option<&Reading>) -> String {
        match reading {
            None => format!("`{}` is no source any more", then.source),
            Some(Reading::Gone(why)) => format!("its source is gone: {why}"),
            Some(Reading::Unread(why)) => why.clone(),
            Some(Reading::MovedTo(_) | Reading::Read(_)) => {
                let there = self.read.source(key).is_some_and(|read| read.has_section(&then.section));
                if there { "nothing like it is in its section" } else { "its section is gone" }.to_owned()
            }
        }
    }

    fn sources(&self) -> Vec<SourceDrift> {
        let mut drifts = Vec::new();
        for today in self.today {
            let known = self.then.manifest.source(&today.key).filter(|source| source.snapshot.is_some());
            let fate = match (&today.reading, known) {
                (Reading::Read(_), Some(_)) => continue,
                (Reading::Read(_), None) => {
                    SourceFate::New { obligations: self.read.obligations(&today.key) }
                }
                (Reading::MovedTo(to), _) => SourceFate::Renamed(to.clone()),
                (Reading::Unread(why), _) => SourceFate::Unread(why.clone()),
                (Reading::Gone(why), _) => {
                    self.renamed(&today.key).map_or(SourceFate::Gone(why.clone()), SourceFate::Renamed)
                }
            };
            drifts.push(SourceDrift {
                source: today.key.clone(),
                url: today.url.clone(),
                gave_rules: known.is_some_and(Source::gives_rules),
                fate,
            });
        }
        // Under its new name it is no new source.
        let renamed: Vec<String> = drifts
            .iter()
            .filter_map(|drift| match &drift.fate {
                SourceFate::Renamed(to) => Some(to.clone()),
                _ => None,
            })
            .collect();
        drifts.retain(|drift| {
            !(matches!(drift.fate, SourceFate::New { .. }) && renamed.contains(&drift.source))
        });
        drifts
    }

    /// The source that has most of the sentences of one that is gone, and had few of them before.
    fn renamed(&self, gone: &str) -> Option<String> {
        let sentences = self.was.of_source(gone)?;
        let mut shares: BTreeMap<usize, &str> = BTreeMap::new();
        for read in self.read.sources() {
            let has = |text: &&String| {
                read.says(text.as_str())
                    && !self.was.of_source(read.key()).is_some_and(|was| was.contains(*text))
            };
            shares.entry(sentences.iter().filter(has).count()).or_insert(read.key());
        }
        let (share, key) = shares.pop_last()?;
        (share * 2 >= sentences.len() && share > 0).then(|| key.to_owned())
    }
}

/// How many words a quote has that is looked for on other pages than its own: a shorter one is found by chance.
const FEWEST_WORDS: usize = 3;

/// Where the row's own segment of a locator begins: a lead-in is shared by all items.
fn start(locator: &Locator) -> usize {
    locator.segments.last().map_or(0, |segment| segment.start)
}

/// A passage as the comparison of words sees it.
fn passage(quote: &str, place: Place, sentences: Vec<String>) -> Passage {
    Passage { quote: quote.to_owned(), text: folded(quote), place, sentences }
}
