//! Which run it is: by the caller, by what its environment held, by what was recorded before it, by
//! the folders that it lies in. The name of its file comes last, and identifies no run.

use super::{Options, Remark, RunError};
use crate::adapter::Adapter;
use crate::transcript::Transcript;
use polc_checker::evidence::{Probe, Run, Setting};
use polc_records::digest::Digest;
use std::path::Path;

/// How many hexadecimal digits of its digest name a run.
const DIGITS: usize = 12;

/// What stands where nothing is known.
const UNKNOWN: [&str; 2] = ["", "unknown"];

/// The folders above a run: `<project>/<scaffold>/<model>/<instance>/<condition>/attempt<N>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) scaffold: String,
    model: String,
    instance: String,
    condition: String,
    attempt: String,
}

impl Layout {
    /// What the folders above a file say, where they are those of the layout.
    pub(super) fn of(path: &Path) -> Option<Layout> {
        let full = std::path::absolute(path).ok()?;
        let folder = if path.is_dir() { full.as_path() } else { full.parent()? };
        let mut names = folder.components().rev().map(|it| it.as_os_str().to_str());
        let mut next = || names.next().flatten();
        let attempt = next()?.strip_prefix("attempt")?;
        let condition = next()?.to_owned();
        let instance = next()?.to_owned();
        let model = next()?.to_owned();
        let scaffold = next()?.to_owned();
        let project = next()?;
        let is_one = attempt.parse::<u32>().is_ok() && project_of(&instance) == Some(project);
        is_one.then(|| Layout { scaffold, model, instance, condition, attempt: attempt.to_owned() })
    }
}

/// The project of a task: what stands before `__`.
pub(super) fn project_of(instance: &str) -> Option<&str> {
    let (project, rest) = instance.split_once("__")?;
    (!project.is_empty() && !rest.is_empty()).then_some(project)
}

/// Everything that says which run it is.
#[derive(Debug)]
pub(super) struct Sources<'s> {
    pub(super) path: &'s Path,
    pub(super) options: &'s Options,
    pub(super) transcript: &'s Transcript,
    pub(super) probe: Option<&'s Probe>,
    pub(super) branch: Option<&'s Probe>,
    pub(super) layout: Option<&'s Layout>,
    pub(super) adapter: Adapter,
}

/// What a source says, and what the source is.
type Said<'s> = (Option<&'s str>, &'static str);

fn caller(value: Option<&String>) -> Said<'_> {
    (value.map(String::as_str), "the caller")
}

fn own(value: Option<&String>) -> Said<'_> {
    (value.map(String::as_str), "its own file")
}

