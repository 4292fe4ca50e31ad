use polc_checker::diff::{Diff, HunkLine, lines};
use polc_testkit::shared;
use proptest::prelude::*;

/// The two texts of the first file of a unified diff, read by the counts of its hunk headers; lines
/// that no hunk shows are filled in.
fn sides(diff: &str) -> (String, String) {
    let (mut base, mut head) = (Vec::new(), Vec::new());
    let mut rest = diff.split('\n').skip_while(|line| !line.starts_with("@@")).peekable();
    let (mut base_end, mut head_end) = ("\n", "\n");
    while let Some(header) = rest.next().filter(|line| line.starts_with("@@")) {
        let mut numbers = header.split(' ').skip(1).take(2).map(|range| {
            let mut parts = range[1..].split(',').map(|number| number.parse::<usize>().unwrap());
            (parts.next().unwrap(), parts.next().unwrap_or(1))
        });
        let ((old_start, mut old), (new_start, mut new)) = (numbers.next().unwrap(), numbers.next().unwrap());
        let fill = |side: &mut Vec<String>, start: usize| {
            while side.len() + 1 < start {
                side.push(format!("unseen {}", side.len() + 1));
            }
        };
        fill(&mut base, old_start);
        fill(&mut head, new_start);
        let mut last = ' ';
        while old > 0 || new > 0 || rest.peek().is_some_and(|line| line.starts_with('\\')) {
            let line = rest.next().unwrap();
            let (mark, text) = line.split_at(1);
            match mark {
                "\\" => match last {
                    '-' => base_end = "",
                    '+' => head_end = "",
                    _ => (base_end, head_end) = ("", ""),
                },
                "-" => {
                    base.push(text.to_owned());
                    old -= 1;
                }
                "+" => {
                    head.push(text.to_owned());
                    new -= 1;
                }
                _ => {
                    base.push(text.to_owned());
                    head.push(text.to_owned());
                    old -= 1;
                    new -= 1;
                }
            }
            last = mark.chars().next().unwrap();
        }
    }
    (base.join("\n") + base_end, head.join("\n") + head_end)
}

fn added(diff: &Diff) -> Vec<String> {
    let lines = diff.hunks().iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter_map(|line| match line {
            HunkLine::Added(text) => Some(text.clone()),
            HunkLine::Context(_) | HunkLine::Removed(_) => None,
        })
        .collect()
}

