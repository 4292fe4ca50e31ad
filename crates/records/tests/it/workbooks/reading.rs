//! What is not text is refused, all of it at once; rows and columns may move.

use super::{came_back, path, sample, unedited, with_rule, written, zoo};
use polc_records::workbook::read;
use polc_testkit::shared;
use polc_testkit::spreadsheet::{typed, with_cell, with_part, without_row};

fn refused(bytes: &[u8]) -> String {
    came_back(bytes).unwrap_err().to_string()
}

#[track_caller]
fn says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn blank_empty_and_missing_cells_and_truth_values() {
    let Some(case) = shared::case("tb3") else { return };
    let markup = |name: &str, cell: &str| {
        let xml = case["input"]["xml"][name].as_str().unwrap();
        let own = format!("{}1", name.to_uppercase());
        assert!(xml.contains(&own));
        xml.replace(&own, cell)
    };
    let bytes = written(&sample());
    let expected = &case["expected"];
    // In a column that has to be filled.
    for (name, said) in [
        ("a", "the cell is blank"),
        ("b", "the cell holds a text without a character"),
        ("c", "the cell is blank"),
        ("d", "the truth value true"),
        ("f", "the number 1"),
        ("g", "the error value #N/A"),
    ] {
        says(
            &refused(&with_cell(&bytes, "D2", &markup(name, "D2"))),
            &["`Atomic rule`", "sheet `Rules`, row 2", said],
        );
    }
    let said = refused(&with_cell(&bytes, "D2", ""));
    says(&said, &["`Atomic rule`", "sheet `Rules`, row 2", "the cell is blank"]);
    let text = came_back(&with_cell(&bytes, "D2", &markup("e", "D2"))).unwrap();
    assert_eq!(Some(text[0].theirs.rule.as_str()), expected["e"].as_str().unwrap().strip_prefix("text "));
    // In a column that may be blank, the three are one: the row has no such label.
    for name in ["a", "b", "c"] {
        assert_eq!(
            came_back(&with_cell(&bytes, "J2", &markup(name, "J2"))).unwrap(),
            unedited(&sample()),
            "{name}"
        );
    }
    // In the column of truth values.
    for (name, verdict) in expected["bool_column"].as_object().unwrap() {
        let read = came_back(&with_cell(&bytes, "I2", &markup(name, "I2")));
        if *verdict == true {
            assert_eq!(read.unwrap(), unedited(&sample()), "{name}");
        } else {
            says(&read.unwrap_err().to_string(), &["`In scope`", "row 2", "type the text again"]);
        }
    }
}

#[test]
fn an_id_that_became_a_date_or_a_number_is_refused() {
    let Some(case) = shared::case("tb5") else { return };
    let cell = &case["input"]["d_xlsx_cell"];
    let bytes = with_part(&written(&sample()), "xl/styles.xml", |xml| {
        // The number format of text becomes that of days and months, which is number 16.
        assert_eq!(cell["format"], "d-mmm");
        xml.replace("numFmtId=\"49\"", "numFmtId=\"16\"")
    });
    let markup = |column| format!("<c r=\"{column}\" s=\"1\"><v>{}</v></c>", cell["value"]);
    let bytes = with_cell(&with_cell(&bytes, "A2", &markup("A2")), "H4", &markup("H4"));
    let said = refused(&with_cell(&bytes, "A3", "<c r=\"A3\"><v>7</v></c>"));
    says(&said, &["`ID`: sheet `Rules`, row 2: the cell holds a date (the number 46084)"]);
    says(&said, &["`ID`: sheet `Rules`, row 3: the cell holds the number 7"]);
    says(&said, &["`Evidence Type`: sheet `Rules`, row 4: the cell holds a date", "type the text again"]);
}

#[test]
fn a_formula_is_refused_whatever_it_comes_to() {
    for value in ["", "<v>Feed it.</v>"] {
        let markup = format!("<c r=\"D2\" t=\"str\"><f>A1&amp;A2</f>{value}</c>");
        says(
            &refused(&with_cell(&written(&sample()), "D2", &markup)),
            &["`Atomic rule`", "row 2", "a formula"],
        );
    }
}

#[test]
fn rows_and_columns_may_stand_in_any_order() {
    let swapped = with_part(&written(&sample()), "xl/worksheets/sheet1.xml", |xml| {
        let mut xml = xml.to_owned();
        let mut swap = |one: String, other: String| {
            xml = xml.replace(&one, "<swap").replace(&other, &one).replace("<swap", &other);
        };
        for column in 'A'..='K' {
            swap(format!("<c r=\"{column}2\""), format!("<c r=\"{column}4\""));
        }
        for row in 1..=4 {
            swap(format!("<c r=\"D{row}\""), format!("<c r=\"F{row}\""));
        }
        xml
    });
    let mut rows = came_back(&swapped).unwrap();
    assert_eq!(rows[0].base.id.number(), 4, "the rows were swapped");
    rows.reverse();
    assert_eq!(rows, unedited(&sample()));
}

