//! A corpus of made-up rules, for tests and benchmarks.

use polc_records::Digest;
use polc_records::corpus::Corpus;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::vocabulary::Category;
use std::fmt::Write;
use std::path::Path;

/// The project.
pub(crate) fn slug() -> Slug {
    "zoo".parse().unwrap()
}

/// A rule: its number, its text, its category, whether it binds.
pub(crate) struct Rule<'r> {
    pub(crate) number: usize,
    pub(crate) text: &'r str,
    pub(crate) category: Category,
    pub(crate) binds: bool,
}

impl<'r> Rule<'r> {
    /// A rule that binds.
    pub(crate) fn new(number: usize, text: &'r str) -> Self {
        Rule { number, text, category: Category::Git, binds: true }
    }
}

/// A corpus of rules.
pub(crate) fn corpus(rules: &[Rule<'_>], slug: &Slug) -> Corpus {
    let mut csv = String::from(
        "ID,Source,Original text,Atomic rule,Applies to,Category,Requirement level,Evidence Type,In scope,\
         Out-of-scope route,Notes\n",
    );
    for rule in rules {
        let (level, route) = if rule.binds { ("must", "M4") } else { ("should", "D1") };
        writeln!(
            csv,
            "{}-C{:03},https://zoo.example/{} | Top,{text},{text},code,{},{level},output,yes,,\"Route: {route} | Modal: must | \
             Quote: \"\"it\"\" | Context: none | Conclusion: in scope\"",
            slug.as_str().to_uppercase(),
            rule.number,
            rule.number,
            rule.category,
            text = rule.text
        )
        .unwrap();
    }
    Corpus::parse(Path::new("rules.csv"), slug, &csv).unwrap()
}

/// An empty root, with the runtime that polc carries.
pub(crate) fn root(folder: &Path) -> Root {
    std::fs::write(folder.join("polc.toml"), "schema = 1\n").unwrap();
    Root::new(folder)
}

/// The digest that the registry names: of nothing in particular.
pub(crate) fn digest() -> Digest {
    Digest::of("corpus")
}
