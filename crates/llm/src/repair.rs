//! Asking again, with the faults named.

use crate::failure::Failure;
use crate::fault::Fault;
use crate::question::{Answer, Question};
use crate::run::Run;
use polc_records::Digest;
use polc_records::recording::{Speaker, Text, Turn};
use serde::de::DeserializeOwned;
use std::fmt;

/// What makes an answer good, and what is said of one that is not.
pub struct Repair<'a, T> {
    /// How often it is asked again at most.
    pub most: u32,
    /// The faults of an answer, in words; none where it is good.
    pub check: &'a dyn Fn(&T) -> Vec<String>,
    /// What is said to the model of the faults.
    pub ask_again: &'a dyn Fn(&[String]) -> String,
}

/// One attempt at an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt<T> {
    /// The digest of the request.
    pub request: Digest,
    /// What was answered, where it has the form at all. What is good in it may still be used.
    pub value: Option<T>,
    /// What is wrong with it.
    pub fault: Fault,
}

/// A question that was never answered well.
#[derive(Debug, Clone)]
pub struct Unsettled<T> {
    /// What was asked for.
    pub label: String,
    /// Everything that was answered, in order.
    pub attempts: Vec<Attempt<T>>,
    /// Why it ended, where the last attempt is not the reason.
    pub failure: Option<Failure>,
}

impl<T> fmt::Display for Unsettled<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`", self.label)?;
        for (index, attempt) in self.attempts.iter().enumerate() {
            write!(out, "\nattempt {} ({}): {}", index + 1, attempt.request.short(), attempt.fault)?;
        }
        match &self.failure {
            Some(failure) if self.attempts.is_empty() => write!(out, ": {failure}"),
            Some(failure) => write!(out, "\n{failure}"),
            None => Ok(()),
        }
    }
}

impl<T: fmt::Debug> std::error::Error for Unsettled<T> {}

impl Run {
    /// Asks until an answer is good, and at most so often. Each request carries the last answer and its faults.
    ///
    /// # Errors
    /// With everything that was answered. A refusal or a truncation ends the matter at once.
    pub async fn settle<T: DeserializeOwned>(
        &self,
        question: &Question<T>,
        repair: &Repair<'_, T>,
    ) -> Result<Answer<T>, Unsettled<T>> {
        let first = self.request(question);
        let mut request = first.clone();
        let mut attempts = Vec::new();
        let unsettled = |attempts, failure| Unsettled { label: question.label.clone(), attempts, failure };
        for asked in 1.. {
            let (answer, read) = match self.read(question, &request).await {
                Ok(read) => read,
                Err(failure) => return Err(unsettled(attempts, Some(failure))),
            };
            let digest = request.digest();
            let (value, fault) = match read {
                Ok(value) => match (repair.check)(&value) {
                    faults if faults.is_empty() => {
                        let earlier = attempts.iter().map(|attempt: &Attempt<T>| attempt.request).collect();
                        return Ok(Answer { value, request: digest, earlier, model: answer.model });
                    }
                    faults => (Some(value), Fault::Checked { faults }),
                },
                Err(fault) => (None, fault),
            };
            let again = fault.may_be_mended().then(|| (repair.ask_again)(&fault.in_words()));
            attempts.push(Attempt { request: digest, value, fault });
            let Some(again) = again.filter(|_| asked <= repair.most) else { break };
            request.turns.clone_from(&first.turns);
            request.turns.push(Turn { by: Speaker::Model, text: answer.text });
            request.turns.push(Turn { by: Speaker::Polc, text: Text(again) });
        }
        Err(unsettled(attempts, None))
    }
}
