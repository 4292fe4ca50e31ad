//! What the formats of scaffolds share.

mod calls;
mod command;
mod cut;
mod json;

pub(crate) use calls::{Calls, Turns, fetch, lines, not_done, say, tool};
pub(crate) use command::{command_of, patched, words};
pub(crate) use cut::{clipped, without_lines};
pub(crate) use json::{Content, another, lenient, mended, text_of, typed, values};
