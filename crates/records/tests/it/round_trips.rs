//! Load, then save: the same bytes, for any value of every file type.

use polc_records::Digest;
use polc_records::asked::{Asked, Remark};
use polc_records::config::{CheckerSource, Config};
use polc_records::corpus::{Corpus, CorpusRow, OutOfScope, Reasoning, Verdict};
use polc_records::decisions::{
    Action, Change, DecidedBy, Decision, Decisions, DecisionsFile, DecisionsHeader, DropReason, IssuedId,
    Relabel,
};
use polc_records::extraction::{
    Extraction, ExtractionNotes, ExtractionRow, SectionContext, compose_context, parse_context,
};
use polc_records::facts::{
    Answer, DataVersion, FactsFile, FactsHeader, ProposedDuplicate, RuleFacts, Sample,
};
use polc_records::ids::{ObjectId, Repository, RuleId, Slug};
use polc_records::ledger::{
    Fate, LedgerFile, LedgerHeader, LedgerLine, RowName, SectionWithoutRules, SentencePart,
};
use polc_records::locator::{Fidelity, Locator, SectionPath, Segment, SourceReference};
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::pages::{PageFate, PageLine, PagesFile, PagesHeader};
use polc_records::pin::{
    Claim, ClaimedBy, DefaultsPin, Generator, HostPin, Listed, Pin, PinnedFile, PinnedVersion, RepositoryPin,
    SiblingPin, SitePin, SkippedEntry, UrlRow,
};
use polc_records::project::{CodeHost, Project, ProjectPattern};
use polc_records::proposal::{ContextQuote, Part, ProposalFile, ProposalHeader, ProposedRow, Row};
use polc_records::store::{JsonLines, TomlRecord, parse_lines, parse_toml, render_lines, render_toml};
use polc_records::vocabulary::{
    AppliesTo, Artifact, Category, ContextKind, EvidenceType, ExclusionCode, Fact, Form, Inclusion,
    LedgerReason, LevelRoute, ModalLevel, ScopeRoute, SourceRole, Truth,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::path::Path;
use url::Url;

const PATH: &str = "somewhere";

/// What people write, with everything that a format could trip over.
fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 |\\\\\"',:;#=+@`<>\\[\\]{}()*_.\n\r\t\u{e9}\u{df}\u{201c}\u{2014}\u{a0}\u{1f9ad}-]{0,30}"
}

/// The same, with something in it.
pub(crate) fn words() -> impl Strategy<Value = String> {
    (text(), "[a-z\u{e9}|\\\\\"]").prop_map(|(text, last)| text + &last)
}

fn slug() -> impl Strategy<Value = Slug> {
    "[a-z0-9][a-z0-9._-]{0,12}".prop_map(|slug| slug.parse().unwrap())
}

fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 8]>().prop_map(Digest::of)
}

fn object() -> impl Strategy<Value = ObjectId> {
    prop_oneof!["[0-9a-f]{40}", "[0-9a-f]{64}"].prop_map(|id| id.parse().unwrap())
}

fn address() -> impl Strategy<Value = Url> {
    "https://[a-z]{1,5}\\.example/[a-z/]{0,8}(\\?v=[0-9])?(#[a-z]{1,4})?"
        .prop_map(|address| Url::parse(&address).unwrap())
}

fn site() -> impl Strategy<Value = SitePin> {
    let claimed_by = || {
        select(
            &[
                ClaimedBy::SphinxOptions,
                ClaimedBy::SphinxInventory,
                ClaimedBy::VersionsList,
                ClaimedBy::Title,
            ][..],
        )
    };
    let generator =
        select(&[Generator::Sphinx, Generator::Mkdocs, Generator::Mdbook, Generator::Unknown][..]);
    let version = prop_oneof![
        (text(), claimed_by()).prop_map(|(value, by)| PinnedVersion::Claimed { value, by }),
        (text(), text()).prop_map(|(value, reason)| PinnedVersion::ByHand { value, reason }),
        text().prop_map(|reason| PinnedVersion::Unversioned { reason }),
    ];
    let listed = (text(), option::of(text()), vec(text(), 0..3));
    let listed = listed.prop_map(|(version, title, aliases)| Listed { version, title, aliases });
    let claim = (claimed_by(), text(), address()).prop_map(|(by, value, url)| Claim { by, value, url });
    let row = (address(), address()).prop_map(|(published, served)| UrlRow { published, served });
    let addresses = (address(), address(), address(), address());
    let said = (digest(), generator, version, option::of(text()), vec(text(), 0..3));
    let tables = (option::of(listed), vec(claim, 0..3), vec(row, 0..3));
    (addresses, said, tables).prop_map(|(addresses, said, tables)| {
        let (entry, resolved, served, root) = addresses;
        let (digest, generator, version, alias, warnings) = said;
        let (listed, claims, urls) = tables;
        SitePin {
            entry,
            resolved,
            served,
            root,
            digest,
            generator,
            alias,
            warnings,
            version,
            listed,
            claims,
            urls,
        }
    })
}

