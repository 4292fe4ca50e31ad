//! The manifest as a model assesses it: section by section, from the page as it was retrieved (B.2).

use super::answer::{PageAnswer, SectionVerdict, Verdict};
use super::check::{Complaint, short};
use super::passage::Suspicions;
use super::unquoted::Runs;
use crate::asking::{Asker, Settled};
use crate::assess::{Candidate, Headings, Sides, assess_one, sections};
use crate::baseline::clause::{Reader, Reading};
use crate::cues::Cues;
use crate::prompts::{Block, Words, in_one_line};
use polc_llm::{Failure, Form, Question};
use polc_records::asked::{Asked, Remark};
use polc_records::locator::SectionPath;
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::recording::ModelRequest;
use polc_records::vocabulary::{ExclusionCode, ModalLevel, SourceRole};
use polc_records::{Digest, Problem};
use polc_text::document::fold_space;
use polc_text::locate::{Index, Wanted};
use polc_text::sentence::sentences;
use polc_text::{BlockKind, Document};
use serde::Serialize;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

const FORM: &str = "page";

/// How many sections are asked about at a time, at most.
const MOST_SECTIONS: usize = 25;
/// What is said of a section is taken for so many tokens.
const TOKENS_A_SECTION: u64 = 150;

/// How many tokens an answer about so many sections is expected to have.
fn answer_about(sections: usize) -> u64 {
    u64::try_from(sections).unwrap_or(u64::MAX).saturating_mul(TOKENS_A_SECTION)
}
/// How many sentences of a section are shown, and how many lines of a block of code.
const MOST_SENTENCES: usize = 60;
const CODE_LINES: usize = 6;

/// What the prompt of a page is filled with.
#[derive(Serialize)]
pub(crate) struct PageValues {
    project: Words,
    source: Words,
    kind: Words,
    title: Option<Words>,
    url: Words,
    number: usize,
    of: usize,
    page: Block,
}

impl PageValues {
    /// Values of every kind, to try a template on.
    pub(crate) fn example() -> Self {
        let words = || Words("words".to_owned());
        let page = Block::new("page", "# [1] Heading\nA sentence.");
        PageValues {
            project: words(),
            source: words(),
            kind: words(),
            title: Some(words()),
            url: words(),
            number: 1,
            of: 1,
            page,
        }
    }
}

/// Sources as questions.
pub struct Pages<'c> {
    headings: &'c Headings,
    cues: &'c Cues,
    candidates: &'c [Candidate<'c>],
    pages: BTreeMap<usize, Page<'c>>,
    asked: Vec<Part>,
}

/// A source that a model assesses.
struct Page<'c> {
    document: &'c Document,
    sections: Vec<SectionPath>,
    suspicions: &'c Suspicions,
    addressed: bool,
}

struct Part {
    candidate: usize,
    sections: Range<usize>,
    question: Question<PageAnswer>,
}

/// What a model made of the sources.
#[derive(Debug)]
pub struct Assessed {
    /// The manifest. What the model gave no usable answer to is assessed by headings alone, and says so.
    pub manifest: Manifest,
    /// How many sections that is.
    pub open: usize,
    /// The digests of all requests that were answered.
    pub requests: Vec<Digest>,
    /// Why questions were not asked to their end.
    pub failures: Vec<Failure>,
}

