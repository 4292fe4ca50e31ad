//! Money, in whole millionths of a US dollar: sums are exact, and what is rounded is rounded up.

use crate::problem::Malformed;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;
use std::str::FromStr;

const MICROS: u64 = 1_000_000;
const DECIMALS: usize = 6;

/// An amount of US dollars, written as a decimal number: `0.15`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Money(0);

    /// An amount in millionths of a dollar.
    pub const fn micros(micros: u64) -> Self {
        Money(micros)
    }

    /// What so many tokens cost where this is the price of a million, rounded up.
    #[must_use]
    pub fn for_tokens(self, tokens: u64) -> Self {
        let exact = u128::from(self.0) * u128::from(tokens);
        Money(u64::try_from(exact.div_ceil(u128::from(MICROS))).unwrap_or(u64::MAX))
    }

    /// What is left after taking some away; nothing where it is more than there is.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Money(self.0.saturating_sub(other.0))
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Money(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:0DECIMALS$}", self.0 % MICROS);
        // Cents are always shown, and smaller parts where there are some.
        let shown = fraction.trim_end_matches('0').len().max(2);
        write!(out, "{}.{}", self.0 / MICROS, &fraction[..shown])
    }
}

impl FromStr for Money {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let malformed = || Malformed {
            what: "amount of dollars",
            value: text.to_owned(),
            why: "expected a decimal number with at most six decimals, such as `2.50`",
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > DECIMALS {
            return Err(malformed());
        }
        let whole: u64 = whole.parse().map_err(|_| malformed())?;
        let fraction: u64 = format!("{fraction:0<DECIMALS$}").parse().map_err(|_| malformed())?;
        whole
            .checked_mul(MICROS)
            .and_then(|micros| micros.checked_add(fraction))
            .map(Money)
            .ok_or_else(malformed)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
