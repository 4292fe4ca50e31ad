//! GitHub's API on this machine, as far as polc asks it: real git repositories, limits, and faults on request.

mod pulls;

pub use pulls::Pull;

use crate::repository::command;
use crate::server::{Received, Reply, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

/// The seconds after which a budget that is used up begins anew.
pub const RESET_AFTER: u64 = 1800;

/// The server. Its repositories are read by git at every request.
pub struct GitHubServer {
    server: Server,
    state: Arc<Mutex<State>>,
}

struct State {
    /// By name, in lower case.
    repositories: BTreeMap<String, Served>,
    /// By name, in lower case, and number.
    pulls: BTreeMap<(String, u64), Pull>,
    /// Old names, in lower case, and the repositories' numbers.
    renamed: BTreeMap<String, u64>,
    longest_listing: usize,
    budget: u64,
    token: Option<String>,
}

#[derive(Clone)]
struct Served {
    name: String,
    id: u64,
    folder: PathBuf,
    private: bool,
}

impl GitHubServer {
    /// A server with no repositories, and 5,000 requests to spend.
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            repositories: BTreeMap::new(),
            pulls: BTreeMap::new(),
            renamed: BTreeMap::new(),
            longest_listing: usize::MAX,
            budget: 5000,
            token: None,
        }));
        let server = Server::start();
        let shared = Arc::clone(&state);
        server.otherwise(move |request| shared.lock().expect("no other thread has panicked").answer(request));
        GitHubServer { server, state }
    }

    /// Serves a git repository under a name, `org/name`.
    pub fn serve(&self, name: &str, folder: &Path) -> &Self {
        self.add(name, folder, false)
    }

    /// Serves a repository that only the token's owner may see.
    pub fn serve_private(&self, name: &str, folder: &Path) -> &Self {
        self.add(name, folder, true)
    }

    fn add(&self, name: &str, folder: &Path, private: bool) -> &Self {
        let mut state = self.state();
        let id = 42 + u64::try_from(state.repositories.len()).expect("a few repositories");
        let served = Served { name: name.to_owned(), id, folder: folder.to_path_buf(), private };
        state.repositories.insert(name.to_ascii_lowercase(), served);
        drop(state);
        self
    }

    /// Opens a pull request of a repository that is served.
    pub fn pull(&self, name: &str, number: u64, pull: Pull) -> &Self {
        self.state().pulls.insert((name.to_ascii_lowercase(), number), pull);
        self
    }

    /// Lets a repository have had another name.
    pub fn renamed(&self, old: &str, new: &str) -> &Self {
        let mut state = self.state();
        let id = state.repositories[&new.to_ascii_lowercase()].id;
        state.renamed.insert(old.to_ascii_lowercase(), id);
        drop(state);
        self
    }

    /// Cuts listings of trees after so many entries.
    pub fn cut_listings(&self, entries: usize) -> &Self {
        self.state().longest_listing = entries;
        self
    }

    /// Answers so many requests more.
    pub fn budget(&self, requests: u64) -> &Self {
        self.state().budget = requests;
        self
    }

    /// Knows one token, and no other.
    pub fn token(&self, token: &str) -> &Self {
        self.state().token = Some(token.to_owned());
        self
    }

    /// The address of the API.
    pub fn api(&self) -> String {
        self.server.url("")
    }

    /// The server below, for faults: `at` sets what a path answers.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// What was asked so far, in order.
    pub fn asked(&self) -> Vec<String> {
        self.server.received().into_iter().map(|request| request.target).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no other thread has panicked")
    }
}

impl State {
    fn answer(&mut self, request: &Received) -> Reply {
        let given = request.headers.get("authorization").map(|value| value.trim_start_matches("Bearer "));
        let known = given.is_some() && given == self.token.as_deref();
        if given.is_some() && !known {
            return refused(401, "Bad credentials");
        }
        if self.budget == 0 {
            return self.with_budget(refused(403, "API rate limit exceeded"));
        }
        let reply = self.route(request, known);
        let etag = format!("W/\"{}\"", hash(&reply));
        if request.headers.get("if-none-match") == Some(&etag) {
            // Free only for who says who they are.
            self.budget -= u64::from(!known);
            return self.with_budget(Reply::status(304).header("etag", &etag));
        }
        self.budget -= 1;
        self.with_budget(reply.header("etag", &etag))
    }

    fn with_budget(&self, reply: Reply) -> Reply {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970").as_secs();
        reply
            .header("x-ratelimit-limit", if self.token.is_some() { "5000" } else { "60" })
            .header("x-ratelimit-remaining", &self.budget.to_string())
            .header("x-ratelimit-reset", &(now + RESET_AFTER).to_string())
    }