fn section() -> impl Strategy<Value = SectionPath> {
    vec(words(), 0..4).prop_map(SectionPath)
}

pub(crate) fn one_of<T: Copy + Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    select(all)
}

fn applies_to() -> impl Strategy<Value = Vec<AppliesTo>> {
    subsequence(AppliesTo::ALL, 1..=AppliesTo::ALL.len())
}

fn source_reference() -> impl Strategy<Value = SourceReference> {
    ("https://[a-z]{1,9}\\.example/[a-zA-Z0-9/._#-]{0,20}", section())
        .prop_map(|(url, section)| SourceReference { url, section })
}

fn part() -> impl Strategy<Value = Part> {
    (1..9u32, 1..9u32).prop_map(|(index, of)| Part { index, of })
}

fn context() -> impl Strategy<Value = Vec<ContextQuote>> {
    let quote = (one_of(ContextKind::ALL), text()).prop_map(|(kind, quote)| ContextQuote { kind, quote });
    vec(quote, 0..3)
}

fn row() -> impl Strategy<Value = Row> {
    let place = (words(), section(), 0..3u32, words(), words());
    let labels = (one_of(Form::ALL), one_of(ModalLevel::ALL), applies_to(), one_of(Category::ALL), context());
    let rest = (option::of(words()), option::of(words()), option::of(words()), option::of(part()));
    (place, labels, rest).prop_map(|(place, labels, rest)| Row {
        source: place.0,
        section: place.1,
        occurrence: place.2,
        quote: place.3,
        rule: place.4,
        form: labels.0,
        condition: rest.0,
        modal: labels.1,
        applies_to: labels.2,
        category: labels.3,
        context: labels.4,
        trigger: rest.1,
        preceding: rest.2,
        part: rest.3,
    })
}

fn locator() -> impl Strategy<Value = Locator> {
    let segment = (0..99usize, 0..99usize, section(), option::of(words()), text(), text()).prop_map(
        |(start, length, section, element, before, after)| Segment {
            start,
            end: start + length,
            section,
            element,
            before,
            after,
        },
    );
    let fidelity = select(vec![Fidelity::Exact, Fidelity::Folded]);
    (digest(), words(), fidelity, vec(segment, 1..3)).prop_map(
        |(snapshot, derivation, fidelity, segments)| Locator { snapshot, derivation, fidelity, segments },
    )
}

/// A TOML file reads back as what was written, and writes the same again.
fn toml_round_trip<T: TomlRecord + Debug + PartialEq>(value: &T) -> Result<(), TestCaseError> {
    let path = Path::new(PATH);
    let written = render_toml(path, value).unwrap();
    let read: T = parse_toml(path, &written).map_err(|problem| TestCaseError::fail(problem.to_string()))?;
    prop_assert_eq!(&read, value);
    prop_assert_eq!(render_toml(path, &read).unwrap(), written);
    Ok(())
}

