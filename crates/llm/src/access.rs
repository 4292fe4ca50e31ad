//! The key to an endpoint. It is sent, and it is shown nowhere.

use crate::settings::SettingsError;
use std::borrow::Cow;
use std::fmt;

/// What stands where a key stood.
const HIDDEN: &str = "[key]";

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
    pub(crate) fn new(value: String, variable: &'static str) -> Self {
        Key { value, variable }
    }

    /// The key itself, for a header.
    pub(crate) fn reveal(&self) -> &str {
        &self.value
    }

    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        if self.value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(());
        }
        Err(SettingsError::BadKey { variable: self.variable })
    }

    /// A body without the key: an endpoint may say it back to us, and what it says is recorded.
    pub(crate) fn hidden_in<'a>(&self, body: &'a [u8]) -> Cow<'a, [u8]> {
        let key = self.value.as_bytes();
        if !body.windows(key.len()).any(|window| window == key) {
            return Cow::Borrowed(body);
        }
        Cow::Owned(String::from_utf8_lossy(body).replace(&self.value, HIDDEN).into_bytes())
    }
}
