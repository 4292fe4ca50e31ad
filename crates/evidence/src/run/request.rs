//! The text of a pull request, out of what an agent said.

use crate::transcript::Transcript;
use polc_checker::evidence::PullRequest;

/// What the agent is told to begin the text with.
const MARKER: &str = "PR SUBMISSION:";

/// The pull request: from its own place in the format, or else from the last message of the agent
/// that has the marker. Prompts have it too, and are not looked at.
pub(super) fn pull_request(transcript: &Transcript) -> Option<PullRequest> {
    match &transcript.pull_request {
        Some(text) => Some(of_text(text)),
        None => transcript.said.iter().rev().find_map(|said| after_marker(said)).map(of_text),
    }
}

/// What follows the marker: the first one that begins a line, or else the first one.
fn after_marker(said: &str) -> Option<&str> {
    let begins_a_line = |at: &usize| {
        let line = said[..*at].rsplit('\n').next().unwrap_or_default();
        line.chars().all(|c| matches!(c, ' ' | '\t' | '#' | '*' | '_' | '>'))
    };
    let found: Vec<usize> = said.match_indices(MARKER).map(|(at, _)| at).collect();
    let at = found.iter().find(|at| begins_a_line(at)).or(found.first())?;
    Some(said[at + MARKER.len()..].trim_start_matches(['*', '_']))
}

/// Takes a text apart. A text has a title where its first line looks like one: a heading of the
/// first level, a line that says `Title:`, or a line of prose that stands alone.
fn of_text(text: &str) -> PullRequest {
    let text = text.replace("\r\n", "\n");
    let text = unwrapped(text.trim()).trim();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match title(first, rest) {
        Some(title) => PullRequest { title, body: rest.trim_start_matches('\n').to_owned() },
        None => PullRequest { title: String::new(), body: text.to_owned() },
    }
}

fn title(first: &str, rest: &str) -> Option<String> {
    let first = first.trim();
    if let Some(heading) = first.strip_prefix("# ") {
        return Some(named(heading).unwrap_or(heading).trim().to_owned());
    }
    if let Some(named) = named(first) {
        return Some(named.to_owned());
    }
    let stands_alone = rest.is_empty() || rest.starts_with('\n');
    let is_prose = !first.starts_with(['#', '-', '*', '+', '>', '<', '`', '|']);
    (stands_alone && is_prose && !first.is_empty()).then(|| first.to_owned())
}

/// What a line names as the title: `Title: …`, `**PR title:** …`.
fn named(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(['*', '_']);
    let bare = bare.strip_prefix("PR ").unwrap_or(bare);
    let after = bare.get(..5).filter(|word| word.eq_ignore_ascii_case("title")).map(|_| &bare[5..])?;
    let after = after.trim_start_matches(['*', '_']).strip_prefix(':')?;
    Some(after.trim_start_matches(['*', '_']).trim())
}

/// A text without a fence that is around all of it.
fn unwrapped(text: &str) -> &str {
    let ticks = |line: &str| line.trim_start().chars().take_while(|c| *c == '`').count();
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let Some((inside, last)) = rest.rsplit_once('\n').or(Some(("", rest))) else { return text };
    let opening = ticks(first);
    let closes = |line: &str| ticks(line) >= opening && line.trim().chars().all(|c| c == '`');
    if opening < 3 || !closes(last) {
        return text;
    }
    // A fence that closes within closes the first one: then the last one belongs to another block.
    let mut open = false;
    for line in inside.split('\n').filter(|line| ticks(line) >= opening) {
        if !open && closes(line) {
            return text;
        }
        open = !open;
    }
    if open { text } else { inside }
}
