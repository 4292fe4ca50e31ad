//! Every fault of a file is told with the file, the place, the value and what would have been right.

use polc_records::Problem;
use polc_records::corpus::Corpus;
use polc_records::decisions::{Decisions, DecisionsFile};
use polc_records::extraction::Extraction;
use polc_records::facts::{FactsFile, FactsHeader, load_facts};
use polc_records::ids::Slug;
use polc_records::ledger::LedgerFile;
use polc_records::manifest::Manifest;
use polc_records::pages::{PagesFile, PagesHeader};
use polc_records::pin::Pin;
use polc_records::project::{CodeHost, Place, Project};
use polc_records::proposal::{ProposalFile, ProposalHeader};
use polc_records::store::{
    JsonLines, TomlFile, TomlRecord, parse_lines, parse_toml, render_lines, render_toml, write_atomically,
};
use std::path::Path;

const PATH: &str = "corpora/zoo/file";

#[track_caller]
fn says<T: std::fmt::Debug>(result: Result<T, Problem>, parts: &[&str]) {
    let text = result.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert!(text.starts_with(PATH), "{text}");
    assert!(text.contains("\nhelp: "), "{text}");
}

fn newer_toml<T: TomlFile + std::fmt::Debug>() {
    let path = Path::new(PATH);
    let newer = format!("schema = {}\nunheard_of = true\n", T::SCHEMA + 1);
    says(parse_toml::<T>(path, &newer), &[T::WHAT, "`schema`", "install a newer polc"]);
    says(parse_toml::<T>(path, "schema = 0\n"), &["never existed"]);
    if T::OLDEST > 1 {
        says(parse_toml::<T>(path, "schema = 1\n"), &["schema 1, which is older", "changelog"]);
    }
    says(parse_toml::<T>(path, "a = 1\n"), &["no schema number"]);
}

fn newer_lines<F: JsonLines>()
where
    F::Header: std::fmt::Debug,
    F::Line: std::fmt::Debug,
{
    let path = Path::new(PATH);
    let newer = format!("{{\"schema\":{},\"unheard_of\":true}}\n", F::SCHEMA + 1);
    says(parse_lines::<F>(path, &newer), &[F::WHAT, ":1", "install a newer polc"]);
    says(parse_lines::<F>(path, ""), &["is empty"]);
    says(parse_lines::<F>(path, "{}\n"), &["no schema number"]);
    says(parse_lines::<F>(path, "{\"schema\":1\n"), &[":1:"]);
}

#[test]
fn a_file_that_is_newer_than_the_program_is_refused_with_the_remedy() {
    newer_toml::<Project>();
    newer_toml::<Pin>();
    newer_toml::<Manifest>();
    newer_toml::<polc_records::config::Config>();
    newer_toml::<polc_records::prices::Prices>();
    newer_lines::<ProposalFile>();
    newer_lines::<LedgerFile>();
    newer_lines::<DecisionsFile>();
    newer_lines::<FactsFile>();
}

const PROJECT: &str = "schema = 2\nslug = \"zoo\"\nrepository = \"zoo/zoo\"\ngit = \".\"\nsetting = \"patch\"\n\
                       links = \"\"\n";

#[test]
fn a_fault_in_toml_is_told_with_line_and_column() {
    let path = Path::new(PATH);
    let parse = |from: &str, to: &str| {
        assert!(PROJECT.contains(from));
        parse_toml::<Project>(path, &PROJECT.replace(from, to))
    };
    says(parse("git =", "gut ="), &[":4:1", "unknown field `gut`", "`git`"]);
    says(parse("\"zoo/zoo\"", "\"zoo\""), &[":3:14", "`zoo` is no repository", "org/repo"]);
    says(parse("\"zoo\"\n", "\"Zoo\"\n"), &[":2:8", "`Zoo` is no slug"]);
    says(parse("setting = \"patch\"\n", ""), &["missing field `setting`"]);
    says(parse("git = \".\"", "git = \"é\" \"."), &[":4:"]);
}

const HEADER: &str = "{\"schema\":2,\"project\":\"zoo\"}\n";

#[test]
fn a_fault_in_a_line_is_told_with_its_number() {
    let path = Path::new(PATH);
    let parse = |line: &str| parse_lines::<DecisionsFile>(path, &format!("{HEADER}{line}\n"));
    says(parse("{\"row\":{}}"), &[":2:", "missing field `row`"]);
    says(parse("{\"manifest\":{\"manifest\":\"x\",\"by\":\"\",\"at\":\"\"}}"), &[":2:", "`x` is no digest"]);
    says(parse("{\"blessing\":{}}"), &[":2:", "unknown variant `blessing`", "`manifest`"]);
    says(parse("not json"), &[":2:"]);
}

