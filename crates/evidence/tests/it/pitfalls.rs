//! Each pitfall.
