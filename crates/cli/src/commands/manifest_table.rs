//! The manifest as a table for people, which stays within the width of a terminal.

use polc_records::manifest::Manifest;

/// How many characters a line has at most, where no single word is longer.
const WIDTH: usize = 110;

/// How wide the column of keys is at most. A longer key has a line of its own.
const WIDEST_KEY: usize = 30;

/// The widths of role, inclusion and code.
const ROLE: usize = 12;
const INCLUSION: usize = 8;
const CODE: usize = 14;

/// Sources with their sections, one row each; what does not fit goes on below its own column.
pub(super) fn table(manifest: &Manifest) -> String {
    let length = |key: &str| key.chars().count();
    let keys = manifest.sources.iter().map(|source| length(&source.key));
    let width = keys.filter(|length| *length <= WIDEST_KEY).max().unwrap_or(0);
    let mut table = String::new();
    for source in &manifest.sources {
        let key = if length(&source.key) > width {
            table.push_str(&source.key);
            table.push('\n');
            ""
        } else {
            &source.key
        };
        let code = source.code.map_or("", |code| code.as_str());
        let (role, inclusion) = (source.role, source.inclusion);
        let head = format!("{key:width$}  {role:ROLE$}  {inclusion:INCLUSION$}  {code:CODE$}  ");
        row(&mut table, &head, &source.reason);
        let side = |side: &str| format!("{:width$}    {side:3}  ", "");
        for section in &source.in_scope {
            row(&mut table, &side("in"), &section.to_string());
        }
        for out in &source.out {
            row(&mut table, &side("out"), &format!("{} ({}: {})", out.section, out.code, out.reason));
        }
    }
    table
}

/// Adds a row: words behind a head, broken at the width and indented below themselves.
fn row(table: &mut String, head: &str, words: &str) {
    let indent = head.chars().count();
    let mut line = head.to_owned();
    let mut used = indent;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        let space = usize::from(used > indent);
        if space == 1 && used + space + length > WIDTH {
            table.push_str(line.trim_end());
            table.push('\n');
            line = " ".repeat(indent);
            used = indent;
        } else if space == 1 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    table.push_str(line.trim_end());
    table.push('\n');
}
