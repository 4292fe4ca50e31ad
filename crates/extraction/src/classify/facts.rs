//! The facts of a rule as the baseline answers them: every one, each with the words it goes by.

use super::duplicates::{number, propose};
use crate::cues::Cues;
use crate::lexis::{Phrases, Token, TokenKind, covered, tokens};
use polc_records::extraction::{ExtractionRow, SectionContext};
use polc_records::facts::{Answer, RuleFacts};
use polc_records::vocabulary::{AppliesTo, Artifact, ContextKind, Fact, Form, ModalLevel, Truth};
use std::collections::BTreeMap;

/// Answers every fact of every row.
pub fn answer(cues: &Cues, rows: &[ExtractionRow]) -> Vec<RuleFacts> {
    let duplicates = propose(cues, rows);
    rows.iter()
        .zip(duplicates)
        .map(|(row, duplicates)| {
            let asked = Asked::new(cues, row);
            let artifacts = asked.artifacts();
            RuleFacts {
                rule: row.id.clone(),
                opens: opens(&artifacts),
                failure: failure(row),
                facts: Fact::answered().map(|fact| (fact, asked.answer(fact))).collect::<BTreeMap<_, _>>(),
                duplicates,
                auto_fix: asked.named_tool(),
                addressed: None,
                samples: Vec::new(),
                artifacts,
            }
        })
        .collect()
}

/// A row with its words.
struct Asked<'r> {
    cues: &'r Cues,
    row: &'r ExtractionRow,
    rule: Vec<Token>,
    original: Vec<Token>,
    /// The rule without the condition that it begins with.
    main: Vec<Token>,
    main_text: &'r str,
}

fn yes(words: impl Into<String>) -> Answer {
    Answer { holds: Truth::Yes, words: words.into() }
}

fn no() -> Answer {
    Answer { holds: Truth::No, words: String::new() }
}

impl<'r> Asked<'r> {
    fn new(cues: &'r Cues, row: &'r ExtractionRow) -> Self {
        let condition = row.notes.condition.as_deref().unwrap_or_default();
        let condition = condition.split("; ").next().unwrap_or_default();
        let main_text = row
            .rule
            .get(..condition.len())
            .filter(|start| !condition.is_empty() && start.eq_ignore_ascii_case(condition))
            .and_then(|start| row.rule[start.len()..].strip_prefix(", "))
            .unwrap_or(&row.rule);
        Asked {
            cues,
            row,
            rule: tokens(&row.rule),
            original: tokens(&row.original),
            main: tokens(main_text),
            main_text,
        }
    }

    fn answer(&self, fact: Fact) -> Answer {
        let cues = &self.cues.facts;
        match fact {
            Fact::StandardUnwritten => match (self.vague(), self.exact()) {
                (Some(vague), None) => yes(vague),
                _ => no(),
            },
            Fact::FailureStatable => match (self.vague(), self.exact()) {
                (Some(vague), None) => Answer { holds: Truth::No, words: vague },
                // An exact thing beside a vague word: whether the word matters is not settled here.
                (Some(vague), Some(_)) => Answer { holds: Truth::Unknown, words: vague },
                (None, _) => yes(String::new()),
            },
            Fact::ComparesStates => self.in_rule(&cues.compare),
            Fact::ConstrainsProcess => self.in_rule(&cues.process),
            Fact::AppliesByOutsideFact => self.in_rule(&cues.outside),
            Fact::SaysOutright if self.row.modal == ModalLevel::Must => self.in_original(&cues.outright),
            Fact::Forbids if self.row.modal == ModalLevel::Prohibited => {
                let found = self.in_original(&cues.forbids);
                if found.holds == Truth::Yes { found } else { yes("forbidden by its form") }
            }
            Fact::AcceptanceCondition => self.acceptance(),
            Fact::ExactThing => self.exact().map_or_else(no, yes),
            Fact::OneSatisfyingState => self.one_state(),
            Fact::Consequence => self.context(ContextKind::Consequence).unwrap_or_else(|| {
                let own = self.in_original(&self.cues.context.consequence);
                if own.holds == Truth::Yes { own } else { self.in_original(&cues.consequence) }
            }),
            Fact::PreferenceWording if self.row.modal == ModalLevel::Should => {
                let found = self.in_original(&cues.preference);
                if found.holds == Truth::Yes { found } else { yes("a modal verb of recommendation") }
            }
            Fact::PreferenceWording => self.in_rule(&cues.preference),
            Fact::DeviationPermitted => self.deviation(),
            Fact::ApplicabilityJudged => self.in_original(&cues.judged_applicability),
            Fact::Manner if self.exact().is_none() => self.in_rule(&cues.manner),
            // The last two are derived from the others and not answered here.
            Fact::SaysOutright | Fact::Forbids | Fact::Manner | Fact::ArtifactExists | Fact::Duplicate => {
                no()
            }
        }
    }

