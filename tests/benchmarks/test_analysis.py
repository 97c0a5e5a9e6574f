"""How long the analysis of a million answers takes, in CPU seconds: other programs may use the same cores."""

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from batchwright.analysis.agreement import agreement_rows, disagreement_rows
from batchwright.analysis.answer_table import AnswerTable, create_table
from batchwright.analysis.choices import option_shares
from batchwright.analysis.numbers import histograms, number_summaries
from batchwright.analysis.participants import participant_rows
from batchwright.analysis.texts import text_summaries
from tests.analysis.answers import KINDS, questions, record

T = TypeVar("T")
ANSWERS = 1_000_000


def cpu_seconds(compute: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = compute()
    return time.process_time() - started, result


@pytest.fixture(scope="module")
def table_and_seconds() -> tuple[AnswerTable, float]:
    """Three participants answer five questions of each task."""
    random = np.random.default_rng(1)
    people = random.integers(0, 2000, ANSWERS).tolist()
    numbers = random.integers(0, 3, ANSWERS).tolist()
    values: dict[str, Callable[[int], object]] = {
        "better": lambda n: ("a", "b", "same")[n],
        "faults": lambda n: ("wrong", "short", "nothing")[n],
        "scale": lambda n: n + 1,
        "duration": lambda n: {"value": f"{n}.5", "unit": "h"},
        "reason": lambda n: ("Because it is so.", "It is clear.", "")[n],
    }
    assert set(values) < set(KINDS)
    asked = list(values)
    records = [
        record(f"p{people[row // 5]}", f"t{row // 15}", question, values[question](numbers[row]), id=str(row))
        for row in range(ANSWERS)
        for question in [asked[row % 5]]
    ]
    seconds, table = cpu_seconds(lambda: create_table(records, questions()))
    return table, seconds


@pytest.mark.long
def test_the_table_of_a_million_answers(table_and_seconds: tuple[AnswerTable, float]) -> None:
    table, seconds = table_and_seconds
    assert len(table) == ANSWERS
    assert seconds < 20, seconds


@pytest.mark.long
@pytest.mark.parametrize(
    "compute",
    [
        lambda table: option_shares(table, 0),
        lambda table: option_shares(table, 1),
        lambda table: (number_summaries(table, 3), histograms(table, 3)),
        text_summaries,
        disagreement_rows,
    ],
)
def test_any_chart_of_a_million_answers_takes_at_most_two_seconds(
    table_and_seconds: tuple[AnswerTable, float], compute: Callable[[AnswerTable], object]
) -> None:
    seconds, _result = cpu_seconds(lambda: compute(table_and_seconds[0]))
    assert seconds < 2, seconds


@pytest.mark.long
@pytest.mark.parametrize("compute", [lambda table: agreement_rows(table, 0), participant_rows])
def test_agreement_and_participants_of_a_million_answers(
    table_and_seconds: tuple[AnswerTable, float], compute: Callable[[AnswerTable], object]
) -> None:
    seconds, _result = cpu_seconds(lambda: compute(table_and_seconds[0]))
    assert seconds < 15, seconds
