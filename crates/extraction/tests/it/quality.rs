//! The baseline beside what people drew from the same sources: what it finds, what it makes up, what it calls binding.

use crate::classifying::rubrics;
use crate::extracting::{cues, root};
use polc_extraction::assess::{Candidate, Headings, KindDefaults, PAGE, assess};
use polc_extraction::baseline::extract::extract;
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::facts::answer;
use polc_extraction::documents::ReadSource;
use polc_extraction::freeze::frozen_row;
use polc_extraction::grounding::{Grounding, Grounds};
use polc_extraction::lexis::tokens;
use polc_records::Digest;
use polc_records::corpus::Verdict;
use polc_records::extraction::ExtractionRow;
use polc_records::ids::{RuleId, Slug};
use polc_records::import::Imported;
use polc_records::locator::Locator;
use polc_records::manifest::{Manifest, Source};
use polc_records::vocabulary::{Inclusion, Level, SourceRole};
use polc_testkit::shared;
use polc_text::{Document, Format};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A project that people drew rules from.
struct Case {
    slug: &'static str,
    /// Whether its misses were read while the baseline was made better.
    tuned: bool,
    sources: &'static [Admitted],
}

/// A source that their manifest admits, or that their rows name where there is none, and the file of the shared data
/// that holds it.
struct Admitted {
    url: &'static str,
    kind: &'static str,
    file: &'static str,
}

const fn admitted(url: &'static str, kind: &'static str, file: &'static str) -> Admitted {
    Admitted { url, kind, file }
}

const CASES: [Case; 5] = [
    Case {
        slug: "psf",
        tuned: true,
        sources: &[
            admitted(
                "https://requests.readthedocs.io/en/latest/dev/contributing/",
                PAGE,
                "requests-dev/dev/contributing.html",
            ),
            admitted(
                "https://github.com/psf/requests/blob/main/.github/CONTRIBUTING.md",
                "contributing",
                "offnav/requests/.github/CONTRIBUTING.md",
            ),
            admitted(
                "https://github.com/psf/requests/blob/main/.github/AI_POLICY.md",
                "ai-policy",
                "offnav/requests/.github/AI_POLICY.md",
            ),
        ],
    },
    Case {
        slug: "pytest-dev",
        tuned: true,
        sources: &[
            admitted(
                "https://docs.pytest.org/en/latest/contributing.html",
                PAGE,
                "pytest-dev/contributing.html",
            ),
            admitted(
                "https://docs.pytest.org/en/latest/backwards-compatibility.html",
                PAGE,
                "pytest-dev/backwards-compatibility.html",
            ),
            admitted(
                "https://github.com/pytest-dev/pytest/blob/main/.github/PULL_REQUEST_TEMPLATE.md",
                "pull-request-template",
                "offnav/pytest/.github/PULL_REQUEST_TEMPLATE.md",
            ),
            admitted(
                "https://github.com/pytest-dev/pytest/blob/main/changelog/README.rst",
                "changelog-fragments",
                "offnav/pytest/changelog/README.rst",
            ),
        ],
    },
    Case {
        slug: "sphinx-doc",
        tuned: true,
        sources: &[
            admitted(
                "https://www.sphinx-doc.org/en/master/internals/contributing.html",
                PAGE,
                "sphinx-9.1/internals/contributing.html",
            ),
            admitted(
                "https://www.sphinx-doc.org/en/master/internals/ai-policy.html",
                PAGE,
                "sphinx-9.1/internals/ai-policy.html",
            ),
            admitted(
                "https://www.sphinx-doc.org/en/master/internals/release-process.html",
                PAGE,
                "sphinx-9.1/internals/release-process.html",
            ),
            admitted(
                "https://github.com/sphinx-doc/sphinx/blob/master/.github/PULL_REQUEST_TEMPLATE.md",
                "pull-request-template",
                "offnav/sphinx/.github/PULL_REQUEST_TEMPLATE.md",
            ),
        ],
    },
    Case {
        slug: "pallets",
        tuned: false,
        sources: &[
            admitted(
                "https://flask.palletsprojects.com/en/stable/contributing/",
                PAGE,
                "flask-dev/contributing.html",
            ),
            admitted(
                "https://palletsprojects.com/contributing/",
                PAGE,
                "pallets-website/contributing/index.html",
            ),
            admitted(
                "https://palletsprojects.com/contributing/pr/",
                PAGE,
                "pallets-website/contributing/pr.html",
            ),
            admitted(
                "https://palletsprojects.com/contributing/docs/",
                PAGE,
                "pallets-website/contributing/docs.html",
            ),
            admitted(
                "https://palletsprojects.com/contributing/tests/",
                PAGE,
                "pallets-website/contributing/tests.html",
            ),
            admitted(
                "https://palletsprojects.com/contributing/quick/",
                PAGE,
                "pallets-website/contributing/quick.html",
            ),
            admitted(
                "https://github.com/pallets/flask/blob/d318b683471101618febed18996405ad26462110/.github/pull_request_template.md",
                "pull-request-template",
                "offnav/flask/.github/pull_request_template.md",
            ),
        ],
    },
    Case {
        slug: "mwaskom",
        tuned: false,
        sources: &[
            admitted(
                "https://github.com/mwaskom/seaborn/blob/f04b6cd5484267a0885d1fed068e99dff3a1b226/README.md",
                "readme",
                "offnav/seaborn/README.md",
            ),
            admitted(
                "https://github.com/mwaskom/seaborn/blob/f04b6cd5484267a0885d1fed068e99dff3a1b226/.github/CONTRIBUTING.md",
                "contributing",
                "offnav/seaborn/.github/CONTRIBUTING.md",
            ),
        ],
    },
];

