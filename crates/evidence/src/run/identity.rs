//! Which run it is: by the caller, by what its environment held, by what was recorded before it, by
//! the folders that it lies in. File names identify nothing.

use super::{Options, Remark, RunError};
use crate::adapter::Adapter;
use crate::transcript::Transcript;
use polc_checker::evidence::{Run, Setting};
use polc_records::digest::Digest;
use std::path::Path;

/// How many hexadecimal digits of its file name a run.
const DIGITS: usize = 12;

/// The folders above a run: `<prefix>/<framework>/<model>/<instance>/<condition>/attempt<N>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) scaffold: String,
    pub(super) model: String,
    pub(super) instance: String,
    pub(super) condition: String,
    pub(super) attempt: u32,
}

impl Layout {
    /// What the folders above a file say, where they are those of the layout.
    pub(super) fn of(file: &Path) -> Option<Layout> {
        let full = std::path::absolute(file).ok()?;
        let mut names = full.parent()?.components().rev().map(|it| it.as_os_str().to_str());
        let mut next = || names.next().flatten();
        let attempt = next()?.strip_prefix("attempt")?.parse().ok()?;
        let condition = next()?.to_owned();
        let instance = next()?.to_owned();
        let model = next()?.to_owned();
        let scaffold = next()?.to_owned();
        let prefix = next()?;
        (project_of(&instance) == Some(prefix)).then_some(Layout {
            scaffold,
            model,
            instance,
            condition,
            attempt,
        })
    }
}

/// The project of a task: what stands before `__`.
pub(super) fn project_of(instance: &str) -> Option<&str> {
    instance.split_once("__").map(|(project, _)| project).filter(|project| !project.is_empty())
}

/// Everything that says which run it is.
#[derive(Debug)]
pub(super) struct Sources<'s> {
    pub(super) options: &'s Options,
    pub(super) transcript: &'s Transcript,
    pub(super) layout: Option<&'s Layout>,
    pub(super) adapter: Adapter,
}

impl Sources<'_> {
    pub(super) fn run(&self, path: &Path, text: &str, _remarks: &mut Vec<Remark>) -> Result<Run, RunError> {
        let instance = self
            .options
            .instance
            .clone()
            .or_else(|| self.transcript.instance.clone())
            .or_else(|| self.layout.map(|layout| layout.instance.clone()));
        let project = self
            .options
            .project
            .clone()
            .or_else(|| instance.as_deref().and_then(project_of).map(str::to_owned))
            .ok_or_else(|| RunError::NoProject { path: path.to_path_buf(), instance: instance.clone() })?;
        let digest: String = Digest::of(text).hex().chars().take(DIGITS).collect();
        let id = match &instance {
            Some(instance) => format!("{instance}:{digest}"),
            None => digest,
        };
        let mut run = Run::new(id, project);
        run.instance = instance;
        run.scaffold = Some(self.adapter.as_str().to_owned());
        run.model = self.options.model.clone().or_else(|| self.transcript.model.clone());
        run.setting = self.options.setting.unwrap_or(Setting::None);
        run.ending.clone_from(&self.transcript.ending);
        Ok(run)
    }
}
