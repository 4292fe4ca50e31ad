//! The Markdown of a page: everything that the quoting text says is in it, and nothing makes it fail.

use polc_records::locator::Fidelity;
use polc_testkit::shared;
use polc_text::locate::{Index, Wanted};
use polc_text::normal::normalise;
use polc_text::page::PageParts;
use polc_text::reading::Reading;
use polc_text::sentence::sentences;
use polc_text::{Block, BlockKind, Document, Format};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

fn markdown(html: &str) -> String {
    Reading::of_page(html, &PageParts::default()).markdown().to_owned()
}

fn quoting(html: &str) -> Document {
    Document::derive(html.as_bytes(), Format::Html).unwrap()
}

/// How much of something was found.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    exact: usize,
    folded: usize,
    missed: usize,
}

impl Tally {
    fn add(&mut self, fidelity: Option<Fidelity>) {
        match fidelity {
            Some(Fidelity::Exact) => self.exact += 1,
            Some(Fidelity::Folded) => self.folded += 1,
            None => self.missed += 1,
        }
    }

    fn all(&self) -> usize {
        self.exact + self.folded + self.missed
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            exact: self.exact + other.exact,
            folded: self.folded + other.folded,
            missed: self.missed + other.missed,
        }
    }

    fn share(&self) -> String {
        if self.all() == 0 {
            return "—".to_owned();
        }
        let found = self.exact + self.folded;
        format!("{:.2} %", 100.0 * found as f64 / self.all() as f64)
    }
}

/// Markdown, ready to be searched.
struct Searched<'d> {
    index: Index<'d>,
    /// Its words as they stand: nothing is taken away from what is looked for in it.
    exact: String,
    folded: String,
}

impl<'d> Searched<'d> {
    fn new(markdown: &'d Document) -> Self {
        let words = |fidelity| {
            let words = markdown.blocks.iter().map(|block| normalise(&block.prose.plain, fidelity).text);
            words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
        };
        Searched {
            index: Index::new(markdown),
            exact: words(Fidelity::Exact),
            folded: words(Fidelity::Folded),
        }
    }

    /// How a text stands in it. A locator has to be found for the text, and the text itself has to stand there
    /// after the normalisation: the index alone would also take the reading in which marks are parsed away.
    fn fidelity(&self, text: &str) -> Option<Fidelity> {
        let found = self.index.seek(Wanted { quote: text, ..Wanted::default() })?;
        let fidelity = found.candidates.first()?.fidelity;
        let words = if fidelity == Fidelity::Exact { &self.exact } else { &self.folded };
        words.contains(&normalise(text, fidelity).text).then_some(fidelity)
    }
}

/// What a block says, sentence by sentence, and code line by line.
fn statements(block: &Block) -> Vec<&str> {
    if block.kind == BlockKind::Code {
        return block.prose.plain.lines().filter(|line| !line.trim().is_empty()).collect();
    }
    sentences(&block.prose).into_iter().map(|range| &block.prose.plain[range]).collect()
}

/// What of the quoting text is found in some Markdown.
#[derive(Debug, Default)]
struct Measured {
    prose: Tally,
    code: Tally,
    /// What is not: the block it stands in, its section and its words.
    missed: Vec<(String, String)>,
}

impl Measured {
    fn new(quoting: &Document, markdown: &Document) -> Self {
        let searched = Searched::new(markdown);
        let mut measured = Measured::default();
        for block in &quoting.blocks {
            for statement in statements(block) {
                let fidelity = searched.fidelity(statement);
                let is_code = block.kind == BlockKind::Code;
                if is_code { &mut measured.code } else { &mut measured.prose }.add(fidelity);
                if fidelity.is_none() {
                    let place = format!("{:?} in {}", block.kind, quoting.section_of(block).path);
                    measured.missed.push((place, statement.to_owned()));
                }
            }
        }
        measured
    }

    fn add(&mut self, other: &Measured) {
        self.prose = self.prose.plus(other.prose);
        self.code = self.code.plus(other.code);
    }
}

/// Of the Markdown that is ours.
fn measure(html: &str) -> Measured {
    Measured::new(&quoting(html), Reading::of_page(html, &PageParts::default()).document())
}

fn assert_whole(html: &str) {
    let missed = measure(html).missed;
    assert!(missed.is_empty(), "{missed:?}\n{}", markdown(html));
}