    fn route(&self, request: &Received, known: bool) -> Reply {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let parts: Vec<&str> = path.trim_start_matches('/').splitn(5, '/').collect();
        let named = |served: &&Served| known || !served.private;
        match parts.as_slice() {
            ["repositories", id, rest @ ..] => {
                let found = self.repositories.values().find(|served| served.id.to_string() == *id);
                // One part less than a name has stands before what is asked for.
                let rest = rest.join("/");
                let rest: Vec<&str> = rest.splitn(2, '/').filter(|part| !part.is_empty()).collect();
                found.filter(named).map_or_else(missing, |served| self.part(served, &rest, query, request))
            }
            ["repos", org, name, rest @ ..] => {
                let name = format!("{org}/{name}").to_ascii_lowercase();
                if let Some(id) = self.renamed.get(&name) {
                    let rest: String = rest.iter().map(|part| format!("/{part}")).collect();
                    let host = request.headers.get("host").cloned().unwrap_or_default();
                    return Reply::status(301)
                        .header("location", &format!("http://{host}/repositories/{id}{rest}"));
                }
                let Some(served) = self.repositories.get(&name).filter(named) else { return missing() };
                self.part(served, rest, query, request)
            }
            _ => missing(),
        }
    }

    fn part(&self, served: &Served, rest: &[&str], query: &str, request: &Received) -> Reply {
        match rest {
            [] => Reply::json(&served.described()),
            ["commits", reference] => served.commit(&reference.replace("%20", " ")),
            ["pulls", pull] => {
                let (number, rest) = pull.split_once('/').unwrap_or((pull, ""));
                let number = number.parse().ok();
                let key = number.map(|number| (served.name.to_ascii_lowercase(), number));
                let pull = key.and_then(|key| self.pulls.get(&key));
                pull.map_or_else(missing, |pull| served.pull(pull, rest, query))
            }
            ["compare", range] => served.compared(range, query),
            ["git", object] => served.object(object, query, request, self.longest_listing),
            _ => missing(),
        }
    }
}

impl Served {
    fn described(&self) -> Value {
        let branch = self.git(&["symbolic-ref", "--short", "HEAD"]).unwrap_or_default();
        let branch = String::from_utf8_lossy(&branch).trim().to_owned();
        json!({"id": self.id, "full_name": self.name, "default_branch": branch, "private": self.private})
    }

    fn commit(&self, reference: &str) -> Reply {
        let revision = format!("{reference}^{{commit}}");
        let format = "--format=%H%n%T%n%cd";
        let date = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
        let Some(found) = self.git(&["log", "-1", date, format, "--end-of-options", &revision, "--"]) else {
            return refused(422, &format!("No commit found for SHA: {reference}"));
        };
        let found = String::from_utf8_lossy(&found).into_owned();
        let lines: Vec<&str> = found.lines().collect();
        Reply::json(&json!({
            "sha": lines[0],
            "commit": {"tree": {"sha": lines[1]}, "committer": {"date": lines[2]}},
        }))
    }

    fn object(&self, object: &str, query: &str, request: &Received, longest: usize) -> Reply {
        match object.split_once('/') {
            Some(("trees", id)) => self.tree(id, query.contains("recursive"), longest),
            Some(("blobs", id)) => {
                if !request.headers.get("accept").is_some_and(|accept| accept.contains("vnd.github.raw")) {
                    return refused(415, "only raw blobs are served here");
                }
                self.git(&["cat-file", "blob", id])
                    .map_or_else(missing, |bytes| Reply::status(200).body(bytes))
            }
            _ => missing(),
        }
    }

    fn tree(&self, id: &str, recursive: bool, longest: usize) -> Reply {
        let mut arguments = vec!["ls-tree", "-z", "--full-tree", "-l"];
        arguments.extend(recursive.then_some(["-r", "-t"]).into_iter().flatten());
        arguments.push(id);
        let Some(listing) = self.git(&arguments) else { return missing() };
        let rows: Vec<Value> = String::from_utf8_lossy(&listing)
            .split_terminator('\0')
            .map(|row| {
                let (head, path) = row.split_once('\t').expect("a row of ls-tree");
                let words: Vec<&str> = head.split_whitespace().collect();
                let mut row = json!({"path": path, "mode": words[0], "type": words[1], "sha": words[2]});
                if let Ok(size) = words[3].parse::<u64>() {
                    row["size"] = json!(size);
                }
                row
            })
            .collect();
        let truncated = recursive && rows.len() > longest;
        let rows = &rows[..if truncated { longest } else { rows.len() }];
        let url = format!("https://api.example/git/trees/{id}");
        Reply::json(&json!({"sha": id, "url": url, "tree": rows, "truncated": truncated}))
    }

    fn git(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let output = command(&self.folder).env("TZ", "UTC0").args(arguments).output().expect("git runs");
        output.status.success().then_some(output.stdout)
    }
}

fn refused(status: u16, message: &str) -> Reply {
    let mut reply = Reply::json(&json!({"message": message, "documentation_url": "https://docs.example"}));
    reply.status = status;
    reply
}

fn missing() -> Reply {
    refused(404, "Not Found")
}

fn hash(reply: &Reply) -> u64 {
    let mut hasher = DefaultHasher::new();
    reply.body.hash(&mut hasher);
    hasher.finish()
}
