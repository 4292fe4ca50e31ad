//! A source as a model reads it: its sentences with numbers, cut into passages that fit.

use super::unseen::{says_unseen, spelled_out};
use crate::baseline::units::{Unit, units};
use crate::documents::ReadSource;
use crate::lexis::{Phrases, tokens};
use crate::prompts::{Block, Words, in_one_line};
use polc_records::Problem;
use polc_records::layout::Root;
use polc_records::store::TomlFile;
use polc_text::document::fold_space;
use polc_text::locate::Index;
use polc_text::{BlockId, BlockKind, Document};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

const READING: &str = include_str!("../../../../rubrics/reading.toml");

/// How many sentences are asked about at a time, at most: the longer a list, the more of it is forgotten.
const MOST_SENTENCES: usize = 40;
/// The tokens that an answer takes for one sentence.
const TOKENS_A_SENTENCE: u64 = 150;
/// How many sentences before a cut are shown again.
const SHOWN_BEFORE: usize = 3;
/// How many lines of a block of code are shown.
const CODE_LINES: usize = 12;

/// By what words the report of a model is looked at.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspicions {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "version")]
    _version: String,
    addressed: Phrases,
    familiar: Phrases,
}

impl TomlFile for Suspicions {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of words to be suspicious of";
}

impl Suspicions {
    /// Reads the root's copy, or the one built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`].
    pub fn load(root: &Root) -> Result<Self, Problem> {
        root.data("rubrics/reading.toml", READING)?.parse()
    }

    /// Whether a text speaks to a model: by its words, or because nobody else can read it.
    pub(crate) fn speaks_to_a_model(&self, text: &str) -> bool {
        says_unseen(text) || self.is_said_to_a_model(text)
    }

    /// Whether a text speaks to a model by its words.
    pub(super) fn is_said_to_a_model(&self, text: &str) -> bool {
        self.addressed.any(&tokens(&spelled_out(text)))
    }

    /// Whether a word says nothing by itself.
    pub(super) fn is_familiar(&self, word: &str) -> bool {
        word.chars().count() < 3 || self.familiar.is_word(word)
    }

    /// Whether anything in a document does, shown or not.
    pub(super) fn document_speaks(&self, document: &Document) -> bool {
        // The text has what is no block, such as the title of an image.
        let blocks = document.blocks.iter().map(|block| block.prose.plain.as_str());
        blocks.chain([document.text.as_str()]).any(|text| self.speaks_to_a_model(text))
    }
}

/// A source with its sentences. The number of a sentence is its place among them, from 1.
pub(super) struct Text<'s> {
    pub(super) read: &'s ReadSource<'s>,
    pub(super) units: Vec<Unit>,
    pub(super) index: Index<'s>,
    /// The bytes of each sentence in the quoting text.
    pub(super) ranges: Vec<Range<usize>>,
    /// The sentences that introduce others.
    pub(super) lead_ins: BTreeSet<usize>,
    pub(super) suspicions: &'s Suspicions,
    /// Whether it speaks to a model.
    pub(super) addressed: bool,
}

impl<'s> Text<'s> {
    pub(super) fn of(read: &'s ReadSource<'s>, suspicions: &'s Suspicions) -> Self {
        let units = units(read);
        let ranges = units.iter().map(|unit| unit.source(&read.document)).collect();
        let lead_ins = units.iter().filter_map(|unit| unit.lead_in).collect();
        let addressed = suspicions.document_speaks(&read.document);
        Text { read, units, index: Index::new(&read.document), ranges, lead_ins, suspicions, addressed }
    }

