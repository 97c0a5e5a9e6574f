"""Writes the records of a source to a JSONL file, which can be read while it is being written."""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, is_object, to_json
from batchwright.base.local_formats import joined, quoted
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.conversion.column_edits import ColumnEdit
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.edit_list import (
    CellEdit,
    RecordEditor,
    UsableEdits,
    columns_after,
    place,
    usable_edits,
)
from batchwright.data_files.conversion.text_records import text_columns, text_records
from batchwright.data_files.conversion.writing import NumberedRecord, Progress, write_records
from batchwright.data_files.formats import FormatKind
from batchwright.data_files.rows import EmptyFile, ParsedRecord
from batchwright.data_files.sources.headers import header_rows_choice
from batchwright.data_files.sources.registry import open_table
from batchwright.data_files.sources.source import OptionValue, SourceChoice, SourceTable, UnreadableRow

FIRST_RECORDS = 64
"""Records that are passed on before all others."""


@dataclass(frozen=True)
class ConversionStart:
    """The beginning of a conversion: columns, choices, and the first records.

    `row_count` is the number of rows, None if it is not known before they are read.
    """

    columns: tuple[str, ...]
    conversion: Conversion
    """With the values that were proposed for options without one."""
    choices: tuple[SourceChoice, ...]
    records: tuple[ParsedRecord[Json], ...]
    row_count: int | None


_MOST_NAMED, _MOST_CHARS = 5, 60
"""Changes that found no record and are named, and the characters of their values."""
_MOST_CHANGE_CHARS = 160
"""Characters of the description of a change of columns."""


@dataclass(frozen=True)
class Converted:
    """The result of a conversion: the number of records, and sentences about what was done or left out."""

    records: int
    columns: tuple[str, ...]
    """All columns, also those that the first records do not have."""
    sha256: str | None
    """The digest of the source; None of a folder."""
    notes: tuple[str, ...]
    edited_cells: Mapping[str, "array[int]"] = field(default_factory=dict)
    """The indexes of the records with another value than in the source, by column, in ascending order."""
    unfound: tuple[CellEdit, ...] = ()
    """The edits that have found no record."""


def convert(path: Path, conversion: Conversion, target: Path, notify: Progress) -> Converted:
    """Write the records of a source to a new JSONL file; the line of a record in the index is its row.

    An empty cell is an absent key. Columns without a name of their own get one, as in `distinct_names`.

    Raises:
        UnreadableFile: the source is damaged, protected or empty, or its type is not known.
        OSError: it cannot be read, or the target cannot be written.
    """
    converted = _convert(path, conversion, target, notify)
    if converted.unfound:
        with _opened(path, conversion) as table:
            usable = usable_edits(conversion.edits, table.columns())
            placed = place(
                usable.edits,
                ((index, record) for index, (_row, record, _text) in enumerate(table.records)),
            )
        converted = _convert(path, conversion, target, notify, placed)
    return converted


def _convert(
    path: Path,
    conversion: Conversion,
    target: Path,
    notify: Progress,
    placed: Mapping[CellEdit, int] | None = None,
) -> Converted:
    with _opened(path, conversion) as table, target.open("wb") as out:
        if not table.columns():
            raise EmptyFile
        usable = usable_edits(conversion.edits, table.columns())
        columns, editor = usable.columns, RecordEditor(usable.edits, placed)
        records = _edited(table.records, editor) if usable.edits else table.records
        first = list(islice(records, FIRST_RECORDS))
        entries = tuple(ParsedRecord(index, row, record) for index, (row, record, _text) in enumerate(first))
        used = replace(conversion, options=conversion.options.with_values(table.chosen))
        notify(ConversionStart(columns, used, table.choices, entries, table.row_count))
        count = write_records(chain(first, records), out, target, columns, notify)
        notes = (
            *table.notes,
            *_notes_about_columns(usable),
            *_notes_about_values(editor.unread),
            *_notes_about(editor.unfound),
        )
        columns = columns_after(usable.edits, table.columns())
        return Converted(count, columns, _digest(path), notes, editor.edited_cells, tuple(editor.unfound))


def _digest(path: Path) -> str | None:
    if not path.is_file():
        return None
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


