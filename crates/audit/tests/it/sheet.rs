use crate::made::population;
use polc_audit::allocation::{Terms, allocate, strata};
use polc_audit::draw::draw;
use polc_audit::ratings::Ratings;
use polc_audit::sheet::{SheetOf, ShownCheck, read, write};
use polc_records::Digest;
use polc_records::audit::{AuditCheck, ShownItem};
use polc_records::vocabulary::{Criterion, Exactness, Met, Opinion};
use polc_records::workbook::Faults;
use polc_testkit::spreadsheet::{LibreOffice, part, times, typed_into};
use std::path::Path;

const RATING: &str = "xl/worksheets/sheet2.xml";

fn sample() -> Vec<AuditCheck> {
    let population = population(&[("ape", 4, 1, 1), ("bee", 3, 0, 0)]);
    draw(&population, &allocate(&strata(&population), Terms::of(7)).unwrap(), 5)
}

/// Texts that a spreadsheet program would like to make something of.
fn shown(check: &AuditCheck) -> ShownCheck {
    ShownCheck {
        check: check.check.clone(),
        project: check.project.clone(),
        rule: "=1+1".to_owned(),
        sentence: "Use `_x0041_`, 1/2 and\u{a0}TRUE;\r\nnever \u{1} or <r>.".to_owned(),
        context: String::new(),
        link: "https://zoo.example/rules | Walruses".to_owned(),
        code: "    fn precondition() {\n\tlet a = \"&amp;\";\n    }\n\n".to_owned(),
        cases: "<r>00123</r>".to_owned(),
        declaration: format!("approximate: the trace of {}", check.check),
    }
}

struct Made {
    sample: Vec<AuditCheck>,
    items: Vec<ShownItem>,
    bytes: Vec<u8>,
}

fn of() -> SheetOf<'static> {
    SheetOf { sample: Digest::of("the sample"), rater: "Ada" }
}

fn made() -> Made {
    let sample = sample();
    let shown: Vec<ShownCheck> = sample.iter().map(shown).collect();
    let all: Vec<&ShownCheck> = shown.iter().collect();
    let bytes =
        write(Path::new("ada.xlsx"), of(), "# How to rate\n\nCannot settle means reject.\n", &all).unwrap();
    Made { items: shown.iter().map(ShownCheck::item).collect(), sample, bytes }
}

impl Made {
    fn read(&self, bytes: &[u8]) -> Result<Ratings, Faults> {
        read(Path::new("ada.xlsx"), of(), &self.items, &self.sample, bytes)
    }

    /// Every check accepted, and the second rejected.
    fn filled(&self) -> Vec<u8> {
        let mut cells = Vec::new();
        for row in 2..self.sample.len() + 2 {
            let values = match row {
                3 => ["yes", "no", "yes", "exact", "reject", "C2", "selects <too> much & more"],
                _ => ["yes", "yes", "yes", "approximate", "accept", "", ""],
            };
            let answered = "IJKLMNO".chars().zip(values).filter(|(_, value)| !value.is_empty());
            cells.extend(answered.map(|(column, value)| (format!("{column}{row}"), value)));
        }
        typed_into(&self.bytes, RATING, cells)
    }

    fn faults(&self, bytes: &[u8]) -> String {
        self.read(bytes).unwrap_err().to_string()
    }
}

fn holds_the_answers(made: &Made, ratings: &Ratings) {
    assert_eq!(ratings.of.len(), made.sample.len());
    let second = &ratings.of[&made.sample[1].check];
    assert_eq!(second.verdict(), Opinion::Reject);
    let fault = second.fault.as_ref().unwrap();
    assert_eq!(
        (fault.criterion, fault.what.as_str()),
        (Criterion::Precondition, "selects <too> much & more")
    );
    assert_eq!((second.precondition, second.exactness), (Met::No, Exactness::Exact));
    let accepted = ratings.of.values().filter(|rating| rating.verdict() == Opinion::Accept).count();
    assert_eq!(accepted, made.sample.len() - 1);
}

#[test]
fn a_filled_sheet_reads_back() {
    let made = made();
    holds_the_answers(&made, &made.read(&made.filled()).unwrap());
}

