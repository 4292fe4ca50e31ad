//! Sphinx: the options script, its older copy in the page, and the inventory.

use super::{Entry, Got};
use polc_net::Url;
use polc_records::pin::{Claim, ClaimedBy};
use polc_text::dom::Element;

/// Whether the page is made by Sphinx.
pub(super) fn made(entry: &Entry) -> bool {
    script(entry).is_some() || content_root(entry).is_some() || options_in_page(entry).is_some()
}

/// Below what all pages are.
pub(super) fn root(entry: &Entry) -> Option<Url> {
    let url_root = || string_of(&options_in_page(entry)?, "URL_ROOT");
    let of_script = || Some(script(entry)?.1?.to_owned());
    let relative = content_root(entry).map(str::to_owned).or_else(url_root).or_else(of_script);
    match relative {
        Some(root) => entry.base.join(&root).ok(),
        None => script(entry)?.0.join("..").ok(),
    }
}

/// The options script with the query that the page gives it, and the inventory.
pub(super) fn wanted(entry: &Entry) -> Vec<Url> {
    options_url(entry).into_iter().chain(inventory_url(entry)).collect()
}

/// What the script, the page and the inventory state.
pub(super) fn claims(entry: &Entry, got: &Got) -> Vec<Claim> {
    let claim = |by, value: String, url: &Url| Claim { by, value, url: url.clone() };
    let script = options_url(entry).and_then(|url| {
        let text = got.text(&url)?;
        Some(claim(ClaimedBy::SphinxOptions, string_of(options(&text)?, "VERSION")?, &url))
    });
    let page = options_in_page(entry).and_then(|text| string_of(&text, "VERSION"));
    let page = page.map(|value| claim(ClaimedBy::SphinxPage, value, &entry.url));
    let inventory = inventory_url(entry).and_then(|url| {
        let value = head(&got.text(&url)?, "Version")?;
        Some(claim(ClaimedBy::SphinxInventory, value, &url))
    });
    script.into_iter().chain(page).chain(inventory).collect()
}

/// The name that the project has in its inventory.
pub(super) fn project(entry: &Entry, got: &Got) -> Option<String> {
    head(&got.text(&inventory_url(entry)?)?, "Project")
}

/// The address of the options script, and what it gives as the root.
fn script(entry: &Entry) -> Option<(Url, Option<&str>)> {
    entry.page.named("script").find_map(|script| {
        let url = entry.base.join(script.attribute("src")?).ok()?;
        let is_it = url.path().ends_with("/_static/documentation_options.js");
        is_it.then(|| (url, script.attribute("data-url_root")))
    })
}

fn content_root(entry: &Entry) -> Option<&str> {
    entry.page.named("html").find_map(|html| html.attribute("data-content_root"))
}

fn options_url(entry: &Entry) -> Option<Url> {
    let beside = || root(entry)?.join("_static/documentation_options.js").ok();
    script(entry).map(|(url, _)| url).or_else(beside)
}

fn inventory_url(entry: &Entry) -> Option<Url> {
    root(entry)?.join("objects.inv").ok()
}

/// The options in a script of the page itself.
fn options_in_page(entry: &Entry) -> Option<String> {
    let scripts = entry.page.named("script").filter(|script| script.attribute("src").is_none());
    scripts.map(Element::text).find_map(|text| options(&text).map(str::to_owned))
}

/// What follows the name of the options where they are assigned.
fn options(script: &str) -> Option<&str> {
    let mut rest = script;
    loop {
        let (_, after) = rest.split_once("DOCUMENTATION_OPTIONS")?;
        let value = after.trim_start().strip_prefix('=').map(str::trim_start);
        if let Some(value) = value.filter(|value| value.starts_with('{')) {
            return Some(value);
        }
        rest = after;
    }
}

/// A string in a literal of a script, by its key; none where it is empty.
fn string_of(literal: &str, key: &str) -> Option<String> {
    let mut scan = Scan(literal);
    let mut depth = 0;
    let mut last = None;
    loop {
        match scan.next()? {
            Token::Other('{' | '[' | '(') => depth += 1,
            Token::Other('}' | ']' | ')') => depth -= 1,
            Token::Other(':') if depth == 1 && last.as_deref() == Some(key) => {
                let Token::Text(value) = scan.next()? else { return None };
                return Some(value.trim().to_owned()).filter(|value| !value.is_empty());
            }
            Token::Other(_) => {}
            Token::Text(text) | Token::Word(text) => {
                last = Some(text);
                continue;
            }
        }
        if depth == 0 {
            return None;
        }
        last = None;
    }
}

/// A piece of a script.
enum Token {
    Text(String),
    Word(String),
    Other(char),
}

/// Reads a script as far as finding a string in it needs.
struct Scan<'t>(&'t str);

impl Scan<'_> {
    fn next(&mut self) -> Option<Token> {
        loop {
            self.0 = self.0.trim_start();
            let comment = if self.0.starts_with("//") {
                "\n"
            } else if self.0.starts_with("/*") {
                "*/"
            } else {
                break;
            };
            self.0 = self.0.split_once(comment)?.1;
        }
        let first = self.0.chars().next()?;
        if matches!(first, '"' | '\'' | '`') {
            self.0 = &self.0[1..];
            return self.text(first).map(Token::Text);
        }
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let length = self.0.find(|c| !is_word(c)).unwrap_or(self.0.len());
        if length == 0 {
            self.0 = &self.0[first.len_utf8()..];
            return Some(Token::Other(first));
        }
        let (word, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(Token::Word(word.to_owned()))
    }

    fn text(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.0.chars();
        loop {
            match chars.next()? {
                // Versions need no other escape than one of a sign that stands for itself.
                '\\' => text.push(chars.next()?),
                end if end == quote => break,
                other => text.push(other),
            }
        }
        self.0 = chars.as_str();
        Some(text)
    }
}

/// A line of the head of an inventory; none where it is empty or the text is no inventory.
fn head(inventory: &str, key: &str) -> Option<String> {
    let mut lines = inventory.lines().take(4);
    lines.next()?.strip_prefix("# Sphinx inventory version")?;
    let value = lines.find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(':'))?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}
