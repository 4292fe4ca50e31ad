//! A table: one line for each row, whatever stands in its cells.

use super::{Cell, Plain};
use crate::dom::Element;
use crate::page::{elements, is_header};
use crate::reading::markup;

/// Over how many columns or rows a cell may reach.
const REACH: usize = 20;

impl<'p> Plain<'_, 'p> {
    pub(super) fn table(&mut self, table: Element<'p>) {
        self.flush();
        let shown = |element: &Element<'p>| self.content.shows(*element);
        let mut rows: Vec<Element<'p>> = Vec::new();
        let mut captions: Vec<Element<'p>> = Vec::new();
        for part in elements(table).filter(shown) {
            match part.name() {
                "tr" => rows.push(part),
                "thead" | "tbody" | "tfoot" => rows.extend(elements(part).filter(shown)),
                _ => captions.push(part),
            }
        }
        let cells = |row: &Element<'p>| -> Vec<Element<'p>> { elements(*row).filter(shown).collect() };
        let table: Vec<(bool, Vec<Element<'p>>)> = rows
            .iter()
            .map(|row| (is_header(*row), cells(row)))
            .filter(|(_, cells)| !cells.is_empty())
            .collect();
        for caption in captions {
            self.children(caption);
            self.flush();
        }
        // Code beside its line numbers, or a page laid out by a table: the cell is all there is.
        let alone = table.iter().all(|(_, cells)| cells.len() == 1) && table.len() == 1;
        if alone || self.at.cell.is_some() {
            for cell in table.iter().flat_map(|(_, cells)| cells) {
                self.children(*cell);
                self.flush();
            }
            return;
        }
        self.grid(&table);
    }

    /// A table of rows, the first of which is its heading where it says so.
    fn grid(&mut self, table: &[(bool, Vec<Element<'p>>)]) {
        let grid = placed(table);
        let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
        let headed = table.first().is_some_and(|(is_header, _)| *is_header);
        let (head, body) = grid.split_at(usize::from(headed));
        let mut head = head.first().cloned().unwrap_or_default();
        head.resize(columns, None);
        self.at.head = false;
        self.out.push_str(markup::open::TABLE);
        self.row(&head);
        self.out.push_str(&markup::rule(columns));
        for row in body {
            self.row(row);
        }
        self.out.push_str(markup::close::TABLE);
    }

    fn row(&mut self, cells: &[Option<Element<'p>>]) {
        self.out.push_str(markup::open::ROW);
        for (column, cell) in cells.iter().enumerate() {
            self.out.push_str(&markup::open::cell(column));
            if let Some(cell) = cell {
                self.with(
                    |at| at.cell = Some(Cell::Empty),
                    |plain| {
                        plain.children(*cell);
                        plain.flush();
                    },
                );
            }
            self.out.push_str(markup::close::CELL);
        }
        self.out.push_str(markup::close::ROW);
    }
}

/// The cells of each row by column, none where one beside or above reaches over.
fn placed<'p>(table: &[(bool, Vec<Element<'p>>)]) -> Vec<Vec<Option<Element<'p>>>> {
    let mut above: Vec<usize> = Vec::new();
    let mut grid = Vec::new();
    for (_, cells) in table {
        let mut row = Vec::new();
        let mut reach = |row: &mut Vec<_>| {
            while let Some(rows) = above.get_mut(row.len()).filter(|rows| **rows > 0) {
                *rows -= 1;
                row.push(None);
            }
        };
        let mut below = Vec::new();
        for cell in cells {
            reach(&mut row);
            for column in 0..span(*cell, "colspan") {
                below.push((row.len(), span(*cell, "rowspan") - 1));
                row.push((column == 0).then_some(*cell));
            }
        }
        reach(&mut row);
        for (column, rows) in below {
            above.resize(above.len().max(column + 1), 0);
            above[column] = rows;
        }
        grid.push(row);
    }
    grid
}

/// Over how many columns or rows a cell reaches.
fn span(cell: Element<'_>, direction: &str) -> usize {
    cell.attribute(direction).and_then(|span| span.parse().ok()).unwrap_or(1).clamp(1, REACH)
}
