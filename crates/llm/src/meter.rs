//! What a run has used and what it cost: known before each request, corrected after it.

use crate::failure::Failure;
use polc_records::money::Money;
use polc_records::prices::ModelPrice;
use polc_records::recording::Usage;
use std::fmt;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// What a run has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answers that the endpoint gave.
    pub answered: u64,
    /// Answers that were recorded before, and cost nothing.
    pub recorded: u64,
    /// Answers from a batch. What they cost is between the provider and the person who sent it.
    pub batched: u64,
    /// Requests that perhaps were answered, and whose answer was lost on the way.
    pub lost: u64,
    /// Answers that came without an account of their tokens.
    pub uncounted: u64,
    /// The tokens of those that were counted.
    pub usage: Usage,
    /// What the counted ones cost; none where the price of the model is not known.
    pub cost: Option<Money>,
    /// What the others may have cost at most.
    pub possible: Option<Money>,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { answered, recorded, batched, lost, uncounted, usage, cost, possible } = self;
        write!(out, "{answered} answered, {recorded} recorded before")?;
        if *batched > 0 {
            write!(out, ", {batched} from the batch")?;
        }
        write!(out, "; {} tokens read, {} written", usage.input, usage.output)?;
        match cost {
            Some(cost) => write!(out, "; {cost} USD")?,
            None => write!(out, "; the price is not known")?,
        }
        if lost + uncounted > 0 {
            write!(out, "; {lost} lost on the way and {uncounted} not counted by the endpoint")?;
            if let Some(possible) = possible {
                write!(out, ", which may have cost {possible} USD more")?;
            }
        }
        Ok(())
    }
}

/// What a request may cost at most, set aside until it is known: once for each time that it is sent.
#[derive(Debug)]
#[must_use = "what was set aside has to be settled"]
pub(crate) struct Reserved {
    most: Option<Money>,
    times: AtomicU32,
}

impl Reserved {
    /// How often it was sent, or is about to be.
    pub(crate) fn times(&self) -> u32 {
        self.times.load(Ordering::Relaxed)
    }
}

/// The meter of a run.
pub(crate) struct Meter {
    price: Option<ModelPrice>,
    model: String,
    most: Option<Money>,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Default)]
struct State {
    tally: Tally,
    reserved: Money,
}

impl Meter {
    pub(crate) fn new(model: &str, price: Option<ModelPrice>, most: Option<Money>) -> Self {
        let known = price.is_some().then_some(Money::ZERO);
        let tally = Tally { cost: known, possible: known, ..Tally::default() };
        let state = Mutex::new(State { tally, reserved: Money::ZERO });
        Meter { price, model: model.to_owned(), most, state, settled: Notify::new() }
    }

    pub(crate) fn price(&self) -> Option<&ModelPrice> {
        self.price.as_ref()
    }

    pub(crate) fn tally(&self) -> Tally {
        self.with(|state| state.tally)
    }

    pub(crate) fn recorded(&self) {
        self.with(|state| state.tally.recorded += 1);
    }

    pub(crate) fn batched(&self) {
        self.with(|state| state.tally.batched += 1);
    }

    /// Sets aside what a request may cost at most, as soon as open requests leave enough of the limit.
    pub(crate) async fn reserve(&self, input: u64, output: u64) -> Result<Reserved, Failure> {
        loop {
            let mut settled = pin!(self.settled.notified());
            settled.as_mut().enable();
            match self.try_reserve(input, output) {
                Err(Failure::Budget { open, .. }) if open > Money::ZERO => settled.await,
                other => return other,
            }
        }
    }

    fn try_reserve(&self, input: u64, output: u64) -> Result<Reserved, Failure> {
        let most = self.price.as_ref().map(|price| price.cost(input, output));
        self.set_aside(most)?;
        Ok(Reserved { most, times: AtomicU32::new(1) })
    }

    /// Sets the same aside once more, for a request whose answer was lost and may be charged. Gives whether
    /// there is enough.
    pub(crate) fn once_more(&self, reserved: &Reserved) -> bool {
        let enough = self.set_aside(reserved.most).is_ok();
        reserved.times.fetch_add(u32::from(enough), Ordering::Relaxed);
        enough
    }

    fn set_aside(&self, most: Option<Money>) -> Result<(), Failure> {
        let next = match (self.most, most) {
            (Some(limit), None) => return Err(Failure::NoPrice { model: self.model.clone(), limit }),
            (_, most) => most.unwrap_or_default(),
        };
        self.with(|state| {
            let Tally { cost, possible, .. } = state.tally;
            let spent = cost.unwrap_or_default() + possible.unwrap_or_default();
            if let Some(limit) = self.most
                && spent + state.reserved + next > limit
            {
                return Err(Failure::Budget { limit, spent, open: state.reserved, next });
            }
            state.reserved = state.reserved + next;
            Ok(())
        })
    }

    /// What became of a request: what was counted, where it was answered, and how many answers were lost.
    pub(crate) fn settle(&self, reserved: &Reserved, answered: bool, usage: Option<Usage>, lost: u32) {
        self.with(|state| {
            let most = reserved.most;
            for _ in 0..reserved.times.swap(0, Ordering::Relaxed) {
                state.reserved = state.reserved.less(most.unwrap_or_default());
            }
            let tally = &mut state.tally;
            tally.lost += u64::from(lost);
            tally.answered += u64::from(answered);
            let mut unknown = u64::from(lost);
            match usage {
                Some(usage) => {
                    tally.usage.input = tally.usage.input.saturating_add(usage.input);
                    tally.usage.output = tally.usage.output.saturating_add(usage.output);
                    let price = self.price.as_ref().map(|price| price.cost(usage.input, usage.output));
                    tally.cost = tally.cost.zip(price).map(|(cost, more)| cost + more);
                }
                None if answered => {
                    tally.uncounted += 1;
                    unknown += 1;
                }
                None => {}
            }
            for _ in 0..unknown {
                tally.possible = tally.possible.zip(most).map(|(possible, more)| possible + more);
            }
        });
        self.settled.notify_waiters();
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