/// A file of JSON lines too.
fn lines_round_trip<F: JsonLines>(header: &F::Header, lines: &[F::Line]) -> Result<(), TestCaseError>
where
    F::Header: Debug + PartialEq,
    F::Line: Debug + PartialEq,
{
    let path = Path::new(PATH);
    let written = render_lines::<F>(path, header, lines).unwrap();
    prop_assert_eq!(written.lines().count(), lines.len() + 1, "a line break in a value stays inside it");
    let read = parse_lines::<F>(path, &written);
    let (read_header, read_lines) = read.map_err(|problem| TestCaseError::fail(problem.to_string()))?;
    prop_assert_eq!(&read_header, header);
    prop_assert_eq!(&read_lines[..], lines);
    prop_assert_eq!(render_lines::<F>(path, &read_header, &read_lines).unwrap(), written);
    Ok(())
}

fn source() -> impl Strategy<Value = Source> {
    let what = (words(), words(), words(), option::of(digest()), words());
    let labels = (one_of(SourceRole::ALL), one_of(Inclusion::ALL), option::of(one_of(ExclusionCode::ALL)));
    let out = (section(), one_of(ExclusionCode::ALL), words())
        .prop_map(|(section, code, reason)| OutSection { section, code, reason });
    let sections = (vec(section(), 0..3), vec(out, 0..3));
    (what, labels, option::of(words()), sections).prop_map(|(what, labels, same_text_as, (in_scope, out))| {
        Source {
            key: what.0,
            url: what.1,
            kind: what.2,
            snapshot: what.3,
            role: labels.0,
            inclusion: labels.1,
            code: labels.2,
            reason: what.4,
            same_text_as,
            in_scope,
            out,
        }
    })
}

fn extraction_row() -> impl Strategy<Value = ExtractionRow> {
    let labels = (one_of(ModalLevel::ALL), applies_to(), one_of(Category::ALL), one_of(Form::ALL));
    let notes =
        (option::of(words()), option::of(text()), option::of(part()), option::of(text()), option::of(text()));
    let context =
        prop_oneof![context().prop_map(SectionContext::Quotes), text().prop_map(SectionContext::Prose)];
    (source_reference(), words(), words(), context, labels, notes).prop_map(
        |(source, original, rule, context, labels, notes)| ExtractionRow {
            id: RuleId::new(&"zoo".parse().unwrap(), 1),
            source,
            original,
            rule,
            modal: labels.0,
            applies_to: labels.1,
            category: labels.2,
            context,
            notes: ExtractionNotes {
                form: labels.3,
                condition: notes.0,
                preceding: notes.1,
                part: notes.2,
                trigger: notes.3,
                remark: notes.4,
            },
        },
    )
}

pub(crate) fn numbered<T>(slug: &Slug, rows: Vec<T>, set: impl Fn(&mut T, RuleId)) -> Vec<T> {
    let mut rows = rows;
    for (row, number) in rows.iter_mut().zip(1..) {
        set(row, RuleId::new(slug, number));
    }
    rows
}

pub(crate) fn verdict() -> impl Strategy<Value = Verdict> {
    let in_scope = (one_of(LevelRoute::ALL), vec(one_of(LevelRoute::ALL), 0..3))
        .prop_map(|(route, also)| Verdict::InScope { route, also });
    let routes = vec![OutOfScope::NotObservable, OutOfScope::Subjective, OutOfScope::Trigger];
    let out = (select(routes), vec(one_of(ScopeRoute::ALL), 0..3))
        .prop_map(|(route, also)| Verdict::OutOfScope { route, also });
    prop_oneof![in_scope, out]
}

pub(crate) fn reasoning() -> impl Strategy<Value = Reasoning> {
    (text(), text(), text()).prop_map(|(quote, context, conclusion)| Reasoning { quote, context, conclusion })
}

fn relabel() -> impl Strategy<Value = Relabel> {
    let id = || option::of((1..9u32).prop_map(|number| RuleId::new(&"zoo".parse().unwrap(), number)));
    prop_oneof![
        (one_of(EvidenceType::ALL), one_of(EvidenceType::ALL))
            .prop_map(|(from, to)| Relabel::Evidence(Change { from, to })),
        (verdict(), verdict()).prop_map(|(from, to)| Relabel::Verdict(Change { from, to })),
        (reasoning(), reasoning()).prop_map(|(from, to)| Relabel::Reasoning(Change { from, to })),
        (option::of(text()), option::of(text())).prop_map(|(from, to)| Relabel::AutoFix(Change { from, to })),
        (id(), id()).prop_map(|(from, to)| Relabel::Conflict(Change { from, to })),
        (option::of(text()), option::of(text()))
            .prop_map(|(from, to)| Relabel::LowConfidence(Change { from, to })),
    ]
}

