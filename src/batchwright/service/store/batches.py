"""Batches: their details, their layout, and the state of their setup (specification, Batch)."""

import secrets
import sqlite3
from dataclasses import dataclass
from typing import TypeAlias

from batchwright.base.json_values import DEEPEST_WRAPPED, JsonObject, is_object, parse, to_json
from batchwright.service.store import ids
from batchwright.wire.batches import BatchStatus

BatchItems: TypeAlias = str | None
"""The layout as JSON text, or None for a legacy batch."""


@dataclass(frozen=True)
class StoredBatch:
    """One batch; `dataset` is the number of the attached one."""

    number: int
    id: str
    workspace_id: str
    name: str
    created_at: int
    created_by: str
    dataset: int | None
    task_details: JsonObject
    batch_items: BatchItems
    auto_sync_enabled: bool | None
    status: BatchStatus
    fault: str | None
    """Why the latest setup ended in `ERROR`."""
    tasks_per_group: int | None
    setup: int
    live_items: BatchItems
    total_task_count: int
    total_task_groups: int
    live_version: int | None
    """The schema version of the dataset that the tasks of the latest setup show."""
    handled_count: int
    """How many datapoints of its dataset setup and syncs have seen."""
    annotators_per_task: int
    shuffle_seed: int | None
    participation_key: str
    is_collection: bool
    """Whether this is what participants take part in of a collection, and no batch of its own."""
    legacy_instruction_count: int
    """How many instructions it has beside its layout: none, unless it has no layout."""


def add(
    connection: sqlite3.Connection,
    *,
    workspace_id: str,
    name: str,
    created_by: str,
    now: int,
    task_details: JsonObject,
    dataset: int | None,
    batch_items: BatchItems,
    auto_sync_enabled: bool | None,
    tasks_per_group: int | None = None,
    is_collection: bool = False,
    id: str | None = None,
) -> StoredBatch:
    """Make a batch that is not set up, with a new id where none is given."""
    id = id or ids.new_id()
    connection.execute(
        "INSERT INTO batch (id, workspace_id, name, created_at, created_by, dataset, task_details,"
        " batch_items, auto_sync_enabled, tasks_per_group, status, participation_key, is_collection)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id,
            workspace_id,
            name,
            now,
            created_by,
            dataset,
            to_json(task_details),
            batch_items,
            auto_sync_enabled,
            tasks_per_group,
            BatchStatus.UNINITIALISED,
            secrets.token_urlsafe(18),
            is_collection,
        ),
    )
    return _stored(connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone())


def find(connection: sqlite3.Connection, id: str) -> StoredBatch | None:
    """The batch of that id."""
    study = find_study(connection, id)
    return None if study is None or study.is_collection else study


def find_study(connection: sqlite3.Connection, id: str) -> StoredBatch | None:
    """The batch or collection of that id: what participants take part in."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, number: int) -> StoredBatch:
    """The batch of that number, which is known to be there."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone())


def count_in(connection: sqlite3.Connection, workspace_id: str, *, is_collection: bool = False) -> int:
    """How many batches, or collections, a workspace has."""
    (count,) = connection.execute(
        "SELECT count(*) FROM batch WHERE workspace_id = ? AND is_collection = ?",
        (workspace_id, is_collection),
    ).fetchone()
    return int(count)


def of_workspace(
    connection: sqlite3.Connection,
    workspace_id: str,
    *,
    limit: int = -1,
    offset: int = 0,
    is_collection: bool = False,
) -> list[StoredBatch]:
    """The batches, or collections, of a workspace, the newest first; a limit of -1 means all."""
    rows = connection.execute(
        f"{_SELECT} WHERE workspace_id = ? AND is_collection = ? ORDER BY number DESC LIMIT ? OFFSET ?",
        (workspace_id, is_collection, limit, offset),
    )
    return [_stored(row) for row in rows]


@dataclass(frozen=True)
class BatchUpdateValues:
    """What an update sets; None leaves a thing as it is, and `layout` says whether `batch_items` is meant."""

    name: str | None = None
    task_details: JsonObject | None = None
    dataset: int | None = None
    auto_sync_enabled: bool | None = None
    layout: bool = False
    batch_items: BatchItems = None


