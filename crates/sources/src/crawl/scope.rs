//! Which pages belong to the documentation of one version of one project.

use polc_net::Url;

/// The part of the web that a crawl is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    root: Url,
    entry: Url,
}

/// Why a page is named and not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Elsewhere {
    /// It is on another host. No site but the pinned one is read, since nothing says at which version.
    OtherHost,
    /// It is of another version of the documentation.
    OtherVersion,
    /// It is in another language.
    OtherLanguage,
    /// It is on the same host and not below the root, and only the navigation leads there.
    OutsideRoot,
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Below the root of the documentation.
    Inside,
    /// Outside, among the project's own pages: one hop goes there.
    Neighbour,
    /// Anywhere else.
    Outside(Elsewhere),
}

impl Scope {
    /// The documentation below `root`, read from `entry` on. The root is the folder of its path: `/en/latest/`
    /// of `/en/latest/index.html`.
    pub fn new(root: &Url, entry: &Url) -> Self {
        Self { root: folder(root), entry: entry.clone() }
    }

    /// The root.
    pub fn root(&self) -> &Url {
        &self.root
    }

    /// The page that a contributor begins at.
    pub fn entry(&self) -> &Url {
        &self.entry
    }

    /// Where an address lies.
    pub fn place(&self, url: &Url) -> Place {
        if !same_site(&self.root, url) {
            return Place::Outside(Elsewhere::OtherHost);
        }
        if let Some(rest) = below(&self.root, url) {
            let other =
                rest.split_once('/').is_some_and(|(first, _)| first.contains('.') && is_version(first));
            return if other { Place::Outside(Elsewhere::OtherVersion) } else { Place::Inside };
        }
        let differ = segments(&self.root).zip(segments(url)).find(|(ours, theirs)| ours != theirs);
        match differ {
            Some((ours, theirs)) if is_version(ours) && is_version(theirs) => {
                Place::Outside(Elsewhere::OtherVersion)
            }
            Some((ours, theirs)) if is_language(ours) && is_language(theirs) => {
                Place::Outside(Elsewhere::OtherLanguage)
            }
            _ => Place::Neighbour,
        }
    }
}

/// The address without what follows the last slash of its path.
fn folder(url: &Url) -> Url {
    let mut folder = url.clone();
    let path = url.path();
    folder.set_path(&path[..path.rfind('/').map_or(0, |at| at + 1)]);
    folder.set_query(None);
    folder.set_fragment(None);
    folder
}

fn same_site(one: &Url, other: &Url) -> bool {
    one.host() == other.host() && one.port() == other.port()
}

/// The rest of the path of an address below a folder.
fn below<'u>(folder: &Url, url: &'u Url) -> Option<&'u str> {
    if same_site(folder, url) { url.path().strip_prefix(folder.path()) } else { None }
}

fn segments(url: &Url) -> impl Iterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

/// Whether a segment of a path names a version: `latest`, `2.x`, `v1.0`, `3.2.0rc1`.
fn is_version(segment: &str) -> bool {
    const MOVING: &[&str] = &["current", "dev", "devel", "latest", "main", "master", "nightly", "stable"];
    let number = segment.strip_prefix('v').unwrap_or(segment);
    let in_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    MOVING.contains(&segment)
        || (number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(in_number)
            && !number.ends_with(".html"))
}

/// Whether a segment of a path names a language: `en`, `pt-br`, `zh_CN`.
fn is_language(segment: &str) -> bool {
    let mut parts = segment.split(['-', '_']);
    let letters = |part: &str, most| {
        (2..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    parts.next().is_some_and(|language| letters(language, 2))
        && parts.next().is_none_or(|region| letters(region, 4))
        && parts.next().is_none()
}
