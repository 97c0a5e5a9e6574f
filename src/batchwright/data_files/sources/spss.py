"""Tables in SPSS files (`.sav`, `.zsav`), read piece by piece."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyreadstat

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable

_CODES = "codes"
_FIRST_ROWS, _MOST_CELLS = 500, 1_000_000
"""Rows of the first piece, and cells of the largest: each is twice as long as the one before. The library
reads all rows before a piece again."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table: values with labels as these, or as codes; missing values of the user are missing.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is damaged.
        OSError: it cannot be opened.
    """
    path.open("rb").close()  # a better message than the library's
    columns, metadata = _read(path, 0, 1)
    if not columns:
        raise EmptyFile
    labels: Mapping[str, Mapping[Any, str]] = metadata.variable_value_labels
    is_coded = options.codes == _CODES
    texts = (("", _("Labels of values")), (_CODES, _("Codes of values")))
    choice = SourceChoice("codes", _("Values"), texts, _CODES if is_coded else "")
    yield SourceTable(
        tuple(columns),
        _rows(path, len(columns), [{} if is_coded else labels.get(name, {}) for name in columns]),
        (choice,) if labels else (),
        row_count=metadata.number_rows,
    )


def _rows(path: Path, width: int, labels: Sequence[Mapping[Any, str]]) -> Iterator[Row]:
    number, count = 0, _FIRST_ROWS
    while True:
        columns, _metadata = _read(path, number, count)
        pieces = [_cells(column, texts) for column, texts in zip(columns.values(), labels, strict=True)]
        before = number
        for number, cells in enumerate(zip(*pieces, strict=True), before + 1):
            yield number, cells
        if number - before < count:
            return
        count = max(_FIRST_ROWS, min(2 * count, _MOST_CELLS // width))


def _read(path: Path, offset: int, limit: int) -> "tuple[Mapping[str, Sequence[Any]], Any]":
    try:
        columns, metadata = pyreadstat.read_sav(
            path, output_format="dict", row_offset=offset, row_limit=limit
        )
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError) as error:
        raise UnreadableFile(
            _("The SPSS file is damaged: {reason}.").format(reason=str(error).rstrip(".")),
            _("Save it again in the program that created it."),
        ) from None
    return columns, metadata


def _cells(column: Sequence[Any], labels: Mapping[Any, str]) -> list[Json]:
    """The JSON values of a column."""
    if labels:
        return [labels[value] if value in labels else _cell(value) for value in column]
    return [_cell(value) for value in column]


def _cell(value: Any) -> Json:
    match value:
        case None | str():
            return value
        case float():
            return (
                None
                if value != value
                else int(value)
                if value.is_integer() and abs(value) < 1e15
                else float(value)
            )
        case datetime():
            return value.isoformat(" ")
        case date() | time():
            return value.isoformat()
    return str(value)
