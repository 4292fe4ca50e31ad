//! `manifests/<slug>/pages.jsonl`: what became of every page of a documentation site that was asked for
//! or named, and of every file of a sibling repository that is linked to. Addresses are the published ones.

use crate::digest::Digest;
use crate::ids::Slug;
use crate::store::JsonLines;
use serde::{Deserialize, Serialize};
use url::Url;

/// One page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageLine {
    /// Its address, without a fragment.
    pub url: Url,
    /// How it was reached first, in words.
    pub reached: String,
    /// What became of it.
    pub fate: PageFate,
    /// Why the last attempt did not give it, where what became of it is what an earlier one at this pin came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_since: Option<String>,
}

/// What became of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PageFate {
    /// It was read.
    Read {
        /// Its bytes.
        snapshot: Digest,
        /// Its title.
        title: String,
    },
    /// It only sends its reader on to another page, or is another page under a second address.
    SameAs(Url),
    /// It holds navigation alone.
    Navigation,
    /// It is a file of a sibling repository, which is read raw: the key of the source that it is.
    File(String),
    /// It could not be read, and why.
    Lacking(String),
    /// It was only named, and why it was not asked for.
    Named(String),
}

/// The header of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PagesHeader {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
    /// The digest of the pin at which the pages were read.
    pub pin: Digest,
}

impl PagesHeader {
    /// The header of these lines, with the lowest schema that holds them.
    pub fn new(project: Slug, pin: Digest, lines: &[PageLine]) -> Self {
        let new = |line: &PageLine| line.failed_since.is_some() || matches!(line.fate, PageFate::File(_));
        let schema = if lines.iter().any(new) { PagesFile::SCHEMA } else { PagesFile::OLDEST };
        PagesHeader { schema, project, pin }
    }
}

/// The file type.
pub struct PagesFile;

impl JsonLines for PagesFile {
    type Header = PagesHeader;
    type Line = PageLine;
    const SCHEMA: u32 = 2;
    const OLDEST: u32 = 1;
    const WHAT: &'static str = "list of pages";
}
