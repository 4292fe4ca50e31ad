use polc_checker::cargo::{Dependency, dependencies};
use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Missing, Ownership, Pattern, Read, Selection, Span,
    Trace, View,
};

/// The licences of `deny.toml`, for a contribution that leaves it alone.
const ALLOWED: &[&str] = &["Apache-2.0", "BSD-3-Clause", "ISC", "MIT", "Unicode-3.0", "Zlib"];

static LIST: Pattern = Pattern::new(r"(?ms)^\[licenses\]$[^\[]*?^allow\s*=\s*\[(.*?)\]");
static QUOTED: Pattern = Pattern::new(r#""([^"]*)""#);
static PATH: Pattern = Pattern::new(r#"\bpath\s*=\s*"([^"]*)""#);
static FIELD: Pattern = Pattern::new(r#"(?m)^license\s*=\s*"([^"]*)""#);
static INHERITED: Pattern = Pattern::new(r"(?m)^license(\.workspace\s*=|\s*=\s*\{\s*workspace\s*=)\s*true");
static LICENCE: Pattern = Pattern::new(
    r"\b(?:0BSD|[AL]?GPL(?:-[\w.]*\w)*|Apache[- ]2\.0|BSD-\d-Clause|BSL-1\.0|CC0-1\.0|EPL-2\.0|ISC|MIT(?:-0)?|MPL-2\.0|Unicode-(?:3\.0|DFS-2016)|Unlicense|Zlib)\b",
);

/// POLC-C055: Never add a dependency whose licence is not in `deny.toml`.
///
/// > Never add a dependency whose licence is not in `deny.toml`.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/dependencies.md#adding-one>, Adding one
///
/// Evidence type: output.
///
/// *Precondition:* selects every dependency that a manifest gains and whose licence is told: by its own manifest, where it lies in the repository and was changed too, or beside its name in the pull request.
///
/// *Post-condition:* one of the licences that are told is in the list of `deny.toml`.
///
/// *Approximate:* What the pull request says stands for the licence of a library; what it is silent on, and dependencies of dependencies, are not seen (errs either way). One licence of several stands for all of them (errs by missing).
pub struct C055;

impl Checker for C055 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C055",
        "sha256:c96c6077890bea1aa33f721a238ce2b19de6db71ced367783673575bb3e427a0",
        Ownership::Touched,
        &[Read::Files, Read::PullRequest],
    )
    .approximate(&[
        Trace {
            layer: Layer::Precondition,
            trace: "what the pull request says stands for the licence of a library; what it is silent on, and dependencies of dependencies, are not seen",
            errs: Direction::Both,
        },
        Trace {
            layer: Layer::Postcondition,
            trace: "one licence of several stands for all of them",
            errs: Direction::Misses,
        },
    ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for manifest in view.texts(|file| file.name() == "Cargo.toml")? {
            let before = dependencies(manifest.file.base_text().unwrap_or_default());
            for found in dependencies(manifest.text) {
                let is_old = found.is_inherited() || before.iter().any(|old| old.name == found.name);
                let is_told = || told(view, manifest.text, &found).map_or(true, |told| !told.is_empty());
                if !is_old && manifest.diff.touches(&found.lines) && is_told() {
                    let text = found.name.to_owned();
                    selected.push(Span { file: manifest.file, lines: found.lines, text });
                }
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when_known(is_allowed(view, target), || {
            format!("the licence of `{}` is not in `deny.toml`: do without it", target.text)
        })
    }
}

fn is_allowed(view: &View<'_>, target: &Span<'_>) -> Result<bool, Missing> {
    let manifest = target.file.head_text().unwrap_or_default();
    let all = dependencies(manifest);
    let Some(found) = all.iter().find(|found| found.lines == target.lines) else { return Ok(true) };
    let allowed = match view.file("deny.toml")? {
        None => ALLOWED.to_vec(),
        Some(file) => {
            let list = LIST.groups(view.head_text(file)?.unwrap_or_default());
            list.into_iter().flat_map(|list| QUOTED.groups(list)).collect()
        }
    };
    Ok(told(view, manifest, found)?.iter().any(|licence| allowed.contains(&licence.as_str())))
}

/// The licences that the evidence tells of a dependency.
fn told(view: &View<'_>, manifest: &str, found: &Dependency<'_>) -> Result<Vec<String>, Missing> {
    if !found.is_local() {
        return said(view, found.name);
    }
    let folder = PATH.groups(&found.value).first().copied().unwrap_or_default();
    let Some(own) = view.file(&format!("{folder}/Cargo.toml"))? else { return Ok(Vec::new()) };
    let own = view.head_text(own)?.unwrap_or_default();
    let field = FIELD.groups(if INHERITED.is_in(own) { manifest } else { own });
    Ok(field.into_iter().flat_map(|field| LICENCE.all(field)).map(str::to_owned).collect())
}

/// The licences that the pull request names in the paragraph or the item with the name of a library.
fn said(view: &View<'_>, name: &str) -> Result<Vec<String>, Missing> {
    let markdown = Markdown::new(&view.pull_request()?.body);
    let mut parts = vec![String::new()];
    for (_, line) in markdown.prose() {
        if line.trim().is_empty() || line.trim_start().starts_with(['-', '*', '|']) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let is_named = |part: &&String| {
        part.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).any(|word| word == name)
    };
    let named = parts.iter().filter(is_named).flat_map(|part| LICENCE.all(part));
    Ok(named.map(|licence| licence.replace(' ', "-")).collect())
}
