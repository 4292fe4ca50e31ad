//! What is known of the bytes of one retrieved document, beside the bytes themselves.

use crate::digest::Digest;
use crate::ids::ObjectId;
use serde::{Deserialize, Serialize};

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
    /// A released file that was read in.
    Import {
        /// Its name.
        file: String,
    },
}
