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
    """One batch; `dataset` is the row id of the attached dataset."""

    row_id: int
    id: str
    workspace_id: str
    name: str
    created_at: int
    created_by: str
    dataset: int | None
    task_details: JsonObject
    batch_items: BatchItems
    auto_sync_enabled: bool
    status: BatchStatus
    reason: str | None
    """Why the latest setup ended in `ERROR`."""
    tasks_per_group: int | None
    setup: int
    live_items: BatchItems
    total_task_count: int
    total_task_groups: int
    live_version: int | None
    """The schema version of the dataset that the tasks of the latest setup show."""
    handled_count: int
    """How many datapoints of its dataset setup and syncs have processed."""
    annotators_per_task: int
    shuffle_seed: int | None
    place_timeout: int
    """Milliseconds of inactivity after which a place in a group is free for other participants."""
    participation_key: str
    language: str | None
    """The language of its participant pages, as a BCP 47 tag; None for that of the service."""
    is_collection: bool
    """Whether this is the study of a collection and not a batch."""
    legacy_instruction_count: int
    """The number of separate instructions, which only a batch without a layout has."""


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
    auto_sync_enabled: bool = False,
    tasks_per_group: int | None = None,
    is_collection: bool = False,
    id: str | None = None,
) -> StoredBatch:
    """Create a batch that is not set up, with a new id unless one is given."""
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
    """The batch with an id."""
    study = find_study(connection, id)
    return None if study is None or study.is_collection else study