const PAGE: &str = r##"<!doctype html><html><head><title>Guide</title></head><body><nav>Elsewhere</nav>
<div role="main"><section id="rules"><h1>Rules<a class="headerlink" href="#rules">¶</a></h1>
<p>Sort the <em>cages</em> by
   <code class="docutils literal"><span class="pre">name</span> <span class="pre">--all</span></code>, see
   <a class="reference" href="cages.html#sort" title="Cages">the <strong>cages</strong></a>!
   Every cage<br>has a label; snake_case and **kwargs are <em>te</em>xt, `ticks` too.</p>
<p>1) is no item. &amp;lt; is no bracket, &lt;b&gt; no tag, ~~this~~ not struck.</p>
<section id="commits"><h2>Commits <a href="#commits" class="mark">#</a></h2>
<ul><li><p>a subject</p><ol start="3"><li>short</li><li>true</li></ol></li><li>a body, <a href="x">wrapped</a><p>at 72.</p></li></ul>
<ul><li>Run tests</li><ul><li>Link the issue</li></ul></ul>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Never feed after six.</p>
<pre>feed --never</pre></div><div class="alert alert-danger">No flash.</div>
<div class="versionadded"><p><span class="versionmodified">Added in version 2: </span>The zebra.</p></div>
<dl><dt>keeper</dt><dd><p>Feeds the lion.</p><p>Cleans.</p></dd><dt><code>guard</code></dt><dt>porter</dt><dd>Opens.</dd></dl>
<div class="highlight-console"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1
2</pre></div></td><td class="code"><div class="highlight"><pre><span class="gp">$ </span>make   feed
```
make lock</pre></div></td></tr></table></div>
<details><summary>For visitors<a class="headerlink" href="#v">#</a></summary><p>Do not tease the lion.</p></details>
<table><caption>Food</caption><thead><tr><th>animal</th><th>food</th></tr></thead><tbody>
<tr><td rowspan="2">lion</td><td><p>meat | bone</p><ul><li>raw</li><li><p>fresh</p></li></ul></td></tr>
<tr><td><pre>if hungry:
    feed()</pre><code>a|b</code></td></tr></tbody></table>
<ul class="task"><li><input type="checkbox" checked> I have read it.</li><li><p><input type="checkbox"> I agree.</p></li></ul>
<div class="sd-tab-set"><input type="radio"><label>Unix</label><div class="sd-tab-content"><p>Run ./feed.</p></div>
<input type="radio"><label title="Windows">&#xf17a;</label><div class="sd-tab-content"><p>Run feed.bat.</p></div></div>
<div class="sd-card"><div class="sd-card-title">Card</div><p>With text.</p><a href="y"><div>More</div></a></div>
</section></section></div><footer>Built with care.</footer></body></html>"##;

#[test]
fn markdown_says_what_a_page_shows() {
    assert_whole(PAGE);
    insta::assert_snapshot!(markdown(PAGE));
}

#[test]
fn sections_have_the_paths_of_the_quoting_text() {
    let reading = Reading::of_page(PAGE, &PageParts::default());
    let sections: Vec<_> = reading.sections().collect();
    let paths: Vec<_> = quoting(PAGE).sections.iter().map(|section| section.path.clone()).collect();
    assert_eq!(sections.iter().map(|(path, _)| (*path).clone()).collect::<Vec<_>>(), paths);
    assert_eq!(sections.iter().map(|(_, text)| *text).collect::<String>(), reading.markdown());
    assert!(sections[2].1.starts_with("## Commits\n\n- a subject"), "{}", sections[2].1);
}

/// The pages of one site.
#[derive(Default)]
struct Site {
    pages: usize,
    ours: Measured,
    /// `htmd` alone.
    alone: Measured,
}

impl Site {
    fn row(&self, name: &str) -> String {
        let Site { pages, ours: Measured { prose, code, .. }, alone } = self;
        format!(
            "| {name} | {pages} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            prose.all(),
            prose.exact,
            prose.folded,
            prose.missed,
            prose.share(),
            alone.prose.share(),
            code.all(),
            code.share(),
            alone.code.share()
        )
    }
}

/// On every page of every real site, counted and written down.
#[test]
fn every_sentence_of_every_real_page_is_in_its_markdown() {
    let Some(folder) = shared::shared("sites") else { return };
    let htmd = htmd::HtmlToMarkdown::builder().skip_tags(vec!["script", "style"]).build();
    let mut sites: BTreeMap<String, Site> = BTreeMap::new();
    let mut missed = Vec::new();
    for path in shared::files_below(&folder) {
        if path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let html = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&folder).unwrap();
        let site = name.iter().next().unwrap().to_string_lossy().into_owned();
        let document = quoting(&html);
        let reading = Reading::of_page(&html, &PageParts::default());
        let paths = document.sections.iter().map(|section| &section.path);
        assert!(paths.eq(reading.sections().map(|(path, _)| path)), "sections of {}", name.display());
        let ours = Measured::new(&document, reading.document());
        let alone = Document::derive(htmd.convert(&html).unwrap().as_bytes(), Format::Markdown).unwrap();
        let site = sites.entry(site).or_default();
        site.pages += 1;
        site.ours.add(&ours);
        site.alone.add(&Measured::new(&document, &alone));
        missed.extend(
            ours.missed.into_iter().map(|(place, words)| format!("{}: {place}: {words}", name.display())),
        );
    }
    let mut all = Site::default();
    let mut table = String::from(
        "| site | pages | sentences | exact | folded | missing | found | `htmd` alone | lines of code | found | `htmd` alone |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, site) in &sites {
        table.push_str(&site.row(name));
        all.pages += site.pages;
        all.ours.add(&site.ours);
        all.alone.add(&site.alone);
    }
    table.push_str(&all.row("all"));
    let Measured { prose, code, .. } = all.ours;
    assert!(all.pages > 100 && prose.all() > 20_000 && code.all() > 3_000, "{prose:?} {code:?}");
    assert!(prose.missed * 200 <= prose.all() && code.missed * 200 <= code.all(), "{}", missed.join("\n"));
    same_table("docs/reading.md", &table, &missed);
}

/// Compares the table of a page of the documentation with the one that was measured, or writes it.
fn same_table(page: &str, table: &str, missed: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find("| site | pages |").unwrap();
    let end = text[start..].find("\n\n").map_or(text.len(), |length| start + length + 1);
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], table, "POLC_WRITE_DOCS=1 writes {page}");
    }
    assert_eq!(missed, [""; 0], "{page} says of each why");
}

/// The cases of text from pages: each with the input that was reported, then the rest of its kind.
#[test]
fn permalinks_go_and_the_characters_stay() {
    let Some(case) = shared::case("ht2") else { return };
    let html = case["input"]["html"].as_str().unwrap();
    let document = quoting(html);
    let of_kind = |kind: BlockKind| -> Vec<&str> {
        let blocks = document.blocks.iter().filter(|block| block.kind == kind);
        blocks.map(|block| block.prose.plain.as_str()).collect()
    };
    assert_eq!(serde_json::json!(of_kind(BlockKind::Heading)), case["expected"]["headings"]);
    assert_eq!(serde_json::json!(of_kind(BlockKind::Paragraph)), case["expected"]["paragraphs"]);
    let paths: Vec<_> = document.sections.iter().map(|section| section.anchor.clone()).collect();
    assert_eq!(paths, [None, Some("style".to_owned()), Some("x".to_owned())]);
    assert_eq!(markdown(html), "## C\\# style\n\n### Issue \\#12\n\nType ¶ with AltGr+R.\n");
    assert_whole(html);
    for (heading, words) in [
        ("<h2 id=a>A&nbsp;<a href='#a'>¶</a></h2>", "A"),
        ("<h2 id=a><a class=anchor href='#a'></a>A</h2>", "A"),
        ("<h2 id=a><a class=anchor href='#a'>A word</a></h2>", "A word"),
        ("<h2 id=a><a class=header href='#a'>#1 and ¶</a></h2>", "#1 and ¶"),
        ("<h2 id=a>A <a href='b#a'>#</a></h2>", "A #"),
        ("<dl><dt id=a>A<a class=headerlink href='#a'>¶</a></dt></dl>", "A"),
        ("<details><summary>A<a href='#a'>#</a></summary></details>", "A"),
    ] {
        assert_eq!(quoting(heading).text.trim(), words, "{heading}");
        assert_whole(heading);
    }
}

#[test]
fn a_row_is_one_line_and_a_list_in_a_list_belongs_to_the_item_before() {
    let Some(case) = shared::case("ht3") else { return };
    let table = case["input"]["table"].as_str().unwrap();
    let lines = markdown(table);
    assert_eq!(serde_json::json!(lines.lines().count()), case["expected"]["table_lines"], "{lines}");
    let words: Vec<&str> = case["expected"]["cell_text_order"]
        .as_array()
        .unwrap()
        .iter()
        .map(|words| words.as_str().unwrap())
        .collect();
    for document in [quoting(table), Document::derive(lines.as_bytes(), Format::Markdown).unwrap()] {
        let text: String = document.blocks.iter().map(|block| format!("{}\n", block.prose.plain)).collect();
        let places: Vec<_> = words.iter().map(|words| text.find(words)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        assert!(!text.contains("a1a2"), "{text}");
        assert_eq!(
            document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Row { .. })).count(),
            2
        );
    }
    let list = case["input"]["list"].as_str().unwrap();
    for document in [quoting(list), Document::derive(markdown(list).as_bytes(), Format::Markdown).unwrap()] {
        for (words, depth) in case["expected"]["list_depths"].as_object().unwrap() {
            let id = document.blocks.iter().position(|block| block.prose.plain == *words).unwrap();
            let items =
                document.ancestors(id).filter(|(_, block)| matches!(block.kind, BlockKind::Item { .. }));
            assert_eq!(serde_json::json!(items.count() - 1), *depth, "{words}");
        }
    }
    for html in [
        table,
        list,
        "<dl>!</dl>",
        "<p>!<code></code>[",
        "<h2>{}</h2><h2>a {#b}</h2><h2>{{ c }} {</h2>",
        "<dl>one <b>two</b> <i>three</i>.<dt>four<dd>five</dd> six <div><dt>seven<dd>eight</div></dl>",
        "<ol><ul><li>first of all</li></ul><li>second</li> loose <p>words</p></ol>",
        "<table><tr><td><pre>a | b\n  c</pre></td><td><code>x|`y`|\\</code> \\| |</td></tr></table>",
        "<table><tr><td>out <table><tr><td>in</td><td>side</td></tr></table></td><td>next</td></tr></table>",
        "<table><tr><th colspan=2>wide</th></tr><tr><td rowspan=3>tall</td><td>b</td></tr><tr><td>c</td></tr></table>",
        "<table><tr><td>one<br>two<td>three<h3>four</h3><dl><dt>five<dd>six</dl><blockquote>seven</blockquote>",
    ] {
        assert_whole(html);
    }
}

#[test]
fn panels_have_their_labels_and_are_kept_when_hidden() {
    let Some(case) = shared::case("ht4") else { return };
    let html = case["input"]["html"].as_str().unwrap();
    let expected = &case["expected"]["blocks"];
    let blocks = |html: &str| -> serde_json::Value {
        let document = quoting(html);
        let labelled = document.blocks.iter().enumerate().filter_map(|(id, block)| match &block.kind {
            BlockKind::Tab { label } | BlockKind::Details { summary: label } => Some((id, label.clone())),
            _ => None,
        });
        labelled
            .map(|(id, label)| {
                let words: Vec<_> =
                    document.children(id).map(|(_, block)| block.prose.plain.clone()).collect();
                assert_eq!(words[0], label, "the label is text, at the head of its panel");
                serde_json::json!([label, words[1..].join(" ")])
            })
            .collect()
    };
    assert_eq!(blocks(html), *expected);
    assert_eq!(
        markdown(html),
        "- **Linux**\n\n  Run `make test`.\n\n- **Windows**\n\n  Run `nox`.\n\n- **Docs only**\n\n  Skip the tests.\n"
    );
    let panels = serde_json::json!([["A", "one"], ["B", "two"]]);
    for html in [
        "<div role=tablist><button role=tab aria-controls=b>B</button><button role=tab aria-controls=a>A</button></div>\
         <div role=tabpanel id=a>one</div><div role=tabpanel id=b hidden=until-found>two</div>",
        "<p id=x>A</p><div role=tablist><a role=tab id=y>B</a></div>\
         <div role=tabpanel aria-labelledby=x>one</div><div role=tabpanel aria-labelledby=y>two</div>",
        "<div class=tabbed-set><input type=radio><input type=radio><div class=tabbed-labels><label>A</label><label>B\
         </label></div><div class=tabbed-content><div class=tabbed-block>one</div><div class=tabbed-block>two</div></div></div>",
        "<div><input type=radio><label>A</label><input type=radio><label>B</label><section>one</section><section>two",
        "<div><input type=radio><label title=A>&#xf17c;</label><section>one</section><input type=radio><label>B</label><section>two",
    ] {
        let mut found = blocks(html);
        found.as_array_mut().unwrap().sort_by_key(|block| block[0].as_str().map(str::to_owned));
        assert_eq!(found, panels, "{html}");
        assert_whole(html);
    }
    let nested = "<div role=tablist><i role=tab>A</i><i role=tab>B</i></div><div role=tabpanel>one<div role=tablist>\
        <i role=tab>C</i></div><div role=tabpanel>three</div></div><div role=tabpanel>two</div>";
    assert_eq!(blocks(nested).as_array().unwrap()[2], panels[1]);
    let unpaired =
        "<div role=tablist><i role=tab>A</i></div><p hidden>no</p><form><input type=radio> yes</form>";
    assert_eq!(quoting(unpaired).text.trim(), "A\n\nyes", "a label without a panel is text");
}

/// Nobody waits for a page that was made to be slow, and nothing overflows.
#[test]
fn depth_without_end_ends() {
    let tags = [
        "div",
        "span",
        "b",
        "ul",
        "ul><li",
        "table><tr><td",
        "blockquote",
        "details",
        "dl><dd",
        "a",
        "h2",
        "font",
        "pre",
        "x-y",
        "div></x",
        "b><p></b",
        "select><div",
        "p><a href=#",
    ];
    for tag in tags {
        for end in ["", "</div>"] {
            let html = format!("<body>{}deep {}", format!("<{tag}>").repeat(4000), end.repeat(4000));
            assert!(quoting(&html).text.contains("deep"), "{tag}{end}");
            assert!(markdown(&html).contains("deep"), "{tag}{end}");
        }
    }
    let styles: String = (0..4000).map(|size| format!("<font size={size}>")).collect();
    let tabs = "<i role=tab id=a>A</i>".repeat(2000);
    for html in [
        "<p>".repeat(4000) + "deep",
        "<br>".repeat(4000) + "deep",
        "<table>".repeat(4000) + "deep",
        "<table><tr>".to_owned() + &"<td colspan=1000 rowspan=1000>deep".repeat(400),
        "<table>".to_owned() + &"<tr><td>deep<td rowspan=1000>".repeat(2000),
        "<ul role=tablist><li role=tab>deep".repeat(4000),
        format!("<div role=tablist>{tabs}</div>{}", "<p role=tabpanel aria-labelledby=a>deep".repeat(2000)),
        "<p>deep ".to_owned() + &"`".repeat(4000) + &"*[_<&\\".repeat(4000),
        "< ".repeat(4000) + "deep",
        "<svg>".to_owned() + &"<style>".repeat(4000) + "</svg>deep",
        "<b>deep</b><i></i><a href=x></a>".repeat(2000),
        styles + &"<p>deep".repeat(200),
    ] {
        let end = html.len().min(80);
        assert!(quoting(&html).text.contains("deep") && markdown(&html).contains("deep"), "{}", &html[..end]);
    }
}

