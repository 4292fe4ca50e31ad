//! Text by reference: what a file has of its sources' own words, replaced by where they stand.
//!
//! A reference names a source, a stretch of one of its [`Voice`]s, how that stretch is escaped in the
//! file, and the beginning of its digest: `⟦3:120-180 json 9f86d081884c7d65⟧`. Everything else of a file
//! stays as it is, so that the file comes back byte for byte from the same snapshots, and from no others.

use crate::document::{Document, fold_space};
use polc_records::Digest;
use polc_records::references::Voice;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// What begins and ends a reference. In a file's own text the first is written with the second after it.
const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// How many words in a row are taken for the source's own, wherever they stand.
const RUN: usize = 4;

/// How many hexadecimal digits of a digest a reference carries.
const DIGITS: usize = 16;

/// How many places of the same words are tried for the longest match.
const PLACES: usize = 16;

/// How text is written within a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Escape {
    /// As it stands.
    None,
    /// Within a string of JSON, TOML or Rust.
    Json,
    /// Within a quoted cell of a table.
    Csv,
}

impl Escape {
    /// The ways in which a file of this name may write text.
    pub fn of_file(name: &str) -> &'static [Escape] {
        match name.rsplit('.').next() {
            Some("json" | "jsonl") => &[Escape::Json],
            Some("csv") => &[Escape::Csv],
            Some("toml" | "rs") => &[Escape::None, Escape::Json],
            _ => &[Escape::None],
        }
    }

    const fn mark(self) -> &'static str {
        match self {
            Escape::None => "",
            Escape::Json => " json",
            Escape::Csv => " csv",
        }
    }

    fn write(self, c: char, out: &mut String) {
        match (self, c) {
            (Escape::Csv, '"') => out.push_str("\"\""),
            (Escape::Json, '"') => out.push_str("\\\""),
            (Escape::Json, '\\') => out.push_str("\\\\"),
            (Escape::Json, '\n') => out.push_str("\\n"),
            (Escape::Json, '\r') => out.push_str("\\r"),
            (Escape::Json, '\t') => out.push_str("\\t"),
            (_, c) => out.push(c),
        }
    }

    fn written(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        text.chars().for_each(|c| self.write(c, &mut out));
        out
    }
}

