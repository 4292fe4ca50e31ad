//! The sources of a manifest as documents, read from the snapshots.

use polc_records::manifest::Source;
use polc_records::{Digest, Problem};
use polc_text::snapshots::Snapshots;
use polc_text::{Document, Format};
use std::path::Path;

/// A source with its text.
#[derive(Debug, Clone)]
pub struct ReadSource<'m> {
    /// Its row in the manifest.
    pub source: &'m Source,
    /// Its text.
    pub document: Document,
}

/// Reads a snapshot as the document that a path says it is.
///
/// # Errors
/// Where the store does not hold it whole, or it is no text.
pub fn read(snapshots: &Snapshots, path: &str, digest: Digest) -> Result<Document, Problem> {
    let bytes = snapshots.get(digest)?;
    Document::derive(&bytes, Format::of_path(path)).map_err(|error| {
        Problem::new(Path::new(path), error.to_string(), "exclude it in the manifest, or convert it")
    })
}

/// The sources from which rules are drawn, in traversal order.
///
/// # Errors
/// As [`read`].
pub fn rule_sources<'m>(
    snapshots: &Snapshots,
    sources: &'m [Source],
) -> Result<Vec<ReadSource<'m>>, Problem> {
    use polc_records::manifest::Standing;
    sources
        .iter()
        .filter(|source| matches!(source.standing(), Ok(Standing::Full | Standing::Partial)))
        .filter_map(|source| {
            let digest = source.snapshot?;
            Some(read(snapshots, &source.key, digest).map(|document| ReadSource { source, document }))
        })
        .collect()
}
