//! Reading a documentation site: its pages in the order of its navigation, and what became of each.
//!
//! From the entry page on, the navigation under the root of the documentation is followed breadth first; then
//! one hop is taken to each page that the text of those pages links to, and nothing is followed from there. Every
//! page that was asked for or named has a row in the [`CrawlRecord`], also one that failed. Bytes go into the
//! store: a second run asks the server only for what has changed since, and for what is not there.

pub mod generators;
mod key;
pub mod links;
mod plan;
pub mod record;
pub mod scope;
mod template;
mod visit;

pub use generators::Generators;
pub use key::{PageKey, key};
pub use links::{Link, PageLinks, links};
pub use record::{CrawlRecord, PageOutcome, PageRecord, Probe, ProbeAnswer, Reached, ReadPage};
pub use scope::{Elsewhere, Place, Scope};

use plan::{Plan, Turn};
use polc_net::{Fetcher, Url};
use polc_records::snapshot::{Origin, Retrieval};
use polc_records::{Digest, Problem};
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::task::JoinSet;
use visit::{Copy, Visit, Visitor};

/// How far a crawl goes. How it behaves towards servers is a matter of the fetcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How many pages are asked for at most.
    pub pages: NonZeroUsize,
    /// How many stubs in a row are followed.
    pub refreshes: usize,
    /// How many pages may be on their way at once, over all hosts.
    pub at_once: NonZeroUsize,
    /// After how many pages the store is saved: a run that is killed loses no more than these.
    pub save_every: NonZeroUsize,
}

impl Default for Limits {
    fn default() -> Self {
        let one = NonZeroUsize::MIN;
        Self {
            pages: one.saturating_add(1999),
            refreshes: 5,
            at_once: one.saturating_add(15),
            save_every: one.saturating_add(31),
        }
    }
}

/// How far a crawl has come.
#[derive(Debug)]
pub struct Progress<'r> {
    /// The page that is done.
    pub page: &'r PageRecord,
    /// How many are done.
    pub done: usize,
    /// How many are known of that wait for their turn or an answer.
    pub waiting: usize,
}

/// What a crawl needs: who fetches, where the bytes go, what is known of generators, how far to go.
pub struct Crawl<'a> {
    /// Fetches the pages.
    pub fetcher: &'a Fetcher,
    /// Where the bytes go, and what is known of earlier runs.
    pub store: &'a mut Snapshots,
    /// What is known of generators.
    pub generators: &'a Arc<Generators>,
    /// How far to go.
    pub limits: Limits,
}

impl Crawl<'_> {
    /// Reads a site. The record is the same whatever order the answers come in.
    ///
    /// # Errors
    /// Only where the store cannot be written. A page that fails is a row of the record.
    pub async fn run(
        self,
        scope: &Scope,
        mut on_progress: impl FnMut(Progress<'_>),
    ) -> Result<CrawlRecord, Problem> {
        let Self { fetcher, store, generators, limits } = self;
        let visitor = Arc::new(Visitor::new(fetcher.clone(), scope.clone(), Arc::clone(generators)));
        let earlier = latest(store);
        let mut shelf = Shelf { store, new: Vec::new(), save_every: limits.save_every.get() };
        let mut plan = Plan::new(scope, &limits);
        let mut on_their_way = JoinSet::new();
        let mut arrived: BTreeMap<usize, Visit> = BTreeMap::new();
        loop {
            while let Some(visit) = arrived.remove(&plan.settled()) {
                on_progress(plan.settle(visit));
            }
            while on_their_way.len() + arrived.len() < limits.at_once.get() {
                let Some(Turn { number, url, is_document }) = plan.next_turn() else { break };
                let copy = earlier.get(&url).and_then(|found| shelf.copy(found));
                let visitor = Arc::clone(&visitor);
                on_their_way.spawn(async move { (number, visitor.visit(url, copy, is_document).await) });
            }
            match on_their_way.join_next().await {
                Some(Ok((number, mut visit))) => {
                    shelf.keep(visit.new.take())?;
                    arrived.insert(number, visit);
                }
                // A fault of ours in a visit, which is not hidden.
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
                None => break,
            }
        }
        shelf.save()?;
        Ok(CrawlRecord { pages: plan.finish(), probes: visitor.probes().await })
    }
}

/// The latest copy of every page that an earlier run retrieved, by the address that was asked for.
fn latest(store: &Snapshots) -> HashMap<Url, (Digest, Retrieval)> {
    let mut latest: HashMap<Url, (Digest, Retrieval)> = HashMap::new();
    for (digest, retrieval) in store.retrievals() {
        let known = latest.get(&retrieval.url);
        if known.is_none_or(|(_, known)| known.retrieved <= retrieval.retrieved) {
            latest.insert(retrieval.url.clone(), (digest, retrieval.clone()));
        }
    }
    latest
}

/// The store, and what is to be put into it together.
struct Shelf<'s> {
    store: &'s mut Snapshots,
    new: Vec<(Vec<u8>, Origin)>,
    save_every: usize,
}

impl Shelf<'_> {
    /// The copy of an earlier run, where its bytes are there and the server can be asked about it.
    fn copy(&self, (digest, retrieval): &(Digest, Retrieval)) -> Option<Copy> {
        if retrieval.etag.is_none() && retrieval.last_modified.is_none() {
            return None;
        }
        let bytes = self.store.get(*digest).ok()?;
        Some(Copy { bytes, retrieval: retrieval.clone() })
    }

    fn keep(&mut self, new: Option<(Vec<u8>, Retrieval)>) -> Result<(), Problem> {
        self.new.extend(new.map(|(bytes, retrieval)| (bytes, Origin::Web(Box::new(retrieval)))));
        if self.new.len() < self.save_every { Ok(()) } else { self.save() }
    }

    fn save(&mut self) -> Result<(), Problem> {
        if self.new.is_empty() {
            return Ok(());
        }
        self.store.put_all(std::mem::take(&mut self.new))?;
        self.store.save()
    }
}
