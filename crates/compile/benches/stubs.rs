//! How long rendering takes: `cargo bench -p polc-compile`.
fn main() {}
