//! GitHub's API: what a repository is called, which commit a name leads to, what its tree holds, and blobs.
//!
//! The library that speaks with GitHub has no client of its own here: it is built on a service that hands every
//! request to the [`Fetcher`], so that pace, retries, limits, the user agent and the offline mode are the same for
//! GitHub as for pages.

mod copies;
mod door;
mod error;
mod pull;

pub use error::GitHubError;
pub use pull::{CommitRow, ComparisonAnswer, PullAnswer, Rename};

use self::copies::Copies;
use self::door::Door;
use crate::answer::Budget;
use crate::error::NetError;
use crate::fetcher::Fetcher;
use crate::limited::Limit;
use crate::settings::Settings;
use http_body_util::BodyExt;
use octocrab::models::git::{GitTree, GitTreeEntry};
use octocrab::{AuthState, Octocrab, OctocrabBuilder};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde::Deserialize;
use sha1::{Digest, Sha1};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// Where GitHub's API is.
pub const PUBLIC_API: &str = "https://api.github.com";

/// How long an answer may be. A listing of a tree is cut by GitHub at 100,000 entries.
const MOST_BYTES: usize = 64_000_000;

/// What says who we are. It is sent to the API alone, and printed and written nowhere.
#[derive(Clone)]
pub struct Token(HeaderValue);

impl Token {
    /// The token that a text is; none where the text is empty.
    ///
    /// # Errors
    ///
    /// Fails where the text holds what no header can. The text is not repeated.
    pub fn new(text: &str) -> Result<Option<Self>, NetError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {text}")).map_err(|_| NetError::Token)?;
        value.set_sensitive(true);
        Ok(Some(Token(value)))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token(hidden)")
    }
}

/// How GitHub is reached.
#[derive(Debug, Clone)]
pub struct Account {
    /// Where the API is.
    pub api: Url,
    /// What says who we are; none for what everybody may ask.
    pub token: Option<Token>,
    /// A folder that keeps answers from run to run.
    pub copies: PathBuf,
}

/// What a repository says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RepositoryAnswer {
    /// Its number, which stays when it is renamed.
    pub id: u64,
    /// What it is called now, `org/name`.
    pub full_name: String,
    /// The branch that contributions go to.
    pub default_branch: String,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAnswer {
    /// Its id.
    pub sha: String,
    /// When it was committed, RFC 3339.
    pub date: String,
    /// The id of its tree.
    pub tree: String,
}

/// A file, link or submodule of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// Its path from the top.
    pub path: String,
    /// Its mode, as git writes it.
    pub mode: String,
    /// The id of what it holds.
    pub sha: String,
    /// How many bytes it holds, where GitHub says so.
    pub size: Option<usize>,
}

/// What was sent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many requests, with those that failed and those that redirected.
    pub requests: u32,
    /// How many of the answers said that nothing has changed.
    pub unchanged: u32,
    /// How many answers were held and needed no request.
    pub held: u32,
    /// What is left, as the last answer had it.
    pub budget: Budget,
}

/// GitHub, for one run.
pub struct GitHub {
    crab: Octocrab,
    door: Arc<Door>,
}

#[derive(Deserialize)]
struct CommitObject {
    sha: String,
    commit: CommitBody,
}

#[derive(Deserialize)]
struct CommitBody {
    committer: CommitPerson,
    tree: ObjectName,
}

#[derive(Deserialize)]
struct CommitPerson {
    date: String,
}

#[derive(Deserialize)]
struct ObjectName {
    sha: String,
}

impl GitHub {
    /// A client, and who is told of a limit before it is waited for. Nothing is sent. It has to be made where it is
    /// used: within a runtime.
    ///
    /// # Errors
    ///
    /// Fails as [`Fetcher::new`] does, and where a token would travel unprotected.
    pub fn new(
        account: Account,
        settings: Settings,
        told: impl Fn(&Limit) + Send + Sync + 'static,
    ) -> Result<Self, NetError> {
        let Account { api, token, copies } = account;
        if token.is_some() && api.scheme() == "http" && !is_loopback(&api) {
            return Err(NetError::Unprotected { api });
        }
        let fetcher = Fetcher::new(Settings { most_bytes: MOST_BYTES, ..settings })?;
        let door =
            Door::new(fetcher, api, token.map(|Token(value)| value), Copies::new(copies), Box::new(told));
        let door = Arc::new(door);
        // The token is the door's business, so the library has none.
        let built = OctocrabBuilder::new_empty()
            .with_service(door::Service(Arc::clone(&door)))
            .with_auth(AuthState::None)
            .build();
        match built {
            Ok(crab) => Ok(GitHub { crab, door }),
            Err(never) => match never {},
        }
    }

