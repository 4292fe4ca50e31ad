//! Python files that people wrote: the machine's own library, and the trees that `POLC_PYTHON_TREES` names,
//! parted by colons. What we read is compared with what Python reads.

use polc_checker::python::{Kind, Python, Source, Version};
use polc_testkit::shared;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How many files are read where nothing names a tree: one in so many of the library.
const USUAL: usize = 250;

fn is_python(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "py") && path.is_file()
}

/// Below a folder, links not followed.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() && is_python(&entry.path()) => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn library() -> Option<PathBuf> {
    let asked =
        Command::new("python3").args(["-c", "import os; print(os.path.dirname(os.__file__))"]).output();
    let said = String::from_utf8(asked.ok()?.stdout).ok()?;
    Some(PathBuf::from(said.trim())).filter(|folder| folder.is_dir())
}

fn files() -> Vec<PathBuf> {
    let beside =
        || ["sites", "runs"].into_iter().filter_map(shared::shared).flat_map(|folder| below(&folder));
    if let Some(trees) = std::env::var_os("POLC_PYTHON_TREES") {
        return std::env::split_paths(&trees).flat_map(|tree| below(&tree)).chain(beside()).collect();
    }
    let library = library().map(|folder| below(&folder)).unwrap_or_default();
    let step = (library.len() / USUAL).max(1);
    library.into_iter().step_by(step).chain(beside()).collect()
}

fn count(python: Python<'_>, kind: Kind) -> usize {
    python.of(kind).count()
}

/// What `python_facts.py` says, as we see it.
fn facts(source: &Source) -> Value {
    let python = match source.read() {
        Ok(python) => python,
        Err(fault) => return json!({ "fault": format!("line {}: {}", fault.line, fault.message) }),
    };
    let docstrings: Vec<Value> = python
        .docstrings()
        .into_iter()
        .map(|docstring| {
            let value = docstring.value();
            let found = polc_checker::docstring::examples(&value);
            let faulty = found.iter().any(|example| example.fault.is_some());
            let examples: Vec<Value> = found
                .iter()
                .map(|example| json!([example.source, example.want, example.lines.start()]))
                .collect();
            let examples = if faulty { Value::Null } else { json!(examples) };
            json!([docstring.lines().start(), docstring.lines().end(), docstring.text(), examples])
        })
        .collect();
    let spans: Vec<Value> = python
        .definitions()
        .into_iter()
        .map(|found| {
            let lines = found.lines_without_decorators();
            json!([found.name(), lines.start(), lines.end()])
        })
        .collect();
    let formatted = count(python, Kind::FString) > 0;
    let strings: Vec<Value> = python
        .of(Kind::Str)
        .map(|string| {
            let before = string.file().text()[..string.bytes().start].rsplit('\n').next().unwrap().len();
            json!([string.line(), before, string.string()])
        })
        .collect();
    json!({
        "functions": count(python, Kind::Function),
        "classes": count(python, Kind::Class),
        "calls": count(python, Kind::Call),
        "imports": count(python, Kind::Alias),
        "raises": count(python, Kind::Raise),
        "asserts": count(python, Kind::Assert),
        "tries": count(python, Kind::Try),
        "lambdas": count(python, Kind::Lambda),
        "decorators": count(python, Kind::Decorator),
        "parameters": count(python, Kind::Parameter),
        "docstrings": docstrings,
        "spans": spans,
        "strings": if formatted { Value::Null } else { json!(strings) },
        "comments": python.comments().count(),
    })
}

fn sorted(value: &Value) -> Vec<Value> {
    let mut values = value.as_array().cloned().unwrap_or_default();
    values.sort_by_key(Value::to_string);
    values
}

/// The names of the facts that differ. Python's tokenizer gives up on some files that parse.
fn differences(ours: &Value, theirs: &Value) -> Vec<String> {
    let keys = theirs.as_object().into_iter().flatten();
    keys.filter(|(key, theirs)| match key.as_str() {
        "strings" => !theirs.is_null() && sorted(&ours["strings"]) != sorted(theirs),
        "comments" => !theirs.is_null() && ours["comments"] != **theirs,
        _ => ours[key.as_str()] != **theirs,
    })
    .map(|(key, theirs)| {
        let ours = &ours[key.as_str()];
        let empty = Vec::new();
        let (mine, other) = (ours.as_array().unwrap_or(&empty), theirs.as_array().unwrap_or(&empty));
        let first = mine.iter().zip(other).find(|(mine, other)| mine != other);
        match first {
            Some((mine, other)) => format!("{key}:\n    {mine}\n    {other}"),
            None => format!("{key}: {} {}", mine.len(), other.len()),
        }
    })
    .collect()
}

