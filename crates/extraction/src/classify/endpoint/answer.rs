//! What a model is asked for: a closed form of facts for each rule of a batch.

use polc_llm::{Form, FormError};
use polc_records::facts::Answer;
use polc_records::vocabulary::{Artifact, Fact, Truth};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    pub(super) rules: Vec<RuleAnswer>,
}

/// What is said of one rule. Ids are words until they are checked: one that was never given is no reason to
/// throw the other rules away.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleAnswer {
    pub(super) rule: String,
    pub(super) opens: String,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) failure: String,
    pub(super) facts: BTreeMap<Fact, Answer>,
    pub(super) duplicates: Vec<Pair>,
    #[serde(default)]
    pub(super) auto_fix: Option<String>,
    #[serde(default)]
    pub(super) addressed: Option<String>,
}

/// A rule that states the same obligation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    pub(super) of: String,
    pub(super) because: String,
}

/// The form of an answer. It is made from the vocabularies, and the order of its keys is the order in which a
/// model writes: what is opened and what would be wrong come before the facts that turn on them.
pub(super) fn form() -> Result<Form<Batch>, FormError> {
    let words = json!({"type": "string"});
    let fact = |fact: Fact| (fact.to_string(), json!({"$ref": "#/$defs/finding"}));
    let rule = object(
        [
            ("rule", words.clone()),
            ("opens", words.clone()),
            ("artifacts", json!({"type": "array", "items": {"type": "string", "enum": Artifact::SPELLINGS}})),
            ("failure", words.clone()),
            ("facts", object(Fact::answered().map(fact), &[])),
            ("duplicates", json!({"type": "array", "items": {"$ref": "#/$defs/pair"}})),
            ("auto_fix", words.clone()),
            ("addressed", words.clone()),
        ]
        .map(|(name, schema)| (name.to_owned(), schema)),
        &["auto_fix", "addressed"],
    );
    let finding = [("holds", json!({"type": "string", "enum": Truth::SPELLINGS})), ("words", words.clone())];
    let pair = [("of", words.clone()), ("because", words)];
    let named =
        |fields: [(&str, Value); 2]| object(fields.map(|(name, schema)| (name.to_owned(), schema)), &[]);
    let mut schema =
        object([("rules".to_owned(), json!({"type": "array", "items": {"$ref": "#/$defs/rule"}}))], &[]);
    schema["$defs"] = json!({"rule": rule, "finding": named(finding), "pair": named(pair)});
    Form::with("facts_of_rules", schema)
}

/// A closed object; every field but the optional ones has to be there.
fn object(fields: impl IntoIterator<Item = (String, Value)>, optional: &[&str]) -> Value {
    let properties: Map<String, Value> = fields.into_iter().collect();
    let required: Vec<&String> =
        properties.keys().filter(|name| !optional.contains(&name.as_str())).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}
