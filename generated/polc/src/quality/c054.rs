use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static LICENCE: Pattern = Pattern::new(r"(?i)licen[cs]e");

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
/// *Post-condition:* the description of the pull request names the library and speaks of a licence.
///
/// *Approximate:* The name of the library and the word licence stand for what is to be said (errs by missing).
pub struct C054;

impl Checker for C054 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C054",
        "sha256:3bb02ec9292bb184fdfd23567a7860e779c43cd62c825b0dabd72ffa67902d09",
        Ownership::Touched,
        &[Read::Files, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the name of the library and the word licence stand for what is to be said",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.path == "Cargo.toml")?;
        let before = |file: &'e FileChange| dependencies(file.base_text().unwrap_or_default());
        let mut gained = Vec::new();
        for line in lines {
            let found = dependencies(line.file.head_text().unwrap_or_default());
            let Some(new) = found.into_iter().find(|found| found.line == line.number) else { continue };
            let known = before(line.file).iter().any(|old| old.name == new.name);
            if !known && !new.value.contains("path") {
                gained.push(line);
            }
        }
        Ok(gained)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let request = match view.pull_request() {
            Ok(request) => request,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let name = target.text.split('=').next().unwrap_or_default().trim();
        let told = request.body.contains(name) && LICENCE.is_in(&request.body);
        Judgement::when(told, || {
            format!("say who keeps `{name}`, what its licence is and what it adds to a cold build")
        })
    }
}
