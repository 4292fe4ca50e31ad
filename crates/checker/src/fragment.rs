//! Changelogs: fragments, one file for each change, and files that are kept by hand.

use crate::evidence::FileChange;
use crate::markdown::Markdown;
use crate::pattern::Pattern;
use crate::rst::{BlockKind, ListKind, Rst};
use std::fmt;
use std::ops::RangeInclusive;

static RENO: Pattern = Pattern::new(r"^.+-([0-9a-f]{16})\.ya?ml$");
static LEADING_NUMBERS: Pattern = Pattern::new(r"^(?:gh-|pr-|#)?(\d+(?:[-_+,]\d+)*)(?:\D|$)");
static VERSION: Pattern = Pattern::new(r"\bv?(\d+\.\d+(?:\.(?:\d+|x))*(?:[-.]?[a-zA-Z]+\.?\d*)?)");
static RENO_KEY: Pattern = Pattern::new(r"^([A-Za-z_][\w-]*):");

/// Files in a folder of fragments that are none.
const NO_FRAGMENTS: [&str; 4] = ["readme", "template", "_template", "index"];

/// How fragments are named, and where they lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme<'s> {
    /// `folder/12.bugfix.rst`, `folder/+orphan.misc`, `folder/12.feature.2.md`, with folders for sections between
    /// where there are any: the types are named.
    Typed {
        /// The folder, from the top of the repository.
        folder: &'s str,
        /// The types: `["feature", "bugfix"]`.
        types: &'s [&'s str],
    },
    /// `folder/bugfix/12.rst`: a folder for each type.
    Foldered {
        /// The folder, from the top of the repository.
        folder: &'s str,
        /// The types; none where any folder is one.
        types: &'s [&'s str],
    },
    /// `folder/slug-0123456789abcdef.yaml`, with the types as keys in the file.
    Keyed {
        /// The folder, from the top of the repository.
        folder: &'s str,
    },
}

/// What the name of a fragment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// What stands before the type: the number of an issue, most often.
    pub name: String,
    /// The numbers of issues in the name.
    pub issues: Vec<u64>,
    /// The type, where the name or the folder says it.
    pub kind: Option<String>,
    /// The number that tells several fragments of one type and issue apart.
    pub counter: Option<u64>,
    /// The folders between the folder of fragments and the file.
    pub section: String,
    /// The ending of the name, without the dot.
    pub extension: String,
}

impl Fragment {
    /// Whether it says that it belongs to no issue: `+orphan.misc`.
    pub fn is_orphan(&self) -> bool {
        self.name.starts_with('+')
    }
}

impl<'s> Scheme<'s> {
    fn folder(&self) -> &'s str {
        match self {
            Scheme::Typed { folder, .. } | Scheme::Foldered { folder, .. } | Scheme::Keyed { folder } => {
                folder
            }
        }
    }

    /// Whether a file lies where fragments do, and is no readme, template or hidden file.
    pub fn holds(&self, path: &str) -> bool {
        self.inside(path).is_some()
    }

    /// The path below the folder, parted from the name.
    fn inside<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        let below = path.strip_prefix(self.folder().trim_end_matches('/'))?.strip_prefix('/')?;
        let (section, name) = below.rsplit_once('/').unwrap_or(("", below));
        let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
        let is_one = !stem.is_empty() && !NO_FRAGMENTS.contains(&stem.as_str());
        is_one.then_some((section, name))
    }

    /// What the path of a fragment says; none where the file lies elsewhere or its name is not of the scheme.
    pub fn fragment(&self, path: &str) -> Option<Fragment> {
        let (section, name) = self.inside(path)?;
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match self {
            Scheme::Typed { types, .. } => typed(section, name, types),
            Scheme::Foldered { types, .. } => {
                let kind = section.rsplit('/').next().filter(|kind| !kind.is_empty())?;
                let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
                (types.is_empty() || types.contains(&kind)).then(|| Fragment {
                    name: stem.to_owned(),
                    issues: numbers(stem),
                    kind: Some(kind.to_owned()),
                    counter: None,
                    section: section.rsplit_once('/').map_or("", |(section, _)| section).to_owned(),
                    extension: extension.to_owned(),
                })
            }
            Scheme::Keyed { .. } => {
                let unique = *RENO.groups(name).first()?;
                let slug = name.split_once(unique)?.0.trim_end_matches('-');
                Some(Fragment {
                    name: slug.to_owned(),
                    issues: numbers(slug),
                    kind: None,
                    counter: None,
                    section: section.to_owned(),
                    extension: extension.to_owned(),
                })
            }
        }
    }
}

