use crate::{FORMATS, Found, question, run_with};
use polc_llm::{Engine, Form, FormError, Settings};
use polc_records::endpoint::{SchemaDialect, Structure};
use polc_testkit::{ModelServer, Said, shared};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema as an endpoint gets it.
async fn sent(form: &Form<Value>, dialect: SchemaDialect, structure: Option<Structure>) -> [Value; 2] {
    let mut sent = Vec::new();
    for wire in FORMATS {
        let server = ModelServer::start();
        server.obey(|_| Said::answer("{}"));
        let (folder, base_url) = (tempfile::tempdir().unwrap(), server.base_url());
        let config =
            polc_records::endpoint::EndpointConfig { schema: dialect, structure, ..crate::config(wire) };
        let settings =
            Settings::of(&config, |name| (name == "POLC_BASE_URL").then(|| base_url.clone())).unwrap();
        let run = run_with(settings, Engine::Endpoint, folder.path());
        let question = polc_llm::Question::new("schema", "", "page", form);
        let _none_is_expected = run.ask(&question).await;
        sent.push(server.asked()[0].schema().clone());
    }
    sent.try_into().unwrap()
}

#[tokio::test]
async fn what_is_sent_is_what_every_strict_mode_accepts() {
    let Some(case) = shared::case("ll4") else { return };
    let form = Form::with("rules", case["input"]["schema"].clone()).unwrap();
    let expected = json!({
        "type": "object",
        "properties": {
            "rules": {
                "type": "array",
                "description": "at least 2 items",
                "items": {"type": "string", "description": "at least 3 characters"},
            },
            "note": {"type": ["string", "null"]},
        },
        "required": ["rules", "note"],
        "additionalProperties": false,
    });
    for structure in [None, Some(Structure::ForcedTool), Some(Structure::ResponseFormat)] {
        for sent in sent(&form, SchemaDialect::Strict, structure).await {
            assert_eq!(sent, expected);
        }
    }
    for sent in sent(&form, SchemaDialect::Full, None).await {
        assert_eq!(
            (&sent["properties"]["rules"]["minItems"], &sent["required"]),
            (&json!(2), &json!(["rules"]))
        );
        assert_eq!(sent["additionalProperties"], false);
    }
}

/// Everything that a type for answers may have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Everything {
    /// A tag.
    kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    maybe: Option<Kind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 2)))]
    names: Vec<String>,
    choice: Choice,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<Box<Everything>>,
    number: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// One.
    First,
    /// Two.
    Second,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum Choice {
    Nothing,
    Word { word: String },
}

#[tokio::test]
async fn a_type_with_everything_is_reduced() {
    let form: Form<Everything> = Form::of("everything").unwrap();
    let whole: Form<Value> = Form::with("everything", form.asked().schema.clone()).unwrap();
    let [chat, messages] = sent(&whole, SchemaDialect::Strict, None).await;
    assert_eq!(chat, messages);
    insta::assert_snapshot!(format!("{chat:#}"));
    let mut objects = 0;
    each_schema(&chat, &mut |schema| {
        let Some(object) = schema.as_object() else { return };
        for refused in ["minItems", "minLength", "maximum", "format", "oneOf", "const", "default", "title"] {
            assert!(!object.contains_key(refused), "{schema}");
        }
        let Some(properties) = object.get("properties") else { return };
        objects += 1;
        let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
        assert_eq!((&object["required"], &object["additionalProperties"]), (&json!(names), &json!(false)));
    });
    assert_eq!(objects, 3);
}

/// A schema and the schemas in it, but not the names of properties.
fn each_schema(schema: &Value, visit: &mut impl FnMut(&Value)) {
    visit(schema);
    for (key, part) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), part) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.values().for_each(|part| each_schema(part, visit))
            }
            ("anyOf", Value::Array(choices)) => choices.iter().for_each(|part| each_schema(part, visit)),
            ("items", part) => each_schema(part, visit),
            _ => {}
        }
    }
}

#[test]
fn an_object_with_free_keys_is_no_answer() {
    #[derive(Deserialize, JsonSchema)]
    struct Free {
        #[expect(dead_code, reason = "only its schema is looked at")]
        counts: BTreeMap<String, u8>,
    }
    let error = Form::<Free>::of("free").err().unwrap();
    assert_eq!(error, FormError::FreeKeys { name: "free".into(), at: "/properties/counts".into() });
    let error = Form::<Value>::with("odd", json!({"type": "lion"})).err().unwrap();
    assert!(matches!(error, FormError::Unusable { .. }), "{error}");
}

#[test]
fn unknown_keys_are_refused_even_where_the_type_would_bear_them() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Lax {
        #[expect(dead_code, reason = "only its schema is looked at")]
        name: String,
    }
    let form = Form::<Lax>::of("lax").unwrap();
    let fault = form.read(r#"{"name":"lion","nmae":"seal"}"#).unwrap_err();
    assert_eq!(fault.to_string(), "unknown key `nmae`");
}

fn everything() -> impl Strategy<Value = Everything> {
    let kind = || prop_oneof![Just(Kind::First), Just(Kind::Second)];
    let choice = prop_oneof![Just(Choice::Nothing), "[a-z]{0,3}".prop_map(|word| Choice::Word { word })];
    let names = prop::collection::vec("[a-z]{2,4}", 1..3);
    let leaf = (kind(), prop::option::of(kind()), names, choice, prop::option::of(0..9u8)).prop_map(
        |(kind, maybe, names, choice, number)| Everything { kind, maybe, names, choice, inner: None, number },
    );
    leaf.prop_recursive(3, 8, 1, |inner| {
        inner.prop_map(|inner| Everything {
            kind: Kind::First,
            maybe: None,
            names: vec!["ox".to_owned()],
            choice: Choice::Nothing,
            inner: Some(Box::new(inner)),
            number: None,
        })
    })
}

/// The same value as a strict mode makes a model say it: every key is there, with null where there is nothing.
fn as_strict(value: &Everything) -> Value {
    let mut said = serde_json::to_value(value).unwrap();
    for key in ["maybe", "inner"] {
        said.as_object_mut().unwrap().entry(key).or_insert(Value::Null);
    }
    if let Some(inner) = &value.inner {
        said["inner"] = as_strict(inner);
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_comes_back_however_it_was_said(value in everything()) {
        let form: Form<Everything> = Form::of("everything").unwrap();
        prop_assert_eq!(&form.read(&serde_json::to_string(&value).unwrap()).unwrap(), &value);
        prop_assert_eq!(&form.read(&as_strict(&value).to_string()).unwrap(), &value);
        let fenced = format!("```json\n{:#}\n```", as_strict(&value));
        prop_assert_eq!(&form.read(&fenced).unwrap(), &value);
    }

    #[test]
    fn no_text_makes_reading_panic(text in ".{0,40}", at in 0..60usize, junk in "[\\[\\]{}\":,0-9a-z`\\\\]{0,4}") {
        let form = Form::<Found>::of("found").unwrap();
        let _read = form.read(&text);
        let mut broken = crate::LIONS.to_owned();
        broken.insert_str(at.min(broken.len()), &junk);
        let _read = form.read(&broken);
    }
}

#[test]
fn the_order_of_the_fields_is_that_of_the_type() {
    let form = crate::found();
    let names: Vec<&String> = form.asked().schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["animals", "noise", "note"], "a model writes in the order that it is given");
    assert_eq!(question("x").form.asked(), form.asked());
}
