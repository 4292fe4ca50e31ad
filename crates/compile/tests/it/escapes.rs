//! What a crate that got past the purity check does to get out of its process, and what comes of it.

use crate::hostile::{built, checker, laid_out, put, run};
use polc_checker::Outcome;
use polc_checker::evidence::Evidence;
use polc_checker::executable::OutcomeRow;
use polc_compile::build::Program;
use polc_compile::sandbox::{Confinement, Launcher};
use polc_compile::worker::Worker;
use polc_testkit::shared::skip;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// An escape. The one rule in the middle of three makes it for a run with its name.
struct Escape {
    name: &'static str,
    /// An expression that is true where it got out.
    does: &'static str,
    /// What it comes to where nobody holds it.
    works: Works,
    /// What it comes to in the sandbox.
    held: Held,
}

enum Works {
    /// It got out, and says so.
    Out,
    /// It does, where the system lets anybody.
    OutIfLet,
    /// Its process prints this.
    Prints(&'static str),
    /// Its process ends, and the rules after it have no row.
    Ends,
    /// Its process does not come to an end.
    Hangs,
}

enum Held {
    /// The kernel refuses it, and the checker goes on.
    Refused,
    /// It does, and nothing comes of it: not for the other rules, and not for the next run.
    Harmless,
    /// The rule has an error with these words.
    Error(&'static str),
}

use Held::{Error, Harmless, Refused};
use Works::{Ends, Hangs, Out, OutIfLet, Prints};

/// What starts a program as somebody else.
const SETPRIV: &str = "/usr/bin/setpriv";

const FORBIDS: &str = "what the sandbox forbids";

/// A row of another rule, as nobody but the runtime should print it.
const FORGED: &str = "{ let row = format!(\"{{\\\"run\\\":{:?},\\\"rule\\\":\\\"ARK-C003\\\",\\\"outcome\\\":\\\"violated\\\",\\\"selected\\\":1,\
    \\\"judged\\\":1,\\\"violating\\\":1,\\\"violations\\\":[],\\\"exact\\\":true,\\\"human_in_the_loop\\\":false,\
    \\\"corpus\\\":\\\"CORPUS\\\",\\\"runtime\\\":\\\"RUNTIME\\\"}}\", title); println!(\"{row}\"); ";

const fn escape(name: &'static str, does: &'static str, works: Works, held: Held) -> Escape {
    Escape { name, does, works, held }
}

#[rustfmt::skip]
fn escapes() -> Vec<Escape> {
    let forged_and_on: &'static str = Box::leak(format!("{FORGED} false }}").into_boxed_str());
    let forged_and_gone: &'static str = Box::leak(format!("{FORGED} std::process::exit(0) }}").into_boxed_str());
    vec![
        // Files.
        escape("reads a file", "std::fs::read(\"HOME/secret.txt\").is_ok()", Out, Refused),
        escape("asks for a file", "std::fs::metadata(\"HOME/secret.txt\").is_ok()", Out, Refused),
        escape("lists a folder", "std::fs::read_dir(\"/\").is_ok()", Out, Refused),
        escape("writes a file", "std::fs::write(\"HOME/written\", \"x\").is_ok()", Out, Refused),
        escape("makes a link", "{ std::fs::remove_file(\"HOME/link\").ok(); std::os::unix::fs::symlink(\"/\", \"HOME/link\").is_ok() }", Out, Refused),
        escape("removes a file", "{ std::fs::write(\"HOME/victim\", \"x\").ok(); std::fs::remove_file(\"HOME/victim\").is_ok() }", Out, Refused),
        escape("reads of its parent", "std::fs::read(format!(\"/proc/{}/cmdline\", std::os::unix::process::parent_id())).is_ok()", Out, Refused),
        escape("reads the memory of its parent", "std::fs::File::open(format!(\"/proc/{}/mem\", std::os::unix::process::parent_id())).is_ok()", OutIfLet, Refused),
        escape("makes a file without a name", "libc::memfd_create(c\"x\".as_ptr(), 0) >= 0", Out, Error(FORBIDS)),
        // Machines, and other programs.
        escape("connects", "std::net::TcpStream::connect(\"127.0.0.1:PORT\").is_ok()", Out, Error(FORBIDS)),
        escape("sends", "std::net::UdpSocket::bind(\"127.0.0.1:0\").is_ok()", Out, Error(FORBIDS)),
        escape("opens a socket of this machine", "std::os::unix::net::UnixStream::pair().is_ok()", Out, Error(FORBIDS)),
        escape("shares memory", "libc::shmget(libc::IPC_PRIVATE, 4096, 0o600) >= 0", Out, Error(FORBIDS)),
        // Processes.
        escape("forks", "{ let child = libc::fork(); if child == 0 { libc::_exit(0) } child > 0 }", Out, Error(FORBIDS)),
        escape("starts a thread", "std::thread::Builder::new().spawn(|| 7).is_ok()", Out, Error(FORBIDS)),
        escape("starts a program", "std::process::Command::new(\"/bin/true\").status().is_ok()", Out, Error(FORBIDS)),
        escape("becomes a program", "{ use std::os::unix::process::CommandExt; let _ = std::process::Command::new(\"/bin/echo\").arg(\"a seal\").exec(); false }", Prints("a seal"), Refused),
        escape("signals its parent", "libc::kill(libc::getppid(), 0) == 0", Out, Error(FORBIDS)),
        escape("signals everybody", "{ libc::syscall(libc::SYS_tgkill, libc::getppid(), libc::getppid(), 0) == 0 }", Out, Error(FORBIDS)),
        escape("lets itself be traced", "libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0", Out, Error(FORBIDS)),
        escape("reaches into its parent", "{ let mut byte = 0_u8; let to = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 }; let from = libc::iovec { iov_base: std::ptr::without_provenance_mut(1), iov_len: 1 }; libc::process_vm_readv(libc::getppid(), &to, 1, &from, 1, 0); std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT) }", OutIfLet, Error(FORBIDS)),
        // The system.
        escape("becomes somebody", "libc::setuid(libc::getuid()) == 0", Out, Error(FORBIDS)),
        escape("leaves its namespace", "libc::unshare(libc::CLONE_FS) == 0", Out, Error(FORBIDS)),
        escape("mounts", "{ libc::mount(c\"none\".as_ptr(), c\"/nowhere\".as_ptr(), c\"tmpfs\".as_ptr(), 0, std::ptr::null()); std::io::Error::last_os_error().raw_os_error() != Some(libc::ENOSYS) }", Out, Error(FORBIDS)),
        escape("queues its calls", "{ let mut given = [0_u8; 120]; libc::syscall(libc::SYS_io_uring_setup, 1, given.as_mut_ptr()) >= 0 }", OutIfLet, Error(FORBIDS)),
        escape("watches files", "libc::inotify_init1(0) >= 0", Out, Error(FORBIDS)),
        escape("renames itself", "libc::prctl(libc::PR_SET_NAME, c\"lion\".as_ptr()) == 0", Out, Refused),
        escape("sets its own limits", "{ let limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 }; libc::setrlimit(libc::RLIMIT_CORE, &limit) == 0 }", Out, Refused),
        escape("waits for a signal", "libc::setitimer(libc::ITIMER_REAL, &std::mem::zeroed(), std::ptr::null_mut()) == 0", Out, Refused),
        // Limits.
        escape("reserves memory", "{ let mut kept: Vec<u8> = Vec::new(); kept.try_reserve_exact(3 << 30).is_ok() }", Out, Refused),
        escape("takes memory", "{ let mut kept: Vec<Vec<u8>> = Vec::new(); for _ in 0..3 { kept.push(Vec::with_capacity(1 << 30)); } kept.len() == 3 }", Out, Error("the memory limit of 2 GiB was reached")),
        escape("loops", "{ let mut turns = 0_u64; loop { turns = std::hint::black_box(turns.wrapping_add(1)); if turns == u64::MAX { break true } } }", Hangs, Error("it did not come to an end within 3 s")),
        escape("goes deep", "{ fn deeper(depth: u64) -> u64 { std::hint::black_box(if depth == u64::MAX { 0 } else { deeper(depth + 1) + 1 }) } std::hint::black_box(deeper(0)) == 7 }", Ends, Error("stack")),
        escape("prints without end", "loop { if std::io::stdout().write_all(&[b'x'; 65536]).is_err() { break true } }", Hangs, Error("the limit of 64 MiB for one answer was reached")),
        escape("prints lines without end", "loop { if std::io::stdout().write_all(b\"a lion\\n\").is_err() { break true } }", Hangs, Error("it printed `a lion`")),
        escape("complains at length", "{ for _ in 0..64 { std::io::stderr().write_all(&[b'x'; 65536]).ok(); } true }", Out, Harmless),
        // The conversation.
        escape("prints a row of another rule", forged_and_on, Prints("\"rule\":\"ARK-C003\",\"outcome\":\"violated\""), Error("it printed `{\"run\"")),
        escape("prints a row of another rule and is gone", forged_and_gone, Prints("\"rule\":\"ARK-C003\",\"outcome\":\"violated\""), Error("it printed `{\"run\"")),
        escape("is gone", "std::process::exit(0)", Ends, Error("exit status: 0")),
        escape("aborts", "std::process::abort()", Ends, Error("SIGABRT")),
        escape("closes what it should answer to", "libc::close(1) == 0", Ends, Error("its process ended")),
        escape("closes where it is asked from", "libc::close(0) == 0", Out, Harmless),
        escape("reads the next run", "{ let mut bytes = [0_u8; 4096]; libc::read(0, bytes.as_mut_ptr().cast(), 4096) > 0 }", Out, Error("it did not come to an end within 3 s")),
        escape("waits for a line", "std::io::stdin().read_line(&mut String::new()).is_ok_and(|read| read > 0)", Hangs, Error("it did not come to an end within 3 s")),
    ]
}

/// The crate: an honest rule, the one that escapes, and an honest one.
pub(crate) fn lay_out(home: &Path) {
    let folder = home.join("escapes");
    laid_out(&folder, "ark", 3);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    put(
        &folder.join("Cargo.toml"),
        &manifest.replace(
            "polc-checker.workspace = true\n\n",
            "libc = \"0.2\"\npolc-checker.workspace = true\n\n",
        ),
    );
    let main = std::fs::read_to_string(folder.join("src/main.rs")).unwrap();
    put(&folder.join("src/main.rs"), &main.replace("#![forbid(unsafe_code)]\n\n", ""));
    for number in [1, 3] {
        let text = checker("ark", number, "", "Judgement::Satisfied");
        put(&folder.join(format!("src/git/c{number:03}.rs")), &text);
    }
    let mut arms = String::new();
    for Escape { name, does, .. } in escapes() {
        arms.push_str(&format!("            {name:?} => {does},\n"));
    }
    let corpus = crate::corpus::digest().to_string();
    let arms = arms
        .replace("HOME", &home.display().to_string())
        .replace("CORPUS", &corpus)
        .replace("RUNTIME", polc_checker::VERSION)
        .replace("127.0.0.1:PORT", "{port}")
        .replace("connect(\"{port}\")", "connect(format!(\"127.0.0.1:{port}\"))");
    let judgement = format!(
        "let request = view.pull_request().unwrap();\n        let (title, port) = (request.title.as_str(), request.body.trim());\n        \
         #[allow(unused_unsafe, unreachable_code)]\n        let out = unsafe {{ match title {{\n{arms}            _ => false,\n        }} }};\n        \
         Judgement::when(!out, || \"it got out\".to_owned())"
    );
    put(&folder.join("src/git/c002.rs"), &checker("ark", 2, "use std::io::Write as _;", &judgement));
}

const LIMIT: Duration = Duration::from_secs(3);

fn listener() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    (listener, port)
}

fn program() -> PathBuf {
    built().executable("checkers-ark")
}

fn launcher() -> PathBuf {
    env!("CARGO_BIN_EXE_polc-launcher").into()
}

/// Every escape in a sandbox, by one worker, one run after the other: what got out, and what else is not as it should be.
fn hold(program: &Program) -> Vec<String> {
    let description = program.describe().unwrap();
    let mut worker = Worker::new(program, &description, LIMIT);
    let (_listener, port) = listener();
    let mut wrong = Vec::new();
    for escape in escapes() {
        let rows = worker.grade(&run(escape.name, &port)).unwrap();
        let [before, row, after] = rows.as_slice() else { panic!("{rows:?}") };
        let others = [before, after].iter().all(|row| row.graded.outcome == Outcome::Satisfied);
        let is_held = match (&escape.held, &row.graded.outcome) {
            (Refused, Outcome::Satisfied) | (Harmless, Outcome::Violated) => true,
            (Error(words), Outcome::Error { message, .. }) => message.contains(words),
            _ => false,
        };
        if !others || !is_held {
            wrong.push(format!("{}: {rows:#?}", escape.name));
        }
    }
    let last = worker.grade(&run("nothing", "")).unwrap();
    assert!(last.iter().all(|row| row.graded.outcome == Outcome::Satisfied), "{last:?}");
    wrong
}

#[test]
fn no_escape_gets_out_of_the_sandbox_and_the_other_rules_are_graded() {
    let launcher = Launcher::at(launcher()).unwrap();
    if let Some(warning) = launcher.confinement().warning() {
        return skip(warning);
    }
    let wrong = hold(&Program::new(program(), launcher));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The other way round, where the tests run as root: as nobody in particular.
#[test]
fn no_escape_gets_out_for_somebody_who_is_not_root() {
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if !is_root || !Path::new(SETPRIV).exists() {
        return skip("these tests do not run as root, or there is no setpriv");
    }
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    open(folder.path());
    let copy = |from: PathBuf, name: &str| {
        let to = folder.path().join(name);
        std::fs::copy(from, &to).unwrap();
        open(&to);
        to
    };
    let (inner, program) = (copy(launcher(), "launcher"), copy(program(), "checkers"));
    let script = folder.path().join("nobody");
    let text = format!(
        "#!/bin/sh\nexec {SETPRIV} --reuid=65534 --regid=65534 --clear-groups {} \"$@\"\n",
        inner.display()
    );
    std::fs::write(&script, text).unwrap();
    open(&script);
    let launcher = Launcher::at(script).unwrap();
    if let Some(warning) = launcher.confinement().warning() {
        return skip(warning);
    }
    let wrong = hold(&Program::new(program, launcher));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As much of what an executable prints as shows what it does.
const SHOWN: usize = 1 << 20;

/// What an executable prints within a time, and whether it came to an end in it.
fn free(evidence: &Evidence, wait: Duration) -> (String, bool) {
    let mut child: Child = Command::new(program())
        .arg("grade")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let line = serde_json::to_string(evidence).unwrap() + "\n";
    // A second run, too large to be read ahead: what lies in the pipe is there for anybody.
    let next = serde_json::to_string(&run("nothing", &"x".repeat(40_000))).unwrap() + "\n";
    let (tell, told) = channel();
    let reader = std::thread::spawn(move || {
        let mut printed = Vec::new();
        let _read = output.by_ref().take(SHOWN as u64).read_to_end(&mut printed);
        if printed.len() < SHOWN {
            // Where it did not come to an end in time, nobody listens any more.
            let _told = tell.send(());
        }
        // Open until it is killed: a pipe that nobody reads is no end.
        (String::from_utf8_lossy(&printed).into_owned(), output, tell)
    });
    let _written = input.write_all(line.as_bytes());
    let kept = if evidence.run.id == "waits for a line" {
        Some(input)
    } else {
        let _written = input.write_all(next.as_bytes());
        drop(input);
        None
    };
    let in_time = told.recv_timeout(wait).is_ok();
    let _killed = child.kill();
    child.wait().unwrap();
    drop(kept);
    (reader.join().unwrap().0, in_time)
}

#[test]
fn without_the_sandbox_every_escape_works() {
    let (_listener, port) = listener();
    let mut failed = Vec::new();
    for escape in escapes() {
        let wait =
            if matches!(escape.works, Hangs) { Duration::from_millis(300) } else { Duration::from_secs(60) };
        let (printed, in_time) = free(&run(escape.name, &port), wait);
        let row = |rule: &str| {
            printed
                .lines()
                .filter_map(|line| serde_json::from_str::<OutcomeRow>(line).ok())
                .find(|row| row.run == escape.name && row.rule == rule)
        };
        let out = row("ARK-C002").is_some_and(|row| row.graded.outcome == Outcome::Violated);
        let works = match escape.works {
            Out => out,
            OutIfLet => {
                if !out {
                    skip(&format!("this system lets nobody do it: {}", escape.name));
                }
                true
            }
            Prints(text) => printed.contains(text),
            Ends => in_time && row("ARK-C003").is_none(),
            Hangs => !in_time,
        };
        if !works {
            failed.push(format!(
                "{}: {in_time} {}",
                escape.name,
                printed.chars().take(2000).collect::<String>()
            ));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_process_that_is_lost_before_it_began_is_no_rules_fault() {
    let launcher = Launcher::at(launcher()).unwrap();
    let honest = Program::new(program(), launcher.clone());
    let description = honest.describe().unwrap();
    let mut worker = Worker::new(&honest, &description, LIMIT);
    let mut unreadable = run("nothing", "");
    unreadable.schema = 99;
    let rows = worker.grade(&unreadable).unwrap();
    for row in &rows {
        let Outcome::Error { message, .. } = &row.graded.outcome else { panic!("{row:?}") };
        assert!(message.starts_with("no checker had begun: "), "{message}");
    }
    assert_eq!(rows.len(), 3);
    let nowhere = Program::new("/nowhere".into(), launcher);
    let mut worker = Worker::new(&nowhere, &description, LIMIT);
    let rows = worker.grade(&run("nothing", "")).unwrap();
    assert!(rows.iter().all(|row| matches!(row.graded.outcome, Outcome::Error { .. })), "{rows:?}");
}

/// Whoever watches it may be gone.
#[test]
fn a_process_that_has_computed_for_its_time_ends_by_itself() {
    let mut child = Command::new(launcher())
        .args(["confine", "1"])
        .arg(program())
        .arg("grade")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let line = serde_json::to_string(&run("loops", "")).unwrap() + "\n";
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let status = child.wait().unwrap();
    assert!(status.to_string().contains("SIGXCPU"), "{status}");
}

#[test]
fn where_the_kernel_keeps_less_it_is_said() {
    let told = |files, calls| Confinement { files, calls }.warning();
    assert_eq!(told(true, true), None);
    for (files, calls, words) in
        [(false, true, "no Landlock"), (true, false, "no seccomp"), (false, false, "no sandbox")]
    {
        assert!(told(files, calls).is_some_and(|warning| warning.contains(words)));
    }
}
