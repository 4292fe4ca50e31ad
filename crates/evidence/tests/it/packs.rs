//! Evidence in files: what was packed comes back as it was, and what was changed is named.

use polc_checker::evidence::{Content, Evidence, FileChange, Output, Part, Probe, Run, Step};
use polc_evidence::packed::{EvidenceFile, LARGE, Lines, Packing, evidence};
use polc_evidence::store::Store;
use polc_testkit::shared::files_below;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Any JSON, with keys and texts that look like references among the others.
fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[a-c$]{0,12}",
        "\\PC{0,40}",
        Just("sha256:".to_owned() + &"0".repeat(64)),
        Just("$stored".to_owned()),
    ];
    let key = prop_oneof![
        Just("$stored".to_owned()),
        Just("$$stored".to_owned()),
        "[$]{0,3}[a-d]{0,2}",
        Just("stored".to_owned())
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

/// The longest text in a value.
fn longest(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(longest).max().unwrap_or_default(),
        Value::Object(fields) => fields.values().map(longest).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_comes_out_of_a_store_as_it_went_in(value in json(), bytes in 0_usize..20) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let packed = store.put(value.clone(), bytes).unwrap();
        // What is left in the value is short, but for references of 71 bytes.
        prop_assert!(longest(&packed) <= bytes.max(71));
        prop_assert_eq!(store.take(packed).unwrap(), value);
    }
}

fn run(id: &str, text: &str) -> Evidence {
    let mut step = Step::shell("cat animals.txt");
    step.output = Some(Output { text: text.to_owned(), truncated: false });
    let mut probe = Probe::default();
    probe.0.insert("$stored".to_owned(), text.to_owned());
    Evidence {
        files: Part::Recorded(vec![FileChange::new("a", Content::Absent, Content::Text(text.to_owned()))]),
        steps: Part::Recorded(vec![step]),
        probe: Part::Recorded(probe),
        ..Evidence::of_nothing(Run::new(id, "zoo"))
    }
}

#[test]
fn runs_share_their_large_texts_and_come_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    let large = "lion\n".repeat(LARGE);
    let runs = [run("one", &large), run("two", &large), run("three", "small")];
    let mut packing = Packing::begin(&pack).unwrap();
    for run in &runs {
        packing.add(run).unwrap();
    }
    assert!(EvidenceFile::at(&pack).unwrap().is_none(), "a folder that is not finished is none");
    assert_eq!(packing.finish().unwrap(), 3);
    assert_eq!(files_below(&pack.join("store")).len(), 1, "one text, however many hold it");
    assert!(std::fs::metadata(pack.join("runs.jsonl")).unwrap().len() < 4096);

    for path in [pack.clone(), pack.join("runs.jsonl")] {
        let file = EvidenceFile::at(&path).unwrap().unwrap();
        let read: Vec<Evidence> =
            file.lines().unwrap().map(|line| evidence(&line.unwrap().text, file.store()).unwrap()).collect();
        assert_eq!(read, runs);
    }
    assert!(Packing::begin(&pack).unwrap_err().to_string().contains("something in this folder"));

    // A line alone does not say where its texts are.
    let line = EvidenceFile::at(&pack).unwrap().unwrap().lines().unwrap().next().unwrap().unwrap();
    let alone = evidence(&line.text, None).unwrap_err();
    assert!(alone.contains("refers to texts in a store"), "{alone}");
}

#[test]
fn a_text_that_is_gone_or_changed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    let mut packing = Packing::begin(&pack).unwrap();
    packing.add(&run("one", &"lion\n".repeat(LARGE))).unwrap();
    packing.finish().unwrap();
    let text = files_below(&pack.join("store")).remove(0);
    let file = EvidenceFile::at(&pack).unwrap().unwrap();
    let line = file.lines().unwrap().next().unwrap().unwrap();
    let fault = || evidence(&line.text, file.store()).unwrap_err();
    for (bytes, said) in
        [(&b"lion"[..], "was changed: it is sha256:"), (b"\xff", "was changed"), (b"", "was changed")]
    {
        std::fs::write(&text, bytes).unwrap();
        let fault = fault();
        assert!(fault.contains(said) && fault.contains(text.to_str().unwrap()), "{fault}");
    }
    std::fs::remove_file(&text).unwrap();
    let fault = fault();
    assert!(fault.contains("is not in the store") && fault.contains(text.to_str().unwrap()), "{fault}");

    let newer =
        std::fs::read_to_string(pack.join("pack.json")).unwrap().replace("\"schema\":1", "\"schema\":2");
    std::fs::write(pack.join("pack.json"), newer).unwrap();
    let fault = EvidenceFile::at(&pack).unwrap_err().to_string();
    assert!(fault.contains("schema"), "{fault}");
}

#[test]
fn lines_have_the_numbers_of_the_file_and_blank_ones_are_passed_over() {
    let lines: Vec<(u64, Vec<u8>)> = Lines::of(&b"a\n\n  \nb"[..])
        .map(|line| line.unwrap())
        .map(|line| (line.number, line.text))
        .collect();
    assert_eq!(lines, [(1, b"a\n".to_vec()), (4, b"b".to_vec())]);
}

#[test]
fn only_evidence_of_this_version_is_read() {
    let line = serde_json::to_string(&run("one", "lion")).unwrap();
    assert_eq!(evidence(line.as_bytes(), None).unwrap(), run("one", "lion"));
    for (text, said) in [
        (line.replace("\"schema\":2", "\"schema\":3"), "reads schema 2"),
        (line.replace("\"schema\":2,", ""), "missing field `schema`"),
        (line.replace("\"steps\"", "\"stebs\""), "stebs"),
        ("{".to_owned(), "EOF"),
    ] {
        let fault = evidence(text.as_bytes(), None).unwrap_err();
        assert!(fault.contains(said), "{fault}");
    }
}
