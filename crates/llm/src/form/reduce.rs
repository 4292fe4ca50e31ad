//! What of a schema providers accept.

use serde_json::{Map, Value, json};

/// Bounds, and how they are said in words where they cannot be sent as they are.
const BOUNDS: &[(&str, &str)] = &[
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("pattern", "matching the regular expression {}"),
    ("format", "in the format {}"),
    ("minimum", "at least {}"),
    ("maximum", "at most {}"),
    ("exclusiveMinimum", "more than {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "a multiple of {}"),
];

/// What says nothing to a model, or has no place in strict modes.
const DROPPED: &[&str] = &["$schema", "$id", "title", "default", "examples", "uniqueItems"];

/// Closes every object that names its keys, in place. Gives the first object that has free keys.
pub(super) fn close(schema: &mut Value, at: &str) -> Option<String> {
    let object = schema.as_object_mut()?;
    let free = |keys: &Value| !matches!(keys, Value::Bool(false));
    if object.get("additionalProperties").is_some_and(free) || object.contains_key("patternProperties") {
        return Some(at.to_owned());
    }
    if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), json!(false));
    }
    parts_mut(object).into_iter().find_map(|(step, part)| close(part, &format!("{at}/{step}")))
}

/// The schemas in a schema, each with its way there.
fn parts_mut(object: &mut Map<String, Value>) -> Vec<(String, &mut Value)> {
    let mut parts = Vec::new();
    for (key, value) in object {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                parts.extend(named.iter_mut().map(|(name, part)| (format!("{key}/{name}"), part)));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(listed)) => {
                let numbered = listed.iter_mut().enumerate();
                parts.extend(numbered.map(|(index, part)| (format!("{key}/{index}"), part)));
            }
            ("items", part) => parts.push((key.clone(), part)),
            _ => {}
        }
    }
    parts
}

/// The part of a schema that every strict mode accepts: all keys are required, those that are optional may be
/// null, and bounds stand in the description.
pub(super) fn strict(schema: &Value) -> Value {
    let mut reduced = schema.clone();
    reduce(&mut reduced);
    reduced
}

fn reduce(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(reference) = object.get("$ref").cloned() {
        // Beside a reference nothing else may stand, but at the root, which carries the definitions.
        object.retain(|key, _| key == "$defs");
        object.insert("$ref".to_owned(), reference);
    }
    for key in DROPPED {
        object.remove(*key);
    }
    say_bounds(object);
    if let Some(only) = object.remove("const") {
        object.insert("enum".to_owned(), json!([only]));
    }
    if let Some(choices) = object.remove("oneOf") {
        object.insert("anyOf".to_owned(), choices);
    }
    for (_, part) in parts_mut(object) {
        reduce(part);
    }
    let required = object.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|n| n == name));
    for (name, part) in properties.iter_mut() {
        if !is_required(name) && !may_be_null(part) {
            allow_null(part);
        }
    }
    let names: Vec<&String> = properties.keys().collect();
    let names = json!(names);
    object.insert("required".to_owned(), names);
}

fn say_bounds(object: &mut Map<String, Value>) {
    let mut words = Vec::new();
    for (key, said) in BOUNDS {
        if let Some(bound) = object.remove(*key) {
            let bound = bound.as_str().map_or_else(|| bound.to_string(), |text| format!("`{text}`"));
            words.push(said.replace("{}", &bound));
        }
    }
    if words.is_empty() {
        return;
    }
    let words = words.join(", ");
    let before = object.get("description").and_then(Value::as_str);
    let description = before.map_or_else(|| words.clone(), |before| format!("{before} ({words})"));
    object.insert("description".to_owned(), description.into());
}

/// Whether null is a value of a schema.
pub(super) fn may_be_null(schema: &Value) -> bool {
    let Some(object) = schema.as_object() else { return schema == &Value::Bool(true) };
    let null = json!("null");
    let listed =
        |key: &str, value: &Value| object.get(key).and_then(Value::as_array).map(|all| all.contains(value));
    let by_type = object.get("type").map(|kind| *kind == null || listed("type", &null) == Some(true));
    let by_list = listed("enum", &Value::Null);
    let by_choice = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| object.get(*key)?.as_array())
        .map(|choices| choices.iter().any(may_be_null));
    let said: Vec<bool> = [by_type, by_list, by_choice].into_iter().flatten().collect();
    // A reference is to a type of its own, which is not nothing.
    said.iter().all(|allowed| *allowed) && !object.contains_key("$ref") && !object.contains_key("const")
}

fn allow_null(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    let simple = object.get("type").is_some() && !object.contains_key("anyOf");
    match object.get_mut("type") {
        Some(Value::Array(kinds)) if simple => kinds.push(json!("null")),
        Some(kind) if simple => *kind = json!([kind, "null"]),
        _ => {
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.push(json!({"type": "null"}));
            } else {
                *schema = json!({"anyOf": [schema, {"type": "null"}]});
            }
            return;
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.push(Value::Null);
    }
}
