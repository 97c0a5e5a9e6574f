"""Proving what was collected: answers, report and export tell of the same answers, and none is missing."""

import csv
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from pathlib import Path

from batchwright.wire.responses import ResponseRecord

_LONGEST_CELL = 1 << 27
_REPORT_BEGINS = ("DataPoint_ID", "Task_Group_ID", "Task_Type", "Question")
_CELLS_PER_ANNOTATOR = 3


@dataclass(frozen=True)
class Proof:
    """Something that has to hold, and whether it does; `found` says what was there instead."""

    statement: str
    holds: bool
    found: str = ""


def prove_report(path: Path, columns: Sequence[str], rows_wanted: int, responses: int) -> list[Proof]:
    """That a report has every column and answer, a row for each datapoint and instruction (wire.md 7.3)."""
    csv.field_size_limit(_LONGEST_CELL)
    wanted = [*_REPORT_BEGINS, *columns]
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        annotators = range(len(wanted), len(header), _CELLS_PER_ANNOTATOR)
        count = answers = 0
        for row in rows:
            count += 1
            answers += sum(bool(row[place]) for place in annotators)
    has_columns = header[: len(wanted)] == wanted
    return [
        Proof(_("The report has every column of the dataset."), has_columns, ", ".join(header)),
        _counted(_("The report has a row for each datapoint and instruction."), rows_wanted, count),
        _counted(_("The report has every answer."), responses, answers),
    ]


def prove_export(path: Path, responses: Sequence[ResponseRecord]) -> list[Proof]:
    """That an archive is sound and holds all files, and all answers by submission and by task (wire.md 8)."""
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            names = set(archive.namelist())
            by_submission = Counter(_ids(archive, "responses-by-submission.jsonl"))
            by_task = Counter(_ids(archive, "responses-by-task.jsonl"))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as fault:
        return [Proof(_("The export is a sound archive."), holds=False, found=str(fault))]
    wanted = Counter(response.id for response in responses)
    files = sum(_uploaded(responses))
    kept = sum(name.startswith("files/") and not name.endswith("/") for name in names)
    return [
        Proof(_("The export is a sound archive."), broken is None, broken or ""),
        _alike(_("The export has every answer once, by submission."), wanted, by_submission),
        _alike(_("The export has every answer once, by task."), wanted, by_task),
        _counted(_("The export has every uploaded file."), files, kept),
    ]


def _ids(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    with archive.open(name) as lines:
        for line in lines:
            for response in json.loads(line)["responses"]:
                yield response["id"]


def _uploaded(responses: Iterable[ResponseRecord]) -> Iterator[int]:
    for record in responses:
        if record.response.type == "file_upload":
            yield len(record.response.answer)


def _counted(statement: str, wanted: int, found: int) -> Proof:
    return Proof(
        statement, wanted == found, _("{found} instead of {wanted}").format(found=found, wanted=wanted)
    )


def _alike(statement: str, wanted: Counter[str], found: Counter[str]) -> Proof:
    missing, added = (wanted - found).total(), (found - wanted).total()
    return Proof(
        statement,
        wanted == found,
        _("{missing} missing, {added} too many").format(missing=missing, added=added),
    )