impl<'c> Pages<'c> {
    /// Makes questions of the sources whose kind gives rules.
    ///
    /// # Errors
    /// Where a prompt cannot be filled, or not even one section can be asked about.
    pub fn of(
        asker: &Asker<'_>,
        project: &str,
        (headings, cues, suspicions): (&'c Headings, &'c Cues, &'c Suspicions),
        candidates: &'c [Candidate<'c>],
    ) -> Result<Self, Problem> {
        let form = Form::of(FORM).map_err(|error| {
            Problem::new(std::path::Path::new(FORM), error.to_string(), "report this as a bug")
        })?;
        let mut these = Pages { headings, cues, candidates, pages: BTreeMap::new(), asked: Vec::new() };
        for (index, candidate) in candidates.iter().enumerate() {
            let (SourceRole::Rules, Ok((_, document))) = (candidate.defaults.role, &candidate.read) else {
                continue;
            };
            let page = Page {
                document,
                sections: sections(document),
                suspicions,
                addressed: suspicions.document_speaks(document),
            };
            let question = |sections: &Range<usize>,
                            (number, of): (usize, usize)|
             -> Result<Question<PageAnswer>, Problem> {
                let values = PageValues {
                    project: Words(project.to_owned()),
                    source: Words(candidate.key.to_owned()),
                    kind: Words(candidate.kind.to_owned()),
                    title: document.title.clone().map(Words),
                    url: Words(candidate.url.clone()),
                    number,
                    of,
                    page: Block::new(candidate.key, page.shown(sections)),
                };
                let label = format!("{}, sections {} to {}", candidate.key, sections.start + 1, sections.end);
                asker.question(label, asker.prompts.manifest(&values)?, &form)
            };
            let mut parts = Vec::new();
            let mut start = 0;
            while start < page.sections.len() {
                let most = page.sections.len().min(start + MOST_SECTIONS);
                let fits = |end: &usize| {
                    question(&(start..*end), (1, 1))
                        .is_ok_and(|question| asker.fits(&question, answer_about(end - start)))
                };
                let end = (start + 1..=most).rev().find(fits).unwrap_or(start + 1);
                parts.push(start..end);
                start = end;
            }
            for (number, sections) in (1..).zip(&parts) {
                let question = question(sections, (number, parts.len()))?;
                asker.has_room(&question, answer_about(sections.len()))?;
                these.asked.push(Part { candidate: index, sections: sections.clone(), question });
            }
            these.pages.insert(index, page);
        }
        Ok(these)
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The requests of the first round.
    pub fn requests(&self, asker: &Asker<'_>) -> Vec<ModelRequest> {
        self.asked.iter().map(|part| asker.run.request(&part.question)).collect()
    }

    /// Asks, and makes a manifest of what can be taken.
    pub async fn ask(&self, asker: &Asker<'_>, pin: Digest) -> Assessed {
        let settled = asker.run.each(&self.asked, |part| self.settle(asker, part)).await;
        let mut asked = Asked {
            model: asker.model.to_owned(),
            prompts: asker.prompts.for_manifest(),
            refused: Vec::new(),
            doubtful: Vec::new(),
            addressed: Vec::new(),
        };
        let (mut requests, mut failures) = (Vec::new(), Vec::new());
        let mut verdicts: BTreeMap<usize, Verdicts> = BTreeMap::new();
        for (part, settled) in self.asked.iter().zip(settled) {
            requests.extend(&settled.requests);
            failures.extend(settled.failure.clone());
            self.take(part, settled, verdicts.entry(part.candidate).or_default(), &mut asked);
        }
        let runs = Runs::of(self.pages.values().map(|page| page.document));
        for remark in [&mut asked.refused, &mut asked.doubtful, &mut asked.addressed].into_iter().flatten() {
            remark.what = runs.left_out_of(&remark.what);
        }
        let mut open = 0;
        let sources = self.candidates.iter().enumerate().map(|(index, candidate)| {
            let source = assess_one(self.headings, candidate);
            match (self.pages.get(&index), verdicts.remove(&index)) {
                (Some(page), Some(verdicts)) => {
                    self.conclude(page, source, verdicts.without(&runs), &mut open)
                }
                _ => source,
            }
        });
        let sources: Vec<Source> = sources.collect();
        Assessed { manifest: Manifest::new(pin, sources, Some(asked)), open, requests, failures }
    }

    async fn settle(&self, asker: &Asker<'_>, part: &Part) -> Settled<PageAnswer> {
        let is_sure = Cell::new(false);
        let faults = |answer: &PageAnswer| -> Vec<String> {
            let complaints = self.check(part, answer).1;
            let refused = complaints.iter().any(|complaint| matches!(complaint, Complaint::Refused(_)));
            if !refused && is_sure.replace(true) {
                return Vec::new();
            }
            complaints.iter().map(ToString::to_string).collect()
        };
        Settled::of(&part.question.label, asker.settle(&part.question, &faults).await)
    }

    /// The verdicts that can be taken, by section, and what is wrong with the answer.
    fn check(&self, part: &Part, answer: &PageAnswer) -> (BTreeMap<usize, SectionVerdict>, Vec<Complaint>) {
        let mut taken: BTreeMap<usize, SectionVerdict> = BTreeMap::new();
        let mut complaints = Vec::new();
        let mut seen = BTreeSet::new();
        let Some(page) = self.pages.get(&part.candidate) else { return (taken, complaints) };
        let index = Index::new(page.document);
        for verdict in &answer.sections {
            let number = usize::try_from(verdict.section).ok().and_then(|number| number.checked_sub(1));
            let Some(section) = number.filter(|section| part.sections.contains(section)) else {
                let asked = format!("those are {} to {}", part.sections.start + 1, part.sections.end);
                complaints.push(Complaint::Refused(format!(
                    "section {} was not asked about; {asked}",
                    verdict.section
                )));
                continue;
            };
            if !seen.insert(section) {
                complaints.push(Complaint::Refused(format!("section {} is answered twice", verdict.section)));
                taken.remove(&section);
                continue;
            }
            match self.judge(page, &index, section, verdict) {
                None => {}
                Some(complaint @ Complaint::Doubtful(_)) => complaints.push(complaint),
                Some(complaint) => {
                    complaints.push(complaint);
                    continue;
                }
            }
            taken.insert(section, verdict.clone());
        }
        for section in part.sections.clone().filter(|section| !seen.contains(section)) {
            complaints.push(Complaint::Refused(format!("section {} is not answered", section + 1)));
        }
        (taken, complaints)
    }

    /// What is wrong with a verdict.
    fn judge(
        &self,
        page: &Page<'_>,
        index: &Index<'_>,
        section: usize,
        verdict: &SectionVerdict,
    ) -> Option<Complaint> {
        let path = &page.sections[section];
        let number = section + 1;
        let by_heading = self.headings.exclusion(path);
        match verdict.verdict {
            Verdict::In => {
                let Some(quote) = &verdict.quote else {
                    return Some(Complaint::Refused(format!(
                        "section {number} is in and has no quote that obliges anybody"
                    )));
                };
                let found = index.seek(Wanted { quote, section: Some(path), ..Wanted::default() });
                let stands = found.is_some_and(|found| {
                    found
                        .candidates
                        .iter()
                        .any(|place| place.segments.iter().all(|segment| segment.section == *path))
                });
                if !stands {
                    return Some(Complaint::Refused(format!(
                        "the quote does not stand in section {number}: {}",
                        short(quote)
                    )));
                }
                if let Some((code, _)) = by_heading {
                    return Some(Complaint::Doubtful(format!(
                        "section {number} is in, and its heading reads as {code}"
                    )));
                }
                let speaks = page.suspicions.speaks_to_a_model(
                    &page.sentences(path).map(|(text, ..)| text).collect::<Vec<_>>().join(" "),
                );
                let words = "is in, and speaks to a model that reads it; look whether it has rules";
                speaks.then(|| Complaint::Doubtful(format!("section {number} {words}")))
            }
            Verdict::Out(code) => {
                let contested = page.addressed || code == ExclusionCode::Narrative;
                let sentence = page
                    .obligation(path, Reader::new(self.cues))
                    .filter(|_| contested && by_heading.is_none())?;
                let what = format!("section {number} is out as {code}, and says {}", short(&sentence));
                Some(if page.addressed {
                    Complaint::Refused(format!(
                        "{what}; the page also speaks to models, which takes nothing back"
                    ))
                } else {
                    Complaint::Doubtful(what)
                })
            }
        }
    }

    fn take(&self, part: &Part, settled: Settled<PageAnswer>, verdicts: &mut Verdicts, asked: &mut Asked) {
        let remark = |what: String| Remark { asked_for: settled.label.clone(), what };
        let Some(answer) = settled.value else {
            return asked.refused.extend(settled.faults.into_iter().map(remark));
        };
        if let Some(failure) = &settled.failure {
            asked.refused.push(remark(failure.to_string()));
        }
        let (taken, complaints) = self.check(part, &answer);
        for complaint in complaints {
            match complaint {
                Complaint::Refused(what) => asked.refused.push(remark(what)),
                Complaint::Doubtful(what) | Complaint::Contested(what) => asked.doubtful.push(remark(what)),
            }
        }
        verdicts.sections.extend(taken);
        verdicts.context.push(answer.needed_for_context);
        verdicts.reason.get_or_insert(fold_space(&answer.reason));
    }

    /// The entry of a source, with what the headings say of the sections that have no verdict.
    fn conclude(&self, page: &Page<'_>, mut source: Source, verdicts: Verdicts, open: &mut usize) -> Source {
        if verdicts.sections.is_empty() {
            *open += page.sections.len();
            return source;
        }
        let mut sides = Sides::default();
        for (index, section) in page.sections.iter().enumerate() {
            match verdicts.sections.get(&index) {
                Some(SectionVerdict { verdict: Verdict::In, .. }) => sides.in_scope.push(section.clone()),
                Some(SectionVerdict { verdict: Verdict::Out(code), reason, .. }) => sides
                    .out
                    .push(OutSection { section: section.clone(), code: *code, reason: fold_space(reason) }),
                None => {
                    *open += 1;
                    match self.headings.exclusion(section) {
                        Some((code, reason)) => sides.out.push(OutSection {
                            section: section.clone(),
                            code,
                            reason: format!("{reason}; no model answered for it"),
                        }),
                        None => sides.in_scope.push(section.clone()),
                    }
                }
            }
        }
        if let Some(reason) = verdicts.reason {
            source.reason = reason;
        }
        let needed = !verdicts.context.is_empty() && verdicts.context.iter().all(|needed| *needed);
        sides.conclude(&mut source, needed);
        source
    }
}

/// What was taken of the answers for one source.
#[derive(Default)]
struct Verdicts {
    sections: BTreeMap<usize, SectionVerdict>,
    context: Vec<bool>,
    reason: Option<String>,
}

impl Verdicts {
    /// The same, its reasons without the words of the pages.
    fn without(mut self, runs: &Runs) -> Self {
        let reasons = self.sections.values_mut().map(|verdict| &mut verdict.reason).chain(&mut self.reason);
        reasons.for_each(|reason| *reason = runs.left_out_of(reason));
        self
    }
}

impl Page<'_> {
    /// Sections as a model reads them.
    fn shown(&self, sections: &Range<usize>) -> String {
        let mut shown = String::new();
        for index in sections.clone() {
            let path = &self.sections[index];
            // Writing to a string cannot fail.
            let _written =
                writeln!(shown, "# [{}] {}", index + 1, in_one_line(&fold_space(&path.to_string())));
            let mut left = MOST_SENTENCES;
            for (sentence, hidden, code) in self.sentences(path) {
                if left == 0 {
                    shown.push_str("(…)\n");
                    break;
                }
                left -= 1;
                let mark = match (hidden, code) {
                    (_, true) => "| ",
                    (true, false) => "(hidden) ",
                    (false, false) => "- ",
                };
                let _written = writeln!(shown, "{mark}{}", in_one_line(&sentence));
            }
        }
        shown
    }

