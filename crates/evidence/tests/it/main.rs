//! Evidence: from real repositories, and from what scaffolds write.

mod ranges;