/// The last part that is a type parts the name from the counter.
fn typed(section: &str, name: &str, types: &[&str]) -> Option<Fragment> {
    let parts: Vec<&str> = name.split('.').collect();
    let at = (1..parts.len()).rev().find(|at| types.contains(&parts[*at]))?;
    let stem = parts[..at].join(".").trim().to_owned();
    let is_number = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit());
    let stem = if is_number { stem.trim_start_matches('0').to_owned() } else { stem };
    let counter = parts.get(at + 1).and_then(|part| part.parse().ok());
    let extension = parts.last().filter(|_| parts.len() > at + 1 + usize::from(counter.is_some()));
    Some(Fragment {
        issues: numbers(&stem),
        name: stem,
        kind: Some(parts[at].to_owned()),
        counter,
        section: section.to_owned(),
        extension: extension.copied().unwrap_or_default().to_owned(),
    })
}

fn numbers(stem: &str) -> Vec<u64> {
    let stem = stem.to_ascii_lowercase();
    let all = LEADING_NUMBERS.groups(&stem).into_iter().next().unwrap_or_default();
    all.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// The top-level keys of a keyed fragment, with their lines: `features`, `fixes`.
pub fn keys(text: &str) -> Vec<(&str, usize)> {
    let lines = text.split('\n').zip(1..);
    lines.filter_map(|(line, number)| Some((*RENO_KEY.groups(line).first()?, number))).collect()
}

/// A section of a changelog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// From 1.
    pub level: usize,
    /// The version that the heading names.
    pub version: Option<String>,
    /// Whether it says that it is not released yet: in its heading, or in the line below.
    pub is_unreleased: bool,
    /// Its lines, with the heading and the sections within it.
    pub lines: RangeInclusive<usize>,
}

impl Section {
    /// Whether it is about a release, made or to be made.
    pub fn is_release(&self) -> bool {
        self.is_unreleased || self.version.is_some()
    }
}

/// An entry of a changelog: an item of a list that stands in no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its text, lines joined, without the marker.
    pub text: String,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A changelog that is kept by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changelog {
    sections: Vec<Section>,
    entries: Vec<Entry>,
}

/// Words for what is not released yet.
const UNRELEASED: [&str; 7] = [
    "unreleased",
    "in development",
    "not yet released",
    "upcoming",
    "next release",
    "release date tba",
    "tbd",
];

struct Title {
    text: String,
    level: usize,
    first: usize,
    last: usize,
}

impl Changelog {
    /// The changelog in a file after the change: Markdown by its ending, reStructuredText else.
    pub fn of(file: &FileChange) -> Self {
        let text = file.head_text().unwrap_or_default();
        if file.ends_in("md") {
            Changelog::of_markdown(text, file.markdown())
        } else {
            Changelog::of_rst(text, file.rst())
        }
    }

    /// The changelog in a page of Markdown.
    pub fn of_markdown(text: &str, markdown: &Markdown) -> Self {
        let titles = markdown.headings().iter().map(|heading| Title {
            text: heading.text.clone(),
            level: heading.level,
            first: heading.line,
            last: heading.line,
        });
        let below = |line: usize| {
            let mut behind =
                markdown.prose().filter(|(number, prose)| *number > line && !prose.trim().is_empty());
            behind.next().map(|(_, prose)| prose.to_owned())
        };
        let items = markdown.items().iter().filter(|item| item.depth == 0).map(|item| item.lines.clone());
        Changelog::of_parts(text, titles.collect(), below, items)
    }

