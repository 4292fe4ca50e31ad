//! `stages/prices.toml`: what a million tokens of a model cost.

use crate::money::Money;
use crate::store::TomlFile;
use serde::{Deserialize, Serialize};

/// The prices that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Schema version.
    pub schema: u32,
    /// One entry for each model.
    #[serde(default)]
    pub model: Vec<ModelPrice>,
}

/// What a model costs, in US dollars for a million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// Its name, as it is asked for. A dated form of it, the name with a hyphen and digits, costs the same.
    pub name: String,
    /// What is read.
    pub input: Money,
    /// What is written.
    pub output: Money,
    /// The day on which somebody looked.
    pub as_of: jiff::civil::Date,
}

impl Prices {
    /// The price of a model; none where it is not known, which never means that it is free.
    pub fn of(&self, model: &str) -> Option<&ModelPrice> {
        let dated = |name: &str| {
            let rest = model.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
            rest.is_some_and(|rest| {
                rest.len() >= 8 && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
            })
        };
        let exact = self.model.iter().find(|price| price.name == model);
        exact.or_else(|| self.model.iter().find(|price| dated(&price.name)))
    }
}

impl ModelPrice {
    /// What so many tokens cost, rounded up.
    pub fn cost(&self, input: u64, output: u64) -> Money {
        self.input.for_tokens(input) + self.output.for_tokens(output)
    }
}

impl TomlFile for Prices {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "table of prices";
}