/// What a row says, where it says it, and whether it binds.
struct Stated {
    rule: BTreeSet<String>,
    /// The words that it quotes; none where its quote does not stand in a source that is held.
    words: Option<Words>,
    label: Label,
}

/// The words of a quote: the document, and where in it each begins.
#[derive(PartialEq, Eq)]
struct Words {
    source: String,
    at: BTreeSet<usize>,
}

impl Words {
    fn of(source: &str, document: &Document, place: &Locator) -> Words {
        let mut at = BTreeSet::new();
        for prose in document.blocks.iter().map(|block| &block.prose) {
            let starts = prose.plain.char_indices().scan(false, |inside, (offset, c)| {
                let begins = c.is_alphanumeric() && !std::mem::replace(inside, c.is_alphanumeric());
                *inside = c.is_alphanumeric();
                Some((offset, offset + c.len_utf8(), begins))
            });
            let starts = starts.filter(|(_, _, begins)| *begins);
            let sources = starts.filter_map(|(start, end, _)| prose.to_source(start..end));
            at.extend(sources.map(|range| range.start).filter(|start| {
                place.segments.iter().any(|segment| (segment.start..segment.end).contains(start))
            }));
        }
        Words { source: source.to_owned(), at }
    }

    fn shared(&self, other: &Words) -> usize {
        if self.source == other.source { self.at.intersection(&other.at).count() } else { 0 }
    }

    fn half_in(&self, other: &Words) -> bool {
        let shared = self.shared(other);
        shared > 0 && 2 * shared >= self.at.len()
    }
}

/// What a row was classified as. What people published says whether a row binds, and no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Binding,
    Should,
    OutOfScope,
    NotBinding,
}

impl Label {
    fn of(verdict: &Verdict) -> Label {
        match verdict.level() {
            Some(Level::Must) => Label::Binding,
            Some(Level::Should) => Label::Should,
            None => Label::OutOfScope,
        }
    }
}

fn rule_words(rule: &str) -> BTreeSet<String> {
    tokens(rule).into_iter().map(|token| token.lower).collect()
}

/// The documents of a project, as the manifest of the baseline admits them.
fn manifest(case: &Case) -> Option<(Manifest, Vec<Document>)> {
    let mut candidates = Vec::new();
    let mut documents = Vec::new();
    for source in case.sources {
        let file = shared::shared(&format!("sites/{}", source.file))?;
        let format = Format::of_path(source.file);
        let document = Document::derive(&std::fs::read(file).unwrap(), format).unwrap();
        documents.push(document.clone());
        candidates.push(Candidate {
            key: source.url,
            kind: source.kind,
            url: source.url.to_owned(),
            defaults: KindDefaults { role: SourceRole::Rules, code: None, reason: "people admit it" },
            read: Ok((document.snapshot, document)),
            obligations: None,
        });
    }
    let headings = Headings::load(&root()).unwrap();
    Some((assess(&headings, Digest::of("pin"), &candidates), documents))
}