    fn found(&self, list: &Phrases, text: &str, words: &[Token]) -> Option<String> {
        list.find(words).map(|range| covered(text, words, range).to_owned())
    }

    fn in_rule(&self, list: &Phrases) -> Answer {
        self.found(list, &self.row.rule, &self.rule).map_or_else(no, yes)
    }

    fn in_original(&self, list: &Phrases) -> Answer {
        self.found(list, &self.row.original, &self.original).map_or_else(no, yes)
    }

    fn context(&self, kind: ContextKind) -> Option<Answer> {
        match &self.row.context {
            SectionContext::Quotes(quotes) => {
                quotes.iter().find(|context| context.kind == kind).map(|context| yes(context.quote.clone()))
            }
            SectionContext::Prose(prose) => {
                let list = match kind {
                    ContextKind::Exception => &self.cues.context.exception,
                    ContextKind::Consequence => &self.cues.context.consequence,
                    ContextKind::Tooling => &self.cues.context.tooling,
                    ContextKind::Alternative => &self.cues.context.alternative,
                };
                self.found(list, prose, &tokens(prose)).map(yes)
            }
        }
    }

    /// An exception in the rule's own sentence is part of its condition; one that the section quotes
    /// elsewhere permits deviation.
    fn deviation(&self) -> Answer {
        match (self.context(ContextKind::Exception), self.context(ContextKind::Alternative)) {
            (Some(exception), _) => exception,
            (None, Some(alternative)) => Answer { holds: Truth::Unknown, words: alternative.words },
            (None, None) => no(),
        }
    }

    fn acceptance(&self) -> Answer {
        if self.row.notes.form == Form::Checklist {
            return yes("an item of a checklist");
        }
        let own = self.in_original(&self.cues.facts.acceptance);
        if own.holds == Truth::Yes {
            return own;
        }
        self.context(ContextKind::Tooling).unwrap_or_else(no)
    }

    /// A word without which the failure condition cannot be stated.
    fn vague(&self) -> Option<String> {
        self.found(&self.cues.facts.vague, self.main_text, &self.main)
    }

    /// A token, a limit, a form or an ordering that the rule names.
    fn exact(&self) -> Option<String> {
        let code = self.main.iter().find(|token| token.kind == TokenKind::Code);
        let text = |range: std::ops::Range<usize>| self.main_text[range].to_owned();
        code.map(|token| text(token.range.clone()))
            .or_else(|| self.limit())
            .or_else(|| quoted_word(self.main_text))
            .or_else(|| self.found(&self.cues.facts.form, self.main_text, &self.main))
            .or_else(|| self.found(&self.cues.facts.ordering, self.main_text, &self.main))
            .or_else(|| {
                let name = |token: &&Token| {
                    let folder = self.main_text[token.range.end..].starts_with('/');
                    token.kind == TokenKind::Word && (folder || is_name(&self.main_text[token.range.clone()]))
                };
                self.main.iter().skip(1).find(name).map(|token| text(token.range.clone()))
            })
    }

    /// A number with what it counts.
    fn limit(&self) -> Option<String> {
        let at = self.main.iter().position(|token| {
            token.lower.starts_with(|c: char| c.is_ascii_digit()) || number(token).is_some()
        })?;
        Some(covered(self.main_text, &self.main, at..(at + 2).min(self.main.len())).to_owned())
    }

    fn one_state(&self) -> Answer {
        if self.vague().is_some() {
            return no();
        }
        let skip = if self.main.first().is_some_and(|first| first.lower == "make") { 3 } else { 0 };
        let head = &self.main[skip.min(self.main.len())..self.main.len().min(skip + 3)];
        // That something holds of every one is a state where it is demanded, not where it is wished for.
        let demanded = self.row.modal != ModalLevel::Should;
        let found = self.cues.facts.one_state.find(head);
        let found = found.or_else(|| self.cues.norm.quantifiers.find(head).filter(|_| demanded));
        found.map_or_else(no, |range| yes(covered(self.main_text, head, range)))
    }