    /// The sentences of a section: whether each is hidden, and whether it is a line of code.
    fn sentences(&self, path: &SectionPath) -> impl Iterator<Item = (String, bool, bool)> {
        let document = self.document;
        let blocks = document.blocks.iter().filter(move |block| document.section_of(block).path == *path);
        blocks.filter(|block| block.kind != BlockKind::Heading).flat_map(move |block| {
            if block.kind == BlockKind::Code {
                let lines = block.prose.plain.lines().take(CODE_LINES);
                return lines.map(|line| (line.to_owned(), block.hidden, true)).collect::<Vec<_>>();
            }
            let quotes =
                sentences(&block.prose).into_iter().map(|plain| block.prose.quote(&document.text, &plain));
            quotes.map(|quote| (quote, block.hidden, false)).collect()
        })
    }

    /// A sentence of a section that obliges by its words alone.
    fn obligation(&self, path: &SectionPath, reader: Reader<'_>) -> Option<String> {
        self.sentences(path).filter(|(_, _, code)| !code).map(|(sentence, _, _)| sentence).find(|sentence| {
            match reader.read(sentence) {
                Reading::Rules(rules) => rules.iter().any(|rule| rule.modal != ModalLevel::Should),
                Reading::NoRule(_) => false,
            }
        })
    }
}