/// Only what the parser holds open counts as depth, and what is too deep leaves the page around it whole.
#[test]
fn depth_is_that_of_the_elements() {
    let many = |text: &str| text.repeat(3000);
    for before in [
        format!("<script>{}</script>", many("if (i<n) f('<div>');")),
        format!("<svg>{}</svg>", many("<path d=''/>")),
        many("<img><input><p>a<li>b"),
        format!("<!-- {} -->", many("<div>")),
        format!("<div>{}{}</div>", many("<div>"), many("</div>")),
        format!("<table>{}</table>", many("<tr><td>a")),
        many("<b>a</b></x></p>"),
    ] {
        let html = format!("<body>{before}<main><h2>Rules</h2><ul><li>one<li>two</ul></main>after");
        assert_eq!(markdown(&html), "## Rules\n\n- one\n- two\n", "{}", &before[..40]);
    }
}

/// Text, and elements around it, at random.
fn pages() -> impl Strategy<Value = String> {
    let text = "[a-c0-9 .,:;!?*_`~<>&#=|{}()\\[\\]\\\\\"'$^@/+-]{0,12}";
    let leaf = text.prop_map(|text| text.replace('&', "&amp;").replace('<', "&lt;"));
    leaf.prop_recursive(5, 60, 5, |inner| {
        let tags = prop::sample::select(vec![
            "p",
            "div",
            "em",
            "strong",
            "code",
            "pre",
            "ul",
            "ol",
            "li",
            "a href=x",
            "h2",
            "h3",
            "blockquote",
            "dl",
            "dt",
            "dd",
            "table",
            "tr",
            "td",
            "th",
            "details",
            "summary",
            "br",
            "hr",
            "span",
            "section",
            "div class=admonition",
            "p class=admonition-title",
            "td colspan=2",
            "div role=tabpanel hidden",
            "div role=tablist",
            "i role=tab",
            "kbd",
        ]);
        (tags, prop::collection::vec(inner, 0..5)).prop_map(|(tag, inner)| {
            let name = tag.split(' ').next().unwrap_or_default();
            format!("<{tag}>{}</{name}>", inner.concat())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever the page: what can be quoted from it can be read in its Markdown, under the same headings.
    #[test]
    fn what_is_text_is_in_the_markdown(html in pages()) {
        let missed = measure(&html).missed;
        prop_assert!(missed.is_empty(), "{missed:?}\n{}", markdown(&html));
    }

    #[test]
    fn any_bytes_make_a_page(html in "\\PC{0,60}") {
        let _ = (quoting(&html), markdown(&html));
    }
}
