//! Several rules that restate the members of one list: an interface is catalogued where one rule is to conform to it.

use crate::lexis::tokens;
use std::collections::BTreeMap;

/// How many rules of one list with the same frame are a catalogue.
const MEMBERS: usize = 3;

/// The groups of rules that restate members of one list. Each rule is given with its list and its words.
pub(super) fn catalogues<L: Ord + Copy>(rules: &[(usize, L, &str)]) -> Vec<Vec<usize>> {
    let mut of_list: BTreeMap<L, Vec<(usize, Vec<String>)>> = BTreeMap::new();
    for (rule, list, words) in rules {
        let words = tokens(words).into_iter().map(|token| token.lower).collect();
        of_list.entry(*list).or_default().push((*rule, words));
    }
    let mut found = Vec::new();
    for mut members in of_list.into_values() {
        while let Some((first, frame)) = members.first().cloned() {
            let (same, others): (Vec<_>, Vec<_>) =
                members.into_iter().partition(|(rule, words)| *rule == first || same_frame(&frame, words));
            if same.len() >= MEMBERS {
                found.push(same.into_iter().map(|(rule, _)| rule).collect());
            }
            members = others;
        }
    }
    found
}

/// Whether two restatements begin and end with the same words, and these are at least half of the longer one.
fn same_frame(one: &[String], other: &[String]) -> bool {
    let pairs = one.iter().zip(other);
    let beginning = pairs.take_while(|(one, other)| one == other).count();
    let left = one.len().min(other.len()) - beginning;
    let pairs = one.iter().rev().zip(other.iter().rev()).take(left);
    let end = pairs.take_while(|(one, other)| one == other).count();
    2 * (beginning + end) >= one.len().max(other.len())
}
