"""How long the analysis of a million answers takes, in CPU seconds: other programs may use the same cores."""

import gc
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

import pytest

from batchwright.analysis.analyse import AnalysisSettings, PreparedAnswers, prepare
from batchwright.analysis.charts import PRINT_WIDTH
from batchwright.analysis.result_charts import field_share_chart, number_chart, share_chart
from batchwright.analysis.sections import (
    agreement_result,
    comparisons_result,
    participants_result,
    questions_result,
)
from batchwright.analysis.statistics.agreement import agreement_rows, disagreement_rows
from batchwright.analysis.statistics.choices import option_shares, option_shares_by_field
from batchwright.analysis.statistics.comparisons import (
    SystemFields,
    comparisons_of,
    pair_rows,
    position_row,
    system_rows,
)
from batchwright.analysis.statistics.labels import label_rows
from batchwright.analysis.statistics.numbers import histograms, number_summaries
from batchwright.analysis.statistics.participants import participant_rows
from batchwright.analysis.statistics.sample_size import precision_rows
from batchwright.analysis.statistics.text_lengths import text_summaries
from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, FieldColumn
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import questions, record
from tests.benchmarks.many_answers import answer_lines

T = TypeVar("T")
ANSWERS = 1_000_000
MAX_STALL_S = 0.05
SIDES = SystemFields("left", "right")


def compare_systems(table: AnswerTable) -> object:
    comparisons = comparisons_of(table, 0, SIDES)
    return system_rows("better", comparisons, 0), list(pair_rows("better", comparisons))


CHARTS: dict[str, Callable[[AnswerTable], object]] = {
    "shares": lambda table: share_chart("", option_shares(table, 0))(PRINT_WIDTH),
    "shares of sets": lambda table: share_chart("", option_shares(table, 1))(PRINT_WIDTH),
    "shares by field": lambda table: field_share_chart("", option_shares_by_field(table, 0, "source"))(
        PRINT_WIDTH
    ),
    "numbers": lambda table: number_chart("", histograms(table, 3), number_summaries(table, 3)[0])(
        PRINT_WIDTH
    ),
    "texts": text_summaries,
    "disagreement": disagreement_rows,
    "systems": compare_systems,
    "position": lambda table: position_row(table, 0),
    "precision": precision_rows,
    "participants": participant_rows,
}
SECTIONS: dict[str, Callable[[PreparedAnswers], object]] = {
    "questions": lambda answers: questions_result(answers, lambda _fraction: None, "source"),
    "agreement": lambda answers: agreement_result(answers, lambda _fraction: None),
    "comparisons": lambda answers: comparisons_result(answers, lambda _fraction: None),
    "participants": lambda answers: participants_result(answers, lambda _fraction: None),
}
TABLES: dict[str, Callable[[AnswerTable], object]] = {
    "agreement": lambda table: agreement_rows(table, 0),
    "labels": lambda table: label_rows(table, has_model=True),
}
"""More than a chart: agreement by option and field with 1000 samples each, and a row for every record."""


