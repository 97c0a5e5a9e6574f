"""Plans: how many records and answers a precision needs, and what a budget gives."""

from dataclasses import replace

import pytest

from batchwright.analysis.statistics.planning import plans
from batchwright.analysis.statistics.planning.assumptions import (
    Assumptions,
    StudyMeasure,
    Target,
    UnusableAssumption,
)
from batchwright.analysis.statistics.planning.plans import (
    Aim,
    PlanRequest,
    PlanRow,
    afforded,
    needed,
    planned_rows,
)
from batchwright.analysis.statistics.planning.simulated_studies import Simulation
from batchwright.analysis.store.sampling import Clusters
from batchwright.layout.working_time import WorkingTime

SHARE, MEAN, WIN_RATE, AGREEMENT, ORDER = map(Assumptions.of, StudyMeasure)


def smallest(assumptions: Assumptions, target: Target, answers: int = 1, runs: int = 20) -> PlanRow:
    (row,) = needed(assumptions, target, [answers], Simulation(runs=runs))
    return row


def test_a_share_needs_as_many_independent_answers_as_in_textbooks() -> None:
    """Wilson's interval of half is z / sqrt(n + z²) wide: 380.3 for 10 points."""
    assert smallest(SHARE, Target(0.05)).records == 381


def test_a_difference_needs_as_many_answers_as_in_textbooks() -> None:
    """G*Power: 34 for a t test of one mean with an effect of 0.5, and 194 for a share of 0.6 against half."""
    mean = replace(MEAN, expected=0.5, reference=0.0)
    assert smallest(mean, Target(power=0.8)).records == pytest.approx(34, abs=1)
    share = replace(SHARE, expected=0.6, reference=0.5)
    assert smallest(share, Target(power=0.8)).records == pytest.approx(194, abs=3)


@pytest.mark.parametrize("assumptions", [SHARE, MEAN, WIN_RATE], ids=str)
@pytest.mark.parametrize("answers", [1, 4])
def test_the_budget_of_a_plan_gives_its_precision_and_a_smaller_one_does_not(
    assumptions: Assumptions, answers: int
) -> None:
    target = assumptions.usual_target
    planned = smallest(assumptions, target, answers)
    (same,) = afforded(assumptions, planned.answers, [answers])
    (less,) = afforded(assumptions, planned.answers - answers, [answers])
    assert same == planned
    assert same.half_width <= target.half_width < less.half_width


def test_more_answers_about_each_record_need_fewer_records_and_more_answers() -> None:
    rows = list(needed(SHARE, Target(0.05), [1, 2, 3, 5, 10]))
    assert sorted(rows, key=lambda row: -row.records) == rows
    assert sorted(rows, key=lambda row: row.answers) == rows
    alike = replace(SHARE, correlation=1.0)
    assert smallest(alike, Target(0.05), 10).records == pytest.approx(381, rel=0.01)


def test_systems_share_the_records_of_their_pairs() -> None:
    two, three = (smallest(replace(WIN_RATE, systems=count), Target(0.05)) for count in (2, 3))
    assert three.records == pytest.approx(3 * two.records, abs=2)


def test_further_participants_need_more_records_than_the_same_ones() -> None:
    from_same = smallest(SHARE, Target(0.05), 2)
    both = Assumptions.of(StudyMeasure.SHARE).with_changes(clusters=Clusters.BOTH)
    assert smallest(both, Target(0.05), 2).records > from_same.records


def test_each_task_group_has_as_many_participants_as_a_record_has_answers() -> None:
    (row,) = afforded(replace(SHARE, tasks_per_participant=20), 300, [3])
    assert (row.records, row.answers, row.participants) == (100, 300, 15)
    assert row.seconds(WorkingTime(once_s=60, task_s=30)) == 15 * 60 + 300 * 30


def test_a_precision_beyond_all_plans_has_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not smallest(SHARE, Target(1e-6)).is_possible
    monkeypatch.setattr(plans, "MOST_SIMULATED", 1000)
    assert not smallest(AGREEMENT, Target(1e-3), 2).is_possible
    (row,) = afforded(SHARE, 3, [10])
    assert not row.is_possible


