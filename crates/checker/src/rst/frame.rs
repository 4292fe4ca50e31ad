//! The lines of a construct, without what they are indented by.

use crate::diff::lines;

/// A line, with its number.
pub(super) type Piece<'t> = (&'t str, usize);

/// The lines of a text, without trailing white space, tabs expanded to eight columns.
pub(super) fn expanded(text: &str) -> Vec<String> {
    lines(text).into_iter().map(expand).collect()
}

fn expand(line: &str) -> String {
    let line = line.trim_end();
    if !line.contains(['\t', '\u{b}', '\u{c}', '\0', '\u{feff}']) {
        return line.to_owned();
    }
    let mut expanded = String::with_capacity(line.len() + 8);
    let mut column = 0;
    for c in line.chars() {
        match c {
            '\t' => {
                let blanks = 8 - column % 8;
                expanded.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
                continue;
            }
            '\u{b}' | '\u{c}' => expanded.push(' '),
            '\u{feff}' if column == 0 => continue,
            '\0' => expanded.push('\u{fffd}'),
            _ => expanded.push(c),
        }
        column += 1;
    }
    expanded.truncate(expanded.trim_end().len());
    expanded
}

/// Takes away what all lines but the first are indented by, and all of what the first one is.
pub(super) fn dedent(lines: &mut [String]) {
    let filled = lines.iter().skip(1).filter(|line| !line.is_empty());
    let margin = filled.map(|line| indent(line)).min().unwrap_or(0);
    for (index, line) in lines.iter_mut().enumerate() {
        let cut = if index == 0 { indent(line) } else { margin.min(line.len()) };
        line.drain(..cut);
    }
}

/// How many blanks a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// A line without its first columns, blanks where they count.
fn cut(line: &str, columns: usize) -> &str {
    &line[indent(line).min(columns)..]
}

/// The lines of a construct.
pub(super) struct Frame<'t> {
    pieces: Vec<Piece<'t>>,
}

/// Lines that belong to a construct, and the index of the first one behind them.
pub(super) struct Indented<'t> {
    pub(super) frame: Frame<'t>,
    pub(super) next: usize,
}

impl<'t> Frame<'t> {
    pub(super) fn new(pieces: &[Piece<'t>]) -> Self {
        Frame { pieces: pieces.to_vec() }
    }

    /// Lines without the least of their indentation, blank ones at both ends left out.
    pub(super) fn dedented(pieces: &[Piece<'t>]) -> Self {
        let is_filled = |(line, _): &Piece<'_>| !line.trim().is_empty();
        let first = pieces.iter().position(is_filled).unwrap_or(0);
        let end = pieces.iter().rposition(is_filled).map_or(first, |last| last + 1);
        let inside = &pieces[first..end];
        let margin =
            inside.iter().filter(|piece| is_filled(piece)).map(|(line, _)| indent(line)).min().unwrap_or(0);
        Frame {
            pieces: inside.iter().map(|(line, number)| (cut(line, margin).trim_end(), *number)).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn line(&self, index: usize) -> Option<&'t str> {
        self.pieces.get(index).map(|(line, _)| *line)
    }

    /// The number of a line; of the last one, where there is none.
    pub(super) fn number(&self, index: usize) -> usize {
        self.pieces.get(index).or(self.pieces.last()).map_or(1, |(_, number)| *number)
    }

    pub(super) fn is_blank(&self, index: usize) -> bool {
        self.line(index).is_none_or(|line| line.trim_start().is_empty())
    }

    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> &[Piece<'t>] {
        self.pieces.get(range).unwrap_or_default()
    }

    /// The text of the lines.
    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(|(line, _)| *line).collect::<Vec<_>>().join("\n")
    }

    /// The lines from an index up to the next blank one.
    pub(super) fn end_of_paragraph(&self, from: usize) -> usize {
        (from..self.len()).find(|index| self.is_blank(*index)).unwrap_or(self.len())
    }

    /// Indented lines from an index on, without the least of their indentation.
    pub(super) fn indented(&self, from: usize) -> Indented<'t> {
        let end = (from..self.len())
            .find(|index| !self.is_blank(*index) && indent(self.pieces[*index].0) == 0)
            .unwrap_or(self.len());
        self.cut_out(from, end, None)
    }

    /// A line without its first bytes, and the indented lines below it, without the least of theirs.
    pub(super) fn below(&self, from: usize, bytes: usize) -> Indented<'t> {
        let end = (from + 1..self.len())
            .find(|index| !self.is_blank(*index) && indent(self.pieces[*index].0) == 0)
            .unwrap_or(self.len());
        self.cut_out(from, end, Some(bytes))
    }

    /// A line without its first bytes, and the lines below it that are indented as far as what is left.
    pub(super) fn aligned(&self, from: usize, bytes: usize) -> Indented<'t> {
        let Some((first, number)) = self.pieces.get(from).copied() else {
            return Indented { frame: Frame { pieces: Vec::new() }, next: from };
        };
        let columns = first[..bytes].chars().count();
        let end = (from + 1..self.len())
            .find(|index| !self.is_blank(*index) && indent(self.pieces[*index].0) < columns)
            .unwrap_or(self.len());
        let mut pieces = vec![(&first[bytes..], number)];
        pieces.extend(self.pieces[from + 1..end].iter().map(|(line, number)| (cut(line, columns), *number)));
        Indented { frame: Frame { pieces }.trimmed(), next: end }
    }

    fn cut_out(&self, from: usize, end: usize, first: Option<usize>) -> Indented<'t> {
        let rest = from + usize::from(first.is_some());
        let range = self.pieces.get(rest..end).unwrap_or_default();
        let filled = range.iter().filter(|(line, _)| !line.trim_start().is_empty());
        let margin = filled.map(|(line, _)| indent(line)).min().unwrap_or(0);
        let mut pieces = Vec::with_capacity(end.saturating_sub(from));
        if let (Some(bytes), Some((line, number))) = (first, self.pieces.get(from)) {
            pieces.push((line.get(bytes..).unwrap_or_default(), *number));
        }
        pieces.extend(range.iter().map(|(line, number)| (cut(line, margin), *number)));
        Indented { frame: Frame { pieces }.trimmed(), next: end.max(from + 1) }
    }

    /// Without its first line, where that is blank.
    pub(super) fn without_blank_start(mut self) -> Self {
        if self.len() > 1 && self.is_blank(0) {
            self.pieces.remove(0);
        }
        self
    }

    /// Without the blank lines at the end.
    fn trimmed(mut self) -> Self {
        while self.pieces.len() > 1 && self.is_blank(self.pieces.len() - 1) {
            self.pieces.pop();
        }
        self
    }
}
