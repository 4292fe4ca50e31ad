//! `drift`: what became of every rule since its documentation was read.

use super::sources::read_repository;
use crate::arguments::DriftArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::drift::{Asked, Compared, Frozen, State, drift};
use polc_extraction::drift::{
    Change, Drift, Fate, NewSentence, Part, Place, RuleDrift, Side, SourceDrift, SourceFate,
};
use polc_records::ids::Slug;
use polc_records::visible::visible;
use serde::Serialize;

pub(super) fn run(session: &Session, given: &DriftArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    let _lock = root.lock(&given.slug)?;
    let frozen = Frozen::load(&root, &project)?;
    let repository = match given.pinned {
        true => None,
        false => read_repository(session, &root, &project, &given.commit)?,
    };
    let asked = if given.pinned {
        Asked::Pinned
    } else {
        let repository = repository.as_ref();
        Asked::Live { repository, served: given.served.as_ref(), offline: session.offline }
    };
    let told = |progress: polc_sources::crawl::Progress<'_>| {
        if progress.done.is_multiple_of(super::sources::PAGES_A_LINE) {
            session.tell(format!("{} read, {} waiting …", count(progress.done, "page"), progress.waiting));
        }
    };
    let compared = drift(&root, &project, &frozen, asked, told)?;
    let (complete, change) = (compared.drift.is_complete(), compared.drift.is_change());
    if session.json {
        session.print_json(&DriftReport::of(&given.slug, &compared))?;
    } else {
        session.print(human(&given.slug, &compared))?;
        session.tell(format!("next: {}", next(&given.slug, given.pinned, complete, change)));
    }
    Ok(match (complete, change) {
        (false, _) => Exit::Failed,
        (true, true) => Exit::Found,
        (true, false) => Exit::Done,
    })
}

/// What whoever reads the report does now.
fn next(slug: &Slug, pinned: bool, complete: bool, change: bool) -> String {
    let pin = if pinned { String::new() } else { format!("polc pin {slug}; polc fetch {slug}; ") };
    let take = format!(
        "{pin}polc manifest {slug}; polc manifest confirm {slug} --by NAME; polc extract {slug} --update; polc decide {slug} --sheet FILE"
    );
    match (complete, change) {
        (false, _) => {
            format!(
                "run it again when what could not be read can be; nothing is known of its rules. To take in the rest: {take}"
            )
        }
        (true, true) => format!("to take the change in: {take}"),
        (true, false) => "nothing: every rule stands where it stood".to_owned(),
    }
}

fn human(slug: &Slug, compared: &Compared) -> String {
    let drift = &compared.drift;
    let of = |name: &str| drift.rules.iter().filter(|rule| fate_name(&rule.fate) == name).count();
    let then = compared.then.as_ref().map_or("an earlier pin".to_owned(), state);
    let mut text = String::new();
    let mut line = |words: String| {
        text.push_str(&visible(&words));
        text.push('\n');
    };
    line(format!("{slug}: {then} then, {} now", state(&compared.now)));
    if let Some(note) = &compared.now.note {
        line(note.clone());
    }
    line(format!(
        "{}: {} same, {} moved, {} changed, {} gone, {} unknown; {} without a rule",
        count(drift.rules.len(), "rule"),
        of("same"),
        of("moved"),
        of("changed"),
        of("gone"),
        of("unknown"),
        count(drift.sentences.len(), "new sentence")
    ));
    for name in ["unknown", "changed", "gone", "moved"] {
        for rule in drift.rules.iter().filter(|rule| fate_name(&rule.fate) == name) {
            tell_rule(rule, &mut line);
        }
    }
    for sentence in &drift.sentences {
        line(format!("new       {}", place(&sentence.place)));
        line(format!("            {}", sentence.quote));
        line(format!("            {}", sentence.place.url));
    }
    for source in &drift.sources {
        line(tell_source(source));
    }
    text
}

