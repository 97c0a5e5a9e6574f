"""How fast a million records are validated, compared with a bare loop of the standard library, and with how
much memory.
"""

import csv
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO, TypeVar

import pytest

from batchwright.data_files.checking import Report, check_file
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import RowIndex, index_file
from batchwright.data_files.process_job import Completed, ProcessJob
from batchwright.data_files.reader import rows
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.schema.model import Field, FieldType, Schema
from tests.figures import CheckFigure

T = TypeVar("T")

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

RECORDS = 1_000_000
KEYS = ("prompt", "answer", "photo", "source")
INVALID_EVERY = 800
"""Every how many records one has an invalid URL."""

SCHEMA = Schema(
    True,
    {
        "prompt": Field(FieldType.TEXT),
        "answer": Field(FieldType.TEXT),
        "photo": Field(FieldType.IMAGE_URL),
        "source": Field(FieldType.METADATA),
    },
)

_address = re.compile(r"https://[^\s/$.?#][^\s]*").fullmatch


def generated() -> Iterator[list[str]]:
    """Records of four fields, some with quotes and line breaks, a few invalid."""
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(500)]
    for number in range(RECORDS):
        prompt = " ".join(chance.choices(vocabulary, k=6))
        answer = f'“{prompt}”\nsaid "{chance.choice(vocabulary)}", and left' if number % 3 == 0 else prompt
        photo = f"https://example.com/{number}/photo.png" if number % INVALID_EVERY else "photo.png"
        yield [prompt, answer, photo, str(number % 7)]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A million records in the file format that the test needs."""
    path: Path = tmp_path_factory.mktemp("million") / f"table.{request.param}"
    with path.open("w", encoding="utf-8", newline="") as file:
        if request.param == FormatKind.CSV:
            writer = csv.writer(file)
            writer.writerow(KEYS)
            writer.writerows(generated())
        else:
            file.writelines(json.dumps(dict(zip(KEYS, row, strict=True))) + "\n" for row in generated())
    yield path
    path.unlink()


def bare_csv(file: TextIO) -> list[tuple[int, int]]:
    """Index and line of the records without a cell or a valid URL."""
    reader = csv.reader(file)
    width = len(next(reader))
    return [
        (index, reader.line_num)
        for index, row in enumerate(reader)
        if len(row) != width or not all(row) or not _address(row[2])
    ]


def bare_jsonl(file: TextIO) -> list[tuple[int, int]]:
    """Index and line of the records without a value or a valid URL."""
    errors = []
    for index, text in enumerate(file):
        record = json.loads(text)
        if not all(record.get(key) for key in KEYS) or not _address(record["photo"]):
            errors.append((index, index + 1))
    return errors


def timed(function: Callable[[], T]) -> tuple[float, T]:
    """The CPU seconds of this process, and the result."""
    before = time.process_time()
    result = function()
    return time.process_time() - before, result


def check_and_weigh(path: Path, form: Format, _notify: object) -> tuple[Report, int]:
    """A report, and the peak memory of its process in bytes."""
    report = check_file(path, form, SCHEMA)
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return report, int(line.split()[1]) * 1024


@pytest.mark.parametrize(("table", "bare"), [("csv", bare_csv), ("jsonl", bare_jsonl)], indirect=["table"])
def test_checking_takes_at_most_one_and_a_half_times_as_long_as_a_simple_loop(
    table: Path, bare: Callable[[TextIO], list[tuple[int, int]]], figure: CheckFigure
) -> None:
    def bare_loop() -> list[tuple[int, int]]:
        with table.open(encoding="utf-8-sig", newline="") as file:
            return bare(file)

    def measure() -> tuple[float, float]:
        bare_seconds, errors = timed(bare_loop)
        seconds, report = timed(lambda: check_file(table, sniff(table), SCHEMA))
        assert (report.records, report.rejected) == (RECORDS, len(errors))
        assert [error.record_index for error in report.errors] == [index for index, _text in errors]
        return seconds, bare_seconds

    figure(f"checking a million records of {table.suffix}, to a bare loop", measure, 1.5, runs=3)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc")
@pytest.mark.parametrize("table", ["csv", "jsonl"], indirect=True)
def test_checking_needs_little_memory(table: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        (last,) = ProcessJob(check_and_weigh, table, sniff(table)).messages()
        assert isinstance(last, Completed)
        report, weight = last.result
        assert report.records == RECORDS
        return weight, table.stat().st_size

    work = f"memory of checking a million records of {table.suffix}, to their file"
    figure(work, measure, 0.4, runs=1, unit="B")


@pytest.mark.parametrize("table", ["csv", "jsonl"], indirect=True)
def test_any_row_is_available_in_a_fraction_of_the_time_to_read_all(table: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        first_seconds, first = timed(lambda: list(islice(rows(table, sniff(table)), 200)))
        index = RowIndex(table, sniff(table))
        seconds, count = timed(lambda: index_file(table, sniff(table), index.extend))
        row_seconds, late = timed(lambda: index.rows(RECORDS - 200, 200))
        assert (len(first), count, len(late)) == (200, RECORDS, 200)
        return max(first_seconds, row_seconds), seconds

    figure(f"any 200 rows of a million of {table.suffix}, to reading all", measure, 0.1, runs=3)
