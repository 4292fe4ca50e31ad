//! Several answers on one rule: what most of them say, and where each differs from that.

use polc_records::Digest;
use polc_records::facts::{Answer, ProposedDuplicate, RuleFacts, Sample};
use polc_records::ids::RuleId;
use polc_records::vocabulary::{Artifact, Fact, Truth};
use std::collections::BTreeMap;
use std::fmt::Display;

/// What most answers say of a rule; none where there is no answer. A fact on which no more than half of them agree is
/// open. What is said in sentences is taken from the answer that differs least.
pub(super) fn taken(answers: &[(RuleFacts, Digest)]) -> Option<RuleFacts> {
    let (first, _) = answers.first()?;
    let facts: BTreeMap<Fact, Answer> =
        Fact::answered().filter_map(|fact| Some((fact, most_say(fact, answers)?))).collect();
    let named = |artifact: &Artifact| is_most(answers, |facts| facts.artifacts.contains(artifact));
    let mut artifacts: Vec<Artifact> = Artifact::ALL.iter().copied().filter(named).collect();
    if artifacts.is_empty() {
        artifacts.clone_from(&first.artifacts);
    }
    let samples: Vec<Sample> =
        answers.iter().map(|(answer, request)| sample(answer, *request, &artifacts, &facts)).collect();
    let (_, (closest, _)) = samples
        .iter()
        .zip(answers)
        .min_by_key(|(sample, _)| sample.facts.len() + usize::from(sample.artifacts.is_some()))?;
    let pairs = answers.iter().rev().flat_map(|(answer, _)| &answer.duplicates);
    let pairs: BTreeMap<&RuleId, &String> = pairs.map(|pair| (&pair.of, &pair.because)).collect();
    let paired = |of: &RuleId| is_most(answers, |facts| facts.duplicates.iter().any(|pair| pair.of == *of));
    let pairs = pairs.into_iter().filter(|(of, _)| paired(of));
    let tool = closest.auto_fix.clone();
    Some(RuleFacts {
        rule: closest.rule.clone(),
        opens: closest.opens.clone(),
        failure: closest.failure.clone(),
        duplicates: pairs
            .map(|(of, because)| ProposedDuplicate { of: of.clone(), because: because.clone() })
            .collect(),
        auto_fix: tool.filter(|tool| is_most(answers, |facts| facts.auto_fix.as_ref() == Some(tool))),
        addressed: answers.iter().find_map(|(answer, _)| answer.addressed.clone()),
        artifacts,
        facts,
        samples,
    })
}

/// Where several answers differ from what was taken of them, in words.
pub(super) fn differences(facts: &RuleFacts) -> impl Iterator<Item = String> {
    let of = facts.samples.len();
    let told = move |what: &dyn Display, others: usize| format!("{others} of {of} answers differ on {what}");
    let others = |fact: Fact| facts.samples.iter().filter(|sample| sample.facts.contains_key(&fact)).count();
    let on_facts = Fact::answered().map(move |fact| (fact, others(fact))).filter(|(_, others)| *others > 0);
    let on_artifacts = facts.samples.iter().filter(|sample| sample.artifacts.is_some()).count();
    let on_artifacts = (on_artifacts > 0).then(|| told(&"what it governs", on_artifacts));
    on_facts.map(move |(fact, others)| told(&format!("`{fact}`"), others)).chain(on_artifacts)
}

fn is_most(answers: &[(RuleFacts, Digest)], says: impl Fn(&RuleFacts) -> bool) -> bool {
    answers.iter().filter(|(facts, _)| says(facts)).count() * 2 > answers.len()
}

fn most_say(fact: Fact, answers: &[(RuleFacts, Digest)]) -> Option<Answer> {
    let given: Vec<&Answer> = answers.iter().filter_map(|(answer, _)| answer.facts.get(&fact)).collect();
    let count = |holds: Truth| given.iter().filter(|answer| answer.holds == holds).count();
    let most = Truth::ALL.iter().copied().find(|holds| count(*holds) * 2 > given.len());
    match most {
        Some(holds) => given.into_iter().find(|answer| answer.holds == holds).cloned(),
        None if given.is_empty() => None,
        None => {
            let votes: Vec<String> =
                Truth::ALL.iter().map(|holds| format!("{} {holds}", count(*holds))).collect();
            let words = format!("the answers of the model differ: {}", votes.join(", "));
            Some(Answer { holds: Truth::Unknown, words })
        }
    }
}

fn sample(
    answer: &RuleFacts,
    request: Digest,
    artifacts: &[Artifact],
    facts: &BTreeMap<Fact, Answer>,
) -> Sample {
    let otherwise = answer
        .facts
        .iter()
        .filter(|(fact, answer)| facts.get(fact).is_none_or(|taken| taken.holds != answer.holds))
        .map(|(fact, answer)| (*fact, answer.holds));
    Sample {
        request,
        artifacts: (answer.artifacts != artifacts).then(|| answer.artifacts.clone()),
        facts: otherwise.collect(),
    }
}