fn read<'m>(sources: &'m [Source], documents: &[Document]) -> Vec<ReadSource<'m>> {
    let pairs = sources.iter().zip(documents);
    pairs.map(|(source, document)| ReadSource { source, document: document.clone() }).collect()
}

/// The rows of the baseline, none decided on by anybody.
fn ours(slug: &Slug, sources: &[ReadSource<'_>]) -> Vec<Stated> {
    let cues = cues();
    let admitted: Vec<ReadSource<'_>> =
        sources.iter().filter(|read| read.source.gives_rules()).cloned().collect();
    let extracted = extract(&cues, &admitted).unwrap();
    let frozen: Vec<ExtractionRow> = (1..)
        .zip(&extracted.rows)
        .map(|(number, row)| frozen_row(RuleId::new(slug, number), &row.row, &row.locator, &row.row.source))
        .collect();
    let corpus = decide(&cues, &rubrics("patch"), &frozen, &answer(&cues, &frozen));
    let document = |key: &str| &sources.iter().find(|read| read.source.key == key).unwrap().document;
    extracted
        .rows
        .iter()
        .zip(&corpus.rows)
        .map(|(row, labelled)| Stated {
            rule: rule_words(&row.row.rule),
            words: Some(Words::of(&row.row.source, document(&row.row.source), &row.locator)),
            label: Label::of(&labelled.verdict),
        })
        .collect()
}

/// The rows of people, with where their quotes stand in the sources that are held.
fn theirs(
    rows: &[ExtractionRow],
    binding: &BTreeSet<String>,
    documents: &[Document],
    manifest: &Manifest,
) -> Vec<Stated> {
    let whole: Vec<Source> = manifest
        .sources
        .iter()
        .map(|source| Source {
            role: SourceRole::Rules,
            inclusion: Inclusion::Full,
            code: None,
            in_scope: Vec::new(),
            out: Vec::new(),
            ..source.clone()
        })
        .collect();
    let sources = read(&whole, documents);
    let grounds = Grounds::new(&sources);
    let place = |row: &ExtractionRow| match grounds.examine(row) {
        Grounding::Stands(place) => {
            let document = &grounds.source(&place.source).unwrap().document;
            Some(Words::of(&place.source, document, &place.locator))
        }
        Grounding::NotAdmitted { .. } | Grounding::NotFound(_) | Grounding::NotHeld => None,
    };
    rows.iter()
        .map(|row| Stated {
            rule: rule_words(&row.rule),
            words: place(row),
            label: if binding.contains(&row.id.to_string()) { Label::Binding } else { Label::NotBinding },
        })
        .collect()
}

/// The row of ours that says what a row of theirs does: of those that quote half of it, the one with most of its words,
/// then the one whose restatement has most of its words.
fn counterpart<'o>(gold: &Stated, ours: &'o [Stated]) -> Option<&'o Stated> {
    let words = gold.words.as_ref()?;
    ours.iter()
        .filter_map(|row| row.words.as_ref().filter(|own| words.half_in(own)).map(|own| (row, own)))
        .max_by_key(|(row, own)| (words.shared(own), row.rule.intersection(&gold.rule).count()))
        .map(|(row, _)| row)
}

/// What was counted of one project, or of several.
#[derive(Default, Clone)]
struct Counts {
    gold: usize,
    held: usize,
    found: usize,
    /// Released rules that bind and are held.
    binding: usize,
    drawn: usize,
    right: usize,
    labels: BTreeMap<(Label, Label), usize>,
}

impl Counts {
    fn of(ours: &[Stated], theirs: &[Stated]) -> Counts {
        let mut counts = Counts { gold: theirs.len(), drawn: ours.len(), ..Counts::default() };
        for gold in theirs {
            counts.held += usize::from(gold.words.is_some());
            counts.binding += usize::from(gold.words.is_some() && gold.label == Label::Binding);
            if let Some(row) = counterpart(gold, ours) {
                counts.found += 1;
                *counts.labels.entry((gold.label, row.label)).or_default() += 1;
            }
        }
        let quoted: Vec<&Words> = theirs.iter().filter_map(|gold| gold.words.as_ref()).collect();
        let right = |row: &&Stated| {
            row.words
                .as_ref()
                .is_some_and(|own| quoted.iter().any(|words| own.half_in(words) || words.half_in(own)))
        };
        counts.right = ours.iter().filter(right).count();
        counts
    }