    pub(super) fn document(&self) -> &'s Document {
        &self.read.document
    }

    /// The passages: whole sections as long as they fit, and pieces of those that do not.
    pub(super) fn passages(&self, most: usize, fits: &dyn Fn(&Range<usize>) -> bool) -> Vec<Range<usize>> {
        let mut passages: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        while start < self.units.len() {
            let most = self.units.len().min(start + most);
            // From above: what is short enough by count mostly fits. One sentence is asked about in any case.
            let longest = (start + 1..=most).rev().find(|end| fits(&(start..*end))).unwrap_or(start + 1);
            let end = self.best_cut(start, longest);
            passages.push(start..end);
            start = end;
        }
        passages
    }

    /// Where to cut what begins at `start` and ends at `longest` at the latest: at the end, else between sections,
    /// else where no list is torn apart, else anywhere.
    fn best_cut(&self, start: usize, longest: usize) -> usize {
        if longest == self.units.len() {
            return longest;
        }
        let section = |unit: usize| self.document().blocks[self.units[unit].block].section;
        let between_sections = |at: &usize| section(*at) != section(at - 1);
        let between_blocks = |at: &usize| {
            self.units[*at].lead_in.is_none()
                && self.outermost(self.units[*at].block) != self.outermost(self.units[at - 1].block)
        };
        // A passage of a sentence or two is worse than a section in two pieces.
        let least = start + (longest - start).div_ceil(3);
        let find = |low: usize, cut: &dyn Fn(&usize) -> bool| (low..=longest).rev().find(|at| cut(at));
        find(least, &between_sections)
            .or_else(|| find(least, &between_blocks))
            .or_else(|| find(start + 1, &between_blocks))
            .unwrap_or(longest)
    }

    fn outermost(&self, block: BlockId) -> BlockId {
        self.document().ancestors(block).last().map_or(block, |(id, _)| id)
    }

    /// The passage as the model reads it.
    pub(super) fn shown(&self, passage: &Range<usize>) -> String {
        let mut shown = String::new();
        let mut section = None;
        for (index, asked) in self.context_of(passage) {
            let unit = &self.units[index];
            let block = &self.document().blocks[unit.block];
            if section != Some(block.section) {
                section = Some(block.section);
                // Writing to a string cannot fail.
                let _written = writeln!(
                    shown,
                    "# {}",
                    in_one_line(&fold_space(&self.document().section_of(block).path.to_string()))
                );
            }
            let mark = if asked { self.mark(index) } else { "-".to_owned() };
            let _written = writeln!(shown, "[{mark}] {}", in_one_line(&unit.quote));
            if let Some((code, _)) = &unit.code {
                for line in self.document().blocks[*code].prose.plain.lines().take(CODE_LINES) {
                    let _written = writeln!(shown, "| {}", in_one_line(line));
                }
            }
        }
        shown
    }

    /// The sentences of a passage, and before them those that are only shown.
    fn context_of(&self, passage: &Range<usize>) -> Vec<(usize, bool)> {
        let first = &self.units[passage.start];
        let section = self.document().blocks[first.block].section;
        let same = |unit: &usize| self.document().blocks[self.units[*unit].block].section == section;
        let mut before: BTreeSet<usize> =
            (0..passage.start).rev().take(SHOWN_BEFORE).take_while(same).collect();
        let lead_ins = passage.clone().filter_map(|unit| self.lead_in_of_list(unit));
        before.extend(lead_ins.filter(|lead_in| *lead_in < passage.start));
        before.into_iter().map(|unit| (unit, false)).chain(passage.clone().map(|unit| (unit, true))).collect()
    }

    /// The sentence that introduces the list in which a sentence stands.
    fn lead_in_of_list(&self, unit: usize) -> Option<usize> {
        let own = self.units[unit].lead_in;
        own.or_else(|| {
            let block = self.units[unit].block;
            let earlier = (0..unit).rev().find(|earlier| self.units[*earlier].block != block)?;
            let same_list = self.outermost(self.units[earlier].block) == self.outermost(block);
            (same_list && self.document().blocks[block].parent.is_some())
                .then(|| self.units[earlier].lead_in)?
        })
    }

    fn mark(&self, index: usize) -> String {
        let unit = &self.units[index];
        let mut mark = (index + 1).to_string();
        for (holds, word) in [(unit.hidden, " hidden"), (unit.task, " task"), (unit.tabular, " cell")] {
            if holds {
                mark.push_str(word);
            }
        }
        if let Some(lead_in) = unit.lead_in {
            mark.push_str(&format!(" item of {}", lead_in + 1));
        }
        mark
    }

    /// The words of sentences, with the headings above them and the code below.
    pub(super) fn words(&self, units: impl IntoIterator<Item = usize>) -> String {
        let document = self.document();
        let mut words =
            format!("{} {} ", document.title.as_deref().unwrap_or_default(), self.read.source.key);
        for unit in units {
            let unit = &self.units[unit];
            words.push_str(&format!(
                "{} {} ",
                document.section_of(&document.blocks[unit.block]).path,
                unit.quote
            ));
            if let Some((code, _)) = &unit.code {
                words.push_str(&document.blocks[*code].prose.plain);
                words.push(' ');
            }
        }
        fold_space(&words.to_lowercase().replace('`', ""))
    }

    /// The sentences of the same section that a reader of the page sees.
    pub(super) fn beside(&self, unit: usize) -> impl Iterator<Item = usize> {
        let section = |unit: usize| self.document().blocks[self.units[unit].block].section;
        let own = section(unit);
        (0..self.units.len()).filter(move |other| section(*other) == own && !self.units[*other].hidden)
    }

    /// The table or the definition list in which a sentence stands.
    pub(super) fn list_of_members(&self, unit: usize) -> Option<BlockId> {
        let document = self.document();
        if !self.units[unit].tabular {
            return None;
        }
        let block = self.units[unit].block;
        let table = document.ancestors(block).find(|(_, block)| block.kind == BlockKind::Table);
        table.map(|(id, _)| id).or_else(|| Some(document.blocks[block].parent.unwrap_or(block)))
    }
}

