"""Tables in SPSS files (`.sav`, `.zsav`), read piece by piece."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import pyreadstat

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable
from batchwright.data_files.sources.spss_pieces import pieces

_CODES = "codes"
_FIRST_ROWS, _MOST_CELLS = 500, 200_000
"""Rows of the first piece, and cells of the largest."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table: values with labels as these, or as codes; missing values of the user are missing.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is damaged.
        OSError: it cannot be opened.
    """
    path.open("rb").close()  # a better message than the library's
    _columns, metadata = _read(path, metadataonly=True)
    columns: Sequence[str] = metadata.column_names
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
    number = 0
    with path.open("rb") as stream:
        for piece in _pieces(stream, _FIRST_ROWS, max(_FIRST_ROWS, _MOST_CELLS // width)):
            columns, _metadata = _read(BytesIO(piece))
            cells = [_cells(column, texts) for column, texts in zip(columns.values(), labels, strict=True)]
            for number, row in enumerate(zip(*cells, strict=True), number + 1):  # noqa: B020 - continued
                yield number, row


def _read(source: Path | BinaryIO, **options: int) -> "tuple[Mapping[str, Sequence[Any]], Any]":
    with _errors_as_unreadable():
        columns, metadata = pyreadstat.read_sav(source, output_format="dict", **options)
    return columns, metadata


def _pieces(stream: BinaryIO, first_rows: int, most_rows: int) -> Iterator[bytes]:
    with _errors_as_unreadable():
        yield from pieces(stream, first_rows, most_rows)


@contextmanager
def _errors_as_unreadable() -> Iterator[None]:
    try:
        yield
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError) as error:
        raise UnreadableFile(
            _("The SPSS file is damaged: {reason}.").format(reason=str(error).rstrip(".")),
            _("Save it again in the program that created it."),
        ) from None


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