#[test]
fn the_decisions_of_another_project_are_not_taken_for_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("decisions.jsonl");
    write_atomically(&path, HEADER.as_bytes()).unwrap();
    assert!(Decisions::load(&path, &"zoo".parse().unwrap()).is_ok());
    let problem = Decisions::load(&path, &"farm".parse().unwrap()).unwrap_err().to_string();
    assert!(problem.contains(":1: `project`: these are decisions on `zoo`, not on `farm`"), "{problem}");
}

#[test]
fn facts_that_no_model_had_a_part_in_are_what_they_were() {
    let digest = polc_records::Digest::of("");
    let line = format!(
        "{{\"schema\":2,\"project\":\"zoo\",\"engine\":\"baseline\",\"engine_version\":\"2\",\"extraction\":\"{digest}\",\
         \"cues\":\"{digest}\",\"answers\":\"{digest}\",\"rubrics\":[],\"setting\":\"patch\",\"rules\":\"{digest}\"}}\n"
    );
    let (header, rules) = parse_lines::<FactsFile>(Path::new(PATH), &line).unwrap();
    assert_eq!(header.schema, FactsHeader::schema_for(None));
    assert_eq!(render_lines::<FactsFile>(Path::new(PATH), &header, &rules).unwrap(), line);
}

#[test]
fn a_fact_that_was_not_answered_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.jsonl");
    let digest = polc_records::Digest::of("");
    let text = format!(
        "{{\"schema\":2,\"project\":\"zoo\",\"engine\":\"e\",\"engine_version\":\"1\",\"extraction\":\"{digest}\",\
         \"cues\":\"{digest}\",\"answers\":\"{digest}\",\"rubrics\":[],\
         \"setting\":\"patch\",\"rules\":\"{digest}\"}}\n{{\"rule\":\"ZOO-C001\",\"artifacts\":[],\"opens\":\"\",\"failure\":\"\",\"facts\":{{}}}}\n"
    );
    write_atomically(&path, text.as_bytes()).unwrap();
    let problem = load_facts(&path).unwrap_err().to_string();
    assert!(problem.contains("facts.jsonl:2: ZOO-C001 has no answer to `standard_unwritten`"), "{problem}");
}

const EXTRACTION: &str = "ID,Source,Original text,Atomic rule,Modal level,Applies to,Category,Section context,Notes\n\
    ZOO-C001,https://a.example | Top,Do it.,Do it.,must,code,Code and quality,\"none: the section grants no \
    exception, states no consequence, names no tool and no alternative\",Form: prose | Condition: none stated\n";

#[test]
fn a_fault_in_an_extraction_is_told_with_row_line_column_and_the_values_allowed() {
    let slug: Slug = "zoo".parse().unwrap();
    let path = Path::new(PATH);
    let parse = |from: &str, to: &str| {
        assert!(EXTRACTION.contains(from), "{from}");
        Extraction::parse(path, &slug, &EXTRACTION.replacen(from, to, 1))
    };
    assert!(parse("Do it", "Do it").is_ok());
    says(
        parse(",must,", ",maybe,"),
        &[":2", "row 1", "`Modal level`", "`maybe`", "must, should, prohibited"],
    );
    says(parse(",code,", ",\"test,code\","), &["`Applies to`", "out of order", "code, test, docs"]);
    says(parse("Code and quality", "Quality"), &["`Category`", "`Quality`", "Git and commit conventions"]);
    says(parse("ZOO-C001", "Z-C001"), &["`ID`", "`Z-C001` does not carry the prefix of `zoo`"]);
    let line = EXTRACTION.split_once('\n').map_or("", |(_, line)| line);
    let twice = Extraction::parse(path, &slug, &format!("{EXTRACTION}{line}"));
    says(twice, &[":3", "row 2", "`ID`", "`ZOO-C001` is out of order or doubled"]);
    says(parse("https://a.example | Top", "Top"), &["`Source`", "the address first"]);
    says(parse(",Do it.,Do it.", ",,Do it."), &["`Original text`", "the cell is empty"]);
    says(parse("Form: prose | ", ""), &["`Notes`", "the field `Form` is missing"]);
    says(parse("Form: prose", "Form: verse"), &["`Notes`", "`verse` is no form", "list item"]);
    says(parse("stated", "stated | Mood: good"), &["`Notes`", "`Mood` is unknown"]);
    says(parse("Atomic rule,Modal", "Modal,Atomic rule"), &[":1", "column 4", "allowed: ID, Source"]);
    says(parse(",Notes\n", "\n"), &[":1", "`Notes` is missing"]);
    says(parse(",must,", ",must,extra,"), &[":2", "10 cells"]);
    says(Extraction::parse(path, &slug, ""), &["empty"]);
}

