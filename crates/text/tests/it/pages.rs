//! Rendered pages: what a page shows is its text, and every sentence of it is found again.

use polc_testkit::shared;
use polc_text::locate::{Index, Wanted};
use polc_text::sentence::sentences;
use polc_text::{BlockKind, Document, Format};
use std::fmt::Write;

const PAGE: &str = r##"<!doctype html><html><head><title>Guide</title></head><body>
<nav>Elsewhere</nav>
<div role="main"><section id="rules"><h1>Rules<a class="headerlink" href="#rules">¶</a></h1>
<p>Sort the <em>cages</em> by
   <code class="docutils literal"><span class="pre">name</span> <span class="pre">--all</span></code>.
   Every cage<br>has a label.</p>
<section id="commits"><h2>Commits <a href="#commits" class="mark">#</a></h2>
<p>A commit must have:</p>
<ul><li><p>a subject</p></li><li>a body, <a href="x">wrapped</a></li></ul>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Never feed after six.</p></div>
<dl><dt>keeper</dt><dd><p>Feeds the lion.</p></dd></dl>
<div class="highlight"><pre><span class="linenos">1</span>make   feed
make lock</pre></div>
<details><summary>For visitors</summary><p>Do not tease the lion.</p></details>
<table><thead><tr><th>animal</th><th>food</th></tr></thead><tbody><tr><td>lion</td><td><ul><li>meat</li></ul></td></tr></tbody></table>
<ul class="task"><li><input type="checkbox" checked> I have read it.</li></ul>
<div class="sd-tab-set"><input type="radio"><label>Unix</label><div class="sd-tab-content"><p>Run ./feed.</p></div></div>
</section></section></div><footer>Built with care.</footer></body></html>"##;

#[test]
fn a_page_is_read_as_it_is_shown() {
    let document = Document::derive(PAGE.as_bytes(), Format::Html).unwrap();
    let mut shown = String::new();
    for (id, block) in document.blocks.iter().enumerate() {
        let depth = document.ancestors(id).count();
        let section = document.section_of(block);
        let words = block.prose.plain.replace('\n', "\\n");
        writeln!(
            shown,
            "{}{:?} {words:?} [{} #{:?}]",
            "  ".repeat(depth),
            block.kind,
            section.path,
            section.anchor
        )
        .unwrap();
        for run in &block.prose.runs {
            assert_eq!(document.text[run.source.clone()], block.prose.plain[run.plain.clone()]);
        }
    }
    writeln!(shown, "title {:?}", document.title).unwrap();
    insta::assert_snapshot!(shown);
    let index = Index::new(&document);
    for quote in
        ["Sort the cages by name --all.", "A commit must have: a body, wrapped", "Never feed after six."]
    {
        assert!(index.find(Wanted { quote, ..Wanted::default() }).is_ok(), "{quote}");
    }
}

/// On every page of every real site: a walk loses no sentence of what it shows, and finds each again.
#[test]
fn every_sentence_of_every_real_page_is_found_where_it_stands() {
    let Some(folder) = shared::shared("sites") else { return };
    let (mut pages, mut seen, mut missed) = (0, 0, Vec::new());
    for path in shared::files_below(&folder) {
        if path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let Ok(document) = Document::derive(&std::fs::read(&path).unwrap(), Format::Html) else { continue };
        pages += 1;
        let index = Index::new(&document);
        for (id, block) in
            document.blocks.iter().enumerate().filter(|(_, block)| block.kind != BlockKind::Code)
        {
            for sentence in sentences(&block.prose) {
                seen += 1;
                let quote = block.prose.quote(&document.text, &sentence);
                let segment = document.segment(id, sentence).unwrap();
                let found = index.find(Wanted { quote: &quote, ..Wanted::default() });
                let at_home = found.is_ok_and(|found| {
                    found.candidates.iter().any(|place| place.segments[0].start == segment.start)
                });
                if !at_home {
                    missed.push(format!("{}: {quote}", path.display()));
                }
            }
        }
    }
    assert!(pages > 100 && seen > 20_000, "{pages} pages, {seen} sentences");
    assert!(
        missed.len() * 1000 < seen,
        "{} of {seen}:\n{}",
        missed.len(),
        missed[..missed.len().min(20)].join("\n")
    );
}
