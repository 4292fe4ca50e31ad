//! The decision engine: from facts to labels, by the tables alone. No engine is asked.

use super::duplicates::{Candidate, Content, Governed, governing};
use super::rubric::{Evaluation, Rubrics};
use crate::cues::Cues;
use polc_records::corpus::{Corpus, CorpusRow, OutOfScope, Reasoning, Verdict};
use polc_records::extraction::{ExtractionRow, SectionContext, compose_applies_to};
use polc_records::facts::RuleFacts;
use polc_records::vocabulary::{
    AppliesTo, Artifact, EvidenceType, Fact, Level, LevelRoute, ModalLevel, ScopeRoute, Truth,
};

/// Decides every row: evidence type first, then scope, then level (D.1).
///
/// `facts` has one entry a row, in the same order.
pub fn decide(cues: &Cues, rubrics: &Rubrics, rows: &[ExtractionRow], facts: &[RuleFacts]) -> Corpus {
    let candidates: Vec<Candidate<'_>> = rows
        .iter()
        .zip(facts)
        .map(|(row, facts)| Candidate {
            id: &row.id,
            governs: scope(rubrics, facts, Truth::No).fired.is_none(),
            level: level(rubrics, facts)
                .fired
                .or(rubrics.level.fallback)
                .map_or(Level::Should, LevelRoute::level),
            content: Content::new(cues, row, facts),
            pairs: &facts.duplicates,
        })
        .collect();
    let governed = governing(&candidates);
    let rows = rows.iter().zip(facts).zip(&governed);
    Corpus { rows: rows.map(|((row, facts), governed)| decide_row(rubrics, row, facts, governed)).collect() }
}

/// What each table comes to where no other rule governs.
fn label(rubrics: &Rubrics, facts: &RuleFacts) -> (EvidenceType, Option<ScopeRoute>, Option<LevelRoute>) {
    (evidence(rubrics, facts).0, scope(rubrics, facts, Truth::No).fired, level(rubrics, facts).fired)
}

/// Whether a single answer of the model would have given another label, in words.
fn unstable(rubrics: &Rubrics, facts: &RuleFacts) -> Option<String> {
    let taken = label(rubrics, facts);
    let differs = facts.samples.iter().filter(|sample| label(rubrics, &facts.of_sample(sample)) != taken);
    match differs.count() {
        0 => None,
        others => {
            Some(format!("{others} of {} answers of the model give another label", facts.samples.len()))
        }
    }
}

