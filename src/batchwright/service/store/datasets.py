"""Datasets and their datapoints. `row_id` is the primary key; `id` is the id that clients use."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batchwright.base.json_values import JsonObject, is_object, parse, to_json
from batchwright.schema.model import Schema
from batchwright.schema.parsing import read_stored_schema, write_schema
from batchwright.service.store import ids, imports
from batchwright.wire.datasets import DatasetStatus


@dataclass(frozen=True)
class StoredDataset:
    """A V3 or V4 dataset; `schema` is None until one is set.

    The schema of a V3 dataset is internal, created from the columns of its files.
    """

    row_id: int
    id: str
    workspace_id: str
    name: str
    created_at: int
    created_by: str
    schema: Schema | None
    schema_version: int
    datapoint_count: int
    status: DatasetStatus | None
    """The status of a V3 dataset; None for V4."""
    filename: str | None
    """The name of the latest file of a V3 dataset."""
    reason: str | None
    """Why a V3 dataset is in `ERROR`."""

    @property
    def is_v4(self) -> bool:
        """Whether it is a V4 dataset, with a schema set by its owner, and imports."""
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
    """Create an empty dataset: V3 if it has a status; a schema is version 1 (wire reference, section 4.1)."""
    id = ids.new_id()
    connection.execute(
        "INSERT INTO dataset (id, workspace_id, name, created_at, created_by, status, schema_version)"
        " VALUES (?, ?, ?, ?, ?, ?, 0)",
        (id, workspace_id, name, now, created_by, status),
    )
    dataset = _dataset(connection.execute(f"{_SELECT} WHERE id = ?", (id,)))
    return dataset if schema is None else set_schema(connection, dataset.row_id, schema)


def set_schema(connection: sqlite3.Connection, row_id: int, schema: Schema) -> StoredDataset:
    """Set the schema of a dataset, as a new version (Datasets rule 1)."""
    text = to_json(write_schema(schema))
    connection.execute(
        "UPDATE dataset SET schema = ?, schema_version = schema_version + 1 WHERE number = ?", (text, row_id)
    )
    connection.execute(
        "INSERT INTO dataset_schema (dataset, version, schema)"
        " SELECT number, schema_version, schema FROM dataset WHERE number = ?",
        (row_id,),
    )
    return get(connection, row_id)


def record_use(connection: sqlite3.Connection, row_id: int, now: int) -> None:
    """Record that a dataset was changed: what was not used for long may be deleted."""
    connection.execute("UPDATE dataset SET used_at = max(used_at, ?) WHERE number = ?", (now, row_id))


def schema_at(connection: sqlite3.Connection, row_id: int, version: int) -> Schema:
    """The schema of a version, which must exist."""
    row = connection.execute(
        "SELECT schema FROM dataset_schema WHERE dataset = ? AND version = ?", (row_id, version)
    ).fetchone()
    return read_stored_schema(parse(row[0]))


def find(connection: sqlite3.Connection, id: str) -> StoredDataset | None:
    """The dataset with an id."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredDataset:
    """The dataset with a row id, which must exist."""
    return _dataset(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)))


def insert_datapoints(
    connection: sqlite3.Connection,
    dataset: int,
    first_position: int,
    records: Iterable[JsonObject],
    version: int,
) -> None:
    """Write records, which conform to a schema version, to consecutive positions.

    They are visible only after `set_datapoint_count`.
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
        "DELETE FROM datapoint WHERE dataset = :dataset AND position IN"
        " (SELECT position FROM datapoint WHERE dataset = :dataset AND position >= :first LIMIT :limit)",
        {"dataset": dataset, "first": first_position, "limit": limit},
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
        yield parse_record(record)


def record_at_version(
    connection: sqlite3.Connection, dataset: int, position: int, version: int
) -> JsonObject:
    """One datapoint as it was at a schema version (wire reference, section 15)."""
    row = connection.execute(
        "SELECT record FROM datapoint_before WHERE dataset = ? AND position = ? AND version > ?"
        " ORDER BY version LIMIT 1",
        (dataset, position, version),
    ).fetchone()
    return parse_record(row[0]) if row else record_at(connection, dataset, position)


def record_at(connection: sqlite3.Connection, dataset: int, position: int) -> JsonObject:
    """One datapoint, which must exist."""
    row = connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position = ?", (dataset, position)
    ).fetchone()
    return parse_record(row[0])


def parse_record(text: str) -> JsonObject:
    """Parse a stored record.

    Raises:
        ValueError: not an object; the database was changed by another program.
    """
    value = parse(text)
    if not is_object(value):
        raise ValueError("a stored record is not an object")
    return value


def _dataset(rows: sqlite3.Cursor) -> StoredDataset:
    return _stored(rows.fetchone())


def _stored(row: sqlite3.Row) -> StoredDataset:
    values = dict(row)
    schema, status = values.pop("schema"), values.pop("status")
    return StoredDataset(
        schema=None if schema is None else read_stored_schema(parse(schema)),
        status=None if status is None else DatasetStatus(status),
        **values,
    )


_SELECT = (
    "SELECT number AS row_id, id, workspace_id, name, created_at, created_by, schema, schema_version,"
    " datapoint_count, status, filename, fault AS reason FROM dataset"
)


def mark_file_received(connection: sqlite3.Connection, row_id: int, filename: str) -> None:
    """Record that a file of a V3 dataset was uploaded."""
    connection.execute(
        "UPDATE dataset SET status = ?, filename = ?, fault = NULL WHERE number = ?",
        (DatasetStatus.PROCESSING, filename, row_id),
    )


def mark_file_processed(connection: sqlite3.Connection, row_id: int, reason: str | None = None) -> None:
    """Record that a file of a V3 dataset was imported, or why not; it stays `PROCESSING` if more wait."""
    if not imports.is_running(connection, row_id):
        connection.execute(
            "UPDATE dataset SET status = ?, fault = ? WHERE number = ?",
            (DatasetStatus.READY if reason is None else DatasetStatus.ERROR, reason, row_id),
        )
