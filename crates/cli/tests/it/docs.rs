//! The documentation as written: every command on every page is run, and does what the page says.
//!
//! A block of the language `console` holds commands behind a dollar sign, each with what it prints, where
//! the page shows that: `…` stands for anything within a line, and alone on a line for any lines. A
//! comment `# exit 1` after a command is the code it ends with. A block whose language is followed by a
//! path is written there. Blocks marked `console checkout` are for a checkout of polc: `.ci/run` runs
//! those.

use crate::polc::{PAGE, checkout, polc, share_builds};
use polc_testkit::{GitHubServer, TestRepository};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fenced block.
struct Block {
    language: String,
    rest: String,
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (line, number) in page.lines().zip(1..) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
                open = Some(Block {
                    language: language.to_owned(),
                    rest: rest.to_owned(),
                    line: number,
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => writeln!(block.text, "{line}").unwrap(),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// A command of a page, and what it has to come to.
struct Step {
    line: usize,
    command: String,
    code: i32,
    expected: Vec<String>,
}

fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, number) in block.text.lines().zip(block.line + 1..) {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                let (command, code) = command.split_once(" # exit ").unwrap_or((command, "0"));
                steps.push(Step {
                    line: number,
                    command: command.to_owned(),
                    code: code.parse().unwrap(),
                    expected: Vec::new(),
                });
            }
            (None, Some(step)) => step.expected.push(line.to_owned()),
            (None, None) => panic!("line {number} stands before the first command of its block"),
        }
    }
    steps
}

/// What stands where a digest has to be copied from the file that a block replaces.
const DIGEST: &str = "DIGEST";

/// One script of all commands of a page, in order; each prints its output between two marks.
fn script(page: &[Block]) -> (String, Vec<Step>) {
    let mut script = String::from("exec 2>&1\n");
    let mut all = Vec::new();
    for block in page {
        if block.language == "console" && block.rest.is_empty() {
            for step in steps(block) {
                writeln!(script, "printf '\\036'\n{}\nprintf '\\037%s' $?", step.command).unwrap();
                all.push(step);
            }
        } else if block.language != "console" && !block.rest.is_empty() {
            let path = &block.rest;
            writeln!(script, "mkdir -p \"$(dirname {path})\"").unwrap();
            writeln!(script, "digest=$(grep -o 'sha256:[0-9a-f]*' {path} 2>/dev/null | head -n 1)").unwrap();
            writeln!(script, "cat > {path} <<'END OF BLOCK'\n{}END OF BLOCK", block.text).unwrap();
            writeln!(script, "sed -i \"s/{DIGEST}/$digest/\" {path}").unwrap();
        }
    }
    (script, all)
}

/// Whether a text is what a page shows of it.
fn shows(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| shows(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| within(first, line) && shows(rest, others))
        }
    }
}

/// Whether a line is what a page shows of it.
fn within(expected: &str, line: &str) -> bool {
    let (first, rest) =
        expected.split_once('…').map_or((expected, None), |(first, rest)| (first, Some(rest)));
    let Some(after) = line.strip_prefix(first) else { return false };
    match rest {
        None => after.is_empty(),
        Some(rest) => {
            (0..=after.len()).filter(|at| after.is_char_boundary(*at)).any(|at| within(rest, &after[at..]))
        }
    }
}

/// The pages, below the checkout.
fn pages() -> Vec<PathBuf> {
    let tracked = Command::new("git")
        .current_dir(checkout())
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"])
        .output()
        .unwrap();
    let tracked = String::from_utf8(tracked.stdout).unwrap();
    let pages: Vec<PathBuf> = tracked
        .lines()
        .filter(|path| !path.starts_with("manifests/") && !path.starts_with("crates/"))
        .map(PathBuf::from)
        .collect();
    assert!(pages.len() > 10, "{pages:?}");
    pages
}

/// What a page finds on GitHub: a repository, and what its organisation says for all.
fn on_github() -> (TestRepository, TestRepository) {
    let (zoo, organisation) = (TestRepository::new(), TestRepository::new());
    zoo.write("CONTRIBUTING.md", PAGE);
    zoo.write(".github/pull_request_template.md", "<!-- Name every animal. -->\n");
    zoo.write(".editorconfig", "root = true\n");
    zoo.link("AGENTS.md", "CONTRIBUTING.md");
    zoo.commit("Say what we expect");
    organisation.write("SECURITY.md", "# Security\n\nTell the keeper.\n");
    organisation.commit("Say it for all");
    (zoo, organisation)
}