fn state(state: &State) -> String {
    let version = state.version.as_ref().map(|version| format!("documentation {version}"));
    let commit = state.commit.as_ref().map(|commit| format!("commit {}", &commit[..commit.len().min(12)]));
    let known: Vec<String> = version.into_iter().chain(commit).collect();
    if known.is_empty() { "no version".to_owned() } else { known.join(", ") }
}

const fn fate_name(fate: &Fate) -> &'static str {
    match fate {
        Fate::Same => "same",
        Fate::Moved(_) => "moved",
        Fate::Changed(..) => "changed",
        Fate::Gone(_) => "gone",
        Fate::Unknown(_) => "unknown",
    }
}

fn place(place: &Place) -> String {
    format!("{} ({})", place.source, place.section)
}

fn tell_rule(rule: &RuleDrift, line: &mut impl FnMut(String)) {
    line(format!("{:8}  {}  {}", fate_name(&rule.fate), rule.rule, place(&rule.then)));
    match &rule.fate {
        Fate::Same => {}
        Fate::Moved(now) if (&now.source, &now.section) == (&rule.then.source, &rule.then.section) => {
            line(format!("            its link is {} now", now.url));
        }
        Fate::Moved(now) => line(format!("            now in {}: {}", place(now), now.url)),
        Fate::Changed(now, change) => {
            if (&now.source, &now.section) != (&rule.then.source, &rule.then.section) {
                line(format!("            now in {}", place(now)));
            }
            let what = match change.part {
                Part::Quote => "",
                Part::Context => "its context: ",
            };
            line(format!("            {what}{}", marked(change)));
            line(format!("            {}", now.url));
        }
        Fate::Gone(why) => {
            line(format!("            {why}"));
            line(format!("            [-{}-]", rule.quote));
        }
        Fate::Unknown(why) => line(format!("            {why}")),
    }
}

/// A difference as differences of words are written: `[-then-]` and `{+now+}`.
fn marked(change: &Change) -> String {
    let words = change.difference.iter().map(|(side, words)| match side {
        Side::Both => words.clone(),
        Side::Then => format!("[-{words}-]"),
        Side::Now => format!("{{+{words}+}}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn tell_source(source: &SourceDrift) -> String {
    let SourceDrift { source: key, url, fate, .. } = source;
    match fate {
        SourceFate::New { obligations } => {
            format!("source    new: {key}, {}: {url}", count(*obligations, "obligation"))
        }
        SourceFate::Gone(why) => format!("source    gone: {key}: {why}"),
        SourceFate::Renamed(to) => format!("source    renamed: {key} is {to} now"),
        SourceFate::Unread(why) => format!("source    not read: {key}: {why}"),
    }
}

/// What `drift` prints as JSON.
#[derive(Debug, Serialize)]
struct DriftReport<'r> {
    schema: u32,
    project: &'r str,
    change: bool,
    complete: bool,
    then: Option<StateJson<'r>>,
    now: StateJson<'r>,
    rules: Vec<RuleJson<'r>>,
    sentences: Vec<SentenceJson<'r>>,
    sources: Vec<SourceJson<'r>>,
}

#[derive(Debug, Serialize)]
struct StateJson<'r> {
    version: Option<&'r str>,
    commit: Option<&'r str>,
    note: Option<&'r str>,
}

#[derive(Debug, Serialize)]
struct PlaceJson<'r> {
    source: &'r str,
    section: &'r [String],
    url: &'r str,
}

#[derive(Debug, Serialize)]
struct RuleJson<'r> {
    rule: String,
    fate: &'static str,
    quote: &'r str,
    then: PlaceJson<'r>,
    now: Option<PlaceJson<'r>>,
    change: Option<ChangeJson<'r>>,
    why: Option<&'r str>,
}

#[derive(Debug, Serialize)]
struct ChangeJson<'r> {
    part: &'static str,
    passage: Option<&'r str>,
    similar: f32,
    difference: Vec<PartJson<'r>>,
}

