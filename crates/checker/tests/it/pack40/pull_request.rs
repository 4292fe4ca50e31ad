//! Rules on pull requests.

use polc_checker::markdown::CheckBox;
use polc_checker::proposal::{Proposal, SectionState, Template};
use polc_checker::{
    Checker, Declaration, InProposal, Judgement, Ownership, PullRequest, Read, Selection, View,
};

const TEMPLATE: &str = "## Why\n\nTell us the reason.\n\n## Checks\n\n- [ ] I ran the tests\n";

/// KILN-C017: Fill in the section `Why` of the template.
///
/// *Precondition:* selects the pull request.
///
/// *Post-condition:* something of its own stands below that heading.
pub struct C017;

impl Checker for C017 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C017", "sha256:17", Ownership::Created, &[Read::Commits, Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let state = Proposal::new(target).state_of("Why", &Template::new(TEMPLATE));
        Judgement::when(state == SectionState::Written, || "say under `## Why` why this is done".to_owned())
    }
}

/// KILN-C018: Tick every box of the list of checks.
///
/// *Precondition:* selects every check box of the pull request.
///
/// *Post-condition:* it is ticked.
pub struct C018;

impl Checker for C018 {
    type Target<'e> = InProposal<'e, CheckBox>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C018", "sha256:18", Ownership::Created, &[Read::Commits, Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut boxes = Vec::new();
        for pull_request in view.proposal()? {
            let found = Proposal::new(pull_request).check_boxes().into_iter();
            boxes.extend(found.map(|found| InProposal { pull_request, found }));
        }
        Ok(boxes)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.ticked, || format!("do this and tick it: {}", target.found.text))
    }
}

/// KILN-C019: A pull request names its issue in the description, and not in the title.
///
/// *Precondition:* selects the pull request.
///
/// *Post-condition:* the description refers to an issue; the title refers to none.
pub struct C019;

impl Checker for C019 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C019", "sha256:19", Ownership::Created, &[Read::Commits, Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let proposal = Proposal::new(target);
        if let Some(issue) = proposal.title_issues().first() {
            return Judgement::Violated(format!("move `{}` out of the title", issue.text));
        }
        Judgement::when(!proposal.issues().is_empty(), || "name the issue in the description".to_owned())
    }
}

/// KILN-C020: Links in a description are secure.
///
/// *Precondition:* selects a pull request with a link.
///
/// *Post-condition:* no link begins with `http:`.
pub struct C020;

impl Checker for C020 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C020", "sha256:20", Ownership::Created, &[Read::Commits, Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut proposals = view.proposal()?;
        proposals.retain(|pull_request| !Proposal::new(pull_request).links().is_empty());
        Ok(proposals)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match Proposal::new(target).links().iter().find(|link| link.to.starts_with("http:")) {
            None => Judgement::Satisfied,
            Some(link) => Judgement::Violated(format!("link to `https:` instead of {}", link.to)),
        }
    }
}
