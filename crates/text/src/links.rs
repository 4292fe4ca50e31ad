//! Where a document links to, section by section.

use crate::document::{BlockKind, Document, Format, fold_space};
use std::collections::{BTreeMap, HashSet};

/// How an address begins that stands in a text as it is.
const SCHEMES: [&str; 2] = ["https://", "http://"];

/// What follows an address in a sentence and is no part of it.
const AFTER: &str = ".,;:!?'\"*_";

impl Document {
    /// What the document links to, with the index of the section that each link stands in, in order.
    ///
    /// A page links by its elements. A file of a repository does so too where its format has links, and by every
    /// address that it names outside of code, comments included: whoever reads the file can follow it.
    pub fn links(&self) -> Vec<(usize, String)> {
        let named = self.named_targets();
        let (mut links, mut seen) = (Vec::new(), HashSet::new());
        let leaves = self.blocks.iter().filter(|block| !block.prose.plain.is_empty());
        for block in leaves.filter(|block| block.kind != BlockKind::Code) {
            let mut add = |target: &str| {
                let link = (block.section, target.to_owned());
                if !target.is_empty() && seen.insert(link.clone()) {
                    links.push(link);
                }
            };
            let marked = block.prose.links.iter().map(|(_, target)| match self.format {
                // White space in an address is no part of it there.
                Format::RestructuredText => target.split_whitespace().collect(),
                _ => target.clone(),
            });
            let marked: Vec<String> = marked.collect();
            // A name in brackets stands for the address that is given elsewhere.
            let is_name = |target: &str| {
                self.format == Format::RestructuredText && target.ends_with('_') && !target.contains("://")
            };
            marked.iter().filter(|target| !is_name(target)).for_each(|target| add(target));
            if self.format == Format::Html {
                continue;
            }
            let is_new = |address: &&str| !marked.iter().any(|target| target.starts_with(*address));
            let source = &self.text[block.range.clone()];
            addresses(source).into_iter().filter(is_new).for_each(&mut add);
            if !named.is_empty() && source.contains('_') {
                let source = fold_space(source).to_lowercase();
                named.iter().filter(|(name, _)| refers(&source, name)).for_each(|(_, target)| add(target));
            }
        }
        links
    }

    /// The targets that names stand for in reStructuredText: `.. _name: address`.
    fn named_targets(&self) -> BTreeMap<String, &str> {
        if self.format != Format::RestructuredText {
            return BTreeMap::new();
        }
        let target = |line: &str| -> Option<(String, usize)> {
            let rest = line.trim_start().strip_prefix(".. _")?;
            let end = match rest.strip_prefix('`') {
                Some(quoted) => quoted.find("`:")? + 2,
                None => rest.find(": ")?,
            };
            let name = rest[..end].trim_matches('`');
            Some((fold_space(name).to_lowercase(), line.len() - rest.len() + end + 1))
        };
        let lines = self.text.lines().filter_map(|line| {
            let (name, at) = target(line)?;
            let address = line[at..].trim();
            SCHEMES.iter().any(|scheme| address.starts_with(scheme)).then_some((name, address))
        });
        lines.collect()
    }
}

/// Whether the words of a block refer to a target by its name: `name_`, or in backticks.
fn refers(source: &str, name: &str) -> bool {
    let bare = |at: usize| {
        let before = source[..at].chars().next_back();
        let after = source[at + name.len() + 1..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric() && !"-_`".contains(c))
            && after.is_none_or(|c| !c.is_alphanumeric())
    };
    let reference = format!("{name}_");
    source.contains(&format!("`{name}`_"))
        || source.contains(&format!("<{reference}>`"))
        || source.match_indices(&reference).any(|(at, _)| bare(at))
}

/// The addresses that a text names as they are.
fn addresses(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        SCHEMES.iter().flat_map(|scheme| text.match_indices(scheme)).map(|(at, _)| at).collect();
    starts.sort_unstable();
    let address = |at: usize| {
        let rest = &text[at..];
        let ends = |c: char| c.is_whitespace() || c.is_control() || "<>`|[]{}\"".contains(c);
        let mut address = &rest[..rest.find(ends).unwrap_or(rest.len())];
        // A bracket belongs to an address that opens it.
        loop {
            let shorter = address.trim_end_matches(|c| AFTER.contains(c));
            let closes = shorter.ends_with(')') && !shorter.contains('(');
            let shorter = if closes { &shorter[..shorter.len() - 1] } else { shorter };
            if shorter.len() == address.len() {
                return address;
            }
            address = shorter;
        }
    };
    starts.into_iter().map(address).collect()
}