/// What the prompt of a passage is filled with.
#[derive(Serialize)]
pub(crate) struct PassageValues {
    pub(crate) project: Words,
    pub(crate) source: Words,
    pub(crate) kind: Words,
    pub(crate) title: Option<Words>,
    pub(crate) extent: String,
    pub(crate) reason: Words,
    pub(crate) number: usize,
    pub(crate) of: usize,
    pub(crate) passage: Block,
}

impl PassageValues {
    /// Values of every kind, to try a template on.
    pub(crate) fn example() -> Self {
        let words = || Words("words".to_owned());
        PassageValues {
            project: words(),
            source: words(),
            kind: words(),
            title: Some(words()),
            extent: "all of it".to_owned(),
            reason: words(),
            number: 1,
            of: 1,
            passage: Block::new("passage", "[1] A sentence."),
        }
    }

    pub(super) fn of(
        project: &str,
        text: &Text<'_>,
        passage: &Range<usize>,
        (number, of): (usize, usize),
    ) -> Self {
        let source = text.read.source;
        let extent = match source.in_scope.len() {
            0 => "all of it".to_owned(),
            sections => format!("{sections} of its sections; the others are out and are not shown"),
        };
        PassageValues {
            project: Words(project.to_owned()),
            source: Words(source.key.clone()),
            kind: Words(source.kind.clone()),
            title: text.document().title.clone().map(Words),
            extent,
            reason: Words(source.reason.clone()),
            number,
            of,
            passage: Block::new(
                format!("{}, sentences {} to {}", source.key, passage.start + 1, passage.end),
                text.shown(passage),
            ),
        }
    }
}

/// How many sentences are asked about at a time, where an answer may have so many tokens.
pub(super) fn most_sentences(answer_tokens: u64) -> usize {
    usize::try_from(answer_tokens / TOKENS_A_SENTENCE).unwrap_or(MOST_SENTENCES).clamp(1, MOST_SENTENCES)
}

/// How many tokens an answer about so many sentences is expected to have.
pub(super) fn answer_to(sentences: usize) -> u64 {
    u64::try_from(sentences).unwrap_or(u64::MAX).saturating_mul(TOKENS_A_SENTENCE)
}
