"""Verifying a report: it has the same answers as the service's list of responses, and every record."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.base.local_formats import joined
from batchwright.wire.collections import AnswerRecord
from batchwright.workflows.verification.checks import Check, count_check
from batchwright.workflows.verification.report_comparison import (
    AnswerComparison,
    ReportCell,
    compare,
    questions_of,
)
from batchwright.workflows.verification.report_table import FIXED_COLUMNS, open_report


def verify_report(
    path: Path,
    columns: Sequence[str] | None,
    expected_rows: int | None,
    responses: Iterable[AnswerRecord],
    *,
    datapoints: int = 0,
    layouts: Sequence[Json] = (),
    is_exact: bool = False,
) -> list[Check]:
    """Check that a report has every column, a row per datapoint and instruction, and exactly the answers.

    The format of a report is described in wire reference, 7.3. A report may also have the answered tasks of
    earlier setups, each with a row for each instruction of its layout; their datasets may add columns.

    Args:
        path: the report.
        columns: the columns of its dataset; None if they are unknown.
        expected_rows: the number of rows; None if it is unknown, because the layout may differ from the one
            that the tasks were created from, and the dataset may have grown since. All tasks must then have
            the same number of rows, or the number of instructions of one of the layouts.
        responses: all answers, iterated over once.
        datapoints: the minimum number of datapoints.
        layouts: the layouts of the setups, oldest first, which determine how answers are written.
        is_exact: whether the tasks were created from exactly these layouts.
    """
    try:
        report = _read_report(path)
    except (OSError, ValueError, IndexError, csv.Error) as error:
        return [Check(_("The report is a valid table."), passed=False, actual=str(error))]
    has_fixed_columns = tuple(report.header[: len(FIXED_COLUMNS)]) == FIXED_COLUMNS
    ours = report.columns if len(layouts) <= 1 else report.columns[: len(columns or ())]
    has_columns = has_fixed_columns and (columns is None or list(columns) == list(ours))
    return [
        Check(
            _("The report has every column of the dataset."),
            has_columns,
            joined(report.header) or _("nothing"),
        ),
        _check_rows(report, expected_rows, datapoints, {_rows_per_task(layout) for layout in layouts}),
        Check(
            _("The rows of a record have the same values."),
            not report.differing,
            _("other values in a row of {record}").format(record=report.differing),
        ),
        _check_answers(compare(responses, report.answers, layouts, is_exact=is_exact)),
    ]


@dataclass(frozen=True)
class _Report:
    """The content of a report: header, columns of the dataset, number of rows per task, and answers."""

    header: Sequence[str]
    columns: Sequence[str]
    rows: Mapping[tuple[str, str], int]
    """By datapoint and task group: each setup puts a datapoint into another group."""
    answers: Sequence[ReportCell]
    differing: str
    """The first datapoint whose rows have different values of the dataset; empty if there is none."""


def _read_report(path: Path) -> _Report:
    rows: Counter[tuple[str, str]] = Counter()
    answers: list[ReportCell] = []
    records: dict[str, int] = {}
    differing = ""
    with open_report(path) as table:
        for row in table.rows:
            rows[row.datapoint, row.group] += 1
            record = hash(tuple(row.values))
            if records.setdefault(row.datapoint, record) != record:
                differing = differing or row.datapoint
            answers += row.answers
        return _Report(table.header, table.columns, rows, answers, differing)


def _rows_per_task(layout: Json) -> int:
    return max(1, len(questions_of(layout)))


def _check_rows(report: _Report, expected: int | None, datapoints: int, per_task: set[int]) -> Check:
    statement = _("The report has a row for each datapoint and instruction.")
    actual = report.rows.values()
    if expected is not None and expected != sum(actual):
        return count_check(statement, expected, sum(actual))
    found = len({datapoint for datapoint, _group in report.rows})
    if found < datapoints:
        template = _("datapoints: {found}; tasks: {wanted}")
        return Check(statement, passed=False, actual=template.format(found=found, wanted=datapoints))
    least, most = min(actual, default=0), max(actual, default=0)
    template = _("number of rows for a datapoint: from {least} to {most}")
    has_setups = len(per_task) > 1 and per_task.issuperset(actual)
    return Check(statement, least == most or has_setups, template.format(least=least, most=most))


def _check_answers(comparison: AnswerComparison) -> Check:
    counted = _("{missing} missing, {added} too many").format(
        missing=comparison.missing, added=comparison.added
    )
    return Check(
        _("The report has every answer."),
        comparison.is_same,
        f"{counted}: {comparison.first}" if comparison.first else counted,
    )
