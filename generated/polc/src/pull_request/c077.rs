use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, PullRequest, Read, Selection, Trace, View,
};

/// POLC-C077: Answer each box of the pull request's checklist: tick it, or write below it why it stays empty.
///
/// > Answer each box of the checklist: tick it, or write below it why it stays empty.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#title-and-description>, Title and description
///
/// Evidence type: differential.
///
/// *Precondition:* selects the pull request with a checklist.
///
/// *Post-condition:* below each box that is not ticked stands a line that is no other box.
///
/// *Approximate:* Any line below an open box stands for its reason (errs by missing).
pub struct C077;

impl Checker for C077 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C077",
        "sha256:04bc562ddba0e51dc0d87ee3f73ffaf88c6baa9884d0f11054c6c9c6e409730b",
        Ownership::Created,
        &[Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "any line below an open box stands for its reason",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let request = view.pull_request()?;
        let has_boxes = !Markdown::new(&request.body).check_boxes().is_empty();
        Ok(has_boxes.then_some(request).into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let body = Markdown::new(&target.body);
        let prose: Vec<(usize, &str)> = body.prose().collect();
        let explained = |line: usize| {
            let next =
                prose.iter().find(|(number, _)| *number == line + 1).map_or("", |(_, text)| text.trim());
            !(next.is_empty() || next.starts_with("- [") || next.starts_with("* [") || next.starts_with('#'))
        };
        let open = body.check_boxes().into_iter().find(|item| !item.ticked && !explained(item.line));
        match open {
            None => Judgement::Satisfied,
            Some(item) => Judgement::Violated(format!(
                "tick the box `{}`, or write below it why it stays empty",
                item.text
            )),
        }
    }
}
