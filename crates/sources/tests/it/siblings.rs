//! Which addresses lead to documents of sibling repositories.

use crate::url;
use polc_records::project::Project;
use polc_sources::project::without_checkout;
use polc_sources::siblings::Target;

fn project(links: Option<&str>) -> Project {
    let bare = without_checkout("zoo".parse().unwrap(), "zoo/zoo".parse().unwrap(), "patch".to_owned());
    Project { links: links.map_or(bare.links.clone(), str::to_owned), ..bare }
}

#[test]
fn one_file_has_many_addresses_and_what_is_no_file_has_none() {
    let zoo = project(None);
    let target = |address: &str| Target::of(&zoo, &url(address));
    let file = target("https://github.com/zoo/book/blob/main/docs/a%20b.md").unwrap();
    for same in [
        "http://www.github.com/zoo/book/raw/main/docs/a%20b.md",
        "https://github.com/zoo/book.git/blob/main//docs/a b.md?plain=1#L10-L20",
        "https://github.com/zoo/book/raw/main/docs/a%20b.md/",
        "https://raw.githubusercontent.com/zoo/book/main/docs/a%20b.md",
        "https://github.com/zoo/book/blob/main/docs\\a%20b.md",
        "https://github.com/zoo/x/../book/blob/main/./docs/%61%20b.md",
    ] {
        assert_eq!(target(same).as_ref(), Some(&file), "{same}");
    }
    assert!(file.is_sibling_of(&zoo, None));
    assert!(target("https://github.com/zoo/book#style").is_some_and(|front| front.is_sibling_of(&zoo, None)));
    assert!(target("https://github.com/zoo/book/tree/main#style").is_some());
    for none in [
        "https://github.com/zoo/book",
        "https://github.com/zoo/book/",
        "https://github.com/zoo/book#",
        "https://github.com/zoo/book/tree/main",
        "https://github.com/zoo/book/issues/1#comment",
        "https://github.com/zoo/book/wiki/Style",
        "https://github.com/zoo/book/releases/download/v1/a.md",
        "https://github.com/zoo/book/edit/main/a.md",
        "https://github.com/zoo",
        "https://github.com/",
        "https://github.com/orgs/zoo",
        "https://raw.githubusercontent.com/zoo/book/main",
        "https://gist.github.com/zoo/book/blob/main/a.md",
        "https://github.com.example/zoo/book/blob/main/a.md",
        "https://github.com:8443/zoo/book/blob/main/a.md",
        "https://zoo.github.io/book/blob/main/a.md",
        "ftp://github.com/zoo/book/blob/main/a.md",
        "https://github.com/zoo/bo%6fk%2Fx/blob/main/a.md",
        "mailto:keeper@github.com",
    ] {
        assert_eq!(target(none), None, "{none}");
    }
}

#[test]
fn a_sibling_is_of_the_same_organisation_and_is_not_the_repository_itself() {
    let zoo = project(None);
    for (name, expected) in [
        ("zoo/book", true),
        ("ZOO/Book", true),
        ("zoo/.github", true),
        ("zoo/zoo", false),
        ("Zoo/ZOO", false),
        ("ark/zoo", false),
        ("zoo-eco/book", false),
    ] {
        let target = Target::of(&zoo, &url(&format!("https://github.com/{name}/blob/main/a.md"))).unwrap();
        assert_eq!(target.is_sibling_of(&zoo, None), expected, "{name}");
    }
}

#[test]
fn a_server_of_ones_own_shows_files_where_the_project_says() {
    let own = project(Some("https://hub.example/code/{repository}/blob/{commit}/{path}"));
    let target = |address: &str| Target::of(&own, &url(address));
    assert!(target("https://hub.example/code/zoo/book/blob/main/a.md").is_some());
    for other in [
        "https://hub.example/zoo/book/blob/main/a.md",
        "https://github.com/zoo/book/blob/main/a.md",
        "https://raw.githubusercontent.com/zoo/book/main/a.md",
    ] {
        assert_eq!(target(other), None, "{other}");
    }
    assert_eq!(
        Target::of(&project(Some("{repository}")), &url("https://github.com/zoo/book/blob/main/a.md")),
        None
    );
}
