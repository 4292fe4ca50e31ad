//! Pull requests of a repository that is served: what git says of two of its revisions.

use super::{Served, missing, refused};
use crate::server::Reply;
use serde_json::{Value, json};

/// A pull request. Whether its fork is still there, and whether it was merged, is nothing that a reader asks for.
#[derive(Debug, Clone)]
pub struct Pull {
    /// Its title.
    pub title: String,
    /// Its body; none where nobody wrote one.
    pub body: Option<String>,
    /// The revision that it is proposed to.
    pub base: String,
    /// Its last commit, as a revision.
    pub head: String,
    /// `open` or `closed`.
    pub state: String,
}

impl Served {
    /// A pull request, or the page of its files that a query asks for.
    pub(super) fn pull(&self, pull: &Pull, rest: &str, query: &str) -> Reply {
        match rest {
            "" => Reply::json(&json!({
                "title": pull.title,
                "body": pull.body,
                "state": pull.state,
                "base": {"ref": pull.base, "sha": self.rev(&pull.base), "repo": {"full_name": self.name}},
                // The fork is gone; the commits are not.
                "head": {"ref": pull.head, "sha": self.rev(&pull.head), "repo": null},
            })),
            "files" => Reply::json(&Value::from(page(&self.files(pull), query))),
            _ => missing(),
        }
    }

    fn files(&self, pull: &Pull) -> Vec<Value> {
        let range = format!("{}...{}", pull.base, pull.head);
        let listing =
            self.git(&["diff", "--name-status", "-z", "--find-renames", &range]).expect("git compares");
        let listing = String::from_utf8_lossy(&listing).into_owned();
        let mut words = listing.split_terminator('\0');
        let mut files = Vec::new();
        while let Some(status) = words.next() {
            let path = words.next().expect("a path");
            // The patches of large changes are left out there, too.
            files.push(if status.starts_with('R') {
                let new = words.next().expect("the new path");
                json!({"filename": new, "previous_filename": path, "status": "renamed"})
            } else {
                let status = if status == "A" {
                    "added"
                } else if status == "D" {
                    "removed"
                } else {
                    "modified"
                };
                json!({"filename": path, "status": status})
            });
        }
        files
    }

    /// What one commit has that another has not, as `base...head`.
    pub(super) fn compared(&self, range: &str, query: &str) -> Reply {
        let Some((base, head)) = range.split_once("...") else { return missing() };
        let Some(start) = self.git(&["merge-base", base, head]) else {
            return refused(404, "No common ancestor between the two");
        };
        let start = String::from_utf8_lossy(&start).trim().to_owned();
        let range = format!("{base}..{head}");
        let ids = self.git(&["rev-list", "--reverse", "--topo-order", &range]).expect("git lists");
        let ids = String::from_utf8_lossy(&ids).into_owned();
        let commits: Vec<Value> = ids.lines().map(|id| self.described_commit(id)).collect();
        Reply::json(&json!({
            "merge_base_commit": self.described_commit(&start),
            "total_commits": commits.len(),
            "commits": page(&commits, query),
        }))
    }

    fn described_commit(&self, id: &str) -> Value {
        let format = "--format=%H%x00%P%x00%T%x00%an%x00%ae%x00%cn%x00%ce%x00%B";
        let found = self.git(&["log", "-1", format, id]).expect("the commit is there");
        let found = String::from_utf8_lossy(&found).into_owned();
        let parts: Vec<&str> = found.split('\0').collect();
        let parents: Vec<Value> = parts[1].split_whitespace().map(|sha| json!({"sha": sha})).collect();
        json!({
            "sha": parts[0],
            "parents": parents,
            "commit": {
                "tree": {"sha": parts[2]},
                "author": {"name": parts[3], "email": parts[4]},
                "committer": {"name": parts[5], "email": parts[6]},
                "message": parts[7].trim_end(),
            },
        })
    }

    fn rev(&self, revision: &str) -> String {
        let id = self.git(&["rev-parse", revision]).expect("the revision is there");
        String::from_utf8_lossy(&id).trim().to_owned()
    }
}

/// The rows of the page that a query asks for.
fn page(rows: &[Value], query: &str) -> Vec<Value> {
    let number = |name: &str| {
        let values = query.split('&').filter_map(|pair| pair.split_once('='));
        values.filter(|(key, _)| *key == name).find_map(|(_, value)| value.parse::<usize>().ok())
    };
    let (size, page) = (number("per_page").unwrap_or(30), number("page").unwrap_or(1));
    rows.iter().skip(size * (page - 1)).take(size).cloned().collect()
}
