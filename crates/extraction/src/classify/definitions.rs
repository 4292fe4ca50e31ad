//! What facts and artifacts mean, in the words in which a model is asked for them: `rubrics/facts.toml`.

use super::rubric::{Route, Rubrics, Table};
use polc_records::Problem;
use polc_records::facts::DataVersion;
use polc_records::layout::Root;
use polc_records::store::TomlFile;
use polc_records::vocabulary::{Artifact, Fact, Truth};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

const PATH: &str = "rubrics/facts.toml";
const BUILT_IN: &str = include_str!("../../../../rubrics/facts.toml");

/// What a fact means.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactMeaning {
    /// The fact.
    pub name: Fact,
    /// What it says where it holds.
    pub means: String,
    /// The answer that is shown by words of the row.
    #[serde(default = "yes")]
    pub shown_by: Truth,
}

fn yes() -> Truth {
    Truth::Yes
}

/// What an artifact is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactMeaning {
    /// The artifact.
    pub name: Artifact,
    /// What it is.
    pub means: String,
}

/// All of them, each once.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meanings {
    #[serde(rename = "schema")]
    _schema: u32,
    version: String,
    #[serde(rename = "fact")]
    facts: Vec<FactMeaning>,
    #[serde(rename = "artifact")]
    artifacts: Vec<ArtifactMeaning>,
}

impl TomlFile for Meanings {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of facts";
}

/// What facts and artifacts mean.
#[derive(Debug, Clone)]
pub struct Definitions {
    /// Every fact that is answered.
    pub facts: Vec<FactMeaning>,
    /// Every artifact.
    pub artifacts: Vec<ArtifactMeaning>,
    /// The version of the file.
    pub version: DataVersion,
}

impl Definitions {
    /// Reads the root's copy, or the one built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`]; a fact or an artifact that is not defined, or twice.
    pub fn load(root: &Root) -> Result<Self, Problem> {
        let data = root.data(PATH, BUILT_IN)?;
        let Meanings { version, facts, artifacts, .. } = data.parse()?;
        let once = |name: &dyn Display, defined: usize, expected: usize| match defined == expected {
            true => Ok(()),
            false => Err(Problem::new(
                &data.path,
                format!("`{name}` is defined {defined} times, and has to be {expected} times"),
                "define every fact that is answered and every artifact once; what code derives is not defined",
            )),
        };
        for fact in Fact::ALL {
            let defined = facts.iter().filter(|known| known.name == *fact).count();
            once(fact, defined, usize::from(!fact.is_derived()))?;
        }
        for artifact in Artifact::ALL {
            once(artifact, artifacts.iter().filter(|known| known.name == *artifact).count(), 1)?;
        }
        Ok(Definitions { facts, artifacts, version: DataVersion::of(&data, &version) })
    }

    /// The answer to a fact that is shown by words of the row.
    pub fn shown_by(&self, fact: Fact) -> Truth {
        self.facts.iter().find(|known| known.name == fact).map_or(Truth::Yes, |known| known.shown_by)
    }
}

/// What the tables decide by a fact where it holds or does not, in their own words.
pub(super) fn decided_by(rubrics: &Rubrics, fact: Fact) -> Vec<String> {
    let evidence = routes(&rubrics.evidence, fact, |gives| format!("evidence {gives}"));
    let scope = routes(&rubrics.scope, fact, |gives| format!("out of scope by {gives}"));
    let level = routes(&rubrics.level, fact, |gives| format!("{} by {gives}", gives.level()));
    [evidence, scope, level].concat()
}

fn routes<R: Copy>(table: &Table<R>, fact: Fact, label: impl Fn(R) -> String) -> Vec<String> {
    let turns = |route: &Route<R>| match (route.all.contains(&fact), route.none.contains(&fact)) {
        (true, _) => Some(Truth::Yes),
        (false, true) => Some(Truth::No),
        (false, false) => None,
    };
    let told = |route: &Route<R>| Some(format!("{}: {}: {}", turns(route)?, label(route.gives), route.means));
    table.routes.iter().filter_map(told).collect()
}