#[test]
fn headers_are_known_by_name() {
    let bytes = written(&sample());
    says(
        &refused(&typed(&bytes, "D1", "Rule")),
        &["the column `Rule` is unknown", "`Atomic rule` is missing"],
    );
    says(&refused(&typed(&bytes, "D1", "Notes")), &["two columns are named `Notes`"]);
    says(
        &refused(&with_cell(&bytes, "D1", "<c r=\"D1\"><v>4</v></c>")),
        &["the header of column D is no text"],
    );
    let added =
        with_cell(&bytes, "K2", "<c r=\"K2\" t=\"str\"><v>x</v></c><c r=\"AB2\" t=\"str\"><v>x</v></c>");
    says(&refused(&added), &["row 2: column AB is filled and has no header"]);
    says(&refused(&without_row(&bytes, 1)), &["the column `ID` is missing", "the column `Notes` is missing"]);
}

#[test]
fn rows_are_neither_deleted_nor_added() {
    let bytes = written(&sample());
    says(
        &refused(&without_row(&bytes, 3)),
        &["the row of ZOO-C002 was deleted", "out of scope by its route"],
    );
    says(&refused(&typed(&bytes, "A3", "ZOO-C003")), &["row 3: `ZOO-C003` is no rule of this workbook"]);
    says(&refused(&typed(&bytes, "A3", "ZOO-C001")), &["row 3: `ZOO-C001` has a row already"]);
}

#[test]
fn a_row_that_contradicts_itself_is_refused() {
    let bytes = written(&sample());
    let both = typed(&typed(&bytes, "G2", "should"), "H4", "static");
    says(
        &refused(&both),
        &["row 2: `should` does not follow from route M1", "row 4: `static` is no evidence type"],
    );
    says(&refused(&typed(&bytes, "J2", "N2 subjective")), &["row 2: a row in scope has none"]);
    says(&refused(&typed(&bytes, "H2", "judgment")), &["row 2: judgment is never in scope"]);
    says(&refused(&typed(&bytes, "I2", "no")), &["row 2: a row out of scope has none"]);
}

#[test]
fn a_workbook_that_lost_its_hidden_sheet_is_refused() {
    let bytes = written(&sample());
    let renamed = with_part(&bytes, "xl/workbook.xml", |xml| xml.replace("name=\"polc\"", "name=\"copy\""));
    says(&refused(&renamed), &["has no sheet `polc`", "the file that `polc workbook` wrote"]);
    let renamed =
        with_part(&bytes, "xl/workbook.xml", |xml| xml.replace("name=\"Rules\"", "name=\"Sheet1\""));
    says(&refused(&renamed), &["has no sheet `Rules`"]);
    says(&refused(b"ID,Source\n"), &["cannot be read as a workbook", "save it as an Excel workbook (.xlsx)"]);
    let other = read(path(), &"aquarium".parse().unwrap(), &bytes).unwrap_err().to_string();
    says(&other, &["the workbook of `zoo`, not of `aquarium`"]);
    assert!(read(path(), &zoo(), &bytes).is_ok());
}

#[test]
fn a_base_that_was_changed_is_refused() {
    let shared = "xl/sharedStrings.xml";
    let bytes = written(&with_rule("Feed the walrus."));
    for (from, to, said) in [
        ("[\"ZOO-C001\"", "[\"ZOO-C002\"", "another text of `ZOO-C001`"),
        (",\"Feed the walrus.\",", ",\"Feed the lion.\",", "another text of `ZOO-C001`"),
        ("<t>rules</t>", "<t>rulez</t>", "does not say its rules"),
        ("<t>1</t>", "<t>2</t>", "install a newer polc"),
        ("<t>1</t>", "<t>0</t>", "which never existed"),
    ] {
        let changed = with_part(&bytes, shared, |xml| {
            assert!(xml.contains(from), "{from} is not in {xml}");
            xml.replace(from, to)
        });
        says(&refused(&changed), &[said]);
    }
    let fewer = with_part(&written(&sample()), "xl/worksheets/sheet3.xml", |xml| {
        let at = xml.find("<row r=\"5\"").unwrap();
        let end = xml[at..].find("</row>").unwrap() + at + 6;
        format!("{}{}", &xml[..at], &xml[end..])
    });
    says(&refused(&fewer), &["does not have the rows whose digest it names"]);
}
