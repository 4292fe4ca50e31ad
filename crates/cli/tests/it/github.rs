//! Projects that are read on GitHub, by the real binary from a server that serves real repositories.

use crate::polc::{PAGE, Ran, polc};
use polc_records::ledger::LedgerFile;
use polc_records::manifest::Manifest;
use polc_records::pin::Pin;
use polc_records::proposal::ProposalFile;
use polc_records::store::{load_lines, load_toml};
use polc_records::vocabulary::SourceRole;
use polc_testkit::reading::honest;
use polc_testkit::shared::{case, files_below, shared};
use polc_testkit::{GitHubServer, ModelServer, Reply, Said, TestRepository, serve_site};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder where polc is run against a server that stands for GitHub.
pub(crate) struct Desk<'s> {
    pub(crate) folder: TempDir,
    server: &'s GitHubServer,
    token: Option<&'static str>,
}

impl<'s> Desk<'s> {
    pub(crate) fn at(server: &'s GitHubServer) -> Self {
        Desk { folder: tempfile::tempdir().unwrap(), server, token: None }
    }

    #[track_caller]
    pub(crate) fn run(&self, command: &str, code: i32) -> Ran {
        let arguments: Vec<&str> = command.split(' ').collect();
        let mut polc = polc(self.folder.path(), &arguments);
        polc.env("GITHUB_API_URL", self.server.api());
        if let Some(token) = self.token {
            polc.env("GITHUB_TOKEN", token);
        }
        Ran::of(&mut polc).exits(code)
    }

    /// Everything up to the proposal, after `init`.
    #[track_caller]
    fn extracts(&self, slug: &str) {
        for stage in ["pin", "fetch", "manifest"] {
            self.run(&format!("{stage} {slug}"), 0);
        }
        self.run(&format!("manifest confirm {slug} --by keeper"), 0);
        self.run(&format!("extract {slug}"), 0);
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn pin(&self, slug: &str) -> Pin {
        load_toml(&self.path(&format!("manifests/{slug}/pin.toml"))).unwrap()
    }

    pub(crate) fn manifest(&self, slug: &str) -> Manifest {
        load_toml(&self.path(&format!("manifests/{slug}/manifest.toml"))).unwrap()
    }

    pub(crate) fn raw_sources(&self, slug: &str) -> String {
        std::fs::read_to_string(self.path(&format!("manifests/{slug}/raw-sources.md"))).unwrap()
    }

    /// What the proposal quotes, each with its source.
    pub(crate) fn quotes(&self, slug: &str) -> Vec<(String, String)> {
        let proposal = self.path(&format!("corpora/{slug}/proposal.jsonl"));
        let (_, rows) = load_lines::<ProposalFile>(&proposal).unwrap();
        rows.into_iter().map(|proposed| (proposed.row.source, proposed.row.quote)).collect()
    }

    /// The names of all snapshots: the digests of their bytes.
    fn snapshots(&self) -> Vec<OsString> {
        let files = files_below(&self.path(".polc/snapshots"));
        let names = files.iter().filter_map(|file| file.file_name());
        names.filter(|name| name.len() == 64).map(OsStr::to_owned).collect()
    }
}

/// A repository with everything that is read in a way of its own.
fn zoo() -> TestRepository {
    let made = TestRepository::new();
    made.write("CONTRIBUTING.md", PAGE);
    made.write(
        ".github/PULL_REQUEST_TEMPLATE.md",
        "<!--\r\nNever mention a walrus.\r\n-->\r\n\r\n## Why\r\n",
    );
    made.write("docs/contributing/ä b.md", "# Names\n\nName every animal.\n");
    made.write("pyproject.toml", "# Nobody reads all of this.\n".repeat(50_000));
    let oid = "ab".repeat(32);
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 94318\n");
    made.write("docs/contributing.md", pointer);
    made.write("notes/agents.txt", "Feed the agents.\n");
    made.link("AGENTS.md", "CONTRIBUTING.md");
    made.link("CLAUDE.md", "notes/agents.txt");
    made.link("SECURITY.md", "nowhere.md");
    made.write("vendored/.keep", "");
    let first = made.commit("Start");
    std::fs::remove_file(made.path().join("vendored/.keep")).unwrap();
    made.git(&["rm", "--quiet", "--cached", "vendored/.keep"]);
    made.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{first},vendored")]);
    made.git(&["commit", "--quiet", "-m", "Add another zoo"]);
    made
}

#[test]
fn a_clone_and_github_give_the_same_bytes_and_the_same_rows() {
    let made = zoo();
    let server = GitHubServer::start();
    server.serve("zoo/zoo", made.path()).cut_listings(2);
    let (remote, local) = (Desk::at(&server), Desk::at(&server));
    remote.run("init zoo/zoo --slug zoo", 0);
    local.run(&format!("init zoo/zoo --slug zoo --git {}", made.path().display()), 0);
    let mut pins = Vec::new();
    for desk in [&remote, &local] {
        let told = desk.run("pin zoo", 0).err;
        for skipped in [
            "skipped AGENTS.md: a symbolic link: what it points to is found by its own path",
            "skipped SECURITY.md: a symbolic link to what is no file of this tree",
            "skipped vendored: a submodule: a repository of its own",
        ] {
            assert!(told.contains(skipped), "{told}");
        }
        let told = desk.run("fetch zoo", 0).err;
        assert!(told.contains("warning: docs/contributing.md is a pointer of Git LFS"), "{told}");
        desk.extracts("zoo");
        pins.push(desk.pin("zoo").repository.unwrap());
    }
    let host = pins[0].host.take().unwrap();
    assert_eq!((host.name.to_string().as_str(), host.id, host.branch.as_str()), ("zoo/zoo", 42, "main"));
    assert_eq!(pins[0], pins[1]);
    assert_eq!(remote.manifest("zoo").sources, local.manifest("zoo").sources);
    assert_eq!(remote.raw_sources("zoo"), local.raw_sources("zoo"));
    assert_eq!(remote.snapshots(), local.snapshots());
    assert_eq!(remote.quotes("zoo"), local.quotes("zoo"));
    let bundle = remote.raw_sources("zoo");
    assert!(bundle.contains("<!--\r\nNever mention a walrus.\r\n-->"), "comments are kept as they are");
    let manifest = remote.manifest("zoo");
    let keys: Vec<&str> = manifest.sources.iter().map(|source| source.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            ".github/PULL_REQUEST_TEMPLATE.md",
            "CLAUDE.md",
            "CONTRIBUTING.md",
            "docs/contributing.md",
            "docs/contributing/ä b.md",
            "pyproject.toml",
        ]
    );
    assert!(manifest.source("docs/contributing.md").unwrap().reason.contains("94318 bytes"));
    let quoted: Vec<String> = remote.quotes("zoo").into_iter().map(|(_, quote)| quote).collect();
    assert!(quoted.contains(&"Never mention a walrus.".to_owned()), "{quoted:?}");
    assert_eq!(quoted.len(), 5, "{quoted:?}");
    let status = remote.run("status zoo", 0).out;
    assert!(status.contains("on GitHub"), "{status}");
}

