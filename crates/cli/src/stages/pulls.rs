//! Pull requests on GitHub, read as runs.

use crate::exit::CliError;
use crate::network::{api, github, tell_spent, wait};
use crate::session::Session;
use crate::stages::runs::ReadRun;
use polc_evidence::pull::{Address, evidence};
use polc_net::Url;
use polc_records::layout::Root;
use polc_records::project::Project;

/// From where pull requests are read, and for which project.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pulls<'p> {
    pub(crate) session: &'p Session,
    pub(crate) root: &'p Root,
    pub(crate) project: &'p Project,
}

impl Pulls<'_> {
    /// Whether what names a run is an address.
    pub(crate) fn is_address(run: &str) -> bool {
        ["https://", "http://"].iter().any(|scheme| run.starts_with(scheme))
    }

    /// An address as it may be shown, and whether something that may not be shown was in it.
    pub(crate) fn shown(address: &str) -> (String, bool) {
        let Ok(mut url) = Url::parse(address) else { return (address.to_owned(), false) };
        if url.username().is_empty() && url.password().is_none() {
            return (address.to_owned(), false);
        }
        // These two fail for an address that can hold neither.
        let _cleared = (url.set_username(""), url.set_password(None));
        (url.into(), true)
    }

    /// Reads a pull request by the address of its page, and what has to be said of it.
    ///
    /// # Errors
    /// Where it is no such address, or GitHub does not answer.
    pub(crate) fn read(&self, address: &str) -> Result<ReadRun, CliError> {
        let address = Address::read(address, &api()?)?;
        let evidence = wait(async {
            let github = github(self.session, self.root)?;
            let read = evidence(&github, &address, self.project.slug.as_str()).await;
            tell_spent(self.session, &github);
            Ok::<_, CliError>(read?)
        })??;
        let ours = self.project.repository.to_string();
        let is_ours = address.repository.eq_ignore_ascii_case(&ours);
        let remark =
            format!("the pull request is of `{}`, and the rules are of `{ours}`", address.repository);
        Ok((evidence, if is_ours { Vec::new() } else { vec![remark] }))
    }
}
