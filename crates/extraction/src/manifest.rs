//! `manifest.toml` between a person and a rebuild, and checkpoint 1.

use crate::ExtractionError;
use crate::assess::{Headings, PAGE, sections};
use polc_records::locator::SectionPath;
use polc_records::manifest::{Manifest, OutSection, Source, Standing};
use polc_records::pin::{Pin, PinnedSource};
use polc_records::project::Project;
use polc_records::vocabulary::{ExclusionCode, SourceRole};
use polc_text::snapshots::Snapshots;
use std::fmt::Debug;

/// Which side of a partial source a section is on.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Side {
    In,
    Out(ExclusionCode, String),
}

/// What a person made of the last generated manifest, carried over to what is generated now.
///
/// Three-way over typed fields, source by source and section by section: what only one side changed
/// is taken, what both changed otherwise is a conflict.
///
/// # Errors
/// Every conflict at once, with the three values.
pub fn rebuild(
    file: &str,
    base: &Manifest,
    person: &Manifest,
    now: Manifest,
) -> Result<Manifest, ExtractionError> {
    let mut conflicts = Vec::new();
    let mut sources = Vec::new();
    for new in now.sources.clone() {
        let old = base.source(&new.key);
        match (old, person.source(&new.key)) {
            (_, Some(edited)) => sources.push(merge_source(old, edited, new, &mut conflicts)),
            // The person took it out, and it is what it was: it stays out.
            (Some(old), None) if *old == new => {}
            (Some(_), None) => {
                conflicts.push(format!("source `{}`: taken out by hand, and changed since", new.key))
            }
            (None, None) => sources.push(new),
        }
    }
    for edited in &person.sources {
        let still_there = sources.iter().any(|source| source.key == edited.key);
        match base.source(&edited.key) {
            _ if still_there => {}
            None => sources.push(edited.clone()),
            Some(old) if old == edited => {}
            Some(_) => conflicts.push(format!("source `{}`: amended by hand, and gone since", edited.key)),
        }
    }
    if conflicts.is_empty() {
        Ok(Manifest::new(now.pin, sources, now.asked))
    } else {
        Err(ExtractionError::Conflict { file: file.to_owned(), conflicts })
    }
}

fn merge_source(base: Option<&Source>, person: &Source, now: Source, conflicts: &mut Vec<String>) -> Source {
    // Without a base the person's entry stands against the generated one as if both were new.
    let base = base.unwrap_or(&now);
    let mut merge = Merge { key: person.key.clone(), conflicts };
    let role = merge.field("role", &base.role, &person.role, &now.role);
    let inclusion = merge.field("inclusion", &base.inclusion, &person.inclusion, &now.inclusion);
    let code = merge.field("code", &base.code, &person.code, &now.code);
    let reason = merge.field("reason", &base.reason, &person.reason, &now.reason);
    let same_text_as =
        merge.field("same_text_as", &base.same_text_as, &person.same_text_as, &now.same_text_as);
    let (in_scope, out) = merge.sections(base, person, &now);
    Source { role, inclusion, code, reason, same_text_as, in_scope, out, ..now }
}

struct Merge<'c> {
    key: String,
    conflicts: &'c mut Vec<String>,
}

impl Merge<'_> {
    fn field<T: Clone + PartialEq + Debug>(&mut self, name: &str, base: &T, person: &T, now: &T) -> T {
        if person == base || person == now {
            return now.clone();
        }
        if now != base {
            self.conflicts.push(format!(
                "source `{}`, {name}: was {base:?}, by hand {person:?}, now {now:?}",
                self.key
            ));
        }
        person.clone()
    }

    fn sections(
        &mut self,
        base: &Source,
        person: &Source,
        now: &Source,
    ) -> (Vec<SectionPath>, Vec<OutSection>) {
        let (base, person, now) = (sides(base), sides(person), sides(now));
        let side = |sides: &[(SectionPath, Side)], section: &SectionPath| {
            sides.iter().find(|(known, _)| known == section).map(|(_, side)| side.clone())
        };
        let mut all: Vec<SectionPath> = now.iter().map(|(section, _)| section.clone()).collect();
        all.extend(
            person.iter().map(|(section, _)| section.clone()).filter(|section| side(&now, section).is_none()),
        );
        let (mut in_scope, mut out) = (Vec::new(), Vec::new());
        for section in all {
            let name = format!("section `{section}`");
            let (old, edited, new) = (side(&base, &section), side(&person, &section), side(&now, &section));
            match self.field(&name, &old, &edited, &new) {
                Some(Side::In) => in_scope.push(section),
                Some(Side::Out(code, reason)) => out.push(OutSection { section, code, reason }),
                None => {}
            }
        }
        (in_scope, out)
    }
}

