//! The prices of models.

use polc_records::Problem;
use polc_records::layout::Root;
use polc_records::prices::Prices;

const BUILT_IN: &str = include_str!("../../../stages/prices.toml");

/// The prices that hold for a root: those of its own `stages/prices.toml`, else the ones built in.
///
/// # Errors
/// Where the root's own cannot be read.
pub fn prices(root: &Root) -> Result<Prices, Problem> {
    root.data("stages/prices.toml", BUILT_IN)?.parse()
}
