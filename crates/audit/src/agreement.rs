//! How far two raters agree: the table, raw agreement, Cohen's kappa with two intervals, Gwet's AC1.
//!
//! A figure that does not exist is none: never 0, never 1. It comes with the reason.

use crate::stream::Stream;
use serde::Serialize;

/// The standard normal quantile of a two-sided interval of 95 %.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// How many resamples a bootstrap takes.
const RESAMPLES: usize = 2_000;

const BOOTSTRAP: &str = "polc audit bootstrap 1";

/// Why a figure does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Undefined {
    /// Nothing was rated.
    #[error("no items")]
    NoItems,
    /// Both raters gave one and the same label to everything: agreement by chance is 1.
    #[error("undefined: one label only")]
    OneLabel,
    /// Most resamples had one label only.
    #[error("undefined: most resamples have one label only")]
    Resamples,
    /// A stratum of which one item was drawn says nothing of how much its items differ.
    #[error("undefined: a project that was not taken whole has one rated item")]
    SingleItem,
}

/// A figure, or why there is none.
pub type Figure<T = f64> = Result<T, Undefined>;

/// Two ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How often which pair of labels was given: rows are the first rater's, columns the second's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The labels.
    pub labels: Vec<&'static str>,
    /// The counts.
    pub counts: Vec<Vec<usize>>,
    /// The pairs as they came: what is drawn from again.
    #[serde(skip)]
    pairs: Vec<(usize, usize)>,
}

impl Table {
    /// The table of pairs of labels, each given by its place among the labels. What is no label is not counted.
    pub fn new(labels: &[&'static str], pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let size = labels.len();
        let pairs: Vec<(usize, usize)> =
            pairs.into_iter().filter(|(one, other)| *one < size && *other < size).collect();
        Table { labels: labels.to_vec(), counts: counted(size, pairs.iter().copied()), pairs }
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.pairs.len()
    }

    /// How often each label was given by the first rater and by the second.
    pub fn marginals(&self) -> (Vec<usize>, Vec<usize>) {
        let rows = self.counts.iter().map(|row| row.iter().sum()).collect();
        let columns = (0..self.labels.len()).map(|at| self.counts.iter().map(|row| row[at]).sum()).collect();
        (rows, columns)
    }

    /// The items on which both gave the same label.
    pub fn agreed(&self) -> usize {
        (0..self.labels.len()).map(|at| self.counts[at][at]).sum()
    }

    /// The share of the items on which both gave the same label.
    ///
    /// # Errors
    /// Where there are none.
    pub fn raw(&self) -> Figure {
        Shares::of(&self.counts).map(|shares| shares.observed)
    }

    /// Cohen's kappa.
    ///
    /// # Errors
    /// Where there are no items, or agreement by chance is 1.
    pub fn kappa(&self) -> Figure {
        Shares::of(&self.counts)?.kappa()
    }

    /// The asymptotic standard error of kappa (Fleiss, Cohen and Everitt 1969).
    ///
    /// # Errors
    /// As [`Table::kappa`].
    pub fn standard_error(&self) -> Figure {
        let shares = Shares::of(&self.counts)?;
        let kappa = shares.kappa()?;
        let (mut agreed, mut differed) = (0.0, 0.0);
        for (i, row) in shares.cells.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                if i == j {
                    agreed += cell * (1.0 - (shares.rows[i] + shares.columns[i]) * (1.0 - kappa)).powi(2);
                } else {
                    differed += cell * (shares.columns[i] + shares.rows[j]).powi(2);
                }
            }
        }
        let last = (kappa - shares.expected * (1.0 - kappa)).powi(2);
        let variance = (agreed + (1.0 - kappa).powi(2) * differed - last)
            / ((1.0 - shares.expected).powi(2) * self.items() as f64);
        Ok(variance.max(0.0).sqrt())
    }

    /// The asymptotic interval of 95 % around kappa, within what kappa can be.
    ///
    /// # Errors
    /// As [`Table::kappa`].
    pub fn asymptotic(&self) -> Figure<Interval> {
        let (kappa, error) = (self.kappa()?, self.standard_error()?);
        let (low, high) = (kappa - Z95 * error, kappa + Z95 * error);
        Ok(Interval { low: low.max(-1.0), high: high.min(1.0) })
    }

    /// The interval of 95 % between percentiles of kappa over resamples of the items. Resamples in which kappa does
    /// not exist are left out.
    ///
    /// # Errors
    /// As [`Table::kappa`], and where kappa does not exist in most resamples.
    pub fn bootstrap(&self, seed: u64, of: &str) -> Figure<Interval> {
        self.kappa()?;
        let mut stream = Stream::new(BOOTSTRAP, seed, of);
        let mut kappas: Vec<f64> = Vec::new();
        for _ in 0..RESAMPLES {
            let drawn = (0..self.items()).map(|_| self.pairs[stream.below(self.items())]);
            let counts = counted(self.labels.len(), drawn);
            kappas.extend(Shares::of(&counts).and_then(|shares| shares.kappa()).ok());
        }
        if kappas.len() * 2 < RESAMPLES {
            return Err(Undefined::Resamples);
        }
        kappas.sort_by(f64::total_cmp);
        Ok(Interval { low: percentile(&kappas, 0.025), high: percentile(&kappas, 0.975) })
    }

    /// Gwet's AC1, which a label that dominates does not press down as it does kappa.
    ///
    /// # Errors
    /// Where there are no items.
    pub fn ac1(&self) -> Figure {
        let shares = Shares::of(&self.counts)?;
        let mean = shares.rows.iter().zip(&shares.columns).map(|(row, column)| f64::midpoint(*row, *column));
        let chance = mean.map(|share| share * (1.0 - share)).sum::<f64>() / (self.labels.len() as f64 - 1.0);
        Ok((shares.observed - chance) / (1.0 - chance))
    }

    /// The label that both raters together gave most often, with its share.
    ///
    /// # Errors
    /// Where there are no items.
    pub fn prevalent(&self) -> Figure<(&'static str, f64)> {
        let shares = Shares::of(&self.counts)?;
        let mean = shares.rows.iter().zip(&shares.columns).map(|(row, column)| f64::midpoint(*row, *column));
        let of_labels = self.labels.iter().copied().zip(mean);
        of_labels.max_by(|(_, one), (_, other)| one.total_cmp(other)).ok_or(Undefined::NoItems)
    }
}

