//! Shell commands, beside what a real shell does with them.

use polc_checker::shell::{CommitMessage, Folder, GitCommit, Script, Word, standing};
use polc_testkit::shared::case;
use proptest::prelude::*;
use serde::Deserialize;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    script: String,
    argv: Vec<Vec<String>>,
    #[serde(default)]
    folders: Vec<String>,
    #[serde(default)]
    branches: bool,
}

fn corpus() -> Vec<Case> {
    toml::from_str::<Corpus>(include_str!("shell/corpus.toml")).unwrap().case
}

fn known(folder: &str) -> Folder {
    Folder::Known(folder.to_owned())
}

fn words(words: &[Word]) -> Vec<String> {
    words.iter().map(|word| word.text().unwrap_or("<?>").to_owned()).collect()
}

#[test]
fn every_command_of_the_corpus_has_its_words_and_its_folder() {
    let corpus = corpus();
    assert!(corpus.len() >= 60);
    for case in corpus {
        let script = Script::parse_in(&case.script, &known("/w"));
        assert!(script.is_whole(), "{}", case.script);
        let found: Vec<_> = script.commands().iter().map(|command| words(command.argv())).collect();
        assert_eq!(found, case.argv, "{}", case.script);
        if !case.folders.is_empty() {
            let folders = script.commands().iter().map(|command| command.folder.path().unwrap_or("?"));
            assert_eq!(folders.collect::<Vec<_>>(), case.folders, "{}", case.script);
        }
    }
}

/// Programs that write down what they are handed, and where.
const PROGRAMS: [&str; 7] = ["git", "make", "pytest", "python", "python3", "sed", "date"];

/// What bash runs of a script: the folder and the words of every program of ours, sorted.
fn run_by_bash(script: &str) -> Vec<(String, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let (bin, work, log) = (folder.path().join("bin"), folder.path().join("w"), folder.path().join("log"));
    std::fs::create_dir_all(work.join("sub/deep")).unwrap();
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&log).unwrap();
    let record = "#!/bin/bash\nset -C\nfor ((n = 0; ; n++)); do\n  if printf '%s\\0' \"$PWD\" \"${0##*/}\" \"$@\" \
                  2>/dev/null > \"$LOG/$$.$n\"; then break; fi\ndone\n";
    for program in PROGRAMS {
        let path = bin.join(program);
        std::fs::write(&path, record).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let mut bash = Command::new("/bin/bash");
    bash.current_dir(&work).args(["-c", &format!("{script}\nwait")]).stdin(Stdio::null());
    bash.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).env("LOG", &log).env_remove("BASH_ENV");
    bash.output().unwrap();
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let there = |part: &str| part.replace(work.to_str().unwrap(), "/w");
        let mut parts = text.trim_end_matches('\0').split('\0').map(there);
        let at = parts.next().unwrap();
        // An empty last word ends with two of them.
        let mut words: Vec<String> = parts.collect();
        if text.ends_with("\0\0") {
            words.push(String::new());
        }
        (at, words)
    };
    let mut ran: Vec<_> = polc_testkit::shared::files_below(&log).iter().map(|path| read(path)).collect();
    ran.sort();
    ran
}

