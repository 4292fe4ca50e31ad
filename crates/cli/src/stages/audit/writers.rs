//! Who wrote or reviewed the checkers, as far as the history of the root says.

use crate::exit::CliError;
use polc_audit::score::same_person;
use polc_checker::message::Message;
use polc_git::{Commit, GitError, Person, Repository};
use polc_records::audit::SampleHeader;
use polc_records::ids::ObjectId;
use polc_records::layout::Root;

/// Refuses raters whose names stand on a commit that changed checkers of a project that was drawn from: as author, as
/// committer, or in a trailer such as `Co-authored-by` or `Reviewed-by`. What is not committed says nothing, and a root
/// outside a repository neither.
pub(crate) fn refuse_writers(root: &Root, header: &SampleHeader, raters: &[&str]) -> Result<(), CliError> {
    let Some((repository, head)) = history(root)? else { return Ok(()) };
    let mut objects = repository.objects()?;
    for project in &header.projects {
        let slug = &project.project;
        for id in repository.commits_of(&head, &root.pack(slug))? {
            let people = people(&objects.commit(&id)?);
            let involved = raters.iter().find(|rater| people.iter().any(|name| same_person(name, rater)));
            if let Some(rater) = involved {
                return Err(CliError::Gate {
                    what: format!("`{rater}` wrote or reviewed checkers of {slug}: so says commit {id}"),
                    help: "nobody rates what they wrote or reviewed: name another rater".to_owned(),
                });
            }
        }
    }
    Ok(())
}

fn history(root: &Root) -> Result<Option<(Repository, ObjectId)>, GitError> {
    let repository = match Repository::open(root.folder()) {
        Ok(repository) => repository,
        Err(GitError::NoRepository { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    match repository.resolve("HEAD") {
        Ok(head) => Ok(Some((repository, head))),
        Err(GitError::NoCommit { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn people(commit: &Commit) -> Vec<String> {
    let trailers = Message::new(&commit.message).trailers();
    let named = trailers
        .iter()
        .filter(|trailer| trailer.name.to_ascii_lowercase().ends_with("-by"))
        .map(|trailer| Person::parse(trailer.value.as_bytes()).name);
    [commit.author.name.clone(), commit.committer.name.clone()].into_iter().chain(named).collect()
}
