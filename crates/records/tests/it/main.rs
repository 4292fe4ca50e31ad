//! Every file type: what is loaded and saved again keeps its bytes, and faults are told by their place.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod endpoints;
mod faults;
mod imports;
mod round_trips;
mod tables;
mod workbooks;
