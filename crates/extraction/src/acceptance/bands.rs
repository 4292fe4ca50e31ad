//! What is plausible: `rubrics/acceptance.toml`, from the twelve projects of the paper (Table 6).

use polc_records::Problem;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::store::TomlFile;
use serde::Deserialize;

const BANDS: &str = include_str!("../../../../rubrics/acceptance.toml");

/// All of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    #[serde(rename = "schema")]
    _schema: u32,
    /// The version of the file.
    pub version: String,
    density: Density,
    levels: Levels,
    #[serde(rename = "project")]
    projects: Vec<Counts>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Density {
    least: f64,
    most: f64,
    words: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Levels {
    rules: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    slug: Slug,
    extracted: usize,
    in_scope: usize,
    binding: usize,
}

impl TomlFile for Bands {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of plausible counts";
}

/// How a count compares with what is plausible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plausible {
    /// Within the band: what was measured, in words.
    Within(String),
    /// Too little was read to say.
    TooLittle(String),
    /// Outside.
    Outside(String),
}

impl Bands {
    /// Reads the root's copy, or the one built in.
    ///
    /// # Errors
    /// As [`polc_records::store::parse_toml`].
    pub fn load(root: &Root) -> Result<Self, Problem> {
        root.data("rubrics/acceptance.toml", BANDS)?.parse()
    }

    /// Whether so many rules are plausible for so many words of sections in scope.
    pub fn density(&self, rules: usize, words: usize) -> Plausible {
        let counts = || self.projects.iter().map(|project| project.extracted);
        let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(usize::MAX));
        let measured = format!("{rules} rules in {words} words of sections in scope");
        if words < self.density.words {
            return Plausible::TooLittle(format!(
                "{measured}: of fewer than {} words nothing can be said",
                self.density.words
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of words and rules")]
        let density = rules as f64 * 1000.0 / words as f64;
        let band = format!(
            "{measured}: {density:.1} for every 1,000 words; plausible are {} to {}, and {fewest} to {most} rules",
            self.density.least, self.density.most
        );
        if (self.density.least..=self.density.most).contains(&density) && (fewest..=most).contains(&rules) {
            Plausible::Within(band)
        } else {
            Plausible::Outside(band)
        }
    }

    /// How a share of the extracted rules compares with the projects', in words.
    fn share(&self, what: &str, count: usize, of: usize, theirs: impl Fn(&Counts) -> usize) -> String {
        let percent = |count: usize, of: usize| (count * 100 + of / 2).checked_div(of).unwrap_or(0);
        let shares =
            self.projects.iter().map(|project| (percent(theirs(project), project.extracted), &project.slug));
        let between = match (shares.clone().min(), shares.max()) {
            (Some((least, low)), Some((most, high))) => format!(" (of {low} {least} %, of {high} {most} %)"),
            _ => String::new(),
        };
        format!("{what}: {count} of {of}, {} %{between}", percent(count, of))
    }

    /// The shares of rules in scope and binding beside the projects' extremes, one line each.
    pub fn shares(&self, extracted: usize, in_scope: usize, binding: usize) -> [String; 2] {
        [
            self.share("in scope", in_scope, extracted, |project| project.in_scope),
            self.share("binding", binding, extracted, |project| project.binding),
        ]
    }

    /// Whether so many rules are enough to expect that some differ from their modal verb.
    pub fn should_differ(&self, in_scope: usize) -> bool {
        in_scope >= self.levels.rules
    }
}
