"""Reads the rows of a table with answers into the database, as texts.

A table has a row per entry of an answer, and the columns of `answers-long.csv`: `participant`, `task`,
`question` and `value`, and if known `answer`, `question_text`, `kind`, `option`, `unit`, `explanation`,
`file`, `answered_at`, `excluded` (the reason), and `field_…` for each field of the dataset, in any
case of letters.
`table_questions` says what the rows are about; `store_schema` has the SQL that makes answers of them.

The database reads the file itself (`table_relations`). What it rejects, or might read differently, is read
row by row, more slowly: the rules of a file, and the messages about a damaged one, are those of `data_files`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import numpy as np

from batchwright.analysis.store.excel_rows import excel_columns, excel_rows
from batchwright.analysis.store.table_relations import (
    Check,
    Relation,
    csv_relation,
    jsonl_relation,
    parquet_relation,
)
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate, without_lone_surrogates
from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import original_cell
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.layout.option_values import as_text
from batchwright.schema.record_validator import RecordError

FIELD_PREFIX = "field_"
"""Starts the names of columns with fields of the dataset."""

COLUMNS = ("participant", "task", "question", "value")
"""The columns that a table must have."""
_OTHER_COLUMNS = (
    *("answer", "question_text", "kind", "option"),
    *("unit", "explanation", "file", "answered_at", "excluded"),
)
_ENTRIES = ("value", "option", "explanation", "file")
"""Columns with what was answered, of which a table must have one."""
_NAMED, _NAME_CHARS = 5, 30
"""Columns that a message names, and the characters of each."""
_PART_ROWS = 20_000
"""Rows that are added at once when they are read one by one."""

Row = Mapping[str, str]


def table_columns(path: Path) -> tuple[str, ...]:
    """The names of the columns of a table: CSV, JSONL, Parquet, or a sheet of an Excel workbook.

    Raises:
        UnreadableFile: it is no table.
        OSError: it cannot be opened.
    """
    type = type_of(path)
    if type is FileType.EXCEL:
        return excel_columns(path, has_answers)
    if type is not FileType.PARQUET:
        return columns(path, _format(path))
    with duckdb.connect(":memory:") as connection, _parquet_errors():
        return tuple(parquet_relation(connection, path).columns)


def has_answers(names: Sequence[str]) -> bool:
    """Whether columns are those of a table with answers."""
    return not _missing(names)


def _missing(names: Sequence[str]) -> list[str]:
    """The columns that a table lacks. One with `kind` may have only empty answers, which have no value."""
    found = {_column(name) for name in names}
    if not found.isdisjoint((*_ENTRIES, "kind")):
        found.add("value")
    return [name for name in COLUMNS if name not in found]


def require_answers(names: Sequence[str]) -> None:
    """Check that columns are those of a table with answers.

    Raises:
        UnreadableFile: they are others; the text explains a table with a column for each question.
    """
    if not (missing := _missing(names)):
        return
    remedy = _(
        "Answers are read from a long table, with a row for each answer, or for each selected option, and "
        "the columns {columns}. Of the files of “Save results”, that is answers-long.csv. Of another table, "
        "pivot_longer() in R, melt() in pandas or Unpivot in Excel makes one."
    ).format(columns=joined(COLUMNS))
    others = [name for name in names if name and not is_answer_column(name)]
    if {"question", "value"} <= {*missing} and len(others) > 1:
        shown = joined((truncate(name, _NAME_CHARS) for name in others), _NAMED)
        text = _("The table is wide: it has a column for each question instead of a row ({columns}).")
        raise UnreadableFile(text.format(columns=shown), remedy)
    text = _("The table lacks the columns: {columns}.")
    raise UnreadableFile(text.format(columns=joined(missing)), remedy)


def stage_rows(writer: Any, path: Path, folder: Path, check: Check) -> tuple[str, ...]:
    """Read a table into the temporary view `table_rows`, and return the names of its fields.

    It has the number of each row, from 0, as `row`, the columns of answers, and those of the fields as `f0`,
    `f1` and so on. All are texts; NULL stands for a cell without a text.

    Args:
        writer: a connection to a database that may read files in `folder`.
        path: the table.
        folder: where a copy of the table is written.
        check: called often.

    Raises:
        UnreadableFile: the file is damaged.
        OSError: it cannot be opened, or not copied.
    """
    copy, type = folder / "rows", type_of(path)
    if type is FileType.EXCEL:
        return _stage_one_by_one(writer, table_columns(path), excel_rows(path, has_answers), check)
    if type is FileType.PARQUET:
        copyfile(path, copy)
        with _parquet_errors():
            return _stage(writer, parquet_relation(writer, copy))
    form = _format(path)
    is_csv = form.kind is FormatKind.CSV
    try:
        if is_csv:
            relation = csv_relation(path, form, copy, check)
        else:
            relation = jsonl_relation(writer, path, form, copy, is_answer_column)
        fields = None if relation is None else _stage(writer, relation)
    except duckdb.InterruptException:
        raise
    except duckdb.Error:  # a damaged row, which has a message when it is read
        fields = None
    if fields is None:
        names = (
            columns(path, form) if is_csv else {name: None for row in _read_rows(path, form) for name in row}
        )
        return _stage_one_by_one(writer, names, _read_rows(path, form), check)
    if is_csv:
        _restore_cells(writer)
    return fields


def _format(path: Path) -> Format:
    """The format of a CSV or JSONL file; one with answers has a header, whatever its fields are called."""
    return replace(sniff(path), header=True)


def is_answer_column(name: str) -> bool:
    """Whether a column belongs to an answer, or is a field of the dataset."""
    return _column(name) is not None


def _column(heading: str) -> str | None:
    """The column of an answer, or of a field of the dataset, that a heading names; None for others."""
    name = heading.strip()
    start, rest = name[: len(FIELD_PREFIX)].casefold(), name[len(FIELD_PREFIX) :]
    if start == FIELD_PREFIX:
        return FIELD_PREFIX + rest
    name = name.casefold()
    return name if name in COLUMNS or name in _OTHER_COLUMNS else None


def _stage(writer: Any, relation: Relation) -> tuple[str, ...]:
    """Create `table_rows` from the columns of a relation that are used; the order of rows is kept.

    An option without a value is its own value. Rows in which all these columns are empty are left out.
    """
    found = defaultdict[str, list[str]](list)
    for heading, expressions in relation.columns.items():
        if name := _column(heading):
            found[name] += expressions
    if "option" in found:
        found["value"] = found["option"] + found["value"]
    used = Relation(relation.source, found)
    fields = [name for name in found if name.startswith(FIELD_PREFIX)]
    cells = {name: f'"{name}"' for name in (*COLUMNS, *_OTHER_COLUMNS)}
    cells |= {name: f"f{number}" for number, name in enumerate(fields)}
    texts = {cell: used.text(name) for name, cell in cells.items() if name in found}
    stored = [f"{text} AS {cell}" for cell, text in texts.items()]
    missing = [f"NULL::VARCHAR AS {cell}" for name, cell in cells.items() if name not in found]
    writer.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE cells AS
        SELECT (row_number() OVER () - 1)::BIGINT AS row, {", ".join(stored)}
        FROM {relation.source} WHERE coalesce({", ".join(texts.values())}) IS NOT NULL;
        CREATE OR REPLACE TEMP VIEW table_rows AS SELECT {", ".join(["*", *missing])} FROM cells
        """
    )
    return tuple(name.removeprefix(FIELD_PREFIX) for name in fields)


