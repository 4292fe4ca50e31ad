//! Pinning and fetching from real repositories; discovery over the trees of real projects.

use polc_records::layout::DataFile;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_sources::SourcesError;
use polc_sources::discovery::Discovery;
use polc_sources::fetch::fetch;
use polc_sources::pin::{Pinned, of_checkout};
use polc_sources::project::{NewProject, ensure_root, init};
use polc_testkit::{TestRepository, shared};
use polc_text::snapshots::Snapshots;

fn discovery() -> Discovery {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stages/discovery.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    Discovery::from_data(&DataFile { path, text }).unwrap()
}

fn kind<'d>(discovery: &'d Discovery, path: &str) -> Option<&'d str> {
    discovery.find(path).map(|found| found.kind.name.as_str())
}

fn new_project(repository: &TestRepository) -> NewProject {
    NewProject {
        repository: "T/Zoo".parse().unwrap(),
        slug: None,
        git: Some(repository.path().to_path_buf()),
        host: None,
        docs: None,
        setting: "patch".to_owned(),
    }
}

/// Pins the checkout of a project as it is now.
fn pin(root: &Root, project: &Project) -> Result<Pinned, SourcesError> {
    polc_sources::pin::pin(root, project, Some(of_checkout(root, project, "HEAD")?), None)
}

#[test]
fn case_and_place_do_not_matter() {
    let discovery = discovery();
    for (path, expected) in [
        ("CONTRIBUTING.md", Some("contributing")),
        ("docs/contributing/Commits.md", Some("contributing")),
        (".github/PULL_REQUEST_TEMPLATE.md", Some("pull-request-template")),
        (".github/pull_request_template/bug.md", Some("pull-request-template")),
        ("docs/Pull_Request_Template.txt", Some("pull-request-template")),
        ("src/AGENTS.md", Some("agent-instructions")),
        (".github/copilot-instructions.md", Some("agent-instructions")),
        (".cursor/rules/a/b.mdc", Some("agent-instructions")),
        ("AI_POLICY.md", Some("ai-policy")),
        ("docs/llm-usage-policy.rst", Some("ai-policy")),
        ("maintainer_guidelines.md", Some("maintainer-guide")),
        ("newsfragments/README.rst", Some("changelog-fragments")),
        ("CODE_OF_CONDUCT.md", Some("conduct")),
        (".github/ISSUE_TEMPLATE/bug.yml", Some("issue-template")),
        ("SECURITY.md", Some("security-policy")),
        (".github/CODEOWNERS", Some("owners")),
        ("node_modules/x/CONTRIBUTING.md", None),
        ("src/main.rs", None),
    ] {
        assert_eq!(kind(&discovery, path), expected, "{path}");
    }
}

