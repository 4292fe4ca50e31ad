//! Real documents and hard cases.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod formats;
mod grounding;
mod linking;
mod pages;
mod places;
mod reading;
mod referring;
mod selecting;
