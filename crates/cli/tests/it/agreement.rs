//! Manifests of real sites beside those that people made of them: who admits what, and why.

use crate::polc::{Ran, checkout, polc};
use polc_records::manifest::{Manifest, Source};
use polc_records::pages::{PageFate, PagesFile};
use polc_records::store::{load_lines, load_toml};
use polc_testkit::{serve_site, shared};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A site of the shared data, and where it is published.
struct Case {
    slug: &'static str,
    repository: &'static str,
    site: &'static str,
    prefix: &'static str,
    docs: &'static str,
    unversioned: bool,
}

const CASES: [Case; 4] = [
    Case {
        slug: "psf",
        repository: "psf/requests",
        site: "requests-dev",
        prefix: "/en/latest",
        docs: "https://requests.readthedocs.io/en/latest/dev/contributing.html",
        unversioned: false,
    },
    Case {
        slug: "sphinx-doc",
        repository: "sphinx-doc/sphinx",
        site: "sphinx-9.1",
        prefix: "/en/master",
        docs: "https://www.sphinx-doc.org/en/master/internals/contributing.html",
        unversioned: false,
    },
    Case {
        slug: "pallets",
        repository: "pallets/flask",
        site: "pallets-website",
        prefix: "",
        docs: "https://palletsprojects.com/contributing/",
        unversioned: true,
    },
    Case {
        slug: "flask",
        repository: "pallets/flask",
        site: "flask-dev",
        prefix: "/en/stable",
        docs: "https://flask.palletsprojects.com/en/stable/contributing.html",
        unversioned: false,
    },
];

/// What people said of a page: its row of the manifest that they wrote.
struct Gold {
    url: String,
    role: String,
    inclusion: String,
    code: String,
}

fn gold(folder: &Path, slug: &str) -> Vec<Gold> {
    // Both sites of the project stand in one manifest.
    let slug = if slug == "flask" { "pallets" } else { slug };
    let text = std::fs::read_to_string(folder.join(format!("{slug}/{slug}-manifest.md"))).unwrap();
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(at) = cells.iter().position(|cell| cell.starts_with("https://")) else { continue };
        let cell = |offset: usize| cells.get(at + offset).copied().unwrap_or_default().to_lowercase();
        let code =
            cells[at..].iter().find_map(|cell| cell.find("X-").map(|start| &cell[start..])).unwrap_or("");
        let code: String = code.chars().take_while(|c| c.is_ascii_uppercase() || *c == '-').collect();
        let inclusion =
            cell(2).replace("exclude", "excluded").replace("excludedd", "excluded").replace('—', "excluded");
        rows.push(Gold { url: cells[at].to_owned(), role: cell(1), inclusion, code });
    }
    rows
}

/// An address without what servers add to it or leave away.
fn bare(url: &str) -> String {
    url.split('#')
        .next()
        .unwrap()
        .trim_end_matches('/')
        .trim_end_matches(".html")
        .trim_end_matches("/index")
        .to_owned()
}

/// What the two say of one page.
fn row(gold: &Gold, ours: Option<&Source>, fate: Option<&PageFate>) -> (bool, String) {
    let theirs = format!("{} {} {}", gold.role, gold.inclusion, gold.code);
    let Some(source) = ours else {
        let why = match fate {
            Some(PageFate::Named(why)) => format!("named, not read: {why}"),
            Some(_) => "the same as another page".to_owned(),
            None => "no page that was read links to it, or it is not in the cut".to_owned(),
        };
        return (false, format!("{} | — | {why}", theirs.trim()));
    };
    let code = source.code.map_or(String::new(), |code| code.to_string());
    let mine = format!("{} {} {code}", source.role, source.inclusion);
    let out = source.out.iter().map(|out| out.code.to_string()).collect::<std::collections::BTreeSet<_>>();
    let why = if out.is_empty() {
        source.reason.clone()
    } else {
        format!("out: {}", out.into_iter().collect::<Vec<_>>().join(", "))
    };
    let agree = gold.role == source.role.to_string() && gold.inclusion == source.inclusion.to_string();
    (agree, format!("{} | {} | {why}", theirs.trim(), mine.trim()))
}

fn agreement(case: &Case, gold_folder: &Path) -> Option<String> {
    let server = serve_site(case.site, case.prefix)?;
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| Ran::of(&mut polc(folder.path(), arguments)).exits(0);
    run(&["init", case.repository, "--slug", case.slug, "--docs", case.docs, "--site-alone"]);
    let served = server.url("/");
    let mut pin = vec!["pin", case.slug, "--served", &served];
    if case.unversioned {
        pin.extend(["--unversioned", "--reason", "the site states none"]);
    }
    run(&pin);
    for stage in ["fetch", "manifest"] {
        run(&[stage, case.slug]);
    }
    run(&["manifest", "confirm", case.slug, "--by", "keeper"]);
    let of = |name: &str| folder.path().join("manifests").join(case.slug).join(name);
    let manifest: Manifest = load_toml(&of("manifest.toml")).unwrap();
    let (_, lines) = load_lines::<PagesFile>(&of("pages.jsonl")).unwrap();
    let ours: BTreeMap<String, &Source> =
        manifest.sources.iter().map(|source| (bare(&source.url), source)).collect();
    let fates: BTreeMap<String, &PageFate> =
        lines.iter().map(|line| (bare(line.url.as_str()), &line.fate)).collect();
    let root = case.docs.split('/').take(3).collect::<Vec<_>>().join("/");
    let (mut agreed, mut all, mut table) = (0, 0, String::new());
    for gold in gold(gold_folder, case.slug).iter().filter(|gold| gold.url.starts_with(&root)) {
        let key = bare(&gold.url);
        let (agree, text) = row(gold, ours.get(&key).copied(), fates.get(&key).copied());
        let fetched = fates.get(&key).is_some_and(|fate| matches!(fate, PageFate::Read { .. }));
        assert!(!fetched || ours.contains_key(&key), "{} was read and has no row", gold.url);
        all += 1;
        agreed += usize::from(agree);
        let path = gold.url.strip_prefix(&root).unwrap();
        writeln!(table, "| `{path}` | {} | {text} |", if agree { "yes" } else { "no" }).unwrap();
    }
    Some(format!(
        "\n## {}\n\n{agreed} of {all} pages agree on role and inclusion.\n\n\
         | page | agree | by hand | by polc | why polc says so |\n|---|---|---|---|---|\n{table}",
        case.site
    ))
}

const HEAD: &str = "# Manifests beside those made by hand

What `polc manifest` makes of documentation sites, without a model, beside manifests that people made of the same
sites. The sites are cuts: a page that a cut leaves out answers 404, and is a row with that reason. The tables are made by
`POLC_WRITE_DOCS=1 cargo test -p polc --test it agreement`; the same without the variable fails where they are not up to
date.

Where the two differ, the last column says why. The kinds of difference: a cut that lacks the page; a page that a person
found to hold no obligation and in which the baseline took a sentence for one, so that it is admitted and thrown out at the
sheet; a page that a person split by what its sections say, while the baseline goes by their headings; a page that only the
header of the site links to, which is named and not read.
";

#[test]
fn manifests_of_real_sites_beside_those_made_by_hand() {
    let Some(gold_folder) = shared::shared("gold/rules") else { return };
    let mut page = HEAD.to_owned();
    for case in &CASES {
        let Some(table) = agreement(case, &gold_folder) else { return };
        page.push_str(&table);
    }
    let path = checkout().join("docs/agreement.md");
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page, "docs/agreement.md is not up to date");
}