    /// The changelog in a page of reStructuredText.
    pub fn of_rst(text: &str, rst: &Rst) -> Self {
        let titles = rst.headings().iter().filter(|heading| heading.depth == 0).map(|heading| Title {
            text: heading.text.clone(),
            level: heading.level,
            first: *heading.lines.start(),
            last: *heading.lines.end(),
        });
        let below = |line: usize| {
            let at = rst.blocks().partition_point(|block| *block.lines.start() <= line);
            let block = rst.blocks().get(at).filter(|block| block.kind == BlockKind::Paragraph)?;
            rst.prose().find(|(number, _)| number == block.lines.start()).map(|(_, prose)| prose.to_owned())
        };
        let items = rst.items().iter();
        let items = items
            .filter(|item| item.depth == 0 && matches!(item.kind, ListKind::Bullet | ListKind::Enumerated));
        Changelog::of_parts(text, titles.collect(), below, items.map(|item| item.lines.clone()))
    }

    fn of_parts(
        text: &str,
        titles: Vec<Title>,
        below: impl Fn(usize) -> Option<String>,
        items: impl Iterator<Item = RangeInclusive<usize>>,
    ) -> Self {
        let all = crate::diff::lines(text);
        let mut sections: Vec<Section> = Vec::with_capacity(titles.len());
        // The sections that are open, the innermost last.
        let mut open: Vec<usize> = Vec::new();
        for title in titles {
            while let Some(at) = open.pop_if(|at| sections[*at].level >= title.level) {
                sections[at].lines = *sections[at].lines.start()..=title.first - 1;
            }
            open.push(sections.len());
            let version = VERSION.groups(&title.text).first().map(|version| (*version).to_owned());
            let says = |text: &str| UNRELEASED.iter().any(|word| text.to_lowercase().contains(word));
            let is_unreleased = says(&title.text)
                || (version.is_some()
                    && below(title.last).is_some_and(|line| line.len() < 60 && says(&line)));
            let lines = title.first..=all.len().max(title.last);
            sections.push(Section { title: title.text, level: title.level, version, is_unreleased, lines });
        }
        let entries = items.map(|lines| {
            let own = all.get(lines.start() - 1..all.len().min(*lines.end())).unwrap_or_default();
            let joined = own.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
            let text = joined.trim_start_matches(['-', '*', '+', '\u{2022}']).trim().to_owned();
            Entry { text, lines }
        });
        Changelog { entries: entries.collect(), sections }
    }

    /// The sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The innermost section that a line stands in, from 1.
    pub fn section_at(&self, line: usize) -> Option<&Section> {
        self.sections.iter().rev().find(|section| section.lines.contains(&line))
    }

    /// The section of the release that a line stands in: the innermost with a version, or unreleased.
    pub fn release_at(&self, line: usize) -> Option<&Section> {
        self.sections.iter().rev().find(|section| section.is_release() && section.lines.contains(&line))
    }

    /// Whether a line stands below what is not released yet.
    pub fn is_unreleased_at(&self, line: usize) -> bool {
        self.release_at(line).is_some_and(|section| section.is_unreleased)
    }

    /// The entry that a line belongs to, from 1.
    pub fn entry_at(&self, line: usize) -> Option<&Entry> {
        let at = self.entries.partition_point(|entry| *entry.lines.end() < line);
        self.entries.get(at).filter(|entry| entry.lines.contains(&line))
    }

    /// The entries that stand in a section and in none within it.
    pub fn entries_of(&self, section: &Section) -> Vec<&Entry> {
        let own = |entry: &&Entry| {
            self.section_at(*entry.lines.start())
                .is_some_and(|found| found.lines.start() == section.lines.start())
        };
        self.entries.iter().filter(own).collect()
    }

    /// The first entry of a section that stands behind one it should stand before, by what `key` makes of the
    /// texts: `changelog.unsorted(section, str::to_lowercase)`.
    pub fn unsorted<K: Ord>(&self, section: &Section, key: impl Fn(&str) -> K) -> Option<&Entry> {
        let entries = self.entries_of(section);
        entries.windows(2).find(|pair| key(&pair[1].text) < key(&pair[0].text)).map(|pair| pair[1])
    }
}
