"""How often jackknife intervals of agreement cover the truth, over a grid of designs."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

from batchwright.analysis.statistics.agreement.agreement_results import FEW_DIFFERING
from batchwright.analysis.statistics.agreement.coefficients import (
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.jackknife import Coefficient, Samples, estimate

DOMAIN = (1.0, 2.0, 3.0)
EVEN, PREVAILING = (1 / 3, 1 / 3, 1 / 3), (0.85, 0.1, 0.05)
DESIGNS = [(5, 10), (10, 3), (12, 3), (30, 20), (30, 3), (50, 3), (100, 3), (100, 5), (200, 2), (200, 3)]
"""Numbers of records and of answers about each."""
KINDS = [(0.5, EVEN), (0.8, EVEN), (0.8, PREVAILING), (0.97, EVEN)]
"""How often a participant knows the true value, and how frequent the values are."""
COEFFICIENTS: dict[str, Callable[[np.ndarray], Coefficient]] = {
    "alpha": lambda rows: krippendorff_alpha(rows, Metric.NOMINAL, DOMAIN),
    "ordinal alpha": lambda rows: krippendorff_alpha(rows, Metric.ORDINAL, DOMAIN),
    "percent agreement": percent_agreement,
    "Fleiss' kappa": fleiss_kappa,
    "AC1": gwet_ac1,
}
SEEDS = 200


def drawn(
    records: int, raters: int, reliability: float, shares: Sequence[float], seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The patterns of ratings and their weights; who does not know the true value answers at random."""
    random = np.random.default_rng(seed)
    truth = random.choice(len(shares), size=records, p=shares)
    is_known = random.random((records, raters)) < reliability
    other = random.choice(len(shares), size=(records, raters), p=shares)
    answers = np.where(is_known, truth[:, None], other)
    counts = np.stack([(answers == value).sum(axis=1) for value in range(len(shares))], axis=1)
    rows, weights = np.unique(counts, axis=0, return_counts=True)
    return rows, weights


@pytest.mark.long
@pytest.mark.parametrize(("design", "kind"), list(product(DESIGNS, KINDS)))
def test_intervals_of_agreement_cover_the_truth(
    design: tuple[int, int], kind: tuple[float, Sequence[float]]
) -> None:
    """Of designs in which ten records and more differ; of others, the share is printed only."""
    many, many_weights = drawn(200_000, design[1], *kind, 0)
    differing, shares = 0, dict[str, float]()
    samples = [drawn(*design, *kind, seed) for seed in range(SEEDS)]
    for rows, weights in samples:
        differing += int(weights[(rows > 0).sum(axis=1) > 1].sum())
    for name, coefficient in COEFFICIENTS.items():
        truth = float(coefficient(many)(Samples(many_weights))[0])
        found = [estimate(coefficient(rows), weights, design[0]).interval for rows, weights in samples]
        defined = [interval for interval in found if interval.low <= interval.high]
        shares[name] = sum(low <= truth <= high for low, high in defined) / max(1, len(defined))
    expected = differing / SEEDS
    texts = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    print(f"{design[0]} x {design[1]}, {kind[0]}, {max(kind[1]):.0%}: {expected:.1f} differ; {texts}")
    if expected >= FEW_DIFFERING:
        assert min(shares.values()) >= 0.86
