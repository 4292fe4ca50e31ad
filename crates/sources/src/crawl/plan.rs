//! Whose turn it is, and what becomes of every page: the same whatever order the answers come in.

use super::key::{PageKey, key};
use super::links::{Link, PageLinks};
use super::record::{PageOutcome, PageRecord, Reached, ReadPage};
use super::scope::{Elsewhere, Place, Scope};
use super::visit::{Seen, Sheet, Visit};
use super::{Limits, Progress};
use polc_net::{Hop, Url};
use polc_records::Digest;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Every page that is known of, and the order of their turns. What a page adds is added when it is settled,
/// and pages are settled in the order of their turns.
pub(super) struct Plan {
    scope: Scope,
    most_pages: usize,
    most_refreshes: usize,
    rows: Vec<Row>,
    /// The row of every address that was met, also of those that a row was redirected to.
    known: HashMap<PageKey, usize>,
    /// The row that has the text of an address that answered.
    answered: HashMap<PageKey, usize>,
    /// The row that has these bytes.
    held: HashMap<Digest, usize>,
    /// Rows that wait, from whose pages the navigation is followed.
    navigation: VecDeque<usize>,
    /// Rows that wait until the navigation is done with. One that the navigation led to since is passed over.
    hops: VecDeque<usize>,
    /// The rows that had their turn.
    turns: Vec<usize>,
    /// How many of the turns are of the navigation: the first ones.
    navigated: usize,
    settled: usize,
    waiting: usize,
}

/// A page, and what is done with it at its turn. Until then its outcome is what it will be without one.
struct Row {
    record: PageRecord,
    is_document: bool,
    /// Whether its navigation is followed.
    follow: bool,
    /// How many stubs in a row led here.
    refreshes: usize,
}

/// A page to be asked for.
pub(super) struct Turn {
    pub(super) number: usize,
    pub(super) url: Url,
    pub(super) is_document: bool,
}

impl Plan {
    pub(super) fn new(scope: &Scope, limits: &Limits) -> Self {
        let mut plan = Self {
            scope: scope.clone(),
            most_pages: limits.pages.get(),
            most_refreshes: limits.refreshes,
            rows: Vec::new(),
            known: HashMap::new(),
            answered: HashMap::new(),
            held: HashMap::new(),
            navigation: VecDeque::new(),
            hops: VecDeque::new(),
            turns: Vec::new(),
            navigated: 0,
            settled: 0,
            waiting: 0,
        };
        let entry = plan.add(scope.entry(), Reached::Entry, PageOutcome::OverLimit);
        plan.queue(entry, true);
        plan
    }

    /// The number of turns that are settled: the number of the turn that is settled next.
    pub(super) fn settled(&self) -> usize {
        self.settled
    }

    /// The next page to be asked for. None for now where what is on its way may still add pages that come first.
    pub(super) fn next_turn(&mut self) -> Option<Turn> {
        if self.turns.len() >= self.most_pages {
            return None;
        }
        let row = match self.navigation.pop_front() {
            Some(row) => {
                self.navigated += 1;
                row
            }
            None if self.settled < self.navigated => return None,
            None => loop {
                let row = self.hops.pop_front()?;
                if !self.rows[row].follow {
                    break row;
                }
            },
        };
        self.turns.push(row);
        let Row { record, is_document, .. } = &self.rows[row];
        let url = record.key.url().clone();
        Some(Turn { number: self.turns.len() - 1, url, is_document: *is_document })
    }