#[test]
fn bash_hands_programs_the_same_words_in_the_same_folders() {
    let mut compared = 0;
    for case in corpus().into_iter().filter(|case| !case.branches) {
        let script = Script::parse_in(&case.script, &known("/w"));
        let mut found: Vec<_> = script
            .commands()
            .iter()
            .filter(|command| command.name().is_some_and(|name| PROGRAMS.contains(&name)))
            .map(|command| (command.folder.path().unwrap_or("?").to_owned(), words(command.argv())))
            .collect();
        found.sort();
        let ran = run_by_bash(&case.script);
        assert_eq!(ran.len(), found.len(), "{}: {ran:?} {found:?}", case.script);
        let is_open =
            |(folder, words): &(String, Vec<String>)| folder == "?" || words.contains(&"<?>".to_owned());
        for one in found.iter().filter(|one| !is_open(one)) {
            compared += 1;
            assert!(ran.contains(one), "{}: {ran:?} {found:?}", case.script);
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_no_shell_reads_ends_the_script_and_runs_nothing() {
    for (text, before) in [
        ("git add a\nif (", 1),
        ("echo \"unterminated\ngit commit -m x", 0),
        ("git add a; git commit -m \"$(cat <<'EOF'\nbody", 0),
        ("git push )", 0),
    ] {
        let script = Script::parse(text);
        assert!(!script.is_whole(), "{text}");
        let git = script.git_calls().count();
        assert!(git <= before, "{text}: {:?}", script.commands());
        assert_eq!(script.git_commits(), [], "{text}");
    }
    for deep in ["( ", "$( ", "{ ", "if true; then ", "\"$(", "<(", "a && ", "! ", "case a in a) ", "f() { "]
    {
        let script = Script::parse(&format!("git status; {}", deep.repeat(20_000)));
        assert!(!script.is_whole(), "{deep}");
    }
    let nested = format!("{}git push{}", "( ".repeat(3000), " )".repeat(3000));
    assert!(!Script::parse(&nested).is_whole(), "deeper than anybody writes");
    let long = "git add a && ".repeat(5000) + "git push";
    assert_eq!(Script::parse(&long).commands().len(), 5001);
}

fn commits(command: &str) -> Vec<GitCommit> {
    Script::parse_in(command, &known("/w")).git_commits()
}

#[test]
fn commits_in_commands_are_found_with_folder_and_subject() {
    let Some(case) = case("tr1") else { return };
    let mut seen = 0;
    for (name, command) in case["input"]["commands"].as_object().unwrap() {
        seen += 1;
        let expected = &case["expected"][name];
        let found = commits(command.as_str().unwrap());
        assert_eq!(!found.is_empty(), expected["commit"].as_bool().unwrap(), "{name}: {found:?}");
        if let [commit] = &found[..] {
            assert_eq!(commit.folder.path(), expected["dir"].as_str(), "{name}");
            assert_eq!(commit.subject(), expected["subject"].as_str(), "{name}");
        }
    }
    assert_eq!(seen, 7);
}

#[test]
fn an_amended_commit_does_not_stand() {
    let Some(case) = case("tr4") else { return };
    let log: Vec<&str> =
        case["input"]["reflog"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    let script: String = log
        .iter()
        .map(|line| {
            let (head, subject) = line.split_once(": ").unwrap();
            let amend = if head.contains("(amend)") { "--amend " } else { "" };
            format!("git commit {amend}-m '{subject}'\n")
        })
        .collect();
    let standing = standing(&commits(&script));
    let ids = |places: &[usize]| -> Vec<&str> {
        places.iter().map(|place| log[*place].split(' ').next().unwrap()).collect()
    };
    let expected = |key: &str| -> Vec<&str> {
        case["expected"][key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
    };
    assert_eq!(ids(&standing.last), expected("final_commits"));
    assert_eq!(ids(&standing.superseded), expected("superseded"));
}

#[test]
fn the_message_of_a_commit_is_its_text_or_is_not_known() {
    let text = |text: &str| CommitMessage::Text(text.to_owned());
    for (command, expected) in [
        ("git commit -am 'a'", text("a")),
        ("git commit -qam'a'", text("a")),
        ("git commit -m a -m b --message=c --message d", text("a\n\nb\n\nc\n\nd")),
        ("git commit -F - <<'EOF'\na\n\nb\nEOF", text("a\n\nb\n")),
        ("cat <<'EOF' | git commit -F -\na\nEOF", text("a\n")),
        ("echo a b | git commit --file=-", text("a b")),
        ("git commit -F - <<< a", text("a")),
        ("cat > m <<'EOF'\na\nEOF\ngit commit -F m", text("a\n")),
        ("cat > /w/s/m <<'EOF' && cd s && git commit -F m\na\nEOF", text("a\n")),
        ("git commit --amend --no-edit", CommitMessage::Kept),
        ("git commit --amend", CommitMessage::Unknown),
        ("git commit", CommitMessage::Unknown),
        ("git commit -F m", CommitMessage::Unknown),
        ("git commit -m \"$x\"", CommitMessage::Unknown),
        ("git commit -m a -m \"$x\"", CommitMessage::Unknown),
        ("git commit $options -m a", CommitMessage::Unknown),
        ("git commit -C HEAD", CommitMessage::Unknown),
        ("git commit --fixup HEAD", CommitMessage::Unknown),
        ("git commit -em a", CommitMessage::Unknown),
        ("git commit -m a --trailer 'Fed-by: B'", CommitMessage::Unknown),
        ("printf 'a\\n' | git commit -F -", CommitMessage::Unknown),
        ("git commit -m a -- -m b", text("a")),
        ("git commit --author 'A <a@b>' --date=\"$d\" -m a", text("a")),
        ("git commit -S -u -m a *.py", text("a")),
    ] {
        let found = commits(command);
        assert_eq!(found.len(), 1, "{command}");
        assert_eq!(found[0].message, expected, "{command}");
    }
    let flags = commits("git commit -nsam a");
    assert!(flags[0].skips_hooks && flags[0].signs_off && flags[0].takes_all && !flags[0].amends);
    for none in
        ["git commit --dry-run", "git commit-tree x", "git commit -h", "git $x commit", "git help commit"]
    {
        assert_eq!(commits(none), [], "{none}");
    }
    for (command, folder) in [
        ("git -C a -C ../b commit -m x", Some("/w/b")),
        ("git --git-dir=/x commit -m x", None),
        ("GIT_DIR=/x git commit -m x", None),
        ("git -C \"$d\" commit -m x", None),
        ("git -c a.b=c --no-pager commit -m x", Some("/w")),
    ] {
        let found = commits(command);
        assert_eq!(
            found.iter().map(|commit| commit.folder.path()).collect::<Vec<_>>(),
            [folder],
            "{command}"
        );
    }
}

proptest! {
    #[test]
    fn no_text_is_too_much_for_the_reader(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "git", " commit", " -m ", "'", "\"", "`", "$(", ")", "(", "{ ", " }", "; ", " && ", " || ", " | ",
                "\n", "\\", "<<EOF", "<<'E F'", "EOF\n", "${x", "}", "$((", "))", "if ", "then ", "else ", "fi ",
                "for x in ", "do ", "done ", "case ", " in ", "esac ", "cd ", "env ", "bash -c ", "eval ", "=", " > ",
                "2>&1", "<<<", "&", "!", "[[ ", " ]]", "#", "~", "*", "é", "\u{0}", "\r\n", "$'", "function f ",
            ]).prop_map(str::to_owned),
            any::<String>(),
        ], 0..40),
    ) {
        let text: String = parts.concat();
        let script = Script::parse_in(&text, &known("/w"));
        let _ = script.git_commits();
        for command in script.commands() {
            prop_assert!(command.argv().len() <= command.words.len());
            for word in &command.words {
                prop_assert!(word.text().is_none() || word.pattern().is_some());
            }
        }
    }

    #[test]
    fn what_is_quoted_is_read_back(words in prop::collection::vec("[^\u{0}\r]{0,12}", 1..6)) {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
        let script = Script::parse(&format!("run {}", quoted.join(" ")));
        let found: Vec<_> = script.commands()[0].arguments().iter().map(|word| word.text()).collect();
        prop_assert_eq!(found, words.iter().map(|word| Some(word.as_str())).collect::<Vec<_>>());
    }
}
