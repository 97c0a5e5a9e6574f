"""Tables in SPSS files (`.sav`, `.zsav`), read piece by piece."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import pyreadstat

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable
from batchwright.data_files.sources.spreadsheet_values import duration_text
from batchwright.data_files.sources.spss_pieces import pieces

_CODES = "codes"
_FIRST_ROWS, _MOST_CELLS = 500, 200_000
"""Rows of the first piece, and cells of the largest."""
_MOST_EXACT = 1 << 53
"""The largest whole number up to which floating-point numbers have all of them."""
_FIRST_MOMENT = datetime(1582, 10, 14)
"""The midnight from which SPSS counts the seconds of dates."""


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
    formats: Mapping[str, str] = metadata.original_variable_types
    readers = [_reader({} if is_coded else labels.get(name, {}), formats.get(name, "")) for name in columns]
    yield SourceTable(
        tuple(columns),
        _rows(path, readers, metadata.number_rows or 0),
        (choice,) if labels else (),
        row_count=metadata.number_rows,
    )


def _rows(path: Path, readers: Sequence["_Reader"], expected: int) -> Iterator[Row]:
    """The rows, of which there must be as many as the file says, if it does."""
    number = 0
    with path.open("rb") as stream:
        for piece in _pieces(stream, _FIRST_ROWS, max(_FIRST_ROWS, _MOST_CELLS // len(readers))):
            columns, _metadata = _read(BytesIO(piece), disable_datetime_conversion=True)
            cells = [map(read, column) for read, column in zip(readers, columns.values(), strict=True)]
            for number, row in enumerate(zip(*cells, strict=True), number + 1):  # noqa: B020 - continued
                yield number, row
    with _errors_as_unreadable():
        if number < expected:
            raise ValueError("the rows are not complete")


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


_Reader: TypeAlias = Callable[[Any], Json]
"""Returns the JSON value of a text or a number."""


def _reader(labels: Mapping[Any, str], code: str) -> _Reader:
    """The reader of a variable with these labels and a format such as `DATE11`."""
    name = re.match("[A-Z]*", code)
    read = _BY_FORMAT.get(name[0] if name else "", _cell)
    return (lambda value: labels.get(value) or read(value)) if labels else read


def _cell(value: Any) -> Json:
    if not isinstance(value, float):
        return value if value is None or isinstance(value, str) else str(value)
    if value != value:
        return None
    return int(value) if value.is_integer() and abs(value) <= _MOST_EXACT else float(value)


def _counted(write: Callable[[timedelta], str]) -> _Reader:
    """The reader of seconds; a number that is too large for a date is left as it is."""

    def read(value: Any) -> Json:
        seconds = _cell(value)
        try:
            return write(timedelta(seconds=seconds)) if isinstance(seconds, int | float) else seconds
        except OverflowError:
            return seconds

    return read


_day = _counted(lambda seconds: (_FIRST_MOMENT + seconds).date().isoformat())
_moment = _counted(lambda seconds: (_FIRST_MOMENT + seconds).isoformat(" "))
_duration = _counted(duration_text)

_BY_FORMAT: Mapping[str, _Reader] = {
    **dict.fromkeys(("DATE", "ADATE", "EDATE", "JDATE", "SDATE", "QYR", "MOYR", "WKYR"), _day),
    **dict.fromkeys(("DATETIME", "YMDHMS"), _moment),
    **dict.fromkeys(("TIME", "DTIME", "MTIME"), _duration),
}
"""Readers of numbers by the names of their formats; a time is a number of seconds that may exceed a day."""
