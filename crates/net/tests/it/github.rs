//! GitHub's API, from a server that serves real repositories and fails on request.

use crate::{quick, url};
use polc_net::github::{Account, GitHub, GitHubError, Token, TreeRow, blob_id};
use polc_net::{Budget, FetchError, Kept, Limit, LimitKind, NetError, Settings};
use polc_testkit::{GitHubServer, Reply, Server, TestRepository, shared};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A client with copies of its own.
fn client_in(copies: &TempDir, api: &str, token: Option<&str>, settings: Settings) -> GitHub {
    let token = Token::new(token.unwrap_or_default()).unwrap();
    GitHub::new(Account { api: url(api), token, copies: copies.path().to_path_buf() }, settings, |_| {})
        .unwrap()
}

fn client(api: &str) -> GitHub {
    client_in(&tempfile::tempdir().unwrap(), api, None, quick())
}

fn zoo() -> (TestRepository, GitHubServer) {
    let made = TestRepository::new();
    made.write("CONTRIBUTING.md", "Be kind.\n");
    made.write("docs/ä b.md", vec![b'x'; 1_300_000]);
    made.write("docs/deep/er/still.md", "");
    made.link("AGENTS.md", "CONTRIBUTING.md");
    made.commit("Start");
    let server = GitHubServer::start();
    server.serve("acme/zoo", made.path());
    (made, server)
}

#[tokio::test]
async fn a_repository_is_read_whole_as_git_has_it() {
    let (made, server) = zoo();
    let github = client(&server.api());
    let found = github.repository("Acme/Zoo").await.unwrap();
    assert_eq!((found.full_name.as_str(), found.default_branch.as_str()), ("acme/zoo", "main"));
    let commit = github.commit("acme/zoo", "main").await.unwrap();
    assert_eq!(commit.sha, made.git(&["rev-parse", "HEAD"]));
    assert_eq!(commit.date, "2026-01-02T03:04:05Z");
    let tree = github.tree("acme/zoo", &commit.tree).await.unwrap();
    let paths: Vec<&str> = tree.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(paths, ["AGENTS.md", "CONTRIBUTING.md", "docs/deep/er/still.md", "docs/ä b.md"]);
    assert_eq!(tree[0].mode, "120000");
    for TreeRow { sha, .. } in &tree {
        assert_eq!(blob_id(&github.blob("acme/zoo", sha).await.unwrap()), *sha);
    }
    assert_eq!(github.blob("acme/zoo", &tree[3].sha).await.unwrap().len(), 1_300_000);
    assert_eq!(github.spent().requests, 3 + 5);
}

/// The answers of the case `gh1`: a listing that is cut short proves nothing absent.
#[tokio::test]
async fn case_gh1_a_listing_that_is_cut_short_is_walked_folder_by_folder() {
    let Some(case) = shared::case("gh1") else { return };
    let server = Server::start();
    for (asked, answer) in case["input"].as_object().unwrap() {
        let mut answer = answer.clone();
        let target = asked.strip_prefix("GET /git/trees/").unwrap();
        (answer["sha"], answer["url"]) = (target.into(), "https://api.example/tree".into());
        for row in answer["tree"].as_array_mut().unwrap() {
            let tree = row["type"] == "tree";
            row["mode"] = if tree { "040000" } else { "100644" }.into();
            if row["sha"] == Value::Null {
                row["sha"] = blob_id(b"").into();
            }
        }
        let path = format!("/repos/acme/zoo/git/trees/{target}");
        server.at(&path, [Reply::json(&answer)]);
        if !matches!(target, "T" | "T?recursive=1") {
            server.at(&format!("{path}?recursive=1"), [Reply::json(&answer)]);
        }
    }
    let tree = client(&server.url("")).tree("acme/zoo", "T").await.unwrap();
    let paths: Vec<&str> = tree.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(serde_json::json!(paths), case["expected"]["paths"]);
    // Where the walk stops part-way there is no listing.
    server.at("/repos/acme/zoo/git/trees/D?recursive=1", [Reply::status(404)]);
    let error = client(&server.url("")).tree("acme/zoo", "T").await.unwrap_err();
    assert!(matches!(&error, GitHubError::Missing { what, .. } if what.contains("the tree D")), "{error}");
}

#[tokio::test]
async fn a_walk_gives_what_a_whole_listing_gives_and_a_folder_that_is_too_long_is_an_error() {
    let (_made, server) = zoo();
    let github = client(&server.api());
    let tree = github.commit("acme/zoo", "main").await.unwrap().tree;
    let whole = github.tree("acme/zoo", &tree).await.unwrap();
    for longest in [0, 1, 2, 5] {
        server.cut_listings(longest);
        let github = client(&server.api());
        assert_eq!(github.tree("acme/zoo", &tree).await.unwrap(), whole, "cut after {longest}");
        assert!(github.spent().requests > 1);
    }
    let cut = serde_json::json!({"sha": tree, "url": "https://api.example", "tree": [], "truncated": true});
    server.server().at(&format!("/repos/acme/zoo/git/trees/{tree}"), [Reply::json(&cut)]);
    let error = client(&server.api()).tree("acme/zoo", &tree).await.unwrap_err();
    assert!(matches!(error, GitHubError::CutShort { .. }), "{error}");
}

