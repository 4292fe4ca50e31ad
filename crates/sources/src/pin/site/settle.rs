//! Which version it is, by what the site states and what a person says.

use crate::SourcesError;
use crate::pin::version::{Version, most_specific};
use polc_net::Url;
use polc_records::pin::{Claim, ClaimedBy, PinnedVersion, SitePin};

/// What a person says of the version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hand {
    /// It is this one.
    Version {
        /// The version.
        value: String,
        /// Why.
        reason: String,
    },
    /// Nothing on the site states one.
    Unversioned {
        /// Why that will do.
        reason: String,
    },
}

/// What the claims of a site come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// They agree, and this one says most.
    Version {
        /// The version, as it was stated.
        value: String,
        /// What stated it.
        by: ClaimedBy,
    },
    /// Two of them disagree.
    Conflict,
    /// There are none.
    Silent,
}

/// Decides by the claims alone. The most specific one that agrees with all others is the version.
pub fn decide(claims: &[Claim]) -> Decision {
    let versions: Vec<Version> = claims.iter().map(|claim| Version::of(&claim.value)).collect();
    match most_specific(&versions).and_then(|at| claims.get(at)) {
        Some(claim) => Decision::Version { value: claim.value.clone(), by: claim.by },
        None if claims.is_empty() => Decision::Silent,
        None => Decision::Conflict,
    }
}

/// Decides by the claims and what a person says, now or at an earlier pin of the same claims.
pub(super) fn settle(
    entry: &Url,
    claims: &[Claim],
    hand: Option<&Hand>,
    previous: Option<&SitePin>,
) -> Result<PinnedVersion, SourcesError> {
    let kept = previous.filter(|pin| pin.claims == claims && pin.entry == *entry).map(|pin| &pin.version);
    match (decide(claims), hand) {
        (_, Some(Hand::Version { value, reason })) => {
            Ok(PinnedVersion::ByHand { value: value.clone(), reason: reason.clone() })
        }
        (Decision::Silent, Some(Hand::Unversioned { reason })) => {
            Ok(PinnedVersion::Unversioned { reason: reason.clone() })
        }
        (Decision::Version { .. } | Decision::Conflict, Some(Hand::Unversioned { .. })) => {
            Err(SourcesError::Versioned { url: Box::new(entry.clone()), claims: listing(claims) })
        }
        (decision, None) => match (kept, decision) {
            // What a person has said holds as long as the site states the same.
            (Some(by_hand @ PinnedVersion::ByHand { .. }), _)
            | (Some(by_hand @ PinnedVersion::Unversioned { .. }), Decision::Silent) => Ok(by_hand.clone()),
            (_, Decision::Version { value, by }) => Ok(PinnedVersion::Claimed { value, by }),
            (_, Decision::Conflict) => {
                Err(SourcesError::Conflict { url: Box::new(entry.clone()), claims: listing(claims) })
            }
            (_, Decision::Silent) => Err(SourcesError::NoVersion { url: Box::new(entry.clone()) }),
        },
    }
}

fn listing(claims: &[Claim]) -> String {
    let lines = claims.iter().map(|claim| format!("`{}` by the {}, {}", claim.value, claim.by, claim.url));
    lines.collect::<Vec<_>>().join("\n  ")
}
