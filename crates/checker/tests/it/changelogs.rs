use polc_checker::evidence::{Absence, Content, Evidence, FileChange, Part, Run};
use polc_checker::fragment::{Changelog, Scheme, keys};
use polc_checker::outcome::Outcome;
use polc_checker::pack::Blunt;
use polc_checker::proposal::{Proposal, SectionState, Template};
use polc_checker::rst::{Heading, Rst};
use polc_checker::{
    Checker, Declaration, Entry, InFile, Judgement, Ownership, PullRequest, Read, Selection, Target, View,
};
use proptest::prelude::*;

const TYPED: Scheme<'static> = Scheme::Typed { folder: "changes", types: &["feature", "bugfix", "misc"] };

#[test]
fn a_typed_fragment_is_named_after_issue_and_type() {
    for (path, name, issues, kind, counter, section, extension) in [
        ("changes/12.bugfix.rst", "12", vec![12], "bugfix", None, "", "rst"),
        ("changes/0012.feature.2.md", "12", vec![12], "feature", Some(2), "", "md"),
        ("changes/+orphan.misc", "+orphan", vec![], "misc", None, "", ""),
        ("changes/io/fix-1.2.3.feature.rst", "fix-1.2.3", vec![], "feature", None, "io", "rst"),
        ("changes/12.feature.3", "12", vec![12], "feature", Some(3), "", ""),
        ("changes/gh-12-13.misc.rst", "gh-12-13", vec![12, 13], "misc", None, "", "rst"),
    ] {
        let found = TYPED.fragment(path).unwrap();
        let ours = (
            found.name.as_str(),
            found.issues.clone(),
            found.kind.as_deref().unwrap(),
            found.counter,
            found.section.as_str(),
            found.extension.as_str(),
        );
        assert_eq!(ours, (name, issues, kind, counter, section, extension), "{path}");
    }
    assert!(TYPED.fragment("changes/+orphan.misc").unwrap().is_orphan());
    for path in [
        "changes/12.rst",
        "changes/12.other.rst",
        "changes/README.rst",
        "changes/.gitignore",
        "other/12.misc",
        "changes",
    ] {
        assert_eq!(TYPED.fragment(path), None, "{path}");
    }
    assert!(TYPED.holds("changes/12.other.rst") && !TYPED.holds("changes/README.rst"));
}

#[test]
fn other_schemes_have_folders_or_keys() {
    let foldered = Scheme::Foldered { folder: "doc/next", types: &[] };
    let found = foldered.fragment("doc/next/behavior/12345-AB.rst").unwrap();
    assert_eq!(
        (found.kind.as_deref(), found.issues.as_slice(), found.name.as_str()),
        (Some("behavior"), &[12345][..], "12345-AB")
    );
    assert_eq!(foldered.fragment("doc/next/12345-AB.rst"), None);
    let keyed = Scheme::Keyed { folder: "notes" };
    assert_eq!(keyed.fragment("notes/add-a-thing-0123456789abcdef.yaml").unwrap().name, "add-a-thing");
    assert_eq!(keyed.fragment("notes/add-a-thing.yaml"), None);
    assert_eq!(keys("---\nfeatures:\n  - |\n    A: b\nfixes:\n  - c\n"), [("features", 2), ("fixes", 5)]);
}

const MARKDOWN: &str =
    "# Changes\n\n## [Unreleased]\n\n### Added\n\n- B\n- A\n  goes on\n\n## 1.2.0 - 2020-01-01\n\n- C\n";
const RST: &str = "Changes\n=======\n\nVersion 1.3.0\n-------------\n\nUnreleased\n\n-   a\n-   b\n    goes on\n\nVersion 1.2.0\n-------------\n\nReleased 2020-01-01\n\n-   c\n";

#[test]
fn a_line_of_a_changelog_falls_into_a_release() {
    for (name, text, [first, second, old]) in [("C.md", MARKDOWN, [7, 9, 13]), ("C.rst", RST, [9, 11, 18])] {
        let file = FileChange::new(name, Content::Absent, Content::Text(text.to_owned()));
        let changelog = Changelog::of(&file);
        assert!(
            changelog.is_unreleased_at(first) && changelog.is_unreleased_at(second),
            "{name} {changelog:#?}"
        );
        assert!(!changelog.is_unreleased_at(old) && !changelog.is_unreleased_at(1));
        assert_eq!(changelog.release_at(old).unwrap().version.as_deref(), Some("1.2.0"));
        assert_eq!(changelog.entries().len(), 3);
        assert!(changelog.entry_at(second).unwrap().text.ends_with("goes on"));
        assert_eq!(changelog.entry_at(2), None);
        let unsorted = changelog.unsorted(changelog.section_at(first).unwrap(), str::to_lowercase);
        assert_eq!(unsorted.map(|entry| *entry.lines.start()), (name == "C.md").then_some(8));
        for target in InFile::all(&file, changelog.entries()) {
            assert!(target.is_owned(Ownership::Created) && !target.snippet().is_empty());
        }
    }
}

#[test]
fn a_target_in_a_file_is_owned_as_its_lines_are() {
    let base = ".. note:: a\n\n   b\n\n.. tip:: c\n";
    let file =
        FileChange::new("a.rst", Content::Text(base.to_owned()), Content::Text(base.replace("   b", "   x")));
    let targets = InFile::all(&file, file.rst().directives());
    let owned = |ownership| targets.iter().map(|target| target.is_owned(ownership)).collect::<Vec<_>>();
    assert_eq!(owned(Ownership::Touched), [true, false]);
    assert_eq!(owned(Ownership::Created), [false, false]);
    assert_eq!(targets[0].snippet(), ".. note:: a\n\n   x");
}

/// Underlines are as long as their headings.
struct Underlined;

