//! Tables: where one ends, and what its cells hold.

use super::frame::{Frame, Piece};
use unicode_width::UnicodeWidthChar;

/// A table with more columns is not read.
const MOST_COLUMNS: usize = 100;

/// The index behind a table that begins at `at`, where one does.
pub(super) fn end(frame: &Frame<'_>, at: usize) -> Option<usize> {
    let line = frame.line(at)?.trim_end();
    if is_grid_top(line) {
        grid_end(frame, at)
    } else if line.contains(' ') && is_border(line) {
        simple_end(frame, at)
    } else {
        None
    }
}

fn is_grid_top(line: &str) -> bool {
    let inside = |byte: u8| matches!(byte, b'+' | b'-');
    line.len() > 4 && line.starts_with("+-") && line.ends_with("-+") && line.bytes().all(inside)
}

/// Whether a line is a border of a table without a grid.
fn is_border(line: &str) -> bool {
    line.starts_with('=') && line.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

/// The end of a grid: its lines begin with `+` or `|`, the last one is a border.
fn grid_end(frame: &Frame<'_>, at: usize) -> Option<usize> {
    let inside = |index: &usize| frame.line(*index).is_some_and(|line| line.starts_with(['+', '|']));
    let end = (at..frame.len()).find(|index| !inside(index)).unwrap_or(frame.len());
    let last = frame.line(end - 1)?;
    (end > at + 2 && last.starts_with("+-")).then_some(end)
}

/// The end of a table without a grid: the second or third border that a blank line, or nothing, follows.
fn simple_end(frame: &Frame<'_>, at: usize) -> Option<usize> {
    let top = frame.line(at)?.trim_end().len();
    let mut borders = 0;
    for index in at + 1..frame.len() {
        let line = frame.line(index)?.trim_end();
        if is_border(line) {
            if line.len() != top {
                return None;
            }
            borders += 1;
            if borders == 2 || frame.is_blank(index + 1) {
                return Some(index + 1);
            }
        }
    }
    None
}

/// The cells of a table, each as lines without their common indentation.
pub(super) fn cells<'t>(lines: &[Piece<'t>]) -> Vec<Frame<'t>> {
    match lines.first() {
        Some((top, _)) if top.starts_with('+') => grid_cells(lines),
        Some((top, _)) => simple_cells(lines, top),
        None => Vec::new(),
    }
}

/// The parts of a line before and between columns, and behind the last.
fn parted<'t>(line: &'t str, columns: &[usize]) -> Vec<&'t str> {
    let mut parts = Vec::with_capacity(columns.len() + 1);
    let (mut next, mut from, mut column) = (columns.iter().peekable(), 0, 0);
    for (at, c) in line.char_indices() {
        while next.next_if(|next| **next <= column).is_some() {
            parts.push(&line[from..at]);
            from = at;
        }
        column += c.width().unwrap_or(1);
    }
    parts.push(&line[from..]);
    parts.resize(columns.len() + 1, "");
    parts
}

/// Cells between columns that `+` marks in the borders. One goes on over a border that is not drawn.
fn grid_cells<'t>(lines: &[Piece<'t>]) -> Vec<Frame<'t>> {
    let borders = lines.iter().filter(|(line, _)| line.starts_with('+'));
    let marks =
        borders.flat_map(|(line, _)| line.match_indices('+').map(|(at, _)| at).take(MOST_COLUMNS + 1));
    let columns: Vec<usize> = marks.collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    if columns.len() > MOST_COLUMNS {
        return Vec::new();
    }
    let mut cells = Vec::new();
    for row in lines.split(|(line, _)| line.starts_with('+')).filter(|row| !row.is_empty()) {
        let rows: Vec<_> = row.iter().map(|(line, number)| (parted(line, &columns), *number)).collect();
        let is_drawn = |at: usize| {
            rows.iter().all(|(parts, _)| parts[at].is_empty() || parts[at].starts_with(['|', '+']))
        };
        let drawn: Vec<usize> = (1..=columns.len()).filter(|at| is_drawn(*at)).collect();
        for pair in drawn.windows(2) {
            let cell = rows.iter().zip(row).map(|((parts, number), (line, _))| {
                let before: usize = parts[..pair[0]].iter().map(|part| part.len()).sum();
                let inside: usize = parts[pair[0]..pair[1]].iter().map(|part| part.len()).sum();
                (line.get((before + 1).min(before + inside)..before + inside).unwrap_or_default(), *number)
            });
            let cell: Vec<_> = cell.collect();
            // A border within a row ends a cell, and begins another.
            let parts = cell
                .split(|(line, _)| !line.is_empty() && line.bytes().all(|byte| matches!(byte, b'-' | b'=')));
            cells.extend(parts.map(Frame::dedented));
        }
    }
    cells
}

/// Cells below the columns of the upper border. A row begins where its first column is not blank.
fn simple_cells<'t>(lines: &[Piece<'t>], top: &str) -> Vec<Frame<'t>> {
    let starts = top.match_indices('=').map(|(at, _)| at).filter(|at| *at > 0 && !top[..*at].ends_with('='));
    let columns: Vec<usize> = starts.collect();
    if columns.len() > MOST_COLUMNS {
        return Vec::new();
    }
    let mut cells: Vec<Frame<'t>> = Vec::new();
    let mut row: Vec<Vec<Piece<'t>>> = vec![Vec::new(); columns.len() + 1];
    for (line, number) in lines {
        let is_rule = is_border(line.trim_end())
            || (line.starts_with('-') && line.bytes().all(|byte| matches!(byte, b'-' | b' ')));
        let parts = parted(line, &columns);
        if is_rule || !parts[0].trim().is_empty() {
            cells.extend(row.iter_mut().map(|cell| Frame::dedented(&std::mem::take(cell))));
        }
        if !is_rule {
            row.iter_mut().zip(parts).for_each(|(cell, part)| cell.push((part, *number)));
        }
    }
    cells
}
