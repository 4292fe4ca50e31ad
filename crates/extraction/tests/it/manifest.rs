//! The manifest between a person and a rebuild, and checkpoint 1.

use crate::extracting::{project, source};
use polc_extraction::ExtractionError;
use polc_extraction::assess::Headings;
use polc_extraction::manifest::{Checkpoint, checkpoint_one, rebuild};
use polc_records::Digest;
use polc_records::layout::Root;
use polc_records::locator::SectionPath;
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::pin::{Pin, PinnedFile, RepositoryPin};
use polc_records::snapshot::Origin;
use polc_records::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use polc_text::snapshots::Snapshots;

fn path(heading: &str) -> SectionPath {
    SectionPath(vec![heading.to_owned()])
}

fn partial(key: &str, inside: &[&str], outside: &[&str]) -> Source {
    let out = outside.iter().map(|heading| OutSection {
        section: path(heading),
        code: ExclusionCode::Maintainer,
        reason: "for maintainers".to_owned(),
    });
    Source {
        inclusion: Inclusion::Partial,
        in_scope: inside.iter().map(|heading| path(heading)).collect(),
        out: out.collect(),
        ..source(key, "contributing", key)
    }
}

fn manifest(sources: &[Source]) -> Manifest {
    Manifest::new(Digest::of("pin"), sources.to_vec(), None)
}

fn excluded(source: &Source, code: ExclusionCode) -> Source {
    Source {
        role: SourceRole::Excluded,
        inclusion: Inclusion::Excluded,
        code: Some(code),
        in_scope: Vec::new(),
        out: Vec::new(),
        ..source.clone()
    }
}

