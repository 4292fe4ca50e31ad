//! Where an endpoint is, which format it speaks, and the key to it: it is sent, and it is shown nowhere.

use crate::wire::Wire;
use polc_net::Url;
use polc_records::endpoint::{EndpointConfig, Structure, WireFormat};
use std::borrow::Cow;
use std::fmt;

/// An endpoint that cannot be asked as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
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

/// What stands where a key stood.
const HIDDEN: &str = "[key]";
/// What is shorter is no secret but a placeholder, and may stand in any answer by chance.
const SHORTEST: usize = 8;
/// How many backslashes escape one character, in strings within strings.
const MOST_SLASHES: usize = 16;

/// Where an endpoint is, which format it speaks, and the key to it.
#[derive(Debug, Clone)]
pub struct Access {
    pub(crate) wire: Wire,
    pub(crate) key: Option<Key>,
    base_url: Url,
}

impl Access {
    pub(crate) fn of(
        config: &EndpointConfig,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, AccessError> {
        let by_variable = environment("POLC_BASE_URL").filter(|value| !value.is_empty());
        let makers = makers(config.wire);
        let base_url = match (by_variable, &config.base_url) {
            (Some(address), _) => base_url(&address, "POLC_BASE_URL")?,
            (None, Some(address)) => base_url(address.as_str(), "`base_url` in polc.toml")?,
            (None, None) => base_url(makers.base_url, "polc itself")?,
        };
        let of_the_makers = base_url.host_str() == Some(makers.host);
        let own = of_the_makers.then_some(makers.variable);
        let key = std::iter::once("POLC_API_KEY").chain(own).find_map(|variable| {
            let value = environment(variable)?.trim().to_owned();
            (!value.is_empty()).then_some(Key { value, variable })
        });
        let structure = config.structure.unwrap_or(match config.wire {
            WireFormat::ChatCompletions => Structure::ResponseFormat,
            // Its makers refuse a forced tool for their newer models, and others know no format for a response.
            WireFormat::Messages if of_the_makers => Structure::ResponseFormat,
            WireFormat::Messages => Structure::ForcedTool,
        });
        let wire = Wire { format: config.wire, structure, dialect: config.schema, of_the_makers };
        Ok(Access { wire, key, base_url })
    }

    /// The address below which the format has its paths.
    pub fn base_url(&self) -> &Url {
        &self.base_url
    }

    /// Refuses what cannot be asked: without a key anywhere but on this machine, or with one in the clear.
    pub(crate) fn check(&self) -> Result<(), AccessError> {
        let host = self.base_url.host_str().unwrap_or_default().to_owned();
        if is_loopback(&self.base_url) {
            return self.key.as_ref().map_or(Ok(()), Key::check);
        }
        let Some(key) = &self.key else {
            let makers = makers(self.wire.format);
            let own =
                if self.wire.of_the_makers { format!(" or {}", makers.variable) } else { String::new() };
            return Err(AccessError::NoKey { host, variables: format!("POLC_API_KEY{own}") });
        };
        if self.base_url.scheme() != "https" {
            return Err(AccessError::InTheClear { host });
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

/// A key, and the variable of the environment that it came from.
#[derive(Clone)]
pub(crate) struct Key {
    value: String,
    variable: &'static str,
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{HIDDEN} of {}", self.variable)
    }
}

impl Key {
    /// The key itself, for a header.
    pub(crate) fn reveal(&self) -> &str {
        &self.value
    }

    pub(crate) fn check(&self) -> Result<(), AccessError> {
        if self.value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(());
        }
        Err(AccessError::BadKey { variable: self.variable })
    }

    /// A body without the key: an endpoint may say it back to us, and what it says is recorded.
    pub(crate) fn hidden_in<'a>(&self, body: &'a [u8]) -> Cow<'a, [u8]> {
        // How deep it is escaped nobody knows, so that backslashes count on neither side.
        let key: Vec<u8> = self.value.bytes().filter(|byte| *byte != b'\\').collect();
        let (mut hidden, mut kept, mut at) = (Vec::new(), 0, 0);
        while at < body.len() && key.len() >= SHORTEST {
            match key.iter().try_fold(at, |at, byte| spelled(*byte, body, at)) {
                Some(end) => {
                    hidden.extend_from_slice(&body[kept..at]);
                    hidden.extend_from_slice(HIDDEN.as_bytes());
                    (kept, at) = (end, end);
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return Cow::Borrowed(body);
        }
        hidden.extend_from_slice(&body[kept..]);
        Cow::Owned(hidden)
    }
}

/// Where a character ends that begins here, as it is or as a string of JSON may spell it: `/`, `\/` and `\u002f`.
fn spelled(byte: u8, body: &[u8], at: usize) -> Option<usize> {
    let slashes = body.get(at..)?.iter().take(MOST_SLASHES).take_while(|byte| **byte == b'\\').count();
    let rest = &body[at + slashes..];
    let by_number = rest.strip_prefix(b"u").and_then(|digits| std::str::from_utf8(digits.get(..4)?).ok());
    if slashes > 0 && by_number.and_then(|digits| u8::from_str_radix(digits, 16).ok()) == Some(byte) {
        return Some(at + slashes + 5);
    }
    (rest.first() == Some(&byte)).then_some(at + slashes + 1)
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

fn base_url(address: &str, from: &'static str) -> Result<Url, AccessError> {
    let wrong = |url: Option<Url>, why| {
        let shown = url.map(|mut url| {
            // Only an address that can hold none refuses to be without a name and a password.
            let _cleared = (url.set_username(""), url.set_password(None));
            url.set_query(None);
            url.to_string()
        });
        AccessError::BaseUrl { address: shown.unwrap_or_else(|| "…".to_owned()), from, why }
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
