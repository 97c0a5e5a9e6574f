"""What must not change results: the order of answers, who is who, repeated answers, excluding nobody."""

import math
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.analysis.analyse import analyse
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.result_tables import Cell
from batchwright.analysis.statistics.agreement.agreement_results import ALPHA, agreement_rows
from batchwright.analysis.statistics.agreement.intraclass import Form
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
    comparisons_of,
    pair_rows,
    position_row,
)
from batchwright.analysis.statistics.numbers import number_summaries
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import COMPARISON, FAULTS, SCALE, questions, record, rows_of_systems, table_of

SYSTEMS = SystemFields("left", "right")
SETTINGS = AnalysisSettings(systems=SYSTEMS, gold_field="gold", seed=3, label_model=LabelModel.ONE_COIN)
Results = Mapping[str, Sequence[tuple[Cell, ...]]]
QUESTIONS: tuple[dict[str, Any], ...] = (COMPARISON, FAULTS)
FIELDS = {
    f"t{n}": {"left": "xyz"[n % 3], "right": "yzx"[n % 3], "gold": "A is better", "topic": "ab"[n % 2]}
    for n in range(8)
}


def study(seed: int, people: Sequence[str], tasks: Sequence[str]) -> list[dict[str, Any]]:
    """Answers to every kind of question; who answers which task, and what, depends on the seed only."""
    draws = random.Random(seed)
    records = []
    for person in people:
        for number, task in enumerate(tasks):
            if draws.random() < 0.8:
                values: dict[str, tuple[Any, ...]] = {
                    "better": (draws.choice(["a", "b", "same"]),),
                    "faults": tuple(draws.sample(["wrong", "short", "nothing"], draws.randrange(3))),
                    "scale": (draws.randint(1, 5),),
                    "duration": ({"value": f"{draws.randint(1, 300)}", "unit": "h"},),
                    "reason": (draws.choice(["Yes, it is.", "No.", ""]),),
                }
                time = f"2026-03-05T14:{number:02}:00Z"
                records += [record(person, task, id, *given, created_at=time) for id, given in values.items()]
    return records


PEOPLE, TASKS = [f"p{n}" for n in range(4)], [f"t{n}" for n in range(8)]


def results(records: Sequence[Mapping[str, Any]], settings: AnalysisSettings = SETTINGS) -> Results:
    analysis = analyse(table_of(records, FIELDS), settings)
    return {table.name: sorted(table.rows, key=str) for table in analysis.results}


def table_with(items: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]) -> AnswerTable:
    with closing(AnswerStore(questions(*items, SCALE))) as store:
        store.append(records)
        return store.table()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_answers_changes_nothing(seed: int) -> None:
    records = study(seed, PEOPLE, TASKS)
    mixed = random.Random(seed).sample(records, len(records))
    assert results(mixed) == results(records)


def test_permuting_participants_or_tasks_changes_no_statistic_of_all() -> None:
    """Tasks are exchanged with others of the same systems and topic, so that fields stay the same."""
    names = ("agreement", "choices", "numbers", "histograms", "texts", "systems", "pairs", "positions")
    expected = results(study(1, PEOPLE, TASKS))
    for people, tasks in ((PEOPLE[::-1], TASKS), (PEOPLE, ["t6", "t7", *TASKS[2:6], "t0", "t1"])):
        found = results(study(1, people, tasks))
        assert [found[name] for name in names] == [expected[name] for name in names]


@given(st.permutations(range(3)), st.integers(0, 99))
@settings(max_examples=3, deadline=None)
def test_permuting_options_changes_no_coefficient(order: list[int], seed: int) -> None:
    records = study(seed, PEOPLE, TASKS)
    items = [{**item, "options": [item["options"][n] for n in order]} for item in QUESTIONS]
    found, expected = (
        {
            (row.question, row.option, row.coefficient, row.metric): row.value
            for row in agreement_rows(table_with(asked, records))
        }
        for asked in (items, QUESTIONS)
    )
    assert found == {key: pytest.approx(value, nan_ok=True) for key, value in expected.items()}


def test_reading_answers_twice_changes_nothing() -> None:
    records = study(4, PEOPLE, TASKS)
    assert results([*records, *records[::-1]]) == results(records)


def test_excluding_nobody_changes_nothing_and_excluding_somebody_removes_their_answers() -> None:
    records = study(5, PEOPLE, TASKS)
    exclusions = Exclusions({"stranger": "Unknown"}, {"no answer": "Unknown"})
    expected = results(records)
    found = dict(results(records, replace(SETTINGS, exclusions=exclusions)))
    assert found.pop("exclusions")
    assert found == expected
    without = dict(results(records, replace(SETTINGS, exclusions=Exclusions({"p1": "Fast"}))))
    del without["exclusions"], without["exclusion_effect"]
    assert without == results([one for one in records if one["participant_id"] != "p1"])