fn sides(source: &Source) -> Vec<(SectionPath, Side)> {
    let inside = source.in_scope.iter().map(|section| (section.clone(), Side::In));
    let outside = source.out.iter().map(|out| (out.section.clone(), Side::Out(out.code, out.reason.clone())));
    inside.chain(outside).collect()
}

/// What checkpoint 1 needs to know beside the manifest.
#[derive(Debug)]
pub struct Checkpoint<'c> {
    /// The project.
    pub project: &'c Project,
    /// The pin.
    pub pin: &'c Pin,
    /// The kinds of file whose role nobody changes: configuration is context-only.
    pub fixed_kinds: &'c [&'c str],
    /// The snapshots.
    pub snapshots: &'c Snapshots,
    /// The headings that put a section out.
    pub headings: &'c Headings,
}

/// The five checks of Table 13's first row. An empty list lets the manifest be confirmed.
pub fn checkpoint_one(manifest: &Manifest, checkpoint: &Checkpoint<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    let pinned = checkpoint.pin.sources(checkpoint.project);
    for PinnedSource { key, .. } in pinned.iter().filter(|pinned| manifest.source(&pinned.key).is_none()) {
        let what = "is pinned and has no entry: exclude it with a code instead of taking it out";
        faults.push(format!("`{key}` {what}"));
    }
    for source in &manifest.sources {
        let fault = |message: String| format!("source `{}`: {message}", source.key);
        let page = source.kind == PAGE
            && checkpoint
                .pin
                .site
                .as_ref()
                .is_some_and(|site| source.url.parse().is_ok_and(|url| site.is_of(&url)));
        // What could not be read and is not pinned has the address that it was asked for at.
        let unread = source.snapshot.is_none() && pinned.iter().all(|pinned| pinned.key != source.key);
        if !page
            && !unread
            && Some(&source.url) != checkpoint.pin.link(checkpoint.project, &source.key).as_ref()
        {
            faults.push(fault(format!("its address `{}` is not at the pin", source.url)));
        }
        let standing = match source.standing() {
            Ok(standing) => standing,
            Err(message) => {
                faults.push(fault(message));
                continue;
            }
        };
        if checkpoint.fixed_kinds.contains(&source.kind.as_str()) && source.role == SourceRole::Rules {
            faults.push(fault(format!("a file of the kind `{}` is context-only", source.kind)));
        }
        let Some(digest) = source.snapshot else { continue };
        if !checkpoint.snapshots.holds(digest) {
            faults.push(fault(format!("its snapshot {} is not held: run `polc fetch`", digest.short())));
            continue;
        }
        if matches!(standing, Standing::Full | Standing::Partial)
            && let Ok(document) =
                crate::documents::read(checkpoint.snapshots, &source.kind, &source.key, digest)
        {
            let named = sections(&document);
            section_faults(source, standing, &named, checkpoint.headings).into_iter().for_each(|message| {
                faults.push(fault(message));
            });
        }
    }
    faults
}

fn section_faults(
    source: &Source,
    standing: Standing,
    present: &[SectionPath],
    headings: &Headings,
) -> Vec<String> {
    let mut faults = Vec::new();
    if standing == Standing::Full {
        for section in present {
            let Some((code, _)) = headings.exclusion(section) else {
                continue;
            };
            if matches!(code, ExclusionCode::Maintainer | ExclusionCode::Triage) {
                faults.push(format!(
                    "the section `{section}` reads as {code}, so the source cannot be admitted whole"
                ));
            }
        }
        return faults;
    }
    let known: Vec<SectionPath> = sides(source).into_iter().map(|(section, _)| section).collect();
    for section in present.iter().filter(|section| !known.contains(section)) {
        faults.push(format!("the section `{section}` is on neither side"));
    }
    for section in known.iter().filter(|section| !present.contains(section)) {
        faults.push(format!("the section `{section}` is not in the text"));
    }
    faults
}
