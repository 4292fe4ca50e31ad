//! Real documents and hard cases.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod formats;
mod grounding;
mod places;
mod referring;
mod pages;
mod reading;
mod selecting;
