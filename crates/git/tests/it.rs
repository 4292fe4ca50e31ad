//! Against real repositories.

use polc_git::{EntryKind, GitError, Repository};
use polc_testkit::{TestRepository, shared};

#[test]
fn a_tree_its_blobs_and_what_changed() {
    let made = TestRepository::new();
    made.write("CONTRIBUTING.md", "Be kind.\n");
    made.write("ä b.txt", "one\n");
    made.write("old name.txt", "a\nb\nc\nd\ne\n");
    std::os::unix::fs::symlink("CONTRIBUTING.md", made.path().join("LINK.md")).unwrap();
    let first = made.commit("Start");
    made.git(&["mv", "old name.txt", "new name.txt"]);
    std::fs::remove_file(made.path().join("ä b.txt")).unwrap();
    made.write("CONTRIBUTING.md", "Be kind.\nAlways.\n");
    made.commit("Change");

    let repository = Repository::open(made.path()).unwrap();
    let (first, second) = (repository.resolve(&first).unwrap(), repository.resolve("HEAD").unwrap());
    assert_eq!(second.as_str(), made.git(&["rev-parse", "HEAD"]));
    let tree = repository.tree(&first).unwrap();
    let paths: Vec<(&str, EntryKind)> = tree.iter().map(|entry| (entry.path.as_str(), entry.kind)).collect();
    assert_eq!(
        paths,
        [
            ("CONTRIBUTING.md", EntryKind::File),
            ("LINK.md", EntryKind::Link),
            ("old name.txt", EntryKind::File),
            ("ä b.txt", EntryKind::File)
        ]
    );
    let mut objects = repository.objects().unwrap();
    assert_eq!(objects.blob(&tree[0].id).unwrap(), b"Be kind.\n");
    assert!(matches!(objects.commit(&tree[0].id), Err(GitError::Unexpected { .. })));
    assert_eq!(objects.commit(&second).unwrap().parents, std::slice::from_ref(&first));

    let changes = repository.changes(&first, &second).unwrap();
    let sides: Vec<(Option<&str>, Option<&str>)> = changes
        .iter()
        .map(|change| {
            (
                change.old.as_ref().map(|old| old.path.as_str()),
                change.new.as_ref().map(|new| new.path.as_str()),
            )
        })
        .collect();
    assert_eq!(
        sides,
        [
            (Some("CONTRIBUTING.md"), Some("CONTRIBUTING.md")),
            (Some("old name.txt"), Some("new name.txt")),
            (Some("ä b.txt"), None)
        ]
    );
    assert_eq!(repository.commits_between(&first, &second).unwrap(), std::slice::from_ref(&second));
    assert_eq!(repository.merge_base(&first, &second).unwrap(), first);
    assert_eq!(repository.ancestor(&second, 20).unwrap(), first);
}

#[test]
fn the_commits_of_a_folder_are_those_that_changed_it_on_any_branch() {
    let made = TestRepository::new();
    made.write("root/a*/one.txt", "one\n");
    let start = made.commit("Start");
    made.write("root/ab/one.txt", "one\n");
    made.commit("Beside it");
    made.git(&["checkout", "--quiet", "-b", "side"]);
    made.write("root/a*/one.txt", "two\n");
    let there = made.commit("There");
    made.write("root/a*/one.txt", "one\n");
    let back = made.commit("And back");
    made.git(&["checkout", "--quiet", "-"]);
    made.git(&["merge", "--quiet", "--no-ff", "-m", "Merge", "side"]);
    let root = made.path().join("root");
    let repository = Repository::open(&root).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    let of = |folder: &str| -> Vec<String> {
        let commits = repository.commits_of(&head, &root.join(folder)).unwrap();
        commits.iter().map(ToString::to_string).collect()
    };
    let mut found = of("a*");
    found.sort();
    let mut expected = vec![start, there, back];
    expected.sort();
    assert_eq!(found, expected);
    assert!(of("nowhere").is_empty());
}

