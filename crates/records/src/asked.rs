//! What a stage asked a language model with, and what of its answers was not taken.

use crate::facts::DataVersion;
use serde::{Deserialize, Serialize};

/// The model behind an artifact, and what a person has to know of its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The model, by the name that it was asked by.
    pub model: String,
    /// The prompts that it was asked with, each with its version.
    #[serde(rename = "prompt")]
    pub prompts: Vec<DataVersion>,
    /// What was not taken: an answer that never became one, or a part of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Remark>,
    /// What was taken although something speaks against it: a person has to look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<Remark>,
    /// Sentences that, as the model reports, speak to a model that reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addressed: Vec<Remark>,
}

/// Something of an answer, and what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// What was asked for, as people call it.
    pub asked_for: String,
    /// What it is, in words.
    pub what: String,
}
