//! How a run asks: from `polc.toml`, the environment and what was built in, in that order of growing weakness.

use crate::access::Key;
use crate::wire::Wire;
use polc_net::Url;
use polc_records::endpoint::{EndpointConfig, SchemaDialect, Structure, Temperature, WireFormat};
use polc_records::money::Money;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

/// How many tokens an answer may have where nobody says.
const ANSWER_TOKENS: u64 = 8_192;
/// How many requests are open at once where nobody says.
const CONCURRENCY: usize = 4;
/// How long one attempt may take where nobody says: a long answer is written for minutes.
const TIMEOUT: Duration = Duration::from_secs(300);

/// An endpoint that cannot be asked as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address is none.
    #[error("`{address}`, from {from}, cannot be the address of an endpoint: {why}; correct it")]
    BaseUrl {
        /// The address, without what may be secret in it.
        address: String,
        /// Who says so: the file or the variable.
        from: &'static str,
        /// What is wrong.
        why: &'static str,
    },
    /// There is no key for the address.
    #[error("there is no key for `{host}`: set {variables} in the environment")]
    NoKey {
        /// The host.
        host: String,
        /// The variables that would do.
        variables: String,
    },
    /// The key would travel unprotected.
    #[error("the key would travel unencrypted to `{host}`: give an address that begins with https")]
    InTheClear {
        /// The host.
        host: String,
    },
    /// The key cannot be sent.
    #[error(
        "the key in `{variable}` has characters that no key has, such as a space or a line break; set it anew"
    )]
    BadKey {
        /// The variable.
        variable: &'static str,
    },
}

/// How a run asks.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model.
    pub model: String,
    /// Where it is asked.
    pub base_url: Url,
    /// How many tokens a request and its answer may have together, where that is known.
    pub context_tokens: Option<u64>,
    /// How many tokens an answer may have.
    pub answer_tokens: u64,
    /// How freely the model chooses, where that is to be said.
    pub temperature: Option<Temperature>,
    /// How many requests may be open at once.
    pub concurrency: usize,
    /// How many requests may start in a minute.
    pub requests_per_minute: Option<NonZeroU32>,
    /// How many tokens, as estimated, may be asked for in a minute.
    pub tokens_per_minute: Option<NonZeroU64>,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// How often a request is sent at most, where the failure may pass.
    pub attempts: NonZeroU32,
    /// The longest pause before another attempt. An endpoint that asks for a longer one is not asked again.
    pub longest_wait: Duration,
    /// What the run may cost at most.
    pub max_cost: Option<Money>,
    /// Send nothing at all.
    pub offline: bool,
    pub(crate) wire: Wire,
    pub(crate) key: Option<Key>,
}

impl Settings {
    /// The settings for an endpoint. `environment` gives the value of a variable.
    ///
    /// The key is `POLC_API_KEY`. Where the address is that of those who made the wire format, their own variable
    /// is looked at too: a key that was meant for them is sent to nobody else. `POLC_BASE_URL` wins over the file.
    ///
    /// # Errors
    /// Where the address is none, or holds what should be secret.
    pub fn of(
        config: &EndpointConfig,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let by_variable = environment("POLC_BASE_URL").filter(|value| !value.is_empty());
        let makers = makers(config.wire);
        let base_url = match (by_variable, &config.base_url) {
            (Some(address), _) => base_url(&address, "POLC_BASE_URL")?,
            (None, Some(address)) => base_url(address.as_str(), "`base_url` in polc.toml")?,
            (None, None) => base_url(makers.base_url, "polc itself")?,
        };
        let of_the_makers = base_url.host_str() == Some(makers.host);
        let variables = ["POLC_API_KEY", makers.variable];
        let asked = if of_the_makers { &variables[..] } else { &variables[..1] };
        let key = asked.iter().find_map(|variable| {
            let value = environment(variable)?;
            (!value.trim().is_empty()).then(|| Key::new(value.trim().to_owned(), variable))
        });
        let structure = config.structure.unwrap_or(match config.wire {
            WireFormat::ChatCompletions => Structure::ResponseFormat,
            WireFormat::Messages => Structure::ForcedTool,
        });
        let seconds = |seconds: NonZeroU32| Duration::from_secs(seconds.get().into());
        Ok(Settings {
            model: config.model.clone(),
            base_url,
            context_tokens: config.context_tokens.map(NonZeroU64::get),
            answer_tokens: config.answer_tokens.map_or(ANSWER_TOKENS, NonZeroU64::get),
            temperature: config.temperature,
            concurrency: config
                .concurrency
                .map_or(CONCURRENCY, |most| usize::try_from(most.get()).unwrap_or(CONCURRENCY)),
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            timeout: config.timeout_seconds.map_or(TIMEOUT, seconds),
            attempts: NonZeroU32::MIN.saturating_add(4),
            longest_wait: Duration::from_secs(120),
            max_cost: config.max_cost,
            offline: false,
            wire: Wire { format: config.wire, structure, dialect: config.schema, of_the_makers },
            key,
        })
    }

    /// Which part of JSON Schema is sent.
    pub fn dialect(&self) -> SchemaDialect {
        self.wire.dialect
    }

    /// Refuses what cannot be asked: without a key anywhere but on this machine, or with one in the clear.
    pub(crate) fn check_access(&self) -> Result<(), SettingsError> {
        let host = self.base_url.host_str().unwrap_or_default().to_owned();
        if is_loopback(&self.base_url) {
            return self.key.as_ref().map_or(Ok(()), Key::check);
        }
        let Some(key) = &self.key else {
            let makers = makers(self.wire.format);
            let own =
                if self.wire.of_the_makers { format!(" or {}", makers.variable) } else { String::new() };
            return Err(SettingsError::NoKey { host, variables: format!("POLC_API_KEY{own}") });
        };
        if self.base_url.scheme() != "https" {
            return Err(SettingsError::InTheClear { host });
        }
        key.check()
    }

    /// Where a request goes.
    pub(crate) fn address(&self) -> Url {
        let mut address = self.base_url.clone();
        if let Ok(mut path) = address.path_segments_mut() {
            path.pop_if_empty().extend(self.wire.path());
        }
        address
    }
}

/// Those who made a wire format.
struct Makers {
    base_url: &'static str,
    host: &'static str,
    variable: &'static str,
}

fn makers(wire: WireFormat) -> Makers {
    match wire {
        WireFormat::ChatCompletions => Makers {
            base_url: "https://api.openai.com/v1",
            host: "api.openai.com",
            variable: "OPENAI_API_KEY",
        },
        WireFormat::Messages => Makers {
            base_url: "https://api.anthropic.com/v1",
            host: "api.anthropic.com",
            variable: "ANTHROPIC_API_KEY",
        },
    }
}

fn base_url(address: &str, from: &'static str) -> Result<Url, SettingsError> {
    let wrong = |url: Option<Url>, why| {
        let shown = url.map(|mut url| {
            // Only an address that can hold none refuses to be without a name and a password.
            let _cleared = (url.set_username(""), url.set_password(None));
            url.set_query(None);
            url.to_string()
        });
        SettingsError::BaseUrl { address: shown.unwrap_or_else(|| "…".to_owned()), from, why }
    };
    let url = Url::parse(address).map_err(|_| wrong(None, "it is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(Some(url), "it begins neither with http nor with https"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return Err(wrong(Some(url), "a name, a password or a query in it would end up in files"));
    }
    Ok(url)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}
