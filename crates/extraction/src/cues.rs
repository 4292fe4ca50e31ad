//! The words that the baseline engine goes by: `rubrics/cues.toml`.

use crate::lexis::Phrases;
use polc_records::Problem;
use polc_records::layout::{DataFile, Root};
use polc_records::store::TomlFile;
use polc_records::vocabulary::{AppliesTo, Artifact, Category};
use serde::Deserialize;
use std::collections::BTreeMap;

const CUES: &str = include_str!("../../../rubrics/cues.toml");
pub(crate) const PATH: &str = "rubrics/cues.toml";

/// All of them. What each list does is said in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cues {
    #[serde(rename = "schema")]
    _schema: u32,
    /// The version of the file.
    pub version: String,
    pub(crate) modal: Modal,
    pub(crate) imperative: Imperative,
    pub(crate) conditions: Conditions,
    pub(crate) norm: Norm,
    pub(crate) audience: Audience,
    pub(crate) reasons: Reasons,
    pub(crate) context: Context,
    pub(crate) applies_to: BTreeMap<AppliesTo, Phrases>,
    pub(crate) categories: BTreeMap<Category, Phrases>,
    pub(crate) kinds: BTreeMap<String, Category>,
    pub(crate) facts: FactCues,
    pub(crate) artifacts: BTreeMap<Artifact, Phrases>,
    pub(crate) words: Words,
}

macro_rules! lists {
    ($($name:ident { $($field:ident),+ $(,)? })+) => {
        $(
            #[derive(Debug, Clone, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $name {
                $(pub(crate) $field: Phrases),+
            }
        )+
    };
}

lists! {
    Modal { prohibited, must, should, permission, forbidden, unaccepted, turned_away }
    Imperative { verbs, ambiguous, after_verb, objects, not_verbs, finite, openers, polite, infinitive_openers }
    Conditions { leading, trailing, trigger }
    Norm { quantifiers, not_norms, artifacts, verbs, participles }
    Audience { contributor, maintainer, maintainer_verbs, reviewer, user }
    Reasons { rationale, history }
    Context { exception, consequence, tooling, alternative }
    FactCues {
        vague, outright, forbids, acceptance, consequence, preference, judged_applicability, ordering, form, one_state,
        manner, process, compare, outside, auto_fix,
    }
    Words { stop }
}

impl TomlFile for Cues {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of cues";
}

impl Cues {
    /// Reads the root's copy, or the one built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`].
    pub fn load(root: &Root) -> Result<(Cues, DataFile), Problem> {
        let data = root.data(PATH, CUES)?;
        Ok((data.parse()?, data))
    }
}