fn counted(size: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut counts = vec![vec![0; size]; size];
    for (one, other) in pairs {
        counts[one][other] += 1;
    }
    counts
}

/// A table as shares of all items.
struct Shares {
    cells: Vec<Vec<f64>>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    observed: f64,
    expected: f64,
    /// Whether both gave one and the same label to everything: told by counting, since shares are rounded.
    one_label: bool,
}

impl Shares {
    fn of(counts: &[Vec<usize>]) -> Figure<Shares> {
        let items: usize = counts.iter().flatten().sum();
        if items == 0 {
            return Err(Undefined::NoItems);
        }
        let share = |count: usize| count as f64 / items as f64;
        let cells: Vec<Vec<f64>> =
            counts.iter().map(|row| row.iter().map(|count| share(*count)).collect()).collect();
        let rows: Vec<f64> = counts.iter().map(|row| share(row.iter().sum())).collect();
        let columns: Vec<f64> =
            (0..counts.len()).map(|at| share(counts.iter().map(|row| row[at]).sum())).collect();
        let observed = share((0..counts.len()).map(|at| counts[at][at]).sum());
        let expected = rows.iter().zip(&columns).map(|(row, column)| row * column).sum();
        let one_label = (0..counts.len()).any(|at| counts[at][at] == items);
        Ok(Shares { cells, rows, columns, observed, expected, one_label })
    }

    fn kappa(&self) -> Figure {
        if self.one_label {
            return Err(Undefined::OneLabel);
        }
        Ok((self.observed - self.expected) / (1.0 - self.expected))
    }
}

/// The value below which a share of sorted values lies, between two values by straight line.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len().saturating_sub(1)) as f64;
    let (below, part) = (place.floor(), place.fract());
    let at = |index: usize| sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0);
    let low = at(below as usize);
    low + part * (at(below as usize + 1) - low)
}