fn run_page(page: &Path, text: &str) -> Vec<String> {
    let (script, steps) = script(&blocks(text));
    if steps.is_empty() {
        return Vec::new();
    }
    let repository = TestRepository::new();
    std::fs::remove_dir_all(repository.path().join(".git")).unwrap();
    let (zoo, organisation) = on_github();
    let github = GitHubServer::start();
    github.serve("zoo/zoo", zoo.path()).serve("zoo/.github", organisation.path()).budget(60);
    let _building = share_builds(repository.path());
    let mut bash = Command::new("bash");
    bash.current_dir(repository.path()).arg("-c").arg(&script);
    for (name, value) in polc(repository.path(), &[]).get_envs() {
        match value {
            Some(value) => bash.env(name, value),
            None => bash.env_remove(name),
        };
    }
    let program = Path::new(env!("CARGO_BIN_EXE_polc")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    bash.env("PATH", format!("{}:{path}", program.display())).env("GITHUB_API_URL", github.api());
    let output = String::from_utf8(bash.output().unwrap().stdout).unwrap();
    let mut faults = Vec::new();
    let printed: Vec<&str> = output.split('\u{1e}').skip(1).collect();
    for (number, step) in steps.iter().enumerate() {
        let at = format!("{}:{}: `{}`", page.display(), step.line, step.command);
        let Some((text, code)) = printed.get(number).and_then(|printed| printed.split_once('\u{1f}')) else {
            faults.push(format!("{at}: was not run"));
            continue;
        };
        if code.trim() != step.code.to_string() {
            faults.push(format!("{at}: ended with {code}, not {}:\n{text}", step.code));
        }
        let lines: Vec<&str> = text.lines().collect();
        let expected: Vec<&str> = step.expected.iter().map(String::as_str).collect();
        if !expected.is_empty() && !shows(&expected, &lines) {
            faults.push(format!("{at}: the page shows\n{}\nbut it printed\n{text}", expected.join("\n")));
        }
    }
    faults
}

#[test]
fn every_command_on_every_page_does_what_the_page_says() {
    let faults: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = pages()
            .into_iter()
            .map(|page| {
                scope.spawn(move || {
                    let text = std::fs::read_to_string(checkout().join(&page)).unwrap();
                    run_page(&page, &text)
                })
            })
            .collect();
        running.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn what_a_page_asks_for_in_a_checkout_is_what_ci_runs() {
    let ci = std::fs::read_to_string(checkout().join(".ci/run")).unwrap();
    let run: Vec<&str> = ci.lines().map(str::trim).collect();
    let mut asked = 0;
    for page in pages() {
        let text = std::fs::read_to_string(checkout().join(&page)).unwrap();
        for block in blocks(&text).iter().filter(|block| block.language == "console") {
            if block.rest.is_empty() {
                continue;
            }
            assert_eq!(block.rest, "checkout", "{}:{}", page.display(), block.line);
            for step in steps(block) {
                asked += 1;
                assert!(run.contains(&step.command.as_str()), ".ci/run does not run `{}`", step.command);
            }
        }
    }
    assert!(asked >= 2, "README has two commands");
}

/// The subcommands that `--help` lists below a heading: what a name says may go on in lines of its own, deeper.
fn listed(help: &str, heading: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|entry| !entry.starts_with(' ')))
        .filter_map(|entry| entry.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn the_page_of_commands_names_every_command_and_every_flag() {
    let page = std::fs::read_to_string(checkout().join("docs/commands.md")).unwrap();
    let help = |arguments: &[&str]| {
        String::from_utf8(polc(&checkout(), arguments).output().unwrap().stdout).unwrap()
    };
    let verbs = listed(&help(&["--help"]), "Commands:");
    assert!(verbs.len() > 10, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| *verb != "help") {
        assert!(page.contains(&format!("### polc {verb}\n")), "docs/commands.md has no section on `{verb}`");
        for flag in help(&[verb, "--help"]).split_whitespace().filter(|word| word.starts_with("--")) {
            let flag = flag.trim_end_matches(|c: char| !c.is_alphanumeric());
            assert!(
                flag == "--help" || page.contains(flag),
                "docs/commands.md does not name `{flag}` of `{verb}`"
            );
        }
    }
}
