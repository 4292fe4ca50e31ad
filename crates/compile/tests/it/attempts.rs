//! Attempts to get round the purity check from within the source of a checker.

use crate::hostile::{SECRET, built, checker, laid_out, put, run, unconfined};
use polc_compile::purity::source_findings;
use std::path::Path;

/// An attempt. `SECRET` stands for the path of a file outside of the crate, `OUTSIDE` for its folder.
struct Attempt {
    name: &'static str,
    /// Before the checker.
    items: &'static str,
    /// What the checker would say: an expression that is a text.
    says: &'static str,
    /// What a finding names.
    found: &'static str,
    works: Works,
}

/// What an attempt comes to where nobody checks.
enum Works {
    /// It says what is in the file outside.
    Secret,
    /// It says this.
    Says(&'static str),
    /// It says something: what differs from machine to machine, or from run to run.
    Something,
    /// It prints this.
    Prints(&'static str),
    /// The compiler stops it, as every crate of checkers forbids unsafe code or has no such dependency.
    Compiler,
}

use Works::{Compiler, Prints, Says, Secret, Something};

const fn attempt(
    name: &'static str,
    items: &'static str,
    says: &'static str,
    found: &'static str,
    works: Works,
) -> Attempt {
    Attempt { name, items, says, found, works }
}

const READ: &str = "std::fs::read_to_string(\"SECRET\").unwrap_or_default()";

#[rustfmt::skip]
const ATTEMPTS: &[Attempt] = &[
    // Paths and imports.
    attempt("a path", "", READ, "`std::fs::read_to_string`", Secret),
    attempt("an import", "use std::fs;", "fs::read_to_string(\"SECRET\").unwrap_or_default()", "`std::fs`", Secret),
    attempt("an alias", "use std::fs as facts;", "facts::read_to_string(\"SECRET\").unwrap_or_default()", "`use std::fs as …`", Secret),
    attempt("an alias in a group", "use std::{fmt::Display as _, fs::{self as shelf}};", "shelf::read_to_string(\"SECRET\").unwrap_or_default()", "`std::fs`", Secret),
    attempt("an alias of the library", "use std as core_of_it;", "core_of_it::fs::read_to_string(\"SECRET\").unwrap_or_default()", "`use std as …`", Secret),
    attempt("a path from the root", "", "::std::fs::read_to_string(\"SECRET\").unwrap_or_default()", "`::std::fs::read_to_string`", Secret),
    attempt("an import from the root", "use ::std::fs::read_to_string;", "read_to_string(\"SECRET\").unwrap_or_default()", "an import that begins with `::`", Secret),
    attempt("everything", "use std::*;", "fs::read_to_string(\"SECRET\").unwrap_or_default()", "`use std::*`", Secret),
    attempt("raw names", "", "r#std::r#fs::read_to_string(\"SECRET\").unwrap_or_default()", "`std::fs::read_to_string`", Secret),
    attempt("a crate under another name", "extern crate std as tools;", "tools::fs::read_to_string(\"SECRET\").unwrap_or_default()", "`extern crate`", Secret),
    attempt("a crate that is not there by itself", "extern crate alloc;", "alloc::boxed::Box::leak(Box::new(7)).to_string()", "`extern crate`", Says("7")),
    attempt("a module step by step", "use std::collections;", "collections::HashMap::<u8, u8>::new().len().to_string()", "`std::collections::HashMap::new`", Says("0")),
    attempt("a module through oneself", "use std::collections;\nuse self::collections::HashSet;", "HashSet::<u8>::new().len().to_string()", "`std::collections::HashSet`", Says("0")),
    attempt("an import within a function", "", "{ use std::fs::read_to_string; read_to_string(\"SECRET\").unwrap_or_default() }", "`std::fs::read_to_string`", Secret),
    attempt("the core library", "", "core::any::type_name::<u8>().to_owned()", "`core::any::type_name`", Says("u8")),
    attempt("a type in angle brackets", "", "<std::path::Path>::new(\"SECRET\").exists().to_string()", "`std::path::Path`", Says("true")),
    attempt("a trait in angle brackets", "", "<str as std::net::ToSocketAddrs>::to_socket_addrs(\"127.0.0.1:80\").is_ok().to_string()", "`std::net::ToSocketAddrs::to_socket_addrs`", Says("true")),
    attempt("the methods of a trait", "use std::net::ToSocketAddrs as _;", "\"127.0.0.1:80\".to_socket_addrs().is_ok().to_string()", "`std::net::ToSocketAddrs`", Says("true")),
    attempt("a type that is inferred", "fn there(path: &std::path::Path) -> bool { path.exists() }", "there(\"SECRET\".as_ref()).to_string()", "`std::path::Path`", Says("true")),
    attempt("a bound", "fn there<P: AsRef<std::path::Path>>(path: P) -> bool { path.as_ref().exists() }", "there(\"SECRET\").to_string()", "`std::path::Path`", Says("true")),
    attempt("the parameter of a closure", "", "(|path: &std::path::Path| path.exists().to_string())(\"SECRET\".as_ref())", "`std::path::Path`", Says("true")),
    attempt("a type of one's own", "type Shelf = std::path::PathBuf;", "Shelf::from(\"SECRET\").exists().to_string()", "`std::path::PathBuf`", Says("true")),
    attempt("another file of the crate", "", "super::super::PACK.project.to_owned()", "`super::super::PACK`", Says("zoo")),
    attempt("another file of the crate, through oneself", "", "self::super::super::PACK.project.to_owned()", "`self::super::super::PACK`", Says("zoo")),
    attempt("the registry", "", "crate::ENTRIES.len().to_string()", "`crate::ENTRIES`", Something),
    attempt("the machinery of the runtime", "", "polc_checker::executable::describe(&polc_checker::Pack { project: \"x\", corpus: \"\", entries: &[] }).project", "`polc_checker::executable::describe`", Says("x")),
    attempt("the machinery, imported", "use polc_checker::executable;", "executable::describe(&polc_checker::pack::Pack { project: \"x\", corpus: \"\", entries: &[] }).project", "`polc_checker::executable`", Says("x")),
    // Macros.
    attempt("a file at compile time", "", "include_str!(\"SECRET\").to_owned()", "`include_str!`", Secret),
    attempt("a file by parts of its name", "", "include_str!(concat!(\"OUTSIDE\", \"/secret.txt\")).to_owned()", "`include_str!`", Secret),
    attempt("code from elsewhere", "", "include!(\"OUTSIDE/more.rs\")", "`include!`", Secret),
    attempt("a macro by its path", "", "std::include_str!(\"SECRET\").to_owned()", "`std::include_str!`", Secret),
    attempt("a macro under an allowed name", "use std::include_str as format;", "format!(\"SECRET\").to_owned()", "`use std::include_str as …`", Secret),
    attempt("the environment of the build", "", "env!(\"PATH\").to_owned()", "`env!`", Something),
    attempt("a macro within a macro", "", "format!(\"{}\", option_env!(\"PATH\").unwrap_or_default())", "`option_env!`", Something),
    attempt("a path within a macro", "", "vec![std::fs::read_to_string(\"SECRET\").unwrap_or_default()].concat()", "`std::fs::read_to_string`", Secret),
    attempt("the guard of a pattern", "", "matches!(1, _ if std::path::Path::new(\"SECRET\").exists()).to_string()", "`std::path::Path::new`", Says("true")),
    attempt("a macro of one's own", "macro_rules! take { ($($part:ident)::+) => { $($part)::+ } }", "take!(std::fs::read_to_string)(\"SECRET\").unwrap_or_default()", "`macro_rules!`", Secret),
    attempt("a macro that builds a name", "macro_rules! take { ($of:ident) => { std::$of::read_to_string } }", "take!(fs)(\"SECRET\").unwrap_or_default()", "`take!`", Secret),
    attempt("where the source lies", "", "file!().to_owned()", "`file!`", Something),
    attempt("how it was built", "", "cfg!(debug_assertions).to_string()", "`cfg!`", Says("true")),
    attempt("printing", "", "{ println!(\"a lion\"); String::new() }", "`println!`", Prints("a lion")),
    attempt("printing by writing", "use std::fmt::Write as _;\nuse std::io::Write as _;", "{ write!(std::io::stdout(), \"a seal\\n\").map_or(String::new(), |()| String::new()) }", "`std::io::stdout`", Prints("a seal")),
    attempt("memory of a thread", "thread_local! { static SEEN: std::cell::Cell<u8> = const { std::cell::Cell::new(7) }; }", "SEEN.get().to_string()", "`thread_local!`", Says("7")),
    // Attributes and modules.
    attempt("a module from elsewhere", "#[path = \"OUTSIDE/module.rs\"]\nmod more;", "more::secret()", "`#[path]`", Secret),
    attempt("a module from elsewhere, on a condition", "#[cfg_attr(all(), path = \"OUTSIDE/module.rs\")]\nmod more;", "more::secret()", "`#[cfg_attr]`", Secret),
    attempt("a module called as the library", "mod std { pub use ::std::fs as cmp; }", "self::std::cmp::read_to_string(\"SECRET\").unwrap_or_default()", "the module `std`", Secret),
    attempt("a module with an innocent name", "mod text { pub use std::fs::*; }", "text::read_to_string(\"SECRET\").unwrap_or_default()", "the module `text`", Secret),
    attempt("documentation from elsewhere", "#[doc = include_str!(\"SECRET\")]\npub struct Documented;", "\"documented\".to_owned()", "`#[doc]`", Says("documented")),
    attempt("a condition", "#[cfg(debug_assertions)]\nfn profile() -> &'static str { \"dev\" }\n#[cfg(not(debug_assertions))]\nfn profile() -> &'static str { \"release\" }", "profile().to_owned()", "`#[cfg]`", Says("dev")),
    attempt("an attribute of the whole file", "#![cfg(all())]", "\"built\".to_owned()", "`#![cfg]`", Says("built")),
    attempt("a derive of somebody else's", "#[derive(serde::Serialize)]\npub struct Sent;", "String::new()", "a derive of something else", Compiler),
    attempt("a name for the linker", "#[unsafe(no_mangle)]\npub fn malloc() {}", "String::new()", "`#[unsafe]`", Compiler),
    attempt("a place for the linker", "#[unsafe(link_section = \".init_array\")]\nstatic EARLY: &str = \"early\";", "String::new()", "`#[unsafe]`", Compiler),
    // Unsafe code.
    attempt("an unsafe block", "", "unsafe { String::from_utf8_unchecked(vec![65]) }", "an `unsafe` block", Compiler),
    attempt("a foreign function", "unsafe extern \"C\" { safe fn getpid() -> i32; }", "getpid().to_string()", "an `extern` block", Compiler),
    attempt("an unsafe implementation", "pub struct Shared;\nunsafe impl Sync for Shared {}", "String::new()", "an `unsafe` implementation", Compiler),
    attempt("a function for foreigners", "pub extern \"C\" fn answer() -> u8 { 7 }", "answer().to_string()", "an `extern` function", Says("7")),
    // What one run would leave behind for the next.
    attempt("a counter", "static SEEN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(3);", "SEEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string()", "the static `SEEN`", Says("3")),
    attempt("something filled later", "static SEEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();", "SEEN.get_or_init(|| \"first\".to_owned()).clone()", "the static `SEEN`", Says("first")),
    attempt("a lock", "static SEEN: std::sync::Mutex<Vec<u8>> = std::sync::Mutex::new(Vec::new());", "SEEN.lock().map_or(0, |seen| seen.len()).to_string()", "`std::sync::Mutex`", Says("0")),
    attempt("a type of one's own that hides a cell", "struct Pattern(std::sync::atomic::AtomicU8);\nstatic SEEN: Pattern = Pattern(std::sync::atomic::AtomicU8::new(7));", "SEEN.0.load(std::sync::atomic::Ordering::Relaxed).to_string()", "the static `SEEN`", Says("7")),
    attempt("memory that is never given back", "", "String::from(\"kept\").leak().to_owned()", "`leak`", Says("kept")),
    attempt("memory that is never given back, by its path", "", "Box::leak(Box::new(7)).to_string()", "`leak`", Says("7")),
    attempt("an end that does something", "struct Last;\nimpl Drop for Last { fn drop(&mut self) {} }", "{ let _last = Last; \"dropped\".to_owned() }", "an implementation of `Drop`", Says("dropped")),
    // Where something lies in memory.
    attempt("a function as a number", "fn here() {}", "(here as usize).to_string()", "a cast with `as`", Something),
    attempt("a function in a variable", "fn here() {}", "{ let kept = here; (kept as usize).to_string() }", "a cast with `as`", Something),
    attempt("a function from an option", "fn here() {}", "(Some(here).unwrap() as usize).to_string()", "a cast with `as`", Something),
    attempt("a cast to whatever it is", "fn here() {}", "{ let at: usize = here as _; at.to_string() }", "a cast with `as`", Something),
    attempt("a number called as another", "#[allow(non_camel_case_types)]\ntype f64 = usize;\nfn here() {}", "(here as f64).to_string()", "called `f64`", Something),
    attempt("an address, printed", "", "format!(\"{:p}\", &7)", "`{:p}`", Something),
    attempt("an address, printed by its name", "", "{ let x = &7; format!(\"{x:p}\") }", "`{:p}`", Something),
    attempt("an address, behind an escape", "", "{ let x = &7; format!(\"\\u{7b}x:p}\") }", "`{:p}`", Something),
    attempt("an address, aligned", "", "format!(\"{:>#20p}\", &7)", "`{:p}`", Something),
    attempt("two functions, as programmers see them", "fn here() {}\nfn there() {}", "format!(\"{:?}\", [here, there])", "`{:?}`", Something),
    attempt("two functions, through a formatter", "fn here() {}\nfn there() {}\nstruct Shown;\nimpl std::fmt::Display for Shown { fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { to.debug_list().entry(&[here, there]).finish() } }", "Shown.to_string()", "`debug_list`", Something),
    attempt("the address of a text", "", "\"abc\".as_ptr().addr().to_string()", "`as_ptr`", Something),
    attempt("the address of a text, by its path", "", "str::as_ptr(\"abc\").addr().to_string()", "`as_ptr`", Something),
    attempt("a raw pointer", "", "{ let at = &7 as *const i32; at.addr().to_string() }", "a raw pointer", Something),
    attempt("a raw address", "", "{ let x = 7; (&raw const x).addr().to_string() }", "a raw address", Something),
    attempt("a pointer to a function", "fn here() {}", "{ let at: fn() = here; (at as usize).to_string() }", "a pointer to a function", Something),
    // The rest of the world.
    attempt("who is asking", "", "std::process::id().to_string()", "`std::process::id`", Something),
    attempt("how it was called", "", "std::env::args().next().unwrap_or_default()", "`std::env::args`", Something),
    attempt("the number of processors", "", "std::thread::available_parallelism().map_or(0, |number| number.get()).to_string()", "`std::thread::available_parallelism`", Something),
    attempt("the time", "", "std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs()).to_string()", "`std::time::SystemTime::UNIX_EPOCH`", Something),
    attempt("another machine", "", "std::net::TcpListener::bind(\"127.0.0.1:0\").is_ok().to_string()", "`std::net::TcpListener::bind`", Says("true")),
    attempt("the order of hashes", "", "std::collections::HashSet::from([1, 2, 3, 4, 5]).into_iter().map(|number| number.to_string()).collect()", "`std::collections::HashSet::from`", Something),
    attempt("chance", "use std::hash::{BuildHasher as _, Hasher as _};", "std::hash::RandomState::new().build_hasher().finish().to_string()", "`std::hash::RandomState::new`", Something),
    attempt("the name of a type", "", "std::any::type_name::<Whole>().to_owned()", "`std::any::type_name`", Something),
    attempt("where it was called from", "", "std::panic::Location::caller().file().to_owned()", "`std::panic::Location::caller`", Something),
    attempt("the panics of others", "", "std::panic::catch_unwind(|| 7).unwrap_or(0).to_string()", "`std::panic::catch_unwind`", Says("7")),
    attempt("a stack", "", "format!(\"{}\", std::backtrace::Backtrace::force_capture())", "`std::backtrace::Backtrace::force_capture`", Something),
    attempt("a logarithm", "", "2.5_f64.ln().to_string()", "`ln`", Something),
    attempt("a logarithm, by its path", "", "f64::ln(2.5).to_string()", "`ln`", Something),
    attempt("a name in other letters", "#[allow(non_snake_case)]\nfn \u{212a}() -> String { \"kelvin\".to_owned() }", "K()", "which is not ASCII", Says("kelvin")),
    attempt("waiting", "async fn later() {}", "std::mem::size_of_val(&later()).to_string()", "an `async` function", Something),
];

fn source(number: usize, attempt: &Attempt, outside: &Path) -> String {
    let place = |text: &str| {
        let outside = outside.display().to_string();
        text.replace("SECRET", &format!("{outside}/secret.txt")).replace("OUTSIDE", &outside)
    };
    checker("zoo", number, &place(attempt.items), &format!("Judgement::Violated({})", place(attempt.says)))
}

/// The attempts that the compiler lets pass, with the numbers of their rules.
fn compiled() -> impl Iterator<Item = (usize, &'static Attempt)> {
    (1..).zip(ATTEMPTS.iter().filter(|attempt| !matches!(attempt.works, Compiler)))
}

/// The crate of all of them.
pub(crate) fn lay_out(home: &Path) {
    let folder = home.join("attempts");
    laid_out(&folder, "zoo", compiled().count());
    put(&home.join("more.rs"), &format!("std::fs::read_to_string({:?}).unwrap()\n", home.join("secret.txt")));
    let module = format!(
        "pub fn secret() -> String {{ std::fs::read_to_string({:?}).unwrap() }}\n",
        home.join("secret.txt")
    );
    put(&home.join("module.rs"), &module);
    for (number, attempt) in compiled() {
        put(&folder.join(format!("src/git/c{number:03}.rs")), &source(number, attempt, home));
    }
}

#[test]
fn no_attempt_passes_the_purity_check() {
    let file = Path::new("generated/zoo/src/git/c001.rs");
    let plain = checker("zoo", 1, "", "Judgement::Violated(String::new())");
    assert_eq!(source_findings(file, &plain), [], "a checker that attempts nothing");
    let mut passed = Vec::new();
    for attempt in ATTEMPTS {
        let text = source(1, attempt, Path::new("outside"));
        let found = source_findings(file, &text);
        let named = found.iter().find(|finding| finding.what.contains(attempt.found));
        let Some(named) = named else {
            passed.push(format!("{}: {found:?}", attempt.name));
            continue;
        };
        let line = text.lines().nth(named.line - 1).unwrap();
        assert!(named.column <= line.chars().count(), "{}: {named}", attempt.name);
        assert!(named.to_string().starts_with("generated/zoo/src/git/c001.rs:"), "{named}");
    }
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn without_the_purity_check_every_attempt_works() {
    let built = built();
    let (rows, printed) = unconfined(&built.executable("checkers-zoo"), &run("lion", ""));
    let mut failed = Vec::new();
    for (number, attempt) in compiled() {
        let row = rows.iter().find(|row| row.rule == format!("ZOO-C{number:03}"));
        let violation = row.and_then(|row| row.graded.violations.first());
        let reason = violation.map_or("", |violation| violation.reason.as_str());
        let works = match attempt.works {
            Secret => reason == SECRET,
            Says(says) => reason == says,
            Something => !matches!(reason, "" | "0" | "false"),
            Prints(prints) => printed.lines().any(|line| line == prints),
            Compiler => true,
        };
        if !works {
            failed.push(format!("{}: {row:?}", attempt.name));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn what_nests_without_end_is_refused_and_not_walked() {
    let file = Path::new("c001.rs");
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("!", ""), ("&", ""), ("-", "")] {
        let text = format!("fn f() {{ {}1{} }}", open.repeat(30_000), close.repeat(30_000));
        let found = source_findings(file, &text);
        assert_eq!(found.len(), 1, "{open}");
        assert!(found[0].what.contains("nested too deeply"), "{found:?}");
    }
    for word in [
        "return ",
        "&mut ",
        "if ",
        "Vec<",
        "Vec<u8, ",
        "1 + ",
        "move || ",
        "|a, b| ",
        "if a { } else ",
        "match ",
    ] {
        // Whether it is Rust or not, it is read to its end.
        for text in ["fn f() { let x: u8 = WORD 1; }", "type X = WORD u8;", "WORD"] {
            source_findings(file, &text.replace("WORD", &word.repeat(100_000 / word.len())));
        }
    }
    let long = format!("// {}", "x".repeat(200 << 10));
    assert!(source_findings(file, &long)[0].what.contains("a source of 200 KiB"));
}

#[test]
fn what_checkers_need_is_allowed() {
    let items = "use polc_checker::Pattern;\nuse std::borrow::Cow;\nuse std::collections::{BTreeMap, btree_map};\n\
        use std::fmt::{self, Write as _};\nuse std::str;\n\n\
        static WORD: Pattern = Pattern::new(r\"\\w+\");\nstatic MANY: &[(&str, usize)] = &[(\"lion\", 1)];\n\
        const MOST: usize = 3;\n\n#[derive(Debug, Clone, Default, PartialEq)]\nenum Kind { #[default] Lion, Seal(u8) }\n\n\
        struct Shown<'s>(Cow<'s, str>);\n\nimpl fmt::Display for Shown<'_> {\n    \
        fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result { write!(to, \"{}\", self.0) }\n}\n\n\
        /// A generic one.\nfn last<T: Clone>(of: &[T]) -> Option<T> where T: fmt::Display { of.last().cloned() }\n";
    let judgement = "{
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        if let btree_map::Entry::Vacant(free) = counts.entry(\"lion\") { free.insert(MOST); }
        let mut text = String::new();
        let _written = write!(text, \"{:>width$.2}\", 1.0, width = 7);
        let share = f64::from(u32::try_from(counts.len()).unwrap_or(u32::MAX)) / 3 as f64;
        let addr = last(&[1, 2]).map(|number| number + usize::from(matches!(Kind::Seal(1), Kind::Seal(n) if n > 0)));
        let words = WORD.all(str::from_utf8(b\"a b\").unwrap_or_default()).iter().map(|word| word.len()).sum::<usize>();
        let all = vec![addr.unwrap_or_default(); MANY.len()];
        assert!(share.is_finite() && !all.is_empty(), \"{share}\");
        if Kind::default() == Kind::Lion { unreachable!() }
        Judgement::when(words == std::cmp::max(1, 2), || format!(\"{{:?}} {} {text}\", Shown(Cow::from(\"seal\"))))
    }";
    let text = checker("zoo", 1, items, judgement);
    assert_eq!(source_findings(Path::new("c001.rs"), &text), [], "{text}");
}
