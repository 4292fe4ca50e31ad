//! The rubric tables: routes over fact names, in an order of precedence. Data that prompt and code
//! share, so that the two cannot disagree.

use polc_records::Problem;
use polc_records::facts::DataVersion;
use polc_records::layout::{DataFile, Root};
use polc_records::store::TomlFile;
use polc_records::vocabulary::{Artifact, EvidenceType, Fact, LevelRoute, ScopeRoute, Truth};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};

/// A route of a table: it holds where every fact in `all` holds and none in `none` does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route<R> {
    /// What it decides.
    pub gives: R,
    /// What it says, in words.
    pub means: String,
    /// Facts that have to hold.
    #[serde(default = "Vec::new")]
    pub all: Vec<Fact>,
    /// Facts that must not hold.
    #[serde(default = "Vec::new")]
    pub none: Vec<Fact>,
}

impl<R: Copy> Route<R> {
    /// Whether it holds on these facts, by Kleene's logic.
    pub fn holds(&self, facts: &dyn Fn(Fact) -> Truth) -> Truth {
        let all = self.all.iter().map(|fact| facts(*fact));
        let none = self.none.iter().map(|fact| facts(*fact).negated());
        all.chain(none).fold(Truth::Yes, Truth::and)
    }
}

/// Who says that one route goes before others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatedBy {
    /// The paper (D.1.3).
    Paper,
    /// This project, where the paper is silent.
    Ours,
}

/// One route goes before others.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precedence<R> {
    /// The one.
    pub over: R,
    /// The others.
    pub under: Vec<R>,
    /// Who says so.
    pub stated_by: StatedBy,
}

/// A table: the first route that holds decides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table<R> {
    #[serde(rename = "schema")]
    _schema: u32,
    /// The version of the table.
    pub version: String,
    /// What is decided where no route holds.
    pub fallback: Option<R>,
    /// The routes, in the order of precedence.
    #[serde(rename = "route")]
    pub routes: Vec<Route<R>>,
    /// Who says that a route goes before another, pair by pair.
    #[serde(default = "Vec::new")]
    pub precedence: Vec<Precedence<R>>,
}

/// What a table came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation<R> {
    /// The first route that holds.
    pub fired: Option<R>,
    /// The others that hold, in the order of the table.
    pub also: Vec<R>,
    /// Facts left open on which a route that would have gone first turns.
    pub open: Vec<Fact>,
}

impl<R: Copy + PartialEq> Table<R> {
    /// Evaluates every route, also after the first that holds.
    pub fn evaluate(&self, facts: &dyn Fn(Fact) -> Truth) -> Evaluation<R> {
        let mut outcome = Evaluation { fired: None, also: Vec::new(), open: Vec::new() };
        for route in &self.routes {
            match route.holds(facts) {
                Truth::Yes if outcome.fired.is_none() => outcome.fired = Some(route.gives),
                Truth::Yes if outcome.fired != Some(route.gives) && !outcome.also.contains(&route.gives) => {
                    outcome.also.push(route.gives);
                }
                Truth::Unknown if outcome.fired.is_none() => {
                    let open =
                        route.all.iter().chain(&route.none).filter(|fact| facts(**fact) == Truth::Unknown);
                    outcome.open.extend(open.copied());
                }
                Truth::Yes | Truth::No | Truth::Unknown => {}
            }
        }
        outcome
    }

    /// What a route says, in words.
    pub fn means(&self, gives: R) -> &str {
        self.routes.iter().find(|route| route.gives == gives).map_or("", |route| route.means.as_str())
    }

    /// The place of a route in the order.
    fn rank(&self, route: R) -> Option<usize> {
        self.routes.iter().position(|known| known.gives == route)
    }

    /// Every pair of routes that the precedence states, in the order stated.
    pub fn pairs(&self) -> impl Iterator<Item = (R, R, StatedBy)> + '_ {
        self.precedence
            .iter()
            .flat_map(|line| line.under.iter().map(move |under| (line.over, *under, line.stated_by)))
    }
}

