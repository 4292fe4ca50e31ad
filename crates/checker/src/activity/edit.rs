//! Files that were written and files that were read.

use super::{Certainty, Check, Deed, Doing, FilePath, python_text};
use crate::pattern::Pattern;
use crate::shell::{Command, Options, RedirectionKind, Takes, Word};

/// How files were changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// By a tool of the agent.
    Tool,
    /// Written whole, as by `>`, `tee` or `cp`.
    Written,
    /// Gone on with, as by `>>`.
    Appended,
    /// In place, as by `sed -i`.
    InPlace,
    /// By a patch.
    Patched,
    /// Moved or renamed: from and to.
    Moved,
    /// Removed.
    Removed,
    /// Made empty, or given another time.
    Touched,
    /// By a program that the command holds the text of. Which files is not known.
    Program,
    /// By a formatter.
    Formatted,
    /// Put back to what git has of them.
    Restored,
}

/// Files that were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// How.
    pub how: How,
    /// Which.
    pub paths: Vec<FilePath>,
    /// Whether those are all. Otherwise others were changed too, or may have been.
    pub is_complete: bool,
}

/// How much of files was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// All of them.
    Whole,
    /// Some lines.
    Some,
    /// The lines that something was found in.
    Search,
}

/// Files that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// Which. Where folders were searched, those.
    pub paths: Vec<FilePath>,
    /// How much of them.
    pub part: Part,
}

impl FileRead {
    pub(super) fn by_tool(path: &str, some: bool) -> FileRead {
        FileRead { paths: vec![FilePath::of_tool(path)], part: if some { Part::Some } else { Part::Whole } }
    }
}

impl Edit {
    pub(super) fn by_tool(paths: &[String]) -> Edit {
        Edit {
            how: How::Tool,
            paths: paths.iter().map(|path| FilePath::of_tool(path)).collect(),
            is_complete: true,
        }
    }

    pub(super) fn by_formatter(check: &Check) -> Edit {
        Edit { how: How::Formatted, paths: check.paths.clone(), is_complete: false }
    }

    fn of(how: How, words: &[&Word], command: &Command) -> Edit {
        let paths = words.iter().map(|word| FilePath::of_word(word, command)).collect();
        Edit { how, paths, is_complete: words.iter().all(|word| word.text().is_some()) }
    }
}

/// The files that the redirections of a command write.
pub(super) fn redirected(command: &Command) -> Vec<(Certainty, Deed)> {
    let mut edits = Vec::new();
    for to in &command.redirections {
        let how = match to.kind {
            RedirectionKind::Write => How::Written,
            RedirectionKind::Append => How::Appended,
            RedirectionKind::Read
            | RedirectionKind::ReadWrite
            | RedirectionKind::Duplicate
            | RedirectionKind::HereDocument
            | RedirectionKind::HereString => continue,
        };
        let is_device = to.target.text().is_some_and(|path| path.starts_with("/dev/"));
        // `&>1` and `2>&1` are no files.
        if !is_device {
            edits.push((Certainty::Certain, Deed::Edit(Edit::of(how, &[&to.target], command))));
        }
    }
    edits
}

/// What a program in Python does that writes files.
static WRITES: Pattern = Pattern::new(
    r#"open\([^()]*(?:\([^()]*\)[^()]*)*,\s*(?:mode\s*=\s*)?["'][rwxab+t]*[wxa+][rwxab+t]*["']|\.write_(?:text|bytes)\(|\.write(?:lines)?\(|shutil\.(?:copy|move|rmtree)|os\.(?:remove|rename|replace|unlink)\(|\.unlink\(|\.touch\(|fileinput\."#,
);

const PATCH: Takes = Takes::new("pdiorDBzVFYxg", &["--directory", "--input", "--output"]);