    /// Whether requests say who we are.
    pub fn has_token(&self) -> bool {
        self.door.has_token()
    }

    /// What was sent so far.
    pub fn spent(&self) -> Spent {
        self.door.spent()
    }

    /// What a repository says of itself, under whatever name it is asked for.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn repository(&self, name: &str) -> Result<RepositoryAnswer, GitHubError> {
        let what = || format!("the repository `{name}`");
        self.crab.get(format!("/repos/{name}"), None::<&()>).await.map_err(|error| self.failed(what(), error))
    }

    /// The commit that a branch, a tag or an id leads to.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn commit(&self, name: &str, reference: &str) -> Result<CommitAnswer, GitHubError> {
        // One file of its difference at most: nobody needs them here.
        let route = format!("/repos/{name}/commits/{}?per_page=1", encoded(reference));
        let what = || format!("the commit `{reference}` of `{name}`");
        let found: CommitObject =
            self.crab.get(route, None::<&()>).await.map_err(|error| self.failed(what(), error))?;
        let CommitObject { sha, commit } = found;
        Ok(CommitAnswer { sha, date: commit.committer.date, tree: commit.tree.sha })
    }

    /// Every file, link and submodule below a tree, whole.
    ///
    /// What GitHub cuts short is listed folder by folder; where one of them fails, the whole fails.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn tree(&self, name: &str, tree: &str) -> Result<Vec<TreeRow>, GitHubError> {
        let mut rows = Vec::new();
        let mut open = vec![(String::new(), tree.to_owned())];
        while let Some((prefix, sha)) = open.pop() {
            let mut listing = self.listing(name, &sha, true).await?;
            let whole = !listing.truncated;
            if !whole {
                listing = self.listing(name, &sha, false).await?;
                if listing.truncated {
                    let what = format!("the folder `/{prefix}` of `{name}`");
                    return Err(GitHubError::CutShort { what });
                }
            }
            for GitTreeEntry { path, mode, r#type, sha, size, .. } in listing.tree {
                let path = format!("{prefix}{path}");
                if r#type != "tree" {
                    rows.push(TreeRow { path, mode, sha, size });
                } else if !whole {
                    open.push((format!("{path}/"), sha));
                }
            }
        }
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(rows)
    }

    async fn listing(&self, name: &str, tree: &str, recursive: bool) -> Result<GitTree, GitHubError> {
        let query = if recursive { "?recursive=1" } else { "" };
        let route = format!("/repos/{name}/git/trees/{tree}{query}");
        let what = || format!("the tree {tree} of `{name}`");
        self.crab.get(route, None::<&()>).await.map_err(|error| self.failed(what(), error))
    }

    /// The bytes of a blob, checked against its id.
    ///
    /// # Errors
    ///
    /// Fails as [`GitHubError`] lists.
    pub async fn blob(&self, name: &str, blob: &str) -> Result<Vec<u8>, GitHubError> {
        let what = || format!("the blob {blob} of `{name}`");
        let raw =
            HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/vnd.github.raw+json"))]);
        let route = format!("/repos/{name}/git/blobs/{blob}");
        let bytes = async {
            let answer = self.crab._get_with_headers(route, Some(raw)).await?;
            let body = octocrab::map_github_error(answer).await?.into_body();
            Ok(body.collect().await?.to_bytes().to_vec())
        };
        let bytes: Vec<u8> = bytes.await.map_err(|error| self.failed(what(), error))?;
        let found = blob_id(&bytes);
        if found == blob { Ok(bytes) } else { Err(GitHubError::OtherBytes { what: what(), found }) }
    }

    fn failed(&self, what: String, error: octocrab::Error) -> GitHubError {
        GitHubError::of(what, error, self.has_token())
    }
}

/// The id that git gives to bytes.
pub fn blob_id(bytes: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A reference as a part of a path: its slashes stay.
fn encoded(reference: &str) -> String {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let code = |byte: u8| if fits(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    reference.bytes().map(code).collect()
}
