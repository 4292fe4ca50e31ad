//! The atomic restatement: one imperative sentence in the source's own words.

use polc_records::vocabulary::ModalLevel;

/// A clause that is an imperative already.
pub(super) fn imperative(clause: &str) -> String {
    clause.trim().to_owned()
}

/// A clause that states a norm in the present tense.
pub(super) fn sentence(clause: &str) -> String {
    format!("make sure that {}", lower_first(clause.trim()))
}

/// A clause with a modal verb. Where the subject is the contributor, the predicate alone is the rule.
pub(super) fn modal(named: bool, subject: &str, phrase: &str, predicate: &str, modal: ModalLevel) -> String {
    let (subject, predicate) = (subject.trim(), predicate.trim());
    let phrase_lower = phrase.to_lowercase();
    if let Some(asked) =
        predicate.strip_prefix("you to ").or_else(|| predicate.strip_prefix("contributors to "))
    {
        return asked.to_owned();
    }
    if named && matches!(phrase_lower.as_str(), "certify" | "promise" | "agree to" | "agree that") {
        return format!("{phrase} {predicate}");
    }
    if named && phrase_lower.ends_with("responsible for") {
        return format!("take responsibility for {predicate}");
    }
    if named && !predicate.is_empty() {
        let predicate = predicate.strip_prefix("to ").unwrap_or(predicate);
        return match modal {
            ModalLevel::Prohibited => format!("do not {predicate}"),
            ModalLevel::Must | ModalLevel::Should if phrase_lower.starts_with("avoid") => {
                format!("avoid {predicate}")
            }
            ModalLevel::Must | ModalLevel::Should if predicate.starts_with("have ") => {
                format!("make sure that you {predicate}")
            }
            ModalLevel::Must | ModalLevel::Should if predicate.starts_with("not ") => {
                format!("do {predicate}")
            }
            ModalLevel::Must | ModalLevel::Should => predicate.to_owned(),
        };
    }
    let simple = matches!(
        phrase_lower.as_str(),
        "must"
            | "shall"
            | "should"
            | "have to"
            | "has to"
            | "need to"
            | "needs to"
            | "must not"
            | "shall not"
            | "may not"
    );
    if !simple || predicate.is_empty() {
        let space = if predicate.starts_with([',', ';', ':']) { "" } else { " " };
        return sentence(format!("{subject} {phrase}{space}{predicate}").trim_end());
    }
    let plural = is_plural(subject);
    let (adverb, predicate) = match predicate.split_once(' ') {
        Some((first @ ("only" | "always" | "also" | "generally" | "normally"), rest)) => (first, rest),
        _ => ("", predicate),
    };
    let (verb, rest) = predicate.split_once(' ').unwrap_or((predicate, ""));
    let (negated, verb, rest) = match verb {
        "not" => {
            let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            (true, verb, rest)
        }
        _ => (phrase_lower.ends_with("not"), verb, rest),
    };
    let conjugated = match (verb, negated) {
        ("be", false) => (if plural { "are" } else { "is" }).to_owned(),
        ("be", true) => (if plural { "are not" } else { "is not" }).to_owned(),
        (verb, true) => format!("{} {verb}", if plural { "do not" } else { "does not" }),
        (verb, false) if plural || !verb.chars().all(|c| c.is_ascii_lowercase()) => verb.to_owned(),
        (verb, false) => third_person(verb),
    };
    // `is only opened`, but `always counts`.
    let words = if verb == "be" { [conjugated.as_str(), adverb] } else { [adverb, conjugated.as_str()] };
    let words = words.into_iter().chain([rest]).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    sentence(&format!("{subject} {words}"))
}

/// What is forbidden, with where: not in every place is in none.
pub(super) fn forbidden(what: &str) -> String {
    let what = what.strip_prefix("the ").unwrap_or(what);
    let what = what.strip_prefix("use of ").unwrap_or(what);
    format!("do not use {}", what.replacen(" in every ", " in any ", 1).replacen(" in all ", " in any ", 1))
}

/// A rule with the condition that governs it, as one sentence.
pub(super) fn with_condition(rule: &str, condition: Option<&str>) -> String {
    let rule = rule.trim().trim_end_matches(['.', ';', ',', ':', '!']).trim_end();
    let sentence = match condition {
        Some(condition) => format!("{}, {}", condition.trim(), lower_first(rule)),
        None => rule.to_owned(),
    };
    format!("{}.", upper_first(&sentence))
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Lowers the first letter, unless the first word is a name, an abbreviation or code.
pub(in crate::baseline) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else {
        return text.to_owned();
    };
    let name = second.is_some_and(char::is_uppercase) || (first == 'I' && second == Some(' '));
    if name { text.to_owned() } else { first.to_lowercase().chain(text.chars().skip(1)).collect() }
}

fn third_person(verb: &str) -> String {
    if verb == "have" {
        return "has".to_owned();
    }
    let sibilant = ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| verb.ends_with(ending));
    let consonant_y =
        verb.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|ending| verb.ends_with(ending));
    if consonant_y {
        format!("{}ies", &verb[..verb.len() - 1])
    } else if sibilant {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    }
}

/// Whether a subject is plural, by the ending of its head and of its first word.
fn is_plural(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if matches!(words.first(), Some(&"a" | &"an" | &"every" | &"each" | &"any" | &"this" | &"that" | &"no")) {
        return false;
    }
    if matches!(words.first(), Some(&"all" | &"both" | &"these" | &"those")) || words.contains(&"and") {
        return true;
    }
    // The head stands before a preposition or a relative pronoun.
    let head = words
        .iter()
        .position(|word| {
            matches!(
                *word,
                "of" | "for" | "in" | "with" | "without" | "that" | "which" | "to" | "on" | "from"
            )
        })
        .and_then(|index| words.get(index.checked_sub(1)?))
        .or(words.last());
    head.is_some_and(|head| head.ends_with('s') && !head.ends_with("ss") && !head.ends_with("us"))
}