#[derive(Debug, Serialize)]
struct PartJson<'r> {
    side: &'static str,
    words: &'r str,
}

#[derive(Debug, Serialize)]
struct SentenceJson<'r> {
    place: PlaceJson<'r>,
    quote: &'r str,
    rule: &'r str,
    found_by: &'r str,
}

#[derive(Debug, Serialize)]
struct SourceJson<'r> {
    source: &'r str,
    url: &'r str,
    fate: &'static str,
    gave_rules: bool,
    obligations: Option<usize>,
    to: Option<&'r str>,
    why: Option<&'r str>,
}

impl<'r> DriftReport<'r> {
    fn of(slug: &'r Slug, compared: &'r Compared) -> Self {
        let Drift { rules, sentences, sources } = &compared.drift;
        DriftReport {
            schema: 1,
            project: slug.as_str(),
            change: compared.drift.is_change(),
            complete: compared.drift.is_complete(),
            then: compared.then.as_ref().map(StateJson::of),
            now: StateJson::of(&compared.now),
            rules: rules.iter().map(RuleJson::of).collect(),
            sentences: sentences.iter().map(SentenceJson::of).collect(),
            sources: sources.iter().map(SourceJson::of).collect(),
        }
    }
}

impl<'r> StateJson<'r> {
    fn of(state: &'r State) -> Self {
        StateJson {
            version: state.version.as_deref(),
            commit: state.commit.as_deref(),
            note: state.note.as_deref(),
        }
    }
}

impl<'r> PlaceJson<'r> {
    fn of(place: &'r Place) -> Self {
        PlaceJson { source: &place.source, section: &place.section.0, url: &place.url }
    }
}

impl<'r> RuleJson<'r> {
    fn of(drift: &'r RuleDrift) -> Self {
        let (now, change, why) = match &drift.fate {
            Fate::Same => (Some(&drift.then), None, None),
            Fate::Moved(now) => (Some(now), None, None),
            Fate::Changed(now, change) => (Some(now), Some(change), None),
            Fate::Gone(why) | Fate::Unknown(why) => (None, None, Some(why.as_str())),
        };
        RuleJson {
            rule: drift.rule.to_string(),
            fate: fate_name(&drift.fate),
            quote: &drift.quote,
            then: PlaceJson::of(&drift.then),
            now: now.map(PlaceJson::of),
            change: change.map(ChangeJson::of),
            why,
        }
    }
}

impl<'r> ChangeJson<'r> {
    fn of(change: &'r Change) -> Self {
        let side = |side: Side| match side {
            Side::Both => "both",
            Side::Then => "then",
            Side::Now => "now",
        };
        let parts = change.difference.iter();
        ChangeJson {
            part: match change.part {
                Part::Quote => "quote",
                Part::Context => "context",
            },
            passage: change.passage.as_deref(),
            similar: change.similar,
            difference: parts.map(|(of, words)| PartJson { side: side(*of), words }).collect(),
        }
    }
}

impl<'r> SentenceJson<'r> {
    fn of(sentence: &'r NewSentence) -> Self {
        SentenceJson {
            place: PlaceJson::of(&sentence.place),
            quote: &sentence.quote,
            rule: &sentence.rule,
            found_by: &sentence.found_by,
        }
    }
}

impl<'r> SourceJson<'r> {
    fn of(drift: &'r SourceDrift) -> Self {
        let (fate, obligations, to, why) = match &drift.fate {
            SourceFate::New { obligations } => ("new", Some(*obligations), None, None),
            SourceFate::Gone(why) => ("gone", None, None, Some(why.as_str())),
            SourceFate::Renamed(to) => ("renamed", None, Some(to.as_str()), None),
            SourceFate::Unread(why) => ("unread", None, None, Some(why.as_str())),
        };
        let SourceDrift { source, url, gave_rules, .. } = drift;
        SourceJson { source, url, fate, gave_rules: *gave_rules, obligations, to, why }
    }
}
