//! The sources of a manifest as documents, read from the snapshots.

use crate::assess::PAGE;
use polc_records::manifest::Source;
use polc_records::{Digest, Problem};
use polc_text::page::PageParts;
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

/// Reads a snapshot as the document that the kind and the key of its source say it is.
///
/// # Errors
/// Where the store does not hold it whole, or it is no text.
pub fn read(snapshots: &Snapshots, kind: &str, key: &str, digest: Digest) -> Result<Document, Problem> {
    if kind == PAGE {
        return Ok(Document::of_page(digest, &snapshots.page(digest)?, &PageParts::default()));
    }
    let bytes = snapshots.get(digest)?;
    Document::derive(&bytes, Format::of_path(key)).map_err(|error| {
        Problem::new(Path::new(key), error.to_string(), "exclude it in the manifest, or convert it")
    })
}

/// Every source that was retrieved and can be read, in traversal order: rules are drawn from some of
/// them, context is quoted from any.
///
/// # Errors
/// As [`read`], for a source that rules are drawn from.
pub fn retrieved<'m>(snapshots: &Snapshots, sources: &'m [Source]) -> Result<Vec<ReadSource<'m>>, Problem> {
    let mut retrieved = Vec::new();
    for source in sources {
        let Some(digest) = source.snapshot else { continue };
        match read(snapshots, &source.kind, &source.key, digest) {
            Ok(document) => retrieved.push(ReadSource { source, document }),
            Err(problem) if source.gives_rules() => return Err(problem),
            Err(_) => {}
        }
    }
    Ok(retrieved)
}
