//! How deep the tree of a text can get, told before it is built.
//!
//! The parser grows its stack where it must; what drops its tree does not, and a sum of 100,000 terms is
//! as deep as it is long. So the text is looked over once: brackets, operators that nest, indentation.
//! The count is not below the depth of the tree. People write at most some tens, and tables of formulas some
//! thousands (Python itself stops at 200 brackets): those are read on a larger stack, and what is deeper yet
//! is refused. Strings are told from code, since brackets in them count for nothing.

/// The greatest depth that is parsed.
pub(super) const MOST_DEPTH: usize = 10_000;

/// The greatest depth that the stack of any thread holds: what is deeper is read on a stack of its own.
pub(super) const MOST_USUAL: usize = 800;

/// Why a text is not given to the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refused {
    /// Where, in bytes.
    pub(super) at: usize,
    /// In words.
    pub(super) why: &'static str,
}

const TOO_DEEP: &str = "it nests too deeply to be read";
const IRREGULAR: &str = "a string or a bracket is not closed";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Code between brackets that this byte closes, or outside of any.
    Code(u8),
    /// The letters of an f-string.
    Letters(Quote),
    /// Code in the braces of an f-string.
    Field,
    /// What follows the colon in such braces.
    Spec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Quote {
    mark: u8,
    triple: bool,
    raw: bool,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    inside: Inside,
    /// What nests in the part since the last comma.
    operators: usize,
    /// The deepest bracket in that part.
    inner: usize,
    /// The deepest part so far.
    deepest: usize,
    /// `lambda`s whose colon is still to come: their commas part nothing.
    lambdas: usize,
}

impl Frame {
    fn new(inside: Inside) -> Self {
        Frame { inside, operators: 0, inner: 0, deepest: 0, lambdas: 0 }
    }

    fn depth(&self) -> usize {
        self.deepest.max(self.operators + self.inner)
    }

    fn part(&mut self) {
        self.deepest = self.depth();
        self.operators = 0;
        self.inner = 0;
    }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The innermost frame, and those around it.
    top: Frame,
    around: Vec<Frame>,
    indent: usize,
    deepest: usize,
    deepest_at: usize,
    /// Everything that nests, wherever it stands.
    total: usize,
    irregular: Option<usize>,
}

