"""Prints the figures that crates/audit/tests/it/agreement.rs holds, as scikit-learn and statsmodels give them.

Needs `pip install scikit-learn statsmodels`. AC1 and the stratified interval are in neither: they are written out here
with numpy, apart from the code under test.
"""

import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

TABLES = [
    [[127, 8], [1, 14]],
    [[94, 3], [3, 0]],
    [[20, 5], [10, 15]],
    [[45, 15], [25, 15]],
    [[12, 3, 1], [2, 20, 6], [0, 4, 9]],
]

# Population, and the value of every rated item.
STRATA = [
    (40, [1, 1, 0, 1, 1, 0.5, 1, 1]),
    (12, [1, 0, 1, 1, 1]),
    (3, [1, 0, 1]),
]


def labels(table):
    first, second = [], []
    for row, counts in enumerate(table):
        for column, count in enumerate(counts):
            first += [row] * count
            second += [column] * count
    return first, second


def ac1(table):
    table = np.array(table, float)
    items = table.sum()
    mean = (table.sum(0) + table.sum(1)) / (2 * items)
    chance = (mean * (1 - mean)).sum() / (len(table) - 1)
    return (np.trace(table) / items - chance) / (1 - chance)


for table in TABLES:
    result = cohens_kappa(np.array(table))
    both = (result.kappa, cohen_kappa_score(*labels(table)))
    assert abs(both[0] - both[1]) < 1e-12, both
    print(table, f"kappa {both[0]:.15f} se {result.std_kappa:.15f} ac1 {ac1(table):.15f}")

total = sum(population for population, _ in STRATA)
rate = sum(population / total * np.mean(values) for population, values in STRATA)
variance = sum(
    (population / total) ** 2 * (1 - len(values) / population) * np.var(values, ddof=1) / len(values)
    for population, values in STRATA
)
print(f"rate {rate:.15f} standard error {variance ** 0.5:.15f}")