const CORPUS: &str = "ID,Source,Original text,Atomic rule,Applies to,Category,Requirement level,Evidence Type,In scope,\
    Out-of-scope route,Notes\n\
    ZOO-C001,https://a.example | Top,Do it.,Do it.,code,Code and quality,must,output,yes,,\
    \"Route: M4 | Modal: must | Quote: \"\"it\"\" | Context: none | Conclusion: in scope\"\n\
    ZOO-C002,https://a.example | Top,Do it.,Do it.,code,Code and quality,,output,no,N3 duplicate of ZOO-C001,\
    \"Modal: must | Quote: \"\"it\"\" | Context: none | Conclusion: out of scope\"\n";

#[test]
fn a_corpus_that_contradicts_itself_is_refused() {
    let slug: Slug = "zoo".parse().unwrap();
    let path = Path::new(PATH);
    let parse = |from: &str, to: &str| {
        assert!(CORPUS.contains(from), "{from}");
        Corpus::parse(path, &slug, &CORPUS.replacen(from, to, 1))
    };
    assert!(parse("Do it", "Do it").is_ok());
    says(
        parse(",must,output", ",should,output"),
        &[":2", "`Requirement level`", "does not follow from route M4"],
    );
    says(parse("yes,,", "yes,N1 not observable,"), &["`Out-of-scope route`", "a row in scope has none"]);
    says(parse(",yes,", ",perhaps,"), &["`In scope`", "`perhaps` is neither", "yes, no"]);
    says(parse(",,output,no", ",must,output,no"), &[":3", "row 2", "a row out of scope has none"]);
    says(parse("of ZOO-C001", "of ZOO-C009"), &["`ZOO-C009` does not exist"]);
    says(parse("of ZOO-C001", "of ZOO-C002"), &["out of scope itself"]);
    says(parse("N3 duplicate of ZOO-C001", "N5 bored"), &["`N5 bored`", "N1 not observable"]);
    says(parse("must,output,yes", "must,judgment,yes"), &["judgment is never in scope"]);
    says(parse("ZOO-C002", "ZOO-C001"), &["out of order or doubled"]);
    says(parse("ZOO-C002,", "PSF-C002,"), &["does not carry the prefix of `zoo`, which is `ZOO`"]);
    says(parse("Route: M4 | ", ""), &["`Notes`", "the field `Route` is missing"]);
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b.txt");
    write_atomically(&path, b"old").unwrap();
    write_atomically(&path, b"new").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    let names: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file is left: {names:?}");
    let below_a_file = path.join("c.txt");
    assert!(write_atomically(&below_a_file, b"x").is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
}

#[test]
fn what_holds_nothing_new_keeps_the_schema_and_the_bytes_of_older_programs() {
    let (path, id) = (Path::new(PATH), "2".repeat(40));
    let at = format!("commit = \"{id}\"\ndate = \"2026-01-02T03:04:05Z\"\n");
    let file =
        format!("path = \"CONTRIBUTING.md\"\nblob = \"{id}\"\nkind = \"contributing\"\npattern = \"x\"\n");
    let pin = format!(
        "# {}\n\nschema = 3\n\n[repository]\n{at}resolved_from = \"HEAD\"\n\n[repository.host]\nname = \"zoo/zoo\"\n\
         id = 42\nbranch = \"main\"\n\n[repository.defaults]\nname = \"zoo/.github\"\n{at}\n\
         [[repository.defaults.file]]\n{file}",
        <Pin as TomlRecord>::HEADER,
    );
    let read: Pin = parse_toml(path, &pin).unwrap();
    assert!(read.repository.as_ref().is_some_and(|repository| repository.siblings.is_empty()));
    assert_eq!(render_toml(path, &Pin::new(read.repository, read.site)).unwrap(), pin);
    let digest = format!("sha256:{}", "a".repeat(64));
    let pages = format!(
        "{{\"schema\":1,\"project\":\"zoo\",\"pin\":\"{digest}\"}}\n{{\"url\":\"https://zoo.example/\",\"reached\":\"the \
         entry\",\"fate\":{{\"read\":{{\"snapshot\":\"{digest}\",\"title\":\"Zoo\"}}}}}}\n"
    );
    let (header, lines) = parse_lines::<PagesFile>(path, &pages).unwrap();
    let again = PagesHeader::new(header.project, header.pin, &lines);
    assert_eq!(render_lines::<PagesFile>(path, &again, &lines).unwrap(), pages);
}

#[test]
fn the_older_forms_of_a_pin_and_a_project_are_read_and_a_pin_keeps_its_bytes() {
    let path = Path::new(PATH);
    let pin = format!(
        "# {}\n\nschema = 1\n\n[repository]\ncommit = \"{}\"\ndate = \"2026-01-02T03:04:05Z\"\nresolved_from = \"HEAD\"\n",
        <Pin as TomlRecord>::HEADER,
        "2".repeat(40)
    );
    let read: Pin = parse_toml(path, &pin).unwrap();
    assert!(read.site.is_none());
    let again = Pin::new(read.repository.clone(), None);
    assert_eq!(render_toml(path, &again).unwrap(), pin);
    let older = pin.replace("schema = 1", "schema = 2");
    let read: Pin = parse_toml(path, &older).unwrap();
    assert!(read.repository.unwrap().host.is_none());
    let project =
        "schema = 2\nslug = \"zoo\"\nrepository = \"zoo/zoo\"\nsetting = \"patch\"\nlinks = \"x\"\n";
    let read: Project = parse_toml(path, project).unwrap();
    assert!(read.docs.is_none());
    says(
        parse_toml::<Project>(path, &project.replace("= 2", "= 1")),
        &["schema 1, which is older", "changelog"],
    );
    let wrong = project.replace("setting", "docs = \"docs.example\"\nsetting");
    says(parse_toml::<Project>(path, &wrong), &["relative URL without a base"]);
    let read: Project = parse_toml(path, &project.replace("= 2", "= 3")).unwrap();
    assert_eq!((read.host, read.place()), (None, Place::Nowhere));
    let hosted = project.replace("= 2", "= 4").replace("setting", "host = \"github\"\nsetting");
    let read: Project = parse_toml(path, &hosted).unwrap();
    assert_eq!(read.place(), Place::Host(CodeHost::GitHub));
    let digest = polc_records::Digest::of("");
    let source = format!(
        "key = \"a.md\"\nurl = \"x\"\nkind = \"page\"\nsnapshot = \"{digest}\"\nrole = \"rules\"\ninclusion = \"full\"\n\
         reason = \"x\"\n"
    );
    let manifest = format!("schema = 1\npin = \"{digest}\"\n\n[[source]]\n{source}");
    let read: Manifest = parse_toml(path, &manifest).unwrap();
    assert_eq!(read.sources[0].same_text_as, None);
    let twice = format!("{manifest}same_text_as = \"b.md\"\n").replace("schema = 1", "schema = 2");
    let read: Manifest = parse_toml(path, &twice).unwrap();
    says(read.validate(path), &["`same_text_as` names `b.md`, which is no other source"]);
    let both = format!("{twice}\n[[source]]\n{}", source.replace("a.md", "b.md"));
    let read: Manifest = parse_toml(path, &both).unwrap();
    says(read.validate(path), &["rules are drawn from one of the two"]);
}

#[test]
fn a_manifest_and_a_proposal_that_no_model_had_a_part_in_are_what_they_were() {
    let digest = polc_records::Digest::of("");
    let manifest = Manifest::new(digest, Vec::new(), None);
    let text = render_toml(Path::new(PATH), &manifest).unwrap();
    assert!(text.contains("schema = 1\n") && !text.contains("asked"), "{text}");
    assert_eq!(parse_toml::<Manifest>(Path::new(PATH), &text).unwrap(), manifest);
    let line = format!(
        "{{\"schema\":1,\"project\":\"zoo\",\"engine\":\"baseline\",\"engine_version\":\"2\",\"manifest\":\"{digest}\",\
         \"cues\":\"{digest}\"}}\n"
    );
    let (header, rows) = parse_lines::<ProposalFile>(Path::new(PATH), &line).unwrap();
    assert_eq!(header.schema, ProposalHeader::schema_for(None));
    assert_eq!(render_lines::<ProposalFile>(Path::new(PATH), &header, &rows).unwrap(), line);
}