#[test]
fn what_is_not_there_is_named_with_what_to_do() {
    let folder = TestRepository::new();
    let repository = Repository::open(folder.path()).unwrap();
    let error = repository.resolve("HEAD").unwrap_err().to_string();
    assert!(error.contains("`HEAD`") && error.contains("help: commit something first"), "{error}");
    folder.commit("Start");
    let error = repository.resolve("origin/main").unwrap_err().to_string();
    assert!(error.contains("`origin/main`") && error.contains("unshallow"), "{error}");
    let missing = "0123456789012345678901234567890123456789".parse().unwrap();
    assert!(matches!(repository.objects().unwrap().blob(&missing), Err(GitError::NoObject { .. })));
    let outside = Repository::open(std::path::Path::new("/")).unwrap_err().to_string();
    assert!(outside.contains("not inside a git repository"), "{outside}");
    assert!(repository.resolve("--help").is_err());
}

/// The hard case gd6, its part on names: the author line is not UTF-8.
#[test]
fn a_bad_byte_in_a_name_does_not_end_the_run() {
    let Some(case) = shared::case("gd6") else { return };
    let made = TestRepository::new();
    let expected = case["expected"]["author_email"].as_str().unwrap();
    let head = made.commit("Start");
    let body = made.git(&["cat-file", "commit", &head]);
    let mut object = Vec::new();
    for line in body.lines() {
        if line.starts_with("author ") {
            object.extend_from_slice(b"author Ren\xe9 <r@example.org> 1700000000 +0000");
        } else {
            object.extend_from_slice(line.as_bytes());
        }
        object.push(b'\n');
    }
    let file = made.write("object", &object);
    let id = made.git(&["hash-object", "-t", "commit", "-w", file.to_str().unwrap()]);
    let repository = Repository::open(made.path()).unwrap();
    let commit = repository.objects().unwrap().commit(&id.parse().unwrap()).unwrap();
    assert_eq!(commit.author.email, expected);
    assert_eq!(commit.author.seconds, 1_700_000_000);
    assert!(commit.author.raw.is_some_and(|raw| raw.starts_with(b"Ren\xe9 <")), "the raw bytes are kept");
    assert_eq!(commit.message.trim_end(), "Start");
}

/// What a user or a checkout configures for `git diff` changes nothing of what is found.
#[test]
fn changes_are_the_same_under_every_configuration() {
    let made = TestRepository::new();
    let text = |name: &str| (0..20).map(|line| format!("{name} {line}\n")).collect::<String>();
    made.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n");
    made.write("a1", text("a"));
    made.write("b1", text("b"));
    made.git(&["add", "--all"]);
    let module = |digit: &str| format!("160000,{},sub", digit.repeat(40));
    made.git(&["update-index", "--add", "--cacheinfo", &module("1")]);
    made.git(&["commit", "--quiet", "--message", "Start"]);
    made.git(&["mv", "a1", "a2"]);
    made.git(&["mv", "b1", "b2"]);
    made.write("a2", text("a") + "more\n");
    made.write("b2", text("b") + "more\n");
    made.git(&["add", "a2", "b2"]);
    made.git(&["update-index", "--add", "--cacheinfo", &module("2")]);
    made.git(&["commit", "--quiet", "--message", "Move"]);

    let changes = || {
        let repository = Repository::open(made.path()).unwrap();
        let (base, head) = (repository.resolve("HEAD~1").unwrap(), repository.resolve("HEAD").unwrap());
        let changes = repository.changes(&base, &head).unwrap();
        let side = |entry: Option<polc_git::TreeEntry>| entry.map(|entry| entry.path);
        changes.into_iter().map(|change| (side(change.old), side(change.new))).collect::<Vec<_>>()
    };
    let both = |old: &str, new: &str| (Some(old.to_owned()), Some(new.to_owned()));
    let expected = [both("a1", "a2"), both("b1", "b2"), both("sub", "sub")];
    assert_eq!(changes(), expected);
    for (key, value) in [
        ("diff.renameLimit", "1"),
        ("diff.renames", "false"),
        ("diff.ignoreSubmodules", "all"),
        ("submodule.sub.ignore", "all"),
        ("diff.noprefix", "true"),
        ("core.quotePath", "false"),
    ] {
        made.git(&["config", key, value]);
        assert_eq!(changes(), expected, "{key}");
    }
}
