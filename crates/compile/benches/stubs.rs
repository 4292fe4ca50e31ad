//! How long the stubs of a corpus take to render: the 262 rules and the 823 of the paper's corpora.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]

#[path = "../tests/it/corpus.rs"]
mod corpus;

use corpus::{Rule, corpus, digest, root, slug};
use polc_compile::render::render;
use polc_records::corpus::Corpus;
use polc_records::vocabulary::Category;

fn main() {
    divan::main();
}

fn rules(number: usize) -> Corpus {
    let texts: Vec<String> =
        (1..=number).map(|number| format!("Sign part {number} before it is sealed and sent away.")).collect();
    let categories = Category::ALL.iter().copied().cycle();
    let rules: Vec<Rule<'_>> = texts
        .iter()
        .zip(1..)
        .zip(categories)
        .map(|((text, number), category)| Rule { category, ..Rule::new(number, text) })
        .collect();
    corpus(&rules, &slug())
}

/// Into an empty folder: every file is written.
#[divan::bench(args = [262, 823], sample_count = 10)]
fn fresh(bencher: divan::Bencher<'_, '_>, number: usize) {
    let corpus = rules(number);
    bencher.with_inputs(|| tempfile::tempdir().unwrap()).bench_values(|folder| {
        render(&root(folder.path()), &slug(), &corpus, digest()).unwrap();
        folder
    });
}

/// Over what was rendered before: nothing is written.
#[divan::bench(args = [262, 823], sample_count = 10)]
fn again(bencher: divan::Bencher<'_, '_>, number: usize) {
    let corpus = rules(number);
    let folder = tempfile::tempdir().unwrap();
    let root = root(folder.path());
    render(&root, &slug(), &corpus, digest()).unwrap();
    bencher.bench(|| render(&root, &slug(), &corpus, digest()).unwrap());
}