/// The files that a program changes.
pub(super) fn of(doing: &Doing<'_>) -> Vec<(Certainty, Deed)> {
    let (call, command) = (&doing.call, doing.command);
    let options = |takes: &Takes| Options::of(call.arguments, takes);
    let plain = Takes::new("", &[]);
    let edit = match call.name() {
        "tee" => {
            let options = options(&plain);
            let how = if options.has("append", Some('a')) { How::Appended } else { How::Written };
            let files: Vec<_> = options.others.iter().filter(|word| !is_device(word)).copied().collect();
            Some(Edit::of(how, &files, command))
        }
        "sed" | "gsed" => in_place(doing, "ef", &["--expression", "--file"], ["expression", "file"]),
        "perl" | "ruby" => in_place(doing, "eEMmI", &[], ["", ""]),
        "patch" => {
            let options = options(&PATCH);
            let only_tries = options.has("dry-run", None);
            (!only_tries).then(|| Edit {
                how: How::Patched,
                paths: options
                    .others
                    .first()
                    .map(|word| FilePath::of_word(word, command))
                    .into_iter()
                    .collect(),
                is_complete: !options.others.is_empty(),
            })
        }
        "apply_patch" | "applypatch" => {
            Some(Edit { how: How::Patched, paths: Vec::new(), is_complete: false })
        }
        "mv" => {
            Some(Edit::of(How::Moved, &options(&Takes::new("tS", &["--target-directory"])).others, command))
        }
        "cp" | "install" | "ln" | "rsync" => {
            let options = options(&Takes::new("tSmog", &["--target-directory", "--mode"]));
            let (from, to) = options.others.split_at(options.others.len().saturating_sub(1));
            // Into a folder, the files in it have the names of those that were copied.
            let edit = Edit::of(How::Written, to, command);
            Some(Edit { is_complete: edit.is_complete && from.len() == 1, ..edit })
        }
        "rm" | "unlink" | "rmdir" | "shred" => Some(Edit::of(How::Removed, &options(&plain).others, command)),
        "touch" | "truncate" => {
            Some(Edit::of(How::Touched, &options(&Takes::new("rdts", &["--size"])).others, command))
        }
        _ => None,
    };
    let complete = |edit: Edit| Edit { is_complete: edit.is_complete && !call.is_handed_more, ..edit };
    // Without a file there is nothing that it could change.
    let edit = edit.map(complete).filter(|edit| !edit.is_complete || !edit.paths.is_empty());
    let mut edits: Vec<_> = edit.map(|edit| (Certainty::Certain, Deed::Edit(edit))).into_iter().collect();
    if python_text(command).is_some_and(|text| WRITES.is_in(text)) {
        let edit = Edit { how: How::Program, paths: Vec::new(), is_complete: false };
        edits.push((Certainty::Possible, Deed::Edit(edit)));
    }
    edits
}

fn is_device(word: &Word) -> bool {
    word.text().is_some_and(|path| path.starts_with("/dev/"))
}

/// `sed -i` and its like: the files behind the script.
fn in_place(
    doing: &Doing<'_>,
    short: &'static str,
    long: &'static [&'static str],
    script: [&str; 2],
) -> Option<Edit> {
    let options = Options::of(doing.call.arguments, &Takes { short, attached: "i", long });
    if !options.has("in-place", Some('i')) {
        return None;
    }
    let is_given =
        options.has(script[0], Some('e')) || options.has(script[1], Some('f')) || options.has("", Some('E'));
    // `-i ''` of other systems leaves an empty word.
    let files = options.others.iter().filter(|word| word.text() != Some("")).skip(usize::from(!is_given));
    let files: Vec<_> = files.copied().collect();
    Some(Edit::of(How::InPlace, &files, doing.command))
}

const SEARCHES: Takes = Takes::new(
    "efmABCgtTd",
    &[
        "--regexp",
        "--file",
        "--include",
        "--exclude",
        "--exclude-dir",
        "--glob",
        "--type",
        "--max-count",
        "--context",
    ],
);

/// The files that a program reads to show them.
pub(super) fn read(doing: &Doing<'_>) -> Option<FileRead> {
    let (call, command) = (&doing.call, doing.command);
    let (part, takes, skipped) = match call.name() {
        "cat" | "less" | "more" | "nl" | "bat" | "batcat" | "tac" | "view" => {
            (Part::Whole, Takes::new("bvwr", &[]), 0)
        }
        "head" | "tail" => (Part::Some, Takes::new("nc", &["--lines", "--bytes"]), 0),
        "sed" | "gsed" => {
            (Part::Some, Takes { short: "ef", attached: "i", long: &["--expression", "--file"] }, 1)
        }
        "awk" | "gawk" => (Part::Some, Takes::new("Fvf", &[]), 1),
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" => (Part::Search, SEARCHES, 1),
        _ => return None,
    };
    let options = Options::of(call.arguments, &takes);
    if part == Part::Some && options.has("in-place", Some('i')) {
        return None;
    }
    let is_given = skipped > 0
        && (options.has("expression", Some('e'))
            || options.has("regexp", None)
            || options.has("file", Some('f')));
    let files = options.others.iter().skip(if is_given { 0 } else { skipped });
    let files = files.filter(|word| word.text() != Some("-") && !is_device(word));
    let mut paths: Vec<_> = files.map(|word| FilePath::of_word(word, command)).collect();
    for from in command.redirections.iter().filter(|to| to.kind == RedirectionKind::Read) {
        paths.push(FilePath::of_word(&from.target, command));
    }
    // A search of everything names no folder.
    let is_everywhere = paths.is_empty()
        && part == Part::Search
        && command.reads_from.is_none()
        && (matches!(call.name(), "rg" | "ag" | "ack")
            || options.has("recursive", Some('r'))
            || options.has("", Some('R')));
    if is_everywhere {
        paths.push(FilePath::of_folder(command));
    }
    (!paths.is_empty()).then_some(FileRead { paths, part })
}
