//! What came back from a command: in tags, as JSON, or bare.

use crate::foreign::mended;
use polc_checker::evidence::Output;
use serde::Deserialize;

/// What the scaffold writes where it ran nothing, because the command before it handed the work in.
const NOT_RUN: &str = "action was not executed";

/// What came back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Observation {
    /// The text, without what is wrapped around it.
    pub(super) text: Option<String>,
    /// Whether its middle was left out.
    truncated: bool,
    /// With what the command ended.
    code: Option<i32>,
    /// Why it did not end by itself.
    exception: Option<String>,
    wrapped: bool,
}

/// As the default configuration of version 2 renders it.
#[derive(Deserialize)]
struct Rendered {
    returncode: i32,
    output: Option<String>,
    output_head: Option<String>,
    output_tail: Option<String>,
    exception_info: Option<String>,
}

impl Observation {
    /// Reads the text that the model saw, with what was recorded beside it.
    pub(super) fn of(text: String, code: Option<i32>, exception: Option<&str>) -> Observation {
        let mut read = Observation::in_tags(&text)
            .or_else(|| Observation::as_json(&text))
            .unwrap_or_else(|| Observation { text: Some(text), ..Observation::default() });
        read.code = code.or(read.code);
        read.exception = read.exception.or(exception.filter(|it| !it.is_empty()).map(str::to_owned));
        read
    }

    /// Whether it stands there without a wrapper: no result of a command in format 1.
    pub(super) fn is_bare(&self) -> bool {
        !self.wrapped && self.code.is_none() && self.text.is_some()
    }

    /// Output and exit code of a step. A command that hands in the work is cut off by it, so that it
    /// has neither; -1 is no exit code of a command.
    pub(super) fn of_a_step(self, submits: bool) -> (Option<Output>, Option<i32>) {
        let not_run = self.exception.as_deref() == Some(NOT_RUN);
        let handed_in = submits && (self.code == Some(-1) || self.is_bare());
        if not_run || handed_in {
            return (None, None);
        }
        let text = match (self.exception, self.text) {
            (Some(exception), Some(text)) if self.wrapped => Some(format!("{exception}\n{text}")),
            (_, text) => text,
        };
        let output = text.map(|text| Output { text, truncated: self.truncated });
        (output, self.code.filter(|code| *code != -1))
    }

    fn in_tags(text: &str) -> Option<Observation> {
        let mut rest = text.trim_start();
        let mut read = Observation { wrapped: true, ..Observation::default() };
        if let Some((exception, after)) = element(rest, "exception") {
            read.exception = Some(exception.to_owned());
            rest = after.trim_start();
        }
        if let Some((code, after)) = element(rest, "returncode") {
            read.code = Some(code.trim().parse().ok()?);
            rest = after.trim_start();
        }
        if let Some(body) = rest.strip_prefix("<output>") {
            // What was printed may hold the closing tag too: the last one closes.
            let body = body.trim_end().strip_suffix("</output>")?;
            read.text = Some(body.strip_prefix('\n').unwrap_or(body).to_owned());
            return Some(read);
        }
        if let Some((_, after)) = element(rest, "warning") {
            rest = after.trim_start();
        }
        let (head, after) =
            rest.strip_prefix("<output_head>")?.split_once("</output_head>\n<elided_chars>")?;
        let (_, tail) = after.split_once("</elided_chars>\n<output_tail>")?;
        let tail = tail.trim_end().strip_suffix("</output_tail>")?;
        let inside = |part: &str| {
            let part = part.strip_prefix('\n').unwrap_or(part);
            part.strip_suffix('\n').unwrap_or(part).to_owned()
        };
        read.text = Some(format!("{}\n{}", inside(head), inside(tail)));
        read.truncated = true;
        Some(read)
    }

    fn as_json(text: &str) -> Option<Observation> {
        if !text.trim_start().starts_with('{') {
            return None;
        }
        let rendered: Rendered = serde_json::from_str(&mended(text)).ok()?;
        let truncated = rendered.output.is_none() && rendered.output_head.is_some();
        let text = match (rendered.output, rendered.output_head, rendered.output_tail) {
            (Some(output), _, _) => output,
            (None, head, tail) => [head, tail].into_iter().flatten().collect::<Vec<_>>().join("\n"),
        };
        Some(Observation {
            text: Some(text),
            truncated,
            code: Some(rendered.returncode),
            exception: rendered.exception_info.filter(|exception| !exception.is_empty()),
            wrapped: true,
        })
    }
}

/// The inside of an element that a text begins with, and what follows it.
fn element<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    text.strip_prefix(&format!("<{name}>"))?.split_once(&format!("</{name}>"))
}
