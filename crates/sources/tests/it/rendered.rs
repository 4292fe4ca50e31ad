//! Files that are rendered as pages: measured on real sites.

use polc_sources::rendered::{Governs, Overlap, SameText, Sentences, rendering};
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
            match rendering(&sentences, &pages) {
                Some(SameText { page, governs, overlap: Overlap { shared, of } }) => {
                    found.push(format!("{site}: {file} = {}, {governs:?}, {shared} of {of}", names[page]));
                }
                // What is not the same is far from it: the limit could be anywhere between.
                None => {
                    let near = pages
                        .iter()
                        .map(|page| sentences.within(page))
                        .find(|near| near.shared * 2 > near.of);
                    assert_eq!(near, None, "{site}: {file}");
                }
            }
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
    let governs =
        |file, page: &Sentences| rendering(file, std::slice::from_ref(page)).map(|same| same.governs);
    assert_eq!(governs(&part, &whole), Some(Governs::Page));
    assert_eq!(governs(&whole, &part), Some(Governs::File));
    assert_eq!(governs(&whole, &whole), Some(Governs::Page));
    assert_eq!(governs(&short, &whole), None, "two sentences prove nothing");
    assert_eq!(rendering(&part, &[short, part.clone(), whole]).unwrap().page, 1, "the first of equals");
    assert_eq!(rendering(&part, &[]), None);
}
