"""What a pilot tells about the answers of a study."""

import math
from dataclasses import replace

import numpy as np
import pytest

from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.agreement_results import ALPHA, total_agreement_rows
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.planning.assumptions import Assumptions, StudyMeasure
from batchwright.analysis.statistics.planning.pilot import Pilot, PilotAnswers, UnusablePilot, pilot_of
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.store.answer_table import AnswerTable
from tests.analysis.answers import record, table_of
from tests.analysis.statistics.coverage_cases import SIDES
from tests.analysis.statistics.simulation import Behaviour, simulate, simulate_ratings, simulate_scale

SHARE, MEAN, WIN_RATE, AGREEMENT, ORDER = map(Assumptions.of, StudyMeasure)


def of(
    table: AnswerTable, start: Assumptions, systems: SystemFields | None = None, question: str = ""
) -> Pilot:
    return pilot_of(PilotAnswers(table, systems), start, question)


@pytest.fixture(scope="module")
def ratings() -> AnswerTable:
    """Three participants choose one of three options about 200 records, and know the truth in 80 %."""
    return simulate_ratings(200, 3, 0.8, 1)


def test_the_share_closest_to_half_is_planned_with_its_correlation(ratings: AnswerTable) -> None:
    pilot = of(ratings, SHARE)
    assert pilot.assumptions.expected == pytest.approx(1 / 3, abs=0.08)
    assert pilot.assumptions.correlation == pytest.approx(0.64, abs=0.1)
    assert pilot.assumptions.of_participants < 0.05
    assert pilot.answers == 600
    assert pilot.about.startswith("“Which answer is better?”: ")


def test_agreement_is_planned_from_alpha_and_the_options(ratings: AnswerTable) -> None:
    found = of(ratings, AGREEMENT).assumptions
    assert found.expected == pytest.approx(0.64, abs=0.08)
    assert (found.options, found.metric) == (3, Metric.NOMINAL)
    assert found.largest_share == pytest.approx(1 / 3, abs=0.08)
    scale = of(simulate_scale(60, 2, 0.8, 1), AGREEMENT).assumptions
    assert (scale.options, scale.metric) == (5, Metric.ORDINAL)


def test_agreement_on_numbers_is_planned_by_their_differences_or_their_ratios() -> None:
    random = np.random.default_rng(4)
    values = np.exp(0.6 * random.normal(size=(150, 1)) + 0.4 * random.normal(size=(150, 3))).round(1)
    table = table_of(
        record(f"p{p}", f"t{t}", "duration", {"value": f"{value}", "unit": "h"})
        for (t, p), value in np.ndenumerate(values)
    )
    rows = {row.metric: row.value for row in total_agreement_rows(table, 3) if row.coefficient == ALPHA}
    for metric in (Metric.INTERVAL, Metric.RATIO):
        pilot = of(table, replace(AGREEMENT, metric=metric))
        assert pilot.assumptions.metric is metric
        assert pilot.assumptions.expected == pytest.approx(rows[metric])
        assert pilot.about == "“How long did it take?”: h"
    assert pilot.assumptions.relative_deviation == pytest.approx(values.std() / values.mean())


def test_a_mean_is_planned_from_its_deviation() -> None:
    random = np.random.default_rng(2)
    values = 3 * random.normal(size=(200, 1)) + 4 * random.normal(size=(200, 3))
    table = table_of(
        record(f"p{p}", f"t{t}", "duration", {"value": f"{value:.6f}", "unit": "min"})
        for (t, p), value in np.ndenumerate(values)
    )
    pilot = of(table, MEAN)
    assert pilot.assumptions.deviation == pytest.approx(5, rel=0.15)
    assert pilot.assumptions.correlation == pytest.approx(9 / 25, abs=0.15)
    assert pilot.about == "“How long did it take?”: min"


@pytest.fixture(scope="module")
def comparisons() -> AnswerTable:
    """Each of three systems wins 1 / (1 + 1 / e) of its comparisons with the next one; a task takes 20 s."""
    return simulate((1, 0, -1), 400, 2, Behaviour(seconds=20), 3)


def test_systems_are_planned_from_their_strengths(comparisons: AnswerTable) -> None:
    expected = 1 / (1 + math.exp(-1))
    order = of(comparisons, ORDER, SIDES)
    assert order.assumptions.expected == pytest.approx(expected, abs=0.05)
    assert order.assumptions.systems == 3
    assert order.assumptions.gaps == pytest.approx((1, 1), abs=0.3)
    assert order.about == "“Which answer is better?”: s0, s1, s2"
    assert order.seconds == 20
    pair = of(comparisons, WIN_RATE, SIDES)
    assert pair.assumptions.expected == pytest.approx(expected, abs=0.08)
    assert pair.about.endswith("s0, s1")
    assert pair.assumptions.checked() == pair.assumptions


def test_a_pilot_whose_options_all_mean_missing_has_no_share() -> None:
    """Its answers name none of the options."""
    table = table_of(record("p", f"t{task}", "better", "another") for task in range(2))
    roles = {"better": QuestionRole(missing=("a", "b", "same"))}
    included = prepare(table, AnalysisSettings(roles=roles)).included
    with pytest.raises(UnusablePilot, match="no question"):
        of(included, SHARE)


def test_a_pilot_without_what_is_planned_is_rejected_with_the_reason(comparisons: AnswerTable) -> None:
    with pytest.raises(UnusablePilot, match="no question"):
        of(comparisons, MEAN)
    with pytest.raises(UnusablePilot, match="no question"):
        of(comparisons, SHARE, question="missing")
    with pytest.raises(UnusablePilot, match="which fields"):
        of(comparisons, ORDER)
    with pytest.raises(UnusablePilot, match="several answers"):
        of(simulate_ratings(20, 1, 0.8, 1), AGREEMENT)


def test_a_pilot_in_which_all_agree_can_be_planned_from() -> None:
    fields = {f"t{n}": {"left": "xy"[n % 2], "right": "yx"[n % 2]} for n in range(10)}
    table = table_of(
        (record(f"p{p}", f"t{n}", "better", "ab"[n % 2]) for n in range(10) for p in (1, 2)), fields
    )
    for measure in (WIN_RATE, ORDER, AGREEMENT, SHARE):
        found = of(table, measure, SystemFields("left", "right")).assumptions
        assert replace(found, reference=None).checked().expected <= 0.98