#[test]
fn a_new_name_a_default_branch_and_what_the_organisation_says_are_pinned() {
    let (made, says) = (TestRepository::new(), TestRepository::new());
    made.write("SECURITY.md", "# Security\n\nTell us.\n");
    made.write(".github/PULL_REQUEST_TEMPLATE/cage.md", "Describe the cage.\n");
    made.commit("Start");
    made.git(&["branch", "--move", "trunk"]);
    says.write("CONTRIBUTING.md", PAGE);
    says.write("SECURITY.md", "Tell somebody.\n");
    says.write("pull_request_template.md", "Describe the change.\n");
    let commit = says.commit("Say it for all");
    let server = GitHubServer::start();
    server.serve("acme/new", made.path()).serve("acme/.github", says.path());
    server.renamed("acme/old", "acme/new").token("hush-hush");
    let desk = Desk { token: Some("hush-hush"), ..Desk::at(&server) };
    let mut said = vec![desk.run("init acme/old --slug zoo", 0)];
    said.push(desk.run("pin zoo", 0));
    let told = &said[1].err;
    assert!(
        told.contains("`acme/old` is called `acme/new` now; say so in corpora/zoo/project.toml"),
        "{told}"
    );
    assert!(told.contains("1 file of acme/.github, where the repository has none of its own"), "{told}");
    assert!(
        told.contains("skipped acme/.github:pull_request_template.md: whether it holds beside"),
        "{told}"
    );
    let repository = desk.pin("zoo").repository.unwrap();
    let host = repository.host.unwrap();
    assert_eq!(format!("{}@{}", host.name, host.branch), "acme/new@trunk");
    if let Some(case) = case("gh5") {
        assert_eq!(case["expected"]["repo"], "acme/new@trunk");
    }
    // The name is given up once more; the number stays.
    server.renamed("acme/new", "acme/new");
    for stage in ["fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"] {
        said.push(desk.run(stage, 0));
    }
    assert!(server.asked().iter().any(|asked| asked.starts_with("/repositories/42/git/blobs/")));
    let manifest = desk.manifest("zoo");
    let keys: Vec<&str> = manifest.sources.iter().map(|source| source.key.as_str()).collect();
    assert_eq!(
        keys,
        [".github/PULL_REQUEST_TEMPLATE/cage.md", "SECURITY.md", "acme/.github:CONTRIBUTING.md"]
    );
    let source = manifest.source("acme/.github:CONTRIBUTING.md").unwrap();
    assert_eq!(source.url, format!("https://github.com/acme/.github/blob/{commit}/CONTRIBUTING.md"));
    assert!(manifest.sources[1].url.starts_with("https://github.com/acme/new/blob/"), "{manifest:?}");
    let walrus = |(source, quote): &(String, String)| source == &*keys[2] && quote.contains("walrus");
    assert!(desk.quotes("zoo").iter().any(walrus), "{:?}", desk.quotes("zoo"));
    // Nothing that was printed or written holds the token.
    for Ran { out, err, .. } in said {
        assert!(!out.contains("hush-hush") && !err.contains("hush-hush"), "{out}{err}");
    }
    for file in files_below(desk.folder.path()) {
        assert!(!String::from_utf8_lossy(&std::fs::read(&file).unwrap()).contains("hush-hush"), "{file:?}");
    }
}

