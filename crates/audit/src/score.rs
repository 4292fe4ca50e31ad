//! What two sheets come to (Table 12), and what follows for the population.

use crate::agreement::{Figure, Interval, Table};
use crate::draw::inclusion;
use crate::estimate::{Estimate, Item, RatedStratum, estimate, or_null};
use crate::ratings::Ratings;
use polc_records::Digest;
use polc_records::audit::{AuditCheck, Mix, Rating, SampleHeader};
use polc_records::ids::{RuleId, Slug};
use polc_records::vocabulary::{Criterion, Exactness, Met, Opinion};
use serde::Serialize;
use std::collections::BTreeMap;

/// One of the things that a rater answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Accept or reject.
    Verdict,
    /// One of C1 to C4.
    Criterion(Criterion),
}

impl Question {
    /// All of them, in the order of Table 12.
    pub const ALL: [Question; 5] = [
        Question::Verdict,
        Question::Criterion(Criterion::Encodes),
        Question::Criterion(Criterion::Precondition),
        Question::Criterion(Criterion::Postcondition),
        Question::Criterion(Criterion::Exactness),
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Question::Verdict => "verdict",
            Question::Criterion(criterion) => criterion.as_str(),
        }
    }

    /// What it asks.
    pub const fn words(self) -> &'static str {
        match self {
            Question::Verdict => "verdict (accept / reject)",
            Question::Criterion(Criterion::Encodes) => "C1 encodes the rule",
            Question::Criterion(Criterion::Precondition) => "C2 precondition",
            Question::Criterion(Criterion::Postcondition) => "C3 post-condition",
            Question::Criterion(Criterion::Exactness) => "C4 exact or approximate",
        }
    }

    const fn labels(self) -> &'static [&'static str] {
        match self {
            Question::Verdict => Opinion::SPELLINGS,
            Question::Criterion(Criterion::Exactness) => Exactness::SPELLINGS,
            Question::Criterion(_) => Met::SPELLINGS,
        }
    }

    /// The place of an answer among the labels.
    fn of(self, rating: &Rating) -> usize {
        let met = |met: Met| met as usize;
        match self {
            Question::Verdict => rating.verdict() as usize,
            Question::Criterion(Criterion::Encodes) => met(rating.encodes),
            Question::Criterion(Criterion::Precondition) => met(rating.precondition),
            Question::Criterion(Criterion::Postcondition) => met(rating.postcondition),
            Question::Criterion(Criterion::Exactness) => rating.exactness as usize,
        }
    }
}

/// How far two agree on one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The question.
    pub question: &'static str,
    /// The number of items.
    pub items: usize,
    /// The k×k table.
    pub table: Table,
    /// The share of the items on which both agree.
    #[serde(serialize_with = "or_null")]
    pub raw: Figure,
    /// Cohen's kappa.
    #[serde(serialize_with = "or_null")]
    pub kappa: Figure,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_kappa: Option<String>,
    /// Its asymptotic interval.
    #[serde(serialize_with = "or_null")]
    pub asymptotic: Figure<Interval>,
    /// Its bootstrap interval.
    #[serde(serialize_with = "or_null")]
    pub bootstrap: Figure<Interval>,
    /// Gwet's AC1.
    #[serde(serialize_with = "or_null")]
    pub ac1: Figure,
    /// The items on which they differ.
    pub differing: Vec<RuleId>,
}

fn agreement(question: Question, one: &Ratings, other: &Ratings, seed: u64) -> Agreement {
    let both = || one.of.iter().filter_map(|(check, rating)| Some((check, rating, other.of.get(check)?)));
    let pairs = both().map(|(_, first, second)| (question.of(first), question.of(second)));
    let table = Table::new(question.labels(), pairs);
    let kappa = table.kappa();
    Agreement {
        question: question.name(),
        items: table.items(),
        raw: table.raw(),
        kappa,
        no_kappa: kappa.err().map(|why| why.to_string()),
        asymptotic: table.asymptotic(),
        bootstrap: table.bootstrap(seed, question.name()),
        ac1: table.ac1(),
        differing: both()
            .filter(|(_, first, second)| question.of(first) != question.of(second))
            .map(|(check, ..)| check.clone())
            .collect(),
        table,
    }
}

