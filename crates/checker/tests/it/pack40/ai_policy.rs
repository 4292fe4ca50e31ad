//! Rules on the use of assistants.

use polc_checker::evidence::Action;
use polc_checker::message::AI_TOOL;
use polc_checker::proposal::Proposal;
use polc_checker::{
    Checker, Commit, Declaration, Direction, Exemption, Judgement, Layer, Ownership, PullRequest, Read,
    Selection, Trace, View, Whole,
};

/// KILN-C001: Where an assistant helped, name it in an `Assisted-by:` trailer.
///
/// *Precondition:* selects every commit whose message names an assistant.
///
/// *Post-condition:* it has an `Assisted-by:` trailer with a value.
///
/// *Approximate:* The name of a tool in the message stands for its help (errs either way).
pub struct C001;

impl Checker for C001 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C001", "sha256:1", Ownership::Created, &[Read::Commits]).approximate(&[
            Trace {
                layer: Layer::Precondition,
                trace: "the name of a tool in the message stands for its help",
                errs: Direction::Both,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| AI_TOOL.is_in(commit.message.raw())).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let named = target.message.trailer("Assisted-by").iter().any(|name| !name.trim().is_empty());
        Judgement::when(named, || "name the assistant in an `Assisted-by:` trailer".to_owned())
    }
}

/// KILN-C002: A pull request says under `Assistance` what was generated.
///
/// *Precondition:* selects the pull request.
///
/// *Post-condition:* something is written under the heading `Assistance`.
pub struct C002;

impl Checker for C002 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C002", "sha256:2", Ownership::Created, &[Read::Commits, Read::PullRequest]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let proposal = Proposal::new(target);
        let written = proposal.section("Assistance").is_some_and(|section| !section.written.is_empty());
        Judgement::when(written, || {
            "say under `## Assistance` what was generated, or that nothing was".to_owned()
        })
    }
}

/// KILN-C003: What an assistant wrote is read by a person, who signs with `Read-by:`.
///
/// *Precondition:* selects every commit with an `Assisted-by:` trailer.
///
/// *Post-condition:* it has a `Read-by:` trailer.
///
/// *Approximate:* The trailer stands for the person (errs by missing).
pub struct C003;

impl Checker for C003 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C003", "sha256:3", Ownership::Created, &[Read::Commits])
            .exempt(Exemption::HumanInTheLoop)
            .approximate(&[Trace {
                layer: Layer::Postcondition,
                trace: "the trailer stands for the person",
                errs: Direction::Misses,
            }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let assisted = |commit: &&Commit| !commit.message.trailer("Assisted-by").is_empty();
        Ok(view.commits()?.iter().filter(assisted).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.message.trailer("Read-by").is_empty(), || {
            "let a person read this, who signs with `Read-by:`".to_owned()
        })
    }
}

/// KILN-C004: Switch the telemetry of the assistant off before it sees the code.
///
/// *Precondition:* selects the contribution, where anything was committed.
///
/// *Post-condition:* the environment says that telemetry was off.
pub struct C004;

impl Checker for C004 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C004", "sha256:4", Ownership::Created, &[Read::Commits, Read::Probe])
            .exempt(Exemption::NotCarried);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.first().map(|_| Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let off = view.probe().map(|probe| probe.get("telemetry") == Some("off"));
        Judgement::when_known(off, || "switch telemetry off before the assistant sees the code".to_owned())
    }
}

/// KILN-C005: An assistant reads nothing from the web but the pages of the project.
///
/// *Precondition:* selects the contribution, where a page was fetched by a tool.
///
/// *Post-condition:* every page that was fetched is below `https://kiln.example/`.
pub struct C005;

impl Checker for C005 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C005", "sha256:5", Ownership::Created, &[Read::Steps]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let fetched = view.steps()?.iter().any(|step| matches!(step.action, Action::Fetch { .. }));
        Ok(fetched.then_some(Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let foreign = view.steps().map(|steps| {
            steps.iter().find_map(|step| match &step.action {
                Action::Fetch { url } if !url.starts_with("https://kiln.example/") => Some(url),
                _ => None,
            })
        });
        match foreign {
            Ok(None) => Judgement::Satisfied,
            Ok(Some(url)) => Judgement::Violated(format!("do not let the assistant fetch {url}")),
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}