pub(crate) fn corpus_row() -> impl Strategy<Value = CorpusRow> {
    let evidence: Vec<EvidenceType> =
        EvidenceType::ALL.iter().copied().filter(|evidence| *evidence != EvidenceType::Judgment).collect();
    let labels = (applies_to(), one_of(Category::ALL), select(evidence), one_of(ModalLevel::ALL));
    let rest =
        (option::of(text()), option::of(text()), option::of(1..9u32), option::of(text()), option::of(text()));
    let said = (source_reference(), words(), words());
    (said, labels, verdict(), reasoning(), rest).prop_map(|(said, labels, verdict, reasoning, rest)| {
        let slug: Slug = "zoo".parse().unwrap();
        CorpusRow {
            id: RuleId::new(&slug, 1),
            source: said.0,
            original: said.1,
            rule: said.2,
            applies_to: labels.0,
            category: labels.1,
            evidence: labels.2,
            verdict,
            modal: labels.3,
            reasoning,
            trigger: rest.0,
            auto_fix: rest.1,
            conflict: rest.2.map(|number| RuleId::new(&slug, number)),
            low_confidence: rest.3,
            remark: rest.4,
        }
    })
}

fn decision() -> impl Strategy<Value = Decision> {
    let reason = one_of(LedgerReason::ALL).prop_map(DropReason::NoRule);
    let dropped = prop_oneof![reason, digest().prop_map(DropReason::Restates)].prop_map(Action::Drop);
    let action = prop_oneof![
        Just(Action::Accept),
        row().prop_map(|row| Action::Amend(Box::new(row))),
        vec(row(), 1..3).prop_map(Action::Split),
        digest().prop_map(Action::Merge),
        dropped,
    ];
    let id = || (1..999u32).prop_map(|number| RuleId::new(&"zoo".parse().unwrap(), number));
    let issued = (id(), digest(), digest()).prop_map(|(id, row, identity)| IssuedId { id, row, identity });
    let issued = vec(issued, 0..4).boxed();
    let decided_by = || select(vec![DecidedBy::File, DecidedBy::Workbook, DecidedBy::Carried]);
    prop_oneof![
        (digest(), digest(), issued.clone(), text(), text()).prop_map(
            |(original, extraction, ids, by, at)| { Decision::Import { original, extraction, ids, by, at } }
        ),
        (id(), vec(relabel(), 0..4), text(), text()).prop_map(|(rule, changes, by, at)| Decision::Relabel {
            rule,
            changes,
            by,
            decided_by: DecidedBy::Workbook,
            at
        }),
        (digest(), digest(), text(), text()).prop_map(|(rules, report, by, at)| Decision::Accept {
            rules,
            report,
            by,
            at
        }),
        (digest(), text(), text()).prop_map(|(manifest, by, at)| Decision::Manifest { manifest, by, at }),
        (digest(), action, vec(text(), 0..3), option::of(id()), text(), decided_by(), text()).prop_map(
            |(row, action, acknowledged, replaces, by, decided_by, at)| Decision::Row {
                row,
                action,
                acknowledged,
                replaces,
                by,
                decided_by,
                at
            }
        ),
        (row(), vec(text(), 0..2), text(), decided_by(), text()).prop_map(
            |(row, acknowledged, by, decided_by, at)| Decision::Add {
                row: Box::new(row),
                acknowledged,
                by,
                decided_by,
                at
            }
        ),
        (digest(), issued.clone(), vec(digest(), 0..3), text())
            .prop_map(|(proposal, ids, gone, at)| { Decision::Carry { proposal, ids, gone, at } }),
        (digest(), digest(), issued, text(), text()).prop_map(|(proposal, extraction, ids, by, at)| {
            Decision::Freeze { proposal, extraction, ids, by, at }
        }),
    ]
}

