//! A model that reads: it answers polc's questions about passages and pages by the words of their lines, honestly or as
//! a text in the prompt tells it to.
//!
//! It knows the form of the questions and nothing of the code that checks its answers.

use crate::Asked;
use serde_json::{Value, json};

/// A numbered line of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number.
    pub number: u64,
    /// What else stands in its brackets.
    pub marks: String,
    /// The sentence, or the headings of a section.
    pub text: String,
}

/// The sentences that a question about a passage asks about.
pub fn sentences(question: &str) -> Vec<Line> {
    question.lines().filter_map(|line| numbered(line.strip_prefix('[')?)).collect()
}

/// The sections that a question about a page asks about, each with its sentences.
pub fn sections(question: &str) -> Vec<(Line, Vec<String>)> {
    let mut sections: Vec<(Line, Vec<String>)> = Vec::new();
    for line in question.lines().skip_while(|line| !line.starts_with("<<<block")).skip(1) {
        if line.starts_with("block ") && line.ends_with(">>>") {
            break;
        }
        match (line.strip_prefix("# [").and_then(numbered), sections.last_mut()) {
            (Some(section), _) => sections.push((section, Vec::new())),
            (None, Some((_, sentences))) => {
                let marks = ["- ", "(hidden) "];
                let bare = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
                sentences.push(bare.to_owned());
            }
            (None, None) => {}
        }
    }
    sections
}

fn numbered(rest: &str) -> Option<Line> {
    let (mark, text) = rest.split_once("] ")?;
    let (number, marks) = mark.split_once(' ').unwrap_or((mark, ""));
    Some(Line { number: number.parse().ok()?, marks: marks.to_owned(), text: text.to_owned() })
}

const PROHIBITED: [&str; 5] = ["Never ", "Do not ", "Don't ", " must not ", " may not "];
const MUST: [&str; 12] = [
    "Keep ", "Run ", "Add ", "Write ", "Use ", "Put ", "Begin ", "Say ", "Every ", "Wrap ", "Sign ", " must ",
];
const SHOULD: [&str; 3] = ["Please ", " should ", "Prefer "];

/// What the verb of a sentence implies; none where it obliges nobody.
fn modal(sentence: &str) -> Option<&'static str> {
    let has = |words: &[&str]| {
        words.iter().any(|word| {
            if word.starts_with(' ') { sentence.contains(word) } else { sentence.starts_with(word) }
        })
    };
    match sentence {
        _ if has(&PROHIBITED) => Some("prohibited"),
        _ if has(&SHOULD) => Some("should"),
        _ if has(&MUST) => Some("must"),
        _ => None,
    }
}

/// A rule as this model reports it.
pub fn rule(line: &Line, modal: &str) -> Value {
    json!({
        "sentences": [line.number], "quote": line.text, "rule": line.text, "modal": modal,
        "applies_to": ["code"], "category": "Code and quality", "context": []
    })
}

/// The honest answer to a question, whichever it is.
pub fn honest(question: &str) -> Value {
    if question.contains("Draw the rules from one passage") { passage(question) } else { page(question) }
}

fn passage(question: &str) -> Value {
    let lines = sentences(question);
    let rules: Vec<Value> = lines.iter().filter_map(|line| Some(rule(line, modal(&line.text)?))).collect();
    let introduces = |line: &Line| {
        let item = format!("item of {}", line.number);
        lines.iter().any(|other| other.marks.ends_with(&item) && modal(&other.text).is_some())
    };
    let others: Vec<u64> = lines
        .iter()
        .filter(|line| modal(&line.text).is_none() && !introduces(line))
        .map(|line| line.number)
        .collect();
    let no_rule =
        if others.is_empty() { json!([]) } else { json!([{"sentences": others, "reason": "description"}]) };
    json!({"rules": rules, "restates": [], "no_rule": no_rule, "addressed_to_models": []})
}

fn page(question: &str) -> Value {
    let sections: Vec<Value> = sections(question)
        .into_iter()
        .map(|(section, sentences)| match sentences.iter().find(|sentence| modal(sentence).is_some()) {
            Some(quote) => json!({
                "section": section.number, "verdict": "in", "quote": quote,
                "reason": format!("it obliges contributors, as section {} says", section.number)
            }),
            None => json!({
                "section": section.number, "verdict": "X-NARRATIVE",
                "reason": format!("section {} obliges nobody", section.number)
            }),
        })
        .collect();
    json!({"sections": sections, "needed_for_context": false, "reason": "A page for contributors."})
}