#[test]
fn a_name_that_somebody_else_took_is_another_repository() {
    let made = zoo();
    let server = GitHubServer::start();
    server.serve("zoo/zoo", made.path());
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    desk.run("pin zoo", 0);
    let stands = desk.run("pin zoo", 0).err;
    assert!(stands.contains("the pin stands at commit"), "{stands}");
    server.serve("zoo/zoo", made.path());
    let moved = desk.run("pin zoo", 0).err;
    assert!(moved.contains("the repository `zoo/zoo` itself, which was number 42 and is 43"), "{moved}");
}

#[test]
fn limits_are_told_and_a_second_run_asks_for_nothing_that_it_has() {
    let made = zoo();
    let server = GitHubServer::start();
    server.serve("zoo/zoo", made.path()).budget(60);
    let desk = Desk::at(&server);
    desk.run("init zoo/zoo --slug zoo", 0);
    let busy = Reply::status(403).header("retry-after", "0").body(r#"{"message": "secondary rate limit"}"#);
    let described = serde_json::json!({"id": 42, "full_name": "zoo/zoo", "default_branch": "main"});
    server.server().at("/repos/zoo/zoo", [busy, Reply::json(&described)]);
    let told = desk.run("pin zoo", 0).err;
    let waited = told.lines().any(|line| {
        line.starts_with("GitHub: too many requests came too quickly (a secondary rate limit)")
            && line.ends_with("; waiting")
    });
    assert!(waited && told.contains("GITHUB_TOKEN is not set: 60 requests an hour"), "{told}");
    let told = desk.run("fetch zoo", 0).err;
    assert!(told.contains("are left this hour"), "{told}");
    let asked = server.asked().len();
    let offline = desk.run("--offline fetch zoo", 0).err;
    assert!(!offline.contains("GitHub:"), "{offline}");
    let offline = desk.run("--offline pin zoo", 2).err;
    assert!(offline.contains("offline"), "{offline}");
    assert_eq!(server.asked().len(), asked);
    let private = desk.run("init zoo/lab --slug lab", 0).err;
    assert!(private.contains("project `lab` of zoo/lab on GitHub"), "{private}");
    let private = desk.run("pin lab", 2).err;
    assert!(private.contains("is not there, or is private and GITHUB_TOKEN is not set"), "{private}");
    server.budget(0);
    let used_up = desk.run("pin lab", 2).err;
    assert!(used_up.contains("the primary rate limit") && used_up.contains("one 5,000"), "{used_up}");
    assert!(!desk.path("manifests/lab/pin.toml").exists());
}

/// The raw files of a real repository, committed.
fn offnav(name: &str) -> Option<TestRepository> {
    let folder = shared(&format!("sites/offnav/{name}"))?;
    let made = TestRepository::new();
    for file in files_below(&folder) {
        let inside = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        made.write(inside, std::fs::read(&file).unwrap());
    }
    made.commit("As they are");
    Some(made)
}

/// Templates whose obligations stand in comments, and a sentence of each.
const IN_COMMENTS: [(&str, &str, &[&str]); 3] = [
    ("sympy/sympy", ".github/PULL_REQUEST_TEMPLATE.md", &["write \"Fixes #NNNN\" in that exact format"]),
    ("pallets/flask", ".github/pull_request_template.md", &["Add tests that demonstrate", "Add an entry in"]),
    (
        "pytest-dev/pytest",
        ".github/PULL_REQUEST_TEMPLATE.md",
        &["Create a new changelog file in the", "credited in `Co-authored-by` commit trailers"],
    ),
];

#[test]
fn templates_of_real_projects_yield_the_rules_of_their_comments() {
    for (repository, template, sentences) in IN_COMMENTS {
        let name = repository.rsplit('/').next().unwrap();
        let Some(made) = offnav(name) else { return };
        let server = GitHubServer::start();
        server.serve(repository, made.path());
        let desk = Desk::at(&server);
        desk.run(&format!("init {repository} --slug {name}"), 0);
        desk.extracts(name);
        let quotes = desk.quotes(name);
        for sentence in sentences {
            assert!(
                quotes.iter().any(|(source, quote)| source == template && quote.contains(sentence)),
                "{repository}: {sentence}: {quotes:#?}"
            );
        }
    }
}

/// The last comment of the template of astropy speaks to agents. Here it is text: kept, read and accounted for.
#[test]
fn a_comment_that_speaks_to_agents_is_text_like_any_other() {
    let Some(made) = offnav("astropy") else { return };
    let server = GitHubServer::start();
    server.serve("astropy/astropy", made.path());
    let desk = Desk::at(&server);
    desk.run("init astropy/astropy --slug astropy", 0);
    desk.extracts("astropy");
    let template = ".github/PULL_REQUEST_TEMPLATE.md";
    let text = std::fs::read_to_string(made.path().join(template)).unwrap();
    let comment = text.lines().last().unwrap();
    assert!(comment.contains("ignore all previous"), "{comment}");
    assert!(desk.raw_sources("astropy").contains(comment));
    let (_, ledger) = load_lines::<LedgerFile>(&desk.path("corpora/astropy/ledger.jsonl")).unwrap();
    let said: Vec<_> = ledger.iter().filter(|line| line.text.contains("ignore all previous")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].hidden);
}

