//! What is known of documentation generators: a table, not code.

use polc_records::Problem;
use polc_records::layout::{DataFile, Root};
use polc_records::store::TomlFile;
use polc_text::dom::Selector;
use polc_text::dom::{Element, Page, Piece};
use serde::Deserialize;

const GENERATORS: &str = include_str!("../../../../stages/generators.toml");
const PATH: &str = "stages/generators.toml";

/// Every generator that is known, in the order in which a page is tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generators {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "version")]
    _version: String,
    noise: Vec<Selector>,
    #[serde(rename = "generator")]
    generators: Vec<Generator>,
}

/// How the pages of one generator are built.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Generator {
    name: String,
    marks: Vec<Selector>,
    content: Vec<Selector>,
    navigation: Vec<Selector>,
    #[serde(default)]
    text_navigates: bool,
    #[serde(default)]
    documents: Vec<Selector>,
    #[serde(default)]
    previous: Vec<Selector>,
    #[serde(default)]
    next: Vec<Selector>,
    #[serde(default)]
    noise: Vec<Selector>,
}

impl TomlFile for Generators {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "table of generators";
}

impl Generators {
    /// The table of a root, or the one built in.
    ///
    /// # Errors
    /// A table that is damaged: with its place.
    pub fn load(root: &Root) -> Result<Self, Problem> {
        Self::from_data(&root.data(PATH, GENERATORS)?)
    }

    /// The table in one file.
    ///
    /// # Errors
    /// As [`Generators::load`].
    pub fn from_data(data: &DataFile) -> Result<Self, Problem> {
        data.parse()
    }

    /// How a page is built: by the marks of its generator. None where no mark of any is on it.
    pub fn layout(&self, page: &Page) -> Option<Layout<'_>> {
        let generator = self.generators.iter().find(|generator| first(page, &generator.marks).is_some())?;
        let content =
            generator.content.iter().find(|selector| first(page, std::slice::from_ref(selector)).is_some());
        Some(Layout { common: &self.noise, generator, content })
    }
}

/// The first element of the page that the first selector with any matches.
fn first<'p>(page: &'p Page, selectors: &[Selector]) -> Option<Element<'p>> {
    selectors.iter().find_map(|selector| page.elements().find(|element| selector.matches(*element)))
}

/// How one page is built.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'g> {
    common: &'g [Selector],
    generator: &'g Generator,
    content: Option<&'g Selector>,
}

impl<'g> Layout<'g> {
    /// The name of the generator.
    pub fn generator(&self) -> &'g str {
        &self.generator.name
    }

    /// Whether links in the text lead through the documentation, for want of anything else that does.
    pub fn text_navigates(&self) -> bool {
        self.generator.text_navigates
    }

    /// The element that holds the text of the page.
    pub fn content<'p>(&self, page: &'p Page) -> Option<Element<'p>> {
        page.elements().find(|element| self.is_content(*element))
    }

    /// The text of an element without what is no text: words with single spaces between.
    pub fn text(&self, top: Element<'_>) -> String {
        let mut text = String::new();
        let mut open = vec![Piece::Element(top)];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Comment(_) => {}
                Piece::Element(element) if self.is_noise(element) => {}
                Piece::Element(element) => {
                    if !INLINE.contains(&element.name()) {
                        text.push(' ');
                    }
                    let from = open.len();
                    open.extend(element.children());
                    open[from..].reverse();
                }
            }
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn is_content(&self, element: Element<'_>) -> bool {
        self.content.is_some_and(|selector| selector.matches(element))
    }

    /// Whether an element, with all that is in it, is no text.
    pub fn is_noise(&self, element: Element<'_>) -> bool {
        any(self.common, element) || any(&self.generator.noise, element)
    }

    /// Whether an element holds navigation.
    pub fn is_navigation(&self, element: Element<'_>) -> bool {
        any(&self.generator.navigation, element)
    }

    pub(super) fn is_previous(&self, element: Element<'_>) -> bool {
        any(&self.generator.previous, element)
    }

    pub(super) fn is_next(&self, element: Element<'_>) -> bool {
        any(&self.generator.next, element)
    }

    /// The element that names the document which the navigation of the page is filled from.
    pub(super) fn document<'p>(&self, page: &'p Page) -> Option<Element<'p>> {
        first(page, &self.generator.documents)
    }
}

fn any(selectors: &[Selector], element: Element<'_>) -> bool {
    selectors.iter().any(|selector| selector.matches(element))
}

/// Elements that do not part a word.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr",
];
