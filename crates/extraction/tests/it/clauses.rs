use crate::extracting::cues;
use polc_extraction::baseline::clause::{Reader, Reading};
use std::fmt::Write;

/// Sentences of our own, one a line; what they come to is checked by reading the snapshot.
const SENTENCES: &str = "\
Every file ends with `zebra`.
Never commit a walrus.
The zoo is old.
Keep the first line 71 characters or less.
Avoid use of 'we' in the documentation.
Write code that will work even if the network is down.
Branch off `upstream/main`.
You must run the linter before you push.
Contributors should not force-push a branch under review.
Please open an issue first.
Please also add a changelog entry.
Commit messages must be written in English.
A pull request must not mix a refactoring with a feature.
If you change a file format, bump its schema and add a migration test.
When you add, remove or rename a file, update the index.
Run the tests and add a changelog entry.
Read and follow the style guide.
Use tabs and spaces as the formatter does.
Tests live next to the code that they test.
Test files end in `_test.rs`.
Test the error path.
Format code with `cargo fmt`.
Format strings are checked at compile time.
The parser is split into three modules.
Commit subjects are at most 72 characters long.
We squash commits when we merge.
Maintainers will close stale pull requests.
Reviewers should answer within a week.
Users can report bugs in the tracker.
You may use any editor.
You do not need to sign anything.
It should be clear what happened.
This must be done before the release.
Pull requests without a test are closed.
All contributors are welcome.
No public item is left without a doc comment.
If this is your first contribution, add yourself to `AUTHORS`.
Make sure to rebase before you ask for a review.
Make sure that all tests pass.
We ask you to disclose any use of AI tools.
Each commit must build, and its message must say why.
Do not use `unwrap`; return an error instead.
New code comes with tests.
Is there a test?
The build takes ten minutes because it compiles everything.
Prefer small functions.
It would be nice to have a test.
Dependencies need a reason.
There is no need to rebase.
The required tools are listed below.
Unless the change is trivial, add a test.
Instead, link to the issue.
Then push the branch and open a pull request.
Don't amend or force-push a published branch.
Document every public function, but do not repeat its signature.
Names of tests say what holds.
Small fixes need no issue.
We don't squash anything.
We would like to thank everybody who helped.
We require contributors to sign their work.
The builder requires a browser.
Other parts return what they have to say.
A test that needs a server must print `SKIP` without one.
The suite takes long, and it should not.
A change that nobody can explain is closed.
A change will not be merged until it has been reviewed.
By sending a patch, you certify that it is yours.
It is your responsibility to answer reviewers.
Write it in the imperative: `Add`, never `Added`.
Ideally, feed the lion twice.
Wash your hands and sort the brooms.
You must have read and understood every line.
If you feed a lion, wash your hands first.
Python the language is old.
Perhaps the lion sleeps.
Use `snake_case`, except in `old/`, where anything else is fine.
You're expected to sign the agreement.
We do not accept generated code.
We don't merge on Fridays.
Generated code is not accepted.
AI-generated pull requests will be closed.
Pull requests will be closed.
Your pull request will be closed.
Tabs are not allowed in headings.
The use of `goto` is forbidden in every file.
Commits are squashed by the maintainers.
A change must be approved by a maintainer.
It is important that you label the cage.
Preferably use spaces.
Never write `x`: use `y` instead.
Do not edit a frozen file, because its digest is recorded.
Open source needs care.
See the guide for more.
Documentation is read by strangers.
Every bit of help counts.
If you add a page, a picture or a link, update the index.
To get started, you should first read the guide, then build it.
A checker may not read the clock.
Nobody must be left out.
Note
Commit and push once the lions are fed.
Unless the cage is small (say, for a mouse) please add a second door.
You may feed the seals, but you must wash the buckets.
You may feed the seals, but nobody does.
You are responsible for every animal that you bring.
The parser is responsible for comments.
We will reject a plan that has no map.
We decided to reject it.
Absolutely no unsupervised robots in the aquarium.
No worries about that.
No lion is fed twice.
The files in `maps/` are generated from the survey by running `survey`.
Lion maps and keeper files are generated from the survey by running `survey`.
You want to keep the names of animals short.
Look at the page that you want to see in print.
You'll want to read the plan.
Don't worry about the tigers.
We appreciate that you came.
For several reasons, we have to close at noon.
From experience we know that lions must sleep.
Having fed lions, we know they must sleep.
Here is a list of things that should be in a cage.
When the zoo no longer needs a fence, the fence will be sold.
A cage should only be opened by two people.
A keeper should always count the animals.
";

#[test]
fn sentences_and_what_they_oblige_to() {
    let cues = cues();
    let reader = Reader::new(&cues);
    let mut seen = String::new();
    for sentence in SENTENCES.lines() {
        writeln!(seen, "{sentence}").unwrap();
        match reader.read(sentence) {
            Reading::NoRule(speech) => writeln!(seen, "    - {speech:?}").unwrap(),
            Reading::Rules(rules) => {
                for rule in rules {
                    let condition =
                        rule.condition.map_or(String::new(), |condition| format!(" [{condition}]"));
                    writeln!(seen, "    {}: {}{condition} ({})", rule.modal, rule.rule, rule.found_by)
                        .unwrap();
                }
            }
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("sentences", seen) });
}

#[test]
fn lead_ins_and_what_their_items_complete() {
    let cues = cues();
    let reader = Reader::new(&cues);
    let mut seen = String::new();
    for sentence in [
        "Before you push, you must:",
        "Please:",
        "A pull request must include:",
        "When you add a dependency:",
        "If this change fixes an issue, please:",
        "The following rules apply:",
        "Use one of these prefixes:",
        "Do not:",
        "Commits:",
        "Follow these steps:",
        "Make sure that:",
        "You should not:",
    ] {
        writeln!(seen, "{sentence}\n    {:?}", reader.lead_in(sentence)).unwrap();
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("lead_ins", seen) });
}
