//! For tests only: temporary git repositories, the shared test data, spreadsheet programs, a server that fails on
//! request, real sites and real repositories on it, and language models that answer as they are told.
//!
//! Everything here panics where the machine does not do its part: it is never linked into a program.
#![expect(clippy::panic, clippy::expect_used, reason = "a test helper fails its test")]

pub mod endpoint;
pub mod github;
pub mod reading;
pub mod repository;
pub mod server;
pub mod shared;
pub mod site;
pub mod spreadsheet;

pub use endpoint::{Asked, ModelServer, Said, blocks};
pub use github::GitHubServer;
pub use repository::TestRepository;
pub use server::{Reply, Server};
pub use site::serve_site;
