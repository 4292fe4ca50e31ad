//! Published documentation, by the real binary from a server on this machine.

use crate::polc::{PAGE, Zoo};
use polc_testkit::{Reply, Server};

const DOCS: &str = "https://docs.example/en/stable/contributing.html";

/// A site made by Sphinx that states these versions, on a mirror without the first part of its address.
fn site(options: &str, inventory: &str) -> Server {
    let server = Server::start();
    let page = "<html data-content_root='./'><title>Contributing</title><p>Hello";
    server.at("/stable/contributing.html", [Reply::html(page)]);
    let options = format!("const DOCUMENTATION_OPTIONS = {{VERSION: '{options}'}};");
    server.at("/stable/_static/documentation_options.js", [Reply::text(options)]);
    let inventory = format!("# Sphinx inventory version 2\n# Project: Zoo\n# Version: {inventory}\n");
    server.at("/stable/objects.inv", [Reply::text(inventory)]);
    server
}

/// A project with these flags of `init`, and what a command says of the site, with the mirror's address taken out.
fn run(zoo: &Zoo, server: &Server, arguments: &[&str], code: i32) -> String {
    let mirror = server.url("/");
    let ran = zoo.polc(&[arguments, &["--served", &mirror]].concat()).exits(code);
    ran.err.replace(&mirror, "MIRROR/")
}

#[test]
fn a_site_is_pinned_beside_the_repository_and_read_on_a_mirror() {
    let zoo = Zoo::with(PAGE);
    let server = site("1.2.3", "1.2");
    zoo.polc(&["init", "zoo/zoo", "--git", ".", "--docs", DOCS, "--slug", "zoo"]).exits(0);
    assert!(zoo.read("corpora/zoo/project.toml").contains(&format!("docs = \"{DOCS}\"")));
    let first = run(&zoo, &server, &["pin", "zoo"], 0);
    let again = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(again.contains("the pin stands at commit"), "{again}");
    let pin = zoo.read("manifests/zoo/pin.toml").replace(&server.url("/"), "MIRROR/");
    let site = pin.split_once("[site]").unwrap().1;
    insta::assert_snapshot!(format!("{}\n[site]{site}", first.split_once("documentation at").unwrap().1));
    zoo.does(&["fetch zoo", "manifest zoo"]);
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("; documentation 1.2.3"), "{status}");
    let server = self::site("1.2.4", "1.2");
    let moved = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(moved.contains("the site, version `1.2.3` before and version `1.2.4` now"), "{moved}");
}

#[test]
fn versions_that_disagree_are_refused_until_somebody_says_which_one_it_is() {
    let zoo = Zoo::with(PAGE);
    let server = site("1.2.3", "1.1");
    zoo.polc(&["init", "zoo/zoo", "--docs", DOCS, "--slug", "zoo"]).exits(0);
    let refused = run(&zoo, &server, &["pin", "zoo"], 2);
    assert!(!zoo.path().join("manifests/zoo/pin.toml").exists());
    let by_hand =
        run(&zoo, &server, &["pin", "zoo", "--version", "1.2.3", "--reason", "the inventory is old"], 0);
    let kept = run(&zoo, &server, &["pin", "zoo"], 0);
    assert!(kept.contains("by hand: the inventory is old"), "{kept}");
    insta::assert_snapshot!(format!("{refused}\n{by_hand}"));
    zoo.does(&["fetch zoo"]);
    let gate = zoo.polc(&["manifest", "zoo"]).exits(4).err;
    assert!(gate.contains("holds no repository"), "{gate}");
}

#[test]
fn what_is_said_of_a_site_has_to_be_whole() {
    let zoo = Zoo::with(PAGE);
    for arguments in [
        &["init", "zoo/zoo", "--docs", "docs.example"][..],
        &["init", "zoo/zoo", "--docs", "ftp://docs.example/"],
        &["init", "zoo/zoo"],
        &["pin", "zoo", "--version", "1.2"],
        &["pin", "zoo", "--unversioned"],
        &["pin", "zoo", "--version", "1.2", "--unversioned", "--reason", "x"],
        &["pin", "zoo", "--version", "1.2", "--reason", " "],
    ] {
        zoo.polc(arguments).exits(3);
    }
    zoo.does(&["init zoo/zoo --git . --slug zoo"]);
    let error = zoo.polc(&["pin", "zoo", "--unversioned", "--reason", "x"]).exits(2).err;
    assert!(error.contains("names no published documentation"), "{error}");
}