/// What a model says that a rule governs, where that is nothing of what the frozen row applies to.
fn elsewhere(row: &ExtractionRow, facts: &RuleFacts) -> Option<String> {
    use Artifact::{
        BranchHistory, BuiltDocumentation, CiService, Commands, CommitMessage, CommitSeries, Diff, Files,
        LocalTestRun, PullRequestObject, PullRequestText, ReviewThread,
    };
    let expected = |applies_to: AppliesTo| match applies_to {
        AppliesTo::Code => &[Files, Diff][..],
        AppliesTo::Test => &[Files, Diff, LocalTestRun, Commands],
        AppliesTo::Docs => &[Files, Diff, BuiltDocumentation],
        AppliesTo::Commit => &[CommitMessage, CommitSeries, BranchHistory, Diff],
        AppliesTo::Pr => &[PullRequestText, PullRequestObject, ReviewThread, Diff],
        AppliesTo::Workflow => Artifact::ALL,
        AppliesTo::Ci => &[CiService, Files, PullRequestObject],
    };
    let is_there = |artifact: &Artifact| row.applies_to.iter().any(|of| expected(*of).contains(artifact));
    if facts.samples.is_empty() || facts.artifacts.iter().any(is_there) {
        return None;
    }
    let governs: Vec<&str> = facts.artifacts.iter().map(|artifact| artifact.as_str()).collect();
    Some(format!(
        "it applies to {}, and the model says that it governs {}",
        compose_applies_to(&row.applies_to),
        governs.join(", ")
    ))
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

/// The scope as the table decides it; judgment is never in scope (D.1.1), whatever a table says.
fn scope(rubrics: &Rubrics, facts: &RuleFacts, duplicate: Truth) -> Evaluation<ScopeRoute> {
    let mut scope = rubrics.scope.evaluate(&|fact| truth(rubrics, facts, duplicate, fact));
    if evidence(rubrics, facts).0 == EvidenceType::Judgment && scope.fired != Some(ScopeRoute::N2) {
        scope.also.retain(|route| *route != ScopeRoute::N2);
        if scope.fired == Some(ScopeRoute::N1) {
            scope.also.insert(0, ScopeRoute::N2);
        } else {
            scope.also.splice(0..0, scope.fired);
            scope.fired = Some(ScopeRoute::N2);
        }
    }
    scope
}

fn evidence(rubrics: &Rubrics, facts: &RuleFacts) -> (EvidenceType, Vec<Fact>) {
    let evidence = rubrics.evidence.evaluate(&|fact| truth(rubrics, facts, Truth::No, fact));
    (evidence.fired.or(rubrics.evidence.fallback).unwrap_or(EvidenceType::Output), evidence.open)
}

fn level(rubrics: &Rubrics, facts: &RuleFacts) -> Evaluation<LevelRoute> {
    rubrics.level.evaluate(&|fact| truth(rubrics, facts, Truth::No, fact))
}

fn decide_row(
    rubrics: &Rubrics,
    row: &ExtractionRow,
    facts: &RuleFacts,
    governed: &Governed<'_>,
) -> CorpusRow {
    let (evidence, mut open) = evidence(rubrics, facts);
    let scope = scope(rubrics, facts, Truth::from(governed.by.is_some()));
    open.extend(scope.open);
    let mut unsettled = governed.unclear.clone();
    let route = match (scope.fired, governed.by) {
        (Some(ScopeRoute::N1), _) => Some(OutOfScope::NotObservable),
        (Some(ScopeRoute::N2), _) => Some(OutOfScope::Subjective),
        (Some(ScopeRoute::N3), Some(governor)) => Some(OutOfScope::Duplicate(governor.clone())),
        (Some(ScopeRoute::N4), _) => Some(OutOfScope::Trigger),
        (None, _) => None,
        (Some(ScopeRoute::N3), None) => {
            unsettled.push("the table says duplicate, and no row governs".to_owned());
            None
        }
    };
    let verdict = match route {
        Some(route) => Verdict::OutOfScope { route, also: scope.also },
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
    unsettled.extend(unstable(rubrics, facts));
    if facts.addressed.is_some() {
        unsettled.push("it speaks to whoever reads it by machine, and a model answered".to_owned());
    }
    unsettled.extend(elsewhere(row, facts));
    open.sort();
    open.dedup();
    unsettled.extend(open.iter().map(|fact| {
        let words = facts.facts.get(fact).map_or("", |answer| answer.words.as_str());
        format!("`{fact}` is open: {words}")
    }));
    let duplicate = matches!(&verdict, Verdict::OutOfScope { route: OutOfScope::Duplicate(_), .. });
    CorpusRow {
        id: row.id.clone(),
        source: row.source.clone(),
        original: row.original.clone(),
        rule: row.rule.clone(),
        applies_to: row.applies_to.clone(),
        category: row.category,
        evidence,
        reasoning: reasoning(rubrics, row, facts, &verdict),
        conflict: governed.by.filter(|_| duplicate && governed.conflict).cloned(),
        verdict,
        modal: row.modal,
        trigger: row.notes.trigger.clone(),
        auto_fix: facts.auto_fix.clone(),
        remark: row.notes.remark.clone(),
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
            let governor = match route {
                OutOfScope::Duplicate(governor) => format!(" ({governor} governs)"),
                _ => String::new(),
            };
            (facts_of, format!("out of scope, {}{governor}", rubrics.scope.means(kind)))
        }
    };
    let words = decided_by
        .unwrap_or_default()
        .iter()
        .filter_map(|fact| facts.facts.get(fact))
        .map(|answer| answer.words.as_str())
        .find(|words| !words.is_empty() && row.original.contains(*words));
    let quote = words.map_or_else(|| first_words(&row.original, 12), str::to_owned);
    let section = &row.source.section;
    let context = match &row.context {
        SectionContext::Quotes(quotes) if quotes.is_empty() => {
            format!("`{section}` grants no exception and states no consequence")
        }
        SectionContext::Quotes(quotes) => {
            let quotes: Vec<String> =
                quotes.iter().map(|context| format!("{} \"{}\"", context.kind, context.quote)).collect();
            format!("`{section}` states: {}", quotes.join(", "))
        }
        SectionContext::Prose(prose) => format!("`{section}`, as it was imported: {prose}"),
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
