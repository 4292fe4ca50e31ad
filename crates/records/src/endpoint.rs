//! The table `[endpoint]` of `polc.toml`: which model is asked, where, and within which limits.

use crate::money::Money;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::num::{NonZeroU32, NonZeroU64};
use url::Url;

/// The language that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireFormat {
    /// `POST <base>/chat/completions`.
    ChatCompletions,
    /// `POST <base>/messages`.
    Messages,
}

/// How an endpoint is made to answer in the form of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Structure {
    /// A format for the response, with the schema, in strict mode.
    ResponseFormat,
    /// A tool that must be called, whose arguments have the schema.
    ForcedTool,
}

/// Which part of JSON Schema an endpoint accepts. What is dropped on the way is checked here all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaDialect {
    /// What every strict mode accepts: all fields required, no bounds, no further fields.
    #[default]
    Strict,
    /// The whole schema as it is.
    Full,
}

/// Where answers come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointConfig {
    /// The wire format.
    pub wire: WireFormat,
    /// The model, by the name that the endpoint knows.
    pub model: String,
    /// The address below which the format has its paths; without it, the one of those who made the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<Url>,
    /// How answers get their form; without it, the strictest way that the endpoint is known to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<Structure>,
    /// Which part of JSON Schema is sent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub schema: SchemaDialect,
    /// How many tokens a request and its answer may have together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<NonZeroU64>,
    /// How many tokens an answer may have, with what the model thinks before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<NonZeroU64>,
    /// Not sent where it is missing: some models refuse it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Temperature>,
    /// How many requests may be open at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<NonZeroU32>,
    /// How many requests may start in a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<NonZeroU32>,
    /// How many tokens, as estimated, may be asked for in a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<NonZeroU64>,
    /// How long one attempt at an answer may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<NonZeroU32>,
    /// What a run may cost at most, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Money>,
}

fn is_default(dialect: &SchemaDialect) -> bool {
    *dialect == SchemaDialect::default()
}

/// How freely a model chooses its words, in hundredths: from 0 to 2, written `0.7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Temperature(u8);

impl Temperature {
    /// The model is to choose the likeliest word.
    pub const ZERO: Self = Temperature(0);

    /// The number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Serialize for Temperature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let hundredths =
            (0..=200u8).find(|hundredths| (f64::from(*hundredths) - number * 100.0).abs() < 1e-6);
        hundredths.map(Temperature).ok_or_else(|| {
            serde::de::Error::custom(format!("`{number}` is no temperature: expected 0 to 2, in hundredths"))
        })
    }
}
