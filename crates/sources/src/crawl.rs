//! Reading a documentation site.

pub mod generators;
mod key;
pub mod links;

pub use generators::Generators;
pub use key::{PageKey, key};
pub use links::{Link, PageLinks, links};
