"""Datasets and their datapoints. `number` is a dataset's row; its `id` is what travels."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batchwright.records.json_values import JsonObject, is_object, parse, render
from batchwright.records.schema import Schema
from batchwright.records.schema_reading import read_schema, write_schema
from batchwright.service.store import ids


@dataclass(frozen=True)
class StoredDataset:
    """A V4 dataset; `schema` is None while none is set."""

    number: int
    id: str
    workspace_id: str
    name: str
    created_at: int
    created_by: str
    schema: Schema | None
    schema_version: int
    datapoint_count: int


def add(
    connection: sqlite3.Connection,
    *,
    workspace_id: str,
    name: str,
    schema: Schema | None,
    created_by: str,
    now: int,
) -> StoredDataset:
    """Make a dataset without datapoints; its schema, if it has one, is version 1 (wire.md 4.1)."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO dataset (id, workspace_id, name, created_at, created_by, schema, schema_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id, workspace_id, name, now, created_by, _written(schema), int(schema is not None)),
    )
    return _one(connection.execute(f"{_SELECT} WHERE id = ?", (id,)))


def find(connection: sqlite3.Connection, id: str) -> StoredDataset | None:
    """The dataset of that id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredDataset:
    """The dataset of that number, which is known to be there."""
    return _one(connection.execute(f"{_SELECT} WHERE number = ?", (number,)))


def insert_datapoints(
    connection: sqlite3.Connection, dataset: int, first_position: int, records: Iterable[JsonObject]
) -> None:
    """Write records to consecutive positions. They count only once `set_datapoint_count` says so."""
    connection.executemany(
        "INSERT INTO datapoint (dataset, position, record) VALUES (?, ?, ?)",
        ((dataset, position, render(record)) for position, record in enumerate(records, first_position)),
    )


def delete_datapoints_from(
    connection: sqlite3.Connection, dataset: int, first_position: int, limit: int
) -> int:
    """Delete at most `limit` datapoints from a position on; how many were deleted."""
    return connection.execute(
        "DELETE FROM datapoint WHERE dataset = ?1 AND position IN"
        " (SELECT position FROM datapoint WHERE dataset = ?1 AND position >= ?2 LIMIT ?3)",
        (dataset, first_position, limit),
    ).rowcount


def set_datapoint_count(connection: sqlite3.Connection, dataset: int, count: int) -> None:
    """Make the first `count` positions the datapoints of a dataset."""
    connection.execute("UPDATE dataset SET datapoint_count = ? WHERE number = ?", (count, dataset))


def records_of(connection: sqlite3.Connection, dataset: int, count: int) -> Iterator[JsonObject]:
    """The first `count` datapoints of a dataset, in order."""
    yield from records_between(connection, dataset, 0, count)


def records_between(
    connection: sqlite3.Connection, dataset: int, first: int, end: int
) -> Iterator[JsonObject]:
    """The datapoints from one position up to another, in order."""
    for (record,) in connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position >= ? AND position < ? ORDER BY position",
        (dataset, first, end),
    ):
        yield _object(record)


def record_at(connection: sqlite3.Connection, dataset: int, position: int) -> JsonObject:
    """One datapoint, which is known to be there."""
    row = connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position = ?", (dataset, position)
    ).fetchone()
    return _object(row[0])


def _object(text: str) -> JsonObject:
    value = parse(text)
    if not is_object(value):
        raise ValueError("a stored record is no object")
    return value


def _written(schema: Schema | None) -> str | None:
    return None if schema is None else render(write_schema(schema))


def _one(rows: sqlite3.Cursor) -> StoredDataset:
    return _stored(rows.fetchone())


def _stored(row: sqlite3.Row) -> StoredDataset:
    values = dict(row)
    schema = values.pop("schema")
    return StoredDataset(schema=None if schema is None else read_schema(parse(schema)), **values)


_SELECT = (
    "SELECT number, id, workspace_id, name, created_at, created_by, schema, schema_version, datapoint_count"
    " FROM dataset"
)