@dataclass
class _Opened:
    """What is converted: a table in a source, or the records of a text file."""

    columns: Callable[[], tuple[str, ...]]
    """The names of the columns known so far."""
    records: Iterator[NumberedRecord]
    choices: tuple[SourceChoice, ...] = ()
    notes: Sequence[str] = ()
    row_count: int | None = None

    @property
    def chosen(self) -> dict[str, OptionValue]:
        """The values of the options that were used."""
        return {choice.option: choice.current for choice in self.choices}


@contextmanager
def _opened(path: Path, conversion: Conversion) -> Iterator[_Opened]:
    if conversion.text_format is not None:
        text_format, header_rows = conversion.text_format, conversion.options.header_rows or 1
        names = text_columns(path, text_format, header_rows)
        has_header = text_format.kind is FormatKind.CSV and text_format.header
        choices = (header_rows_choice(header_rows),) if has_header else ()
        yield _Opened(lambda: names, text_records(path, text_format, names, header_rows), choices)
        return
    with open_table(path, conversion.options) as table:
        yield _Opened(
            lambda: distinct_names(table.columns),
            _records(table),
            table.choices,
            table.notes,
            table.row_count,
        )


def _notes_about_columns(usable: UsableEdits) -> Iterator[str]:
    """Yield sentences about changes of columns that were not made."""
    for edit, problem in usable.unusable:
        yield _("“{change}” was left out: {reason}").format(change=_cut(edit.text), reason=problem)


def _notes_about_values(unread: Mapping[ColumnEdit, int]) -> Iterator[str]:
    """Yield sentences about values that could not be read in the type that was chosen."""
    for edit, count in unread.items():
        text = ngettext(
            "“{change}”: {count} value cannot be read so, and stays as it is.",
            "“{change}”: {count} values cannot be read so, and stay as they are.",
            count,
        )
        yield text.format(change=_cut(edit.text), count=count)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHANGE_CHARS else f"{text[:_MOST_CHANGE_CHARS]}…"


def _notes_about(unfound: Sequence[CellEdit]) -> Iterator[str]:
    """Yield sentences about changes that found no record."""
    for edit in unfound[:_MOST_NAMED]:
        text = _("A change of “{column}” from “{before}” to “{value}” found no record.")
        yield text.format(
            column=edit.column, before=edit.before[:_MOST_CHARS], value=edit.value[:_MOST_CHARS]
        )
    more = len(unfound) - _MOST_NAMED
    if more > 0:
        text = ngettext("{count} more change found no record.", "{count} more changes found no record.", more)
        yield text.format(count=more)


def _notes_about_names(columns: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Which columns have got another name than in the source."""
    changed = [quoted(name) for column, name in zip(columns, names, strict=True) if column != name]
    if changed:
        text = ngettext(
            "{count} column without a usable name of its own is called {names}.",
            "{count} columns without usable names of their own are called {names}.",
            len(changed),
        )
        yield text.format(count=len(changed), names=joined(changed, _NAMED_COLUMNS))


_NAMED_COLUMNS = 3
"""Columns that a note names."""


def source_columns(path: Path, conversion: Conversion, _notify: Progress) -> tuple[str, ...]:
    """The columns that the converted file would have.

    Raises:
        UnreadableFile: as `convert` does.
        OSError: it cannot be read.
    """
    with _opened(path, conversion) as table:
        return usable_edits(conversion.edits, table.columns()).columns


def _records(table: SourceTable) -> Iterator[NumberedRecord]:
    names: tuple[str, ...] = ()
    for number, cells in table.rows:
        if isinstance(cells, UnreadableRow):
            yield number, cells.value, to_json(cells.value)
            continue
        if len(cells) > len(names):
            names = distinct_names(table.columns)
        cells_of = zip(names, cells, strict=False)
        yield number, {name: cell for name, cell in cells_of if cell is not None and cell != ""}, ""
    table.notes += _notes_about_names(table.columns, distinct_names(table.columns))


def _edited(records: Iterable[NumberedRecord], editor: RecordEditor) -> Iterator[NumberedRecord]:
    for index, (row, record, text) in enumerate(records):
        yield (row, editor.edit_record(index, record), "") if is_object(record) else (row, record, text)
