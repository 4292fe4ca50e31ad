//! What spreadsheet programs do to a workbook: a real one, and edits of its parts.

use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use std::process::Command;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// A file within a workbook.
struct Part {
    name: String,
    time: String,
    text: String,
}

fn parts(bytes: &[u8]) -> Vec<Part> {
    let read = || -> ZipResult<Vec<Part>> {
        let mut archive = ZipArchive::new(Cursor::new(bytes))?;
        let mut parts = Vec::new();
        for index in 0..archive.len() {
            let mut file = archive.by_index(index)?;
            let name = file.name()?.to_string();
            let time = file.last_modified().map_or_else(String::new, |time| time.to_string());
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            parts.push(Part { name, time, text });
        }
        Ok(parts)
    };
    read().expect("the bytes are a workbook")
}

/// The text of a part.
pub fn part(bytes: &[u8], name: &str) -> String {
    let part = parts(bytes).into_iter().find(|part| part.name == name);
    part.expect("the workbook has the part").text
}

/// The time of every part.
pub fn times(bytes: &[u8]) -> Vec<String> {
    parts(bytes).into_iter().map(|part| part.time).collect()
}

/// The workbook with another text of one part.
pub fn with_part(bytes: &[u8], name: &str, edit: impl Fn(&str) -> String) -> Vec<u8> {
    let write = || -> ZipResult<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for part in parts(bytes) {
            writer.start_file(&part.name, SimpleFileOptions::default())?;
            let text = if part.name == name { edit(&part.text) } else { part.text };
            writer.write_all(text.as_bytes())?;
        }
        Ok(writer.finish()?.into_inner())
    };
    write().expect("a workbook can be written")
}

const RULES: &str = "xl/worksheets/sheet1.xml";

/// The workbook with other markup in place of one element of a sheet.
fn with_element(bytes: &[u8], sheet: &str, start: &str, name: &str, markup: &str) -> Vec<u8> {
    with_part(bytes, sheet, |xml| {
        let end = |of: &str, mark: &str| of.find(mark).map(|at| at + mark.len());
        let replaced = || {
            let at = xml.find(start)?;
            let tag = at + end(&xml[at..], ">")?;
            let after =
                if xml[..tag].ends_with("/>") { tag } else { at + end(&xml[at..], &format!("</{name}>"))? };
            Some(format!("{}{markup}{}", &xml[..at], &xml[after..]))
        };
        replaced().expect("the sheet has the element")
    })
}

/// The workbook with other markup in place of one cell of the rules.
pub fn with_cell(bytes: &[u8], cell: &str, markup: &str) -> Vec<u8> {
    with_element(bytes, RULES, &format!("<c r=\"{cell}\""), "c", markup)
}

/// The workbook with texts typed into cells of a sheet, which is named by its part: `xl/worksheets/sheet2.xml`. A cell
/// has to be there, and may be blank.
pub fn typed_into<'t>(
    bytes: &[u8],
    sheet: &str,
    cells: impl IntoIterator<Item = (String, &'t str)>,
) -> Vec<u8> {
    let cells: Vec<(String, &str)> = cells.into_iter().collect();
    with_part(bytes, sheet, |xml| {
        cells.iter().fold(xml.to_owned(), |xml, (cell, text)| {
            let start = xml.find(&format!("<c r=\"{cell}\"")).expect("the sheet has the cell");
            let tag = start + xml[start..].find('>').expect("a tag ends") + 1;
            let end = match xml[..tag].ends_with("/>") {
                true => tag,
                false => start + xml[start..].find("</c>").expect("a cell ends") + 4,
            };
            format!("{}{}{}", &xml[..start], inline(cell, text), &xml[end..])
        })
    })
}

fn inline(cell: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
}

/// The workbook with a text typed into one cell of the rules.
pub fn typed(bytes: &[u8], cell: &str, text: &str) -> Vec<u8> {
    with_cell(bytes, cell, &inline(cell, text))
}

/// The workbook without one row of the rules.
pub fn without_row(bytes: &[u8], row: u32) -> Vec<u8> {
    with_element(bytes, RULES, &format!("<row r=\"{row}\""), "row", "")
}

/// LibreOffice, as it is installed here.
pub struct LibreOffice {
    program: PathBuf,
}

impl LibreOffice {
    /// The program, or a loud SKIP.
    pub fn found() -> Option<Self> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let program =
            std::env::split_paths(&folders).map(|folder| folder.join("soffice")).find(|file| file.is_file());
        if program.is_none() {
            let test = std::thread::current().name().unwrap_or("a test").to_owned();
            let _written = writeln!(std::io::stderr(), "SKIP {test}: no `soffice` on the PATH");
        }
        program.map(|program| LibreOffice { program })
    }

    /// Opens a workbook and saves it again.
    pub fn open_and_save(&self, bytes: &[u8]) -> Vec<u8> {
        let convert = || -> std::io::Result<Vec<u8>> {
            let folder = tempfile::tempdir()?;
            let (from, to) = (folder.path().join("rules.xlsx"), folder.path().join("saved"));
            std::fs::write(&from, bytes)?;
            Command::new(&self.program)
                .arg(format!("-env:UserInstallation=file://{}", folder.path().join("profile").display()))
                .args(["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"])
                .arg(&to)
                .arg(&from)
                .output()?;
            std::fs::read(to.join("rules.xlsx"))
        };
        convert().expect("LibreOffice saves what it opened")
    }
}
