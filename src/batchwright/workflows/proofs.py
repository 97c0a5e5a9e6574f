"""Proving what was collected: answers, report and export tell of the same answers, and none is missing."""

import csv
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batchwright.tables.formats import Format, Kind
from batchwright.tables.reading import rows
from batchwright.wire.bodies import payload
from batchwright.wire.responses import ResponseRecord
from batchwright.words import _

_LONGEST_CELL = 1 << 27
_REPORT_BEGINS = ("DataPoint_ID", "Task_Group_ID", "Task_Type", "Question")
_TYPE = _REPORT_BEGINS.index("Task_Type")
_CELLS_PER_ANNOTATOR = 3
_BROKEN = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    LookupError,
    TypeError,
    zlib.error,
    zipfile.BadZipFile,
)
"""What reading an archive raises that is cut, spoilt, locked, or holds something else than it should."""


@dataclass(frozen=True)
class Proof:
    """Something that has to hold, and whether it does; `found` says what was there instead."""

    statement: str
    holds: bool
    found: str = ""


def prove_records(data: Path, answered_for: int) -> Proof:
    """That the service has accepted or rejected every record of a file (design.md, promise 7)."""
    kind = Kind.of(data.name) or Kind.CSV
    return counted(
        _("The service has answered for every record of the file."),
        sum(1 for _entry in rows(data, Format(kind))),
        answered_for,
    )


def prove_report(
    path: Path, columns: Sequence[str], rows_wanted: int, responses: Sequence[ResponseRecord]
) -> list[Proof]:
    """That a report has every column and answer, a row for each datapoint and instruction (wire.md 7.3)."""
    wanted = [*_REPORT_BEGINS, *columns]
    csv.field_size_limit(_LONGEST_CELL)
    count = 0
    answers: Counter[str] = Counter()
    try:
        with path.open(encoding="utf-8", newline="") as file:
            table = csv.reader(file)
            header = next(table, [])
            annotators = range(len(wanted), len(header), _CELLS_PER_ANNOTATOR)
            for row in table:
                count += 1
                answers.update(_answered(row[_TYPE], row[place]) for place in annotators if row[place])
    except (OSError, ValueError, IndexError, csv.Error) as fault:
        return [Proof(_("The report is a sound table."), holds=False, found=str(fault))]
    given = Counter(_answered(record.response.type, record.participant_id) for record in responses)
    has_columns = header[: len(wanted)] == wanted
    return [
        Proof(
            _("The report has every column of the dataset."), has_columns, ", ".join(header) or _("nothing")
        ),
        counted(_("The report has a row for each datapoint and instruction."), rows_wanted, count),
        _alike(_("The report has every answer."), given, answers),
    ]


def prove_export(path: Path, responses: Sequence[ResponseRecord]) -> list[Proof]:
    """That an archive is sound and holds all files, and all answers by submission and by task (wire.md 8)."""
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            names = set(archive.namelist())
            by_submission = Counter(_told(archive, "responses-by-submission.jsonl"))
            by_task = Counter(_told(archive, "responses-by-task.jsonl"))
    except _BROKEN as fault:
        return [Proof(_("The export is a sound archive."), holds=False, found=str(fault))]
    wanted = Counter(_answer(payload(response)) for response in responses)
    files = sum(_uploaded(responses))
    kept = sum(name.startswith("files/") and not name.endswith("/") for name in names)
    return [
        Proof(_("The export is a sound archive."), broken is None, broken or ""),
        _alike(_("The export has every answer once, by submission."), wanted, by_submission),
        _alike(_("The export has every answer once, by task."), wanted, by_task),
        counted(_("The export has every uploaded file."), files, kept),
    ]


def counted(statement: str, wanted: int, found: int) -> Proof:
    """That there are as many of something as there have to be."""
    return Proof(
        statement, wanted == found, _("{found} instead of {wanted}").format(found=found, wanted=wanted)
    )


def _told(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    with archive.open(name) as lines:
        for line in lines:
            for response in json.loads(line)["responses"]:
                yield _answer(response)


def _answer(record: Mapping[str, Any]) -> str:
    """One answer and whose it is, as text that can be compared."""
    return json.dumps([record["id"], record["participant_id"], record["response"]], sort_keys=True)


def _answered(kind: str, participant: str) -> str:
    return f"{kind} {participant}"


def _uploaded(responses: Iterable[ResponseRecord]) -> Iterator[int]:
    for record in responses:
        if record.response.type == "file_upload":
            yield len(record.response.answer)


def _alike(statement: str, wanted: Counter[str], found: Counter[str]) -> Proof:
    missing, added = (wanted - found).total(), (found - wanted).total()
    return Proof(
        statement,
        wanted == found,
        _("{missing} missing, {added} too many").format(missing=missing, added=added),
    )
