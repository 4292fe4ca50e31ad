//! What a strict mode had to say with null, said as the whole schema has it.

use super::reduce::may_be_null;
use serde_json::Value;

/// How far a chain of references is followed.
const MOST_REFERENCES: usize = 8;

/// Takes away every null at a key that is optional and has no null among its values.
pub(super) fn optional_fields(value: &mut Value, schema: &Value) {
    restore(value, schema, schema);
}

fn restore(value: &mut Value, schema: &Value, root: &Value) {
    let schema = resolved(schema, root);
    for choice in ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten()
    {
        restore(value, choice, root);
    }
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| restore(item, schema, root));
            }
        }
        Value::Object(fields) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
            let properties = schema.get("properties").and_then(Value::as_object);
            let property = |name: &str| properties.and_then(|properties| properties.get(name));
            fields.retain(|name, field| {
                let absent = field.is_null()
                    && !is_required(name)
                    && property(name).is_some_and(|schema| !may_be_null(resolved(schema, root)));
                !absent
            });
            for (name, field) in fields {
                if let Some(schema) = property(name) {
                    restore(field, schema, root);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What a reference within the schema refers to.
fn resolved<'a>(mut schema: &'a Value, root: &'a Value) -> &'a Value {
    for _ in 0..MOST_REFERENCES {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let Some(found) = reference.and_then(|to| root.pointer(to.strip_prefix('#')?)) else { break };
        schema = found;
    }
    schema
}
