//! Chance that is the same everywhere and always: ChaCha20, and a selection of our own on top of it.

use polc_records::Digest;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of numbers. Only the cipher is the library's: how it is keyed and what is made of its words is here, and
/// held by tests.
pub(crate) struct Stream(ChaCha20Rng);

impl Stream {
    /// The stream for a purpose. Each purpose of a seed has its own, so that none moves another.
    pub(crate) fn new(purpose: &str, seed: u64, of: &str) -> Self {
        Stream(ChaCha20Rng::from_seed(Digest::of(format!("{purpose}\n{seed}\n{of}\n")).bytes()))
    }

    /// A number below `bound`, every one as likely as every other: words that would favour some are thrown away. Below
    /// nothing there is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let Ok(bound) = u32::try_from(bound) else { return 0 };
        if bound < 2 {
            return 0;
        }
        // The largest multiple of the bound among the words.
        let fair = u32::MAX - (u32::MAX % bound + 1) % bound;
        loop {
            let word = self.0.next_u32();
            if word <= fair {
                return (word % bound) as usize;
            }
        }
    }

    /// Draws so many of some things, without putting them back. What is left keeps its order.
    pub(crate) fn draw<T>(&mut self, from: &mut Vec<T>, count: usize) -> Vec<T> {
        let mut drawn = Vec::new();
        while drawn.len() < count && !from.is_empty() {
            drawn.push(from.remove(self.below(from.len())));
        }
        drawn
    }
}
