//! Grid and simple tables, cell by cell.

use super::Line;

/// A table: how many lines it takes, and its rows.
pub(super) struct Rows<'t> {
    pub(super) used: usize,
    /// Whether the row is a heading, and the lines of each cell.
    pub(super) rows: Vec<(bool, Vec<Vec<Line<'t>>>)>,
}

/// Reads the table that starts with the first line, if one does.
pub(super) fn rows<'t>(lines: &[Line<'t>]) -> Option<Rows<'t>> {
    let first = lines.first()?.text;
    if first.starts_with("+-")
        && first.ends_with('+')
        && first.bytes().all(|byte| matches!(byte, b'+' | b'-'))
    {
        return Some(grid(lines, first));
    }
    let simple = first.contains("= ")
        && first.starts_with("==")
        && first.bytes().all(|byte| matches!(byte, b'=' | b' '));
    if simple { simple_rows(lines, first) } else { None }
}

fn grid<'t>(lines: &[Line<'t>], first: &str) -> Rows<'t> {
    let used = lines.iter().take_while(|line| line.text.starts_with(['+', '|'])).count();
    let columns: Vec<(usize, usize)> = boundaries(first, '+');
    let mut rows = Vec::new();
    let mut row: Vec<Vec<Line<'t>>> = vec![Vec::new(); columns.len()];
    for line in &lines[1..used] {
        if line.text.starts_with('+') {
            let header = line.text.contains('=');
            rows.push((header, std::mem::replace(&mut row, vec![Vec::new(); columns.len()])));
        } else {
            add_cells(line, 0, &columns, &mut row);
        }
    }
    Rows { used, rows }
}

fn simple_rows<'t>(lines: &[Line<'t>], first: &str) -> Option<Rows<'t>> {
    let borders: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| {
            line.text.starts_with("==") && line.text.bytes().all(|byte| matches!(byte, b'=' | b' '))
        })
        .map(|(index, _)| index)
        .take(3)
        .collect();
    let (header_end, end) = match borders.as_slice() {
        [_, header, end, ..] => (*header, *end),
        [_, end] => (0, *end),
        _ => return None,
    };
    let mut columns: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for part in first.split(' ') {
        if !part.is_empty() {
            columns.push((at, at + part.len()));
        }
        at += part.len() + 1;
    }
    if let Some(last) = columns.last_mut() {
        last.1 = usize::MAX;
    }
    let mut rows: Vec<(bool, Vec<Vec<Line<'t>>>)> = Vec::new();
    for (index, line) in lines.iter().enumerate().take(end).skip(1) {
        if line.is_blank() || borders.contains(&index) {
            continue;
        }
        let mut row = vec![Vec::new(); columns.len()];
        let shifted = line.indent.saturating_sub(lines[0].indent);
        add_cells(line, shifted, &columns, &mut row);
        // A row whose first cell is empty goes on with the one above.
        match rows.last_mut() {
            Some((_, above)) if row[0].is_empty() && index > header_end + 1 => {
                for (cell, more) in above.iter_mut().zip(row) {
                    cell.extend(more);
                }
            }
            _ => rows.push((index < header_end, row)),
        }
    }
    Some(Rows { used: end + 1, rows })
}

fn boundaries(line: &str, mark: char) -> Vec<(usize, usize)> {
    let marks: Vec<usize> = line.char_indices().filter(|(_, c)| *c == mark).map(|(index, _)| index).collect();
    marks.windows(2).map(|pair| (pair[0] + 1, pair[1])).collect()
}

/// Cuts a line at the columns, which count characters; `shifted` of them stand before its text.
fn add_cells<'t>(line: &Line<'t>, shifted: usize, columns: &[(usize, usize)], row: &mut [Vec<Line<'t>>]) {
    let byte = |column: usize| {
        let column = column.saturating_sub(shifted);
        line.text.char_indices().nth(column).map_or(line.text.len(), |(index, _)| index)
    };
    for (cell, (start, end)) in row.iter_mut().zip(columns) {
        let (start, end) = (byte(*start), byte(*end));
        let text = line.text[start..end].trim_end();
        let words = text.trim_start();
        if !words.is_empty() {
            cell.push(Line { at: line.at + start + (text.len() - words.len()), indent: 0, text: words });
        }
    }
}
