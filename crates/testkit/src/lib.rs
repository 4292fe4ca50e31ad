//! For tests only: temporary git repositories, the shared test data and spreadsheet programs.
//!
//! Everything here panics where the machine does not do its part: it is never linked into a program.
#![expect(clippy::panic, clippy::expect_used, reason = "a test helper fails its test")]

pub mod repository;
pub mod shared;
pub mod spreadsheet;

pub use repository::TestRepository;
