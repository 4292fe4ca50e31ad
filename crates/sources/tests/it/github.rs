//! What holds for a repository on GitHub: its organisation's defaults, pointers, files that are long or empty.

use polc_net::github::{Account, GitHub};
use polc_net::{Settings, Url};
use polc_sources::defaults::{Chosen, choose, is_wanting, pull_request_templates};
use polc_sources::fetch::lfs;
use polc_testkit::shared::case;
use polc_testkit::{GitHubServer, TestRepository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

fn paths(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect()
}

/// The repositories of the case `gh5`; what it says of renaming and of the API is tested with the server.
#[test]
fn case_gh5_templates_are_found_where_github_looks_for_them_and_else_in_the_organisation() {
    let Some(case) = case("gh5") else { return };
    let (input, expected) = (&case["input"], &case["expected"]);
    for name in ["a", "b", "c"] {
        let (own, theirs) =
            (paths(&input[format!("{name}_files")]), paths(&input[format!("{name}_org_files")]));
        let (default, named) = pull_request_templates(&own);
        let chosen = choose(&own, &theirs);
        let of_org = chosen.iter().find(|(_, chosen)| **chosen == Chosen::Holds);
        let of_org = of_org.map(|(path, _)| format!("acme/.github:{path}"));
        let default = default.map(str::to_owned).or(of_org);
        assert_eq!(expected[name]["default"].as_str(), default.as_deref(), "{name}");
        let names: Vec<&str> = named.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
        assert_eq!(
            expected[name]["named"].as_array().map_or(Vec::new(), |_| paths(&expected[name]["named"])),
            names
        );
        if expected[name]["note"] != Value::Null {
            assert!(chosen.values().all(|chosen| matches!(chosen, Chosen::Unsure(_))), "{name}: {chosen:?}");
            assert_eq!(chosen.len(), theirs.len(), "reported, not guessed");
        }
    }
}

/// The bytes that a text in Base64 stands for.
fn decoded(text: &str) -> Vec<u8> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_usize, 0);
    for value in text.trim_end_matches('=').chars().map(|c| alphabet.find(c).unwrap()) {
        held = held << 6 | value;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).unwrap());
        }
    }
    bytes
}

/// The files of the case `gh3`. What GitHub says of them where it shows contents is never asked: blobs are read as bytes,
/// and have to be those of their id.
#[tokio::test]
async fn case_gh3_a_long_file_is_whole_an_empty_one_is_empty_and_a_pointer_is_no_document() {
    let Some(case) = case("gh3") else { return };
    let made = TestRepository::new();
    let mut written = BTreeMap::new();
    for (name, file) in case["input"].as_object().unwrap() {
        let path = file["path"].as_str().unwrap();
        let bytes = match file["encoding"].as_str().unwrap() {
            "none" => vec![b'x'; usize::try_from(file["size"].as_u64().unwrap()).unwrap()],
            _ => decoded(file["content"].as_str().unwrap()),
        };
        made.write(path, &bytes);
        written.insert(path.to_owned(), (name.as_str(), bytes));
    }
    made.commit("Start");
    let server = GitHubServer::start();
    server.serve("acme/zoo", made.path());
    let copies = tempfile::tempdir().unwrap();
    let api: Url = server.api().parse().unwrap();
    let account = Account { api, token: None, copies: copies.path().to_path_buf() };
    let settings = Settings { delay: Duration::ZERO, ..Settings::default() };
    let github = GitHub::new(account, settings, |_| {}).unwrap();
    let tree = github.commit("acme/zoo", "main").await.unwrap().tree;
    let rows = github.tree("acme/zoo", &tree).await.unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let (name, expected) = &written[&row.path];
        let bytes = github.blob("acme/zoo", &row.sha).await.unwrap();
        assert_eq!(bytes, *expected, "{name}");
        let says = match (bytes.len(), lfs::pointer(&bytes)) {
            (0, None) => "truly empty",
            (_, Some(_)) => "LFS pointer, content unavailable",
            (1_240_000, None) => "refetch as raw or blob; never an empty document",
            (_, None) => "ordinary text",
        };
        assert_eq!(case["expected"][*name], says, "{name}");
    }
}

#[test]
fn an_organisation_speaks_where_a_repository_does_not() {
    let theirs = [
        ".github/CONTRIBUTING.md",
        "CONTRIBUTING.md",
        "docs/Security.md",
        ".github/ISSUE_TEMPLATE/bug.yml",
        "ISSUE_TEMPLATE/old.md",
        "CODEOWNERS",
        "README.md",
        "profile/README.md",
        "contributing-notes.md",
    ];
    let all: Vec<&str> = choose(&[], &theirs).into_keys().collect();
    assert_eq!(all, [".github/CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.yml", "docs/Security.md"]);
    for (own, gone) in [
        ("docs/contributing.rst", ".github/CONTRIBUTING.md"),
        ("SECURITY", "docs/Security.md"),
        (".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/bug.yml"),
        ("issue_template.md", ".github/ISSUE_TEMPLATE/bug.yml"),
    ] {
        assert!(!choose(&[own], &theirs).contains_key(gone), "{own}");
    }
    for elsewhere in [
        "src/CONTRIBUTING.md",
        ".github/workflows/contributing.md",
        "CONTRIBUTING.adoc",
        "docs/contributing/index.md",
        "docs/security/model.md",
        ".github/governance/votes.md",
    ] {
        assert_eq!(choose(&[elsewhere], &theirs).len(), 3, "{elsewhere}");
    }
    let whole = [
        "code_of_conduct.md",
        "contributing.md",
        "governance.md",
        "issue_template.md",
        "pull_request_template.md",
    ];
    assert!(is_wanting(&whole) && !is_wanting(&[&whole[..], &["docs/SECURITY.md"]].concat()));
}

#[test]
fn a_pointer_is_known_by_its_first_line_and_its_keys() {
    let oid = format!("sha256:{}", "ab".repeat(32));
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid {oid}\nsize 94318\n");
    let found = lfs::pointer(pointer.as_bytes()).unwrap();
    assert_eq!((found.oid.as_str(), found.size), (oid.as_str(), 94318));
    for text in [
        "",
        "# About LFS\n\nversion https://git-lfs.github.com/spec/v1 is the first line of a pointer.\n",
        "version https://git-lfs.github.com/spec/v1\n",
        "version https://git-lfs.github.com/spec/v1\nis the first line of a pointer.\n",
        "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize many\n",
        "version https://git-lfs.github.com/spec/v10\noid sha256:ab\nsize 1\n",
    ] {
        assert_eq!(lfs::pointer(text.as_bytes()), None, "{text:?}");
    }
    let long = format!("{pointer}{}", "x y\n".repeat(500));
    assert_eq!(lfs::pointer(long.as_bytes()), None);
}
