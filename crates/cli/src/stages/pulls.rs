//! Pull requests on GitHub, read as runs.

use crate::exit::CliError;
use crate::network::{api, github, tell_spent, wait};
use crate::session::Session;
use polc_checker::Evidence;
use polc_evidence::pull::{Address, evidence};
use polc_records::layout::Root;

/// From where pull requests are read, and for which project.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pulls<'p> {
    pub(crate) session: &'p Session,
    pub(crate) root: &'p Root,
    /// The project's slug.
    pub(crate) project: &'p str,
}

impl Pulls<'_> {
    /// Whether what names a run is an address.
    pub(crate) fn is_address(run: &str) -> bool {
        ["https://", "http://"].iter().any(|scheme| run.starts_with(scheme))
    }

    /// Reads a pull request by the address of its page.
    ///
    /// # Errors
    /// Where it is no such address, or GitHub does not answer.
    pub(crate) fn read(&self, address: &str) -> Result<Evidence, CliError> {
        let address = Address::read(address, &api()?)?;
        wait(async {
            let github = github(self.session, self.root)?;
            let read = evidence(&github, &address, self.project).await;
            tell_spent(self.session, &github);
            Ok(read?)
        })?
    }
}
