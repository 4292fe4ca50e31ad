//! A site of the shared data on a server of its own.

use crate::server::{Reply, Server};
use crate::shared::{files_below, shared};
use std::collections::BTreeMap;
use std::path::Path;

/// Serves a folder of the shared `sites` below a prefix, `/en/stable` or nothing; none, with a loud SKIP,
/// where there is no such data.
///
/// A folder answers with its `index.html`, a folder without its slash redirects there, and a query makes no
/// difference. What `urlmap.tsv` says of an address comes first.
pub fn serve_site(name: &str, prefix: &str) -> Option<Server> {
    let server = Server::start();
    server.pages(pages(&shared(&format!("sites/{name}"))?, prefix));
    Some(server)
}

/// Every address of a folder, with its percent-encoding resolved, and what it answers.
pub fn pages(folder: &Path, prefix: &str) -> BTreeMap<String, Reply> {
    let mut pages = BTreeMap::new();
    for file in files_below(folder) {
        let inside = file.strip_prefix(folder).expect("the file is in the folder");
        let path = format!("{prefix}/{}", inside.to_str().expect("a name is UTF-8"));
        let reply = Reply::file(&file);
        if let Some(parent) = path.strip_suffix("/index.html") {
            pages.insert(format!("{parent}/"), reply.clone());
            // The folder that is the whole server has no address without its slash.
            if !parent.is_empty() {
                pages.insert(parent.to_owned(), Reply::status(301).header("location", &format!("{parent}/")));
            }
        }
        pages.insert(path, reply);
    }
    let map = std::fs::read_to_string(folder.join("urlmap.tsv")).unwrap_or_default();
    for line in map.lines() {
        let [path, status, what, file] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let status: u16 = status.parse().expect("a status is a number");
        let reply = match status {
            200 if !folder.join(file).is_file() => Reply::status(404),
            200 => Reply::file(&folder.join(file)),
            300..400 => Reply::status(status).header("location", &format!("{prefix}{what}")),
            _ => Reply::status(status),
        };
        pages.insert(format!("{prefix}{path}"), reply);
    }
    pages
}
