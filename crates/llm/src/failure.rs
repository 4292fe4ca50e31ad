//! Why a question has no answer.

use crate::access::AccessError;
use crate::fault::Fault;
use crate::store::Nearest;
use polc_net::{FetchError, NetError, PostError};
use polc_records::money::Money;
use polc_records::{Digest, Problem};
use std::time::Duration;

/// Why a question has no answer, told to the person who asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Failure {
    /// The model said something that is no answer.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// There was no answer from the network.
    #[error(transparent)]
    Unanswered(#[from] PostError),
    /// The endpoint answered every time that it cannot answer now.
    #[error("the endpoint still answers {status}{} after {attempts} attempts{}; what was answered is kept: run it again later", because(.message), wish(.asked))]
    Busy {
        /// What it answered at last.
        status: u16,
        /// Its words.
        message: String,
        /// How often it was asked.
        attempts: u32,
        /// How long it asked us to wait.
        asked: Option<Duration>,
    },
    /// The key is not accepted.
    #[error("the endpoint does not accept the key ({status}{}); set the right one in the environment", because(.message))]
    KeyRefused {
        /// What it answered.
        status: u16,
        /// Its words.
        message: String,
    },
    /// There is no money left at the provider.
    #[error("the account at the endpoint has no credit left{}; add some, then run it again: what was answered is kept", because(.message))]
    NoCredit {
        /// Its words.
        message: String,
    },
    /// The endpoint knows no such model, or the address is not that of an endpoint.
    #[error("`{address}` knows no model `{model}`{}; correct `model` or `base_url` in polc.toml", because(.message))]
    ModelUnknown {
        /// Where it was asked.
        address: String,
        /// The model.
        model: String,
        /// Its words.
        message: String,
    },
    /// The request is longer than the model can read.
    #[error(
        "the request is too long for the model: {why}; set `context_tokens` in polc.toml to what it can read, or ask for less at a time"
    )]
    TooLong {
        /// By whose count.
        why: String,
    },
    /// The endpoint takes the request itself for wrong, its schema for one. It would be wrong again.
    #[error("the endpoint does not accept the request ({status}{}); try another `structure` or `schema` in polc.toml", because(.message))]
    Rejected {
        /// What it answered.
        status: u16,
        /// Its words.
        message: String,
    },
    /// The next request might cost more than is left.
    #[error(
        "the limit of {limit} USD is reached: {spent} USD are spent or may have been, and the next request may cost {next} USD; what was answered is kept"
    )]
    Budget {
        /// The limit.
        limit: Money,
        /// What is spent, or may have been.
        spent: Money,
        /// What open requests may cost.
        open: Money,
        /// What the next request may cost.
        next: Money,
    },
    /// No limit can be held where no price is known.
    #[error(
        "the price of `{model}` is not known, so that a limit of {limit} USD cannot be held; add the price to stages/prices.toml"
    )]
    NoPrice {
        /// The model.
        model: String,
        /// The limit.
        limit: Money,
    },
    /// A person stopped the run.
    #[error("interrupted; what was answered is kept")]
    Interrupted,
    /// The request was never recorded.
    #[error("`{label}` was not recorded: none of {recorded} recorded requests is {}{}", .digest.short(), told(.nearest))]
    Missing {
        /// What was asked for.
        label: String,
        /// The digest of the request.
        digest: Digest,
        /// How many requests are recorded.
        recorded: usize,
        /// The one that is most like it.
        nearest: Option<Box<Nearest>>,
    },
    /// The request was written into a batch, and waits for an answer.
    #[error("`{label}` waits for the answer to the batch")]
    Written {
        /// What was asked for.
        label: String,
    },
    /// The batch has no answer for the request.
    #[error("the batch has no answer for `{label}` ({}){}; write a batch again: it will hold what is missing", .digest.short(), because(.why))]
    NotInBatch {
        /// What was asked for.
        label: String,
        /// The digest of the request.
        digest: Digest,
        /// Why, where the batch says so.
        why: String,
    },
    /// The endpoint cannot be asked as it is configured.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The network cannot be used.
    #[error("{why}")]
    Network {
        /// Why.
        why: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] Problem),
}

impl From<NetError> for Failure {
    fn from(error: NetError) -> Self {
        Failure::Network { why: error.to_string() }
    }
}

impl Failure {
    /// Whether every further request would fail in the same way, so that none is sent.
    pub fn ends_the_run(&self) -> bool {
        match self {
            Self::Unanswered(PostError { error, .. }) => matches!(
                error,
                FetchError::Unreachable { .. } | FetchError::Offline { .. } | FetchError::BadUrl { .. }
            ),
            // A server that is broken may be so for one request alone; one that is busy is so for all.
            Self::Busy { status, .. } => !matches!(status, 500 | 502 | 504),
            Self::KeyRefused { .. }
            | Self::NoCredit { .. }
            | Self::ModelUnknown { .. }
            | Self::Rejected { .. }
            | Self::Budget { .. }
            | Self::NoPrice { .. }
            | Self::Interrupted
            | Self::Access(_)
            | Self::Network { .. }
            | Self::File(_) => true,
            Self::Fault(_)
            | Self::TooLong { .. }
            | Self::Missing { .. }
            | Self::Written { .. }
            | Self::NotInBatch { .. } => false,
        }
    }
}

fn because(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {}", message.trim_end_matches('.')) }
}

fn wish(asked: &Option<Duration>) -> String {
    asked.map(|asked| format!(", and asks us to wait {} s", asked.as_secs())).unwrap_or_default()
}

fn told(nearest: &Option<Box<Nearest>>) -> String {
    nearest.as_ref().map(|nearest| format!("; {nearest}")).unwrap_or_default()
}
