"""Tables in Parquet files, read by DuckDB."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from batchwright.data_files.sources.relations import connection, relation_table
from batchwright.data_files.sources.source import SourceOptions, SourceTable

_PATTERN_SIGN = re.compile(r"[*?\[]")
"""What would make the path a pattern, which other files may match, too."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is damaged.
        OSError: it cannot be opened.
    """
    path.open("rb").close()  # a better message than DuckDB's
    with connection() as connected:
        connected.execute("SET VARIABLE path = ?", [_PATTERN_SIGN.sub(r"[\g<0>]", str(path))])
        relation = "read_parquet(getvariable('path'), hive_partitioning = false)"
        yield relation_table(connected, relation, options, _names(connected))


def _names(connected: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of the columns, which are those in the schema that are in no other one."""
    schema = "SELECT name, num_children FROM parquet_schema(getvariable('path'))"
    names, left = list[str](), 0
    for name, children in connected.execute(schema).fetchall()[1:]:
        if left:
            left -= 1
        else:
            names.append(name)
        left += children or 0
    return names
