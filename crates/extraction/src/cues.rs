//! The words that the baseline engine goes by: `rubrics/cues.toml`.

use crate::lexis::Phrases;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::TomlFile;
use polc_records::vocabulary::{AppliesTo, Artifact, Category};
use polc_records::{Digest, Problem};
use serde::Deserialize;
use std::collections::BTreeMap;

const CUES: &str = include_str!("../../../rubrics/cues.toml");
const PATH: &str = "rubrics/cues.toml";

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
    pub(crate) reading_model: ReadingModel,
    pub(crate) applies_to: BTreeMap<AppliesTo, Phrases>,
    pub(crate) categories: BTreeMap<Category, Phrases>,
    pub(crate) kinds: BTreeMap<String, Category>,
    pub(crate) facts: FactCues,
    pub(crate) limits: Limits,
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

            impl $name {
                fn named(&mut self, list: &str) -> Option<&mut Phrases> {
                    match list {
                        $(stringify!($field) => Some(&mut self.$field),)+
                        _ => None,
                    }
                }
            }
        )+
    };
}

lists! {
    Modal { prohibited, must, should, permission, forbidden, unaccepted, rejected, turned_away }
    Imperative {
        verbs, ambiguous, after_verb, objects, not_verbs, finite, openers, polite, infinitive_openers, commands, generated,
    }
    Conditions { leading, trailing, trigger }
    Norm { quantifiers, exclaims, not_norms, artifacts, verbs, participles }
    Audience { contributor, maintainer, maintainer_verbs, opinion, reviewer, user }
    Reasons { rationale, history }
    Context { exception, consequence, tooling, alternative }
    FactCues {
        vague, outright, forbids, acceptance, consequence, preference, judged_applicability, ordering, form, one_state,
        manner, process, compare, outside, auto_fix,
    }
    Limits { ceiling, floor, beyond, short_of, negative }
    ReadingModel { addressed }
    Words { stop }
}

impl TomlFile for Cues {
    const SCHEMA: u32 = 2;
    const WHAT: &'static str = "list of cues";
}

impl Cues {
    /// Reads the root's copy, or the one built in, and adds the project's own phrases. Also the digest of
    /// all that.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`]; a list that the project names and the file does not have.
    pub fn load(root: &Root, project: &Project) -> Result<(Cues, Digest), Problem> {
        let data = root.data(PATH, CUES)?;
        let mut cues: Cues = data.parse()?;
        if project.cues.is_empty() {
            return Ok((cues, data.digest()));
        }
        for (table, lists) in &project.cues {
            for (list, phrases) in lists {
                let Some(known) = cues.list(table, list) else {
                    return Err(Problem::new(
                        &root.project(&project.slug),
                        format!("`cues` has no list `{list}` in a table `{table}`"),
                        "name a table and a list as `rubrics/cues.toml` has them",
                    )
                    .field("cues"));
                };
                known.extend(phrases);
            }
        }
        let both = Digest::of_json(&(data.digest(), &project.cues));
        let both =
            both.map_err(|error| Problem::new(&data.path, error.to_string(), "report this as a bug"))?;
        Ok((cues, both))
    }

    fn list(&mut self, table: &str, list: &str) -> Option<&mut Phrases> {
        match table {
            "modal" => self.modal.named(list),
            "imperative" => self.imperative.named(list),
            "conditions" => self.conditions.named(list),
            "norm" => self.norm.named(list),
            "audience" => self.audience.named(list),
            "reasons" => self.reasons.named(list),
            "context" => self.context.named(list),
            "applies_to" => self.applies_to.get_mut(&list.parse().ok()?),
            "categories" => self.categories.get_mut(&list.parse().ok()?),
            "facts" => self.facts.named(list),
            "limits" => self.limits.named(list),
            "artifacts" => self.artifacts.get_mut(&list.parse().ok()?),
            "reading_model" => self.reading_model.named(list),
            "words" => self.words.named(list),
            _ => None,
        }
    }
}