def test_a_plan_of_agreement_is_the_smallest_that_meets_its_target() -> None:
    row = smallest(AGREEMENT, Target(0.15), 3)
    (less,) = afforded(AGREEMENT, round(row.answers * 0.9), [3], Simulation(runs=20))
    assert row.half_width <= 0.15 < less.half_width


def test_a_larger_distance_of_systems_needs_fewer_records() -> None:
    target = Target(power=0.8)
    near, far = (smallest(replace(ORDER, systems=3, expected=rate), target, 2) for rate in (0.7, 0.85))
    assert near.power >= 0.8 <= far.power
    assert near.records > 2 * far.records


def test_prompts_have_all_pairs_of_their_systems_or_a_part() -> None:
    """Four systems have six pairs."""
    assert ORDER.prompts(600) == 100
    assert ORDER.with_changes(part_of_pairs=0.5).prompts(600) == 200
    assert SHARE.prompts(600) == 600


def test_the_closest_systems_decide_how_often_the_order_is_found() -> None:
    even = ORDER.with_changes(systems=3, expected=0.7)
    assert even.strengths == pytest.approx((0, -0.8473, -1.6946), abs=1e-4)
    close = replace(even, gaps=(1.5946, 0.1))
    (found,), (seldom,) = (list(afforded(of, 600, [2], Simulation(runs=40))) for of in (even, close))
    assert found.power > 0.9 > 0.3 > seldom.power
    assert close.with_changes(expected=0.8).gaps == ()


def test_the_same_seed_gives_the_same_plan_and_another_one_another() -> None:
    rows = [next(afforded(ORDER, 300, [2], Simulation(seed, 20))) for seed in (1, 1, 2)]
    assert rows[0] == rows[1] != rows[2]


def test_a_request_is_planned_with_its_seed_and_reports_each_per_cent_once() -> None:
    request = replace(PlanRequest.of(StudyMeasure.AGREEMENT), aim=Aim.BUDGET, budget=30)
    fractions = list[float]()
    first, again, other = (
        planned_rows(replace(request, seed=seed), fractions.append)[0].half_width for seed in (3, 3, 4)
    )
    assert first == again != other
    assert len(fractions) <= 3 * 100


def test_a_simulation_reports_its_progress_and_can_be_cancelled() -> None:
    class Cancelled(Exception):
        pass

    fractions: list[float] = []

    def step(fraction: float) -> None:
        fractions.append(fraction)
        if fraction > 1 / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(needed(AGREEMENT, Target(0.1), [2, 3], Simulation(0, 20, step)))
    assert sorted(fractions) == fractions
    assert 0 <= fractions[0] < 0.1


@pytest.mark.parametrize(
    "assumptions",
    [
        replace(SHARE, expected=1.0),
        replace(SHARE, reference=5.0),
        replace(WIN_RATE, reference=0.0),
        replace(MEAN, deviation=0.0),
        replace(WIN_RATE, expected=0.9, ties=0.3),
        replace(AGREEMENT, options=4, largest_share=0.2),
        replace(ORDER, expected=0.5),
        replace(ORDER, ties=1.0),
        SHARE.with_changes(clusters=Clusters.BOTH, correlation=0.8, of_participants=0.4),
    ],
    ids=lambda assumptions: str(assumptions.measure),
)
def test_values_that_exclude_each_other_are_rejected_with_the_reason(assumptions: Assumptions) -> None:
    with pytest.raises(UnusableAssumption, match=r"\w+\.$"):
        next(needed(assumptions, Target(0.05), [2]))


def test_a_difference_of_nothing_is_rejected_and_does_not_matter_for_a_width() -> None:
    equal = replace(WIN_RATE, expected=0.5)
    with pytest.raises(UnusableAssumption, match="must differ"):
        smallest(equal, Target(power=0.8))
    assert smallest(equal, Target(0.05)).records == 381
