//! A small web server on this machine that answers as it is told, also badly, and counts.
//!
//! Every path has a script: its first request gets the first reply, its second the second, and the last
//! reply is given ever after. A path without a script is a 404.
//!
//! ```
//! use polc_testkit::{Reply, Server};
//!
//! let server = Server::start();
//! server.at("/busy", [Reply::status(429).header("retry-after", "0"), Reply::html("<p>Hello")]);
//! assert!(server.url("/busy").starts_with("http://127.0.0.1:"));
//! assert_eq!(server.requests("/busy").len(), 0);
//! ```
#![expect(clippy::expect_used, reason = "a test helper fails its test")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What to answer to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    delivery: Delivery,
    needs: Option<(String, String)>,
    together: usize,
}

/// How a reply travels.
#[derive(Debug, Clone)]
enum Delivery {
    Whole,
    CutAfter(usize),
    StallAfter(usize),
    Drip(Duration),
    Silence,
    Raw,
}

impl Reply {
    /// A status with an empty body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            delivery: Delivery::Whole,
            needs: None,
            together: 0,
        }
    }

    /// A page.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).header("content-type", "text/html; charset=utf-8").body(body)
    }

    /// A text.
    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).header("content-type", "text/plain; charset=utf-8").body(body)
    }

    /// A value as JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::status(200).header("content-type", "application/json; charset=utf-8").body(value.to_string())
    }

    /// A file as it is, of the type that its name says.
    pub fn file(path: &Path) -> Self {
        let ends = |ending: &str| path.extension().is_some_and(|found| found == ending);
        let kind = [
            ("html", "text/html"),
            ("js", "text/javascript"),
            ("json", "application/json"),
            ("css", "text/css"),
            ("txt", "text/plain"),
            ("xml", "application/xml"),
        ];
        let found = kind.iter().find(|(ending, _)| ends(ending));
        let body = std::fs::read(path).expect("the file can be read");
        let kind = found.map_or("application/octet-stream", |(_, kind)| kind);
        Self::status(200).header("content-type", kind).body(body)
    }

    /// A redirect with status 302; the place may be relative.
    pub fn redirect(location: &str) -> Self {
        Self::status(302).header("location", location)
    }

    /// No answer: the connection stays open and silent until the client hangs up.
    pub fn silence() -> Self {
        Self { delivery: Delivery::Silence, ..Self::status(200) }
    }

    /// These bytes in place of an answer. None at all is a server that hangs up.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { delivery: Delivery::Raw, ..Self::status(200) }.body(bytes)
    }

    /// With this body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// With one more header. A `content-length` is sent as it is given here, right or wrong.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With the body so far compressed by gzip, and a header that says so.
    #[must_use]
    pub fn gzip(mut self) -> Self {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&self.body).expect("memory can be written to");
        self.body = encoder.finish().expect("memory can be written to");
        self.header("content-encoding", "gzip")
    }

    /// With the body so far compressed by Brotli, and a header that says so.
    #[must_use]
    pub fn brotli(mut self) -> Self {
        let mut packed = Vec::new();
        let mut encoder = brotli::CompressorReader::new(self.body.as_slice(), 4096, 5, 22);
        encoder.read_to_end(&mut packed).expect("memory can be read");
        drop(encoder);
        self.body = packed;
        self.header("content-encoding", "br")
    }

    /// Hangs up after so many bytes of the body, having promised all of it.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        Self { delivery: Delivery::CutAfter(bytes), ..self }
    }

    /// Falls silent after so many bytes of the body, until the client hangs up.
    #[must_use]
    pub fn stall_after(self, bytes: usize) -> Self {
        Self { delivery: Delivery::StallAfter(bytes), ..self }
    }

    /// Sends the body byte by byte with a pause after each.
    #[must_use]
    pub fn drip(self, pause: Duration) -> Self {
        Self { delivery: Delivery::Drip(pause), ..self }
    }

    /// Only for requests with this header. Such a reply has no place in the order of the script: it is
    /// given whenever it fits, before any other.
    #[must_use]
    pub fn only_with(self, name: &str, value: &str) -> Self {
        Self { needs: Some((name.to_owned(), value.to_owned())), ..self }
    }

    /// Not before so many requests have been open at once.
    #[must_use]
    pub fn together(self, requests: usize) -> Self {
        Self { together: requests, ..self }
    }

    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} Scripted\r\nconnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.headers.iter().any(|(name, _)| name == "content-length") && self.status != 304 {
            head.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        head + "\r\n"
    }

    fn send(&self, mut stream: TcpStream) -> std::io::Result<()> {
        match self.delivery {
            Delivery::Silence => return wait_for_the_client_to_leave(&mut stream),
            Delivery::Raw => return stream.write_all(&self.body),
            Delivery::Whole | Delivery::CutAfter(_) | Delivery::StallAfter(_) | Delivery::Drip(_) => {}
        }
        stream.write_all(self.head().as_bytes())?;
        match self.delivery {
            Delivery::CutAfter(bytes) => stream.write_all(&self.body[..bytes]),
            Delivery::StallAfter(bytes) => {
                stream.write_all(&self.body[..bytes])?;
                wait_for_the_client_to_leave(&mut stream)
            }
            Delivery::Drip(pause) => {
                stream.set_read_timeout(Some(pause))?;
                for byte in &self.body {
                    stream.write_all(&[*byte])?;
                    // The pause: nothing comes but the end of the connection.
                    if matches!(stream.read(&mut [0]), Ok(0)) {
                        break;
                    }
                }
                Ok(())
            }
            Delivery::Whole | Delivery::Silence | Delivery::Raw => stream.write_all(&self.body),
        }
    }
}