def _restore_cells(writer: Any) -> None:
    """Replace cells that were written so that no spreadsheet program runs them."""
    for name, _type, *_more in writer.execute("DESCRIBE cells").fetchall()[1:]:
        found = writer.execute(f'SELECT DISTINCT "{name}" FROM cells WHERE "{name}"[1] = chr(39)')
        given = [text for (text,) in found.fetchall() if original_cell(text) != text]
        if given:
            writer.register("texts", {"given": _texts(given), "original": _texts(map(original_cell, given))})
            writer.execute(f'UPDATE cells SET "{name}" = original FROM texts WHERE "{name}" = given')
            writer.unregister("texts")


def _stage_one_by_one(
    writer: Any, names: Iterable[str], found: Iterator[Row], check: Check
) -> tuple[str, ...]:
    """Create `table_rows` from rows that are not read by the database; `names` has all their columns."""
    used = dict.fromkeys(filter(is_answer_column, names))
    cells = {name: f"c{number}" for number, name in enumerate(used)}
    writer.execute(
        "CREATE OR REPLACE TEMP TABLE read_rows (n INTEGER{})".format(
            "".join(f", {cell} VARCHAR" for cell in cells.values())
        )
    )
    while part := list(islice(found, _PART_ROWS)):
        check()
        texts = {cell: _texts(row.get(name) for row in part) for name, cell in cells.items()}
        writer.register("part", {"n": np.zeros(len(part), dtype=np.int32), **texts})
        try:
            writer.execute("INSERT INTO read_rows SELECT * FROM part")
        finally:
            writer.unregister("part")
    fields = _stage(writer, Relation("read_rows", {name: [cell] for name, cell in cells.items()}))
    writer.execute("DROP TABLE read_rows")
    return fields


def _texts(values: Iterable[str | None]) -> np.ndarray:
    texts = [None if value is None else without_lone_surrogates(value) for value in values]
    column = np.empty(len(texts), dtype=object)
    column[:] = texts
    return column


def _read_rows(path: Path, form: Format) -> Iterator[Row]:
    """Yield the rows of a CSV or JSONL file; cells without a text are omitted.

    Raises:
        UnreadableFile: the file is damaged.
        OSError: it cannot be opened.
    """
    names = columns(path, form) if form.kind is FormatKind.CSV else ()
    for row in yielding_gil(rows(path, form)):
        if isinstance(row.content, RecordError):
            text = _("Line {line}: {reason}")
            raise UnreadableFile(text.format(line=row.line, reason=row.content.reason))
        cells: Iterable[tuple[str, Json]] = ()
        if is_array(row.content):
            cells = zip(names, map(original_cell, map(as_text, row.content)), strict=False)
        elif is_object(row.content):
            cells = row.content.items()
        yield {name: as_text(cell) for name, cell in cells if cell is not None and cell != ""}


@contextmanager
def _parquet_errors() -> Iterator[None]:
    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise UnreadableFile(_("The Parquet file is damaged: {reason}").format(reason=error)) from None
