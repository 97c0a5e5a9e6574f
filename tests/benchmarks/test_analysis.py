"""How long the analysis of a million answers takes, in CPU seconds: other programs may use the same cores."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

import pytest

from batchwright.analysis.charts import PRINT_WIDTH
from batchwright.analysis.prepared_answers import PreparedAnswers, prepare
from batchwright.analysis.result_charts import field_share_chart, number_chart, share_chart
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import (
    agreement_result,
    comparisons_result,
    participants_result,
    questions_result,
)
from batchwright.analysis.statistics.agreement.agreement_results import agreement_rows, disagreement_rows
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.choices import option_shares, option_shares_by_field
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
    comparisons_of,
    pair_rows,
    position_row,
)
from batchwright.analysis.statistics.numbers import histograms, number_summaries
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from batchwright.analysis.statistics.planning.sample_size import precision_rows
from batchwright.analysis.statistics.text_lengths import text_summaries
from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, FieldColumn
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import label_rows, questions, record, rows_of_systems
from tests.benchmarks.bare_loop import numpy_seconds
from tests.benchmarks.many_answers import answer_lines
from tests.figures import CheckFigure

T = TypeVar("T")
ANSWERS = 1_000_000
MAX_DELAY = 8.0
"""How many times the longest delay by a thread that counts; it keeps the interpreter as long as it may."""
SIDES = SystemFields("left", "right")


def compare_systems(table: AnswerTable) -> object:
    comparisons = comparisons_of(table, 0, SIDES)
    return rows_of_systems("better", comparisons), list(pair_rows("better", comparisons))


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
    "agreement": agreement_rows,
    "labels": lambda table: label_rows(table, LabelModel.DAWID_SKENE),
}
"""More than a chart: agreement by option and field with an interval each, and a row for every record."""


def cpu_seconds(compute: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = compute()
    return time.process_time() - started, result


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return answer_lines(ANSWERS)


@pytest.fixture(scope="module")
def parse(lines: list[str]) -> Callable[[], float]:
    """Measures the CPU seconds in which a bare loop parses the same answers, by parsing a tenth of them.

    It is to be called beside each measurement, since the processor's speed changes with its other work.
    """
    some = lines[::10]
    return lambda: (
        10 * min(cpu_seconds(lambda: [len(json.loads(line)) for line in some])[0] for _run in range(2))
    )


@pytest.fixture(scope="module")
def store(lines: list[str]) -> Iterator[AnswerStore]:
    """A store with a million answers."""
    with closing(AnswerStore(questions())) as store:
        assert store.append_lines(lines) == ANSWERS
        yield store


@pytest.fixture(scope="module")
def table(store: AnswerStore) -> AnswerTable:
    """The table of a million answers."""
    return store.table()


@pytest.mark.long
def test_storing_a_million_answers_takes_a_few_times_as_long_as_parsing_them(
    lines: list[str], parse: Callable[[], float], figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        with closing(AnswerStore(questions())) as store:
            return cpu_seconds(lambda: store.append_lines(lines))[0], parse()

    figure("storing a million answers, to parsing them", measure, 4, runs=2)


@pytest.mark.long
def test_reading_a_million_answers_takes_less_than_parsing_them(
    store: AnswerStore, parse: Callable[[], float], figure: CheckFigure
) -> None:
    figure(
        "table of a million answers, to parsing them",
        lambda: (cpu_seconds(store.table)[0], parse()),
        1,
        runs=3,
    )


class _FirstPage(Exception):
    """The first answers are stored."""


@pytest.mark.long
def test_the_first_of_a_million_answers_are_listed_in_a_fraction_of_the_time_of_a_loop(
    lines: list[str], parse: Callable[[], float], figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        with closing(AnswerStore(questions())) as store:

            def on_page() -> None:
                assert store.query(AnswerQuery()).rows(0, 128)
                raise _FirstPage

            def append() -> None:
                with pytest.raises(_FirstPage):
                    store.append_lines(lines, on_page)

            seconds, _none = cpu_seconds(append)
            assert 128 < len(store) < ANSWERS
            return seconds, parse()

    figure("first of a million answers, to parsing all", measure, 0.2)


@pytest.mark.long
def test_a_page_of_answers_is_visible_at_once_whatever_is_stored_already(
    store: AnswerStore, parse: Callable[[], float], figure: CheckFigure
) -> None:
    people = (f"late {number}" for number in range(100))

    def measure() -> tuple[float, float]:
        person = next(people)
        page = [json.dumps(record(person, f"t{number}", "scale", 1)) for number in range(1000)]
        seconds, added = cpu_seconds(lambda: store.append_lines(page))
        seconds += cpu_seconds(lambda: store.query(AnswerQuery(participants=(person,))).rows(0, 100))[0]
        assert added == len(page)
        return seconds, parse()

    figure("a thousand answers more than a million, to parsing all", measure, 0.25)


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
    store: AnswerStore,
    parse: Callable[[], float],
    figure: CheckFigure,
    query: AnswerQuery,
    request: pytest.FixtureRequest,
) -> None:
    def measure() -> tuple[float, float]:
        seconds, rows = cpu_seconds(lambda: store.query(query))
        seconds += cpu_seconds(lambda: rows.rows(rows.count // 2, 200))[0]
        return seconds, parse()

    figure(f"query {request.node.callspec.id} of a million answers, to parsing them", measure, 0.5)


def longest_delay(work: Callable[[], object]) -> float:
    """The longest time for which another thread cannot run Python code during some work, in seconds.

    The result is deleted afterwards: the program keeps it, or never has all of its rows.
    """
    delays, is_done = [0.0], threading.Event()

    def watch() -> None:
        while not is_done.is_set():
            started = time.perf_counter()
            time.sleep(0.001)
            delays.append(time.perf_counter() - started)

    thread = threading.Thread(target=watch)
    thread.start()
    _result = work()
    is_done.set()
    thread.join()
    return max(delays)


def count_for_two_seconds() -> None:
    """Run Python code, which delays other threads only while it holds the interpreter."""
    end = time.perf_counter() + 2
    while time.perf_counter() < end:
        pass


def delays_of(work: Callable[[], object]) -> tuple[float, float]:
    """The longest delays by some work and by a thread that counts; threads switch as in the window.

    Work that delays others less than counting counts as equal: how much less depends on the other programs.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)
    try:
        counting = longest_delay(count_for_two_seconds)
        return max(longest_delay(work), counting), counting
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.long
def test_other_threads_are_not_delayed_while_answers_are_stored_and_read(
    lines: list[str], figure: CheckFigure
) -> None:
    def work() -> None:
        with closing(AnswerStore(questions())) as store:
            store.append_lines(lines[:100_000])
            store.query(AnswerQuery(search="clear")).rows(0, 200)
            store.table()

    figure("delay by storing and reading answers, to by counting", lambda: delays_of(work), MAX_DELAY)