/// What a source says in a voice, whatever else it says.
pub fn spoken(document: &Document, bytes: &[u8], voice: Voice) -> String {
    let blocks = document.blocks.iter().map(|block| match voice {
        Voice::Quoted => block.prose.quote(&document.text, &(0..block.prose.plain.len())),
        Voice::Words | Voice::Raw => fold_space(&block.prose.plain),
    });
    match voice {
        Voice::Quoted | Voice::Words => {
            blocks.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
        }
        Voice::Raw => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// A voice as a kind of file writes it.
struct Written {
    voice: usize,
    escape: Escape,
    text: String,
    /// For each byte of `text`, and its end, the byte of the voice that it begins; none within a character.
    origin: Vec<Option<u32>>,
}

/// The voices of many sources, ready to be recognised in files.
pub struct Concordance {
    ids: Vec<usize>,
    voices: Vec<String>,
    written: Vec<Written>,
    /// Where runs of words begin, by their hash.
    runs: HashMap<u64, Vec<(usize, usize)>>,
    /// Texts that are known to be quoted and are no run: the voice that says each, and where.
    short: Vec<(usize, Range<usize>)>,
}

/// A file with references in the place of what is its sources' own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referring {
    /// Its text.
    pub text: String,
    /// The voices that it refers to, by id.
    pub voices: BTreeSet<usize>,
}

/// A stretch of a file that a voice says.
struct Match {
    file: Range<usize>,
    voice: usize,
    stretch: Range<usize>,
    escape: Escape,
}

impl Concordance {
    /// Prepares voices, each with the id that references will have, and the texts that are known to be
    /// quoted, which count however short they are, as long as they are of two words.
    pub fn of<'q>(voices: Vec<(usize, String)>, quoted: impl IntoIterator<Item = &'q str>) -> Self {
        let (ids, voices): (Vec<usize>, Vec<String>) = voices.into_iter().unzip();
        let mut written = Vec::new();
        let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        for (voice, text) in voices.iter().enumerate() {
            for escape in [Escape::None, Escape::Json, Escape::Csv] {
                let form = Written::of(voice, escape, text);
                for run in runs(&form.text) {
                    places.entry(hash(&form.text[run.clone()])).or_default().push((written.len(), run.start));
                }
                written.push(form);
            }
        }
        let short: BTreeSet<&str> =
            quoted.into_iter().filter(|text| (2..RUN).contains(&words(text).len())).collect();
        let mut short: Vec<&str> = short.into_iter().collect();
        short.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let short = short.into_iter().filter_map(|text| {
            voices.iter().enumerate().find_map(|(voice, said)| {
                let whole = |at: &usize| !cuts_word(said, *at) && !cuts_word(said, at + text.len());
                let at = said.match_indices(text).map(|(at, _)| at).find(whole)?;
                Some((voice, at..at + text.len()))
            })
        });
        let short = short.collect();
        Concordance { ids, voices, written, runs: places, short }
    }

    /// A file with references in the place of every run of words that a voice says, and of every text
    /// that is known to be quoted.
    pub fn refer(&self, file: &str, escapes: &[Escape]) -> Referring {
        let mut found = self.long(file, escapes);
        self.add_short(file, escapes, &mut found);
        found.sort_by_key(|found| found.file.start);
        let mut out = String::new();
        let mut voices = BTreeSet::new();
        let mut at = 0;
        for Match { file: range, voice, stretch, escape } in found {
            literal(&file[at..range.start], &mut out);
            let digest = Digest::of(&self.voices[voice][stretch.clone()]).hex();
            let (id, mark, digest) = (self.ids[voice], escape.mark(), &digest[..DIGITS]);
            out.push_str(&format!("{OPEN}{id}:{}-{}{mark} {digest}{CLOSE}", stretch.start, stretch.end));
            voices.insert(id);
            at = range.end;
        }
        literal(&file[at..], &mut out);
        Referring { text: out, voices }
    }

    /// The runs of words, from the left, each as long as it can be.
    fn long(&self, file: &str, escapes: &[Escape]) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        let mut at = 0;
        for run in runs(file) {
            if run.start < at {
                continue;
            }
            let places = self.runs.get(&hash(&file[run.clone()])).into_iter().flatten();
            let best = places
                .filter(|(written, _)| escapes.contains(&self.written[*written].escape))
                .take(PLACES)
                .filter_map(|(written, start)| self.written[*written].matching(file, at, &run, *start))
                .reduce(|best, next| if next.file.len() > best.file.len() { next } else { best });
            if let Some(best) = best {
                at = best.file.end;
                found.push(best);
            }
        }
        found
    }

    /// The texts that are known to be quoted, in what is left of a file.
    fn add_short(&self, file: &str, escapes: &[Escape], found: &mut Vec<Match>) {
        for (voice, stretch) in &self.short {
            for escape in escapes {
                let text = escape.written(&self.voices[*voice][stretch.clone()]);
                for (place, _) in file.match_indices(&text) {
                    let range = place..place + text.len();
                    let apart =
                        |other: &Match| other.file.end <= range.start || range.end <= other.file.start;
                    let whole = !cuts_word(file, range.start) && !cuts_word(file, range.end);
                    if whole && found.iter().all(apart) {
                        let (voice, stretch) = (*voice, stretch.clone());
                        found.push(Match { file: range, voice, stretch, escape: *escape });
                    }
                }
            }
        }
    }
}

impl Written {
    fn of(voice: usize, escape: Escape, text: &str) -> Self {
        let mut written = Written { voice, escape, text: String::new(), origin: Vec::new() };
        for (at, c) in text.char_indices() {
            written.origin.resize(written.text.len(), None);
            written.origin.push(u32::try_from(at).ok());
            escape.write(c, &mut written.text);
        }
        written.origin.resize(written.text.len(), None);
        written.origin.push(u32::try_from(text.len()).ok());
        written
    }

    /// A run of words that the voice has at a place, as far as file and voice say the same on both sides:
    /// no word is cut, and no character of the voice.
    fn matching(&self, file: &str, from: usize, run: &Range<usize>, at: usize) -> Option<Match> {
        let (here, there) = (file.as_bytes(), self.text.as_bytes());
        let same = |(a, b): &(&u8, &u8)| a == b;
        let ahead = here[run.start..].iter().zip(&there[at..]).take_while(same).count();
        let behind = here[from..run.start].iter().rev().zip(there[..at].iter().rev());
        let behind = behind.take_while(same).count();
        let border = |place: usize| {
            let origin = self.origin.get((at + place).checked_sub(run.start)?).copied().flatten()?;
            (file.is_char_boundary(place) && !cuts_word(file, place)).then_some(origin as usize)
        };
        let (start, first) =
            (run.start - behind..=run.start).find_map(|place| Some((place, border(place)?)))?;
        let (end, last) =
            (run.end..=run.start + ahead).rev().find_map(|place| Some((place, border(place)?)))?;
        Some(Match { file: start..end, voice: self.voice, stretch: first..last, escape: self.escape })
    }
}