fn wait_for_the_client_to_leave(stream: &mut TcpStream) -> std::io::Result<()> {
    std::io::copy(stream, &mut std::io::sink()).map(|_| ())
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// `GET`, for instance.
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// The headers, their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Received {
    fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            read_more(stream, &mut bytes)?;
            // What does not begin with a method may be a greeting by TLS, which has no blank line.
            if !bytes[0].is_ascii_uppercase() {
                return None;
            }
        };
        let mut body = bytes.split_off(head + 4);
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let mut first = lines.next()?.split(' ').map(str::to_owned);
        let (method, target) = (first.next()?, first.next()?);
        let headers: BTreeMap<_, _> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while body.len() < length {
            read_more(stream, &mut body)?;
        }
        Some(Self { method, target, headers, body })
    }
}

/// None at the end of the connection.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut buffer = [0; 4096];
    let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
    bytes.extend_from_slice(&buffer[..read]);
    Some(())
}

/// What makes a reply of a request.
type Answerer = Arc<dyn Fn(&Received) -> Reply + Send + Sync>;

#[derive(Default)]
struct State {
    scripts: BTreeMap<String, Vec<Reply>>,
    pages: BTreeMap<String, Reply>,
    handler: Option<Answerer>,
    answerers: BTreeMap<String, Answerer>,
    received: Vec<Received>,
    open: usize,
    most_open: usize,
    stopped: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no other thread has panicked")
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = Received::read(&mut stream) else { return };
        let answerer = self.state().answerers.get(&request.target).cloned();
        let answered = answerer.map(|answerer| answerer(&request));
        let mut state = self.state();
        let reply = answered.unwrap_or_else(|| state.reply(&request));
        state.received.push(request);
        state.open += 1;
        state.most_open = state.most_open.max(state.open);
        self.changed.notify_all();
        let enough = |state: &mut State| state.most_open < reply.together && !state.stopped;
        drop(self.changed.wait_while(state, enough).expect("no other thread has panicked"));
        // A client that leaves early is a part of many tests.
        let _sent = reply.send(stream);
        self.state().open -= 1;
        self.changed.notify_all();
    }
}