    fn add(&mut self, other: &Counts) {
        self.gold += other.gold;
        self.held += other.held;
        self.binding += other.binding;
        self.found += other.found;
        self.drawn += other.drawn;
        self.right += other.right;
        for (pair, count) in &other.labels {
            *self.labels.entry(*pair).or_default() += count;
        }
    }

    fn row(&self) -> String {
        format!(
            "{} | {} | {} | {} | {} | {} | {} | {} |",
            self.gold,
            self.held,
            self.found,
            percent(self.found, self.gold),
            percent(self.found, self.held),
            self.drawn,
            self.right,
            percent(self.right, self.drawn),
        )
    }

    /// Of the rows found: how many of each label of people have each label of ours.
    fn label(&self, gold: Label, ours: Label) -> usize {
        self.labels.get(&(gold, ours)).copied().unwrap_or_default()
    }

    fn labels(&self) -> String {
        let mut text = String::new();
        for gold in [Label::Binding, Label::NotBinding] {
            for ours in [Label::Binding, Label::Should, Label::OutOfScope] {
                write!(text, " {} |", self.label(gold, ours)).unwrap();
            }
        }
        format!("{} | {} |{text} {} |", self.binding, self.recall_of_binding(), self.agreement())
    }

    fn recall_of_binding(&self) -> String {
        let ours = [Label::Binding, Label::Should, Label::OutOfScope];
        percent(ours.map(|ours| self.label(Label::Binding, ours)).iter().sum(), self.binding)
    }

    fn agreement(&self) -> String {
        let agree = |gold: &Label, ours: &Label| (*gold == Label::Binding) == (*ours == Label::Binding);
        let agreed = self.labels.iter().filter(|((gold, ours), _)| agree(gold, ours));
        percent(agreed.map(|(_, count)| count).sum(), self.found)
    }

    fn change(&self, before: [usize; 4]) -> String {
        let now = [
            percent(self.found, self.held),
            percent(self.right, self.drawn),
            self.recall_of_binding(),
            self.agreement(),
        ];
        before.iter().zip(now).map(|(before, now)| format!(" {before} % | {now} |")).collect()
    }
}

fn percent(part: usize, whole: usize) -> String {
    let rounded = (100 * part + whole / 2).checked_div(whole);
    rounded.map_or_else(|| "—".to_owned(), |percent| format!("{percent} %"))
}

const HEAD: &str = "# Quality of the baseline

What the engine without a model draws from the sources of five projects, beside released extractions that people made of
the same sources. Nobody decided on the rows of the baseline: they are as `polc extract` and `polc classify` leave them. The
tables are made by `POLC_WRITE_DOCS=1 cargo test -p polc-extraction --test it quality`; the same without the variable fails
where they are not up to date.

To make the baseline better its misses are read in psf, pytest-dev and sphinx-doc alone. Nobody reads those in pallets and
mwaskom: these two tell how it does on documentation that it was not made for.

## Rows

Each source that the released manifest admits is read, as far as it is in the data at hand; where a project has no such
manifest, each source that its rows name. Which sections of it give rules is told by their headings alone, as
`polc manifest` does before a person amends it, so a section that people put out and the baseline does not costs precision,
and one that only the baseline puts out costs recall.

- *held*: the released row's quote stands in a source at hand, as `polc ground` finds it. The others cannot be found.
- *found*: one row of the baseline quotes at least half of the words that the released row quotes, in the same place of the
  same source. Recall is the share of the released rows that are found: of all of them, and of those held.
- *right*: a row of the baseline quotes at least half of what one released row quotes, or one released row at least half of
  what it quotes. Precision is the share of the baseline's rows that are right.

A word is a run of letters and digits that a reader of the source sees: no address of a link is one. Where a person split one sentence into several rows, each is found by a row that
quotes the sentence, however many rows the baseline makes of it.

