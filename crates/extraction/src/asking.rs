//! How a stage asks a language model: with the prompts of the root, and again where an answer cannot be used.

use crate::prompts::Prompts;
use polc_llm::{Answer, Attempt, Failure, Form, Question, Repair, Run, Unsettled, estimate};
use polc_records::{Digest, Problem};
use serde::de::DeserializeOwned;
use std::path::Path;

/// The name that the engines with a model have in every file: whoever gave the answers, they are the model's.
pub const ENGINE: &str = "endpoint";
/// Its version: a change of what is made of an answer is a new one.
pub const ENGINE_VERSION: &str = "1";

/// What a stage asks with.
pub struct Asker<'a> {
    /// The run.
    pub run: &'a Run,
    /// The prompts.
    pub prompts: &'a Prompts,
    /// How often it is asked again at most.
    pub repairs: u32,
    /// The model, by the name that it is asked by.
    pub model: &'a str,
    /// How many tokens a request and its answer may have together, where that is known.
    pub context_tokens: Option<u64>,
    /// How many tokens an answer may have.
    pub answer_tokens: u64,
    /// Is told the label of each question that came to its end.
    pub told: &'a dyn Fn(&str),
}

impl Asker<'_> {
    /// A question, with what every question begins with.
    ///
    /// # Errors
    /// Where the launcher cannot be filled.
    pub fn question<T: DeserializeOwned>(
        &self,
        label: impl Into<String>,
        text: impl Into<String>,
        form: &Form<T>,
    ) -> Result<Question<T>, Problem> {
        Ok(Question::new(label, self.prompts.launcher()?, text, form))
    }

    /// Whether a question and its answer, which is expected to have so many tokens, fit into what the model can read,
    /// with room for one repair.
    pub fn fits<T: DeserializeOwned>(&self, question: &Question<T>, expected: u64) -> bool {
        self.context_tokens.is_none_or(|context| self.needed(question, expected) <= context)
    }

    fn needed<T: DeserializeOwned>(&self, question: &Question<T>, expected: u64) -> u64 {
        let request = self.run.request(question);
        // A repair repeats the answer, and says what is wrong with it.
        let repairs = if self.repairs > 0 { expected.min(request.answer_tokens) + REPAIR_TOKENS } else { 0 };
        estimate::input_tokens(&request) + request.answer_tokens + repairs
    }

    /// Makes sure that a question which cannot be made smaller fits. A run of hundreds of questions that are too
    /// small, or fail when they are asked again, is nobody's wish.
    ///
    /// # Errors
    /// Where it does not fit.
    pub fn has_room<T: DeserializeOwned>(
        &self,
        question: &Question<T>,
        expected: u64,
    ) -> Result<(), Problem> {
        let Some(context) = self.context_tokens.filter(|_| !self.fits(question, expected)) else {
            return Ok(());
        };
        let (needed, answer) = (self.needed(question, expected), self.answer_tokens);
        // Others of these questions are a little longer.
        let enough = (needed + needed / 20).next_multiple_of(100);
        let repairs = if self.repairs > 0 { ", and asking again" } else { "" };
        let less = answer.saturating_sub(enough - context) / 100 * 100;
        let lower = if less > 0 { format!(", or `answer_tokens` to {less} at most") } else { String::new() };
        Err(Problem::new(
            Path::new("polc.toml"),
            format!(
                "`context_tokens = {context}` leaves no room for the smallest question, \
                 {}: with an answer of {answer} tokens{repairs}, it takes {needed} ({})",
                question.label,
                estimate::HOW
            ),
            format!("set `context_tokens` to {enough} or more, if the model can read that much{lower}"),
        ))
    }

    /// Asks until an answer is good, at most so often.
    ///
    /// # Errors
    /// With everything that was answered.
    pub async fn settle<T: DeserializeOwned>(
        &self,
        question: &Question<T>,
        check: &dyn Fn(&T) -> Vec<String>,
    ) -> Result<Answer<T>, Unsettled<T>> {
        let ask_again = |faults: &[String]| self.prompts.repair(faults);
        let repair = Repair { most: self.repairs, check, ask_again: &ask_again };
        let settled = self.run.settle(question, &repair).await;
        (self.told)(&question.label);
        settled
    }
}

/// What the list of faults is taken for.
const REPAIR_TOKENS: u64 = 1_000;

/// What came of a question: the last answer that has the form, good or not, and how it came about.
#[derive(Debug, Clone)]
pub struct Settled<T> {
    /// What was asked for.
    pub label: String,
    /// The last answer that has the form.
    pub value: Option<T>,
    /// The digest of the request that it answers.
    pub request: Option<Digest>,
    /// The digests of all requests whose answers were recorded: what a replay needs.
    pub requests: Vec<Digest>,
    /// What is wrong with the last answer, or why there is none; empty where it is good.
    pub faults: Vec<String>,
    /// Why nothing more was asked, where that is not for the number of repairs.
    pub failure: Option<Failure>,
}

impl<T> Settled<T> {
    /// What came of it.
    pub fn of(label: &str, settled: Result<Answer<T>, Unsettled<T>>) -> Self {
        match settled {
            Ok(answer) => {
                let requests = answer.requests().copied().collect();
                let Answer { value, request, .. } = answer;
                Settled {
                    label: label.to_owned(),
                    value: Some(value),
                    request: Some(request),
                    requests,
                    faults: Vec::new(),
                    failure: None,
                }
            }
            Err(Unsettled { label, attempts, failure }) => {
                let recorded = attempts.iter().filter(|attempt| attempt.fault.is_recorded());
                let requests = recorded.map(|attempt| attempt.request).collect();
                let faults = match (&failure, attempts.last()) {
                    (Some(failure), _) => vec![failure.to_string()],
                    (None, Some(last)) => last.fault.in_words(),
                    (None, None) => Vec::new(),
                };
                let best = attempts.into_iter().rev().find(|attempt| attempt.value.is_some());
                let (request, value) =
                    best.map_or((None, None), |Attempt { request, value, .. }| (Some(request), value));
                Settled { label, value, request, requests, faults, failure }
            }
        }
    }
}
