"""Reading a report row by row (wire reference, 7.3)."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.workflows.verification.report_comparison import ReportCell

FIXED_COLUMNS = ("DataPoint_ID", "Task_Group_ID", "Task_Type", "Question")
_DATAPOINT, _GROUP, _TYPE, _QUESTION = range(len(FIXED_COLUMNS))
_MAX_CELL_CHARS = 1 << 27
_CELLS_PER_ANNOTATOR = 3


@dataclass(frozen=True)
class ReportRow:
    """One datapoint with one instruction: its values in column order, and the answers."""

    datapoint: str
    group: str
    values: Sequence[str]
    answers: Sequence[ReportCell]


@dataclass(frozen=True)
class ReportTable:
    """The header of a report, the dataset's columns in it, and the rows, which can be iterated over once."""

    header: Sequence[str]
    columns: Sequence[str]
    rows: Iterator[ReportRow]


@contextmanager
def open_report(path: Path) -> Iterator[ReportTable]:
    """Open a report. Reading it yields the GIL regularly, so that it can run in a thread beside the window's.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no such table. Iterating over `rows` raises this too, and `csv.Error` or
            `IndexError`.
    """
    csv.field_size_limit(_MAX_CELL_CHARS)
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.reader(file)
        header = next(table, [])
        first = len(header) - _CELLS_PER_ANNOTATOR * _annotators(header)
        annotators = range(first, len(header), _CELLS_PER_ANNOTATOR)

        def rows() -> Iterator[ReportRow]:
            for row in yielding_gil(table):
                if len(row) != len(header):
                    template = _(
                        "line {number}: number of cells {found} instead of {wanted}, as in the header"
                    )
                    raise ValueError(
                        template.format(number=table.line_num, found=len(row), wanted=len(header))
                    )
                answers = [
                    ReportCell(
                        row[_TYPE],
                        row[_QUESTION],
                        row[_DATAPOINT],
                        *row[column : column + _CELLS_PER_ANNOTATOR],
                    )
                    for column in annotators
                    if any(row[column : column + _CELLS_PER_ANNOTATOR])
                ]
                yield ReportRow(row[_DATAPOINT], row[_GROUP], row[len(FIXED_COLUMNS) : first], answers)

        yield ReportTable(header, header[len(FIXED_COLUMNS) : first], rows())


def _annotators(header: Sequence[str]) -> int:
    """Count the annotators in a header: the groups of columns at its end that are numbered from 1.

    Wire reference, section 7.3.
    """
    number = len(header) // _CELLS_PER_ANNOTATOR
    while number:
        names = [
            f"Annotator{number_of_annotator}_{suffix}"
            for number_of_annotator in range(1, number + 1)
            for suffix in ("ID", "Response", "Timestamp")
        ]
        if list(header[-len(names) :]) == names:
            return number
        number -= 1
    return 0
