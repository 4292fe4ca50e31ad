//! Where a page leads.

use super::generators::{Generators, Layout};
use super::key::key;
use crate::refresh::base_url;
use polc_net::Url;
use polc_text::dom::{Element, Page, Piece};

/// Where a page leads, by the part of it that says so. Links to a place in the page itself are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLinks {
    /// What the addresses are relative to: the page's `<base href>`, else its own address.
    pub base: Url,
    /// The links of the navigation: sidebar, table of contents, breadcrumbs.
    pub navigation: Vec<Link>,
    /// The page before this one.
    pub previous: Option<Link>,
    /// The page after this one.
    pub next: Option<Link>,
    /// The links in the text.
    pub content: Vec<Link>,
    /// Whether the links of its text lead through the documentation, as navigation does elsewhere.
    pub text_navigates: bool,
    /// A document that a script fills the navigation from.
    pub document: Option<Url>,
}

/// One link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, with the fragment.
    pub url: Url,
    /// The id of the section it stands in, where it stands in the text and there is one.
    pub section: Option<String>,
}

/// The links of a page that came from `url`.
pub fn links(page: &Page, url: &Url, generators: &Generators) -> PageLinks {
    let base = base_url(page, url);
    let links = PageLinks {
        base,
        navigation: Vec::new(),
        previous: None,
        next: None,
        content: Vec::new(),
        text_navigates: false,
        document: None,
    };
    let Some(layout) = generators.layout(page) else { return links };
    let text_navigates = layout.text_navigates();
    let mut walk = Walk { url, layout, links, section: None, content_found: false };
    walk.elements(page);
    walk.links.text_navigates = text_navigates;
    walk.links.document = layout.document(page).and_then(|element| walk.address(element.attribute("src")?));
    walk.links
}

/// The links of a document that only lists pages: each of them is navigation.
pub fn links_of_document(page: &Page, url: &Url) -> Vec<Link> {
    let base = base_url(page, url);
    let links = page.named("a").filter_map(|element| target(&base, url, element.attribute("href")?));
    links.map(|url| Link { url, section: None }).collect()
}

/// The part of a page that an element stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    Outside,
    Navigation,
    Content,
}

struct Walk<'a> {
    url: &'a Url,
    layout: Layout<'a>,
    links: PageLinks,
    section: Option<String>,
    content_found: bool,
}

impl Walk<'_> {
    fn elements(&mut self, page: &Page) {
        let Some(top) = page.elements().next() else { return };
        let mut open = vec![(top, Region::Outside)];
        while let Some((element, around)) = open.pop() {
            self.neighbours(element);
            if self.layout.is_noise(element) {
                // The links to the page before and after stand in what is no text.
                element.pieces().for_each(|piece| {
                    if let Piece::Element(inner) = piece {
                        self.neighbours(inner);
                    }
                });
                continue;
            }
            let region = self.region(element, around);
            self.link(element, region);
            let from = open.len();
            open.extend(element.children().filter_map(|piece| match piece {
                Piece::Element(child) => Some((child, region)),
                Piece::Text(_) | Piece::Comment(_) => None,
            }));
            open[from..].reverse();
        }
    }

    fn region(&mut self, element: Element<'_>, around: Region) -> Region {
        if self.layout.is_navigation(element) {
            return Region::Navigation;
        }
        if !self.content_found && self.layout.is_content(element) {
            self.content_found = true;
            return Region::Content;
        }
        around
    }

    fn link(&mut self, element: Element<'_>, region: Region) {
        let is_section = matches!(element.name(), "section" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
            || element
                .attribute("class")
                .is_some_and(|class| class.split_ascii_whitespace().any(|one| one == "section"));
        if region == Region::Content && is_section {
            self.section = element.attribute("id").map(str::to_owned).or(self.section.take());
        }
        if !matches!(element.name(), "a" | "area") {
            return;
        }
        let Some(url) = element.attribute("href").and_then(|href| self.address(href)) else { return };
        match region {
            Region::Outside => {}
            Region::Navigation => self.links.navigation.push(Link { url, section: None }),
            Region::Content => self.links.content.push(Link { url, section: self.section.clone() }),
        }
    }

    /// Notes the page before or after this one, where an element names it.
    fn neighbours(&mut self, element: Element<'_>) {
        if !matches!(element.name(), "a" | "link") {
            return;
        }
        let says = |word: &str| {
            let words = element.attribute("rel").into_iter().flat_map(str::split_ascii_whitespace);
            words.into_iter().any(|found| found.eq_ignore_ascii_case(word))
        };
        let is_previous = says("prev") || self.layout.is_previous(element);
        let is_next = says("next") || self.layout.is_next(element);
        if !is_previous && !is_next {
            return;
        }
        let link = element.attribute("href").and_then(|href| self.address(href));
        let link = link.map(|url| Link { url, section: None });
        if is_previous && self.links.previous.is_none() {
            self.links.previous = link;
        } else if is_next && self.links.next.is_none() {
            self.links.next = link;
        }
    }

    fn address(&self, href: &str) -> Option<Url> {
        target(&self.links.base, self.url, href)
    }
}

/// The address of a page on the web that is another one.
fn target(base: &Url, page: &Url, href: &str) -> Option<Url> {
    let url = base.join(href).ok()?;
    (matches!(url.scheme(), "http" | "https") && key(&url) != key(page)).then_some(url)
}
