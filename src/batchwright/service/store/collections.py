"""Collections: pages of content and instructions without a dataset (specification, Collection).

A collection also has a row of `batch` with its id, its *study*, so that participant pages, submissions,
answers, files and exports use the same code for both. The *editions* of its pages correspond to the setups of
a batch: each has one task group with one task, without a datapoint, for any number of participants.
"""

import sqlite3
from dataclasses import dataclass

from batchwright.base.json_values import DEEPEST_WRAPPED, Json, JsonObject, is_array, parse, to_json
from batchwright.service.store import batches, tasks
from batchwright.service.store.batches import BatchUpdateValues, StoredBatch
from batchwright.service.store.tasks import Group, Task

_EVERYBODY = 1_000_000_000
"""The number of participants of a collection: effectively unlimited."""

ONLY_TASK = Task(number=0, group=0, dataset=0, position=0)
"""The task that answers to a collection belong to; it has no datapoint and no row in `task`."""


@dataclass(frozen=True)
class StoredCollection:
    """One collection; `study` is its row of `batch`, with id, name and task details."""

    study: StoredBatch
    items: list[Json]
    """The pages in order, as responses return them."""
    last_modified_at: int | None
    last_modified_by: str | None


def add(
    connection: sqlite3.Connection,
    *,
    id: str,
    workspace_id: str,
    name: str,
    created_by: str,
    now: int,
    task_details: JsonObject,
) -> StoredCollection:
    """Create a collection without pages; `set_pages` stores them."""
    study = batches.add(
        connection,
        workspace_id=workspace_id,
        name=name,
        created_by=created_by,
        now=now,
        task_details=task_details,
        dataset=None,
        batch_items=None,
        is_collection=True,
        id=id,
    )
    batches.set_annotators_per_task(connection, study.row_id, _EVERYBODY)
    connection.execute("INSERT INTO collection (batch, collection_items) VALUES (?, '[]')", (study.row_id,))
    return _of_study(connection, study)


def rename(
    connection: sqlite3.Connection,
    collection: StoredCollection,
    *,
    name: str,
    task_details: JsonObject,
    modified_by: str,
    now: int,
) -> StoredCollection:
    """Set name and task details of a collection, and record who changed it and when."""
    study = batches.update(
        connection, collection.study.row_id, BatchUpdateValues(name=name, task_details=task_details)
    )
    connection.execute(
        "UPDATE collection SET last_modified_at = ?, last_modified_by = ? WHERE batch = ?",
        (now, modified_by, study.row_id),
    )
    return _of_study(connection, study)


def set_pages(
    connection: sqlite3.Connection, collection: StoredCollection, items: list[Json], edition: str | None
) -> StoredCollection:
    """Store the pages of a collection, as responses return them.

    With `edition`, the layout of a new edition, participants start that one from now on; earlier answers
    are kept.
    """
    row_id, before = collection.study.row_id, collection.study.setup
    connection.execute("UPDATE collection SET collection_items = ? WHERE batch = ?", (to_json(items), row_id))
    if edition is not None:
        tasks.clear_setup(connection, row_id, before, limit=1)
        tasks.insert_groups(connection, row_id, before + 1, [Group(number=0, key=None, task_count=1)])
        batches.finish_setup(connection, row_id, live_items=edition, live_version=0, tasks=1, groups=1)
    return _of_study(connection, batches.get(connection, row_id))


def find(connection: sqlite3.Connection, id: str) -> StoredCollection | None:
    """The collection with an id."""
    study = batches.find_study(connection, id)
    return _of_study(connection, study) if study is not None and study.is_collection else None


def get(connection: sqlite3.Connection, row_id: int) -> StoredCollection:
    """The collection whose study has a row id; it must exist."""
    return _of_study(connection, batches.get(connection, row_id))


def of_workspace(
    connection: sqlite3.Connection, workspace_id: str, *, limit: int = -1, offset: int = 0
) -> list[StoredCollection]:
    """The collections of a workspace, the newest first; a limit of -1 means all."""
    studies = batches.of_workspace(connection, workspace_id, limit=limit, offset=offset, is_collection=True)
    return [_of_study(connection, study) for study in studies]


def _of_study(connection: sqlite3.Connection, study: StoredBatch) -> StoredCollection:
    row = connection.execute(
        "SELECT collection_items, last_modified_at, last_modified_by FROM collection WHERE batch = ?",
        (study.row_id,),
    ).fetchone()
    items = parse(row["collection_items"], DEEPEST_WRAPPED)
    return StoredCollection(
        study, list(items) if is_array(items) else [], row["last_modified_at"], row["last_modified_by"]
    )