/// Whether a text can be given to the parser, and how deep its tree gets at most.
pub(super) fn admit(text: &str) -> Result<usize, Refused> {
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Err(Refused { at, why: "it holds a null byte" });
    }
    if u32::try_from(text.len()).is_err() {
        return Err(Refused { at: 0, why: "it is too long to be read" });
    }
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        top: Frame::new(Inside::Code(0)),
        around: Vec::new(),
        indent: 0,
        deepest: 0,
        deepest_at: 0,
        total: 0,
        irregular: None,
    };
    scan.run();
    if scan.deepest > MOST_DEPTH {
        return Err(Refused { at: scan.deepest_at, why: TOO_DEEP });
    }
    match scan.irregular {
        // The count does not hold for what is no Python; the sum of everything does.
        Some(at) if scan.total > MOST_DEPTH => Err(Refused { at, why: IRREGULAR }),
        // An irregular text may nest as much as all of it does.
        Some(_) => Ok(scan.total),
        None => Ok(scan.deepest),
    }
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        self.begin_line();
        while self.at < self.bytes.len() && self.deepest <= MOST_DEPTH {
            match self.top.inside {
                Inside::Letters(quote) => self.letters(quote),
                Inside::Spec => self.spec(),
                Inside::Code(_) | Inside::Field => self.code(),
            }
        }
        if !self.around.is_empty() {
            self.irregular.get_or_insert(self.bytes.len());
        }
        self.end_statement();
    }

    fn begin_line(&mut self) {
        let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\x0c');
        let indent = self.bytes[self.at..].iter().take_while(blank).count();
        self.at += indent;
        if !matches!(self.peek(0), b'\n' | b'\r' | b'#' | 0) {
            self.indent = indent;
        }
    }

    fn note(&mut self, depth: usize) {
        if depth > self.deepest {
            (self.deepest, self.deepest_at) = (depth, self.at);
        }
    }

    fn end_statement(&mut self) {
        let depth = self.top.depth();
        self.top = Frame::new(self.top.inside);
        self.note(self.indent + depth);
    }

    fn nest(&mut self) {
        self.total += 1;
        self.top.operators += 1;
    }

    fn open(&mut self, inside: Inside) {
        self.total += 1;
        self.around.push(std::mem::replace(&mut self.top, Frame::new(inside)));
        self.note(self.around.len());
    }

    /// Closes the innermost frame. The outermost one has no end.
    fn close(&mut self) {
        if let Some(frame) = self.around.pop() {
            let closed = std::mem::replace(&mut self.top, frame);
            self.top.inner = self.top.inner.max(closed.depth() + 1);
            self.top.operators += 1;
        }
    }

    fn code(&mut self) {
        let dull = |byte: &&u8| matches!(byte, b' ' | b'=' | b'0'..=b'9' | b'!' | b';' | b'\t');
        self.at += self.bytes[self.at..].iter().take_while(dull).count();
        let Some(&byte) = self.bytes.get(self.at) else { return };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => return self.word(),
            b'\'' | b'"' => return self.string(false, false),
            b'#' => {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
                return;
            }
            b'(' => self.open(Inside::Code(b')')),
            b'[' => self.open(Inside::Code(b']')),
            b'{' => self.open(Inside::Code(b'}')),
            b')' | b']' | b'}' => self.closer(byte),
            b',' if self.top.lambdas == 0 => self.top.part(),
            b':' => self.colon(),
            b'\n' | b'\r' if self.around.is_empty() => {
                self.end_statement();
                self.at += 1;
                return self.begin_line();
            }
            b'\\' => {
                let two = self.peek(1) == b'\r' && self.peek(2) == b'\n';
                if !matches!(self.peek(1), b'\n' | b'\r') {
                    self.irregular.get_or_insert(self.at);
                }
                self.at += 1 + usize::from(two);
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'<' | b'>' | b'~' | b'.' => {
                self.nest();
            }
            _ => {}
        }
        self.at += 1;
    }

    fn closer(&mut self, byte: u8) {
        match self.top.inside {
            Inside::Code(closer) if closer == byte => self.close(),
            Inside::Field if byte == b'}' => self.close(),
            _ => {
                self.irregular.get_or_insert(self.at);
            }
        }
    }

    fn colon(&mut self) {
        self.nest();
        self.top.lambdas = self.top.lambdas.saturating_sub(1);
        if self.top.inside == Inside::Field {
            self.top.inside = Inside::Spec;
        }
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
        let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.at += length;
        // `1if x` is a number and a keyword.
        match word.last() {
            Some(b'f') if word.ends_with(b"if") => self.nest(),
            Some(b't') if word.ends_with(b"not") || word.ends_with(b"await") => self.nest(),
            Some(b'a') if word.ends_with(b"lambda") => {
                self.nest();
                self.top.lambdas += 1;
            }
            _ => {}
        }
        if matches!(self.peek(0), b'\'' | b'"') && length <= 2 {
            let is = |letter: u8| word.iter().any(|byte| byte.to_ascii_lowercase() == letter);
            let known = word.iter().all(|byte| b"rRbBuUfFtT".contains(byte));
            if known {
                self.string(is(b'f') || is(b't'), is(b'r'));
            }
        }
    }

    /// A string that begins here: an f-string is opened, any other is passed over.
    fn string(&mut self, is_formatted: bool, raw: bool) {
        let mark = self.bytes[self.at];
        let triple = self.peek(1) == mark && self.peek(2) == mark;
        let quote = Quote { mark, triple, raw };
        let start = self.at;
        self.at += if triple { 3 } else { 1 };
        if is_formatted {
            return self.open(Inside::Letters(quote));
        }
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\\' => self.at += 2 + usize::from(self.peek(1) == b'\r' && self.peek(2) == b'\n'),
                b'\n' | b'\r' if !triple => break,
                byte if byte == mark && self.ends(quote) => {
                    self.at += if triple { 3 } else { 1 };
                    return;
                }
                byte if byte == mark => self.at += 1,
                _ => {
                    let dull = |byte: &&u8| **byte != mark && !matches!(byte, b'\\' | b'\n' | b'\r');
                    let passed = self.bytes[self.at..].iter().take_while(dull).count();
                    // A line end within three quotes.
                    self.at += passed.max(1);
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.irregular.get_or_insert(start);
    }

    fn ends(&self, quote: Quote) -> bool {
        self.peek(0) == quote.mark
            && (!quote.triple || self.peek(1) == quote.mark && self.peek(2) == quote.mark)
    }

    fn letters(&mut self, quote: Quote) {
        match self.bytes[self.at] {
            b'\\' if matches!(self.peek(1), b'{' | b'}') => self.at += 1,
            b'\\' if !quote.raw && self.peek(1) == b'N' && self.peek(2) == b'{' => self.at += 3,
            b'\\' => self.at += 2 + usize::from(self.peek(1) == b'\r' && self.peek(2) == b'\n'),
            b'{' if self.peek(1) == b'{' => self.at += 2,
            b'{' => {
                self.open(Inside::Field);
                self.at += 1;
            }
            b'\n' | b'\r' if !quote.triple => {
                self.irregular.get_or_insert(self.at);
                self.close();
            }
            _ if self.ends(quote) => {
                self.at += if quote.triple { 3 } else { 1 };
                self.close();
            }
            _ => self.at += 1,
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn spec(&mut self) {
        let quote = self.around.iter().rev().find_map(|frame| match frame.inside {
            Inside::Letters(quote) => Some(quote),
            Inside::Code(_) | Inside::Field | Inside::Spec => None,
        });
        match self.bytes[self.at] {
            b'{' => self.open(Inside::Field),
            b'}' => self.close(),
            _ if quote.is_some_and(|quote| self.ends(quote)) => {
                self.irregular.get_or_insert(self.at);
                self.close();
                return;
            }
            _ => {}
        }
        self.at += 1;
    }
}
