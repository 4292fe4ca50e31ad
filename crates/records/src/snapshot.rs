//! What is known of the bytes of one retrieved document, beside the bytes themselves.

use crate::digest::Digest;
use crate::ids::ObjectId;
use serde::{Deserialize, Serialize};
use url::Url;

/// One retrieved document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The digest of the bytes.
    pub digest: Digest,
    /// Their number.
    pub bytes: u64,
    /// Where they came from.
    pub origin: Origin,
}

/// Where a document was retrieved from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Origin {
    /// A blob of a git repository.
    Git {
        /// The blob.
        blob: ObjectId,
        /// The path at which the pin holds it.
        path: String,
    },
    /// A page of the web.
    Web(Box<Retrieval>),
    /// A released file that was read in.
    Import {
        /// Its name.
        file: String,
    },
}

/// How a page of the web was retrieved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retrieval {
    /// The address that was asked for, without a fragment.
    pub url: Url,
    /// The address that answered, after redirects.
    pub final_url: Url,
    /// The status.
    pub status: u16,
    /// `ETag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// `Content-Type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The encoding that a page was read in, by the name that the encoding standard has for it, where its
    /// bytes are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// When, by the clock of this machine.
    pub retrieved: jiff::Timestamp,
}

impl Retrieval {
    /// Whether two retrievals differ in nothing but their time.
    pub fn same_but_later(&self, other: &Self) -> bool {
        Self { retrieved: other.retrieved, ..self.clone() } == *other
    }
}
