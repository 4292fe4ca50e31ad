//! YAML: each scalar under its keys, and each comment that has a line of its own.

use crate::document::{BlockKind, Builder, Prose};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::ops::Range;

struct Scalar {
    key: String,
    range: Range<usize>,
    folded: bool,
}

/// What the parser is inside of.
enum Level {
    Sequence,
    /// A mapping, with the key that waits for its value.
    Mapping(Option<String>),
}

pub(crate) fn parse(text: &str, builder: &mut Builder) {
    // A template that is no YAML until it is filled in: its text is all there is.
    let Ok(scalars) = scalars(text) else {
        return crate::plain::parse(text, builder);
    };
    let mut fields = scalars.iter().peekable();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (offset, offset + line.len());
        offset = end;
        while let Some(field) = fields.next_if(|field| field.range.start < end) {
            add_field(text, field, builder);
        }
        let inside =
            scalars.iter().any(|field| field.range.start < end && field.range.end > start && field.folded);
        let comment = line.trim_start();
        if comment.starts_with('#') && !inside {
            let lead = line.len() - comment.len() + 1;
            let words = comment[1..].trim_end();
            let mut prose = Prose::default();
            prose.push_text(words, start + lead..start + lead + words.len());
            builder.open(BlockKind::Comment, start..end);
            builder.leaf(BlockKind::Paragraph, start..end, prose);
            builder.close();
        }
    }
}

fn add_field(text: &str, field: &Scalar, builder: &mut Builder) {
    if let Some(top) = field.key.split('.').next().filter(|top| !top.is_empty()) {
        let name = top.split('[').next().unwrap_or(top);
        if builder.last_section() != Some(name) {
            builder.section(1, name, field.range.start);
        }
    }
    builder.open(BlockKind::Field { key: field.key.clone() }, field.range.clone());
    for paragraph in paragraphs(text, field.range.clone()) {
        let mut prose = Prose::default();
        prose.push_text(&text[paragraph.clone()], paragraph.clone());
        builder.leaf(BlockKind::Paragraph, paragraph, prose);
    }
    builder.close();
}

/// The stretches between blank lines.
pub(crate) fn paragraphs(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let mut offset = range.start;
    for line in text[range].split_inclusive('\n') {
        let (start, end) = (offset, offset + line.len());
        offset = end;
        if line.trim().is_empty() {
            open = false;
        } else if let (true, Some(last)) = (open, found.last_mut()) {
            last.end = end;
        } else {
            open = true;
            found.push(start..end);
        }
    }
    found
}

fn scalars(text: &str) -> Result<Vec<Scalar>, saphyr_parser::ScanError> {
    let bytes: Vec<usize> = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect();
    let byte = |index: usize| bytes.get(index).copied().unwrap_or(text.len());
    let mut levels: Vec<Level> = Vec::new();
    let mut found = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event?;
        match event {
            Event::MappingStart(..) => levels.push(Level::Mapping(None)),
            Event::SequenceStart(..) => levels.push(Level::Sequence),
            Event::MappingEnd | Event::SequenceEnd => {
                levels.pop();
                value_read(&mut levels);
            }
            Event::Alias(_) => value_read(&mut levels),
            Event::Scalar(value, style, ..) => {
                if let Some(Level::Mapping(key @ None)) = levels.last_mut() {
                    *key = Some(value.into_owned());
                    continue;
                }
                let range = byte(span.start.index())..byte(span.end.index());
                let folded = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if range.start < range.end {
                    found.push(Scalar { key: path(&levels), range, folded });
                }
                value_read(&mut levels);
            }
            _ => {}
        }
    }
    Ok(found)
}

fn value_read(levels: &mut [Level]) {
    if let Some(Level::Mapping(key)) = levels.last_mut() {
        *key = None;
    }
}

fn path(levels: &[Level]) -> String {
    let keys: Vec<&str> = levels
        .iter()
        .filter_map(|level| match level {
            Level::Mapping(Some(key)) => Some(key.as_str()),
            Level::Mapping(None) | Level::Sequence => None,
        })
        .collect();
    keys.join(".")
}
