//! Where documents link to, and from which section.

use polc_text::page::PageParts;
use polc_text::{Document, Format};

fn links(document: &Document) -> Vec<String> {
    let links = document.links();
    links.iter().map(|(section, to)| format!("{}: {to}", document.sections[*section].path)).collect()
}

fn of_file(text: &str, format: Format) -> Vec<String> {
    links(&Document::derive(text.as_bytes(), format).unwrap())
}

#[test]
fn a_page_links_by_its_elements_and_around_blocks_too() {
    let html = "<main><h1>Guide</h1><p>See <a href=' a.md '>one</a> and <a href=b.md><code>two</code></a>.</p>\
                <h2>Cards<a class=headerlink href='#cards'>#</a></h2><a href=c.md><div><p>Three</p></div></a>\
                <ul><li>https://plain.example <a href=d.md>four</a></ul><pre><a href=e.md>five</a></pre>\
                <h2>Last</h2><p>six</p></main><footer><a href=f.md>f</a></footer>";
    let page = Document::of_page(polc_records::Digest::of(html), html, &PageParts::default());
    assert_eq!(
        links(&page),
        ["Guide: a.md", "Guide: b.md", "Guide > Cards: c.md", "Guide > Cards: d.md"].map(|link| {
            // The only title is left out where there is more below it.
            link.strip_prefix("Guide > ").unwrap_or(link).to_owned()
        })
    );
    let words = &page.blocks.iter().find(|block| !block.prose.links.is_empty()).unwrap().prose;
    let linked: Vec<&str> = words.links.iter().map(|(at, _)| &words.plain[at.clone()]).collect();
    assert_eq!(linked, ["one", "two"]);
}

#[test]
fn a_file_links_by_its_markup_and_by_every_address_outside_of_code() {
    let markdown = "# Guide\n\n[a](https://x.example/a.md), <https://x.example/b.md> (https://x.example/c.md).\n\
                    [d]: https://x.example/d.md\n[s](<https://x.example/two words.md>)\n\n\
                    ## More\n\n[e][d], https://x.example/f_(g).md! <a href=\"https://x.example/h.md\">h</a>\n\n\
                    <!-- Read https://x.example/i.md. -->\n\n```sh\ncurl https://x.example/j.md\n```\n\n\
                    ## Below\n\n[d]: https://x.example/d.md\n[../k](../k.md)\n";
    insta::assert_snapshot!(of_file(markdown, Format::Markdown).join("\n"));
}

#[test]
fn restructured_text_links_by_names_as_well() {
    let rst = "Guide\n=====\n\nRead `the book <https://x.example/\na.rst>`_ and handbook_, not my_handbook_.\n\n\
               More\n----\n\nThe `style guide`_ and `this <style guide_>`__, or https://x.example/b.rst.\n\n\
               .. _handbook: https://x.example/c.rst\n.. _Style Guide: https://x.example/d.rst\n\
               .. _unused: https://x.example/e.rst\n";
    insta::assert_snapshot!(of_file(rst, Format::RestructuredText).join("\n"));
}
