//! Files that are rendered as pages: measured on real sites.

use polc_records::Digest;
use polc_records::manifest::{Manifest, Source};
use polc_records::vocabulary::{Inclusion, SourceRole};
use polc_sources::rendered::{Governs, Overlap, SameText, Sentences, mark, renderings};
use polc_testkit::shared::{files_below, shared};
use polc_text::{Document, Format};
use std::path::Path;

/// The pages of a shared site, and the files of its repository that no page links to.
const SITES: [(&str, &str); 12] = [
    ("astropy-8.0", "astropy"),
    ("django-6.1", "django"),
    ("flask-dev", "flask"),
    ("matplotlib-3.11", "matplotlib"),
    ("mdbook-guide", "mdbook"),
    ("pydantic", "pydantic"),
    ("pytest-9.2", "pytest"),
    ("requests-dev", "requests"),
    ("sklearn-1.9", "scikit-learn"),
    ("sphinx-9.1", "sphinx"),
    ("sympy-dev", "sympy"),
    ("xarray-dev", "xarray"),
];

fn read(folder: &Path, is: fn(Format) -> bool) -> Vec<(String, Sentences)> {
    let mut found = Vec::new();
    for file in files_below(folder) {
        let name = file.strip_prefix(folder).unwrap().display().to_string();
        let format = Format::of_path(&name);
        if !is(format) || name.contains("_sources/") || name.contains("_static/") {
            continue;
        }
        if let Ok(document) = Document::derive(&std::fs::read(&file).unwrap(), format) {
            found.push((name, Sentences::of(&document)));
        }
    }
    found
}

#[test]
fn of_all_files_and_pages_of_real_sites_only_what_is_included_is_taken_for_the_same() {
    let Some(sites) = shared("sites") else { return };
    let mut found = Vec::new();
    for (site, repository) in SITES {
        let pages = read(&sites.join(site), |format| format == Format::Html);
        let (names, pages): (Vec<_>, Vec<_>) = pages.into_iter().unzip();
        for (file, sentences) in read(&sites.join("offnav").join(repository), |format| format != Format::Html)
        {
            let same = renderings(&sentences, &pages);
            for SameText { page, governs, overlap: Overlap { shared, of } } in &same {
                found.push(format!("{site}: {file} = {}, {governs:?}, {shared} of {of}", names[*page]));
            }
            // What is not the same is far from it: the limit could be anywhere between.
            let near = pages.iter().map(|page| sentences.within(page)).find(|near| near.shared * 2 > near.of);
            assert!(near.is_none() || !same.is_empty(), "{site}: {file}: {near:?}");
        }
    }
    assert_eq!(
        found,
        [
            "pytest-9.2: CONTRIBUTING.rst = contributing.html, Page, 243 of 244",
            "sphinx-9.1: CODE_OF_CONDUCT.rst = internals/code-of-conduct.html, Page, 40 of 40",
        ]
    );
}

#[test]
fn the_source_that_holds_all_of_the_other_governs() {
    let text = |sentences: &[&str]| {
        let text: String = sentences.iter().map(|sentence| format!("{sentence}\n\n")).collect();
        Sentences::of(&Document::derive(text.as_bytes(), Format::Markdown).unwrap())
    };
    let all = [
        "Never feed the old lion.",
        "Always close the big gate.",
        "Do not wake the bears.",
        "Be kind to all zebras.",
    ];
    let (whole, part, short) = (text(&all), text(&all[..3]), text(&all[..2]));
    let governs = |file, page: &Sentences| {
        renderings(file, std::slice::from_ref(page)).first().map(|same| same.governs)
    };
    assert_eq!(governs(&part, &whole), Some(Governs::Page));
    assert_eq!(governs(&whole, &part), Some(Governs::File));
    assert_eq!(governs(&whole, &whole), Some(Governs::Page));
    assert_eq!(governs(&short, &whole), None, "two sentences prove nothing");
    assert_eq!(renderings(&part, &[short, part.clone(), whole])[0].page, 1, "the first of equals");
    assert_eq!(renderings(&part, &[]), []);
}

