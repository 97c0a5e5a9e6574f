"""How often intervals of strengths and of differences cover the truth, and how often equal systems differ."""

from math import isfinite

import numpy as np
import pytest

from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    Comparisons,
    SystemResults,
    system_results,
)
from batchwright.analysis.store.sampling import Sampling

MODELS = [StrengthModel(), StrengthModel(is_regularised=True)]
DESIGNS = {
    "three systems, 20 records": ((0.8, 0.1, -0.9), 20),
    "three systems, 150 records": ((0.8, 0.1, -0.9), 150),
    "eight systems, often undefeated": ((1.5, 0.8, 0.3, 0.0, 0.0, -0.3, -0.8, -1.5), 60),
}
SEEDS = 200


def simulated(strengths: tuple[float, ...], records: int, model: StrengthModel, seed: int) -> SystemResults:
    """One answer about each record, which compares two systems at random."""
    random, count, truth = np.random.default_rng(seed), len(strengths), np.array(strengths)
    left = random.integers(0, count, records)
    right = (left + random.integers(1, count, records)) % count
    scores = (random.random(records) < 1 / (1 + np.exp(truth[right] - truth[left]))).astype(float)
    names, nobody = tuple(f"s{number}" for number in range(count)), np.zeros(records, dtype=int)
    comparisons = Comparisons(names, np.arange(records), left, right, scores, nobody, Sampling())
    return system_results("better", comparisons, model)


@pytest.mark.parametrize("model", MODELS, ids=["maximum likelihood", "regularised"])
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_of_strengths_and_differences_cover_the_truth(design: str, model: StrengthModel) -> None:
    """95 % are nominal; without regularisation, only systems in the same part have strengths."""
    strengths, records = DESIGNS[design]
    truth = dict(zip((f"s{number}" for number in range(len(strengths))), strengths, strict=True))
    of_strengths, of_differences = list[bool](), list[bool]()
    for seed in range(SEEDS):
        found = simulated(strengths, records, model, seed)
        is_whole = {row.part for row in found.systems} == {1}
        assert is_whole or not model.is_regularised
        of_strengths += [
            row.strength_low <= truth[row.system] <= row.strength_high for row in found.systems if is_whole
        ]
        of_differences += [
            row.low <= truth[row.system] - truth[row.opponent] <= row.high
            for row in found.differences
            if isfinite(row.low)
        ]
    rates = [float(np.mean(covered)) for covered in (of_strengths, of_differences)]
    print(f"{design}: strengths {rates[0]:.1%}, differences {rates[1]:.1%}")
    assert all(0.93 <= rate <= 1 for rate in rates)


@pytest.mark.parametrize("model", MODELS, ids=["maximum likelihood", "regularised"])
def test_equal_systems_are_rarely_said_to_differ(model: StrengthModel) -> None:
    """At most 5 % of studies have a mark, with 15 pairs; without adjustment, about a third would."""
    studies = [simulated((0.0,) * 6, 200, model, seed).differences for seed in range(SEEDS)]
    marked = np.mean([any(row.differs for row in rows) for rows in studies])
    unadjusted = np.mean([any(row.low > 0 for row in rows) for rows in studies])
    print(f"marked in {marked:.1%} of studies, unadjusted {unadjusted:.1%}")
    assert marked <= 0.05
    assert unadjusted > 0.15
