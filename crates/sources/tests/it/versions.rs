//! Versions: which of them agree, and which of them says most.

use polc_net::Url;
use polc_records::pin::{Claim, ClaimedBy};
use polc_sources::pin::site::{Decision, decide};
use polc_sources::pin::version::{Build, Version, compare, release_of};

fn decided(values: &[&str]) -> Decision {
    let claims: Vec<Claim> = values
        .iter()
        .map(|value| Claim {
            by: ClaimedBy::SphinxOptions,
            value: (*value).to_owned(),
            url: Url::parse("https://d.example/").unwrap(),
        })
        .collect();
    decide(&claims)
}

#[test]
fn the_most_specific_version_that_agrees_with_all_others_wins_in_any_order() {
    for (values, expected) in [
        (["1.9", "1.9.1", "1.9"], "1.9.1"),
        (["3.1.x", "3.1.3", "3"], "3.1.3"),
        (["3.2.x", "3.2.0.dev0", "3.2.x"], "3.2.0.dev0"),
        (["8.1", "8.1.0.dev437+g1fdfae1fe1", "8.1"], "8.1.0.dev437+g1fdfae1fe1"),
        (["9.2", "9.2.0.dev228", "9.2.0"], "9.2.0.dev228"),
        (["1.15.0.dev", "1.15.0.dev0", "1.15"], "1.15.0.dev"),
        (["4.2.0", "4.2.0rc1", "4.2"], "4.2.0rc1"),
        (["1.0.0-alpha.1", "v1.0.0", "1.0"], "1.0.0-alpha.1"),
        (["2.0.0-x.7.z.92", "2.0", "2.0.0"], "2.0.0-x.7.z.92"),
        (["2.0.0-nightly.3", "2.0", "2.0.0"], "2.0.0-nightly.3"),
        (["2!1.0", "2!1", "2!1.0.0"], "2!1.0.0"),
        (["Kilo", "Kilo", "Kilo"], "Kilo"),
        (["2026.9", "2026.9.0", "2026"], "2026.9.0"),
    ] {
        for turn in 0..3 {
            let mut turned = values;
            turned.rotate_left(turn);
            let Decision::Version { value, .. } = decided(&turned) else { panic!("{turned:?} disagree") };
            assert_eq!(Version::of(&value), Version::of(expected), "{turned:?}");
        }
    }
}

#[test]
fn versions_that_cannot_all_be_right_are_a_conflict_and_none_is_none() {
    for values in [
        ["4.1.9", "4.2.0rc1"],
        ["0.9", "0.10"],
        ["1.9", "1.10"],
        ["9.2.0", "9.2.1"],
        ["8.1.0.dev1", "8.1.0.dev2"],
        ["8.1.0+ga", "8.1.0+gb"],
        ["1.0rc1", "1.0rc2"],
        ["1.0", "1!1.0"],
        ["Kilo", "1.0"],
        ["Kilo", "Liberty"],
        ["1.0.dev3", "1.0rc1"],
    ] {
        assert_eq!(decided(&values), Decision::Conflict, "{values:?}");
    }
    // Each agrees with the short one, and not with each other.
    assert_eq!(decided(&["1", "1.1", "1.2"]), Decision::Conflict);
    assert_eq!(decided(&[]), Decision::Silent);
}

#[test]
fn builds_of_one_release_are_one_release() {
    for (pinned, stated, expected) in [
        ("8.1.0.dev437+g1f", "8.1.0.dev437+g1f", Build::Same),
        ("8.1.0.dev437+g1f", "8.1", Build::Same),
        ("1.9.1", "1.9", Build::Same),
        ("8.1.0.dev437+g1f", "8.1.0.dev440+g2e", Build::Other),
        ("8.1.dev437", "8.1.0.dev440", Build::Other),
        ("1.0.post1", "1.0.post2", Build::Other),
        ("1.0.0+build.1", "1.0.0+build.2", Build::Other),
        ("2.0.0-nightly.3", "2.0.0-nightly.4", Build::Other),
        ("8.1.0.dev437", "8.2.0.dev1", Build::OfAnotherRelease),
        ("1.9.1", "1.9.2", Build::OfAnotherRelease),
        ("1.0rc1", "1.0rc2", Build::OfAnotherRelease),
        ("Kilo", "Liberty", Build::OfAnotherRelease),
    ] {
        assert_eq!(compare(pinned, stated), expected, "{pinned} and {stated}");
        assert_eq!(compare(stated, pinned), expected, "{stated} and {pinned}");
    }
    assert_eq!(release_of("8.1.0.dev437+g1f"), release_of("8.1"));
    assert_eq!(release_of("8.1.0.dev437+g1f").to_string(), "8.1.0");
    assert_eq!(release_of("2!1.0rc1").to_string(), "2!1.0rc1");
}
