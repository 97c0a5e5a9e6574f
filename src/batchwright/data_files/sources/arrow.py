"""Tables in Arrow files: Feather and the file and stream formats of Arrow IPC, also compressed.

DuckDB reads Arrow data in memory but no such files; `arro3` opens them, record batch by record batch.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arro3.core import RecordBatchReader
from arro3.io import read_ipc, read_ipc_stream

from batchwright.data_files.file_types import ARROW_FILE
from batchwright.data_files.sources.relations import connection, damaged, relation_table
from batchwright.data_files.sources.source import SourceOptions, SourceTable


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table.

    Raises:
        UnreadableFile: when the block is entered or rows are read, the file is damaged.
        OSError: it cannot be opened.
    """
    with path.open("rb") as stream, connection() as connected:
        reader = _reader(stream)
        names = reader.schema.names
        connected.register("source", reader)
        yield relation_table(connected, "source", options, names)


def _reader(stream: BinaryIO) -> RecordBatchReader:
    """The record batches of a file or a stream."""
    is_file = stream.read(len(ARROW_FILE)) == ARROW_FILE
    stream.seek(0)
    try:
        return read_ipc(stream) if is_file else read_ipc_stream(stream)
    except Exception as error:  # the library has no class of its own for errors
        raise damaged(error) from None
