//! Files of sibling repositories: other repositories of the same organisation on the code host, one hop out of what
//! the documentation says, and no further.
//!
//! A link to such a file is never followed to the page that shows it. The file is read raw, at the commit that the link
//! leads to, and that commit is pinned.

mod again;
mod follow;

pub(crate) use again::again;
pub use follow::{Follower, LINKED, MOST_FILES};

use polc_net::Url;
use polc_records::ids::Repository;
use polc_records::pin::RepositoryPin;
use polc_records::project::Project;

/// Where GitHub serves the bytes of files, beside the host that shows them.
const PAGES: &str = "github.com";
const RAW: &str = "raw.githubusercontent.com";

/// The revision that stands for the default branch.
const HEAD: &str = "HEAD";

/// The parts of an address that show a file or a folder of a repository.
const SHOWING: [&str; 3] = ["blob", "raw", FOLDER];
const FOLDER: &str = "tree";

/// What an address leads to in a repository: a file, a folder, or the README that its front page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    repository: Repository,
    /// A reference and a path in one, part by part: where one ends and the other begins, only the repository knows.
    /// Without any part it is the README of the default branch.
    place: Vec<String>,
    /// Whether the address is one of a folder, by how it is written.
    is_folder: bool,
}

impl Target {
    /// What an address leads to on the code host of a project. None where that is no document: a repository alone is
    /// named to be used, not to be read, unless the address names a place in its README.
    pub fn of(project: &Project, url: &Url) -> Option<Target> {
        let shown: Url = project.links.split('{').next()?.parse().ok()?;
        let host = |url: &Url| {
            let host = url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
            (host, url.port_or_known_default().filter(|port| *port != 80 && *port != 443))
        };
        let is_raw = shown.host_str() == Some(PAGES) && url.host_str() == Some(RAW);
        if !matches!(url.scheme(), "http" | "https") || !(is_raw || host(url) == host(&shown)) {
            return None;
        }
        let below = if is_raw { url.path() } else { url.path().strip_prefix(shown.path())? };
        let parts: Vec<String> = below.split('/').filter(|part| !part.is_empty()).map(decoded).collect();
        let (org, name, rest) = match parts.as_slice() {
            [org, name, rest @ ..] => (org, name.trim_end_matches(".git"), rest),
            _ => return None,
        };
        let repository = format!("{org}/{name}").parse().ok()?;
        let has_place = url.fragment().is_some_and(|fragment| !fragment.is_empty());
        let (place, is_folder) = match rest {
            rest if is_raw => (rest, false),
            [] => (rest, true),
            [shows, place @ ..] if SHOWING.contains(&shows.as_str()) && !place.is_empty() => {
                (place, shows == FOLDER)
            }
            _ => return None,
        };
        let is_front_page = place.len() < 2;
        (!is_front_page || (has_place && !is_raw)).then(|| Target {
            repository,
            place: place.to_vec(),
            is_folder,
        })
    }

    /// Whether it is in another repository of the organisation that the pinned one belongs to.
    pub fn is_sibling_of(&self, project: &Project, pin: Option<&RepositoryPin>) -> bool {
        is_sibling(&self.repository, &own_names(project, pin))
    }
}

/// What the repository of a project is called, and was.
fn own_names<'p>(project: &'p Project, pin: Option<&'p RepositoryPin>) -> Vec<&'p Repository> {
    let now = pin.and_then(|pin| pin.host.as_ref()).map(|host| &host.name);
    now.into_iter().chain([&project.repository]).collect()
}

fn is_sibling(name: &Repository, own: &[&Repository]) -> bool {
    own.iter().any(|own| own.org().eq_ignore_ascii_case(name.org()))
        && !own.iter().any(|own| own.to_string().eq_ignore_ascii_case(&name.to_string()))
}

/// What GitHub is asked for where a link names a reference.
fn asked<'r>(reference: &'r str, default_branch: &'r str) -> &'r str {
    if reference == HEAD { default_branch } else { reference.strip_prefix("refs/").unwrap_or(reference) }
}

/// A part of a path without its percent-encoding.
fn decoded(part: &str) -> String {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