impl Sources<'_> {
    fn environment(&self, name: &str) -> Said<'_> {
        let found = self.transcript.environment.iter().find(|(key, _)| key == name);
        (found.map(|(_, value)| value.as_str()), "its environment")
    }

    fn probe(&self, name: &str) -> Said<'_> {
        (self.probe.and_then(|probe| probe.get(name)), "the probe")
    }

    fn branch(&self, name: &str) -> Said<'_> {
        (self.branch.and_then(|branch| branch.get(name)), "the section BRANCH")
    }

    fn layout(&self, part: fn(&Layout) -> &String) -> Said<'_> {
        (self.layout.map(part).map(String::as_str), "the folders above it")
    }

    /// The run, by the first source that says each thing.
    pub(super) fn run(&self, digest: &Digest, remarks: &mut Vec<Remark>) -> Result<Run, RunError> {
        let Sources { options, transcript, .. } = self;
        let name = self.path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        let name = name.split('.').next().filter(|name| project_of(name).is_some());
        let mut take = |what, sources: &[Said<'_>]| first(what, sources, remarks);
        let instance = take(
            "task",
            &[
                caller(options.instance.as_ref()),
                self.probe("instance_id"),
                self.branch("instance_id"),
                own(transcript.instance.as_ref()),
                self.layout(|layout| &layout.instance),
            ],
        );
        let instance = instance.or(name.map(str::to_owned));
        let of_task = instance.as_deref().and_then(project_of);
        let project = take("project", &[caller(options.project.as_ref()), (of_task, "the name of the task")])
            .ok_or_else(|| RunError::NoProject {
                path: self.path.to_path_buf(),
                instance: instance.clone(),
            })?;
        let digits: String = digest.hex().chars().take(DIGITS).collect();
        let id = instance.as_ref().map_or(digits.clone(), |instance| format!("{instance}:{digits}"));
        let mut run = Run::new(id, project);
        run.instance = instance;
        run.model = take(
            "model",
            &[
                caller(options.model.as_ref()),
                self.environment("RUN_MODEL"),
                self.probe("model"),
                own(transcript.model.as_ref()),
                self.layout(|layout| &layout.model),
            ],
        );
        let adapter = self.adapter.as_str();
        let reader = (Some(adapter).filter(|_| self.adapter != Adapter::Plain), "the adapter that read it");
        run.scaffold = take(
            "scaffold",
            &[
                self.environment("RUN_FRAMEWORK"),
                self.probe("framework"),
                self.layout(|layout| &layout.scaffold),
                reader,
            ],
        )
        .or_else(|| Some(adapter.to_owned()));
        let attempt = options.attempt.map(|attempt| attempt.to_string());
        run.attempt = take(
            "attempt",
            &[
                caller(attempt.as_ref()),
                self.environment("RUN_ATTEMPT"),
                self.probe("attempt_n"),
                self.layout(|layout| &layout.attempt),
            ],
        )
        .and_then(|attempt| attempt.parse().ok());
        run.base = take("base commit", &[self.probe("base_commit"), own(transcript.base.as_ref())]);
        run.start = take("first commit", &[self.branch("start_head"), self.probe("start_head")]);
        run.head = take("last commit", &[self.branch("head")]);
        let branch = take("branch", &[self.branch("branch")]);
        run.branch = branch.filter(|branch| !matches!(branch.as_str(), "(detached)" | "HEAD"));
        run.ending.clone_from(&transcript.ending);
        run.setting = self.setting(remarks);
        Ok(run)
    }

    fn setting(&self, remarks: &mut Vec<Remark>) -> Setting {
        if let Some(setting) = self.options.setting {
            return setting;
        }
        let sources = [
            self.environment("RUN_CONDITION"),
            self.probe("condition"),
            own(self.transcript.setting.as_ref()),
            self.layout(|layout| &layout.condition),
        ];
        let settings = sources.map(|(said, source)| (said.and_then(setting_of).map(as_str), source));
        match first("setting", &settings, remarks).as_deref().and_then(setting_of) {
            Some(setting) => setting,
            None => {
                let said = sources.iter().find_map(|(said, _)| *said).filter(|said| !UNKNOWN.contains(said));
                remarks.extend(said.map(|said| Remark::UnknownSetting { setting: said.to_owned() }));
                Setting::None
            }
        }
    }
}

/// A setting by the names that it has had. One in which agents were told twice where the rules are
/// is native all the same.
fn setting_of(name: &str) -> Option<Setting> {
    match name {
        "native" | "naive" | "naive-salient" => Some(Setting::Native),
        "consolidated" | "guided" => Some(Setting::Consolidated),
        _ => None,
    }
}

const fn as_str(setting: Setting) -> &'static str {
    match setting {
        Setting::Native => "native",
        Setting::Consolidated => "consolidated",
        Setting::None => "none",
    }
}

/// What the first source says that says anything. Where a later one says another thing, that is
/// remarked: they are recorded apart, so that one of them is wrong.
fn first(what: &'static str, sources: &[Said<'_>], remarks: &mut Vec<Remark>) -> Option<String> {
    let known = |(said, source): &Said<'_>| {
        said.map(str::trim).filter(|said| !UNKNOWN.contains(said)).map(|said| (said.to_owned(), *source))
    };
    // A folder is named after the last part of a model's name.
    let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let mut said = sources.iter().filter_map(known);
    let taken = said.next()?;
    if let Some(other) = said.find(|other| last(&other.0) != last(&taken.0)) {
        remarks.push(Remark::Differs { what, taken: taken.clone(), other });
    }
    Some(taken.0)
}