| project | read | released rows | held | found | recall of all | recall of held | rows of the baseline | right | precision |
|---|---|---|---|---|---|---|---|---|---|
";

const LABELS: &str = "
## Binding or not

How many of the released binding rules (in scope, and must) are held, and how many of these are found. Then, for every
released row that is found, whether it is one of them (*binding*, *not binding*), and what the baseline's tables say of the
row that quotes most of it (of equals, the one whose restatement shares most words): *must* is what the baseline calls
binding. The setting is `patch`. The last column is the share of rows on which both say binding, or neither does.

| project | read | binding and held | recall of these | binding: must | binding: should | binding: out of scope | not binding: must | not binding: should | not binding: out of scope | agree |
|---|---|---|---|---|---|---|---|---|---|---|
";

const CHANGE: &str = "
## What reading the misses changed

The same measures for version 2 of the engine, before anybody read a miss, and now. The rules that were added say of any
project's sentences what they are: what one is responsible for, who is turned away, a command that a sentence introduces,
files that a command makes, a permission with its price, what `we` only think or try, sections on debugging, versions and
stale issues. They hold for the projects they were read from; on the two that were not read they changed next to nothing,
so for a new project the row of these two is what to expect.

What is still missed in the projects read: rules that lie in a description or in an example of code, rules that are the
consequence of a ban, and single sentences of quotes that people drew over several. What is still drawn and is none: steps
of setting up, advice to maintainers in sections whose headings do not say so, and examples written as imperatives. Binding
or not is decided by the tables of the rubric from the words alone; the released labels rest on reading each rule in its
section, and more words do not bring the two together.

| project | read | recall of held: before | now | precision: before | now | recall of binding: before | now | agree: before | now |
|---|---|---|---|---|---|---|---|---|---|
";

/// Percentages of version 2 of the engine: recall of held, precision, recall of binding, agreement.
const BEFORE: [(&str, [usize; 4]); 7] = [
    ("psf", [66, 68, 77, 52]),
    ("pytest-dev", [65, 50, 64, 50]),
    ("sphinx-doc", [75, 62, 65, 61]),
    ("pallets", [73, 57, 63, 57]),
    ("mwaskom", [40, 40, 0, 0]),
    ("*those read*", [69, 57, 67, 55]),
    ("*those not read*", [71, 55, 59, 55]),
];

#[test]
fn the_baseline_beside_people() {
    let (Some(gold), Some(labels)) =
        (shared::shared("gold/rules"), shared::shared("gold/policies-labels.csv"))
    else {
        return;
    };
    let labels = std::fs::read_to_string(labels).unwrap();
    let binding: BTreeSet<String> =
        labels.lines().skip(1).filter_map(|line| line.split(',').next()).map(str::to_owned).collect();
    let mut measured = Vec::new();
    let mut sums = BTreeMap::from([(true, Counts::default()), (false, Counts::default())]);
    for case in &CASES {
        let path = gold.join(format!("{0}/{0}-extraction-frozen.csv", case.slug));
        let released = Imported::read(&path, &std::fs::read(&path).unwrap(), None).unwrap();
        let Some((manifest, documents)) = manifest(case) else { return };
        let ours = ours(&released.slug, &read(&manifest.sources, &documents));
        let theirs = theirs(&released.extraction.rows, &binding, &documents, &manifest);
        let counts = Counts::of(&ours, &theirs);
        sums.entry(case.tuned).or_default().add(&counts);
        measured.push((case.slug, case.tuned, counts));
    }
    measured.push(("*those read*", true, sums[&true].clone()));
    measured.push(("*those not read*", false, sums[&false].clone()));
    let mut tables = [HEAD, LABELS, CHANGE].map(str::to_owned);
    for ((name, tuned, counts), (of, before)) in measured.iter().zip(BEFORE) {
        assert_eq!(*name, of);
        let read = if *tuned { "yes" } else { "no" };
        writeln!(tables[0], "| {name} | {read} | {}", counts.row()).unwrap();
        writeln!(tables[1], "| {name} | {read} | {}", counts.labels()).unwrap();
        writeln!(tables[2], "| {name} | {read} |{}", counts.change(before)).unwrap();
    }
    let page = tables.concat();
    let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/baseline.md"));
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page, "docs/baseline.md is not up to date");
}