/// The policy files that people found in the trees of real projects.
#[test]
fn patterns_find_the_policy_files_of_real_trees() {
    let Some(trees) = shared::shared("sites/trees") else {
        return;
    };
    let Some(offnav) = shared::shared("sites/offnav") else {
        return;
    };
    let discovery = discovery();
    let mut missed = Vec::new();
    for project in std::fs::read_dir(&offnav).unwrap() {
        let folder = project.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !trees.join(format!("{name}.tsv")).exists() {
            continue;
        }
        for file in shared::files_below(&folder) {
            let path = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
            if discovery.find(&path).is_none() {
                missed.push(format!("{name}: {path}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_pin_stands_while_the_blobs_do() {
    let made = TestRepository::new();
    made.write("CONTRIBUTING.md", "Be kind.\n");
    made.write("docs/x.txt", "one\n");
    std::os::unix::fs::symlink("CONTRIBUTING.md", made.path().join("AGENTS.md")).unwrap();
    let first = made.commit("Start");
    let folder = tempfile::tempdir().unwrap();
    let root = ensure_root(folder.path()).unwrap();
    let project = init(&root, new_project(&made)).unwrap();
    assert_eq!(project.slug.as_str(), "t-zoo");

    let Pinned::New(written) = pin(&root, &project).unwrap() else { panic!("the first pin is new") };
    let repository = written.repository.clone().unwrap();
    assert_eq!(repository.commit.as_str(), first);
    assert_eq!(repository.date, "2026-01-02T03:04:05Z");
    assert_eq!(repository.files.len(), 1);
    assert_eq!(repository.skipped[0].path, "AGENTS.md");
    let link = TestRepository::new();
    link.write("doc/guide.adoc", "Be kind.\n");
    std::os::unix::fs::symlink("./doc/guide.adoc", link.path().join("CONTRIBUTING.md")).unwrap();
    std::os::unix::fs::symlink("nowhere.md", link.path().join("AGENTS.md")).unwrap();
    link.commit("Point to the guide");
    let beside = tempfile::tempdir().unwrap();
    let apart = ensure_root(beside.path()).unwrap();
    let linked = init(&apart, new_project(&link)).unwrap();
    let Pinned::New(pinned) = pin(&apart, &linked).unwrap() else { panic!("the first pin is new") };
    assert_eq!(pinned.files()[0].path, "CONTRIBUTING.md", "a link leads to what no pattern finds");
    assert_eq!(
        pinned.repository.as_ref().unwrap().skipped[0].reason,
        "a symbolic link to what is no file of this tree"
    );

    made.write("docs/x.txt", "two\n");
    let second = made.commit("Elsewhere");
    match pin(&root, &project).unwrap() {
        Pinned::Stands { pin, asked } => {
            assert_eq!(pin, written);
            assert_eq!(asked.unwrap().as_str(), second);
        }
        other => panic!("{other:?}"),
    }
    made.write("CONTRIBUTING.md", "Be kinder.\n");
    made.commit("Rules");
    match pin(&root, &project).unwrap() {
        Pinned::Moved { changed, .. } => assert_eq!(changed, ["CONTRIBUTING.md"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fetched_files_are_raw_and_fetching_twice_gives_the_same_bytes() {
    let made = TestRepository::new();
    let template = "<!-- Say why.\n```\n-->\n";
    made.write(".github/PULL_REQUEST_TEMPLATE.md", template);
    made.write("AGENTS.md", "Latin\u{e9}");
    made.commit("Start");
    let folder = tempfile::tempdir().unwrap();
    let root = ensure_root(folder.path()).unwrap();
    let project = init(&root, new_project(&made)).unwrap();
    let pinned = pin(&root, &project).unwrap();
    let fetched = fetch(&root, &project, pinned.pin()).unwrap();
    let store = Snapshots::open(&root.snapshots()).unwrap();
    assert_eq!(store.get(fetched[0].digest).unwrap(), template.as_bytes());
    let bundle = std::fs::read_to_string(root.raw_sources(&project.slug)).unwrap();
    assert!(bundle.contains("````text\n<!-- Say why.\n```\n-->\n````\n"), "{bundle}");
    let index = std::fs::read(root.snapshots().join("index.jsonl")).unwrap();
    fetch(&root, &project, pinned.pin()).unwrap();
    assert_eq!(std::fs::read_to_string(root.raw_sources(&project.slug)).unwrap(), bundle);
    assert_eq!(std::fs::read(root.snapshots().join("index.jsonl")).unwrap(), index);
}

#[test]
fn a_second_description_that_differs_is_refused() {
    let made = TestRepository::new();
    let folder = tempfile::tempdir().unwrap();
    let root = ensure_root(folder.path()).unwrap();
    init(&root, new_project(&made)).unwrap();
    init(&root, new_project(&made)).unwrap();
    let other = NewProject { setting: "pull-request".to_owned(), ..new_project(&made) };
    let error = init(&root, other).unwrap_err();
    assert!(matches!(&error, SourcesError::Exists { what, .. } if what == "setting"), "{error}");
    let outside = NewProject { git: Some(folder.path().to_path_buf()), ..new_project(&made) };
    assert!(matches!(init(&root, outside), Err(SourcesError::Git(_))));
}

#[test]
fn a_pattern_that_names_no_kind_is_refused_with_the_kinds() {
    let made = TestRepository::new();
    let folder = tempfile::tempdir().unwrap();
    let root = ensure_root(folder.path()).unwrap();
    let project = init(&root, new_project(&made)).unwrap();
    let path = root.project(&project.slug);
    let text =
        std::fs::read_to_string(&path).unwrap() + "\n[[patterns]]\nglob = \"RULES.md\"\nkind = \"rule\"\n";
    std::fs::write(&path, text).unwrap();
    let project = polc_records::store::load_toml(&path).unwrap();
    let error = Discovery::load(&root, &project).unwrap_err().to_string();
    assert!(
        error.contains("`rule` is no kind of file") && error.contains("allowed: pull-request-template"),
        "{error}"
    );
}
