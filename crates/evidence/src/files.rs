//! The files of a patch as a checker sees them: with their texts where the patch or a clone has them.

use crate::base::Base;
use crate::range::MOST_BYTES;
use crate::run::Remark;
use polc_checker::diff::{Hunk, HunkLine};
use polc_checker::evidence::{Content, FileChange};
use polc_checker::patch::{FilePatch, Mode, rebuild, reversed};

/// Makes the files of a patch, sorted by path. Without a base, only what is new or gone has a text.
///
/// # Errors
/// Where a path is changed twice: the patch is then one of several steps.
pub(crate) fn changes(
    patches: &[FilePatch],
    mut base: Option<&mut Base>,
    remarks: &mut Vec<Remark>,
) -> Result<Vec<FileChange>, Remark> {
    let mut files: Vec<FileChange> = Vec::new();
    for patch in patches {
        let mut file = outline(patch);
        if let Err(why) = fill(&mut file, patch, base.as_deref_mut()) {
            remarks.push(Remark::NotRebuilt { path: file.path.clone(), why });
        }
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut joined: Vec<FileChange> = Vec::new();
    for file in files {
        match joined.last_mut() {
            // A file that became a link is taken away and put there again.
            Some(last) if last.path == file.path && last.is_deleted() && file.is_new() => {
                last.executable[1] = file.executable[1];
                last.head = file.head;
            }
            Some(last) if last.path == file.path => return Err(Remark::TwoChanges { path: file.path }),
            _ => joined.push(file),
        }
    }
    Ok(joined)
}

/// What the header of a patch says of a file.
fn outline(patch: &FilePatch) -> FileChange {
    let mut file = FileChange::new(patch.path(), Content::NotRecorded, Content::NotRecorded);
    let runs = |mode: Option<Mode>| mode == Some(Mode::Executable);
    file.executable = [runs(patch.old_mode), runs(patch.new_mode)];
    if patch.new_path.is_some() && patch.old_path != patch.new_path && !patch.copied {
        file.old_path.clone_from(&patch.old_path);
    }
    if patch.old_path.is_none() || patch.copied {
        file.base = Content::Absent;
    }
    if patch.new_path.is_none() {
        file.head = Content::Absent;
    }
    file
}

/// Fills in the contents that the patch or a clone has, or says why not.
fn fill(file: &mut FileChange, patch: &FilePatch, base: Option<&mut Base>) -> Result<(), String> {
    let sides = [(&mut file.base, patch.old_mode), (&mut file.head, patch.new_mode)];
    let is_pointer = sides.iter().any(|(_, mode)| matches!(mode, Some(Mode::Link | Mode::Submodule)));
    if is_pointer || patch.binary {
        for (at, (side, mode)) in sides.into_iter().enumerate() {
            if *side == Content::NotRecorded {
                *side = if patch.binary { Content::Binary } else { pointer(mode, &patch.hunks, at == 1) };
            }
        }
        return Ok(());
    }
    let fits = |text: String| if text.len() > MOST_BYTES { Content::TooLarge } else { Content::Text(text) };
    let Some(old) = &patch.old_path else {
        file.head = fits(rebuild("", &patch.hunks).map_err(|error| error.to_string())?);
        return Ok(());
    };
    if patch.new_path.is_none() {
        file.base = fits(rebuild("", &reversed(&patch.hunks)).map_err(|error| error.to_string())?);
        return Ok(());
    }
    if !patch.copied {
        file.patch = Some(patch.hunks.clone());
    }
    let Some(base) = base else { return Ok(()) };
    let text = match base.content(old).map_err(|error| error.to_string())? {
        Content::Text(text) => text,
        Content::Absent => return Err("the clone does not have it at this commit".to_owned()),
        _ => return Err("the clone holds no text there".to_owned()),
    };
    file.head = fits(rebuild(&text, &patch.hunks).map_err(|error| error.to_string())?);
    if !patch.copied {
        file.base = Content::Text(text);
    }
    Ok(())
}

/// What a link or a submodule points to: the one line on its side.
fn pointer(mode: Option<Mode>, hunks: &[Hunk], after: bool) -> Content {
    let line = hunks.iter().flat_map(|hunk| &hunk.lines).find_map(|line| match line {
        HunkLine::Added(text) if after => Some(text),
        HunkLine::Removed(text) if !after => Some(text),
        HunkLine::Context(_) | HunkLine::Added(_) | HunkLine::Removed(_) => None,
    });
    match (mode, line) {
        (Some(Mode::Submodule), Some(text)) => {
            Content::Submodule(text.strip_prefix("Subproject commit ").unwrap_or(text).to_owned())
        }
        (Some(Mode::Link), Some(text)) => Content::Link(text.clone()),
        (Some(_) | None, _) => Content::NotRecorded,
    }
}
