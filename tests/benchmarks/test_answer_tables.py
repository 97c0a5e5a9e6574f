"""What tables of answers cost to read, to analyse and to write as Excel, in CPU seconds and in memory."""

import csv
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from xlsxwriter import Workbook

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.excel import write_excel
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.data_files.process_job import Completed, ProcessJob
from tests.figures import CheckFigure

ANSWERS = 1_000_000
MAX_MEMORY = 650e6
"""Bytes that a million answers may need, from the file to all results."""
HEADER = ("participant", "task", "question", "kind", "option", "value")
SIDES = ("participant", "task", "question", "value", "answered_at", "field_left", "field_right")


def write_table(path: Path, header: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def answers(count: int) -> Iterator[tuple[Any, ...]]:
    """Three participants answer five questions about each record."""
    chance = random.Random(1)
    for number in range(count):
        value = chance.choice("abc")
        ids = f"p{chance.randrange(2000)}", f"t{number // 15}", f"q{number % 5}"
        yield *ids, "choice", value.upper(), value


def comparisons_of_one_person(count: int) -> Iterator[tuple[Any, ...]]:
    """One participant compares systems in every record."""
    chance = random.Random(1)
    for number in range(count):
        moment = datetime.fromtimestamp(1_780_000_000 + number, UTC)
        sides = chance.sample("UVWX", 2)
        yield "p1", f"t{number}", "q", chance.choice(("a", "b", "tie")), moment.isoformat(), *sides


def cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def read_table(path: Path) -> AnswerTable:
    with closing(read_saved_answers(path).store) as store:
        return store.table()


def read_with_python(path: Path) -> int:
    """A bare loop of the standard library over the rows as dictionaries."""
    with path.open(encoding="utf-8", newline="") as file:
        return sum(len(row) for row in csv.DictReader(file))


def analyse_and_weigh(path: Path, _notify: object) -> tuple[int, int]:
    """How many answers a table has, and the peak memory of the process that analysed them, in bytes."""
    analysis = analyse(read_table(path), AnalysisSettings())
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return len(analysis.table), int(line.split()[1]) * 1024


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("million") / "answers.csv", HEADER, answers(ANSWERS))


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_table_of_a_million_answers_is_read_faster_than_by_a_bare_loop(
    million: Path, figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        return cpu_seconds(lambda: read_saved_answers(million).store.close()), cpu_seconds(
            lambda: read_with_python(million)
        )

    figure("reading a table of a million answers, to a bare loop", measure, 3, runs=3)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_all_results_of_a_million_answers_take_a_few_times_as_long_as_reading_them(
    million: Path, figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        return cpu_seconds(lambda: analyse(read_table(million), AnalysisSettings())), cpu_seconds(
            lambda: read_with_python(million)
        )

    figure("all results of a table of a million answers, to a bare loop", measure, 8, runs=3)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc")
def test_a_million_answers_need_a_bounded_memory(million: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        (last,) = ProcessJob(analyse_and_weigh, million).messages()
        assert isinstance(last, Completed)
        count, weight = last.result
        assert count == ANSWERS
        return weight, MAX_MEMORY

    figure("memory of a table of a million answers, to 650 MB", measure, 1, runs=2, unit="B")


def growth(folder: Path, few: int, many: int) -> tuple[float, float]:
    """CPU seconds for the answers of one participant, and those for fewer answers, in proportion."""

    def seconds(count: int) -> float:
        path = write_table(folder / f"{count}.csv", SIDES, comparisons_of_one_person(count))
        settings = AnalysisSettings(systems=SystemFields("left", "right"))
        return cpu_seconds(lambda: analyse(read_table(path), settings))

    return seconds(many), seconds(few) * many / few


@pytest.mark.quick
def test_answers_of_one_participant_grow_no_faster_than_their_number(
    tmp_path: Path, figure: CheckFigure
) -> None:
    figure("40,000 answers of one participant, to 10,000", partial(growth, tmp_path, 10_000, 40_000), 1.5)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_million_answers_of_one_participant_grow_no_faster_than_their_number(
    tmp_path: Path, figure: CheckFigure
) -> None:
    work = "a million answers of one participant, to 100,000"
    figure(work, partial(growth, tmp_path, 100_000, ANSWERS), 1.5, runs=2)


def write_with_library(path: Path, rows: list[tuple[Any, ...]]) -> None:
    """Write the same cells with XlsxWriter alone."""
    options = {"strings_to_formulas": False, "strings_to_urls": False, "constant_memory": True}
    with Workbook(path, {**options, "tmpdir": str(path.parent)}) as workbook:
        sheet = workbook.add_worksheet("answers")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)


def excel(folder: Path, count: int) -> tuple[float, float]:
    rows = list(answers(count))
    ours = cpu_seconds(lambda: write_excel(folder / "a.xlsx", [("answers", HEADER, rows)]))
    return ours, cpu_seconds(lambda: write_with_library(folder / "b.xlsx", rows))


@pytest.mark.quick
def test_excel_files_take_as_long_as_the_library_alone(tmp_path: Path, figure: CheckFigure) -> None:
    figure("Excel file of 20,000 answers, to XlsxWriter alone", partial(excel, tmp_path, 20_000), 1.2)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_an_excel_file_of_a_million_answers_takes_as_long_as_the_library_alone(
    tmp_path: Path, figure: CheckFigure
) -> None:
    figure(
        "Excel file of a million answers, to XlsxWriter alone", partial(excel, tmp_path, ANSWERS), 1.2, runs=2
    )
