//! The text of a pull request: its title, the sections of its description, and what of a template was filled in.
//!
//! A pull request that was not recorded is missing from the evidence, and never read here; one that is recorded
//! may be empty.

use crate::evidence::PullRequest;
use crate::issue::{IssueReference, in_line, in_markdown};
use crate::markdown::{CheckBox, Link, Markdown};
use crate::message::Subject;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

/// A section of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading; empty for what stands before the first one.
    pub heading: String,
    /// From 1; 0 for what stands before the first heading.
    pub level: usize,
    /// Its lines in the description, from 1, without those of sections below it.
    pub lines: RangeInclusive<usize>,
    /// What was written: prose and code, without comments and blank lines.
    pub written: Vec<String>,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.heading)
    }
}

/// What became of a section of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SectionState {
    /// There is no such heading.
    Absent,
    /// Nothing stands below the heading, but for comments.
    Empty,
    /// What stands below it is what the template says.
    Untouched,
    /// Something else stands below it.
    Written,
}

/// The text of a pull request, read.
#[derive(Debug, Clone)]
pub struct Proposal<'e> {
    pull_request: &'e PullRequest,
    markdown: Markdown,
    sections: Vec<Section>,
}

impl<'e> Proposal<'e> {
    /// Reads a pull request: `Proposal::new(view.pull_request()?)`.
    pub fn new(pull_request: &'e PullRequest) -> Self {
        let markdown = Markdown::new(&pull_request.body);
        let sections = sections(&pull_request.body, &markdown);
        Proposal { pull_request, markdown, sections }
    }

    /// The pull request.
    pub fn pull_request(&self) -> &'e PullRequest {
        self.pull_request
    }

    /// The title, with its length, its prefixes and its verb.
    pub fn title(&self) -> Subject<'e> {
        Subject::new(&self.pull_request.title)
    }

    /// The description.
    pub fn markdown(&self) -> &Markdown {
        &self.markdown
    }

    /// Whether nothing was written in the description, but for comments and headings.
    pub fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.written.is_empty())
    }

    /// What stands before the first heading, then the sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section with a heading, compared without regard to case and to marks around it: `## **Why?**` is
    /// `why`.
    pub fn section(&self, heading: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.level > 0 && bare(&section.heading) == bare(heading))
    }

    /// The check boxes.
    pub fn check_boxes(&self) -> Vec<CheckBox> {
        self.markdown.check_boxes()
    }

    /// The boxes that hold a text and are not ticked.
    pub fn unticked(&self, text: &str) -> Vec<CheckBox> {
        self.check_boxes().into_iter().filter(|found| !found.ticked && found.text.contains(text)).collect()
    }

    /// The issues that the description refers to, comments and code left out.
    pub fn issues(&self) -> Vec<IssueReference> {
        in_markdown(&self.markdown)
    }

    /// The issues that the title refers to.
    pub fn title_issues(&self) -> Vec<IssueReference> {
        in_line(&self.pull_request.title, 1)
    }

    /// The links of the description.
    pub fn links(&self) -> &[Link] {
        self.markdown.all_links()
    }

    /// What became of a section of a template, with the sections within it.
    pub fn state_of(&self, heading: &str, template: &Template) -> SectionState {
        let Some(section) = self.section(heading) else { return SectionState::Absent };
        let written = whole(&self.sections, section);
        let found =
            template.sections.iter().find(|found| found.level > 0 && bare(&found.heading) == bare(heading));
        let given = found.map(|found| whole(&template.sections, found));
        if written.is_empty() {
            SectionState::Empty
        } else if given.is_some_and(|given| given == written) {
            SectionState::Untouched
        } else {
            SectionState::Written
        }
    }

    /// The lines that were written and that the template does not hold.
    pub fn own_lines(&self, template: &Template) -> Vec<&str> {
        let given: BTreeSet<&str> =
            template.sections.iter().flat_map(|section| &section.written).map(String::as_str).collect();
        let written = self.sections.iter().flat_map(|section| &section.written).map(String::as_str);
        written.filter(|line| !given.contains(line)).collect()
    }
}

/// The template of a pull request.
#[derive(Debug, Clone)]
pub struct Template {
    sections: Vec<Section>,
}

impl Template {
    /// Reads a template: the text of `.github/pull_request_template.md`, from the evidence or as a parameter.
    pub fn new(text: &str) -> Self {
        Template { sections: sections(text, &Markdown::new(text)) }
    }

    /// Its sections.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }
}

fn sections(text: &str, markdown: &Markdown) -> Vec<Section> {
    let count = crate::diff::lines(text).len();
    let heads = markdown.headings().iter().map(|heading| (heading.text.clone(), heading.level, heading.line));
    let mut sections: Vec<Section> =
        vec![Section { heading: String::new(), level: 0, lines: 1..=1, written: Vec::new() }];
    for (heading, level, line) in heads {
        if let Some(before) = sections.last_mut() {
            before.lines = *before.lines.start()..=line - 1;
        }
        sections.push(Section { heading, level, lines: line..=line, written: Vec::new() });
    }
    if let Some(last) = sections.last_mut() {
        last.lines = *last.lines.start()..=count.max(*last.lines.start());
    }
    let code = markdown.fences().iter().flat_map(|fence| {
        let lines = fence.body.iter().map(String::as_str).zip(fence.line + 1..);
        lines.map(|(line, number)| (number, line))
    });
    for (number, line) in markdown.prose().chain(code) {
        let line = line.trim();
        let at = sections.partition_point(|section| *section.lines.start() <= number);
        let section = at.checked_sub(1).and_then(|at| sections.get_mut(at));
        let Some(section) = section else { continue };
        let is_heading = section.level > 0 && is_underline(number, line, section);
        if !(is_heading || line.is_empty()) {
            section.written.push(line.to_owned());
        }
    }
    sections
}

/// Whether a line belongs to the heading of its section.
fn is_underline(number: usize, line: &str, section: &Section) -> bool {
    let first = *section.lines.start();
    number == first
        || (number == first + 1 && (line.trim_matches('=').is_empty() || line.trim_matches('-').is_empty()))
}

/// What was written in a section and in those within it.
fn whole<'s>(sections: &'s [Section], section: &Section) -> Vec<&'s str> {
    let at = sections.iter().position(|found| found == section).unwrap_or(sections.len());
    let inside = sections.iter().skip(at + 1).take_while(|found| found.level > section.level);
    let own = sections.iter().skip(at).take(1);
    own.chain(inside).flat_map(|section| &section.written).map(String::as_str).collect()
}

/// A heading as it is compared.
fn bare(heading: &str) -> String {
    let kept: String = heading.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