@given(st.integers(0, 99), st.integers(2, 4))
@settings(max_examples=3, deadline=None)
def test_perfect_agreement_gives_alpha_one(seed: int, people: int) -> None:
    first = study(seed, ["p0"], TASKS)
    records = [
        {**one, "id": f"{one['id']}-{n}", "participant_id": f"p{n}"} for n in range(people) for one in first
    ]
    values = {row.value for row in agreement_rows(table_of(records)) if row.coefficient == ALPHA}
    assert {round(value, 9) for value in values if value == value} == {1}


def twice(records: Sequence[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """The records, and a copy of each with another participant or task."""
    return [*records, *({**one, "id": f"{one['id']}-2", key: f"{one[key]}-2"} for one in records)]


@given(st.integers(0, 99))
@settings(max_examples=3, deadline=None)
def test_a_copy_of_every_task_changes_no_share_and_no_coefficient_and_narrows_intervals(seed: int) -> None:
    """Only alpha and intraclass correlations, which correct for the number of answers, are different.

    Two-way correlations need two records that all have answered, which copies may be.
    """
    records = study(seed, PEOPLE, TASKS)
    once, doubled = table_of(records), table_of(twice(records, "task_id"))
    single, double = (
        [row for row in agreement_rows(table) if row.coefficient not in [*Form]] for table in (once, doubled)
    )
    for first, second in zip(single, double, strict=True):
        assert (second.records, second.differing) == (2 * first.records, 2 * first.differing)
        if first.coefficient != ALPHA:
            assert second.value == pytest.approx(first.value, nan_ok=True)
    for question in (0, 1):
        pairs = zip(option_shares(once, question), option_shares(doubled, question), strict=True)
        for share, other in pairs:
            assert other.share == pytest.approx(share.share)
            assert other.high - other.low < share.high - share.low


@given(st.integers(0, 99))
@settings(max_examples=3, deadline=None)
def test_participants_who_repeat_the_answers_of_others_narrow_no_interval_about_records(seed: int) -> None:
    records = study(seed, PEOPLE[:1], TASKS)
    once, repeated = table_of(records, FIELDS), table_of(twice(records, "participant_id"), FIELDS)
    shares = [option_shares(table, 0) for table in (once, repeated)]
    systems = [rows_of_systems("", comparisons_of(table, 0, SYSTEMS)) for table in (once, repeated)]
    ends = [(one.low, one.high, other.low, other.high) for one, other in zip(*shares, strict=True)]
    for one in systems[0]:
        (other,) = [row for row in systems[1] if row.system == one.system]
        ends.append((one.win_low, one.win_high, other.win_low, other.win_high))
        assert other.strength == pytest.approx(one.strength, nan_ok=True)
        assert other.strength_low == pytest.approx(one.strength_low, nan_ok=True)
    for low, high, other_low, other_high in ends:
        assert other_high - other_low >= (high - low) * (1 - 1e-9) or math.isnan(low)
    (mean, *_), (other_mean, *_) = (number_summaries(table, 2) for table in (once, repeated))
    assert other_mean.mean == mean.mean
    assert other_mean.mean_high - other_mean.mean_low >= 0.95 * (mean.mean_high - mean.mean_low)


def without_strengths(table: AnswerTable) -> list[list[object]]:
    """The results of systems and pairs; strengths are fitted and drawn in another order."""
    comparisons = comparisons_of(table, 0, SYSTEMS)
    systems = [astuple(row)[:-3] for row in rows_of_systems("", comparisons)]
    rows = [*systems, *map(astuple, pair_rows("", comparisons))]
    return sorted(
        ([round(cell, 9) if isinstance(cell, float) else cell for cell in row] for row in rows), key=str
    )


@given(st.integers(0, 99))
@settings(max_examples=3, deadline=None)
def test_exchanging_the_sides_changes_no_result_of_systems_and_mirrors_the_bias_of_position(
    seed: int,
) -> None:
    records = [one for one in study(seed, PEOPLE, TASKS) if one["response"]["instruction_id"] == "better"]
    sides = {"a": "b", "b": "a", "same": "same"}
    exchanged = [
        record(one["participant_id"], one["task_id"], "better", sides[one["response"]["answer"][0]["value"]])
        for one in records
    ]
    fields = {task: {**of, "left": of["right"], "right": of["left"]} for task, of in FIELDS.items()}
    table, other = table_of(records, FIELDS), table_of(exchanged, fields)
    assert without_strengths(table) == without_strengths(other)
    left, right = position_row(table, 0), position_row(other, 0)
    assert (left.left_share, left.low, left.high) == pytest.approx(
        (1 - right.left_share, 1 - right.high, 1 - right.low)
    )


THREADS = """
import os
from batchwright.analysis.statistics.agreement.coefficients import np
np.ones((2000, 2000)) @ np.ones((2000, 2000))
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts the threads of a process on Linux")
def test_matrices_are_multiplied_in_one_thread_so_that_digits_do_not_depend_on_the_number_of_cores() -> None:
    run = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "1"
