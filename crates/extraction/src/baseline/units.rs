//! The sentences of a source, each with its place in the tree of blocks.

use crate::documents::ReadSource;
use polc_records::locator::{Fidelity, Locator};
use polc_records::vocabulary::Form;
use polc_text::sentence::sentences;
use polc_text::{BlockId, BlockKind, Document};
use std::ops::Range;

/// One sentence.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub(crate) block: BlockId,
    pub(crate) plain: Range<usize>,
    /// The source's own text, code spans with their marks.
    pub(crate) quote: String,
    pub(crate) hidden: bool,
    /// The unit that introduces the list whose item this sentence begins.
    pub(crate) lead_in: Option<usize>,
    /// Whether it begins an item with a check box.
    pub(crate) task: bool,
    /// Whether it stands in a table, a definition list or the like.
    pub(crate) tabular: bool,
    /// Whether it heads a table or is a term.
    pub(crate) heading: bool,
    /// Code that a sentence with a colon introduces: the block, and its first line.
    pub(crate) code: Option<(BlockId, Range<usize>)>,
}

impl Unit {
    /// Its bytes in the quoting text.
    pub(crate) fn source(&self, document: &Document) -> Range<usize> {
        document.blocks[self.block].prose.to_source(self.plain.clone()).unwrap_or(0..0)
    }

    /// The form in which the sentence is stated.
    pub(crate) fn form(&self, document: &Document) -> Form {
        let in_list =
            document.ancestors(self.block).any(|(_, block)| matches!(block.kind, BlockKind::Item { .. }));
        if self.task {
            Form::Checklist
        } else if self.hidden {
            Form::Comment
        } else if in_list {
            Form::Item
        } else {
            Form::Prose
        }
    }
}

/// The sentences of the sections in scope, in document order.
pub(crate) fn units(read: &ReadSource<'_>) -> Vec<Unit> {
    let document = &read.document;
    let mut units: Vec<Unit> = Vec::new();
    for (id, block) in document.blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::Heading | BlockKind::Code)
            || !read.source.admits(&document.section_of(block).path)
        {
            continue;
        }
        let lead_in =
            document.lead_in(id).and_then(|lead_in| units.iter().rposition(|unit| unit.block == lead_in));
        let mut first = true;
        for plain in sentences(&block.prose) {
            let quote = block.prose.quote(&document.text, &plain);
            if !quote.chars().any(char::is_alphanumeric) {
                continue;
            }
            units.push(Unit {
                block: id,
                code: introduced_code(document, id, &quote),
                plain,
                quote,
                hidden: block.hidden,
                lead_in: lead_in.filter(|_| first),
                task: first && begins_task(document, id),
                tabular: is_tabular(document, id),
                heading: is_heading(document, id),
            });
            first = false;
        }
    }
    units
}

fn begins_task(document: &Document, id: BlockId) -> bool {
    let Some(item) = document.blocks[id].parent else {
        return false;
    };
    let first = document.children(item).next().map(|(child, _)| child) == Some(id);
    first && matches!(document.blocks[item].kind, BlockKind::Item { task: Some(_) })
}

fn is_tabular(document: &Document, id: BlockId) -> bool {
    let own = matches!(document.blocks[id].kind, BlockKind::Cell | BlockKind::Term);
    own || document.ancestors(id).any(|(_, block)| matches!(block.kind, BlockKind::Definition))
}

fn is_heading(document: &Document, id: BlockId) -> bool {
    let term = document.blocks[id].kind == BlockKind::Term;
    term || document.ancestors(id).any(|(_, block)| block.kind == BlockKind::Row { header: true })
}

/// The code that follows a sentence with a colon.
fn introduced_code(document: &Document, id: BlockId, quote: &str) -> Option<(BlockId, Range<usize>)> {
    if !quote.ends_with(':') {
        return None;
    }
    let parent = document.blocks[id].parent;
    let (next, block) =
        document.blocks.iter().enumerate().skip(id + 1).find(|(_, block)| block.parent == parent)?;
    if block.kind != BlockKind::Code {
        return None;
    }
    let line = block.prose.plain.lines().find(|line| !line.trim().is_empty())?;
    let start = block.prose.plain.find(line)?;
    let indent = line.len() - line.trim_start().len();
    Some((next, start + indent..start + line.trim_end().len()))
}

/// The place of several stretches, in order.
pub(super) fn locator(document: &Document, parts: &[(BlockId, Range<usize>)]) -> Locator {
    Locator {
        snapshot: document.snapshot,
        derivation: document.format.derivation().to_owned(),
        fidelity: Fidelity::Exact,
        segments: parts.iter().filter_map(|(block, plain)| document.segment(*block, plain.clone())).collect(),
    }
}