/// How many checkers were accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Accepted {
    /// By the first rater.
    pub first: usize,
    /// By the second.
    pub second: usize,
    /// By both.
    pub both: usize,
}

/// What a model said beside what the raters said: for comparison only.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// How many checkers of the population it reviewed.
    pub reviewed: usize,
    /// How many of these it accepted.
    pub accepted: usize,
    /// Its verdicts beside those of each rater.
    pub verdicts: [Agreement; 2],
    /// The items that it accepted and both raters rejected.
    pub missed: Vec<RuleId>,
    /// The items that it rejected and both raters accepted.
    pub raised: Vec<RuleId>,
}

/// A project that was scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoredProject {
    /// The project.
    pub project: Slug,
    /// How many checkers it has.
    pub population: usize,
    /// How many were drawn.
    pub drawn: usize,
    /// How many both raters accepted.
    pub accepted_by_both: usize,
    /// The digest of the crate that the ratings are of.
    pub checkers: Option<Digest>,
    /// Whether the crate is another one by now.
    pub stale: bool,
}

/// What an audit came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// Schema version.
    pub schema: u32,
    /// The raters.
    pub raters: [String; 2],
    /// The seed of the sample.
    pub seed: u64,
    /// The digest of the population.
    pub population: Digest,
    /// The projects.
    pub projects: Vec<ScoredProject>,
    /// Table 12.
    pub agreement: Vec<Agreement>,
    /// What prevalence does to kappa, in a sentence.
    pub prevalence: String,
    /// Items on which the raters differ in the verdict or in one of the three criteria that are passed or failed.
    pub differing: Vec<RuleId>,
    /// How many were accepted.
    pub accepted: Accepted,
    /// The accept rate of the mean rater.
    pub mean_rater: Estimate,
    /// The accept rate where both have to accept.
    pub both_raters: Estimate,
    /// The kinds of checkers in the sample.
    pub sample_mix: Mix,
    /// And in the population.
    pub population_mix: Mix,
    /// What a model said.
    pub automated: Option<Compared>,
}

/// A sample and what was said of it.
#[derive(Debug, Clone, Copy)]
pub struct Rated<'s> {
    /// The plan.
    pub header: &'s SampleHeader,
    /// The sample.
    pub sample: &'s [AuditCheck],
    /// The two raters; the first by name is the first.
    pub raters: [&'s Ratings; 2],
    /// What a model said.
    pub automated: Option<&'s BTreeMap<RuleId, Rating>>,
    /// The projects whose checkers are others by now.
    pub stale: &'s [Slug],
}

/// Two sheets that cannot be two people's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotBlind {
    /// One rater twice.
    #[error("both sheets are of `{0}`\nhelp: agreement is between two people: name the sheets of two")]
    OneRater(String),
    /// The same answers, and the same faults word for word.
    #[error(
        "the sheets of `{0}` and `{1}` give the same answers and describe every fault in the same words\n\
         help: a sheet was copied, or the two were filled in together: have one of them rated again by somebody else"
    )]
    Copied(String, String),
}

/// Refuses two sheets that one person filled in, or that were copied. Where nothing was rejected, equal sheets may be
/// two people's.
///
/// # Errors
/// Why the two are not blind to each other.
pub fn blind(one: &Ratings, other: &Ratings) -> Result<(), NotBlind> {
    if same_person(&one.rater, &other.rater) {
        return Err(NotBlind::OneRater(one.rater.clone()));
    }
    let faults = one.of.values().any(|rating| rating.fault.is_some());
    if faults && one.of == other.of {
        return Err(NotBlind::Copied(one.rater.clone(), other.rater.clone()));
    }
    Ok(())
}

/// Whether two names are one person's, whatever their case and white space.
pub fn same_person(one: &str, other: &str) -> bool {
    let folded = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    folded(one) == folded(other)
}

