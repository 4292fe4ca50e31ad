//! The sheet of one rater: a workbook with the guidelines, the checkers in an order of their own, and the declarations,
//! which are shown once C4 is answered.
//!
//! A workbook cannot keep a secret: the declarations lie on a hidden sheet, and a formula shows each of them. That keeps
//! a rater from reading by accident what would prompt the answer, and nobody from looking it up. What is shown of the
//! code leaves the declaration out.

mod reading;
mod writing;

pub use reading::read;
pub use writing::write;

use polc_records::Digest;
use polc_records::audit::ShownItem;
use polc_records::ids::{RuleId, Slug};

/// The sheet that is read first.
pub const GUIDELINES: &str = "Guidelines";
/// The sheet with the checkers.
pub const RATING: &str = "Rating";
/// The sheet with the declarations.
pub const DECLARATIONS: &str = "Declarations";
/// The hidden sheet: whose sheet this is, and the declarations.
const HIDDEN: &str = "polc";

/// Schema version of the workbook.
const SCHEMA: u32 = 1;

/// What a rater sees of a checker. Nothing of it says what anybody else thinks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCheck {
    /// The rule.
    pub check: RuleId,
    /// The project.
    pub project: Slug,
    /// The atomic rule.
    pub rule: String,
    /// The sentence that it was drawn from.
    pub sentence: String,
    /// What its section grants or withholds, and the trigger where one is recorded.
    pub context: String,
    /// Address and section.
    pub link: String,
    /// The code, without its declaration.
    pub code: String,
    /// The cases, each with the outcome that was recorded.
    pub cases: String,
    /// What the declaration says.
    pub declaration: String,
}

/// The columns with what is shown, in their order.
const SHOWN: [&str; 8] =
    [crate::ratings::CHECK, "Project", "Rule", "Sentence", "Context", "Link", "Code", "Cases"];

impl ShownCheck {
    fn cells(&self) -> [String; SHOWN.len()] {
        [
            self.check.to_string(),
            self.project.to_string(),
            self.rule.clone(),
            self.sentence.clone(),
            self.context.clone(),
            self.link.clone(),
            self.code.clone(),
            self.cases.clone(),
        ]
        .map(|text| held(&text))
    }

    /// What is recorded of it, so that a sheet whose texts were altered is told.
    pub fn item(&self) -> ShownItem {
        ShownItem { check: self.check.clone(), shown: digest(&self.cells()) }
    }
}

/// The digest of cells, whatever a spreadsheet program did to their white space.
fn digest<T: AsRef<str>>(cells: &[T]) -> Digest {
    let folded = cells.iter().map(|cell| {
        let words: Vec<&str> = cell.as_ref().split_whitespace().collect();
        format!("{}\n", words.join(" "))
    });
    Digest::of(folded.collect::<String>())
}

/// A text as a cell holds it: line ends are line feeds, and what XML cannot hold is spelled out.
fn held(text: &str) -> String {
    let mut held = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\r' => held.push('\n'),
            '\n' | '\t' => held.push(c),
            '\u{fffe}' | '\u{ffff}' => held.extend(c.escape_unicode()),
            c if c < ' ' => held.extend(c.escape_unicode()),
            c => held.push(c),
        }
    }
    held
}

/// Whose sheet it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetOf<'s> {
    /// The digest of the sample.
    pub sample: Digest,
    /// The rater.
    pub rater: &'s str,
}
