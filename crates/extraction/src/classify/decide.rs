//! The decision engine: from facts to labels, by the tables alone. No engine is asked.

use super::duplicates::{Candidate, governing};
use super::rubric::{Outcome, Rubrics};
use polc_records::corpus::{Corpus, CorpusRow, OutOfScope, Reasoning, Verdict};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::RuleFacts;
use polc_records::ids::RuleId;
use polc_records::vocabulary::{EvidenceType, Fact, Level, LevelRoute, ModalLevel, ScopeRoute, Truth};

/// Decides every row: evidence type first, then scope, then level (D.1).
///
/// `facts` has one entry a row, in the same order.
pub fn decide(rubrics: &Rubrics, rows: &[ExtractionRow], facts: &[RuleFacts]) -> Corpus {
    let alone: Vec<Scoped> = facts.iter().map(|facts| scope(rubrics, facts, Truth::No)).collect();
    let candidates: Vec<Candidate<'_>> = facts
        .iter()
        .zip(&alone)
        .map(|(facts, scoped)| Candidate {
            id: &facts.rule,
            governs: scoped.scope.fired.is_none(),
            strictness: level(rubrics, facts).fired.map_or(0, |route| u8::from(route.level() == Level::Must)),
            // What is out by N1 or N2 is no duplicate of anything.
            pairs: if matches!(scoped.scope.fired, Some(ScopeRoute::N1 | ScopeRoute::N2)) {
                &[]
            } else {
                &facts.duplicates
            },
        })
        .collect();
    let out = |index: usize| matches!(alone[index].scope.fired, Some(ScopeRoute::N1 | ScopeRoute::N2));
    let governed = governing(&candidates);
    let rows = rows
        .iter()
        .zip(facts)
        .enumerate()
        .map(|(index, (row, facts))| {
            let governor = governed[index].filter(|_| !out(index));
            decide_row(rubrics, row, facts, governor, |id| {
                let other = candidates.iter().position(|candidate| candidate.id == id);
                other.map_or(0, |other| candidates[other].strictness) > candidates[index].strictness
            })
        })
        .collect();
    Corpus { rows }
}

struct Scoped {
    evidence: Outcome<EvidenceType>,
    scope: Outcome<ScopeRoute>,
}

/// A fact as it was answered, or as it is derived.
fn truth(rubrics: &Rubrics, facts: &RuleFacts, duplicate: Truth, fact: Fact) -> Truth {
    match fact {
        Fact::ArtifactExists => {
            Truth::from(facts.artifacts.iter().any(|artifact| rubrics.setting.exists.contains(artifact)))
        }
        Fact::Duplicate => duplicate,
        answered => facts.facts.get(&answered).map_or(Truth::Unknown, |answer| answer.holds),
    }
}

fn scope(rubrics: &Rubrics, facts: &RuleFacts, duplicate: Truth) -> Scoped {
    let truth = |fact| truth(rubrics, facts, duplicate, fact);
    Scoped { evidence: rubrics.evidence.evaluate(&truth), scope: rubrics.scope.evaluate(&truth) }
}

fn level(rubrics: &Rubrics, facts: &RuleFacts) -> Outcome<LevelRoute> {
    rubrics.level.evaluate(&|fact| truth(rubrics, facts, Truth::No, fact))
}

fn decide_row(
    rubrics: &Rubrics,
    row: &ExtractionRow,
    facts: &RuleFacts,
    governor: Option<&RuleId>,
    is_stricter: impl Fn(&RuleId) -> bool,
) -> CorpusRow {
    let scoped = scope(rubrics, facts, Truth::from(governor.is_some()));
    let evidence = scoped.evidence.fired.or(rubrics.evidence.fallback).unwrap_or(EvidenceType::Output);
    let mut open = scoped.evidence.open;
    open.extend(scoped.scope.open);
    let mut unsettled = Vec::new();
    let verdict = match scoped.scope.fired {
        Some(route) => {
            let route = match (route, governor) {
                (ScopeRoute::N1, _) => OutOfScope::NotObservable,
                (ScopeRoute::N3, Some(governor)) => OutOfScope::Duplicate(governor.clone()),
                (ScopeRoute::N2 | ScopeRoute::N3, _) => OutOfScope::Subjective,
                (ScopeRoute::N4, _) => OutOfScope::Trigger,
            };
            Verdict::OutOfScope { route, also: scoped.scope.also }
        }
        None => {
            let level = level(rubrics, facts);
            open.extend(level.open);
            let fallback = rubrics.level.fallback.unwrap_or(LevelRoute::D4);
            if level.fired.is_none() {
                unsettled.push("no route of the level holds".to_owned());
            }
            Verdict::InScope { route: level.fired.unwrap_or(fallback), also: level.also }
        }
    };
    open.sort();
    open.dedup();
    unsettled.extend(open.iter().map(|fact| {
        let words = facts.facts.get(fact).map_or("", |answer| answer.words.as_str());
        format!("`{fact}` is open: {words}")
    }));
    CorpusRow {
        id: row.id.clone(),
        source: row.source.clone(),
        original: row.original.clone(),
        rule: row.rule.clone(),
        applies_to: row.applies_to.clone(),
        category: row.category,
        evidence,
        reasoning: reasoning(rubrics, row, facts, &verdict),
        conflict: governor.filter(|governor| is_stricter(governor)).cloned(),
        verdict,
        modal: row.modal,
        trigger: row.notes.trigger.clone(),
        auto_fix: facts.auto_fix.clone(),
        low_confidence: (!unsettled.is_empty()).then(|| unsettled.join("; ")),
    }
}

/// The line of reasoning, composed from the facts that decided.
fn reasoning(rubrics: &Rubrics, row: &ExtractionRow, facts: &RuleFacts, verdict: &Verdict) -> Reasoning {
    let (decided_by, conclusion) = match verdict {
        Verdict::InScope { route, .. } => {
            let facts_of = rubrics
                .level
                .routes
                .iter()
                .find(|known| known.gives == *route)
                .map(|route| route.all.as_slice());
            let fold = if row.modal == ModalLevel::Prohibited && route.level() == Level::Must {
                "; a prohibition, folded into must"
            } else {
                ""
            };
            let means = rubrics.level.means(*route);
            (facts_of, format!("in scope, {} by {route}: {means}{fold}", route.level()))
        }
        Verdict::OutOfScope { route, .. } => {
            let kind = route.route();
            let facts_of = rubrics
                .scope
                .routes
                .iter()
                .find(|known| known.gives == kind)
                .map(|route| route.all.as_slice());
            (facts_of, format!("out of scope, {}", rubrics.scope.means(kind)))
        }
    };
    let words = decided_by
        .unwrap_or_default()
        .iter()
        .filter_map(|fact| facts.facts.get(fact))
        .map(|answer| answer.words.as_str())
        .find(|words| !words.is_empty() && row.original.contains(*words));
    let quote = words.map_or_else(|| first_words(&row.original, 12), str::to_owned);
    let context = if row.context.is_empty() {
        "the section grants no exception and states no consequence".to_owned()
    } else {
        let quotes: Vec<String> =
            row.context.iter().map(|context| format!("{} \"{}\"", context.kind, context.quote)).collect();
        format!("the section states: {}", quotes.join(", "))
    };
    Reasoning {
        quote,
        context,
        conclusion: format!("{conclusion}; judged on {}; fails if {}", facts.opens, facts.failure),
    }
}

fn first_words(text: &str, count: usize) -> String {
    text.split_whitespace().take(count).collect::<Vec<_>>().join(" ")
}