fn ledger_line() -> impl Strategy<Value = LedgerLine> {
    let name = prop_oneof![
        digest().prop_map(RowName::Proposed),
        (slug(), 1..999u32).prop_map(|(slug, number)| RowName::Frozen(RuleId::new(&slug, number))),
    ];
    let parts = vec![SentencePart::Quote, SentencePart::LeadIn, SentencePart::Context];
    let outcome = prop_oneof![
        (vec(name.clone(), 1..3), select(parts)).prop_map(|(rows, part)| Fate::Rule { rows, part }),
        one_of(LedgerReason::ALL).prop_map(Fate::NoRule),
        name.prop_map(Fate::Restates),
    ];
    (words(), section(), 0..99usize, 0..99usize, words(), any::<bool>(), outcome).prop_map(
        |(source, section, start, length, text, hidden, outcome)| LedgerLine {
            source,
            section,
            start,
            end: start + length,
            text,
            hidden,
            outcome,
        },
    )
}

fn asked() -> impl Strategy<Value = Asked> {
    let version =
        (text(), text(), digest()).prop_map(|(file, version, digest)| DataVersion { file, version, digest });
    let remarks = || vec((text(), text()).prop_map(|(asked_for, what)| Remark { asked_for, what }), 0..3);
    (text(), vec(version, 0..3), remarks(), remarks(), remarks()).prop_map(
        |(model, prompts, refused, doubtful, addressed)| Asked {
            model,
            prompts,
            refused,
            doubtful,
            addressed,
        },
    )
}

fn rule_facts() -> impl Strategy<Value = RuleFacts> {
    let answer = (one_of(Truth::ALL), text()).prop_map(|(holds, words)| Answer { holds, words });
    let duplicate = (1..99u32, words()).prop_map(|(number, because)| ProposedDuplicate {
        of: RuleId::new(&"zoo".parse().unwrap(), number),
        because,
    });
    let artifacts = btree_set(one_of(Artifact::ALL), 0..4);
    (
        artifacts,
        text(),
        text(),
        btree_map(one_of(Fact::ALL), answer, 0..9),
        vec(duplicate, 0..3),
        (option::of(text()), option::of(text())),
        vec(sample(), 0..3),
    )
        .prop_map(|(artifacts, opens, failure, facts, duplicates, words, samples)| RuleFacts {
            rule: RuleId::new(&"zoo".parse().unwrap(), 7),
            artifacts: artifacts.into_iter().collect(),
            opens,
            failure,
            facts,
            duplicates,
            auto_fix: words.0,
            addressed: words.1,
            samples,
        })
}