fn texts(value: &serde_json::Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The hard case gd1: lines that look like the headers of a diff are lines.
#[test]
fn lines_that_look_like_headers() {
    let Some(case) = shared::case("gd1") else { return };
    let (base, head) = sides(case["input"]["diff"].as_str().unwrap());
    let diff = Diff::between(&base, &head);
    assert_eq!(added(&diff).len() as u64, case["expected"]["added"].as_u64().unwrap());
    assert_eq!(diff.removed().count() as u64, case["expected"]["removed"].as_u64().unwrap());
    assert!(
        added(&diff).contains(&"++ header note".to_owned())
            && diff.removed().any(|line| line == "-- header note")
    );
    assert_eq!(diff.authored().len(), 2);
}

/// The hard case gd2: only `\n` ends a line.
#[test]
fn carriage_returns_and_form_feeds_are_part_of_a_line() {
    let Some(case) = shared::case("gd2") else { return };
    let (base, head) = sides(case["input"]["diff"].as_str().unwrap());
    let diff = Diff::between(&base, &head);
    assert_eq!(added(&diff), texts(&case["expected"]["added"]));
    assert_eq!(diff.removed().map(str::to_owned).collect::<Vec<_>>(), texts(&case["expected"]["removed"]));
    let context: Vec<String> = diff.hunks()[0]
        .lines
        .iter()
        .filter_map(|line| match line {
            HunkLine::Context(text) => Some(text.clone()),
            HunkLine::Added(_) | HunkLine::Removed(_) => None,
        })
        .collect();
    assert_eq!(context, texts(&case["expected"]["context"]));
}

/// The hard case gd3: the mark of a missing line end counts for no line.
#[test]
fn a_missing_line_end_moves_no_number() {
    let Some(case) = shared::case("gd3") else { return };
    let (base, head) = sides(case["input"]["diff"].as_str().unwrap());
    let diff = Diff::between(&base, &head);
    let numbered: serde_json::Map<String, serde_json::Value> = diff
        .authored()
        .iter()
        .map(|number| (number.to_string(), serde_json::json!(lines(&head)[number - 1])))
        .collect();
    assert_eq!(serde_json::Value::Object(numbered), case["expected"]["added"]);
    assert_eq!(diff.removed().collect::<Vec<_>>(), ["last"]);
    assert_eq!(diff.ends_with_newline(), case["expected"]["new_file_ends_with_newline"]);
}

#[test]
fn a_deletion_leaves_an_anchor() {
    let anchors =
        |base: &str, head: &str| Diff::between(base, head).anchors().iter().copied().collect::<Vec<_>>();
    assert_eq!(anchors("a\nb\nc\n", "a\nc\n"), [2], "the line that now stands there");
    assert_eq!(anchors("a\nb\n", "a\n"), [1], "at the end, the last line");
    assert_eq!(anchors("a\n", ""), [1], "of nothing, the first");
    assert_eq!(anchors("b\na\n", "a\n"), [1]);
    assert!(anchors("a\n", "a\nb\n").is_empty());
    let diff = Diff::between("a\nb\nc\n", "a\nc\n");
    assert!(diff.touches(&(2..=3)) && !diff.touches(&(1..=1)) && !diff.authors_all(&(2..=2)));
}

proptest! {
    /// Hunks rebuild the new text from the old one.
    #[test]
    fn hunks_lead_from_one_text_to_the_other(
        base in proptest::collection::vec("[ab\r]{0,2}", 0..12),
        head in proptest::collection::vec("[ab\r]{0,2}", 0..12),
    ) {
        let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let (old, new) = (text(&base), text(&head));
        let diff = Diff::between(&old, &new);
        let mut rebuilt: Vec<String> = Vec::new();
        let mut at = 0;
        for hunk in diff.hunks() {
            rebuilt.extend(base[at..hunk.old_start - 1].iter().cloned());
            prop_assert_eq!(rebuilt.len() + 1, hunk.new_start);
            at = hunk.old_start - 1;
            for line in &hunk.lines {
                match line {
                    HunkLine::Context(text) => {
                        prop_assert_eq!(&base[at], text);
                        rebuilt.push(text.clone());
                        at += 1;
                    }
                    HunkLine::Removed(text) => {
                        prop_assert_eq!(&base[at], text);
                        at += 1;
                    }
                    HunkLine::Added(text) => {
                        rebuilt.push(text.clone());
                        prop_assert!(diff.authored().contains(&rebuilt.len()));
                    }
                }
            }
        }
        rebuilt.extend(base[at..].iter().cloned());
        prop_assert_eq!(rebuilt, head);
        prop_assert!(diff.anchors().iter().all(|anchor| *anchor >= 1 && *anchor <= lines(&new).len().max(1)));
    }

    /// Hunks alone say the same as the texts, also after the way through JSON.
    #[test]
    fn hunks_say_what_was_written_and_where_lines_were_deleted(
        base in proptest::collection::vec("[ab]{0,2}", 0..16),
        head in proptest::collection::vec("[ab]{0,2}", 0..16),
        ended in any::<[bool; 2]>(),
    ) {
        let text = |lines: &[String], ended: bool| {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            if ended { text } else { text.trim_end_matches('\n').to_owned() }
        };
        let diff = Diff::between(&text(&base, ended[0]), &text(&head, ended[1]));
        let json = serde_json::to_string(diff.hunks()).unwrap();
        let alone = Diff::of_hunks(serde_json::from_str(&json).unwrap());
        prop_assert_eq!(alone.authored(), diff.authored());
        prop_assert_eq!(alone.anchors(), diff.anchors());
        prop_assert_eq!(alone.hunks(), diff.hunks());
        if diff.authored().contains(&lines(&text(&head, ended[1])).len()) {
            prop_assert_eq!(alone.ends_with_newline(), diff.ends_with_newline());
        }
    }
}