#[test]
fn a_sheet_that_libreoffice_saved_reads_back() {
    let Some(office) = LibreOffice::found() else { return };
    let made = made();
    let saved = office.open_and_save(&made.filled());
    holds_the_answers(&made, &made.read(&saved).unwrap());
    // The program works the formulas out: C4 is answered, and each declaration is shown.
    let strings = part(&saved, "xl/sharedStrings.xml");
    assert!(strings.contains("approximate: the trace of APE-C001"), "{strings}");
}

#[test]
fn declarations_are_masked_until_c4_is_answered() {
    let made = made();
    let declarations = part(&made.bytes, "xl/worksheets/sheet3.xml");
    assert!(!declarations.contains("the trace of"), "no declaration stands on the sheet itself");
    assert_eq!(declarations.matches("<v>answer C4 first</v>").count(), made.sample.len());
    assert!(part(&made.bytes, "xl/workbook.xml").contains("state=\"veryHidden\""));
    let rating = part(&made.bytes, RATING);
    assert_eq!(rating.matches("<dataValidation ").count(), 3, "three lists of answers");
}

#[test]
fn the_same_sheet_has_the_same_bytes_at_any_time() {
    let made = made();
    assert_eq!(made.bytes, self::made().bytes);
    assert!(times(&made.bytes).iter().all(|time| *time == times(&made.bytes)[0]));
}

#[test]
fn what_is_not_answered_is_told_of_every_row() {
    let made = made();
    let faults = made.faults(&made.bytes);
    assert_eq!(faults.matches("it is not answered").count(), made.sample.len() * 5, "{faults}");
    assert!(faults.contains("ada.xlsx:2: `C1`:"), "{faults}");
}

#[test]
fn answers_that_contradict_each_other_are_refused() {
    let made = made();
    let with =
        |cell: &str, text: &str| made.faults(&typed_into(&made.filled(), RATING, [(cell.to_owned(), text)]));
    assert!(with("J2", "no").contains("C2 is `no`, and the verdict is `accept`"));
    assert!(with("J3", "yes").contains("it is rejected for C2, and C2 is `yes`"));
    assert!(with("M3", "accept").contains("it is accepted, and has a fault"));
    assert!(with("N3", "C9").contains("`C9` is no criterion; allowed: C1, C2, C3, C4"));
    assert!(with("O3", " ").contains("it is rejected without a fault"));
    assert!(with("I2", "perhaps").contains("`perhaps` is no answer; allowed: yes, no"));
}

#[test]
fn capital_letters_and_white_space_do_not_matter() {
    let made = made();
    let typed = [("I2", " Yes "), ("L2", "APPROXIMATE"), ("M2", "Accept"), ("N3", "c2")];
    let cells = typed.map(|(cell, text)| (cell.to_owned(), text));
    holds_the_answers(&made, &made.read(&typed_into(&made.filled(), RATING, cells)).unwrap());
}

#[test]
fn altered_and_foreign_sheets_are_refused() {
    let made = made();
    let altered = typed_into(&made.filled(), RATING, [("G4".to_owned(), "fn other() {}")]);
    let faults = made.faults(&altered);
    assert!(faults.contains(&format!("what is shown of {} was altered", made.sample[2].check)), "{faults}");
    let renamed = typed_into(&made.filled(), RATING, [("A4".to_owned(), "APE-C099")]);
    let faults = made.faults(&renamed);
    assert!(faults.contains("APE-C099 was not drawn"), "{faults}");
    assert!(faults.contains(&format!("{} is missing", made.sample[2].check)), "{faults}");
    let other = SheetOf { rater: "Bob", ..of() };
    let foreign = read(Path::new("ada.xlsx"), other, &made.items, &made.sample, &made.filled());
    assert!(foreign.unwrap_err().to_string().contains("it is no sheet of this rater: `Ada`, and not `Bob`"));
    let other = SheetOf { sample: Digest::of("another"), ..of() };
    let foreign = read(Path::new("ada.xlsx"), other, &made.items, &made.sample, &made.filled());
    assert!(foreign.unwrap_err().to_string().contains("it is no sheet of this sample"));
    assert!(made.faults(b"no workbook").contains("it cannot be read as a workbook"));
}

#[test]
fn a_text_that_no_cell_holds_is_refused_and_never_cut() {
    let check = ShownCheck { code: "x".repeat(40_000), ..shown(&sample()[0]) };
    let refused = write(Path::new("ada.xlsx"), of(), "", &[&check]).unwrap_err().to_string();
    assert!(refused.contains("`Code`") && refused.contains("40000 UTF-16 units"), "{refused}");
}
