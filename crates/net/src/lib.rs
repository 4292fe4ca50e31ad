//! The one user of the network: pages over HTTP, fetched politely and within limits.
//!
//! A [`Fetcher`] is made once for a run, from [`Settings`]. It keeps what a run has to remember: the
//! cookies, the pace of every host and the robots.txt of every origin. What comes back is an [`Answer`],
//! also for a status like 404, or a [`FetchError`] that names the address. A [`Post`] sends a document and brings
//! back what a server [`Posted`]. [`github`] is GitHub's API through the same fetcher.

mod answer;
mod charset;
mod error;
mod exchange;
mod fetcher;
pub mod github;
mod limited;
mod pace;
mod post;
mod robots;
mod settings;
mod wait;

pub use answer::{Answer, Budget, Hop, Kept, Request, Validators};
pub use charset::{Declared, Text};
pub use error::{Disallowed, FetchError, NetError, Phase};
pub use fetcher::Fetcher;
pub use limited::{Limit, LimitKind};
pub use post::{Post, PostError, Posted};
pub use robots::{Allowed, RobotsVerdict};
pub use settings::Settings;
pub use url::Url;
pub use wait::wait_after;