def update(connection: sqlite3.Connection, number: int, change: BatchUpdateValues) -> StoredBatch:
    """Change a batch; the batch as it is then."""
    connection.execute(
        "UPDATE batch SET name = coalesce(?, name), task_details = coalesce(?, task_details),"
        " dataset = coalesce(?, dataset), auto_sync_enabled = coalesce(?, auto_sync_enabled),"
        " batch_items = CASE WHEN ? THEN ? ELSE batch_items END WHERE number = ?",
        (
            change.name,
            None if change.task_details is None else to_json(change.task_details),
            change.dataset,
            change.auto_sync_enabled,
            change.layout,
            change.batch_items,
            number,
        ),
    )
    return get(connection, number)


def begin_setup(connection: sqlite3.Connection, number: int, dataset: int, tasks_per_group: int) -> None:
    """Note that a setup was accepted."""
    connection.execute(
        "UPDATE batch SET status = ?, fault = NULL, dataset = ?, tasks_per_group = ? WHERE number = ?",
        (BatchStatus.PROCESSING, dataset, tasks_per_group, number),
    )


def finish_setup(
    connection: sqlite3.Connection,
    number: int,
    *,
    live_items: BatchItems,
    live_version: int,
    tasks: int,
    groups: int,
) -> None:
    """Make the tasks of the next setup the live ones, with the layout that they show."""
    connection.execute(
        "UPDATE batch SET status = ?, setup = setup + 1, live_items = ?,"
        " live_version = ?, total_task_count = ?, total_task_groups = ?, handled_count = ? WHERE number = ?",
        (BatchStatus.READY, live_items, live_version, tasks, groups, tasks, number),
    )


def add_counts(connection: sqlite3.Connection, number: int, *, tasks: int, groups: int) -> None:
    """Count tasks, each for one more datapoint, and groups that a sync has made."""
    connection.execute(
        "UPDATE batch SET total_task_count = total_task_count + ?1,"
        " total_task_groups = total_task_groups + ?2, handled_count = handled_count + ?1 WHERE number = ?3",
        (tasks, groups, number),
    )


def auto_sync_batches(connection: sqlite3.Connection, dataset: int) -> list[StoredBatch]:
    """The batches that are synced whenever this dataset grows: ready ones that were told so (wire.md 15)."""
    rows = connection.execute(
        f"{_SELECT} WHERE dataset = ? AND auto_sync_enabled AND status = ? ORDER BY number",
        (dataset, BatchStatus.READY),
    )
    return [_stored(row) for row in rows]


def fail_setup(connection: sqlite3.Connection, number: int, reason: str) -> None:
    """Note that a setup went wrong, and why; the tasks of the one before stay."""
    connection.execute(
        "UPDATE batch SET status = ?, fault = ? WHERE number = ?", (BatchStatus.ERROR, reason, number)
    )


def set_annotators_per_task(connection: sqlite3.Connection, number: int, count: int) -> None:
    """Say how many people each task group is handed to."""
    connection.execute("UPDATE batch SET annotators_per_task = ? WHERE number = ?", (count, number))


def set_shuffle_seed(connection: sqlite3.Connection, number: int, seed: int) -> None:
    """Say what the random groups of the next setup are drawn from."""
    connection.execute("UPDATE batch SET shuffle_seed = ? WHERE number = ?", (seed, number))


def _stored(row: sqlite3.Row) -> StoredBatch:
    values = dict(row)
    details = parse(values.pop("task_details"), DEEPEST_WRAPPED)
    auto_sync = values.pop("auto_sync_enabled")
    return StoredBatch(
        task_details=details if is_object(details) else {},
        auto_sync_enabled=None if auto_sync is None else bool(auto_sync),
        status=BatchStatus(values.pop("status")),
        is_collection=bool(values.pop("is_collection")),
        **values,
    )


_SELECT = (
    "SELECT number, id, workspace_id, name, created_at, created_by, dataset, task_details, batch_items,"
    " auto_sync_enabled, status, fault, tasks_per_group, setup, live_items, total_task_count,"
    " total_task_groups, live_version, handled_count, annotators_per_task, shuffle_seed, participation_key,"
    " is_collection,"
    " (SELECT count(*) FROM instruction WHERE batch = batch.number) AS legacy_instruction_count FROM batch"
)
