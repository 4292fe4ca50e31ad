//! Nobody rates what they wrote or reviewed: what the history of the root says of it.

use crate::check;

#[test]
fn who_wrote_or_reviewed_checkers_does_not_rate_them() {
    let zoo = check::zoo();
    check::write_all(&zoo);
    let message = "Write the checkers\n\nThey were stubs.\n\nReviewed-by: Eve Ning <eve@zoo.example>";
    zoo.repository.git(&["commit", "--quiet", "--amend", "-m", message]);
    zoo.polc(&["audit", "draw", "first", "--size", "3", "--seed", "7"]).exits(0);
    let sheets = |one: &str| zoo.polc(&["audit", "sheets", "first", "--rater", one, "--rater", "Bob"]);
    for involved in ["a contributor", "Eve  Ning"] {
        let refused = sheets(involved).exits(4);
        let what = format!("`{involved}` wrote or reviewed checkers of zoo: so says commit ");
        assert!(refused.err.contains(&what), "{}", refused.err);
        assert!(!zoo.path().join("audit/first/bob.xlsx").exists());
    }
    // Ada commits, but no checker.
    zoo.repository.write("README.md", "The zoo.\n");
    zoo.repository.git(&["add", "README.md"]);
    zoo.repository.git(&["commit", "--quiet", "--author", "Ada <ada@zoo.example>", "-m", "Say what it is"]);
    sheets("Ada").exits(0);
}
