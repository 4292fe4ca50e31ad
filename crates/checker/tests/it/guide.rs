//! The worked examples of the authoring guide, as they stand in it.
#![expect(unreachable_pub, reason = "as in a crate of checkers")]

use polc_checker::cases::run;
use polc_checker::pack::{Blunt, Entry};

mod parameters;
mod past_tense;
mod raises;
mod reference;
mod signed;
mod tested;

/// An example: its entry, and its two files as they stand in the guide.
struct Example {
    entry: Entry,
    files: [(&'static str, &'static str); 2],
}

macro_rules! examples {
    ($($module:ident::$checker:ident),+ $(,)?) => {
        [$(Example {
            entry: Entry::of::<$module::$checker>(
                concat!("guide/", stringify!($module)),
                include_str!(concat!("guide/", stringify!($module), ".toml")),
            ),
            files: [
                ("rust", include_str!(concat!("guide/", stringify!($module), ".rs"))),
                ("toml", include_str!(concat!("guide/", stringify!($module), ".toml"))),
            ],
        }),+]
    };
}

const EXAMPLES: &[Example] =
    &examples![past_tense::C001, parameters::C002, raises::C003, reference::C004, signed::C005, tested::C006];

const GUIDE: &str = include_str!("../../../../stages/checker-authoring.md");

#[test]
fn every_example_of_the_guide_passes_its_cases_and_no_blunt_does() {
    for Example { entry, .. } in EXAMPLES {
        let report = run("zoo", entry, Blunt::None);
        assert!(report.passed(), "{report:#?}");
        assert!(report.unread.is_empty(), "{report:#?}");
        for blunt in [Blunt::Satisfied, Blunt::Violated, Blunt::Nothing] {
            if report.has_contrary(blunt) {
                assert!(run("zoo", entry, blunt).failed_case().is_some(), "{}: {blunt:?}", report.rule);
            }
        }
    }
}

/// With `POLC_WRITE_DOCS` the guide is written anew.
#[test]
fn the_guide_shows_the_examples_as_they_are() {
    let mut shown = GUIDE.to_owned();
    for (number, Example { files, .. }) in (1..).zip(EXAMPLES) {
        for (language, text) in files {
            let mark = format!("<!-- example {number} {language} -->\n");
            let Some((before, behind)) = shown.split_once(&mark) else {
                panic!("{mark} is not in the guide")
            };
            let (_, rest) = behind.split_once("```\n\n").unwrap_or_default();
            shown = format!("{before}{mark}```{language}\n{}\n```\n\n{rest}", text.trim_end());
        }
    }
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stages/checker-authoring.md"), &shown)
            .unwrap();
    } else {
        assert_eq!(shown, GUIDE, "set POLC_WRITE_DOCS to write the guide anew");
    }
}
