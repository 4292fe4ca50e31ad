//! Checkers, and the crate of checkers that one project has.

use crate::declaration::{Declaration, State};
use crate::evidence::Evidence;
use crate::outcome::{Fault, Graded, Judgement, Outcome};
use crate::target::Target;
use crate::view::{Selection, View};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A checker: one struct for one rule.
pub trait Checker {
    /// What the precondition selects.
    type Target<'e>: Target;

    /// What the checker says of itself.
    const DECLARATION: Declaration;

    /// Selects what the rule applies to, by the situation that the rule names. Judges nothing.
    ///
    /// # Errors
    /// The evidence that is not there.
    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>>;

    /// Judges one target. Selects nothing.
    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement;
}

/// What stands in for a function of every checker, to see whether its cases notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blunt {
    /// Nothing does.
    #[default]
    None,
    /// A post-condition that is always satisfied.
    Satisfied,
    /// A post-condition that is always violated.
    Violated,
    /// A precondition that selects nothing.
    Nothing,
}

impl Blunt {
    /// The blunt with a name.
    pub fn named(name: &str) -> Option<Blunt> {
        match name {
            "satisfied" => Some(Blunt::Satisfied),
            "violated" => Some(Blunt::Violated),
            "nothing" => Some(Blunt::Nothing),
            _ => None,
        }
    }
}

/// A checker in the registry of its crate.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What the checker says of itself.
    pub declaration: Declaration,
    /// The folder of its category and the stem of its files: `git/c012`.
    pub file: &'static str,
    /// Its authored cases, as they stand in the file.
    pub cases: &'static str,
    grade: fn(&Evidence, Blunt) -> Graded,
}

impl Entry {
    /// The entry of a checker.
    pub const fn of<C: Checker>(file: &'static str, cases: &'static str) -> Self {
        Entry { declaration: C::DECLARATION, file, cases, grade: grade::<C> }
    }

    /// Grades one run. A checker that panics is an error, never the end of the others.
    pub fn grade(&self, evidence: &Evidence, blunt: Blunt) -> Graded {
        match self.declaration.state {
            State::Unwritten => Graded::without_targets(Outcome::Error {
                kind: Fault::Unwritten,
                message: "this checker is not written yet".to_owned(),
            }),
            State::Written => contained(|| (self.grade)(evidence, blunt)),
        }
    }
}

/// The checkers of one project.
#[derive(Debug, Clone, Copy)]
pub struct Pack {
    /// The project's slug.
    pub project: &'static str,
    /// The digest of the corpus that the crate was rendered from.
    pub corpus: &'static str,
    /// Its checkers, in the order of the rules.
    pub entries: &'static [Entry],
}

fn grade<'e, C: Checker>(evidence: &'e Evidence, blunt: Blunt) -> Graded {
    let view = View::new(evidence, &C::DECLARATION);
    let selection = if blunt == Blunt::Nothing { Ok(Vec::new()) } else { C::precondition(&view) };
    let graded = match selection {
        Err(missing) => Graded::without_targets(missing.into_outcome()),
        Ok(targets) => {
            if let Some(target) = targets.iter().find(|target| !target.is_owned(C::DECLARATION.ownership)) {
                return Graded::without_targets(Outcome::Error {
                    kind: Fault::NotOwned,
                    message: format!("it selected what the contributor does not own: {:?}", target.place()),
                });
            }
            let unread = view.take_unread();
            let unread = unread
                .into_iter()
                .map(|(file, missing)| (file.place(), file.snippet(), Judgement::Undetermined(missing)));
            let judge = |target: &C::Target<'e>| match blunt {
                Blunt::Satisfied => Judgement::Satisfied,
                Blunt::Violated => Judgement::Violated("blunt".to_owned()),
                Blunt::None | Blunt::Nothing => C::postcondition(&view, target),
            };
            let judged = targets.iter().map(|target| (target.place(), target.snippet(), judge(target)));
            Graded::of(judged.chain(unread).collect())
        }
    };
    match view.undeclared().as_slice() {
        [] => graded,
        undeclared => {
            let names: Vec<&str> = undeclared.iter().map(|read| read.as_str()).collect();
            Graded::without_targets(Outcome::Error {
                kind: Fault::UndeclaredRead,
                message: format!("it reads what it does not declare: {}", names.join(", ")),
            })
        }
    }
}

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a checker; a panic becomes an error, and is not printed.
fn contained(run: impl FnOnce() -> Graded) -> Graded {
    quiet_contained_panics();
    CONTAINED.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CONTAINED.set(false);
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Graded::without_targets(Outcome::Error {
            kind: Fault::Panic,
            message: format!("it panicked: {text}"),
        })
    })
}

/// Keeps the panic hook silent for checkers, and for nothing else.
fn quiet_contained_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !CONTAINED.get() {
                usual(panic);
            }
        }));
    });
}