    /// Notes what came of the turn that is settled next, and meets what it leads to.
    pub(super) fn settle(&mut self, visit: Visit) -> Progress<'_> {
        let row = self.turns[self.settled];
        self.settled += 1;
        self.waiting -= 1;
        let Visit { hops, final_url, seen, new: _ } = visit;
        let outcome = match seen {
            Seen::Page(sheet) => self.page(row, final_url, hops, *sheet),
            Seen::Document { snapshot, links } => {
                let from = self.rows[row].record.key.clone();
                for link in links {
                    self.meet(&link, Reached::Navigation { from: from.clone() });
                }
                PageOutcome::NavigationDocument { snapshot }
            }
            Seen::Other(outcome) => outcome,
        };
        self.rows[row].record.outcome = outcome;
        Progress { page: &self.rows[row].record, done: self.settled, waiting: self.waiting }
    }

    /// Every row: those that had their turn first.
    pub(super) fn finish(mut self) -> Vec<PageRecord> {
        let circles: Vec<_> = (0..self.rows.len()).filter_map(|row| Some((row, self.circle(row)?))).collect();
        for (row, why) in circles {
            self.rows[row].record.outcome = PageOutcome::Failed { why, may_pass: false };
        }
        let mut turn_of = HashMap::new();
        for (turn, row) in self.turns.into_iter().enumerate() {
            turn_of.insert(row, turn);
        }
        let mut rows: Vec<_> = self.rows.into_iter().enumerate().collect();
        rows.sort_by_key(|(row, _)| (turn_of.get(row).copied().unwrap_or(usize::MAX), *row));
        rows.into_iter().map(|(_, row)| row.record).collect()
    }

    /// The way of a stub that comes back to where it was, so that there is no page at its end.
    fn circle(&self, stub: usize) -> Option<String> {
        let leads_to = |row: usize| match &self.rows[row].record.outcome {
            PageOutcome::Page(page) => self.known.get(&key(page.stub_of.as_ref()?)),
            PageOutcome::SameAs { page, .. } => self.known.get(page),
            PageOutcome::NavigationDocument { .. }
            | PageOutcome::Status { .. }
            | PageOutcome::SoftMissing
            | PageOutcome::Blocked { .. }
            | PageOutcome::NoStaticContent
            | PageOutcome::NotHtml { .. }
            | PageOutcome::Failed { .. }
            | PageOutcome::Refused { .. }
            | PageOutcome::OutOfScope { .. }
            | PageOutcome::OverLimit => None,
        };
        let mut way = vec![stub];
        while let Some(next) = way.last().and_then(|row| leads_to(*row)) {
            let is_back = way.contains(next);
            way.push(*next);
            if is_back {
                let way: Vec<String> = way.iter().map(|row| self.rows[*row].record.key.to_string()).collect();
                return Some(format!("it leads on in a circle: {}", way.join(" → ")));
            }
        }
        None
    }

    fn page(&mut self, row: usize, final_url: Url, hops: Vec<Hop>, sheet: Sheet) -> PageOutcome {
        let final_key = key(&final_url);
        let Sheet { snapshot, title, encoding, replaced, refresh, links } = sheet;
        let same_site = |other: &usize| self.rows[*other].record.key.url().origin() == final_url.origin();
        let same_bytes =
            || self.held.get(&snapshot).copied().filter(|other| refresh.is_none() && same_site(other));
        if let Some(other) = self.answered.get(&final_key).copied().or_else(same_bytes) {
            return PageOutcome::SameAs { page: self.rows[other].record.key.clone(), hops };
        }
        self.answered.insert(final_key.clone(), row);
        self.known.entry(final_key).or_insert(row);
        if refresh.is_none() {
            self.held.insert(snapshot, row);
        }
        if self.rows[row].follow && self.scope.place(&final_url) == Place::Inside {
            self.follow(row, &links);
        }
        if let Some(target) = &refresh {
            self.refresh(row, target);
        }
        let stub_of = refresh;
        PageOutcome::Page(Box::new(ReadPage {
            snapshot,
            final_url,
            hops,
            title,
            encoding,
            replaced,
            stub_of,
        }))
    }

    fn follow(&mut self, row: usize, links: &PageLinks) {
        let from = || self.rows[row].record.key.clone();
        let (from, document) = (from(), links.document.as_ref());
        for link in document.map(|url| Link { url: url.clone(), section: None }).iter() {
            self.meet(link, Reached::NavigationDocument { from: from.clone() });
        }
        for link in &links.navigation {
            self.meet(link, Reached::Navigation { from: from.clone() });
        }
        for link in links.next.iter().chain(&links.previous) {
            self.meet(link, Reached::NextPrevious { from: from.clone() });
        }
        for link in &links.content {
            let leads_on = links.text_navigates && self.scope.place(&link.url) == Place::Inside;
            self.meet(
                link,
                if leads_on {
                    Reached::Navigation { from: from.clone() }
                } else {
                    Reached::OneHop { from: from.clone(), section: link.section.clone() }
                },
            );
        }
    }

    fn refresh(&mut self, row: usize, target: &Url) {
        let Row { follow, refreshes, ref record, .. } = self.rows[row];
        let reached = Reached::Refresh { from: record.key.clone() };
        if self.known.contains_key(&key(target)) {
            self.cite(target);
        } else if refreshes >= self.most_refreshes {
            self.add(target, reached, PageOutcome::OverLimit);
        } else {
            let place = self.scope.place(target);
            if let Place::Outside(elsewhere) = place {
                self.add(target, reached, named(elsewhere));
            } else {
                let added = self.add(target, reached, PageOutcome::OverLimit);
                self.rows[added].refreshes = refreshes + 1;
                self.queue(added, follow && place == Place::Inside);
            }
        }
    }

    /// Notes a link: its page is queued, or only named, or known already.
    fn meet(&mut self, link: &Link, reached: Reached) {
        let hop = matches!(reached, Reached::OneHop { .. });
        let place = self.scope.place(&link.url);
        if let Some(row) = self.cite(&link.url) {
            let outside_root = named(Elsewhere::OutsideRoot);
            if hop && self.rows[row].record.outcome == outside_root {
                self.rows[row].record.reached_by = reached;
                self.rows[row].record.outcome = PageOutcome::OverLimit;
                self.queue(row, false);
            } else if !hop && place == Place::Inside && self.waits_for_a_hop(row) {
                self.rows[row].record.reached_by = reached;
                self.rows[row].follow = true;
                self.navigation.push_back(row);
            }
            return;
        }
        match (place, hop) {
            (Place::Outside(elsewhere), _) => {
                self.add(&link.url, reached, named(elsewhere));
            }
            (Place::Neighbour, false) => {
                self.add(&link.url, reached, named(Elsewhere::OutsideRoot));
            }
            (Place::Inside | Place::Neighbour, _) => {
                let is_document = matches!(reached, Reached::NavigationDocument { .. });
                let row = self.add(&link.url, reached, PageOutcome::OverLimit);
                self.rows[row].is_document = is_document;
                self.queue(row, !hop);
            }
        }
    }

    /// Whether a row is queued for a hop: no hop has its turn before the navigation is done with.
    fn waits_for_a_hop(&self, row: usize) -> bool {
        let row = &self.rows[row];
        !row.follow
            && row.record.outcome == PageOutcome::OverLimit
            && matches!(row.record.reached_by, Reached::OneHop { .. })
    }

    /// The row of an address that is known, with its fragment noted.
    fn cite(&mut self, url: &Url) -> Option<usize> {
        let row = *self.known.get(&key(url))?;
        self.rows[row].record.fragments.extend(fragment(url));
        Some(row)
    }

    fn add(&mut self, url: &Url, reached_by: Reached, outcome: PageOutcome) -> usize {
        let key = key(url);
        let fragments = BTreeSet::from_iter(fragment(url));
        let record = PageRecord { key: key.clone(), fragments, reached_by, outcome };
        self.rows.push(Row { record, is_document: false, follow: false, refreshes: 0 });
        self.known.insert(key, self.rows.len() - 1);
        self.rows.len() - 1
    }

    fn queue(&mut self, row: usize, follow: bool) {
        self.rows[row].follow = follow;
        self.waiting += 1;
        let queue = if follow { &mut self.navigation } else { &mut self.hops };
        queue.push_back(row);
    }
}

fn fragment(url: &Url) -> Option<String> {
    url.fragment().filter(|fragment| !fragment.is_empty()).map(str::to_owned)
}

fn named(elsewhere: Elsewhere) -> PageOutcome {
    PageOutcome::OutOfScope { elsewhere, hops: Vec::new() }
}