/// The answers of the case `gh2`.
#[test]
fn case_gh2_limits_are_told_apart_from_permissions() {
    let Some(case) = shared::case("gh2") else { return };
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(case["input"]["now"].as_u64().unwrap());
    let limit = |name: &str, attempt| {
        let answer = &case["input"][name];
        let header = |name: &str| answer["headers"][name].as_str();
        let number = |name: &str| header(name).map(|value| value.parse().unwrap());
        let headers = Kept {
            retry_after: header("retry-after").map(str::to_owned),
            budget: Budget {
                limit: None,
                remaining: number("x-ratelimit-remaining"),
                reset: number("x-ratelimit-reset"),
            },
            ..Kept::default()
        };
        let status = u16::try_from(answer["status"].as_u64().unwrap()).unwrap();
        Limit::of(status, &headers, answer["body"].to_string().as_bytes(), now, attempt)
    };
    let waits: Vec<u64> = (1..4).map(|attempt| limit("a", attempt).unwrap().wait.as_secs()).collect();
    assert!(waits[0] >= 60 && waits[0] < waits[1] && waits[1] < waits[2], "{waits:?}");
    assert_eq!(limit("a", 1).unwrap().kind, LimitKind::Secondary);
    assert_eq!(case["expected"]["b"], format!("wait {} s", limit("b", 1).unwrap().wait.as_secs()));
    assert_eq!(limit("b", 1).unwrap().kind, LimitKind::Primary);
    assert_eq!((limit("c", 1), &case["expected"]["c"]), (None, &Value::from("fatal, no retry")));
    assert_eq!(case["expected"]["d"], format!("wait {} s", limit("d", 1).unwrap().wait.as_secs()));
}

