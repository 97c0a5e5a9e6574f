"""Writes Parquet files with DuckDB: columns of texts, numbers and times; the same give the same bytes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import numpy as np

from batchwright.analysis.output.file_columns import ColumnType, FileColumn
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.base.files.disk_errors import disk_error
from batchwright.base.text import without_lone_surrogates

_ROWS_PER_GROUP = 100_000
_SQL_TYPES = {
    ColumnType.TEXT: "VARCHAR",
    ColumnType.NUMBER: "DOUBLE",
    ColumnType.TIME: "TIMESTAMPTZ",
}


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file: a row per entry of an answer."""
    yield OutputFile("answers.parquet", lambda path: write_parquet(path, source.long))


def write_parquet(path: Path, columns: Sequence[FileColumn]) -> None:
    """Write the columns as a Parquet file.

    Names that differ only in case get a number, since DuckDB and others do not distinguish them. One thread
    writes the file, so that its bytes do not depend on the number of processors.

    Raises:
        OSError: the file cannot be written.
    """
    names = unique_names(without_lone_surrogates(column.name.replace("\0", " ")) for column in columns)
    arrays = {f"c{number}": _array(column) for number, column in enumerate(columns)}
    selected = ", ".join(
        f"c{number}::{_SQL_TYPES[column.type]} AS {_quoted(name)}"
        for number, (column, name) in enumerate(zip(columns, names, strict=True))
    )
    form = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS_PER_GROUP}"
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.register("answers", arrays)
        try:
            connection.execute(f"COPY (SELECT {selected} FROM answers) TO $1 ({form})", [str(path)])  # noqa: S608
        except duckdb.IOException as error:
            raise disk_error(error, path) from None


def unique_names(names: Iterable[str]) -> list[str]:
    """The names; one that another has already, in any case, gets a number."""
    used: set[str] = set()
    unique = []
    for name in names:
        candidate, number = name, 1
        while candidate.casefold() in used:
            number += 1
            candidate = f"{name}_{number}"
        used.add(candidate.casefold())
        unique.append(candidate)
    return unique


def _array(column: FileColumn) -> np.ndarray:
    if column.type is ColumnType.NUMBER:
        return np.ma.masked_invalid(np.array(column.values, dtype=np.float64))
    texts = np.empty(len(column.values), dtype=object)
    texts[:] = [None if value is None else without_lone_surrogates(str(value)) for value in column.values]
    return texts


def _quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
