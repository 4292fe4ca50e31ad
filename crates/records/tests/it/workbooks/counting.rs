//! The sheet of counts: numbers that add up, category by category.

use super::{corpus, sample, written};
use calamine::{Data, Reader, Xlsx};
use polc_records::vocabulary::Category;
use polc_records::workbook::CATEGORIES;
use proptest::prelude::*;
use std::io::Cursor;
use std::ops::Range;

/// The header, and each row by its name.
fn counts(bytes: &[u8]) -> (Vec<String>, Vec<(String, Vec<usize>)>) {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    let sheet = workbook.worksheet_range(CATEGORIES).unwrap();
    let mut rows = sheet.rows();
    let header = rows.next().unwrap().iter().map(ToString::to_string).collect();
    let number =
        |cell: &Data| matches!(cell, Data::Float(_)).then(|| cell.to_string().parse().unwrap()).unwrap();
    let rows = rows.map(|row| (row[0].to_string(), row[1..].iter().map(number).collect()));
    (header, rows.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_row_is_counted_once_for_its_scope_and_once_for_its_level(corpus in corpus()) {
        let (_, rows) = counts(&written(&corpus));
        let (total, categories) = rows.split_last().unwrap();
        for (name, row) in &rows {
            let sum = |columns: Range<usize>| row[columns].iter().sum::<usize>();
            prop_assert_eq!(row[0], sum(1..6), "{}: all rows are in scope or out by one route", name);
            prop_assert_eq!(row[1], sum(6..8), "{}: each in scope has a level", name);
            prop_assert_eq!(row[6], sum(8..14), "{}: each must has a route", name);
            prop_assert_eq!(row[7], sum(14..18), "{}: each should has a route", name);
        }
        for (column, sum) in total.1.iter().enumerate() {
            prop_assert_eq!(*sum, categories.iter().map(|(_, row)| row[column]).sum::<usize>());
        }
        prop_assert_eq!(total.1[0], corpus.rows.len());
    }
}

#[test]
fn categories_stand_in_the_order_of_the_vocabulary() {
    let (header, rows) = counts(&written(&sample()));
    let columns = "Category|Extracted|In scope|N1|N2|N3|N4|must|should|M1|M2|M3|M4|M5|M6|D1|D2|D3|D4";
    assert_eq!(header.join("|"), columns);
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [Category::SPELLINGS, &["Total"]].concat());
    let quality = [3, 2, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(rows[7].1, quality);
    assert_eq!(rows[8].1, quality);
    assert!(rows[..7].iter().all(|(_, row)| row.iter().all(|count| *count == 0)));
}
