//! What a model is asked to report: closed, typed, and without anything that code can find out by itself.
//!
//! The comments on the fields go to the model, and the order of the fields is the order in which it writes.

use polc_records::vocabulary::{AppliesTo, Category, ContextKind, ExclusionCode, LedgerReason, ModalLevel};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

macro_rules! vocabulary_schemas {
    ($($name:ident: $values:expr;)+) => {
        $(
            fn $name(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "enum": $values})
            }
        )+
    };
}

vocabulary_schemas! {
    category: Category::SPELLINGS;
    context_kind: ContextKind::SPELLINGS;
    ledger_reason: LedgerReason::SPELLINGS;
    modal_level: ModalLevel::SPELLINGS;
    verdict: Verdict::spellings();
}

fn applies_to(_: &mut SchemaGenerator) -> Schema {
    // A small model repeats itself where nothing says how many there can be.
    let all = AppliesTo::SPELLINGS;
    json_schema!({
        "type": "array", "minItems": 1, "maxItems": all.len(), "items": {"type": "string", "enum": all},
    })
}

/// What a passage comes to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassageAnswer {
    /// Every rule that the passage states, in the order of the passage.
    pub rules: Vec<FoundRule>,
    /// The sentences that state again what a rule of this answer states.
    pub restates: Vec<Restates>,
    /// The sentences that are no rule and no part of one, with the reason.
    pub no_rule: Vec<NoRule>,
    /// The numbers of the sentences that speak to a model or an automated reader.
    pub addressed_to_models: Vec<u32>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundRule {
    /// The numbers of the sentences that the quote is taken from.
    #[schemars(length(min = 1, max = 40))]
    pub sentences: Vec<u32>,
    /// The words of the source that state it, letter by letter.
    #[schemars(length(min = 1))]
    pub quote: String,
    /// One imperative sentence that says it, with its condition.
    #[schemars(length(min = 1, max = 600))]
    pub rule: String,
    /// When it applies, in the words of the source.
    #[schemars(length(min = 1))]
    pub condition: Option<String>,
    /// What the verb alone implies.
    #[schemars(schema_with = "modal_level")]
    pub modal: ModalLevel,
    /// Everything that it is about.
    #[schemars(schema_with = "applies_to")]
    pub applies_to: Vec<AppliesTo>,
    /// The category that fits best.
    #[schemars(schema_with = "category")]
    pub category: Category,
    /// Other sentences of the passage on which its strength turns.
    #[schemars(length(max = 12))]
    pub context: Vec<FoundContext>,
    /// What a contribution has to touch before it applies at all.
    #[schemars(length(min = 1, max = 200))]
    pub trigger: Option<String>,
}

/// A sentence on which the strength of a rule turns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundContext {
    /// What it does for the rule.
    #[schemars(schema_with = "context_kind")]
    pub kind: ContextKind,
    /// Its number.
    pub sentence: u32,
}

/// A sentence that states a rule again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restates {
    /// Its number.
    pub sentence: u32,
    /// Which of the rules of this answer it states, the first being 1.
    pub rule: u32,
}

/// Sentences that are no rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoRule {
    /// Their numbers.
    #[schemars(length(min = 1))]
    pub sentences: Vec<u32>,
    /// Why they are none.
    #[schemars(schema_with = "ledger_reason")]
    pub reason: LedgerReason,
}

/// What a page comes to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageAnswer {
    /// Every section that was asked about, each once.
    pub sections: Vec<SectionVerdict>,
    /// Whether the page, where no section of it is in, is still needed to decide what another source demands.
    pub needed_for_context: bool,
    /// What the page is, in one sentence.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// A section, in or out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionVerdict {
    /// Its number.
    pub section: u32,
    /// `in`, or the code by which it is out.
    #[schemars(schema_with = "verdict")]
    pub verdict: Verdict,
    /// Of a section that is in: one sentence of it that obliges contributors, letter by letter.
    #[schemars(length(min = 1))]
    pub quote: Option<String>,
    /// Why, in one sentence.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// Which side a section is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Rules are drawn from it.
    In,
    /// It is out.
    Out(ExclusionCode),
}

impl Verdict {
    const IN: &'static str = "in";

    /// What a model can say: what could not be read is found out by code.
    fn spellings() -> Vec<&'static str> {
        let said =
            |code: &&ExclusionCode| !matches!(code, ExclusionCode::FetchFailed | ExclusionCode::Version);
        let codes = ExclusionCode::ALL.iter().filter(said).map(|code| code.as_str());
        std::iter::once(Self::IN).chain(codes).collect()
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == Self::IN {
            return Ok(Verdict::In);
        }
        text.parse().map(Verdict::Out).map_err(serde::de::Error::custom)
    }
}
