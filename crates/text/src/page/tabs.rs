//! Alternatives of which a page shows one at a time: which label belongs to which panel.

use super::content::{elements, elements_below};
use crate::document::fold_space;
use crate::dom::{Element, Page};
use ego_tree::NodeId;
use std::collections::{HashMap, HashSet, VecDeque};

/// The panels and the labels of a page.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    panels: HashMap<NodeId, String>,
    labels: HashSet<NodeId>,
}

impl Tabs {
    pub(super) fn of(page: &Page) -> Self {
        let mut tabs = Tabs::default();
        let by_id: HashMap<&str, Element<'_>> =
            page.elements().filter_map(|element| Some((element.attribute("id")?, element))).collect();
        // Labels whose panels are to come, those of the innermost set first.
        let mut waiting: VecDeque<Element<'_>> = VecDeque::new();
        let mut lists = Vec::new();
        for element in page.elements() {
            match element.attribute("role") {
                Some("tablist") => {
                    let labels: Vec<_> = elements_below(element).filter(is_tab).collect();
                    for label in labels.iter().rev() {
                        match label.attribute("aria-controls").and_then(|id| by_id.get(id)) {
                            Some(panel) => tabs.pair(*label, *panel),
                            None => waiting.push_front(*label),
                        }
                    }
                    lists.push((element, labels));
                }
                Some("tabpanel") if tabs.label(element).is_none() => {
                    let named = element.attribute("aria-labelledby").and_then(|id| by_id.get(id)).copied();
                    let mut next =
                        || std::iter::from_fn(|| waiting.pop_front()).find(|label| !tabs.is_label(*label));
                    if let Some(label) = named.or_else(&mut next) {
                        tabs.pair(label, element);
                    }
                }
                _ => tabs.of_radio_buttons(element),
            }
        }
        for (list, labels) in lists {
            if labels.iter().all(|label| tabs.is_label(*label)) {
                tabs.labels.insert(list.key());
            }
        }
        tabs
    }

    /// The label of a panel.
    pub(super) fn label(&self, panel: Element<'_>) -> Option<&str> {
        self.panels.get(&panel.key()).map(String::as_str)
    }

    /// Whether an element is the label of a panel, which carries it.
    pub(super) fn is_label(&self, element: Element<'_>) -> bool {
        self.labels.contains(&element.key())
    }

    /// A set whose labels are those of radio buttons, before each panel or before all of them.
    fn of_radio_buttons(&mut self, set: Element<'_>) {
        if !elements(set).any(|button| button.attribute("type") == Some("radio")) {
            return;
        }
        let part = |class: &str| elements(set).find(|part| part.classes().any(|its| its == class));
        let (labels, panels): (Vec<_>, Vec<_>) = match (part("tabbed-labels"), part("tabbed-content")) {
            (Some(labels), Some(panels)) if part("tabbed-labels") != part("tabbed-content") => {
                (elements_below(labels).filter(is_radio_label).collect(), elements(panels).collect())
            }
            _ => elements(set)
                .filter(|element| !matches!(element.name(), "input" | "script" | "style"))
                .partition(is_radio_label),
        };
        if labels.len() == panels.len() {
            for (label, panel) in labels.into_iter().zip(panels) {
                self.pair(label, panel);
            }
        }
    }

    fn pair(&mut self, label: Element<'_>, panel: Element<'_>) {
        let text = fold_space(&label.text());
        // A label may be a picture, or a letter of a font of pictures.
        let words = if text.contains(char::is_alphanumeric) {
            text
        } else {
            let named = label.attribute("aria-label").or_else(|| label.attribute("title"));
            named.map_or(text, fold_space)
        };
        self.labels.insert(label.key());
        self.panels.insert(panel.key(), words);
    }
}

fn is_tab(element: &Element<'_>) -> bool {
    element.attribute("role") == Some("tab")
}

fn is_radio_label(element: &Element<'_>) -> bool {
    element.name() == "label"
}