fn cuts_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(char::is_alphanumeric) && text[at..].starts_with(char::is_alphanumeric)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The words of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    words
}

/// Every run of words of a text, from the start of its first to the end of its last.
fn runs(text: &str) -> Vec<Range<usize>> {
    words(text).windows(RUN).map(|run| run[0].start..run[RUN - 1].end).collect()
}

fn literal(text: &str, out: &mut String) {
    for c in text.chars() {
        out.push(c);
        if c == OPEN {
            out.push(CLOSE);
        }
    }
}

/// Why a text cannot be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unrestored {
    /// What stands there is no reference.
    Malformed(String),
    /// No voice has this id.
    NoVoice(usize),
    /// The voice does not say there what it said.
    Otherwise {
        /// The voice.
        voice: usize,
        /// The reference.
        reference: String,
    },
}

impl fmt::Display for Unrestored {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrestored::Malformed(text) => write!(out, "`{text}` is no reference"),
            Unrestored::NoVoice(voice) => write!(out, "there is no source {voice}"),
            Unrestored::Otherwise { reference, .. } => {
                write!(out, "the source says something else at `{reference}`")
            }
        }
    }
}

/// The voices that a text refers to.
///
/// # Errors
/// Where it holds something that is no reference.
pub fn referred(text: &str) -> Result<BTreeSet<usize>, Unrestored> {
    let mut voices = BTreeSet::new();
    for piece in pieces(text) {
        if let Piece::Reference(reference) = piece? {
            voices.insert(reference.voice);
        }
    }
    Ok(voices)
}

/// The text of a file from its form with references.
///
/// # Errors
/// Where a reference is none, or its voice does not say there what it said.
pub fn restore(text: &str, voices: &BTreeMap<usize, String>) -> Result<String, Unrestored> {
    let mut out = String::new();
    for piece in pieces(text) {
        match piece? {
            Piece::Own(text) => out.push_str(text),
            Piece::Reference(reference) => {
                let voice = voices.get(&reference.voice).ok_or(Unrestored::NoVoice(reference.voice))?;
                let said = voice
                    .get(reference.stretch.clone())
                    .filter(|said| Digest::of(said).hex()[..DIGITS] == *reference.digest);
                let said = said.ok_or_else(|| Unrestored::Otherwise {
                    voice: reference.voice,
                    reference: reference.text.to_owned(),
                })?;
                out.push_str(&reference.escape.written(said));
            }
        }
    }
    Ok(out)
}

/// A piece of a text with references.
enum Piece<'t> {
    /// What is its own.
    Own(&'t str),
    /// What refers.
    Reference(Reference<'t>),
}

/// A reference, parsed.
struct Reference<'t> {
    text: &'t str,
    voice: usize,
    stretch: Range<usize>,
    escape: Escape,
    digest: &'t str,
}

fn pieces(text: &str) -> impl Iterator<Item = Result<Piece<'_>, Unrestored>> {
    let mut rest = text;
    let open = OPEN.len_utf8();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(inner) = rest.strip_prefix(OPEN) else {
            let (own, after) = rest.split_at(rest.find(OPEN).unwrap_or(rest.len()));
            rest = after;
            return Some(Ok(Piece::Own(own)));
        };
        let whole = rest;
        let Some((reference, after)) = inner.split_once(CLOSE) else {
            rest = "";
            return Some(Err(Unrestored::Malformed(whole.chars().take(40).collect())));
        };
        rest = after;
        if reference.is_empty() {
            return Some(Ok(Piece::Own(&whole[..open])));
        }
        let malformed = || Unrestored::Malformed(reference.chars().take(40).collect());
        Some(parse(reference).map(Piece::Reference).ok_or_else(malformed))
    })
}

fn parse(text: &str) -> Option<Reference<'_>> {
    let (voice, rest) = text.split_once(':')?;
    let (stretch, rest) = rest.split_once(' ')?;
    let (start, end) = stretch.split_once('-')?;
    let (escape, digest) = match rest.split_once(' ') {
        None => (Escape::None, rest),
        Some(("json", digest)) => (Escape::Json, digest),
        Some(("csv", digest)) => (Escape::Csv, digest),
        Some(_) => return None,
    };
    Some(Reference {
        text,
        voice: voice.parse().ok()?,
        stretch: start.parse().ok()?..end.parse().ok()?,
        escape,
        digest,
    })
}
