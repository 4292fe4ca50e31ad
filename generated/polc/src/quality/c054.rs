use polc_checker::cargo::dependencies;
use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Missing, Ownership, Pattern, Read, Selection, Span,
    Trace, View,
};

static KEEPER: Pattern = Pattern::new(r"(?i)\b(by|kept|keep\w*|maintain\w*|owned|authors?)\b");
static LICENCE: Pattern = Pattern::new(r"(?i)licen[cs]e|\b(MIT|Apache-|BSD|ISC|MPL-|Zlib)");
static COST: Pattern = Pattern::new(r"(?i)\b(build\w*|compil\w*|(?:milli)?seconds?|minutes?)\b|\d\s*m?s\b");

/// POLC-C054: Say in the pull request who keeps a new library, what its licence is and what it adds to a cold build.
///
/// > Say in the pull request who keeps a new library, what its licence is and what it adds to a cold build.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/dependencies.md#adding-one>, Adding one
///
/// Trigger: the change adds a library
///
/// Evidence type: differential.
///
/// *Precondition:* selects every dependency on a library that the root manifest gains.
///
/// *Post-condition:* the description of the pull request has the name of the library as a word, and speaks of a keeper, of a licence and of a build.
///
/// *Approximate:* The name of the library, the name of a licence and words that go with a keeper, a licence and a build stand for what is to be said (errs either way).
pub struct C054;

impl Checker for C054 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C054",
        "sha256:3bb02ec9292bb184fdfd23567a7860e779c43cd62c825b0dabd72ffa67902d09",
        Ownership::Touched,
        &[Read::Files, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the name of the library, the name of a licence and words that go with a keeper, a licence and a build stand for what is to be said",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut gained = Vec::new();
        for manifest in view.texts(|file| file.path == "Cargo.toml")? {
            let before = dependencies(manifest.file.base_text().unwrap_or_default());
            let known = |name: &str| before.iter().any(|old| old.name == name);
            for found in dependencies(manifest.text) {
                if !known(found.name) && !found.is_local() && manifest.diff.touches(&found.lines) {
                    gained.push(Span {
                        file: manifest.file,
                        lines: found.lines,
                        text: found.name.to_owned(),
                    });
                }
            }
        }
        Ok(gained)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when_known(is_introduced(view, &target.text), || {
            let name = &target.text;
            format!("say who keeps `{name}`, what its licence is and what it adds to a cold build")
        })
    }
}

fn is_introduced(view: &View<'_>, name: &str) -> Result<bool, Missing> {
    let markdown = Markdown::new(&view.pull_request()?.body);
    let body: Vec<&str> = markdown.prose().map(|(_, line)| line).collect();
    let mut words =
        body.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')));
    let said = |what: &Pattern| body.iter().any(|line| what.is_in(line));
    Ok(words.any(|word| word == name) && said(&KEEPER) && said(&LICENCE) && said(&COST))
}
