"""Datasets and their datapoints. `number` is a dataset's row; its `id` is what travels."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batchwright.base.json_values import JsonObject, is_object, parse, to_json
from batchwright.schema.model import Schema
from batchwright.schema.parsing import trusted_schema, write_schema
from batchwright.service.store import ids
from batchwright.wire.datasets import DatasetStatus


@dataclass(frozen=True)
class StoredDataset:
    """A dataset of either generation; `schema` is None while none is set.

    That of a V3 dataset is ours alone: it is made of the columns of its files.
    """

    number: int
    id: str
    workspace_id: str
    name: str
    created_at: int
    created_by: str
    schema: Schema | None
    schema_version: int
    datapoint_count: int
    status: DatasetStatus | None
    """Of a V3 dataset; V4 ones have none."""
    filename: str | None
    """Of the file that came last to a V3 dataset."""
    fault: str | None
    """Why a V3 dataset is in `ERROR`."""

    @property
    def is_v4(self) -> bool:
        """Whether it has a schema that its owner gives it, and imports."""
        return self.status is None


def add(
    connection: sqlite3.Connection,
    *,
    workspace_id: str,
    name: str,
    schema: Schema | None,
    created_by: str,
    now: int,
    status: DatasetStatus | None = None,
) -> StoredDataset:
    """Make a dataset without datapoints, V3 if it has a status; a schema is version 1 (wire.md 4.1)."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO dataset (id, workspace_id, name, created_at, created_by, status, schema_version)"
        " VALUES (?, ?, ?, ?, ?, ?, 0)",
        (id, workspace_id, name, now, created_by, status),
    )
    dataset = _one(connection.execute(f"{_SELECT} WHERE id = ?", (id,)))
    return dataset if schema is None else set_schema(connection, dataset.number, schema)


def set_schema(connection: sqlite3.Connection, number: int, schema: Schema) -> StoredDataset:
    """Give a dataset another schema: every one is a version (Datasets rule 1)."""
    text = to_json(write_schema(schema))
    connection.execute(
        "UPDATE dataset SET schema = ?, schema_version = schema_version + 1 WHERE number = ?", (text, number)
    )
    connection.execute(
        "INSERT INTO dataset_schema (dataset, version, schema)"
        " SELECT number, schema_version, schema FROM dataset WHERE number = ?",
        (number,),
    )
    return get(connection, number)


def schema_at(connection: sqlite3.Connection, number: int, version: int) -> Schema:
    """The schema of a version, which is known to be there."""
    row = connection.execute(
        "SELECT schema FROM dataset_schema WHERE dataset = ? AND version = ?", (number, version)
    ).fetchone()
    return trusted_schema(parse(row[0]))


def find(connection: sqlite3.Connection, id: str) -> StoredDataset | None:
    """The dataset of that id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredDataset:
    """The dataset of that number, which is known to be there."""
    return _one(connection.execute(f"{_SELECT} WHERE number = ?", (number,)))


def insert_datapoints(
    connection: sqlite3.Connection,
    dataset: int,
    first_position: int,
    records: Iterable[JsonObject],
    version: int,
) -> None:
    """Write records, in the form of a schema version, to consecutive positions.

    They count only once `set_datapoint_count` says so.
    """
    connection.executemany(
        "INSERT INTO datapoint (dataset, position, record, version) VALUES (?, ?, ?, ?)",
        (
            (dataset, position, to_json(record), version)
            for position, record in enumerate(records, first_position)
        ),
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
        yield record_in(record)


def record_at_version(
    connection: sqlite3.Connection, dataset: int, position: int, version: int
) -> JsonObject:
    """One datapoint as it was until the first version after this one, which may be now (wire.md 15)."""
    row = connection.execute(
        "SELECT record FROM datapoint_before WHERE dataset = ? AND position = ? AND version > ?"
        " ORDER BY version LIMIT 1",
        (dataset, position, version),
    ).fetchone()
    return record_in(row[0]) if row else record_at(connection, dataset, position)


def record_at(connection: sqlite3.Connection, dataset: int, position: int) -> JsonObject:
    """One datapoint, which is known to be there."""
    row = connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position = ?", (dataset, position)
    ).fetchone()
    return record_in(row[0])


def record_in(text: str) -> JsonObject:
    """The record in a text that the store wrote.

    Raises:
        ValueError: it is none; the database was changed by somebody else.
    """
    value = parse(text)
    if not is_object(value):
        raise ValueError("a stored record is no object")
    return value


def _one(rows: sqlite3.Cursor) -> StoredDataset:
    return _stored(rows.fetchone())


def _stored(row: sqlite3.Row) -> StoredDataset:
    values = dict(row)
    schema, status = values.pop("schema"), values.pop("status")
    return StoredDataset(
        schema=None if schema is None else trusted_schema(parse(schema)),
        status=None if status is None else DatasetStatus(status),
        **values,
    )


_SELECT = (
    "SELECT number, id, workspace_id, name, created_at, created_by, schema, schema_version, datapoint_count,"
    " status, filename, fault FROM dataset"
)
