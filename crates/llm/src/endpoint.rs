//! A language model at an address.

use crate::access::Key;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::pace::Pace;
use crate::settings::Settings;
use crate::wire::{Complaint, complaint};
use polc_net::{Fetcher, Post, Posted, Settings as NetSettings};
use polc_records::recording::{ModelAnswer, ModelRequest};
use std::num::NonZeroUsize;
use std::time::Duration;

/// How long an answer may be, decompressed: far more than any model writes.
const MOST_BYTES: usize = 32_000_000;

/// An endpoint, with its pace.
pub(crate) struct Endpoint {
    settings: Settings,
    fetcher: Fetcher,
    pace: Pace,
}

/// What came of a request, and how many answers to it were perhaps lost on the way.
pub(crate) struct Outcome {
    pub(crate) answer: Result<ModelAnswer, Failure>,
    pub(crate) lost: u32,
    /// Whether the endpoint answered, with or without an answer that is one.
    pub(crate) answered: bool,
}

impl Endpoint {
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        settings.access.check()?;
        let fetcher = Fetcher::new(NetSettings {
            offline: settings.offline,
            // Nothing comes before the whole answer is written.
            idle_timeout: settings.timeout,
            total_timeout: settings.timeout,
            attempts: settings.attempts,
            longest_wait: settings.longest_wait,
            most_bytes: MOST_BYTES,
            delay: Duration::ZERO,
            per_host: NonZeroUsize::new(settings.concurrency).unwrap_or(NonZeroUsize::MIN),
            obey_robots: false,
            ..NetSettings::default()
        })?;
        let pace = Pace::new(settings.requests_per_minute, settings.tokens_per_minute);
        Ok(Endpoint { settings, fetcher, pace })
    }

    /// Waits until a request of so many tokens may be sent.
    pub(crate) async fn turn(&self, tokens: u64) {
        self.pace.turn(tokens).await;
    }

    /// Sends a request of so many tokens, whose turn has come. Another attempt after one that was perhaps
    /// answered is made where `may_lose` agrees.
    pub(crate) async fn ask(
        &self,
        request: &ModelRequest,
        tokens: u64,
        may_lose: &(dyn Fn() -> bool + Sync),
    ) -> Outcome {
        let key = self.settings.access.key.as_ref();
        let wire = self.settings.access.wire;
        let post = Post {
            url: self.settings.access.address(),
            headers: wire.headers(key.map(Key::reveal)),
            body: wire.body(request).to_string().into_bytes(),
            settled: |status, body| status == 429 && is_out_of_credit(&complaint(body)),
        };
        let again = |lost: bool| {
            let may = !lost || may_lose();
            if may {
                self.pace.count(tokens);
            }
            may
        };
        let Posted { status, body, attempts, lost, asked, .. } = match self.fetcher.post(&post, &again).await
        {
            Ok(posted) => posted,
            Err(error) => return Outcome { lost: error.lost, answered: false, answer: Err(error.into()) },
        };
        let body = key.map_or(body.as_slice().into(), |key| key.hidden_in(&body));
        if (200..300).contains(&status) {
            let answer = wire.read(&body, request).map_err(Failure::from);
            let is_ours = !matches!(answer, Err(Failure::Fault(Fault::NotTheFormat { .. })));
            return Outcome { answer, lost, answered: is_ours };
        }
        let failure = self.failure(status, complaint(&body), attempts, asked);
        Outcome { answer: Err(failure), lost, answered: false }
    }

    /// What a status means for the person who asked.
    fn failure(&self, status: u16, complaint: Complaint, attempts: u32, asked: Option<Duration>) -> Failure {
        if is_out_of_credit(&complaint) {
            return Failure::NoCredit { message: complaint.message };
        }
        let Complaint { kind, message } = complaint;
        let says = |word: &str| kind.contains(word) || message.contains(word);
        match status {
            400 | 413 | 422
                if status == 413
                    || says("context_length")
                    || says("exceed_context")
                    || says("prompt is too long") =>
            {
                Failure::TooLong { why: message }
            }
            400 if ["content_filter", "content_policy", "invalid_prompt"]
                .iter()
                .any(|word| kind.contains(word)) =>
            {
                Fault::Filtered.into()
            }
            401 | 403 => Failure::KeyRefused { status, message },
            402 => Failure::NoCredit { message },
            404 => Failure::ModelUnknown {
                address: self.settings.access.address().to_string(),
                model: self.settings.model.clone(),
                message,
            },
            408 | 425 | 429 | 500.. => Failure::Busy { status, message, attempts, asked },
            _ => Failure::Rejected { status, message },
        }
    }
}

/// Providers say that there is no money with the status of one that is only busy.
fn is_out_of_credit(complaint: &Complaint) -> bool {
    ["insufficient_quota", "billing_error", "billing_hard_limit_reached", "credit_balance_too_low"]
        .contains(&complaint.kind.as_str())
        || complaint.message.contains("credit balance is too low")
}
