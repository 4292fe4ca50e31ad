//! How long a page takes, from its text to its quoting text and to its Markdown: the pages of the shared
//! sites, or where they are not there, pages that are made up.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use divan::counter::{BytesCount, ItemsCount};
use polc_testkit::shared;
use polc_text::page::PageParts;
use polc_text::reading::Reading;
use polc_text::{Document, Format};
use std::sync::LazyLock;

fn main() {
    divan::main();
}

static PAGES: LazyLock<Vec<String>> = LazyLock::new(|| match shared::shared("sites") {
    Some(folder) => shared::files_below(&folder)
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "html"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect(),
    None => vec![made_up(200); 20],
});

/// A page of so many sections, each with a paragraph, a list, a table and code.
fn made_up(sections: usize) -> String {
    let section = "<h2>Cages</h2><p>Sort the <em>cages</em> by <code>name</code>, see <a href='x'>there</a>.</p>\
         <ul><li>Feed the lion.</li><li>Close the gate.</li></ul><table><tr><th>animal</th><th>food</th></tr>\
         <tr><td>lion</td><td>meat</td></tr></table><pre>feed --all\nclose --gate</pre>";
    format!("<main><h1>Zoo</h1>{}</main>", section.repeat(sections))
}

fn measure<T>(bencher: divan::Bencher<'_, '_>, of: impl Fn(&str) -> T + Sync) {
    let bytes: usize = PAGES.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(PAGES.len()))
        .bench(|| PAGES.iter().map(|page| of(page)).collect::<Vec<T>>());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn quoting_text(bencher: divan::Bencher<'_, '_>) {
    measure(bencher, |page| Document::derive(page.as_bytes(), Format::Html).unwrap());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn markdown(bencher: divan::Bencher<'_, '_>) {
    measure(bencher, |page| Reading::of_page(page, &PageParts::default()));
}

/// For comparison: the whole page, without what Markdown cannot say.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn htmd_alone(bencher: divan::Bencher<'_, '_>) {
    measure(bencher, |page| htmd::convert(page).unwrap());
}

/// One page of so many sections: four times the page takes four times as long.
#[divan::bench(args = [250, 1000, 4000], sample_count = 5, sample_size = 1)]
fn markdown_of_one_page(bencher: divan::Bencher<'_, '_>, sections: usize) {
    let page = made_up(sections);
    bencher.counter(BytesCount::of_str(&page)).bench(|| Reading::of_page(&page, &PageParts::default()));
}
