"""A study that was prepared with a part of the pairs finds the truth again."""

import numpy as np

from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.prepare.columns import SYSTEM_LEFT, SYSTEM_RIGHT
from batchwright.prepare.steps.pairs import ComparePairs, PairChoice
from batchwright.prepare.steps.sides import DrawSides
from tests.analysis.statistics.coverage_cases import compared
from tests.prepare.tables import outputs, table_of

STRENGTHS = (1.0, 0.6, 0.2, -0.2, -0.6, -1.0)
PROMPTS, SHARE, BIAS, SEEDS = 60, 0.4, 0.5, 200


def test_strengths_and_position_bias_are_within_their_intervals_in_95_percent_of_studies() -> None:
    """Six systems and 40 % of the pairs, each judged once; the left side is favoured."""
    table = table_of(outputs(PROMPTS, "ABCDEF"))
    budget = int(SHARE * PROMPTS * 15)
    covered, biases, lost = list[bool](), list[bool](), list[bool]()
    for seed in range(SEEDS):
        pairs = ComparePairs("prompt", "system", ("output",), PairChoice.BUDGET, budget, seed=seed)
        sides = DrawSides(seed=seed)(pairs(table).table).table
        systems = [sides.texts(name, np.arange(sides.length)) for name in (SYSTEM_LEFT, SYSTEM_RIGHT)]
        left, right = np.array([["ABCDEF".index(name) for name in names] for names in systems])
        found = compared(seed, STRENGTHS, left, right, StrengthModel(has_order=True), order=BIAS)
        for row in found.systems:
            covered.append(row.strength_low <= STRENGTHS[int(row.system[1:])] <= row.strength_high)
        (order,) = found.orders
        biases.append(order.low <= BIAS <= order.high)
        lost.append(order.low <= 0 <= order.high)
    assert 0.93 <= np.mean(covered) <= 0.975
    assert 0.91 <= np.mean(biases) <= 0.985
    assert np.mean(lost) < 0.05
