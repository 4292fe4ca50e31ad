use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static CAPITAL: Pattern = Pattern::new(r"^[A-Z][a-z]+$");

/// Words that are written with a capital letter everywhere.
const NAMES: &[&str] =
    &["Cohen", "English", "Git", "Landlock", "Linux", "Markdown", "Python", "Rust", "Sphinx", "Unicode"];

/// POLC-C058: Make sure that headings are written in sentence case.
///
/// > Headings are written in sentence case, since a heading is a short sentence and no title of a film.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every heading that was written in a page.
///
/// *Post-condition:* no word after the first begins with a capital letter, but for abbreviations, names with inner capitals and the names in a list.
///
/// *Approximate:* A capital letter at the start of a word stands for title case, unless the word is in a list of names (errs either way).
pub struct C058;

impl Checker for C058 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C058",
        "sha256:6f26a8e01229656ca3bd1f87c2a1cc3fcff9ed3e0c43f29ed33dbe78110984cb",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[
        Trace {
            layer: Layer::Postcondition,
            trace: "a capital letter at the start of a word stands for title case, unless the word is in a list of names",
            errs: Direction::Both,
        },
    ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.is_page("docs"))?.into_iter();
        Ok(lines.filter(|line| line.file.markdown().heading_at(line.number).is_some()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let title = target.text.trim_start_matches('#').trim();
        let words = title.split_whitespace().skip(1).filter(|word| !word.contains('`'));
        let capital = words
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .find(|word| CAPITAL.is_in(word) && !NAMES.contains(word));
        match capital {
            None => Judgement::Satisfied,
            Some(word) => Judgement::Violated(format!("write `{word}` small: a heading is a short sentence")),
        }
    }
}
