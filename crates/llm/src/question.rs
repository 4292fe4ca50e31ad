//! What is asked, and what was answered.

use crate::form::Form;
use crate::settings::Settings;
use polc_records::Digest;
use polc_records::recording::{ModelRequest, Speaker, Text, Turn};
use serde::de::DeserializeOwned;

/// A question whose answer is a `T`.
pub struct Question<T> {
    /// What it is for, in words for a person: `extract CONTRIBUTING.md § Tests`. It is not sent.
    pub label: String,
    /// What the model is told first: who it is and what the task is.
    pub system: String,
    /// The question, with the document in it.
    pub text: String,
    /// The form of the answer.
    pub form: Form<T>,
    /// How many tokens the answer may have; without it, what the settings say.
    pub answer_tokens: Option<u64>,
    /// Which of several answers to this question is wanted, from 0. Each is asked for and recorded by itself.
    pub sample: u32,
}

impl<T: DeserializeOwned> Question<T> {
    /// A question for one answer.
    pub fn new(
        label: impl Into<String>,
        system: impl Into<String>,
        text: impl Into<String>,
        form: &Form<T>,
    ) -> Self {
        Question {
            label: label.into(),
            system: system.into(),
            text: text.into(),
            form: form.clone(),
            answer_tokens: None,
            sample: 0,
        }
    }

    pub(crate) fn request(&self, settings: &Settings) -> ModelRequest {
        ModelRequest {
            model: settings.model.clone(),
            answer_tokens: self.answer_tokens.unwrap_or(settings.answer_tokens),
            temperature: settings.temperature,
            sample: self.sample,
            form: self.form.asked().clone(),
            system: Text(self.system.clone()),
            turns: vec![Turn { by: Speaker::Polc, text: Text(self.text.clone()) }],
        }
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// What was answered.
    pub value: T,
    /// The digest of the request that it answers: the last one, where it was asked again.
    pub request: Digest,
    /// The digests of the requests before it, whose answers were not good.
    pub earlier: Vec<Digest>,
    /// The name by which the model calls itself, where it does.
    pub model: Option<String>,
}

impl<T> Answer<T> {
    /// How often it was asked for.
    pub fn asked(&self) -> usize {
        self.earlier.len() + 1
    }

    /// The digests of all requests that led to it: what a replay needs.
    pub fn requests(&self) -> impl Iterator<Item = &Digest> {
        self.earlier.iter().chain([&self.request])
    }
}
