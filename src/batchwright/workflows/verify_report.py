"""Proving what was collected: answers and report tell of the same answers, and no record is missing."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.formats import Format, Kind
from batchwright.data_files.reader import rows
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.report_answers import Comparison, ReportCell, compare
from batchwright.workflows.report_table import REPORT_BEGINS, open_report


@dataclass(frozen=True)
class Proof:
    """Something that has to hold, and whether it does; `found` says what was there instead."""

    statement: str
    holds: bool
    found: str = ""


def prove_records(data: Path, answered_for: int, nameless: Kind = Kind.CSV) -> Proof:
    """That the service has accepted or rejected every record of a file (design.md, promise 7).

    `nameless` is what a file is whose name does not say.
    """
    kind = Kind.of(data.name) or nameless
    return counted(
        _("The service has answered for every record of the file."),
        sum(1 for _entry in rows(data, Format(kind))),
        answered_for,
    )


def prove_report(
    path: Path,
    columns: Sequence[str] | None,
    rows_wanted: int | None,
    responses: Iterable[ResponseRecord],
    *,
    datapoints: int = 0,
    batch_items: Json = None,
    is_exact: bool = False,
) -> list[Proof]:
    """That a report has every column, a row for each datapoint and instruction, and just what was answered.

    How all of that is written is said in wire.md 7.3.

    Args:
        path: the report.
        columns: of the dataset that it is about; None where they are not known.
        rows_wanted: how many rows there have to be; None where that is not known, since the layout may be
            another than the one that tasks were made with, and the dataset may have grown since: then
            every datapoint has to have as many as the others.
        responses: all answers, gone through once.
        datapoints: how many there have to be at least.
        batch_items: the layout of the batch, which says what answers look like in the report.
        is_exact: whether tasks were made with just this layout.
    """
    try:
        report = _read_report(path)
    except (OSError, ValueError, IndexError, csv.Error) as fault:
        return [Proof(_("The report is a sound table."), holds=False, found=str(fault))]
    begins = tuple(report.header[: len(REPORT_BEGINS)]) == REPORT_BEGINS
    has_columns = begins and (columns is None or list(columns) == list(report.columns))
    return [
        Proof(
            _("The report has every column of the dataset."),
            has_columns,
            ", ".join(report.header) or _("nothing"),
        ),
        _rows_proof(report, rows_wanted, datapoints),
        Proof(
            _("The rows of a record have the same values."),
            not report.differing,
            _("other values in a row of {record}").format(record=report.differing),
        ),
        _answers_proof(compare(responses, report.answers, batch_items, is_exact=is_exact)),
    ]


def counted(statement: str, wanted: int, found: int) -> Proof:
    """That there are as many of something as there have to be."""
    return Proof(
        statement, wanted == found, _("{found} instead of {wanted}").format(found=found, wanted=wanted)
    )


def alike(statement: str, wanted: Counter[str], found: Counter[str]) -> Proof:
    """That the same things are there, each as often as it has to be."""
    missing, added = (wanted - found).total(), (found - wanted).total()
    return Proof(
        statement,
        wanted == found,
        _("{missing} missing, {added} too many").format(missing=missing, added=added),
    )


@dataclass(frozen=True)
class _Report:
    """What stands in a report: its header, the dataset's columns, rows by datapoint, and who answered."""

    header: Sequence[str]
    columns: Sequence[str]
    rows: Mapping[str, int]
    answers: Sequence[ReportCell]
    differing: str
    """The first datapoint whose rows have different values of the dataset; empty where there is none."""


def _read_report(path: Path) -> _Report:
    rows: Counter[str] = Counter()
    answers: list[ReportCell] = []
    records: dict[str, int] = {}
    differing = ""
    with open_report(path) as table:
        for row in table.rows:
            rows[row.datapoint] += 1
            record = hash((row.group, *row.values))
            if records.setdefault(row.datapoint, record) != record:
                differing = differing or row.datapoint
            answers += row.answers
        return _Report(table.header, table.columns, rows, answers, differing)


def _rows_proof(report: _Report, wanted: int | None, datapoints: int) -> Proof:
    statement = _("The report has a row for each datapoint and instruction.")
    found = report.rows.values()
    if wanted is not None and wanted != sum(found):
        return counted(statement, wanted, sum(found))
    if len(found) < datapoints:
        said = _("{found} datapoints, and there are {wanted} tasks")
        return Proof(statement, holds=False, found=said.format(found=len(found), wanted=datapoints))
    least, most = min(found, default=0), max(found, default=0)
    said = _("from {least} to {most} rows for a datapoint")
    return Proof(statement, least == most, said.format(least=least, most=most))


def _answers_proof(comparison: Comparison) -> Proof:
    counted = _("{missing} missing, {added} too many").format(
        missing=comparison.missing, added=comparison.added
    )
    return Proof(
        _("The report has every answer."),
        comparison.is_same,
        f"{counted}: {comparison.first}" if comparison.first else counted,
    )
