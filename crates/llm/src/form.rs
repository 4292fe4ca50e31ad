//! The form of an answer: a Rust type, the whole JSON schema of it, and what a provider is sent of that schema.

mod reduce;
mod restore;

use crate::fault::Fault;
use crate::json::{self, Malformed};
use boon::{Compiler, ErrorKind, SchemaIndex, Schemas, ValidationError};
use polc_records::endpoint::SchemaDialect;
use polc_records::recording::AnswerForm;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::marker::PhantomData;
use std::sync::Arc;

/// A name that is absolute, so that nothing is resolved against a folder, and that nobody can fetch.
const PLACE: &str = "https://answer.invalid/schema.json";

/// How much of a text that is no JSON is shown.
const SHOWN: usize = 80;

/// A schema that cannot be the form of an answer. It is made by a program, so this is a fault in one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The schema is none.
    #[error("the schema of `{name}` cannot be used: {why}; report this as a bug")]
    Unusable {
        /// What the answer is called.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// There are keys that the schema does not name.
    #[error("the schema of `{name}` has free keys at `{at}`, which strict modes refuse; make it a list")]
    FreeKeys {
        /// What the answer is called.
        name: String,
        /// Where in the schema.
        at: String,
    },
}

/// The form of an answer that is read as a `T`. A clone shares what was compiled.
pub struct Form<T> {
    form: AnswerForm,
    compiled: Arc<(Schemas, SchemaIndex)>,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        Self { form: self.form.clone(), compiled: Arc::clone(&self.compiled), kind: PhantomData }
    }
}

impl<T: DeserializeOwned> Form<T> {
    /// The form with the schema that the type itself has. The name is made of letters, digits and underscores.
    ///
    /// # Errors
    /// Where the type has maps with free keys.
    pub fn of(name: &str) -> Result<Self, FormError>
    where
        T: JsonSchema,
    {
        Self::with(name, schemars::schema_for!(T).to_value())
    }

    /// The form with a schema of one's own, such as one that knows the ids that an answer may name.
    ///
    /// Objects are closed: a key that the schema does not name is refused, whatever the type does.
    ///
    /// # Errors
    /// Where the schema is none, or has objects with free keys.
    pub fn with(name: &str, mut schema: Value) -> Result<Self, FormError> {
        if let Some(at) = reduce::close(&mut schema, "") {
            return Err(FormError::FreeKeys { name: name.to_owned(), at });
        }
        let compiled = compile(&schema).map_err(|why| FormError::Unusable { name: name.to_owned(), why })?;
        let form = AnswerForm { name: name.to_owned(), schema };
        Ok(Self { form, compiled: Arc::new(compiled), kind: PhantomData })
    }

    /// What is asked for, whole.
    pub fn asked(&self) -> &AnswerForm {
        &self.form
    }

    /// Reads an answer: as JSON without a key that stands twice, against the whole schema, as the type.
    ///
    /// A fence of Markdown around the whole is taken away. A null where the schema has an optional field is no
    /// field: strict modes know no other way to leave one out.
    ///
    /// # Errors
    /// With every fault in words.
    pub fn read(&self, text: &str) -> Result<T, Fault> {
        let text = unfenced(text);
        let mut value = json::parse(text).map_err(|malformed| match malformed {
            Malformed::NotJson(why) => Fault::NotJson { why, beginning: text.chars().take(SHOWN).collect() },
            Malformed::DuplicateKey { key, at } => Fault::DuplicateKey { key, at },
        })?;
        restore::optional_fields(&mut value, &self.form.schema);
        let (schemas, index) = &*self.compiled;
        schemas.validate(&value, *index).map_err(|error| {
            let mut faults = Vec::new();
            in_words(&error, &mut faults);
            Fault::Form { faults }
        })?;
        serde_json::from_value(value).map_err(|error| Fault::Type { why: error.to_string() })
    }
}

/// What of a schema is sent to an endpoint.
pub(crate) fn sent(form: &AnswerForm, dialect: SchemaDialect) -> Value {
    match dialect {
        SchemaDialect::Full => form.schema.clone(),
        SchemaDialect::Strict => reduce::strict(&form.schema),
    }
}

fn compile(schema: &Value) -> Result<(Schemas, SchemaIndex), String> {
    let mut compiler = Compiler::new();
    let mut schemas = Schemas::new();
    compiler.add_resource(PLACE, schema.clone()).map_err(|error| error.to_string())?;
    let index = compiler.compile(PLACE, &mut schemas).map_err(|error| error.to_string())?;
    Ok((schemas, index))
}

/// The faults at the bottom of an error, each with its place.
fn in_words(error: &ValidationError<'_, '_>, faults: &mut Vec<String>) {
    if !error.causes.is_empty() {
        error.causes.iter().for_each(|cause| in_words(cause, faults));
        return;
    }
    let quoted =
        |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let what = match &error.kind {
        ErrorKind::AdditionalProperties { got } => {
            format!("unknown key {}", quoted(got.iter().map(|name| &**name).collect()))
        }
        ErrorKind::Required { want } => format!("missing key {}", quoted(want.clone())),
        other => other.to_string(),
    };
    let place = error.instance_location.to_string();
    faults.push(if place.is_empty() { what } else { format!("at `{place}`: {what}") });
}

/// The inside of a text that is one fence of Markdown and nothing else.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inside = || {
        let (first, rest) = text.strip_prefix("```")?.split_once('\n')?;
        let rest = rest.strip_suffix("```")?;
        let one_word = first.trim().chars().all(char::is_alphanumeric);
        (one_word && !rest.contains("\n```")).then_some(rest.trim())
    };
    inside().unwrap_or(text)
}
