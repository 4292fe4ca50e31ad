//! Files as they were rendered: the last line of each carries the digest of everything above it.
//!
//! Only a file whose digest still matches may be rendered anew; any other is somebody's work.

use polc_records::store::read_text_if_there;
use polc_records::{Digest, Problem};
use std::path::Path;

const FOOTER: &str = "polc renders this file anew as long as the lines above have the digest";

/// A rendered text with its last line, a comment.
pub fn seal(text: &str, comment: &str) -> String {
    let above = format!("{}\n\n", text.trim_end());
    let digest = Digest::of(&above);
    format!("{above}{comment} {FOOTER} {digest}\n")
}

/// Whether a text is as it was rendered.
pub fn is_pristine(text: &str) -> bool {
    let last = text.strip_suffix('\n').and_then(|lines| lines.rfind('\n')).map_or(0, |end| end + 1);
    let (above, footer) = text.split_at(last);
    let claimed = footer.split_once(FOOTER).and_then(|(_, digest)| digest.trim().parse().ok());
    claimed == Some(Digest::of(above))
}

/// Whether a file holds nobody's work: it is not there, or as it was rendered.
///
/// # Errors
/// Where it cannot be read.
pub fn is_free(path: &Path) -> Result<bool, Problem> {
    Ok(read_text_if_there(path)?.is_none_or(|text| is_pristine(&text)))
}