/// The answer of a model that does whatever any text tells it: a text of the form `polc-model: ORDER` with an argument
/// in double quotes, wherever it stands in what it reads.
pub fn obedient(asked: &Asked) -> String {
    obey(asked.question(), asked.question())
}

/// The same, where only some of what it reads is an order to it.
pub fn obey(question: &str, orders: &str) -> String {
    let mut answer = honest(question);
    for order in orders.split("polc-model: ").skip(1) {
        let order = order.lines().next().unwrap_or_default();
        let argument = order.split('"').nth(1).unwrap_or_default();
        if order.starts_with("answer in words") {
            return argument.to_owned();
        }
        carry_out(order, argument, question, &mut answer);
    }
    answer.to_string()
}

fn carry_out(order: &str, argument: &str, question: &str, answer: &mut Value) {
    let mut each = |list: &str, change: &dyn Fn(&mut Value)| {
        answer.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten().for_each(change);
    };
    match order.split('"').next().unwrap_or_default().trim() {
        "report nothing" => {
            *answer = json!({"rules": [], "restates": [], "no_rule": [], "addressed_to_models": []})
        }
        "everything is" => each("sections", &|section| {
            section["verdict"] = json!(argument);
        }),
        "all rules are" => each("rules", &|rule| rule["modal"] = json!(argument)),
        "the category is" => each("rules", &|rule| rule["category"] = json!(argument)),
        "end every rule with" => each("rules", &|rule| {
            let said = rule["rule"].as_str().unwrap_or_default().trim_end_matches('.').to_owned();
            rule["rule"] = json!(format!("{said} {argument}."));
        }),
        "every rule has the exception" => {
            let number: u64 = argument.parse().unwrap_or_default();
            each("rules", &|rule| rule["context"] = json!([{"kind": "exception", "sentence": number}]));
        }
        "end every condition with" => {
            each("rules", &|rule| rule["condition"] = json!(format!("if {argument}")))
        }
        "end every reason with" => each("sections", &|section| {
            section["reason"] =
                json!(format!("{} {argument}", section["reason"].as_str().unwrap_or_default()));
        }),
        "say instead of every quote" => {
            each("rules", &|rule| rule["quote"] = json!(argument));
            each("sections", &|section| section["quote"] = json!(argument));
        }
        "number every sentence" => {
            let number: u64 = argument.parse().unwrap_or_default();
            each("rules", &|rule| rule["sentences"] = json!([number]));
            each("sections", &|section| section["section"] = json!(number));
        }
        "add the key" => answer[argument] = json!(true),
        "the rule is" => {
            let line = sentences(question).into_iter().next();
            if let (Some(line), Some(rules)) = (line, answer.get_mut("rules").and_then(Value::as_array_mut)) {
                rules.push(rule(&Line { text: argument.to_owned(), ..line }, "must"));
            }
        }
        "no rule is" => leave_out(argument, question, answer),
        "there is no sentence" => {
            leave_out(argument, question, answer);
            answer["no_rule"] = json!([]);
        }
        "everything restates" => {
            let restates: Vec<Value> = sentences(question)
                .iter()
                .map(|line| json!({"sentence": line.number, "rule": argument.parse::<u64>().unwrap_or(1)}))
                .collect();
            *answer = json!({"rules": [], "restates": restates, "no_rule": [], "addressed_to_models": []});
        }
        "the page is in because of" => each("sections", &|section| {
            section["verdict"] = json!("in");
            section["quote"] = json!(argument);
        }),
        "leave out section" => {
            if let Some(sections) = answer.get_mut("sections").and_then(Value::as_array_mut) {
                let number: Option<u64> = argument.parse().ok();
                sections.retain(|section| section["section"].as_u64() != number);
            }
        }
        _ => {}
    }
}

/// The sentences with these words are no rules.
fn leave_out(words: &str, question: &str, answer: &mut Value) {
    let meant: Vec<u64> = sentences(question)
        .into_iter()
        .filter(|line| line.text.contains(words) && !line.text.contains("polc-model"))
        .map(|line| line.number)
        .collect();
    let is_meant = |rule: &Value| meant.iter().any(|number| rule["sentences"] == json!([number]));
    if let Some(rules) = answer.get_mut("rules").and_then(Value::as_array_mut) {
        rules.retain(|rule| !is_meant(rule));
    }
    if let (Some(no_rule), false) =
        (answer.get_mut("no_rule").and_then(Value::as_array_mut), meant.is_empty())
    {
        no_rule.push(json!({"sentences": meant, "reason": "not addressed to contributors"}));
    }
}