@pytest.mark.long
@pytest.mark.parametrize("chart", CHARTS)
def test_any_chart_of_a_million_answers_takes_at_most_some_times_as_long_as_sorting(
    table: AnswerTable, chart: str, figure: CheckFigure
) -> None:
    figure(
        f"chart {chart} of a million answers, to sorting numbers",
        lambda: (cpu_seconds(lambda: CHARTS[chart](table))[0], numpy_seconds(ANSWERS)),
        6,
    )


@pytest.mark.long
@pytest.mark.parametrize("section", SECTIONS)
def test_any_section_of_a_million_answers_takes_at_most_some_times_as_long_as_sorting(
    table: AnswerTable, section: str, figure: CheckFigure
) -> None:
    exclusions = Exclusions({"p1": "too fast"}, {"5": "empty"})
    settings = AnalysisSettings(systems=SIDES, exclusions=exclusions)

    def compute() -> object:
        return SECTIONS[section](prepare(table, settings))

    figure(
        f"section {section} of a million answers, to sorting numbers",
        lambda: (cpu_seconds(compute)[0], numpy_seconds(ANSWERS)),
        25,
        runs=3,
    )


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_agreement_and_labels_of_a_million_answers(
    table: AnswerTable, name: str, figure: CheckFigure
) -> None:
    figure(
        f"table {name} of a million answers, to sorting numbers",
        lambda: (cpu_seconds(lambda: TABLES[name](table))[0], numpy_seconds(ANSWERS)),
        45,
        runs=3,
    )


@pytest.mark.long
@pytest.mark.parametrize("name", [*CHARTS, *TABLES])
def test_statistics_do_not_delay_other_threads(table: AnswerTable, name: str, figure: CheckFigure) -> None:
    compute = {**CHARTS, **TABLES}[name]
    figure(
        f"delay by {name} of a million answers, to by counting",
        lambda: delays_of(lambda: compute(table)),
        MAX_DELAY,
        runs=3,
    )
