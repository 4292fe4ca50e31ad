//! Crates that the purity check refuses, built without it: what each attempt would do, and what a sandbox has to hold.

use crate::corpus::{Rule, corpus, digest};
use polc_checker::PullRequest;
use polc_checker::evidence::{Evidence, Part, Run};
use polc_checker::executable::OutcomeRow;
use polc_compile::render::render;
use polc_compile::runtime::seed_lock;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_testkit::shared::files_below;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What lies outside of a crate and is nobody's to read.
pub(crate) const SECRET: &str = "the hippopotamus sleeps at noon";

/// A checker of the rule with a number, whose judgement of every contribution is made by an expression.
pub(crate) fn checker(slug: &str, number: usize, items: &str, judgement: &str) -> String {
    let id = format!("{}-C{number:03}", slug.to_uppercase());
    let digest = digest();
    format!(
        "{items}\nuse polc_checker::{{Checker, Declaration, Judgement, Ownership, Read, Selection, View, Whole}};\n\n\
         pub struct C{number:03};\n\nimpl Checker for C{number:03} {{\n    type Target<'e> = Whole;\n\n    \
         const DECLARATION: Declaration =\n        Declaration::exact(\"{id}\", \"{digest}\", Ownership::Created, \
         &[Read::PullRequest]);\n\n    fn precondition<'e>(_view: &View<'e>) -> Selection<Whole> {{\n        \
         Ok(vec![Whole])\n    }}\n\n    fn postcondition<'e>(view: &View<'e>, _target: &Whole) -> Judgement {{\n        \
         let _ = view;\n        {judgement}\n    }}\n}}\n"
    )
}

/// A run with the title of its pull request.
pub(crate) fn run(title: &str, body: &str) -> Evidence {
    Evidence {
        pull_request: Part::Recorded(PullRequest { title: title.to_owned(), body: body.to_owned() }),
        ..Evidence::of_nothing(Run::new(title, "zoo"))
    }
}

/// A folder that stays from one run of the tests to the next, so that what did not change is not built anew.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile")
}

/// Writes a file, unless it is there as it is.
pub(crate) fn put(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|is| is == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    if path.is_symlink() {
        std::fs::remove_file(path).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

/// Renders a crate with rules in a root of its own, and gives where its files are.
pub(crate) fn rendered(root: &Path, slug: &str, rules: usize) -> PathBuf {
    let slug: Slug = slug.parse().unwrap();
    put(&root.join("polc.toml"), &format!("schema = 1\n\n[checker]\npath = {:?}\n", runtime()));
    let numbers: Vec<Rule<'_>> = (1..=rules).map(|number| Rule::new(number, "Sign it.")).collect();
    let root = Root::new(root);
    render(&root, &slug, &corpus(&numbers, &slug), digest()).unwrap();
    root.pack(&slug)
}

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../checker").canonicalize().unwrap()
}

/// Renders a crate in a folder of the workspace that is built.
pub(crate) fn laid_out(folder: &Path, slug: &str, rules: usize) {
    let root = tempfile::tempdir().unwrap();
    let pack = rendered(root.path(), slug, rules);
    for file in files_below(&pack) {
        let below = file.strip_prefix(&pack).unwrap();
        // What a test puts in the place of a stub stays.
        if !below.starts_with("src/git") || !folder.join(below).exists() {
            put(&folder.join(below), &std::fs::read_to_string(&file).unwrap());
        }
    }
}

/// The executables that are built: of the attempts on the purity check, of the ways around it, and of what a sandbox
/// has to hold.
pub(crate) struct Built {
    folder: PathBuf,
}

impl Built {
    pub(crate) fn executable(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Builds all of it, once.
pub(crate) fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let home = home();
        put(&home.join("secret.txt"), SECRET);
        crate::attempts::lay_out(&home);
        crate::ways::lay_out(&home);
        crate::escapes::lay_out(&home);
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"attempts\", \"escapes\", \"helper\", \"ways\"]\n\n\
             [workspace.dependencies]\npolc-checker = {{ path = {:?} }}\n\n[workspace.lints.rust]\nwarnings = \"allow\"\n\n\
             [profile.dev]\ndebug = false\noverflow-checks = false\n",
            runtime()
        );
        put(&home.join("Cargo.toml"), &manifest);
        put(&home.join(".cargo/config.toml"), "[env]\nPOLC_WAY = \"by the configuration\"\n");
        seed_lock_of(&home);
        let output = Command::new(env!("CARGO"))
            .current_dir(&home)
            .args(["build", "--quiet", "--offline", "--workspace", "--target-dir", "target"])
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Built { folder: home.join("target/debug") }
    })
}

fn seed_lock_of(home: &Path) {
    let there = home.join("lock");
    let root = Root::new(&there);
    std::fs::create_dir_all(root.generated()).unwrap();
    seed_lock(&root).unwrap();
    if !home.join("Cargo.lock").exists() {
        std::fs::copy(root.generated().join("Cargo.lock"), home.join("Cargo.lock")).unwrap();
    }
}

/// The rows that an executable prints, for the lines that are rows, and everything that it printed.
pub(crate) fn unconfined(program: &Path, evidence: &Evidence) -> (Vec<OutcomeRow>, String) {
    let input = serde_json::to_string(evidence).unwrap() + "\n";
    let mut child = Command::new(program)
        .arg("grade")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned();
    (output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(), output)
}
