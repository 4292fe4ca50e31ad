use polc_checker::markdown::without_code;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static AMERICAN: Pattern = Pattern::new(
    r"(?i)\b(colors?|behaviors?|favors?|honors?|labeled|modeled|canceled|catalogs?|licensed?\s+to|[a-z]{3,}(iz(e|es|ed|ing|ation|er)))\b",
);

/// POLC-C063: Use British spelling in prose: `normalise`, `colour`, `behaviour`.
///
/// > Use British spelling in prose: `normalise`, `colour`, `behaviour`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#words>, Words
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of prose that was written in a page.
///
/// *Post-condition:* outside of code spans and addresses it holds no word of a list of American spellings.
///
/// *Approximate:* A list of endings and words stands for American spelling (errs either way).
pub struct C063;

impl Checker for C063 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C063",
        "sha256:01a846507395458e7dc30ce18c1a2c86d1b91b8362a7e17bd2bd63e44de12535",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "a list of endings and words stands for American spelling",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.is_page("docs"))?.into_iter();
        let prose = lines.filter(|line| line.file.markdown().is_prose(line.number));
        Ok(prose.filter(|line| !line.text.trim().is_empty()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let prose = without_code(target.text);
        let words: Vec<&str> = prose.split_whitespace().filter(|word| !word.contains("://")).collect();
        match AMERICAN.first(&words.join(" ")) {
            None => Judgement::Satisfied,
            Some(word) => {
                Judgement::Violated(format!("`{word}` is an American spelling: use the British one"))
            }
        }
    }
}
