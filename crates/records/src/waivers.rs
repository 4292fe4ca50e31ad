//! `corpora/<slug>/waivers.toml`: rules that a project does not hold contributions to for a while.

use crate::ids::RuleId;
use crate::problem::Problem;
use crate::store::{TomlFile, TomlRecord, load_toml};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A rule that is waived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The rule.
    pub rule: RuleId,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub until: Date,
}

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waivers {
    /// Schema version.
    pub schema: u32,
    /// The waivers, by rule.
    #[serde(default, rename = "waiver", skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<Waiver>,
}

impl TomlFile for Waivers {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of waivers";
}

impl TomlRecord for Waivers {
    const HEADER: &'static str =
        "Written by `polc waive`. A violation of these rules is shown and fails nothing until the day named.";
}

impl Waivers {
    /// Reads the file, or starts with none.
    ///
    /// # Errors
    /// As [`load_toml`].
    pub fn load(path: &Path) -> Result<Self, Problem> {
        if path.exists() {
            load_toml(path)
        } else {
            Ok(Waivers { schema: Self::SCHEMA, waivers: Vec::new() })
        }
    }

    /// Waives a rule; an earlier waiver of it is replaced.
    pub fn waive(&mut self, waiver: Waiver) {
        self.waivers.retain(|earlier| earlier.rule != waiver.rule);
        self.waivers.push(waiver);
        self.waivers.sort_by(|a, b| a.rule.cmp(&b.rule));
    }

    /// The waiver of a rule that holds on a day.
    pub fn on(&self, rule: &RuleId, day: Date) -> Option<&Waiver> {
        self.waivers.iter().find(|waiver| waiver.rule == *rule && day <= waiver.until)
    }
}
