//! What a rule applies to, its category and its trigger, by words.

use crate::cues::Cues;
use crate::lexis::tokens;
use polc_records::locator::SectionPath;
use polc_records::vocabulary::{AppliesTo, Category};

/// What is known of a rule when it is tagged.
pub(super) struct Tagged<'t> {
    pub(super) rule: &'t str,
    pub(super) section: &'t SectionPath,
    /// The kind of its source.
    pub(super) kind: &'t str,
    /// The title of its source, and the name of its file.
    pub(super) about: &'t str,
}

/// The category with the most words; the first of the vocabulary on a tie.
pub(super) fn category(cues: &Cues, tagged: &Tagged<'_>) -> Category {
    let rule = tokens(tagged.rule);
    let headings: Vec<_> = tagged.section.0.iter().flat_map(|heading| tokens(heading)).collect();
    let about = tokens(tagged.about);
    let score = |category: &Category| {
        let Some(words) = cues.categories.get(category) else {
            return 0;
        };
        let of_kind = cues.kinds.get(tagged.kind) == Some(category);
        let named = match category {
            // A rule that speaks of AI is about AI whatever else it speaks of.
            Category::AiPolicy => 6,
            _ => 2,
        };
        let around = 2 * words.count(&headings).min(1) + 2 * words.count(&about).min(1);
        named * words.count(&rule) + around + if of_kind { 2 } else { 0 }
    };
    let best = Category::ALL.iter().copied().rev().max_by_key(score);
    best.filter(|category| score(category) > 0).unwrap_or(Category::Quality)
}

/// The one or two things with the most words, in the order of the vocabulary; without any, what the
/// category is mostly about.
pub(super) fn applies_to(cues: &Cues, rule: &str, category: Category) -> Vec<AppliesTo> {
    let words = tokens(rule);
    let mut scored: Vec<(usize, AppliesTo)> = AppliesTo::ALL
        .iter()
        .filter_map(|value| Some((cues.applies_to.get(value)?.count(&words), *value)))
        .filter(|(count, _)| *count > 0)
        .collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let most = scored.first().map_or(0, |(count, _)| *count);
    let mut values: Vec<AppliesTo> =
        scored.into_iter().filter(|(count, _)| *count == most).take(2).map(|(_, value)| value).collect();
    if values.is_empty() {
        values.push(default_applies_to(category));
    }
    values.sort();
    values
}

fn default_applies_to(category: Category) -> AppliesTo {
    match category {
        Category::Documentation => AppliesTo::Docs,
        Category::Style | Category::Specialized | Category::Quality => AppliesTo::Code,
        Category::Tests => AppliesTo::Test,
        Category::PullRequest => AppliesTo::Pr,
        Category::Git => AppliesTo::Commit,
        Category::AiPolicy => AppliesTo::Workflow,
    }
}

/// A condition on what the contribution touches, in plain form.
pub(super) fn trigger(cues: &Cues, condition: Option<&str>) -> Option<String> {
    let condition = condition?;
    let words = tokens(condition);
    cues.conditions.trigger.any(&words).then(|| {
        let mut chars = condition.chars();
        chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
    })
}