/// Every use of every handle, so that whatever could panic does.
pub(crate) fn touch_all(python: Python<'_>) -> usize {
    let mut seen = 0;
    for node in python.nodes() {
        seen +=
            node.text().len() + usize::from(node.resolve().is_some()) + usize::from(node.literal().is_some());
        seen += node.string_text().map_or(0, |text| text.len()) + node.line();
    }
    for found in python.definitions() {
        seen += found.qualified_name().len() + found.lines_without_decorators().count();
        seen +=
            found.header_lines().count() + usize::from(found.is_public()) + usize::from(found.is_property());
        seen += found.parameters().filter(|parameter| parameter.default().is_some()).count();
    }
    for docstring in python.docstrings() {
        let doc = docstring.read();
        seen += doc.summary().len() + doc.parameters().len() + docstring.unknown_parameters().len();
        assert!(doc.lines().iter().all(|line| docstring.lines().contains(&line.number)));
        assert!(doc.sections().iter().all(|section| docstring.lines().contains(section.lines.end())));
    }
    seen += python.imports().iter().filter(|import| import.target().is_some()).count();
    seen += python.raises().iter().filter(|raise| raise.message().is_some()).count();
    seen += python.comments().map(|comment| comment.pragmas().len()).sum::<usize>();
    seen + python.assignments().iter().map(|found| found.targets().len()).sum::<usize>()
}

/// No file is too odd to be read or refused.
#[test]
fn every_file_is_read_or_refused() {
    let [mut read, mut parsed, mut nodes, mut newer] = [0_usize; 4];
    let mut refused = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        read += 1;
        let source = Source::new("pkg/module.py", text);
        match source.read() {
            Ok(python) => {
                parsed += 1;
                nodes += python.nodes().count();
                newer += usize::from(python.newer_than(Version(10)).next().is_some());
                touch_all(python);
            }
            Err(fault) => refused.push(format!("{}:{}: {}", path.display(), fault.line, fault.message)),
        }
    }
    let counts = format!("{read} read, {parsed} parsed, {newer} newer than 3.10, {nodes} nodes");
    let _written = writeln!(std::io::stderr(), "python trees: {counts}, {} refused", refused.len());
    if let Some(report) = std::env::var_os("POLC_PYTHON_REPORT") {
        std::fs::write(report, format!("{counts}\n{}\n", refused.join("\n"))).unwrap();
    }
    // What people keep in trees is mostly Python; a few files are there to be refused.
    assert!(parsed * 10 >= read * 9, "{counts}: {refused:#?}");
}

/// Every file reads as Python reads it: parsed or not, definitions with their lines, docstrings with their
/// texts and examples, strings, comments.
#[test]
fn files_are_read_as_python_reads_them() {
    let files = files();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/python_facts.py");
    let python = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = python else { return shared::skip("no `python3` to compare with") };
    let mut paths = python.stdin.take().unwrap();
    let list: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    let writer = std::thread::spawn(move || paths.write_all(list.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let [mut read, mut parsed, mut newer, mut docs, mut definitions, mut nodes] = [0_usize; 6];
    let mut faults = Vec::new();
    for (path, theirs) in files.iter().zip(said.lines()) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let theirs: Value = serde_json::from_str(theirs).unwrap();
        let source = Source::new("pkg/module.py", text);
        let ours = facts(&source);
        read += 1;
        if let Ok(python) = source.read() {
            touch_all(python);
            nodes += python.nodes().count();
        }
        match (ours.get("fault"), theirs.get("fault")) {
            (Some(_), Some(_)) => {}
            // Python 3.11 and 3.12 may be what is installed; syntax that came later is told as such.
            (None, Some(_)) if source.read().unwrap().newer_than(Version(9)).next().is_some() => newer += 1,
            (Some(ours), None) => faults.push(format!("{}: only Python reads it: {ours}", path.display())),
            (None, Some(theirs)) => faults.push(format!("{}: only we read it: {theirs}", path.display())),
            (None, None) if theirs.is_null() => {}
            (None, None) => {
                parsed += 1;
                docs += ours["docstrings"].as_array().unwrap().len();
                definitions += ours["spans"].as_array().unwrap().len();
                let differ = differences(&ours, &theirs);
                faults.extend(differ.into_iter().map(|fact| format!("{}: {fact}", path.display())));
            }
        }
    }
    let counts = format!(
        "{read} files, {parsed} parsed by both, {newer} of newer syntax, {definitions} definitions, {docs} docstrings, \
         {nodes} nodes"
    );
    let _written = writeln!(std::io::stderr(), "python trees: {counts}");
    if let Some(report) = std::env::var_os("POLC_PYTHON_REPORT") {
        std::fs::write(report, format!("{counts}\n{}\n", faults.join("\n"))).unwrap();
    }
    assert!(read > 0, "no Python file was found");
    let shown: Vec<&String> = faults.iter().take(20).collect();
    assert!(faults.is_empty(), "{} differences, of {counts}: {shown:#?}", faults.len());
}
