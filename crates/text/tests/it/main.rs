//! Real documents and hard cases.

mod formats;
mod grounding;