/// Pages and files with these sentences each, marked: the role of every source, and the one that it names.
fn marked(texts: &[(&str, &str, SourceRole)]) -> Vec<(SourceRole, Option<String>)> {
    let source = |(key, _, role): &(&str, &str, SourceRole)| Source {
        key: (*key).to_owned(),
        url: format!("https://zoo.example/{key}"),
        kind: if key.ends_with(".html") { "page" } else { "contributing" }.to_owned(),
        snapshot: Some(Digest::of(key)),
        role: *role,
        inclusion: if *role == SourceRole::Rules { Inclusion::Full } else { Inclusion::Excluded },
        code: None,
        reason: "obliges contributors".to_owned(),
        same_text_as: None,
        in_scope: Vec::new(),
        out: Vec::new(),
    };
    let document = |text: &str| Document::derive(text.as_bytes(), Format::Markdown).unwrap();
    let documents: Vec<(&str, Document)> =
        texts.iter().map(|(key, text, _)| (*key, document(text))).collect();
    let manifest = Manifest::new(Digest::of("pin"), texts.iter().map(source).collect(), None);
    let marked = mark(
        manifest,
        |source| source.kind == "page",
        |key| documents.iter().find(|(known, _)| *known == key).map(|(_, document)| document),
    );
    marked.validate(Path::new("manifest.toml")).unwrap();
    marked.sources.into_iter().map(|source| (source.role, source.same_text_as)).collect()
}

#[test]
fn of_two_sources_of_one_text_rules_are_drawn_from_one() {
    const RULES: SourceRole = SourceRole::Rules;
    const CONTEXT: SourceRole = SourceRole::ContextOnly;
    let whole = "Never feed the old lion.\n\nAlways close the big gate.\n\nDo not wake the bears.\n\nBe kind to all zebras.";
    let part = whole.rsplit_once("\n\n").unwrap().0;
    let other = "Count every penguin twice.\n\nWash your hands before lunch.\n\nWalk slowly near the owls.";
    let both = format!("{whole}\n\n{other}");
    let names = |key: &str| Some(key.to_owned());
    // The page includes the file.
    let page = [("guide.html", both.as_str(), RULES), ("A.md", whole, RULES), ("B.md", other, RULES)];
    assert_eq!(
        marked(&page),
        [(RULES, None), (CONTEXT, names("guide.html")), (CONTEXT, names("guide.html"))]
    );
    // It shows a part of it.
    let file = [("guide.html", part, RULES), ("A.md", whole, RULES)];
    assert_eq!(marked(&file), [(CONTEXT, names("A.md")), (RULES, None)]);
    // Two pages show a part each, and one file says it all.
    let pages = [("a.html", part, RULES), ("b.html", other, RULES), ("A.md", both.as_str(), RULES)];
    assert_eq!(marked(&pages), [(CONTEXT, names("A.md")), (CONTEXT, names("A.md")), (RULES, None)]);
    // A file in a page in a file: the page is named by the one, so it does not stand back for the other.
    let nested = [("guide.html", whole, RULES), ("A.md", part, RULES), ("B.md", both.as_str(), RULES)];
    assert_eq!(marked(&nested), [(RULES, None), (CONTEXT, names("guide.html")), (RULES, None)]);
    // Where rules are drawn from one of them only, or the texts differ, nothing is marked.
    let context = [("guide.html", whole, CONTEXT), ("A.md", whole, RULES), ("B.md", other, RULES)];
    assert!(marked(&context).iter().all(|(_, named)| named.is_none()));
}

/// The sources that Sphinx publishes beside its pages stand for files of the repository that a pattern finds.
#[test]
fn the_source_of_a_page_is_known_by_its_sentences() {
    let Some(sites) = shared("sites") else { return };
    let derive = |file: &Path, format| Document::derive(&std::fs::read(file).unwrap(), format).unwrap();
    let (mut known, mut unknown) = (0, Vec::new());
    for (site, _) in SITES {
        let folder = sites.join(site);
        let sources = folder.join("_sources");
        for file in if sources.is_dir() { files_below(&sources) } else { Vec::new() } {
            let inside = file.strip_prefix(&sources).unwrap().to_str().unwrap().trim_end_matches(".txt");
            let page = folder.join(inside).with_extension("html");
            let source = Sentences::of(&derive(&file, Format::of_path(inside)));
            if !page.is_file() || source.within(&source).of < 3 {
                continue;
            }
            let page = Sentences::of(&derive(&page, Format::Html));
            let Overlap { shared, of } = source.within(&page);
            match renderings(&source, std::slice::from_ref(&page)).as_slice() {
                [] => unknown.push(format!("{site}: {inside}, {shared} of {of}")),
                _ => known += 1,
            }
        }
    }
    // What is left over: pages that are put together from other files or of tabs, and reStructuredText in files that
    // are called `.txt`, which is read as plain text.
    insta::assert_snapshot!(format!("{known} known, {} not:\n{}", unknown.len(), unknown.join("\n")));
}