impl State {
    fn reply(&self, request: &Received) -> Reply {
        let Some(script) = self.scripts.get(&request.target) else {
            let page = self.pages.get(&path_of(&request.target));
            let made = || self.handler.as_ref().map(|handler| handler(request));
            return page.cloned().or_else(made).unwrap_or_else(|| Reply::status(404));
        };
        let fits = |(name, value): &(String, String)| request.headers.get(name) == Some(value);
        if let Some(reply) = script.iter().find(|reply| reply.needs.as_ref().is_some_and(fits)) {
            return reply.clone();
        }
        let in_order: Vec<_> = script.iter().filter(|reply| reply.needs.is_none()).collect();
        let before = self.received.iter().filter(|earlier| earlier.target == request.target).count();
        let reply = in_order.get(before).or(in_order.last());
        reply.map_or_else(|| Reply::status(404), |reply| (*reply).clone())
    }
}

/// A path without its query, and with its percent-encoding resolved.
fn path_of(target: &str) -> String {
    let path = target.split('?').next().unwrap_or_default();
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        let code = || u8::from_str_radix(std::str::from_utf8(after.get(..2)?).ok()?, 16).ok();
        let decoded = if *byte == b'%' { code() } else { None };
        rest = if decoded.is_some() { &after[2..] } else { after };
        bytes.push(decoded.unwrap_or(*byte));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A server on a port of its own, until it is dropped. It speaks HTTP/1.1, one request on a connection.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// A server that has no pages yet.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let shared = Arc::new(Shared::default());
        let accepting = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if accepting.state().stopped {
                    break;
                }
                let serving = Arc::clone(&accepting);
                std::thread::spawn(move || serving.serve(stream));
            }
        });
        Self { address, shared }
    }

    /// Sets the script of a path, with its query if it has one.
    pub fn at(&self, path: &str, script: impl IntoIterator<Item = Reply>) -> &Self {
        self.shared.state().scripts.insert(path.to_owned(), script.into_iter().collect());
        self
    }

    /// Adds pages that are always the same, by their paths as people write them. A query makes no difference
    /// to them, and a script of the same path comes first.
    pub fn pages(&self, pages: impl IntoIterator<Item = (String, Reply)>) -> &Self {
        self.shared.state().pages.extend(pages);
        self
    }

    /// Sets what makes a reply where neither a script nor a page is one. It must not ask the server.
    pub fn otherwise(&self, handler: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> &Self {
        self.shared.state().handler = Some(Arc::new(handler));
        self
    }

    /// Every request so far, in order.
    pub fn received(&self) -> Vec<Received> {
        self.shared.state().received.clone()
    }

    /// Has the replies of a path made from the requests, several at a time where several are open.
    pub fn answer(&self, path: &str, with: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> &Self {
        self.shared.state().answerers.insert(path.to_owned(), Arc::new(with));
        self
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What was asked of a path so far, in order.
    pub fn requests(&self, path: &str) -> Vec<Received> {
        let state = self.shared.state();
        state.received.iter().filter(|request| request.target == path).cloned().collect()
    }

    /// How many requests were being answered at once, at most.
    pub fn most_open(&self) -> usize {
        self.shared.state().most_open
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.state().stopped = true;
        self.shared.changed.notify_all();
        // Wakes the thread that accepts.
        let _woken = TcpStream::connect(self.address);
    }
}

/// An address at which nobody listens.
pub fn closed_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    format!("http://{}/", listener.local_addr().expect("a listener has an address"))
}

/// A host that lets nobody in: connections to it are neither accepted nor refused.
pub struct Deaf {
    address: SocketAddr,
    _queue: (TcpListener, Vec<TcpStream>),
}

impl Deaf {
    /// Fills the queue of a listener that accepts nothing.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let connect = || TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok();
        let waiting = std::iter::from_fn(connect).collect();
        Self { address, _queue: (listener, waiting) }
    }

    /// The address of its front page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}
