use polc_checker::rst::{BlockKind, Destination, Dialect, ListKind, Rst, UNARGUED, VERBATIM};
use polc_testkit::shared;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Every file of reStructuredText among the sites.
pub(crate) fn sources() -> Vec<PathBuf> {
    let Some(sites) = shared::shared("sites") else { return Vec::new() };
    let is_rst = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".rst") || name.ends_with(".rst.txt")
    };
    shared::files_below(&sites).into_iter().filter(is_rst).collect()
}

/// What docutils says of files; nothing, loudly, where there is no Python with docutils.
fn by_docutils(paths: &[PathBuf]) -> Option<Vec<Value>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/oracle/docutils_facts.py");
    let has = Command::new("python3").args(["-c", "import docutils"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        shared::skip("no python3 with docutils");
        return None;
    }
    let mut python = Command::new("python3")
        .arg(script)
        .env("VERBATIM", VERBATIM.join(" "))
        .env("UNARGUED", UNARGUED.join(" "))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = python.stdin.take().unwrap();
    let list: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
    let writer = std::thread::spawn(move || stdin.write_all(list.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

fn facts(text: &str) -> Value {
    let rst = Rst::new(text);
    let items = |kind: ListKind| rst.items().iter().filter(|item| item.kind == kind).count();
    let blocks = |kind: BlockKind| rst.blocks_of(kind).count();
    let marked =
        |found: &[polc_checker::rst::Marked]| sorted(found.iter().map(|found| clean(&found.text)).collect());
    let top = rst.headings().iter().filter(|heading| heading.depth == 0);
    let mut directives: Vec<_> =
        rst.directives().iter().map(|found| (found.line, found.name.clone())).collect();
    directives.sort();
    json!({
        "headings": top.map(|heading| json!([heading.level, clean(&heading.text)])).collect::<Vec<_>>(),
        "directives": directives,
        "roles": sorted(rst.roles().iter().map(|role| role.name.clone().unwrap_or_default()).collect()),
        "literals": marked(rst.literals()),
        "emphasis": marked(rst.emphasis()),
        "strong": marked(rst.strong()),
        "substitutions": marked(rst.substitutions()),
        "links": sorted(rst.links().iter().map(|link| clean(&link.text)).collect()),
        "references": rst.references().len(),
        "notes": rst.notes().len(),
        "targets": rst.targets().iter().filter(|target| target.name.is_none() || target.to != Destination::Here || target.lines.start() == target.lines.end()).count(),
        "bullet": items(ListKind::Bullet),
        "enumerated": items(ListKind::Enumerated),
        "definition": items(ListKind::Definition),
        "field": items(ListKind::Field),
        "option": items(ListKind::Option),
        "literal": blocks(BlockKind::Literal),
        "doctest": blocks(BlockKind::Doctest),
        "table": blocks(BlockKind::Table),
        "comment": blocks(BlockKind::Comment),
        "transition": blocks(BlockKind::Transition),
        "quote": blocks(BlockKind::Quote),
    })
}

/// docutils is asked about every source of the sites. Where we differ, the fact and the file are counted.
#[test]
fn facts_are_those_of_docutils() {
    let paths = sources();
    let Some(theirs) = by_docutils(&paths) else { return };
    assert_eq!(theirs.len(), paths.len());
    let mut differences = Vec::new();
    for (path, theirs) in paths.iter().zip(&theirs) {
        let text = std::fs::read_to_string(path).unwrap();
        let ours = facts(&text);
        assert!(theirs.get("error").is_none(), "{}: {theirs}", path.display());
        for (fact, ours) in ours.as_object().unwrap() {
            if *ours != theirs[fact] {
                differences.push(format!(
                    "{fact} {}\n  ours   {ours}\n  theirs {}",
                    path.display(),
                    theirs[fact]
                ));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} facts differ:\n{}",
        differences.len(),
        paths.len() * 22,
        differences.join("\n")
    );
}

#[test]
fn a_dialect_names_directives_of_a_project() {
    let text = ".. listing:: a\n\n   .. note:: x\n";
    assert_eq!(Rst::new(text).directives().len(), 2);
    let dialect = Dialect { verbatim: &["listing"], ..Dialect::default() };
    assert_eq!(Rst::with(text, &dialect).directives().len(), 1);
}
