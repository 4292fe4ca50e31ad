use polc_extraction::baseline::extract::{Extracted, extract};
use polc_extraction::cues::Cues;
use polc_extraction::documents::ReadSource;
use polc_records::Digest;
use polc_records::layout::Root;
use polc_records::ledger::Fate;
use polc_records::manifest::Source;
use polc_records::project::Project;
use polc_records::vocabulary::{Inclusion, ModalLevel, SourceRole};
use polc_text::{Document, Format};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(crate) fn project() -> Project {
    Project {
        schema: 2,
        slug: "zoo".parse().unwrap(),
        repository: "zoo/zoo".parse().unwrap(),
        git: Some(".".to_owned()),
        host: None,
        docs: None,
        setting: "patch".to_owned(),
        links: "https://code.example/{commit}/{path}".to_owned(),
        ignore: Vec::new(),
        patterns: Vec::new(),
        cues: BTreeMap::new(),
    }
}

pub(crate) fn root() -> Root {
    Root::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub(crate) fn cues() -> Cues {
    Cues::load(&root(), &project()).unwrap().0
}

#[test]
fn a_project_adds_words_of_its_own_and_no_lists() {
    let cues = |table: &str, list: &str| {
        let mut project = project();
        let lists = [(list.to_owned(), vec!["zebra*".to_owned()])].into();
        project.cues.insert(table.to_owned(), lists);
        Cues::load(&root(), &project)
    };
    let (_, plain) = Cues::load(&root(), &project()).unwrap();
    for (table, list) in
        [("facts", "vague"), ("artifacts", "commit message"), ("categories", "Code and quality")]
    {
        let (_, digest) = cues(table, list).unwrap();
        assert!(digest != plain, "what was read is told apart");
    }
    for (table, list) in [("facts", "zebras"), ("zoo", "vague"), ("artifacts", "zoo")] {
        let error = cues(table, list).unwrap_err().to_string();
        assert!(error.contains(&format!("`cues` has no list `{list}` in a table `{table}`")), "{error}");
    }
}

/// A source in scope as a whole.
pub(crate) fn source(key: &str, kind: &str, text: &str) -> Source {
    Source {
        key: key.to_owned(),
        url: format!("https://code.example/{key}"),
        kind: kind.to_owned(),
        snapshot: Some(Digest::of(text)),
        role: SourceRole::Rules,
        inclusion: Inclusion::Full,
        code: None,
        reason: "addressed to contributors".to_owned(),
        same_text_as: None,
        in_scope: Vec::new(),
        out: Vec::new(),
    }
}

pub(crate) fn extracted(key: &str, kind: &str, text: &str) -> Extracted {
    let source = source(key, kind, text);
    let document = Document::derive(text.as_bytes(), Format::of_path(key)).unwrap();
    extract(&cues(), &[ReadSource { source: &source, document }]).unwrap()
}

/// Rows and ledger as a reviewer would read them.
fn shown(extracted: &Extracted) -> String {
    let mut shown = String::new();
    for (index, proposed) in extracted.rows.iter().enumerate() {
        let row = &proposed.row;
        let applies: Vec<&str> = row.applies_to.iter().map(|value| value.as_str()).collect();
        writeln!(shown, "{index}. {} [{}; {}; {}]", row.rule, row.modal, applies.join(","), row.category)
            .unwrap();
        writeln!(shown, "   {:?} @ {} ({})", row.quote, row.section, proposed.found_by).unwrap();
        for (name, value) in
            [("condition", &row.condition), ("trigger", &row.trigger), ("preceding", &row.preceding)]
        {
            if let Some(value) = value {
                writeln!(shown, "   {name}: {value}").unwrap();
            }
        }
        for context in &row.context {
            writeln!(shown, "   {}: {:?}", context.kind, context.quote).unwrap();
        }
    }
    let index_of = |name: &polc_records::ledger::RowName| {
        let of = extracted.rows.iter().position(|row| row.digest.to_string() == name.to_string());
        of.unwrap().to_string()
    };
    for line in &extracted.ledger {
        let outcome = match &line.outcome {
            Fate::Rule { rows, part } => {
                format!("{part:?} of {}", rows.iter().map(index_of).collect::<Vec<_>>().join(", "))
            }
            Fate::NoRule(reason) => reason.to_string(),
            Fate::Restates(row) => format!("restates {row}"),
        };
        let hidden = if line.hidden { " (hidden)" } else { "" };
        writeln!(shown, "- {:?}{hidden}: {outcome}", line.text).unwrap();
    }
    for section in &extracted.without_rules {
        writeln!(shown, "= {}: {}", section.section, section.reason).unwrap();
    }
    shown
}

fn snapshot(name: &str, extracted: &Extracted) {
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(name, shown(extracted)) });
}

#[test]
fn a_guide_with_lists_hedges_and_prose() {
    let text = "\
# Guide

The zoo opened in 2019. We are glad you are here.

## Commits

Keep the first line 72 characters or less and wrap the body at 80. The limits are soft. This is because
terminals are narrow.

Before you push, you must:

- run `make lint`;
- add a note to the changelog.

When you add a dependency:

* Name its licence in the pull request.
* Two maintainers look at it.
* Pin it. Small tools may skip this.

Use one of these prefixes:

- `feat`
- `fix`

Run the suite with:

```sh
make test
```

A pull request must include:

1. a summary
2. a link to the issue

## Tests

| Kind | Where |
|------|-------|
| unit | `src` |
| slow | Mark each with `@slow`. |

Reviewers should look at tests first. CI runs the slow ones.

## Empty

```text
nothing here
```
";
    snapshot("guide", &extracted("CONTRIBUTING.md", "contributing", text));
}

#[test]
fn a_template_whose_rules_are_comments_and_boxes() {
    let text = "\
<!--
Thank you! Please link the issue: `Closes #12`.
-->

## Summary

<!-- Say what changes for users, never how. -->

## Checklist

- [ ] I have added tests
- [ ] Documentation updated
- [x] Run the linter
";
    snapshot("template", &extracted(".github/PULL_REQUEST_TEMPLATE.md", "pull-request-template", text));
}

#[test]
fn three_sentences_of_a_stranger() {
    let extracted = extracted(
        "CONTRIBUTING.md",
        "contributing",
        "# Guide\n\n- Be on time.\nEvery file ends with `zebra`. Never commit a walrus. The zoo is old.\n",
    );
    let rules: Vec<&str> = extracted.rows.iter().map(|row| row.row.rule.as_str()).collect();
    assert_eq!(
        rules,
        ["Be on time.", "Make sure that every file ends with `zebra`.", "Never commit a walrus."]
    );
    let last = extracted.ledger.last().unwrap();
    assert_eq!(
        (last.text.as_str(), &last.outcome),
        ("The zoo is old.", &Fate::NoRule(polc_records::vocabulary::LedgerReason::Description))
    );
}

#[test]
fn a_command_that_a_sentence_introduces_is_to_be_run() {
    let text = "# Guide\n\nThe checks can be run as follows:\n\n```\n$ zebra --all\n```\n\nThe output reads:\n\n```\nok\n```\n";
    let rows = extracted("CONTRIBUTING.md", "contributing", text).rows;
    let rules: Vec<(&str, ModalLevel)> =
        rows.iter().map(|row| (row.row.rule.as_str(), row.row.modal)).collect();
    assert_eq!(rules, [("Run `zebra --all`.", ModalLevel::Should)]);
    assert_eq!(rows[0].row.quote, "The checks can be run as follows: $ zebra --all");
}
