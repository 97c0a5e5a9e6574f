"""Tables in Parquet files, read by DuckDB."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
        yield relation_table(connected, relation, options)