    /// The rule without its conditions, wherever they stand.
    fn unconditional(&self) -> Vec<Token> {
        let condition = self.row.notes.condition.as_deref().unwrap_or_default();
        let mut text = self.main_text.to_owned();
        for part in condition.split("; ").filter(|part| !part.is_empty()) {
            text = text.replace(part, "");
        }
        tokens(&text)
    }

    /// What the rule governs: what its main clause names, else what the whole of it does. A condition
    /// says when a rule applies, not what it governs.
    fn artifacts(&self) -> Vec<Artifact> {
        let named = |words: &[Token]| -> Vec<Artifact> {
            let names =
                |artifact: &&Artifact| self.cues.artifacts.get(artifact).is_some_and(|list| list.any(words));
            Artifact::ALL.iter().filter(names).copied().collect()
        };
        let mut found = named(&self.unconditional());
        if found.is_empty() {
            found = named(&self.rule);
        }
        // A box is ticked in the pull request, and a comment of a template speaks of its text.
        let in_template = match self.row.notes.form {
            Form::Checklist => true,
            Form::Comment => found.is_empty(),
            Form::Prose | Form::Item | Form::Unstated => false,
        };
        if in_template && !found.contains(&Artifact::PullRequestText) {
            found.push(Artifact::PullRequestText);
            found.sort();
        }
        if found.is_empty() {
            let mut all: Vec<Artifact> =
                self.row.applies_to.iter().map(|value| default_artifact(*value)).collect();
            all.dedup();
            return all;
        }
        found
    }

    fn named_tool(&self) -> Option<String> {
        let spelled = |token: &Token| {
            token.kind == TokenKind::Code && self.cues.facts.auto_fix.any(&tokens(&token.lower))
        };
        self.rule
            .iter()
            .find(|token| spelled(token))
            .map(|token| self.row.rule[token.range.clone()].trim_matches('`').to_owned())
    }
}

/// A word between quotation marks.
fn quoted_word(text: &str) -> Option<String> {
    for (open, close) in [('"', '"'), ('“', '”'), ('\'', '\''), ('‘', '’')] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| at + from) {
            let before = text[..start].chars().next_back();
            let inner = start + open.len_utf8();
            let end = text[inner..].find(close).map(|at| at + inner);
            if let (true, Some(end)) = (before.is_none_or(|c| !c.is_alphanumeric()), end)
                && end > inner
                && end - inner <= 40
            {
                return Some(text[start..end + close.len_utf8()].to_owned());
            }
            from = inner;
        }
    }
    None
}

/// A file, a command option, a trailer or another thing that has a spelling of its own.
pub(super) fn is_name(word: &str) -> bool {
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let upper =
        word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '-' | '_' | '.'));
    let path = word.contains('/')
        || (word.contains('.') && word.rsplit('.').next().is_some_and(|end| (1..=4).contains(&end.len())));
    inner_capital || upper || path || word.starts_with('-') || word.contains('_')
}

fn default_artifact(value: AppliesTo) -> Artifact {
    match value {
        AppliesTo::Code | AppliesTo::Test | AppliesTo::Docs => Artifact::Files,
        AppliesTo::Commit => Artifact::CommitMessage,
        AppliesTo::Pr => Artifact::PullRequestText,
        AppliesTo::Workflow => Artifact::Commands,
        AppliesTo::Ci => Artifact::CiService,
    }
}

/// The failure condition, as far as the rule's own words state it.
pub(super) fn failure(row: &ExtractionRow) -> String {
    let rule = row.rule.trim_end_matches('.');
    match row.modal {
        ModalLevel::Prohibited => format!("this was done all the same: {rule}"),
        ModalLevel::Must | ModalLevel::Should => format!("this was not done: {rule}"),
    }
}

/// What the check opens, as far as the artifacts say it.
pub(super) fn opens(artifacts: &[Artifact]) -> String {
    artifacts.iter().map(|artifact| format!("the {artifact}")).collect::<Vec<_>>().join(" and ")
}
