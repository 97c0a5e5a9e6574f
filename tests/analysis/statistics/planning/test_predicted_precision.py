"""The planner predicts the widths of intervals in Results, and how often they tell values apart."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.assumptions import Assumptions, StudyMeasure
from batchwright.analysis.statistics.planning.plans import PlanRow, plan_row
from batchwright.analysis.statistics.planning.simulated_studies import Simulation
from batchwright.analysis.store.sampling import Clusters
from tests.analysis.statistics.planning.simulated_answers import (
    finds_order,
    mean_half_width,
    simulated_interval,
)

Case = tuple[Assumptions, int, int]
"""Assumptions, records, and answers about each of them."""

SHARE, MEAN, WIN_RATE, AGREEMENT, ORDER = map(Assumptions.of, StudyMeasure)
BOTH = {"clusters": Clusters.BOTH, "correlation": 0.16, "of_participants": 0.25, "tasks_per_participant": 10}


def of(assumptions: Assumptions, records: int, answers: int, **changes: object) -> Case:
    changed = assumptions.with_changes(**changes)
    if changed.clusters is Clusters.RECORDS:
        changed = replace(changed, of_participants=0.0)
    return changed, records, answers


CASES = [
    of(SHARE, 40, 3, expected=0.3),
    of(SHARE, 60, 3, **BOTH),
    of(SHARE, 60, 3, **BOTH | {"clusters": Clusters.PARTICIPANTS}),
    of(MEAN, 12, 5, correlation=0.4, deviation=2.0),
    of(MEAN, 60, 3, **BOTH),
    of(WIN_RATE, 60, 2, ties=0.2),
    of(WIN_RATE, 180, 1, systems=3, reference=0.5),
    of(AGREEMENT, 60, 3, expected=0.64),
    of(AGREEMENT, 50, 2, expected=0.5, metric=Metric.ORDINAL, options=5),
    of(AGREEMENT, 60, 3, expected=0.6, metric=Metric.INTERVAL),
    of(AGREEMENT, 60, 3, expected=0.6, metric=Metric.RATIO, relative_deviation=0.8),
    of(ORDER, 120, 2, systems=3),
]


def named(case: Case) -> str:
    assumptions, records, answers = case
    return f"{assumptions.measure} {records}x{answers} {assumptions.clusters}"


def planned(case: Case, runs: int = 50) -> PlanRow:
    return plan_row(*case, Simulation(runs=runs))


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_predicted_width_is_that_of_the_intervals_of_such_answers(case: Case) -> None:
    assert planned(case).half_width == pytest.approx(mean_half_width(*case, studies=40), rel=0.1)


@pytest.mark.parametrize("deviation", [0.2, 0.8, 2.0])
@pytest.mark.parametrize("metric", [Metric.INTERVAL, Metric.RATIO])
def test_simulated_numbers_have_the_expected_alpha(metric: Metric, deviation: float) -> None:
    assumptions = AGREEMENT.with_changes(expected=0.6, metric=metric, relative_deviation=deviation)
    value, low, high = simulated_interval(assumptions, 1500, 2, seed=4)
    assert high - low < 0.12
    assert value == pytest.approx(0.6, abs=0.05)


def grid() -> Iterator[Case]:
    for records, answers, alike in product((10, 30, 100, 300), (1, 3, 10), (0.0, 0.1, 0.3, 0.8)):
        for share in (0.5, 0.2) if answers > 1 or not alike else ():
            yield of(SHARE, records, answers, expected=share, correlation=alike)
            if share * records >= 4:
                ties, rate = 0.2 * (share > 0.3), 1 - share
                yield of(WIN_RATE, records, answers, expected=rate, correlation=alike, ties=ties)
        if answers > 1 or not alike:
            yield of(MEAN, records, answers, correlation=alike)
    for records, answers, clusters in product((50, 100, 300), (1, 3), (Clusters.PARTICIPANTS, Clusters.BOTH)):
        for assumptions in (SHARE, MEAN):
            yield of(assumptions, records, answers, **BOTH | {"clusters": clusters})
    for records, answers, alpha in product((30, 100, 300), (2, 3, 5), (0.3, 0.6, 0.8)):
        yield of(AGREEMENT, records, answers, expected=alpha)
        yield of(AGREEMENT, records, answers, expected=alpha, options=5, metric=Metric.ORDINAL)
        yield of(AGREEMENT, records, answers, expected=alpha, metric=Metric.INTERVAL)
        for deviation in (0.3, 1.5):
            changes = {"metric": Metric.RATIO, "relative_deviation": deviation}
            yield of(AGREEMENT, records, answers, expected=alpha, **changes)
        if (1 - alpha) * records > 20:  # else few records differ, and intervals are not reliable
            yield of(AGREEMENT, records, answers, expected=alpha, largest_share=0.7)
    for systems, rate, answers in product((3, 6), (0.55, 0.65), (1, 3)):
        yield of(ORDER, 400, answers, systems=systems, expected=rate)
        yield of(ORDER, 400, answers, systems=systems, expected=rate, ties=0.2)


@pytest.mark.long
@pytest.mark.parametrize("case", [*grid()], ids=named)
def test_the_predicted_width_is_right_for_all_sizes(case: Case) -> None:
    actual = mean_half_width(*case, studies=200)
    predicted = planned(case, runs=200).half_width
    print(f"predicted / actual: {predicted / actual:.3f}")
    assert predicted == pytest.approx(actual, rel=0.1)


@pytest.mark.long
@pytest.mark.parametrize(
    "case",
    [
        of(SHARE, 100, 3, expected=0.6, reference=0.5),
        of(MEAN, 50, 3, expected=0.3, reference=0.0),
        of(WIN_RATE, 100, 2, expected=0.62, ties=0.1),
        of(AGREEMENT, 100, 3, expected=0.64, reference=0.5),
    ],
    ids=named,
)
def test_the_predicted_power_is_how_often_intervals_exclude_the_reference(case: Case) -> None:
    reference = case[0].reference
    assert reference is not None
    found = [simulated_interval(*case, seed) for seed in range(400)]
    actual = sum(not low <= reference <= high for _value, low, high in found) / len(found)
    print(f"predicted {planned(case, 400).power:.3f}, actual {actual:.3f}")
    assert planned(case, 400).power == pytest.approx(actual, abs=0.08)


@pytest.mark.long
def test_the_predicted_power_is_how_often_the_order_of_systems_is_found() -> None:
    case = of(ORDER, 500, 3, systems=4, correlation=0.2)
    actual = sum(finds_order(*case, seed) for seed in range(400)) / 400
    print(f"predicted {planned(case, 400).power:.3f}, actual {actual:.3f}")
    assert planned(case, 400).power == pytest.approx(actual, abs=0.08)
