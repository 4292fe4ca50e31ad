//! What spreadsheet programs do to a workbook: a real one, and edits of its parts.

use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use std::process::Command;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

fn archive(bytes: &[u8]) -> ZipArchive<Cursor<&[u8]>> {
    ZipArchive::new(Cursor::new(bytes)).unwrap()
}

/// The text of a part.
pub(crate) fn part(bytes: &[u8], name: &str) -> String {
    let mut text = String::new();
    archive(bytes).by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The time of every part.
pub(crate) fn times(bytes: &[u8]) -> Vec<String> {
    let mut archive = archive(bytes);
    let times = (0..archive.len()).map(|index| archive.by_index(index).unwrap().last_modified());
    times.map(|time| time.map_or_else(String::new, |time| time.to_string())).collect()
}

/// The workbook with another text of one part.
pub(crate) fn with_part(bytes: &[u8], name: &str, edit: impl Fn(&str) -> String) -> Vec<u8> {
    let mut archive = archive(bytes);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        writer.start_file(file.name().unwrap().to_string(), SimpleFileOptions::default()).unwrap();
        let text = if file.name().unwrap() == name { edit(&text) } else { text };
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const RULES: &str = "xl/worksheets/sheet1.xml";

/// The workbook with other markup in place of one element of the sheet of rules.
fn with_element(bytes: &[u8], start: &str, name: &str, markup: &str) -> Vec<u8> {
    with_part(bytes, RULES, |xml| {
        let at = xml.find(start).unwrap();
        let rest = &xml[at..];
        let tag = rest.find('>').unwrap() + 1;
        let end = if rest[..tag].ends_with("/>") {
            tag
        } else {
            let closing = format!("</{name}>");
            rest.find(&closing).unwrap() + closing.len()
        };
        format!("{}{markup}{}", &xml[..at], &rest[end..])
    })
}

/// The workbook with other markup in place of one cell of the rules.
pub(crate) fn with_cell(bytes: &[u8], cell: &str, markup: &str) -> Vec<u8> {
    with_element(bytes, &format!("<c r=\"{cell}\""), "c", markup)
}

/// The workbook with a text typed into one cell of the rules.
pub(crate) fn typed(bytes: &[u8], cell: &str, text: &str) -> Vec<u8> {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let markup = format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>");
    with_cell(bytes, cell, &markup)
}

/// The workbook without one row of the rules.
pub(crate) fn without_row(bytes: &[u8], row: u32) -> Vec<u8> {
    with_element(bytes, &format!("<row r=\"{row}\""), "row", "")
}

/// LibreOffice, as it is installed here.
pub(crate) struct LibreOffice {
    program: PathBuf,
}

impl LibreOffice {
    /// The program, or a loud SKIP.
    pub(crate) fn found() -> Option<Self> {
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
    pub(crate) fn open_and_save(&self, bytes: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("rules.xlsx"), folder.path().join("saved"));
        std::fs::write(&from, bytes).unwrap();
        let ran = Command::new(&self.program)
            .arg(format!("-env:UserInstallation=file://{}", folder.path().join("profile").display()))
            .args(["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"])
            .arg(&to)
            .arg(&from)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        std::fs::read(to.join("rules.xlsx")).unwrap()
    }
}
