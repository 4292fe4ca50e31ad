//! Which encoding a page is in, and its text.

mod prescan;

use self::prescan::prescan;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Who declared the encoding that was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    /// A byte-order mark.
    ByMark,
    /// The `Content-Type` of the answer.
    ByHeader,
    /// A `<meta>` at the beginning of the page.
    ByPage,
    /// Nobody: the bytes are valid UTF-8, or they are taken for windows-1252 as browsers do.
    ByNobody,
}

/// The text of a page, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text, without a byte-order mark.
    pub text: String,
    /// The name of the encoding that was used, as the encoding standard has it.
    pub encoding: &'static str,
    /// Who declared that encoding.
    pub declared: Declared,
    /// How many places could not be read. U+FFFD stands there, and a quote from there is in doubt.
    pub replaced: usize,
}

impl Text {
    /// Reads a body by what a byte-order mark says, else the header, else the page; where nobody says
    /// anything it is UTF-8 if it can be, else windows-1252.
    ///
    /// A header that lies gives way to a page that does not: of what is declared, UTF-8 that is valid is
    /// believed first, since bytes are hardly ever valid UTF-8 by accident, and then whatever reads without
    /// a fault. Where nothing does, the first declaration is used and the faults are counted.
    pub(crate) fn of(body: &[u8], content_type: Option<&str>) -> Self {
        if let Some((encoding, _)) = Encoding::for_bom(body) {
            return read(body, encoding, Declared::ByMark);
        }
        let header = content_type.and_then(of_header).map(|encoding| (encoding, Declared::ByHeader));
        let page = if is_html(content_type) { prescan(body) } else { None };
        let declared: Vec<_> =
            header.into_iter().chain(page.map(|encoding| (encoding, Declared::ByPage))).collect();
        let utf_8_first = |utf_8| declared.iter().filter(move |(encoding, _)| (*encoding == UTF_8) == utf_8);
        let flawless = utf_8_first(true)
            .chain(utf_8_first(false))
            .map(|&(encoding, declared)| read(body, encoding, declared))
            .find(|text| text.replaced == 0);
        flawless.unwrap_or_else(|| {
            let guess = if std::str::from_utf8(body).is_ok() { UTF_8 } else { WINDOWS_1252 };
            let &(encoding, declared) = declared.first().unwrap_or(&(guess, Declared::ByNobody));
            read(body, encoding, declared)
        })
    }
}

fn read(body: &[u8], encoding: &'static Encoding, declared: Declared) -> Text {
    let (text, faults) = encoding.decode_with_bom_removal(body);
    let replaced = if faults { text.matches(char::REPLACEMENT_CHARACTER).count() } else { 0 };
    Text { text: text.into_owned(), encoding: encoding.name(), declared, replaced }
}

/// The encoding of a `Content-Type`, if it names one that there is.
fn of_header(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let label = value.trim().trim_matches(['"', '\'']);
        name.trim().eq_ignore_ascii_case("charset").then(|| Encoding::for_label(label.as_bytes()))?
    })
}

/// Whether a page may declare its encoding itself.
fn is_html(content_type: Option<&str>) -> bool {
    content_type.is_none_or(|kind| kind.to_ascii_lowercase().contains("html"))
}
