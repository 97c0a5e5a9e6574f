"""Makes the steps of a study with the records to which its data file was converted, and writes the result."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.conversion.conversion import CONVERTED, Conversion
from batchwright.data_files.conversion.convert import FIRST_RECORDS, ConversionStart, Converted, convert
from batchwright.data_files.conversion.writing import Progress, write_records
from batchwright.data_files.index import IndexChunk, index_file
from batchwright.data_files.profiling import as_text
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.prepare.order import MadeStep
from batchwright.prepare.preparation import make_step, numbered, read_step
from batchwright.prepare.problems import InvalidSteps, StepProblem
from batchwright.prepare.reports import StepReport
from batchwright.prepare.tables import PreparedTable, records_table

SHOWN_RECORDS, SHOWN_COLUMNS, SHOWN_CHARS = 50, 100, 300
"""Records after each step that are passed on, and how much of each."""


def prepare_file(
    source: Path,
    start: ConversionStart,
    converted: Converted,
    steps: Sequence[JsonObject],
    target: Path,
    notify: Progress,
) -> Converted:
    """Write a new JSONL file with what steps make of the records of another one.

    Args:
        source: the JSONL file that `convert` has written.
        start: what `convert` has passed on first.
        converted: what it has returned.
        steps: the steps, as they are stored.
        target: the new file.
        notify: is called with a `StepReport` of each step, and then as `convert` does.

    Raises:
        UnreadableFile: a step cannot be made; the message names it.
        OSError: a file cannot be read or written.
    """
    index = IndexChunk()
    index_file(source, CONVERTED, index.extend)
    source_table = records_table(source, index.offsets, converted.columns)
    with source_table as records, target.open("wb") as out:
        table = _prepared(records, steps, _notes_about_lines(len(index) - records.length), notify)
        first = [*map(_parsed, range(FIRST_RECORDS), table.rows(_first(table, FIRST_RECORDS)))]
        conversion = replace(start.conversion, steps=tuple(steps))
        notify(ConversionStart(table.columns, conversion, start.choices, tuple(first), table.length))
        numbered = ((number, record, "") for number, record in enumerate(table.all_rows(), 1))
        count = write_records(numbered, out, target, table.columns, notify)
        return replace(converted, records=count, columns=table.columns, edited_cells={})


def convert_and_prepare(path: Path, conversion: Conversion, target: Path, notify: Progress) -> Converted:
    """Write the records of a source after the steps of a conversion to a new JSONL file.

    Raises:
        UnreadableFile: the source is damaged, protected or empty, or a step cannot be made.
        OSError: it cannot be read, or a file cannot be written.
    """
    starts: list[ConversionStart] = []

    def on_message(message: object) -> None:
        if isinstance(message, ConversionStart):
            starts.append(message)

    with temporary_folder("preparation") as folder:
        source = folder / "records.jsonl"
        converted = convert(path, replace(conversion, steps=()), source, on_message)
        return prepare_file(source, starts[-1], converted, conversion.steps, target, notify)


def _prepared(
    table: PreparedTable, steps: Sequence[JsonObject], notes: tuple[str, ...], notify: Progress
) -> PreparedTable:
    """The table after the steps; a report of each is passed on."""
    notify(_report(0, table, notes))
    made = list[MadeStep]()
    for number, entry in enumerate(steps, 1):
        try:
            step = read_step(entry, number)
            result = make_step(step, table, made)
        except InvalidSteps as problem:
            notify(StepReport(number, problem=str(problem)))
            raise UnreadableFile(str(problem), _remedy()) from None
        except StepProblem as problem:
            notify(StepReport(number, problem=str(problem)))
            raise UnreadableFile(numbered(problem, number, step), _remedy()) from None
        table = result.table
        notify(replace(_report(number, table, result.notes), balance=result.balance))
    return table


def _remedy() -> str:
    return _("Change the step in Prepare, move it, switch it off, or remove it.")


def _report(number: int, table: PreparedTable, notes: tuple[str, ...]) -> StepReport:
    records = tuple(map(_cut, table.rows(_first(table, SHOWN_RECORDS))))
    return StepReport(number, table.columns, table.length, notes, records=records)


def _cut(record: JsonObject) -> dict[str, str]:
    """The beginnings of the values as texts, and of the first columns: a record may have megabytes."""
    return {name: as_text(value)[:SHOWN_CHARS] for name, value in islice(record.items(), SHOWN_COLUMNS)}


def _first(table: PreparedTable, most: int) -> np.ndarray:
    return np.arange(min(table.length, most))


def _parsed(index: int, record: JsonObject) -> ParsedRecord[Json]:
    return ParsedRecord(index, index + 1, record)


def _notes_about_lines(left_out: int) -> tuple[str, ...]:
    if not left_out:
        return ()
    text = ngettext(
        "{count} line that is no record is left out.",
        "{count} lines that are no records are left out.",
        left_out,
    )
    return (text.format(count=left_out),)