def find_study(connection: sqlite3.Connection, id: str) -> StoredBatch | None:
    """The study with an id: a batch, or the study of a collection."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id.lower(),)).fetchone()
    return _stored(row) if row else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredBatch:
    """The batch with a row id, which must exist."""
    return _stored(connection.execute(f"{_SELECT} WHERE number = ?", (row_id,)).fetchone())


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
    """The values of an update. None leaves a value unchanged; `batch_items` is set if `sets_layout`."""

    name: str | None = None
    task_details: JsonObject | None = None
    dataset: int | None = None
    auto_sync_enabled: bool | None = None
    sets_layout: bool = False
    batch_items: BatchItems = None


def update(connection: sqlite3.Connection, row_id: int, values: BatchUpdateValues) -> StoredBatch:
    """Update a batch, and return it."""
    connection.execute(
        "UPDATE batch SET name = coalesce(?, name), task_details = coalesce(?, task_details),"
        " dataset = coalesce(?, dataset), auto_sync_enabled = coalesce(?, auto_sync_enabled),"
        " batch_items = CASE WHEN ? THEN ? ELSE batch_items END WHERE number = ?",
        (
            values.name,
            None if values.task_details is None else to_json(values.task_details),
            values.dataset,
            values.auto_sync_enabled,
            values.sets_layout,
            values.batch_items,
            row_id,
        ),
    )
    return get(connection, row_id)


def record_use(connection: sqlite3.Connection, row_id: int, now: int) -> None:
    """Record that a batch or collection was changed: what was not used for long may be deleted."""
    connection.execute("UPDATE batch SET used_at = max(used_at, ?) WHERE number = ?", (now, row_id))


def start_setup(connection: sqlite3.Connection, row_id: int, dataset: int, tasks_per_group: int) -> None:
    """Record that a setup was accepted."""
    connection.execute(
        "UPDATE batch SET status = ?, fault = NULL, dataset = ?, tasks_per_group = ? WHERE number = ?",
        (BatchStatus.PROCESSING, dataset, tasks_per_group, row_id),
    )


def finish_setup(
    connection: sqlite3.Connection,
    row_id: int,
    *,
    live_items: BatchItems,
    live_version: int,
    tasks: int,
    groups: int,
) -> None:
    """Make the tasks of the new setup live, with the layout that they show."""
    connection.execute(
        "UPDATE batch SET status = ?, setup = setup + 1, live_items = ?,"
        " live_version = ?, total_task_count = ?, total_task_groups = ?, handled_count = ? WHERE number = ?",
        (BatchStatus.READY, live_items, live_version, tasks, groups, tasks, row_id),
    )
    connection.execute(
        "INSERT INTO setup_layout (batch, setup, items)"
        " SELECT number, setup, live_items FROM batch WHERE number = ? AND NOT is_collection",
        (row_id,),
    )


def setup_layouts(connection: sqlite3.Connection, row_id: int) -> dict[int, BatchItems]:
    """The layouts that the tasks of each setup of a batch show, by setup.

    Of setups before the latest one, data folders of earlier versions of the program have none.
    """
    rows = connection.execute("SELECT setup, items FROM setup_layout WHERE batch = ?", (row_id,))
    return dict(rows.fetchall())


def add_counts(connection: sqlite3.Connection, row_id: int, *, tasks: int, groups: int) -> None:
    """Add the tasks, each for one datapoint, and groups that a sync has created."""
    connection.execute(
        "UPDATE batch SET total_task_count = total_task_count + :tasks,"
        " total_task_groups = total_task_groups + :groups, handled_count = handled_count + :tasks"
        " WHERE number = :number",
        {"tasks": tasks, "groups": groups, "number": row_id},
    )


def auto_sync_batches(connection: sqlite3.Connection, dataset: int) -> list[StoredBatch]:
    """The ready batches with auto-sync on this dataset (wire reference, section 15)."""
    rows = connection.execute(
        f"{_SELECT} WHERE dataset = ? AND auto_sync_enabled AND status = ? ORDER BY number",
        (dataset, BatchStatus.READY),
    )
    return [_stored(row) for row in rows]


def fail_setup(connection: sqlite3.Connection, row_id: int, reason: str) -> None:
    """Record that a setup failed, and why; the tasks of the previous setup stay."""
    connection.execute(
        "UPDATE batch SET status = ?, fault = ? WHERE number = ?", (BatchStatus.ERROR, reason, row_id)
    )


def set_annotators_per_task(connection: sqlite3.Connection, row_id: int, count: int) -> None:
    """Set how many participants each task group is assigned to."""
    connection.execute("UPDATE batch SET annotators_per_task = ? WHERE number = ?", (count, row_id))


def set_place_timeout(connection: sqlite3.Connection, row_id: int, milliseconds: int) -> None:
    """Set how long a participant may be inactive before the place is free for others."""
    connection.execute("UPDATE batch SET place_timeout = ? WHERE number = ?", (milliseconds, row_id))


def set_language(connection: sqlite3.Connection, row_id: int, language: str) -> None:
    """Set the language of the participant pages."""
    connection.execute("UPDATE batch SET language = ? WHERE number = ?", (language, row_id))


def language_of(connection: sqlite3.Connection, id: str) -> str | None:
    """The language of the study with an id; None if it has none or does not exist."""
    row = connection.execute("SELECT language FROM batch WHERE id = ?", (id.lower(),)).fetchone()
    return None if row is None else row["language"]


def set_shuffle_seed(connection: sqlite3.Connection, row_id: int, seed: int) -> None:
    """Set the seed for the random groups of the next setup."""
    connection.execute("UPDATE batch SET shuffle_seed = ? WHERE number = ?", (seed, row_id))


def _stored(row: sqlite3.Row) -> StoredBatch:
    values = dict(row)
    details = parse(values.pop("task_details"), DEEPEST_WRAPPED)
    return StoredBatch(
        task_details=details if is_object(details) else {},
        auto_sync_enabled=bool(values.pop("auto_sync_enabled")),
        status=BatchStatus(values.pop("status")),
        is_collection=bool(values.pop("is_collection")),
        **values,
    )


_SELECT = (
    "SELECT number AS row_id, id, workspace_id, name, created_at, created_by, dataset, task_details,"
    " batch_items, auto_sync_enabled, status, fault AS reason, tasks_per_group, setup, live_items,"
    " total_task_count, total_task_groups, live_version, handled_count, annotators_per_task, shuffle_seed,"
    " place_timeout,"
    " participation_key, language, is_collection,"
    " (SELECT count(*) FROM instruction WHERE batch = batch.number) AS legacy_instruction_count FROM batch"
)