impl<R: DeserializeOwned> TomlFile for Table<R> {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "rubric table";
}

/// What a kind of run can produce at all.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Its name, as project.toml has it.
    pub name: String,
    /// What it is, in words.
    pub means: String,
    /// What exists in it.
    pub exists: Vec<Artifact>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "schema")]
    _schema: u32,
    version: String,
    #[serde(rename = "setting")]
    settings: Vec<Setting>,
}

impl TomlFile for Settings {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of settings";
}

/// All tables, for one setting.
#[derive(Debug, Clone)]
pub struct Rubrics {
    /// What the check opens.
    pub evidence: Table<EvidenceType>,
    /// The ways out of scope.
    pub scope: Table<ScopeRoute>,
    /// The routes of the level.
    pub level: Table<LevelRoute>,
    /// The setting.
    pub setting: Setting,
    /// Which versions these are.
    pub versions: Vec<DataVersion>,
}

const FILES: [(&str, &str); 4] = [
    ("rubrics/evidence-type.toml", include_str!("../../../../rubrics/evidence-type.toml")),
    ("rubrics/scope.toml", include_str!("../../../../rubrics/scope.toml")),
    ("rubrics/requirement-level.toml", include_str!("../../../../rubrics/requirement-level.toml")),
    ("rubrics/setting.toml", include_str!("../../../../rubrics/setting.toml")),
];

impl Rubrics {
    /// Reads the root's copies, or those built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`]; a precedence that leaves a pair out, states it twice
    /// or contradicts the order of the routes; a setting that is not described.
    pub fn load(root: &Root, setting: &str) -> Result<Self, Problem> {
        let [evidence, scope, level, settings] = FILES.map(|(path, built_in)| root.data(path, built_in));
        let (evidence, scope, level, settings) = (evidence?, scope?, level?, settings?);
        let evidence_table: Table<EvidenceType> = evidence.parse()?;
        let scope_table: Table<ScopeRoute> = scope.parse()?;
        let level_table: Table<LevelRoute> = level.parse()?;
        check_order(&level, &level_table)?;
        let known: Settings = settings.parse()?;
        let Some(chosen) = known.settings.iter().find(|known| known.name == setting) else {
            return Err(Problem::new(
                &settings.path,
                format!("`{setting}` is no setting"),
                "name one of those, or describe the setting in this file",
            )
            .allowed(known.settings.iter().map(|known| &known.name)));
        };
        let versions = vec![
            DataVersion::of(&evidence, &evidence_table.version),
            DataVersion::of(&scope, &scope_table.version),
            DataVersion::of(&level, &level_table.version),
            DataVersion::of(&settings, &known.version),
        ];
        Ok(Rubrics {
            evidence: evidence_table,
            scope: scope_table,
            level: level_table,
            setting: chosen.clone(),
            versions,
        })
    }
}

fn check_order<R: Copy + PartialEq + Display>(data: &DataFile, table: &Table<R>) -> Result<(), Problem> {
    let fault = |message: String| {
        Problem::new(&data.path, message, "correct the order of the routes, or the precedence")
    };
    for (over, under, _) in table.pairs() {
        match (table.rank(over), table.rank(under)) {
            (Some(first), Some(second)) if first < second => {}
            _ => {
                return Err(fault(format!(
                    "{over} is stated to go before {under}, but the routes stand otherwise"
                )));
            }
        }
    }
    for (index, first) in table.routes.iter().enumerate() {
        for second in &table.routes[index + 1..] {
            let stated = table
                .pairs()
                .filter(|(over, under, _)| *over == first.gives && *under == second.gives)
                .count();
            if stated != 1 {
                let pair = format!("{} before {}", first.gives, second.gives);
                return Err(fault(format!("the pair {pair} is stated {stated} times, not once")));
            }
        }
    }
    Ok(())
}