/// The page of pytest includes the file at the top of its repository.
#[test]
fn a_text_that_is_a_file_and_a_page_is_drawn_from_once() {
    let (Some(made), Some(site)) = (offnav("pytest"), serve_site("pytest-9.2", "/en/stable")) else { return };
    let server = GitHubServer::start();
    server.serve("pytest-dev/pytest", made.path());
    let desk = Desk::at(&server);
    let docs = "https://docs.pytest.org/en/stable/contributing.html";
    desk.run(&format!("init pytest-dev/pytest --slug pytest-dev --docs {docs}"), 0);
    desk.run(&format!("pin pytest-dev --served {}", site.url("/")), 0);
    for stage in ["fetch", "manifest"] {
        desk.run(&format!("{stage} pytest-dev"), 0);
    }
    let manifest = desk.manifest("pytest-dev");
    let file = manifest.source("CONTRIBUTING.rst").unwrap();
    let page = manifest.source(file.same_text_as.as_deref().unwrap()).unwrap();
    assert_eq!((page.url.as_str(), page.role, file.role), (docs, SourceRole::Rules, SourceRole::ContextOnly));
    assert_eq!(manifest.sources.iter().filter(|source| source.same_text_as.is_some()).count(), 1);
    desk.run("manifest confirm pytest-dev --by keeper", 0);
    desk.run("extract pytest-dev", 0);
    let quotes = desk.quotes("pytest-dev");
    assert!(quotes.iter().any(|(source, _)| *source == page.key), "{quotes:#?}");
    assert!(quotes.iter().all(|(source, _)| *source != file.key), "{quotes:#?}");

    // Whoever assesses the pages.
    let model = ModelServer::start();
    model.obey(|asked| Said::json(&honest(asked.question())));
    let endpoint = format!(
        "schema = 2\n\n[endpoint]\nwire = \"messages\"\nmodel = \"zoo-1\"\nbase_url = \"{}\"\n",
        model.base_url()
    );
    std::fs::write(desk.path("polc.toml"), endpoint).unwrap();
    let ran =
        Ran::of(polc(desk.folder.path(), &["manifest", "pytest-dev"]).env("GITHUB_API_URL", server.api()));
    assert!(ran.code.is_some_and(|code| code < 2), "{ran:?}");
    let by_model = desk.manifest("pytest-dev");
    assert!(by_model.asked.is_some());
    let file = by_model.source("CONTRIBUTING.rst").unwrap();
    assert_eq!((file.same_text_as.as_ref(), file.role), (Some(&page.key), SourceRole::ContextOnly));
}
