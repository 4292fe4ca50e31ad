//! What a crawl came to, page by page.

use super::key::PageKey;
use super::scope::Elsewhere;
use polc_net::{Hop, Url};
use polc_records::Digest;
use std::collections::BTreeSet;

/// What a crawl came to: every page that it fetched or named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlRecord {
    /// The pages: first those that were asked for, in the order of the traversal, then those that were only
    /// named, in the order in which they were met.
    pub pages: Vec<PageRecord>,
    /// What each site answered when it was asked for a page that cannot exist.
    pub probes: Vec<Probe>,
}

/// What a site answered when it was asked for a page that cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The page that cannot exist.
    pub url: Url,
    /// The answer.
    pub answer: ProbeAnswer,
}

/// How a site answers to a page that cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeAnswer {
    /// It says so.
    Missing {
        /// The status.
        status: u16,
    },
    /// It answers with a page: the same page in place of another means that there is none.
    Page,
    /// There was no answer, so that nothing is known of the pages of the site that answer as if they existed.
    Failed {
        /// Why.
        why: String,
    },
}

/// One page, whatever became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRecord {
    /// Which page.
    pub key: PageKey,
    /// The places in it that links name: what a citation may point to.
    pub fragments: BTreeSet<String>,
    /// How it was reached first.
    pub reached_by: Reached,
    /// What became of it.
    pub outcome: PageOutcome,
}

/// How a page was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// The crawl begins there.
    Entry,
    /// By the navigation of a page.
    Navigation {
        /// The page.
        from: PageKey,
    },
    /// As the page before or after another.
    NextPrevious {
        /// The other page.
        from: PageKey,
    },
    /// By a link in the text of a page; nothing is followed from there.
    OneHop {
        /// The page.
        from: PageKey,
        /// The id of the section that the link stands in.
        section: Option<String>,
    },
    /// A page sent its reader there by itself.
    Refresh {
        /// The page.
        from: PageKey,
    },
    /// A script fills the navigation of a page from it.
    NavigationDocument {
        /// The page.
        from: PageKey,
    },
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPage {
    /// Its bytes.
    pub snapshot: Digest,
    /// The address that answered.
    pub final_url: Url,
    /// The redirects on the way.
    pub hops: Vec<Hop>,
    /// Its title.
    pub title: String,
    /// The encoding that it was read in.
    pub encoding: &'static str,
    /// How many places could not be read in it.
    pub replaced: usize,
    /// Where it sends its reader by itself, where it is only a stub of another page.
    pub stub_of: Option<Url>,
}

/// What became of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageOutcome {
    /// It is a page, and in the store.
    Page(Box<ReadPage>),
    /// It holds navigation alone, and is in the store.
    NavigationDocument {
        /// Its bytes.
        snapshot: Digest,
    },
    /// Its address leads to a page that has a row of its own, or it holds the very same bytes.
    SameAs {
        /// That page.
        page: PageKey,
        /// The redirects on the way.
        hops: Vec<Hop>,
    },
    /// The server says that there is no such page.
    Status {
        /// The status.
        status: u16,
    },
    /// The server answers as it does for a page that cannot exist, with a status that denies it.
    SoftMissing,
    /// The server refuses us, or answers with a challenge to a browser.
    Blocked {
        /// The status.
        status: u16,
        /// What it says of the challenge, where it says that it is one.
        challenge: Option<String>,
    },
    /// A page that has no text before a script has run.
    NoStaticContent,
    /// Something else than a page.
    NotHtml {
        /// What it says it is.
        content_type: String,
    },
    /// There was no answer.
    Failed {
        /// Why, for a person.
        why: String,
        /// Whether the same request may succeed later.
        may_pass: bool,
    },
    /// The site does not want it to be read by us.
    Refused {
        /// What says so.
        why: String,
    },
    /// It is named alone: it lies outside of what the crawl is about.
    OutOfScope {
        /// How far outside.
        elsewhere: Elsewhere,
        /// The redirects that led there, where it was asked for.
        hops: Vec<Hop>,
    },
    /// It was not asked for: the limit of the run was reached, or that of refreshes in a row.
    OverLimit,
}
