//! `polc.toml`: what makes a folder a root.

use crate::endpoint::EndpointConfig;
use crate::store::{TomlFile, TomlRecord};
use serde::{Deserialize, Serialize};

/// The file at the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Schema version.
    pub schema: u32,
    /// Where generated crates find the runtime. Without it, polc lays down the copy it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker: Option<CheckerSource>,
    /// Which language model is asked. Without it no stage asks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<EndpointConfig>,
}

impl Config {
    /// A configuration with the lowest schema that holds it, so that older programs read what they can.
    pub fn new(checker: Option<CheckerSource>, endpoint: Option<EndpointConfig>) -> Self {
        let schema = if endpoint.is_some() { Self::SCHEMA } else { Self::OLDEST };
        Config { schema, checker, endpoint }
    }
}

/// Where generated crates find `polc-checker`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckerSource {
    /// A folder, relative to the root.
    pub path: String,
}

impl TomlFile for Config {
    const SCHEMA: u32 = 2;
    const OLDEST: u32 = 1;
    const WHAT: &'static str = "polc configuration";
}

impl TomlRecord for Config {
    const HEADER: &'static str =
        "This folder is a root of polc: its projects are in corpora/, manifests/ and generated/.";
}