def cpu_seconds(compute: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = compute()
    return time.process_time() - started, result


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return answer_lines(ANSWERS)


@pytest.fixture(scope="module")
def loop_seconds(lines: list[str]) -> float:
    """What a bare loop takes that parses the same answers."""
    return cpu_seconds(lambda: [len(json.loads(line)) for line in lines])[0]


@pytest.fixture(scope="module")
def store_and_seconds(lines: list[str]) -> Iterator[tuple[AnswerStore, float]]:
    with closing(AnswerStore(questions())) as store:
        seconds, added = cpu_seconds(lambda: store.append_lines(lines))
        assert added == ANSWERS
        yield store, seconds


@pytest.fixture(scope="module")
def table_and_seconds(store_and_seconds: tuple[AnswerStore, float]) -> tuple[AnswerTable, float]:
    seconds, table = cpu_seconds(store_and_seconds[0].table)
    return table, seconds


@pytest.mark.long
def test_storing_a_million_answers_takes_a_few_times_as_long_as_parsing_them(
    store_and_seconds: tuple[AnswerStore, float],
    table_and_seconds: tuple[AnswerTable, float],
    loop_seconds: float,
    record_property: Callable[[str, object], None],
) -> None:
    (_store, storing), (table, reading) = store_and_seconds, table_and_seconds
    record_property("parsing, s", round(loop_seconds, 2))
    record_property("storing, s", round(storing, 2))
    record_property("creating the table, s", round(reading, 2))
    assert len(table) >= ANSWERS
    assert storing < 4 * loop_seconds, storing
    assert reading < loop_seconds, reading


class _FirstPage(Exception):
    """The first answers are stored."""


@pytest.mark.long
def test_the_first_of_a_million_answers_are_listed_in_a_fraction_of_the_time_of_a_loop(
    lines: list[str], loop_seconds: float, record_property: Callable[[str, object], None]
) -> None:
    with closing(AnswerStore(questions())) as store:

        def on_page() -> None:
            assert store.query(AnswerQuery()).rows(0, 128)
            raise _FirstPage

        def append() -> None:
            with pytest.raises(_FirstPage):
                store.append_lines(lines, on_page)

        seconds, _none = cpu_seconds(append)
        assert 128 < len(store) < ANSWERS
    record_property("first answers, share of a bare loop", round(seconds / loop_seconds, 3))
    assert seconds < loop_seconds / 5, seconds


@pytest.mark.long
def test_a_page_of_answers_is_visible_at_once_whatever_is_stored_already(
    store_and_seconds: tuple[AnswerStore, float], loop_seconds: float
) -> None:
    store = store_and_seconds[0]
    page = [json.dumps(record("late", f"t{number}", "scale", 1)) for number in range(1000)]
    seconds, added = cpu_seconds(lambda: store.append_lines(page))
    seconds += cpu_seconds(lambda: store.query(AnswerQuery(participants=("late",))).rows(0, 100))[0]
    assert added == len(page)
    assert seconds < loop_seconds / 4, seconds


@pytest.mark.long
@pytest.mark.parametrize(
    "query",
    [
        AnswerQuery(),
        *(AnswerQuery(sort=column, is_descending=False) for column in AnswerColumn),
        AnswerQuery(sort=FieldColumn("source")),
        AnswerQuery(search="CLEAR"),
        AnswerQuery(search="nowhere"),
        AnswerQuery(questions=("scale",), options=(("scale", 1),), fields=(("source", "s5"),)),
    ],
    ids=lambda query: f"{query.sort} {query.search}{len(query.options)}",
)
def test_a_million_answers_are_filtered_and_sorted_in_a_fraction_of_the_time_of_a_loop(
    store_and_seconds: tuple[AnswerStore, float], loop_seconds: float, query: AnswerQuery
) -> None:
    store = store_and_seconds[0]
    seconds, rows = cpu_seconds(lambda: store.query(query))
    seconds += cpu_seconds(lambda: rows.rows(rows.count // 2, 200))[0]
    assert seconds < loop_seconds / 2, seconds


def longest_delay(work: Callable[[], object]) -> float:
    """The longest time for which another thread cannot run Python code during some work, in seconds."""
    delays, is_done = [0.0], threading.Event()

    def watch() -> None:
        while not is_done.is_set():
            started = time.perf_counter()
            time.sleep(0.001)
            delays.append(time.perf_counter() - started)

    thread = threading.Thread(target=watch)
    thread.start()
    work()
    is_done.set()
    thread.join()
    return max(delays)


@pytest.mark.long
def test_other_threads_are_not_delayed_while_answers_are_stored_and_read(lines: list[str]) -> None:
    def work() -> None:
        with closing(AnswerStore(questions())) as store:
            store.append_lines(lines[:100_000])
            store.query(AnswerQuery(search="clear")).rows(0, 200)
            store.table()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)  # as in the window
    try:
        delay = min(longest_delay(work) for _run in range(3))  # one of every run is the program's
    finally:
        sys.setswitchinterval(interval)
    assert delay < MAX_STALL_S + longest_delay(lambda: time.sleep(2)), delay


@pytest.mark.long
@pytest.mark.parametrize("chart", CHARTS)
def test_any_chart_of_a_million_answers_takes_at_most_two_seconds(
    table_and_seconds: tuple[AnswerTable, float],
    chart: str,
    loop_seconds: float,
    record_property: Callable[[str, object], None],
) -> None:
    """A bare loop that parses the answers takes several seconds."""
    seconds, _result = cpu_seconds(lambda: CHARTS[chart](table_and_seconds[0]))
    record_property(f"{chart}, share of a bare loop", round(seconds / loop_seconds, 3))
    assert seconds < 2, seconds
    assert seconds < loop_seconds / 2, seconds


@pytest.mark.long
@pytest.mark.parametrize("section", SECTIONS)
def test_any_section_of_a_million_answers_takes_at_most_two_seconds(
    table_and_seconds: tuple[AnswerTable, float],
    section: str,
    loop_seconds: float,
    record_property: Callable[[str, object], None],
) -> None:
    exclusions = Exclusions({"p1": "too fast"}, {"5": "empty"})
    settings = AnalysisSettings(systems=SIDES, exclusions=exclusions)

    def compute() -> object:
        return SECTIONS[section](prepare(table_and_seconds[0], settings))

    seconds, _result = cpu_seconds(compute)
    record_property(f"{section}, share of a bare loop", round(seconds / loop_seconds, 3))
    assert seconds < 2, seconds
    assert seconds < loop_seconds, seconds


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_agreement_and_labels_of_a_million_answers(
    table_and_seconds: tuple[AnswerTable, float],
    name: str,
    loop_seconds: float,
    record_property: Callable[[str, object], None],
) -> None:
    seconds, _result = cpu_seconds(lambda: TABLES[name](table_and_seconds[0]))
    record_property(f"{name}, share of a bare loop", round(seconds / loop_seconds, 3))
    assert seconds < 3 * loop_seconds, seconds


@pytest.mark.long
@pytest.mark.parametrize("name", [*CHARTS, *TABLES])
def test_statistics_do_not_delay_other_threads(
    table_and_seconds: tuple[AnswerTable, float], name: str, record_property: Callable[[str, object], None]
) -> None:
    """In the window, the garbage collector does not run in other threads."""
    compute, interval = {**CHARTS, **TABLES}[name], sys.getswitchinterval()
    sys.setswitchinterval(0.0005)  # as in the window
    gc.disable()
    try:
        delay = min(longest_delay(lambda: compute(table_and_seconds[0])) for _run in range(3))
    finally:
        gc.enable()
        sys.setswitchinterval(interval)
    record_property(f"{name}, longest delay, ms", round(1000 * delay))
    assert delay < MAX_STALL_S + longest_delay(lambda: time.sleep(2)), delay
