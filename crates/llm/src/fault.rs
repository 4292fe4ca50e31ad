//! What a model can send back that is no answer.

/// What came back in place of an answer. Nothing here is read any further: half a list is no list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The model had no tokens left. What it wrote is not looked at, even where it happens to be whole.
    #[error(
        "the answer was cut off by the limit of {limit} tokens; allow more (`answer_tokens`) or ask for less"
    )]
    Truncated {
        /// How many tokens it could have.
        limit: u64,
    },
    /// The model refused.
    #[error("the model refused{}; read the request, or ask another model", quoted(.words))]
    Refused {
        /// Its words.
        words: String,
    },
    /// A filter of the provider took the answer away.
    #[error("a filter of the provider took the answer away; read the request, or ask another model")]
    Filtered,
    /// It stopped for a reason that is not known here.
    #[error("the model stopped for a reason that polc does not know, `{reason}`; report it as a bug")]
    Stopped {
        /// The reason, in the provider's word.
        reason: String,
    },
    /// There is no answer in what came back.
    #[error("the endpoint sent an answer with nothing in it; run it again later")]
    Empty,
    /// There is more than one.
    #[error("the endpoint sent {count} answers where one was asked for")]
    Several {
        /// How many.
        count: usize,
    },
    /// What came back is not in the wire format at all: a page of a proxy, for one.
    #[error("the endpoint sent no {format} but `{beginning}` ({why}); check `base_url` and proxies")]
    NotTheFormat {
        /// What was expected.
        format: &'static str,
        /// What the parser says.
        why: String,
        /// How it begins.
        beginning: String,
    },
    /// The words of the model are no JSON.
    #[error("the answer is not JSON ({why}), it begins `{beginning}`")]
    NotJson {
        /// What the parser says.
        why: String,
        /// How it begins.
        beginning: String,
    },
    /// A key stands twice in one object.
    #[error("duplicate key `{key}`{}", place(.at))]
    DuplicateKey {
        /// The key.
        key: String,
        /// The object, as a JSON pointer.
        at: String,
    },
    /// The schema says otherwise: unknown or missing keys, values outside a list, too few or too many.
    #[error("{}", .faults.join("; "))]
    Form {
        /// Each fault with its place.
        faults: Vec<String>,
    },
    /// The type says otherwise, though the schema does not.
    #[error("{why}")]
    Type {
        /// What the type says.
        why: String,
    },
    /// The one who asked says otherwise.
    #[error("{}", .faults.join("; "))]
    Checked {
        /// Each fault in words.
        faults: Vec<String>,
    },
}

impl Fault {
    /// Whether the model may do better when it is told what is wrong. Otherwise the matter ends here: there is
    /// no use in asking for more where the limit was reached, nor in asking again what was refused.
    pub fn may_be_mended(&self) -> bool {
        match self {
            Self::NotJson { .. }
            | Self::DuplicateKey { .. }
            | Self::Form { .. }
            | Self::Type { .. }
            | Self::Checked { .. } => true,
            Self::Truncated { .. }
            | Self::Refused { .. }
            | Self::Filtered
            | Self::Stopped { .. }
            | Self::Empty
            | Self::Several { .. }
            | Self::NotTheFormat { .. } => false,
        }
    }

    /// Whether the answer behind it was recorded: one that nobody understands is not.
    pub fn is_recorded(&self) -> bool {
        !matches!(self, Self::Stopped { .. } | Self::Empty | Self::Several { .. } | Self::NotTheFormat { .. })
    }

    /// What to tell the model.
    pub fn in_words(&self) -> Vec<String> {
        match self {
            Self::Form { faults } | Self::Checked { faults } => faults.clone(),
            other => vec![other.to_string()],
        }
    }
}

fn quoted(words: &str) -> String {
    if words.trim().is_empty() { String::new() } else { format!(": “{}”", words.trim()) }
}

fn place(at: &str) -> String {
    if at.is_empty() { String::new() } else { format!(" in `{at}`") }
}