fn sample() -> impl Strategy<Value = Sample> {
    let artifacts = option::of(btree_set(one_of(Artifact::ALL), 0..4));
    (digest(), artifacts, btree_map(one_of(Fact::ALL), one_of(Truth::ALL), 0..4)).prop_map(
        |(request, artifacts, facts)| Sample {
            request,
            artifacts: artifacts.map(|artifacts| artifacts.into_iter().collect()),
            facts,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_configuration(path in option::of(text())) {
        let checker = path.map(|path| CheckerSource { path });
        toml_round_trip(&Config::new(checker, None))?;
    }

    #[test]
    fn a_project(
        slug in slug(),
        git in option::of(text()),
        hosted in any::<bool>(),
        docs in option::of("[a-z]{1,5}"),
        setting in text(),
        links in text(),
        ignore in vec(text(), 0..3),
        patterns in vec((text(), text()), 0..3),
        cues in btree_map(text(), btree_map(text(), vec(text(), 0..3), 0..3), 0..3),
    ) {
        let repository: Repository = "Zoo/Cages_1.x".parse().unwrap();
        let patterns = patterns.into_iter().map(|(glob, kind)| ProjectPattern { glob, kind }).collect();
        let docs = docs.map(|page| Url::parse(&format!("https://docs.example/{page}")).unwrap());
        let host = hosted.then_some(CodeHost::GitHub);
        let schema = Project::schema_for(host, docs.as_ref());
        toml_round_trip(&Project {
            schema, slug, repository, git, host, docs, setting, links, ignore, patterns, cues,
        })?;
    }

    #[test]
    fn a_pin(
        commit in object(),
        said in (text(), text()),
        files in vec((text(), object(), text(), text()), 0..4),
        skipped in vec((text(), text()), 0..3),
        site in site(),
        id in any::<u32>(),
    ) {
        let files: Vec<PinnedFile> = files
            .into_iter()
            .map(|(path, blob, kind, pattern)| PinnedFile { path, blob, kind, pattern })
            .collect();
        let skipped: Vec<SkippedEntry> =
            skipped.into_iter().map(|(path, reason)| SkippedEntry { path, reason }).collect();
        let (date, resolved_from) = said;
        let name: Repository = "zoo/.github".parse().unwrap();
        let host = HostPin { name: name.clone(), id: id.into(), branch: resolved_from.clone() };
        let defaults = DefaultsPin {
            name,
            commit: commit.clone(),
            date: date.clone(),
            files: files.clone(),
            skipped: skipped.clone(),
        };
        let repository =
            RepositoryPin { commit, date, resolved_from, host: None, files, skipped, defaults: None, siblings: vec![] };
        let hosted = RepositoryPin { host: Some(host), defaults: Some(defaults), ..repository.clone() };
        let sibling = SiblingPin {
            name: "zoo/handbook".parse().unwrap(),
            id: id.into(),
            resolved_from: repository.resolved_from.clone(),
            commit: repository.commit.clone(),
            date: repository.date.clone(),
            files: repository.files.clone(),
        };
        let with_siblings = RepositoryPin { siblings: vec![sibling.clone(), sibling], ..hosted.clone() };
        for (repository, site) in [
            (Some(with_siblings.clone()), None),
            (Some(with_siblings), Some(site.clone())),
            (Some(hosted.clone()), None),
            (Some(hosted), Some(site.clone())),
            (Some(repository.clone()), None),
            (Some(repository), Some(site.clone())),
            (None, Some(site)),
        ] {
            toml_round_trip(&Pin::new(repository, site))?;
        }
    }

    #[test]
    fn a_list_of_pages(
        pin in digest(),
        project in slug(),
        lines in vec((text(), digest(), 0..6_usize, option::of(text())), 0..5),
    ) {
        let line = |(said, snapshot, fate, failed_since): (String, Digest, usize, Option<String>)| {
            let url = Url::parse("https://docs.example/a").unwrap();
            let fate = match fate {
                0 => PageFate::Read { snapshot, title: said.clone() },
                1 => PageFate::SameAs(url.clone()),
                2 => PageFate::Navigation,
                3 => PageFate::File(said.clone()),
                4 => PageFate::Lacking(said.clone()),
                _ => PageFate::Named(said.clone()),
            };
            PageLine { url, reached: said, fate, failed_since }
        };
        let lines: Vec<PageLine> = lines.into_iter().map(line).collect();
        lines_round_trip::<PagesFile>(&PagesHeader::new(project, pin, &lines), &lines)?;
    }

    #[test]
    fn a_manifest(pin in digest(), sources in vec(source(), 0..4), asked in option::of(asked())) {
        toml_round_trip(&Manifest::new(pin, sources, asked))?;
    }

    #[test]
    fn a_proposal(
        project in slug(),
        engine in (text(), text()),
        made_from in (digest(), digest()),
        rows in vec((row(), locator(), text()), 0..3),
        asked in option::of(asked()),
    ) {
        let header = ProposalHeader {
            schema: ProposalHeader::schema_for(asked.as_ref()),
            project,
            engine: engine.0,
            engine_version: engine.1,
            manifest: made_from.0,
            cues: made_from.1,
            asked,
        };
        let rows: Vec<ProposedRow> = rows
            .into_iter()
            .map(|(row, locator, found_by)| ProposedRow { digest: row.digest().unwrap(), row, locator, found_by })
            .collect();
        lines_round_trip::<ProposalFile>(&header, &rows)?;
    }

    #[test]
    fn a_ledger(
        project in slug(),
        proposal in digest(),
        without in vec((words(), section(), text()), 0..3),
        lines in vec(ledger_line(), 0..4),
    ) {
        let without_rules = without
            .into_iter()
            .map(|(source, section, reason)| SectionWithoutRules { source, section, reason })
            .collect();
        lines_round_trip::<LedgerFile>(&LedgerHeader { schema: 1, project, proposal, without_rules }, &lines)?;
    }

    #[test]
    fn the_decisions(project in slug(), all in vec(decision(), 0..4), schema in 2..=3u32) {
        lines_round_trip::<DecisionsFile>(&DecisionsHeader { schema, project }, &all)?;
    }

    #[test]
    fn decisions_are_written_in_the_oldest_form_that_holds_them(all in vec(decision(), 0..4)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.jsonl");
        let decisions = Decisions { project: "zoo".parse().unwrap(), all };
        decisions.save(&path).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        let carried = written.contains("\n{\"carry\":") || written.contains("\"decided_by\":\"carried\"");
        prop_assert_eq!(written.starts_with(if carried { "{\"schema\":3," } else { "{\"schema\":2," }), true);
        prop_assert_eq!(Decisions::load(&path, &decisions.project).unwrap(), decisions);
    }

    #[test]
    fn the_facts(
        project in slug(),
        said in (text(), text(), text()),
        made_from in (digest(), digest()),
        rubrics in vec((text(), text(), digest()), 0..3),
        rules in vec(rule_facts(), 0..3),
        asked in option::of(asked()),
    ) {
        let rubrics = rubrics
            .into_iter()
            .map(|(file, version, digest)| DataVersion { file, version, digest })
            .collect();
        let header = FactsHeader {
            schema: FactsHeader::schema_for(asked.as_ref()),
            project,
            engine: said.0,
            engine_version: said.1,
            samples: asked.as_ref().map(|_| NonZeroU32::MIN),
            asked,
            extraction: made_from.0,
            cues: made_from.0,
            answers: made_from.0,
            rubrics,
            setting: said.2,
            rules: made_from.1,
        };
        lines_round_trip::<FactsFile>(&header, &rules)?;
    }

    #[test]
    fn an_extraction(slug in slug(), rows in vec(extraction_row(), 0..4)) {
        let path = Path::new(PATH);
        let extraction = Extraction { rows: numbered(&slug, rows, |row, id| row.id = id) };
        let written = extraction.render(path).unwrap();
        let read = Extraction::parse(path, &slug, &written);
        let read = read.map_err(|problem| TestCaseError::fail(problem.to_string()))?;
        prop_assert_eq!(&read, &extraction);
        prop_assert_eq!(read.render(path).unwrap(), written);
    }

    #[test]
    fn a_corpus(slug in slug(), rows in vec(corpus_row(), 0..4)) {
        let path = Path::new(PATH);
        let mut rows = numbered(&slug, rows, |row, id| row.id = id);
        let ids: Vec<RuleId> = rows.iter().map(|row| row.id.clone()).collect();
        for (row, other) in rows.iter_mut().zip(ids.iter().cycle().skip(1)) {
            row.conflict = row.conflict.take().map(|_| other.clone()).filter(|other| *other != row.id);
        }
        let corpus = Corpus { rows };
        let written = corpus.render(path).unwrap();
        let read = Corpus::parse(path, &slug, &written);
        let read = read.map_err(|problem| TestCaseError::fail(problem.to_string()))?;
        prop_assert_eq!(&read, &corpus);
        prop_assert_eq!(read.render(path).unwrap(), written);
    }

    #[test]
    fn notes(row in extraction_row(), corpus_row in corpus_row()) {
        prop_assert_eq!(&ExtractionNotes::parse(&row.notes.compose()).unwrap(), &row.notes);
        prop_assert_eq!(&parse_context(&compose_context(&row.context)).unwrap(), &row.context);
        let notes = corpus_row.notes();
        prop_assert!(!notes.is_empty() && notes.contains("Modal: "), "{}", notes);
    }

    #[test]
    fn a_source_reference(source in source_reference()) {
        prop_assert_eq!(source.to_string().parse::<SourceReference>().unwrap(), source);
    }

    #[test]
    fn a_prefix_is_always_the_whole_slug(slug in slug(), number in 1..99_999u32) {
        let id = RuleId::new(&slug, number);
        prop_assert_eq!(id.prefix(), slug.as_str().to_ascii_uppercase());
        prop_assert_eq!(id.to_string().parse::<RuleId>().unwrap(), id);
    }
}
