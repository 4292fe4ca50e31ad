//! Versions as sites state them: by PEP 440, by SemVer, cut short, or a name.

use std::fmt;
use std::str::FromStr;

/// A version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    release: Release,
    /// How the release was cut from: a development build, a later build, a local one.
    build: Vec<String>,
}

/// What is released under one name. Every development build of it is a build of the same release.
#[derive(Debug, Clone)]
pub enum Release {
    /// By numbers.
    Numbered {
        /// The epoch of PEP 440; 0 where there is none.
        epoch: u64,
        /// The numbers, as many as were given.
        numbers: Vec<u64>,
        /// What comes before the release, such as `rc1`.
        stage: Option<String>,
    },
    /// By a name, which agrees with itself alone.
    Named(String),
}

/// How the build that a page states stands to the pinned one: the further away, the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Build {
    /// It is the same, or one of them is cut short.
    Same,
    /// Another build of the same release.
    Other,
    /// Of another release.
    OfAnotherRelease,
}

impl PartialEq for Release {
    /// `1.9` and `1.9.0` are one release.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Numbered { epoch, numbers, stage },
                Self::Numbered { epoch: other_epoch, numbers: other_numbers, stage: other_stage },
            ) => (epoch, whole(numbers), stage) == (other_epoch, whole(other_numbers), other_stage),
            (Self::Named(name), Self::Named(other)) => name == other,
            (Self::Numbered { .. }, Self::Named(_)) | (Self::Named(_), Self::Numbered { .. }) => false,
        }
    }
}

impl Eq for Release {}

impl fmt::Display for Release {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered { epoch, numbers, stage } => {
                if *epoch > 0 {
                    write!(out, "{epoch}!")?;
                }
                let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                write!(out, "{}{}", numbers.join("."), stage.as_deref().unwrap_or_default())
            }
            Self::Named(name) => out.write_str(name),
        }
    }
}

/// The numbers without the zeros at their end.
fn whole(numbers: &[u64]) -> &[u64] {
    let length = numbers.iter().rposition(|number| *number > 0).map_or(0, |last| last + 1);
    &numbers[..length]
}

/// The release that a version is a build of.
pub fn release_of(version: &str) -> Release {
    Version::of(version).release
}

/// How a version that a page states stands to the pinned one.
pub fn compare(pinned: &str, stated: &str) -> Build {
    let (pinned, stated) = (Version::of(pinned), Version::of(stated));
    if pinned.agrees_with(&stated) {
        Build::Same
    } else if pinned.release == stated.release {
        Build::Other
    } else {
        Build::OfAnotherRelease
    }
}

impl Version {
    /// Reads a version: by PEP 440, else by SemVer, else it is a name. A `.x` at the end is a cut.
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        let uncut = text.strip_suffix(".x").or_else(|| text.strip_suffix(".*")).unwrap_or(text);
        let numbered = Self::of_python(uncut).or_else(|| Self::of_semver(uncut));
        numbered.unwrap_or_else(|| Self { release: Release::Named(text.to_owned()), build: Vec::new() })
    }

    fn of_python(text: &str) -> Option<Self> {
        let version = pep440_rs::Version::from_str(text).ok()?;
        let stage = version.pre().map(|pre| pre.to_string());
        let release =
            Release::Numbered { epoch: version.epoch(), numbers: version.release().to_vec(), stage };
        let post = version.post().map(|number| format!("post{number}"));
        let dev = version.dev().map(|number| format!("dev{number}"));
        let local = version.local().iter().map(ToString::to_string);
        Some(Self { release, build: post.into_iter().chain(dev).chain(local).collect() })
    }

    fn of_semver(text: &str) -> Option<Self> {
        let version = semver::Version::parse(text.strip_prefix('v').unwrap_or(text)).ok()?;
        let numbers = vec![version.major, version.minor, version.patch];
        // Builds of every night have no name of their own in SemVer.
        let (pre, build) = (version.pre.as_str(), version.build.as_str());
        let nightly = ["nightly", "snapshot", "canary"]
            .iter()
            .any(|word| pre.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)));
        let stage = (!pre.is_empty() && !nightly).then(|| format!("-{pre}"));
        let nightly = nightly.then_some(pre);
        let build = nightly.into_iter().chain([build]).filter(|part| !part.is_empty());
        let build = build.map(str::to_owned).collect();
        Some(Self { release: Release::Numbered { epoch: 0, numbers, stage }, build })
    }

    /// Whether it has numbers; a name is no version that a title could be trusted with.
    pub fn is_numbered(&self) -> bool {
        matches!(self.release, Release::Numbered { .. })
    }

    /// Whether it is a build on the way to a release.
    pub fn is_development(&self) -> bool {
        self.build.iter().any(|part| !part.starts_with("post"))
    }

    /// Whether both may be said of one build: they are equal, or one of them is cut short.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.cuts(other) || other.cuts(self)
    }

    /// Whether this is the other one, or that one cut short: `1.9` of `1.9.1`, `8.1` of `8.1.0.dev437+g1f`.
    fn cuts(&self, other: &Self) -> bool {
        let Release::Numbered { epoch, numbers, stage } = &self.release else {
            return self == other;
        };
        let Release::Numbered { epoch: other_epoch, numbers: all, stage: other_stage } = &other.release
        else {
            return false;
        };
        let numbers_fit = all.starts_with(numbers) || whole(all) == whole(numbers);
        let stage_fits = stage.is_none() && self.build.is_empty() || stage == other_stage;
        epoch == other_epoch && numbers_fit && stage_fits && other.build.starts_with(&self.build)
    }

    /// How much it says: of two that agree, the more specific one says more.
    fn detail(&self) -> (usize, usize, usize) {
        match &self.release {
            Release::Numbered { numbers, stage, .. } => {
                (self.build.len(), usize::from(stage.is_some()), numbers.len())
            }
            Release::Named(_) => (0, 0, 0),
        }
    }
}

/// The place of the version that says most, where all of them agree with each other. The first of equals.
///
/// None where two disagree, or there are none.
pub fn most_specific(versions: &[Version]) -> Option<usize> {
    let agree = versions.iter().all(|one| versions.iter().all(|other| one.agrees_with(other)));
    let most = versions.iter().map(Version::detail).max()?;
    versions.iter().position(|version| version.detail() == most).filter(|_| agree)
}
