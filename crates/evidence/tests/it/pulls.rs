//! Pull requests, from a server on this machine that speaks as GitHub does.

use crate::recorded;
use polc_checker::evidence::{Absence, Content, Evidence, Part};
use polc_evidence::pull::{Address, evidence};
use polc_evidence::range;
use polc_git::Repository;
use polc_net::github::{Account, GitHub};
use polc_net::{Settings, Url};
use polc_testkit::github::Pull;
use polc_testkit::{GitHubServer, TestRepository};
use std::time::Duration;

fn pull(body: Option<&str>) -> Pull {
    Pull {
        title: "Add a walrus".to_owned(),
        body: body.map(str::to_owned),
        base: "main".to_owned(),
        head: "work".to_owned(),
        state: "closed".to_owned(),
    }
}

async fn read(server: &GitHubServer, number: u64) -> Result<Evidence, polc_evidence::EvidenceError> {
    let api: Url = server.api().parse().unwrap();
    let copies = tempfile::tempdir().unwrap();
    let settings = Settings { delay: Duration::ZERO, obey_robots: false, ..Settings::default() };
    let account = Account { api: api.clone(), token: None, copies: copies.path().to_path_buf() };
    let github = GitHub::new(account, settings, |_| {}).unwrap();
    let page = format!("{}/zoo/walrus/pull/{number}/files", server.api());
    evidence(&github, &Address::read(&page, &api)?, "walrus").await
}

/// A branch beside a base that went on, with every kind of file.
fn made() -> TestRepository {
    let made = TestRepository::new();
    made.write("keep.txt", "one\ntwo\nthree\n");
    made.write("gone.txt", "gone\n");
    made.write("old name.rs", "fn a() {}\nfn b() {}\nfn c() {}\n");
    made.write("run.sh", "#!/bin/sh\n");
    made.write("image.png", [0_u8, 1, 2]);
    made.commit("Start");
    made.git(&["switch", "--quiet", "--create", "work"]);
    made.write("keep.txt", "one\nthree\nfour");
    std::fs::remove_file(made.path().join("gone.txt")).unwrap();
    made.git(&["mv", "old name.rs", "new ä name.rs"]);
    made.git(&["add", "--all"]);
    made.git(&["update-index", "--chmod=+x", "run.sh"]);
    made.git(&["commit", "--quiet", "-m", "Change things\n\nBecause.\n\nRefs: #1"]);
    made.git(&["checkout", "--quiet", "--", "."]);
    made.write("image.png", [0_u8, 1, 3]);
    made.write("latin.txt", b"caf\xe9\n");
    made.write("large.txt", vec![b'a'; range::MOST_BYTES + 1]);
    made.link("link", "keep.txt");
    made.commit("Add files");
    made.git(&["switch", "--quiet", "main"]);
    made.write("main.txt", "main\n");
    made.commit("Go on");
    made
}

#[tokio::test]
async fn a_pull_request_reads_as_the_range_of_its_commits_does() {
    let made = made();
    let server = GitHubServer::start();
    server.serve("zoo/walrus", made.path()).pull("zoo/walrus", 7, pull(Some("## Why\r\nBecause.\r\n")));
    let found = read(&server, 7).await.unwrap();
    let repository = Repository::open(made.path()).unwrap();
    let asked = range::Range { project: "walrus", base: "main", head: "work", pull_request: None };
    let local = range::evidence(&repository, &asked).unwrap();
    assert_eq!(found.files, local.files, "file by file");
    assert_eq!(recorded(&found.files).len(), 8);
    let file = |path: &str| recorded(&found.files).iter().find(|file| file.path == path).unwrap();
    assert_eq!(file("new ä name.rs").old_path.as_deref(), Some("old name.rs"));
    assert_eq!((&file("large.txt").head, &file("image.png").head), (&Content::TooLarge, &Content::Binary));
    assert_eq!(file("run.sh").executable, [false, true]);
    let of = |evidence: &Evidence| -> Vec<_> {
        let commits = recorded(&evidence.commits).iter();
        commits
            .map(|commit| {
                (
                    commit.id.clone(),
                    commit.parents.clone(),
                    commit.author.clone(),
                    commit.message.raw().trim_end().to_owned(),
                )
            })
            .collect()
    };
    assert_eq!(of(&found), of(&local));
    assert_eq!((&found.run.start, &found.run.head), (&local.run.start, &local.run.head));
    let request = recorded(&found.pull_request);
    assert_eq!((request.title.as_str(), request.body.as_str()), ("Add a walrus", "## Why\nBecause.\n"));
    assert_eq!(found.steps, Part::Missing(Absence::NotCarried));
}

#[tokio::test]
async fn more_files_and_commits_than_fit_on_a_page_are_all_read() {
    let made = TestRepository::new();
    for number in 0..120 {
        made.write(&format!("old/{number:03}.txt"), format!("{number}\none\ntwo\nthree\n"));
    }
    made.commit("Start");
    made.git(&["switch", "--quiet", "--create", "work"]);
    made.git(&["mv", "old", "new"]);
    for number in 0..130 {
        made.commit(&format!("Commit {number}"));
    }
    let server = GitHubServer::start();
    server.serve("zoo/walrus", made.path()).pull("zoo/walrus", 1, pull(None));
    let found = read(&server, 1).await.unwrap();
    let files = recorded(&found.files);
    assert_eq!((files.len(), files.iter().filter(|file| file.is_renamed()).count()), (120, 120));
    let commits = recorded(&found.commits);
    let ends = [&commits[0], &commits[129]].map(|commit| commit.message.first_line());
    assert_eq!((commits.len(), ends), (130, ["Commit 0", "Commit 129"]));
    assert_eq!(recorded(&found.pull_request).body, "", "nobody wrote one");
    let blobs = server.asked().iter().filter(|asked| asked.contains("/git/blobs/")).count();
    assert_eq!(blobs, 120, "a renamed file has one text");
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_a_remedy() {
    let made = made();
    let server = GitHubServer::start();
    server.serve("zoo/walrus", made.path());
    let error = read(&server, 9).await.unwrap_err().to_string();
    assert!(
        error.contains("the pull request 9 of `zoo/walrus` is not there") && error.contains("help: "),
        "{error}"
    );
    made.git(&["checkout", "--quiet", "--orphan", "other"]);
    made.commit("Start again");
    server.pull("zoo/walrus", 9, Pull { base: "other".to_owned(), ..pull(None) });
    let error = read(&server, 9).await.unwrap_err().to_string();
    assert!(error.contains("the commits from ") && error.contains("is not there"), "{error}");
}

#[test]
fn an_address_is_of_a_pull_request_on_the_host_that_is_asked() {
    let api: Url = "https://api.github.com".parse().unwrap();
    let read = |text: &str| Address::read(text, &api);
    let found = read("https://github.com/zoo/walrus/pull/12#issuecomment-1").unwrap();
    assert_eq!((found.repository.as_str(), found.number), ("zoo/walrus", 12));
    for other in
        ["zoo/walrus#12", "https://github.com/zoo/walrus/issues/12", "https://github.com/zoo/walrus/pull/x"]
    {
        let error = read(other).unwrap_err().to_string();
        assert!(error.contains(other) && error.contains("/zoo/walrus/pull/12"), "{error}");
    }
    let error = read("https://github.example/zoo/walrus/pull/12").unwrap_err().to_string();
    assert!(error.contains("api.github.com") && error.contains("GITHUB_API_URL"), "{error}");
    let own: Url = "https://github.example/api/v3".parse().unwrap();
    assert!(Address::read("https://github.example/zoo/walrus/pull/12", &own).is_ok());
}
