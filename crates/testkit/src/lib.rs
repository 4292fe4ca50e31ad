//! For tests only: temporary git repositories and the shared test data.
//!
//! Everything here panics where the machine does not do its part: it is never linked into a program.
#![expect(clippy::panic, clippy::expect_used, reason = "a test helper fails its test")]

pub mod repository;
pub mod shared;

pub use repository::TestRepository;
