//! `corpora/<slug>/CONTRIBUTING_RULES.md`: the binding rules for whoever contributes (the consolidated
//! setting). Nothing in it comes from a checker.

use polc_records::corpus::Corpus;
use polc_records::project::Project;
use polc_records::vocabulary::Category;
use polc_text::document::fold_space;

/// The binding rules by category, each with its id and the address of its sentence.
pub fn render(project: &Project, corpus: &Corpus) -> String {
    let mut text = format!(
        "# What {} expects of a contribution\n\n{} rules bind, drawn from its contributor documentation. Each links to the \
         sentence that states it.\n",
        project.repository,
        corpus.binding().count()
    );
    for category in Category::ALL {
        let mut rules = corpus.binding().filter(|row| row.category == *category).peekable();
        if rules.peek().is_none() {
            continue;
        }
        text.push_str(&format!("\n## {category}\n\n"));
        for row in rules {
            text.push_str(&format!("- {} ([{}]({}))\n", fold_space(&row.rule), row.id, row.source.url));
        }
    }
    text
}
