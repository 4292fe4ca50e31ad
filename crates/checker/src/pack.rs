//! Checkers, and the crate of checkers that one project has.

use crate::declaration::{Declaration, Ownership, State};
use crate::evidence::Evidence;
use crate::explain::Tracer;
use crate::outcome::{Fault, Graded, Judgement, Missing, Outcome, begin_call};
use crate::target::origin::{Origin as _, Source};
use crate::target::{Place, Target};
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
    grade: for<'e> fn(&'e Evidence, Blunt, Option<&'e Tracer>) -> Graded,
}

impl Entry {
    /// The entry of a checker.
    pub const fn of<C: Checker>(file: &'static str, cases: &'static str) -> Self {
        Entry { declaration: C::DECLARATION, file, cases, grade: grade::<C> }
    }

    /// Grades one run. A checker that panics is an error, never the end of the others.
    pub fn grade(&self, evidence: &Evidence, blunt: Blunt) -> Graded {
        self.traced(evidence, blunt, None)
    }

    /// The same, told to a trace.
    pub(crate) fn traced<'e>(
        &self,
        evidence: &'e Evidence,
        blunt: Blunt,
        trace: Option<&'e Tracer>,
    ) -> Graded {
        match self.declaration.state {
            State::Unwritten => Graded::without_targets(Outcome::Error {
                kind: Fault::Unwritten,
                message: "this checker is not written yet".to_owned(),
            }),
            State::Written => (self.grade)(evidence, blunt, trace),
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

fn grade<'e, C: Checker>(evidence: &'e Evidence, blunt: Blunt, trace: Option<&'e Tracer>) -> Graded {
    let view = View::new(evidence, &C::DECLARATION, trace);
    let judged = contained(|| judge::<C>(&view, blunt, trace));
    if let Some(trace) = trace {
        trace.read(view.take_touched());
    }
    let undeclared = view.undeclared();
    let fault = |kind: Fault, message: String| Graded::without_targets(Outcome::Error { kind, message });
    if !undeclared.is_empty() {
        // Whatever became of it afterwards came of that.
        let names: Vec<&str> = undeclared.iter().map(|read| read.as_str()).collect();
        let after = match &judged {
            Err((Fault::Panic, message)) => format!("; then {message}"),
            _ => String::new(),
        };
        let message = format!("it reads what it does not declare: {}{after}", names.join(", "));
        return fault(Fault::UndeclaredRead, message);
    }
    match judged {
        Err((kind, message)) => fault(kind, message),
        Ok(_) if view.was_foreign() => {
            fault(Fault::Forged, "it asked about something that is not in the evidence".to_owned())
        }
        Ok(graded) => graded,
    }
}

/// What a checker did that none may do.
type Misdeed = (Fault, String);

fn judge<'e, C: Checker>(view: &View<'e>, blunt: Blunt, trace: Option<&Tracer>) -> Result<Graded, Misdeed> {
    let ownership = C::DECLARATION.ownership;
    begin_call();
    let selection = if blunt == Blunt::Nothing { Ok(Vec::new()) } else { C::precondition(view) };
    let targets = match selection {
        Err(missing) => {
            of_this_call(&missing)?;
            return Ok(Graded::without_targets(missing.into_outcome()));
        }
        Ok(targets) => targets,
    };
    if let Some(trace) = trace {
        trace.select(view.take_touched(), &targets, ownership);
    }
    for target in &targets {
        if !view.has(target.source()) {
            let message = format!("it selected what is not in the evidence: {:?}", target.place());
            return Err((Fault::Forged, message));
        }
        if !target.is_faithful() {
            let message = format!("it selected another text than stands there: {:?}", target.place());
            return Err((Fault::Forged, message));
        }
        if !target.is_owned(ownership) {
            let message = format!("it selected what the contributor does not own: {:?}", target.place());
            return Err((Fault::NotOwned, message));
        }
    }
    let unread = view.take_unread();
    let mut judged = Vec::with_capacity(targets.len() + unread.len());
    for target in &targets {
        begin_call();
        let judgement = match blunt {
            Blunt::Satisfied => Judgement::Satisfied,
            Blunt::Violated => Judgement::Violated("blunt".to_owned()),
            Blunt::None | Blunt::Nothing => C::postcondition(view, target),
        };
        if let Some(trace) = trace {
            trace.judge(view.take_touched(), &judgement);
        }
        match &judgement {
            Judgement::Undetermined(missing) => of_this_call(missing)?,
            Judgement::Violated(_) if ownership == Ownership::Touched && !lies_on_work(target) => {
                let message = format!("it blames lines that nobody wrote or deleted: {:?}", target.place());
                return Err((Fault::NotOwned, message));
            }
            Judgement::Violated(_) | Judgement::Satisfied => {}
        }
        judged.push((target.place(), target.snippet(), judgement));
    }
    for (file, missing) in unread {
        if let Some(trace) = trace {
            trace.unread(file, &missing);
        }
        judged.push((file.place(), file.snippet(), Judgement::Undetermined(missing)));
    }
    Ok(Graded::of(judged))
}

/// What is missing has to be missing where it is said: no other call can say so.
fn of_this_call(missing: &Missing) -> Result<(), Misdeed> {
    if missing.is_of_this_call() {
        return Ok(());
    }
    Err((Fault::Forged, format!("it withholds by what was missing elsewhere: {}", missing.told())))
}

/// Whether the lines that a target stands on hold one that was written, or stand where lines were deleted.
fn lies_on_work(target: &impl Target) -> bool {
    match (target.place(), target.source()) {
        (Place::Lines { first, last, .. }, Source::File(file)) => {
            file.diff().is_some_and(|diff| diff.touches(&(first..=last)))
        }
        _ => true,
    }
}

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a checker; a panic becomes an error, and is not printed.
fn contained(run: impl FnOnce() -> Result<Graded, Misdeed>) -> Result<Graded, Misdeed> {
    quiet_contained_panics();
    CONTAINED.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CONTAINED.set(false);
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Err((Fault::Panic, format!("it panicked: {text}")))
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
