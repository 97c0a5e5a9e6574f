"""Files written from the Data stage: the good and the rejected records, and the schema."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from batchwright.base.atomic_files import replace_atomically, sibling_temp_path, write_atomically
from batchwright.base.json_values import parse, to_json
from batchwright.data_files.checking import Progress
from batchwright.data_files.column_names import write_with_names
from batchwright.data_files.formats import Format
from batchwright.schema.model import Schema
from batchwright.schema.parsing import read_schema, write_schema
from batchwright.ui.core.process_pool import run_in_process

Writer = Callable[[Path, Format, Schema, Path, Progress], int]
"""Writes a part of a file: `tables.splitting.write_good` or `write_rejected`."""


async def save_record_subset(
    write: Writer, path: Path, file_format: Format, schema: Schema, target: Path
) -> int:
    """Write a part of a data file whole or not at all; returns how many records it holds.

    Raises:
        Unreadable: the data file cannot be read any more.
        OSError: the target cannot be written.
    """
    written = sibling_temp_path(target)
    try:
        count = await run_in_process(write, path, file_format, schema, written, told=_nobody)
        await asyncio.to_thread(replace_atomically, written, target)
    finally:
        await asyncio.to_thread(written.unlink, missing_ok=True)
    return count


async def save_with_names(path: Path, file_format: Format, names: Sequence[str], target: Path) -> None:
    """Write a CSV file again with other column names, whole or not at all.

    Raises:
        Unreadable: the data file cannot be read any more, or a name cannot be written in its encoding.
        OSError: the target cannot be written.
    """
    written = sibling_temp_path(target)
    try:
        await asyncio.to_thread(write_with_names, path, file_format, names, written)
        await asyncio.to_thread(replace_atomically, written, target)
    finally:
        await asyncio.to_thread(written.unlink, missing_ok=True)


async def save_schema(schema: Schema, target: Path) -> None:
    """Write a schema as JSON.

    Raises:
        OSError: it cannot be written.
    """
    content = f"{to_json(write_schema(schema), indent=2)}\n".encode()
    await asyncio.to_thread(write_atomically, target, content)


async def load_schema(path: Path) -> Schema:
    """The schema in a file.

    Raises:
        NotJson: it is no JSON.
        SchemaFaults: it is no schema.
        OSError: it cannot be read.
    """
    return await asyncio.to_thread(lambda: read_schema(parse(path.read_bytes())))


def _nobody(*_news: object) -> None:
    """Nobody looks on: saving a part takes as long as a check."""
