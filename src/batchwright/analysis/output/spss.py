"""Writes SPSS system files (`.sav`) with variable labels and value labels, through pyreadstat."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyreadstat

from batchwright.analysis.output.file_columns import MISSING, ColumnType, WideColumn
from batchwright.analysis.output.output_files import OutputFile, OutputSource, count_texts
from batchwright.analysis.store.questions import MeasurementLevel
from batchwright.base.files.disk_errors import disk_error
from batchwright.base.i18n import ngettext
from batchwright.base.local_formats import count_text
from batchwright.base.text import without_lone_surrogates

MAX_TEXT_BYTES = 32_767
"""Limit of the format for one text; longer ones are truncated. They are complete in the other files."""
_MAX_VALUE_LABEL_BYTES = 120
_MAX_VARIABLE_LABEL_BYTES = 255
_MAX_MISSING = 3
"""Maximum number of values that the format declares as missing."""
_MEASURES = {
    MeasurementLevel.NOMINAL: "nominal",
    MeasurementLevel.ORDINAL: "ordinal",
    MeasurementLevel.INTERVAL: "scale",
}
_FIRST_YEAR = 1583
"""The first full year of the Gregorian calendar, which SPSS counts from."""
_CREATED = b"01 Jan 8000:00:00"
"""Date and time in the header: the start of 1980."""
_CREATED_OFFSET = 92
"""Where the header has them: PSPP developer's guide, “System file format”, file header record."""


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file: a row per participant and task."""
    cut = count_texts(source.wide, _is_cut)
    text = ngettext(
        "{count} text is cut in the SPSS file, where a value has at most {most} bytes.",
        "{count} texts are cut in the SPSS file, where a value has at most {most} bytes.",
        cut,
    )
    note = text.format(count=count_text(cut), most=count_text(MAX_TEXT_BYTES)) if cut else ""
    yield OutputFile("answers.sav", lambda path: write_sav(path, source.wide), note)


def write_sav(path: Path, columns: Sequence[WideColumn]) -> None:
    """Write the columns as an SPSS system file; the same columns give the same bytes.

    pyreadstat writes the current time into the header; it is replaced. A column of texts takes the width of
    its longest text in every row, so rows are compressed.

    Raises:
        OSError: the file cannot be written.
    """
    labelled = [column for column in columns if column.value_labels]
    try:
        pyreadstat.write_sav(
            pd.DataFrame({column.name: _series(column) for column in columns}),
            str(path),
            column_labels={column.name: _cut(column.label, _MAX_VARIABLE_LABEL_BYTES) for column in columns},
            variable_value_labels={column.name: _value_labels(column) for column in labelled},
            variable_measure={column.name: _measure(column) for column in columns},
            missing_ranges={column.name: missing for column in columns if (missing := _missing(column))},
            row_compress=True,
        )
        _require_complete(path, len(columns[0].values))
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError) as error:
        raise disk_error(error, path) from None
    with path.open("rb+") as file:
        file.seek(_CREATED_OFFSET)
        file.write(_CREATED)


def _require_complete(path: Path, rows: int) -> None:
    """Read the last row, because pyreadstat does not report that a disk is full.

    Raises:
        pyreadstat.ReadstatError: the file is not complete.
    """
    pyreadstat.read_sav(str(path), output_format="dict", row_offset=max(0, rows - 1), row_limit=1)


def _series(column: WideColumn) -> pd.Series:
    if column.type is ColumnType.NUMBER:
        return pd.Series(column.typed.values, dtype="float64")
    if column.type is ColumnType.TIME:
        return pd.Series(list(map(_time, column.typed.values)), dtype="datetime64[ms]")
    texts = [None if value is None else _cut(str(value), MAX_TEXT_BYTES) for value in column.values]
    return pd.Series(texts, dtype=object)


def _time(time: datetime | None) -> datetime | None:
    """A time without its time zone, which is UTC; none before the calendar of the format begins."""
    return None if time is None or time.year < _FIRST_YEAR else time.replace(tzinfo=None)


def _measure(column: WideColumn) -> str:
    """The level of measurement as SPSS names it."""
    if column.level:
        return _MEASURES[MeasurementLevel(column.level)]
    if column.value_labels:
        return "ordinal" if column.has_order else "nominal"
    return "nominal" if column.type is ColumnType.TEXT else "scale"


def _value_labels(column: WideColumn) -> dict[float, str]:
    return {value: _cut(text, _MAX_VALUE_LABEL_BYTES) for value, text in column.value_labels.items()}


def _missing(column: WideColumn) -> list[float]:
    """The values that are declared as missing; none if there are more than the format allows."""
    missing = [value for value, role in column.roles.items() if role == MISSING]
    return missing if len(missing) <= _MAX_MISSING else []


def _is_cut(text: str) -> bool:
    """Whether a text is longer than the format allows."""
    return len(text) * 4 > MAX_TEXT_BYTES and len(_cut(text, MAX_TEXT_BYTES)) < len(text)


def _cut(text: str, most: int) -> str:
    """Cut a text after a number of bytes in UTF-8, between characters. NUL would end it."""
    printable = without_lone_surrogates(text.replace("\0", " "))
    content = printable.encode()
    return printable if len(content) <= most else content[:most].decode(errors="ignore")
