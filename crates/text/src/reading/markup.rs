//! What Markdown says of the plain elements: `htmd` with a few handlers of ours.

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::options::{BulletListMarker, Options};
use htmd::{Element, HtmlToMarkdown};
use std::borrow::Cow;
use std::sync::LazyLock;

/// How the elements of ours begin.
pub(super) mod open {
    pub(in super::super) const TABLE: &str = "<x-table>";
    pub(in super::super) const ROW: &str = "<x-row>";

    /// A cell, with its column: without it `htmd` takes cells of one word each for one.
    pub(in super::super) fn cell(column: usize) -> String {
        format!("<x-cell column={column}>")
    }
}

/// How they end.
pub(super) mod close {
    pub(in super::super) const TABLE: &str = "</x-table>";
    pub(in super::super) const ROW: &str = "</x-row>";
    pub(in super::super) const CELL: &str = "</x-cell>";
}

static CONVERTER: LazyLock<HtmlToMarkdown> = LazyLock::new(|| {
    let options = Options {
        bullet_list_marker: BulletListMarker::Dash,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        ..Options::default()
    };
    let whole = |before: &'static str, after: &'static str| {
        move |handlers: &dyn Handlers, element: Element<'_>| {
            let content = handlers.walk_children(element.node).content;
            Some(HandlerResult::from(format!("{before}{}{after}", content.trim_end_matches('\n'))))
        }
    };
    HtmlToMarkdown::builder()
        .options(options)
        .add_handler(vec!["x-raw"], |_: &dyn Handlers, element: Element<'_>| {
            value(&element, "title").map(HandlerResult::from)
        })
        .add_handler(vec!["x-code"], code_block)
        .add_handler(vec!["x-table"], whole("\n\n", "\n\n"))
        .add_handler(vec!["x-row"], whole("|", "\n"))
        .add_handler(vec!["x-cell"], cell)
        .build()
});

/// The Markdown of a page in plain elements: lines without white space at their ends.
pub(super) fn markdown(plain: &str) -> String {
    #[expect(clippy::expect_used, reason = "it reads a string and has no other way to fail")]
    let laid_out = CONVERTER.convert(plain).expect("a string can be read");
    let mut markdown = String::with_capacity(laid_out.len() + 1);
    for line in laid_out.trim_end().lines() {
        markdown.push_str(line.trim_end_matches(' '));
        markdown.push('\n');
    }
    markdown
}

fn value(element: &Element<'_>, name: &str) -> Option<String> {
    element.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|found| found.value.to_string())
}

/// A code block between marks that do not stand in it.
#[expect(clippy::needless_pass_by_value, reason = "htmd hands elements over like this")]
fn code_block(_: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let text = value(&element, "title")?;
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let language = value(&element, "lang").unwrap_or_default();
    Some(HandlerResult::from(format!("\n\n{fence}{language}\n{text}\n{fence}\n\n")))
}

/// One cell, in one line; a bar in it is no border.
#[expect(clippy::needless_pass_by_value, reason = "htmd hands elements over like this")]
fn cell(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let content = handlers.walk_children(element.node).content;
    let content = content.trim().replace('\n', " ").replace('|', "\\|");
    Some(HandlerResult::from(format!(" {content} |")))
}

/// Markdown that is written as it is.
pub(super) fn raw(markdown: &str) -> String {
    format!("<x-raw title=\"{}\"></x-raw>", attribute(markdown))
}

/// The line between the heading of a table and its rows.
pub(super) fn rule(columns: usize) -> String {
    let cells = |column| format!("{}{}{}", open::cell(column), raw("---"), close::CELL);
    format!("{}{}{}", open::ROW, (0..columns).map(cells).collect::<String>(), close::ROW)
}

/// A block of code.
pub(super) fn code(text: &str, language: &str) -> String {
    format!("<x-code lang=\"{}\" title=\"{}\"></x-code>", attribute(language), attribute(text))
}

/// A code span between marks that do not stand in it.
pub(super) fn code_span(words: &str) -> String {
    let mark = "`".repeat(longest_run(words) + 1);
    let space = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{mark}{space}{words}{space}{mark}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// The address of a link, without what would end it.
pub(super) fn address(href: &str) -> String {
    let mut address = String::new();
    for c in href.chars() {
        match c {
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '\\' => address.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() => address.push_str("%20"),
            c => address.push(c),
        }
    }
    address
}

/// The value of an attribute.
pub(super) fn attribute(value: &str) -> Cow<'_, str> {
    if !value.contains(['&', '"']) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.replace('&', "&amp;").replace('"', "&quot;"))
}

/// Appends a character of text.
pub(super) fn push_text(html: &mut String, c: char) {
    match c {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        c => html.push(c),
    }
}