impl Checker for Underlined {
    type Target<'e> = InFile<'e, Heading>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C001", "sha256:0", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut headings = view.in_rst(|file| file.ends_in("rst"), Rst::headings)?;
        headings.retain(|heading| heading.is_owned(Ownership::Touched));
        Ok(headings)
    }

    fn postcondition<'e>(_: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.is_adorned_in_full(), || {
            "make the line as long as the heading".to_owned()
        })
    }
}

#[test]
fn a_checker_of_headings_sees_those_that_were_touched() {
    let grade = |base: &str, head: &str| {
        let file = FileChange::new("a.rst", Content::Text(base.to_owned()), Content::Text(head.to_owned()));
        let evidence =
            Evidence { files: Part::Recorded(vec![file]), ..Evidence::of_nothing(Run::new("r", "zoo")) };
        Entry::of::<Underlined>("docs/c001", "").grade(&evidence, Blunt::None)
    };
    let text = "Heading\n====\n\nText.\n\nPart\n----\n";
    assert_eq!(grade(text, &text.replace("Text", "More")).outcome, Outcome::Inapplicable);
    assert_eq!(grade(text, &text.replace("Part", "Port")).outcome, Outcome::Satisfied);
    let violated = grade(text, &text.replace("Part", "A longer part"));
    assert_eq!((violated.outcome, violated.selected), (Outcome::Violated, 1));
    assert_eq!(violated.violations[0].snippet, "A longer part\n----");
    let deep: String = (0..100).map(|depth| format!("{}- a\n\n", "  ".repeat(depth))).collect();
    let withheld = Outcome::Withheld { what: "a.rst".to_owned(), cause: Absence::NotParseable };
    assert_eq!(grade("", &deep).outcome, withheld, "what cannot be read is not absent");
}

fn pull_request(title: &str, body: &str) -> PullRequest {
    PullRequest { title: title.to_owned(), body: body.to_owned() }
}

const TEMPLATE: &str = "<!-- Read this. -->\n\n## Why?\n\n<!-- Say why. -->\n\n## Tests\n\nI ran:\n\n### Details\n\nnone\n\n- [ ] all of them\n";

#[test]
fn a_section_of_a_template_is_filled_in_or_not() {
    let template = Template::new(TEMPLATE);
    let state =
        |body: &str, heading: &str| Proposal::new(&pull_request("T", body)).state_of(heading, &template);
    assert_eq!(state(TEMPLATE, "why"), SectionState::Empty);
    assert_eq!(state(TEMPLATE, "Tests"), SectionState::Untouched);
    assert_eq!(state(&TEMPLATE.replace('\n', "\r\n"), "Tests"), SectionState::Untouched);
    assert_eq!(state(TEMPLATE, "More"), SectionState::Absent);
    assert_eq!(state(&TEMPLATE.replace("[ ]", "[x]"), "Tests"), SectionState::Written);
    assert_eq!(state(&TEMPLATE.replace("<!-- Say why. -->", "Because."), "**Why**"), SectionState::Written);
    assert_eq!(state("Why?\n----\n\nBecause.\n", "why?"), SectionState::Written);
    assert_eq!(state("Why?\n----\n", "why?"), SectionState::Empty);
    assert_eq!(state("", "why"), SectionState::Absent);
    let own = pull_request("T", &TEMPLATE.replace("<!-- Say why. -->", "Because.\n```\nx\n```"));
    let proposal = Proposal::new(&own);
    assert_eq!(proposal.own_lines(&template), ["Because.", "x"]);
    assert_eq!(proposal.unticked("all").len(), 1);
    assert!(!proposal.is_empty() && Proposal::new(&pull_request("T", "<!-- x -->\n\n## Why\n")).is_empty());
}

#[test]
fn a_pull_request_says_what_it_closes() {
    let text = pull_request(
        "ENH: Add a thing (#3)",
        "Before.\n\nCloses #1\n<!-- Closes #2 -->\nSee https://a.example/x.\n",
    );
    let proposal = Proposal::new(&text);
    assert_eq!(
        proposal.issues().iter().map(|found| (found.number, found.closes())).collect::<Vec<_>>(),
        [(1, true)]
    );
    assert_eq!(proposal.title_issues()[0].number, 3);
    assert_eq!(proposal.links().len(), 1);
    assert_eq!(proposal.sections()[0].written, ["Before.", "Closes #1", "See https://a.example/x."]);
}

proptest! {
    #[test]
    fn any_changelog_and_proposal_reads(text in "\\PC*|[-#=:>!\\[\\]<a-z1.0 |`~*\\n\\r]{0,200}", path in "changes/[-+a-z0-9./]{0,20}") {
        let _read = TYPED.fragment(&path);
        let count = polc_checker::diff::lines(&text).len();
        for name in ["a.md", "a.rst"] {
            let file = FileChange::new(name, Content::Absent, Content::Text(text.clone()));
            let changelog = Changelog::of(&file);
            prop_assert!(changelog.sections().iter().all(|section| *section.lines.end() <= count));
            // A lone carriage return parts items for Markdown, and no lines: two entries can stand on one.
            let is_found = |line: usize| changelog.entry_at(line).is_some_and(|found| found.lines.contains(&line));
            prop_assert!(changelog.entries().iter().all(|entry| is_found(*entry.lines.start())));
        }
        let pull_request = pull_request("", &text);
        let proposal = Proposal::new(&pull_request);
        let template = Template::new(&text);
        for section in proposal.sections().iter().skip(1) {
            prop_assert!(matches!(proposal.state_of(&section.heading, &template), SectionState::Empty | SectionState::Untouched | SectionState::Absent));
        }
        prop_assert!(proposal.own_lines(&template).is_empty());
    }
}