/// Scores an audit.
pub fn score(rated: &Rated<'_>) -> Score {
    let Rated { header, sample, raters: [one, other], automated, stale } = *rated;
    let agreements = Question::ALL.map(|question| agreement(question, one, other, header.seed)).to_vec();
    let accepts = |ratings: &Ratings, check: &RuleId| {
        ratings.of.get(check).is_some_and(|rating| rating.verdict() == Opinion::Accept)
    };
    let both = |check: &RuleId| accepts(one, check) && accepts(other, check);
    let count = |of: &dyn Fn(&RuleId) -> bool| sample.iter().filter(|drawn| of(&drawn.check)).count();
    let strata = |value: &dyn Fn(&RuleId) -> f64| -> Vec<RatedStratum> {
        let of_project = |project: &polc_records::audit::DrawnProject| RatedStratum {
            population: project.population,
            items: sample
                .iter()
                .filter(|drawn| drawn.project == project.project)
                .map(|drawn| Item {
                    value: value(&drawn.check),
                    inclusion: inclusion(drawn.evidence, &project.mix, project.population, project.drawn),
                })
                .collect(),
        };
        header.projects.iter().map(of_project).collect()
    };
    let whole = |holds: bool| if holds { 1.0 } else { 0.0 };
    let mean = |check: &RuleId| f64::midpoint(whole(accepts(one, check)), whole(accepts(other, check)));
    let differing = agreements.iter().filter(|of| of.question != Criterion::Exactness.as_str());
    let mut differing: Vec<RuleId> = differing.flat_map(|of| of.differing.iter().cloned()).collect();
    differing.sort();
    differing.dedup();
    Score {
        schema: 1,
        raters: [one.rater.clone(), other.rater.clone()],
        seed: header.seed,
        population: header.population,
        projects: header
            .projects
            .iter()
            .map(|project| ScoredProject {
                project: project.project.clone(),
                population: project.population,
                drawn: project.drawn,
                accepted_by_both: sample
                    .iter()
                    .filter(|drawn| drawn.project == project.project && both(&drawn.check))
                    .count(),
                checkers: project.checkers,
                stale: stale.contains(&project.project),
            })
            .collect(),
        prevalence: agreements.first().map(prevalence).unwrap_or_default(),
        accepted: Accepted {
            first: count(&|check| accepts(one, check)),
            second: count(&|check| accepts(other, check)),
            both: count(&both),
        },
        agreement: agreements,
        differing,
        mean_rater: estimate(&strata(&mean)),
        both_raters: estimate(&strata(&|check| whole(both(check)))),
        sample_mix: Mix::of(sample),
        population_mix: header.projects.iter().fold(Mix::default(), |sum, project| sum.and(project.mix)),
        automated: automated.map(|automated| compared(automated, [one, other], header.seed)),
    }
}

fn prevalence(verdict: &Agreement) -> String {
    match verdict.table.prevalent() {
        Ok((label, share)) => format!(
            "`{label}` is {:.1} % of both raters' verdicts. The more uneven the labels, the lower is kappa at the same raw \
             agreement, down to nothing and below; AC1 is hardly moved by it.",
            share * 100.0
        ),
        Err(why) => format!("There is no prevalence: {why}."),
    }
}

fn compared(automated: &BTreeMap<RuleId, Rating>, raters: [&Ratings; 2], seed: u64) -> Compared {
    let model = Ratings { rater: String::new(), of: automated.clone() };
    let accepts = |of: &BTreeMap<RuleId, Rating>, check: &RuleId| {
        of.get(check).map(|rating| rating.verdict() == Opinion::Accept)
    };
    let where_raters = |accepted: bool| {
        let differs = |check: &&RuleId| {
            raters.iter().all(|rater| accepts(&rater.of, check) == Some(accepted))
                && accepts(automated, check) == Some(!accepted)
        };
        automated.keys().filter(differs).cloned().collect()
    };
    Compared {
        reviewed: automated.len(),
        accepted: automated.values().filter(|rating| rating.verdict() == Opinion::Accept).count(),
        verdicts: raters.map(|rater| agreement(Question::Verdict, rater, &model, seed)),
        missed: where_raters(false),
        raised: where_raters(true),
    }
}
