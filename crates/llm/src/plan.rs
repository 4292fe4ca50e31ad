//! What a run would take, with nothing sent.

use crate::estimate;
use crate::settings::Settings;
use crate::store::Store;
use polc_records::Problem;
use polc_records::money::Money;
use polc_records::prices::ModelPrice;
use polc_records::recording::ModelRequest;
use std::collections::BTreeSet;
use std::fmt;

/// How many tokens a model is taken to write in a second.
const TOKENS_PER_SECOND: u64 = 50;

/// What a run would take. Everything but the numbers of requests is an estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The model.
    pub model: String,
    /// Requests that would be sent.
    pub requests: u64,
    /// Requests that are answered already.
    pub recorded: u64,
    /// Requests that do not fit into the context of the model.
    pub too_long: u64,
    /// What the model would read.
    pub input_tokens: u64,
    /// What it may write at most.
    pub answer_tokens: u64,
    /// What it would cost with nothing written, by the estimate, and at most, with every byte a token and every
    /// answer as long as it may be; none where the price is not known.
    pub cost: Option<(Money, Money)>,
    /// The day on which somebody looked at the price.
    pub price_as_of: Option<String>,
    /// How many seconds it would take at most, with every answer as long as it may be.
    pub seconds: u64,
}

impl Plan {
    pub(crate) fn new(
        settings: &Settings,
        price: Option<&ModelPrice>,
        store: &Store,
        requests: &[ModelRequest],
    ) -> Result<Self, Problem> {
        let mut plan = Plan {
            model: settings.model.clone(),
            requests: 0,
            recorded: 0,
            too_long: 0,
            input_tokens: 0,
            answer_tokens: 0,
            cost: price.map(|_| (Money::ZERO, Money::ZERO)),
            price_as_of: price.map(|price| price.as_of.to_string()),
            seconds: 0,
        };
        let mut seen = BTreeSet::new();
        for request in requests {
            let digest = request.digest();
            if !seen.insert(digest) {
                continue;
            }
            if store.find(&digest)?.is_some() {
                plan.recorded += 1;
                continue;
            }
            let (input, output) = (estimate::input_tokens(request), request.answer_tokens);
            if settings.context_tokens.is_some_and(|context| input.saturating_add(output) > context) {
                plan.too_long += 1;
                continue;
            }
            plan.requests += 1;
            plan.input_tokens += input;
            plan.answer_tokens = plan.answer_tokens.saturating_add(output);
            plan.cost = plan.cost.zip(price).map(|((least, most), price)| {
                let bound = estimate::most_input_tokens(request);
                (least + price.cost(input, 0), most + price.cost(bound, output))
            });
        }
        plan.seconds = plan.seconds_at(settings);
        Ok(plan)
    }

    fn seconds_at(&self, settings: &Settings) -> u64 {
        let at_once = u64::try_from(settings.concurrency.max(1)).unwrap_or(u64::MAX);
        let writing = self.answer_tokens / TOKENS_PER_SECOND / at_once;
        let minute = |amount: u64, limit: u64| amount.saturating_mul(60) / limit;
        let by_requests = settings.requests_per_minute.map(|limit| minute(self.requests, limit.get().into()));
        let tokens = self.input_tokens.saturating_add(self.answer_tokens);
        let by_tokens = settings.tokens_per_minute.map(|limit| minute(tokens, limit.get()));
        [Some(writing), by_requests, by_tokens].into_iter().flatten().max().unwrap_or_default()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "model      {}", self.model)?;
        writeln!(out, "requests   {} to send, {} recorded already", self.requests, self.recorded)?;
        if self.too_long > 0 {
            writeln!(out, "too long   {} that do not fit into the context of the model", self.too_long)?;
        }
        writeln!(out, "tokens     {} to read ({})", self.input_tokens, estimate::HOW)?;
        writeln!(out, "           {} to write at most", self.answer_tokens)?;
        match (&self.cost, &self.price_as_of) {
            (Some((least, most)), Some(day)) => {
                writeln!(
                    out,
                    "price      {least} USD with nothing written, {most} USD at most, by prices of {day} in \
                     stages/prices.toml"
                )?;
            }
            _ => writeln!(out, "price      not known: stages/prices.toml has none for this model")?,
        }
        writeln!(
            out,
            "time       {} min at most, if {TOKENS_PER_SECOND} tokens are written in a second; requests that are \
             asked again come on top of everything",
            self.seconds.div_ceil(60)
        )
    }
}
