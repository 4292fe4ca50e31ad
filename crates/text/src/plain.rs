//! Anything without a parser: one block that is not prose.

use crate::document::{BlockKind, Builder, Prose};

pub(crate) fn parse(text: &str, builder: &mut Builder) {
    let mut prose = Prose::default();
    prose.push_text(text, 0..text.len());
    builder.leaf(BlockKind::Code, 0..text.len(), prose);
}
