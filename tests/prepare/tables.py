"""Tables of records for tests of steps."""

from array import array
from collections.abc import Iterable

import numpy as np

from batchwright.base.json_values import JsonObject, to_json
from batchwright.prepare.tables import PreparedTable, Record, RecordsTable


def table_of(records: Iterable[JsonObject]) -> RecordsTable:
    """A table of records, as if they were in a file."""
    content, offsets, columns = bytearray(), array("Q"), dict[str, None]()
    for record in records:
        offsets.append(len(content))
        content += to_json(record).encode() + b"\n"
        columns.update(dict.fromkeys(record))
    return RecordsTable(bytes(content), offsets, [*columns])


def outputs(prompts: int, systems: str) -> list[JsonObject]:
    """A long table: an output of each system for each prompt."""
    return [
        {
            "prompt": f"Question {prompt}",
            "topic": f"topic {prompt % 3}",
            "system": system,
            "output": f"{system} says {prompt}",
        }
        for prompt in range(prompts)
        for system in systems
    ]


def rows(table: PreparedTable) -> list[Record]:
    """All records of a table; its codes are those of its values."""
    records = [*table.all_rows()]
    assert len(records) == table.length
    for column in table.columns:
        numbers = table.numbered(column).of_rows.tolist()
        texts = [record.get(column) for record in records]
        first = [*dict.fromkeys(text for text in texts if text is not None)]
        assert numbers == [-1 if text is None else first.index(text) for text in texts]
    assert all(record.keys() <= set(table.columns) for record in records)
    some = np.arange(table.length)[::-2]
    assert table.rows(some) == records[::-2]
    return records
