//! How a run asks: from `polc.toml`, the environment and what was built in, in that order of growing weakness.

use crate::access::{Access, AccessError};
use polc_records::endpoint::{EndpointConfig, Temperature};
use polc_records::money::Money;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

/// How many tokens an answer may have where nobody says, with what a model thinks before it.
const ANSWER_TOKENS: u64 = 16_000;
/// How many requests are open at once where nobody says.
const CONCURRENCY: usize = 4;
/// How long one attempt may take where nobody says: a long answer is written for minutes.
const TIMEOUT: Duration = Duration::from_secs(300);

/// How a run asks.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model.
    pub model: String,
    /// Where it is asked, in which format and with which key.
    pub access: Access,
    /// How many tokens a request and its answer may have together, where that is known.
    pub context_tokens: Option<u64>,
    /// How many tokens an answer may have, with what the model thinks before it.
    pub answer_tokens: u64,
    /// How freely the model chooses, where that is to be said.
    pub temperature: Option<Temperature>,
    /// How many requests may be open at once.
    pub concurrency: usize,
    /// How many requests may start in a minute.
    pub requests_per_minute: Option<NonZeroU32>,
    /// How many tokens, as estimated, may be asked for in a minute.
    pub tokens_per_minute: Option<NonZeroU64>,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// How often a request is sent at most, where the failure may pass.
    pub attempts: NonZeroU32,
    /// The longest pause before another attempt. An endpoint that asks for a longer one is not asked again.
    pub longest_wait: Duration,
    /// What the run may cost at most.
    pub max_cost: Option<Money>,
    /// Send nothing at all.
    pub offline: bool,
}

impl Settings {
    /// The settings for an endpoint. `environment` gives the value of a variable.
    ///
    /// The key is `POLC_API_KEY`. Where the address is that of those who made the wire format, their own variable
    /// is looked at too: a key that was meant for them is sent to nobody else. `POLC_BASE_URL` wins over the file.
    ///
    /// # Errors
    /// Where the address is none, or holds what should be secret.
    pub fn of(
        config: &EndpointConfig,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, AccessError> {
        let access = Access::of(config, environment)?;
        let seconds = |seconds: NonZeroU32| Duration::from_secs(seconds.get().into());
        Ok(Settings {
            model: config.model.clone(),
            context_tokens: config.context_tokens.map(NonZeroU64::get),
            answer_tokens: config.answer_tokens.map_or(ANSWER_TOKENS, NonZeroU64::get),
            temperature: config.temperature,
            concurrency: config
                .concurrency
                .map_or(CONCURRENCY, |most| usize::try_from(most.get()).unwrap_or(CONCURRENCY)),
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            timeout: config.timeout_seconds.map_or(TIMEOUT, seconds),
            attempts: NonZeroU32::MIN.saturating_add(4),
            longest_wait: Duration::from_secs(120),
            max_cost: config.max_cost,
            offline: false,
            access,
        })
    }
}