fn rebuilt(base: &[Source], person: &[Source], now: &[Source]) -> Result<Vec<Source>, Vec<String>> {
    match rebuild("manifest.toml", &manifest(base), &manifest(person), manifest(now)) {
        Ok(manifest) => Ok(manifest.sources),
        Err(ExtractionError::Conflict { conflicts, .. }) => Err(conflicts),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_only_one_side_changed_is_taken() {
    let old = partial("A.md", &["Rules"], &["Releases"]);
    let mut by_hand = partial("A.md", &[], &["Rules", "Releases"]);
    by_hand.in_scope = vec![path("Releases")];
    by_hand.out.truncate(1);
    "written for us".clone_into(&mut by_hand.reason);
    let now = partial("A.md", &["Rules", "Tests"], &["Releases"]);
    let merged = rebuilt(std::slice::from_ref(&old), &[by_hand], std::slice::from_ref(&now)).unwrap();
    assert_eq!(merged[0].reason, "written for us", "the person's");
    assert_eq!(
        merged[0].in_scope,
        [path("Tests"), path("Releases")],
        "a new section, and the person's choice"
    );
    assert_eq!(merged[0].out[0].section, path("Rules"), "the person's choice");

    let untouched =
        rebuilt(std::slice::from_ref(&old), std::slice::from_ref(&old), std::slice::from_ref(&now));
    assert_eq!(untouched.unwrap(), [now], "what nobody amended is generated anew");
}

#[test]
fn sources_that_come_go_and_were_added_by_hand() {
    let (a, b, c) =
        (source("A.md", "contributing", "a"), source("B.md", "contributing", "b"), source("C.md", "x", "c"));
    let both = [a.clone(), b.clone()];
    assert_eq!(rebuilt(std::slice::from_ref(&a), std::slice::from_ref(&a), &both).unwrap(), both, "new");
    let alone = std::slice::from_ref(&a);
    assert_eq!(rebuilt(&both, &both, alone).unwrap(), alone, "gone");
    assert_eq!(rebuilt(&both, alone, &both).unwrap(), alone, "taken out by hand");
    let with_c = [a.clone(), b.clone(), c.clone()];
    assert_eq!(rebuilt(&both, &with_c, &both).unwrap(), with_c, "added by hand");
    let amended = excluded(&b, ExclusionCode::Narrative);
    let merged = rebuilt(&both, &[a.clone(), amended.clone()], &both).unwrap();
    assert_eq!(merged, [a, amended]);
}

#[test]
fn a_real_conflict_is_shown_and_not_guessed() {
    let old = source("A.md", "contributing", "a");
    let by_hand = Source { reason: "mine".to_owned(), ..excluded(&old, ExclusionCode::Install) };
    let now = Source { reason: "theirs".to_owned(), ..excluded(&old, ExclusionCode::Governance) };
    let (base, person) = (std::slice::from_ref(&old), std::slice::from_ref(&by_hand));
    let conflicts = rebuilt(base, person, &[now]).unwrap_err();
    assert_eq!(conflicts.len(), 2, "{conflicts:?}");
    assert!(conflicts[0].contains("`A.md`, code") && conflicts[0].contains("Install"), "{conflicts:?}");
    assert!(conflicts[1].contains("was \"addressed to contributors\", by hand \"mine\", now \"theirs\""));
    assert!(rebuilt(base, person, &[]).unwrap_err()[0].contains("amended by hand, and gone since"));
    let moved = source("A.md", "contributing", "other bytes");
    assert!(rebuilt(base, &[], &[moved]).unwrap_err()[0].contains("taken out by hand, and changed since"));
}

const PAGE: &str = "# Top\n\nBe kind.\n\n## Rules\n\nSort the cages.\n\n## Releasing\n\nTag the release.\n";

/// The faults of checkpoint 1 for a manifest of one source, as made of the right one.
fn faults(make: impl Fn(Source) -> Vec<Source>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut snapshots = Snapshots::open(folder.path()).unwrap();
    let blob = "1".repeat(40);
    let origin = Origin::Git { blob: blob.parse().unwrap(), path: "CONTRIBUTING.md".to_owned() };
    let digest = snapshots.put(PAGE.as_bytes(), origin).unwrap();
    let project = project();
    let file = PinnedFile {
        path: "CONTRIBUTING.md".to_owned(),
        blob: blob.parse().unwrap(),
        kind: "contributing".to_owned(),
        pattern: "CONTRIBUTING.md".to_owned(),
    };
    let commit = "2".repeat(40);
    let pin = Pin {
        schema: 1,
        repository: Some(RepositoryPin {
            commit: commit.parse().unwrap(),
            date: "2026-01-02T03:04:05Z".to_owned(),
            resolved_from: "HEAD".to_owned(),
            host: None,
            files: vec![file],
            skipped: Vec::new(),
            defaults: None,
            siblings: Vec::new(),
        }),
        site: None,
    };
    let inside = [path("Top"), path("Rules")];
    let right = Source {
        url: format!("https://code.example/{commit}/CONTRIBUTING.md"),
        snapshot: Some(digest),
        in_scope: inside.to_vec(),
        ..partial("CONTRIBUTING.md", &[], &["Releasing"])
    };
    let root = Root::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let checkpoint = Checkpoint {
        project: &project,
        pin: &pin,
        fixed_kinds: &["configuration"],
        snapshots: &snapshots,
        headings: &Headings::load(&root).unwrap(),
    };
    checkpoint_one(&manifest(&make(right)), &checkpoint)
}

#[test]
fn checkpoint_one_holds_the_manifest_against_pin_snapshots_and_text() {
    let none: Vec<String> = Vec::new();
    assert_eq!(faults(|right| vec![right]), none);
    let one = |make: &dyn Fn(Source) -> Source, says: &str| {
        let faults = faults(|right| vec![make(right)]);
        assert!(faults.len() == 1 && faults[0].contains(says), "{says}: {faults:?}");
    };
    assert!(faults(|_| Vec::new())[0].contains("is pinned and has no entry"));
    one(&|right| Source { url: "https://code.example/main".to_owned(), ..right }, "is not at the pin");
    one(&|right| Source { snapshot: Some(Digest::of("gone")), ..right }, "is not held: run `polc fetch`");
    one(&|right| Source { kind: "configuration".to_owned(), ..right }, "is context-only");
    one(&|right| Source { role: SourceRole::ContextOnly, ..right }, "do not go together");
    one(
        &|mut right| {
            right.in_scope.pop();
            right
        },
        "the section `Rules` is on neither side",
    );
    one(
        &|mut right| {
            right.in_scope.push(path("Cages"));
            right
        },
        "the section `Cages` is not in the text",
    );
    let whole =
        |right: Source| Source { inclusion: Inclusion::Full, in_scope: Vec::new(), out: Vec::new(), ..right };
    one(&whole, "reads as X-MAINT, so the source cannot be admitted whole");
}