#[tokio::test]
async fn a_short_wait_is_sat_through_and_a_long_one_ends_with_the_time_it_is_over() {
    let (_made, server) = zoo();
    let path = "/repos/acme/zoo";
    let busy = Reply::status(403).header("retry-after", "0").body(r#"{"message": "secondary rate limit"}"#);
    let described = serde_json::json!({"id": 1, "full_name": "acme/zoo", "default_branch": "main"});
    server.server().at(path, [busy, Reply::json(&described)]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let (copies, heard) = (tempfile::tempdir().unwrap(), Arc::clone(&told));
    let account = Account { api: url(&server.api()), token: None, copies: copies.path().to_path_buf() };
    let hear = move |limit: &Limit| heard.lock().unwrap().push(limit.kind);
    let github = GitHub::new(account, quick(), hear).unwrap();
    github.repository("acme/zoo").await.unwrap();
    assert_eq!(github.spent().requests, 2);
    assert_eq!(*told.lock().unwrap(), [LimitKind::Secondary], "before it is waited for");
    for (reply, kind) in [
        (Reply::status(429).header("retry-after", "3600"), LimitKind::Secondary),
        (
            Reply::status(403).body(r#"{"message": "You have exceeded a secondary rate limit"}"#),
            LimitKind::Secondary,
        ),
    ] {
        server.server().at("/repos/acme/ark", [reply]);
        let before = server.asked().len();
        match client(&server.api()).repository("acme/ark").await.unwrap_err() {
            GitHubError::Fetch { error: FetchError::Limited { limit, .. }, .. } => {
                assert_eq!(limit.kind, kind)
            }
            other => panic!("{other}"),
        }
        assert_eq!(server.asked().len(), before + 1, "nobody sits through it");
    }
    server.budget(0);
    let error = client(&server.api()).repository("acme/zebra").await.unwrap_err().to_string();
    let reset = polc_testkit::github::RESET_AFTER;
    let near = |text: &str| (reset - 5..=reset).any(|wait| text.contains(&format!("again in {wait} s, at ")));
    assert!(near(&error) && error.contains("primary") && error.contains("GITHUB_TOKEN"), "{error}");
}

#[tokio::test]
async fn what_does_not_pass_is_asked_for_once() {
    let (_made, server) = zoo();
    for (status, expected) in
        [(404, "is not there, or is private"), (403, "no limit that passes"), (451, "answers 451")]
    {
        server.server().at("/repos/acme/ark", [Reply::status(status).body(r#"{"message": "Because."}"#)]);
        let before = server.asked().len();
        let error = client(&server.api()).repository("acme/ark").await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(server.asked().len(), before + 1);
    }
    let error = client(&server.api()).commit("acme/zoo", "no such").await.unwrap_err().to_string();
    assert!(error.contains("`no such` of `acme/zoo`") && error.contains("No commit found"), "{error}");
    server.server().at("/repos/acme/ark", [Reply::status(502), Reply::status(200).body("<p>Hello")]);
    let error = client(&server.api()).repository("acme/ark").await.unwrap_err().to_string();
    assert!(error.contains("not what GitHub documents"), "{error}");
}

#[tokio::test]
async fn bytes_that_are_not_those_of_the_id_are_no_document() {
    let (_made, server) = zoo();
    let id = blob_id(b"Be kind.\n");
    for body in [&b"Be unkind.\n"[..], b""] {
        server.server().at(&format!("/repos/acme/zoo/git/blobs/{id}"), [Reply::status(200).body(body)]);
        let error = client(&server.api()).blob("acme/zoo", &id).await.unwrap_err();
        assert!(
            matches!(&error, GitHubError::OtherBytes { found, .. } if *found == blob_id(body)),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_renamed_repository_is_followed_to_its_number() {
    let (_made, server) = zoo();
    server.renamed("acme/old", "acme/zoo");
    let found = client(&server.api()).repository("acme/old").await.unwrap();
    assert_eq!((found.full_name.as_str(), found.id), ("acme/zoo", 42));
    assert_eq!(server.asked(), ["/repos/acme/old", "/repositories/42"]);
}

#[tokio::test]
async fn a_second_run_asks_whether_something_has_changed_and_for_a_tree_not_at_all() {
    let (made, server) = zoo();
    server.token("secret");
    let copies = tempfile::tempdir().unwrap();
    let read = async |github: &GitHub| {
        github.repository("acme/zoo").await.unwrap();
        let commit = github.commit("acme/zoo", "main").await.unwrap();
        github.tree("acme/zoo", &commit.tree).await.unwrap().len()
    };
    let first = client_in(&copies, &server.api(), Some("secret"), quick());
    assert_eq!(read(&first).await, 4);
    let second = client_in(&copies, &server.api(), Some("secret"), quick());
    assert_eq!(read(&second).await, 4);
    let spent = second.spent();
    assert_eq!((spent.requests, spent.unchanged, spent.held), (2, 2, 1));
    assert_eq!(spent.budget.remaining, first.spent().budget.remaining, "a rerun costs nothing");
    made.write("SECURITY.md", "Tell us.\n");
    made.commit("More");
    let third = client_in(&copies, &server.api(), Some("secret"), quick());
    assert_eq!(read(&third).await, 5);
    for file in shared::files_below(copies.path()) {
        assert!(!String::from_utf8_lossy(&std::fs::read(file).unwrap()).contains("secret"));
    }
}

#[tokio::test]
async fn a_token_goes_to_the_api_and_nowhere_else() {
    let (elsewhere, api) = (Server::start(), Server::start());
    api.at("/repos/acme/zoo", [Reply::redirect(&elsewhere.url("/stolen"))]);
    let copies = tempfile::tempdir().unwrap();
    let github = client_in(&copies, &api.url(""), Some("secret"), quick());
    github.repository("acme/zoo").await.unwrap_err();
    assert_eq!(api.requests("/repos/acme/zoo")[0].headers["authorization"], "Bearer secret");
    assert_eq!(elsewhere.requests("/stolen")[0].headers.get("authorization"), None);
    let agent = &api.requests("/repos/acme/zoo")[0].headers["user-agent"];
    assert_eq!(*agent, quick().user_agent, "the fetcher's own");
    let token = Token::new("secret").unwrap();
    assert_eq!(format!("{token:?}"), "Some(Token(hidden))");
    let account = Account { api: url("http://api.example"), token, copies: copies.path().to_path_buf() };
    assert!(matches!(GitHub::new(account, quick(), |_| {}), Err(NetError::Unprotected { .. })));
    assert!(matches!(Token::new("se\ncret"), Err(NetError::Token)));
    assert!(Token::new(" \n").unwrap().is_none());
}

#[tokio::test]
async fn a_token_that_is_none_is_told_and_one_that_sees_more_is_used() {
    let (made, server) = zoo();
    server.token("secret").serve_private("acme/lab", made.path());
    let copies = tempfile::tempdir().unwrap();
    let with = |token| client_in(&copies, &server.api(), token, quick());
    let error = with(Some("wrong")).repository("acme/zoo").await.unwrap_err();
    assert!(matches!(error, GitHubError::Token { .. }), "{error}");
    let error = with(None).repository("acme/lab").await.unwrap_err().to_string();
    assert!(error.contains("GITHUB_TOKEN is not set"), "{error}");
    assert_eq!(with(Some("secret")).repository("acme/lab").await.unwrap().full_name, "acme/lab");
}

#[tokio::test]
async fn an_offline_run_sends_nothing() {
    let (_made, server) = zoo();
    let copies = tempfile::tempdir().unwrap();
    let github = client_in(&copies, &server.api(), None, Settings { offline: true, ..quick() });
    let error = github.repository("acme/zoo").await.unwrap_err().to_string();
    assert!(error.contains("offline"), "{error}");
    assert!(server.asked().is_empty());
}
