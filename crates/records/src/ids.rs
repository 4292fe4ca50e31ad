//! Names: projects, slugs, rule ids, objects of a git repository.

use crate::problem::Malformed;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

macro_rules! text_serde {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// The short name of a project: the SWE-bench instance prefix where there is one, else
/// `org-repo` in lower case. Letters, digits, `-`, `_` and `.`; starts with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// The slug as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The prefix of every rule id of the project: the slug in upper case. Derived here and
    /// nowhere else: a shortened prefix makes a project score 0 of 0 and look healthy (Table 14).
    pub fn prefix(&self) -> String {
        self.0.to_ascii_uppercase()
    }
}

impl FromStr for Slug {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
        let starts = text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if starts && text.chars().all(fits) && text.len() <= 100 {
            Ok(Slug(text.to_owned()))
        } else {
            Err(Malformed {
                what: "slug",
                value: text.to_owned(),
                why: "use lower-case letters, digits, `-`, `_` and `.`, starting with a letter or digit, \
                      100 at the most",
            })
        }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

text_serde!(Slug);

/// What the repository is called in which an organisation says what holds for all.
const DEFAULTS: &str = ".github";

/// A repository on a code host, `org/repo`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repository {
    org: String,
    name: String,
}

impl Repository {
    /// The organisation or user.
    pub fn org(&self) -> &str {
        &self.org
    }

    /// The repository's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is where an organisation says what holds for all of its repositories.
    pub fn says_defaults(&self) -> bool {
        self.name == DEFAULTS
    }

    /// The repository of the same organisation that says what holds for all.
    #[must_use]
    pub fn defaults(&self) -> Repository {
        Repository { org: self.org.clone(), name: DEFAULTS.to_owned() }
    }

    /// The prefix that SWE-bench instances of the repository have, as a slug: the organisation.
    ///
    /// # Errors
    /// Where the name holds a character that a slug cannot.
    pub fn instance_prefix(&self) -> Result<Slug, Malformed> {
        self.org.to_ascii_lowercase().parse()
    }

    /// The slug of a repository that the benchmark does not know: `org-repo` in lower case.
    ///
    /// # Errors
    /// Where the names hold a character that a slug cannot.
    pub fn joined_slug(&self) -> Result<Slug, Malformed> {
        format!("{}-{}", self.org, self.name).to_ascii_lowercase().parse()
    }
}

impl FromStr for Repository {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let part = |part: &str| {
            !part.is_empty()
                && part != "."
                && part != ".."
                && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        match text.split_once('/') {
            Some((org, name)) if part(org) && part(name) => {
                Ok(Repository { org: org.to_owned(), name: name.to_owned() })
            }
            _ => Err(Malformed {
                what: "repository",
                value: text.to_owned(),
                why: "expected `org/repo`, as the code host spells it",
            }),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.org, self.name)
    }
}

text_serde!(Repository);

/// The id of a rule: the project's prefix and a number, `SYMPY-C001`. Never reused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    prefix: String,
    number: u32,
}

impl RuleId {
    /// The id of rule `number` (from 1) of a project.
    pub fn new(slug: &Slug, number: u32) -> Self {
        RuleId { prefix: slug.prefix(), number }
    }

    /// The prefix, in upper case.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The number, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The stem of the files that belong to the rule: `c001`.
    pub fn stem(&self) -> String {
        format!("c{:03}", self.number)
    }
}

impl FromStr for RuleId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let malformed = || Malformed {
            what: "rule id",
            value: text.to_owned(),
            why: "expected the project's prefix, `-C` and a number of three digits or more, as in `PSF-C001`",
        };
        let (prefix, digits) = text.rsplit_once("-C").ok_or_else(malformed)?;
        let padded = digits.len() == 3 || (digits.len() > 3 && !digits.starts_with('0'));
        if !is_prefix(prefix) || !padded || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(malformed());
        }
        let number = digits.parse().map_err(|_| malformed())?;
        if number == 0 {
            return Err(malformed());
        }
        Ok(RuleId { prefix: prefix.to_owned(), number })
    }
}

fn is_prefix(text: &str) -> bool {
    !text.bytes().any(|byte| byte.is_ascii_lowercase()) && text.to_ascii_lowercase().parse::<Slug>().is_ok()
}

impl fmt::Display for RuleId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{}-C{:03}", self.prefix, self.number))
    }
}

text_serde!(RuleId);

/// The full id of a git object (a commit or a blob): 40 or 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl FromStr for ObjectId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if matches!(text.len(), 40 | 64) && text.bytes().all(hex) {
            Ok(ObjectId(text.to_owned()))
        } else {
            Err(Malformed {
                what: "git object id",
                value: text.to_owned(),
                why: "expected all 40 (or 64) lower-case hexadecimal digits: a branch or a short id is no pin",
            })
        }
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

text_serde!(ObjectId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_the_instance_prefix_or_both_names() {
        let repository: Repository = "T/Zoo".parse().unwrap();
        assert_eq!(repository.instance_prefix().unwrap().as_str(), "t");
        assert_eq!(repository.joined_slug().unwrap().as_str(), "t-zoo");
    }

    #[test]
    fn the_prefix_is_derived_from_the_slug() {
        let slug: Slug = "scikit-learn".parse().unwrap();
        assert_eq!(RuleId::new(&slug, 7).to_string(), "SCIKIT-LEARN-C007");
        assert_eq!(RuleId::new(&slug, 1234).to_string(), "SCIKIT-LEARN-C1234");
        assert_eq!(RuleId::new(&slug, 12).stem(), "c012");
    }

    #[test]
    fn rule_ids_read_back_and_nothing_else_does() {
        for id in ["PSF-C001", "SCIKIT-LEARN-C010", "A_B.C-C1000"] {
            assert_eq!(id.parse::<RuleId>().unwrap().to_string(), id);
        }
        for bad in [
            "psf-C001",
            "PSF-C1",
            "PSF-C0001",
            "PSF-C000",
            "PSF-001",
            "-C001",
            "PSF-C00x",
            "PSF-C99999999999",
        ] {
            assert!(bad.parse::<RuleId>().is_err(), "{bad}");
        }
    }
}
