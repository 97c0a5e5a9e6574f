"""Collections: pages of content and instructions without a dataset (specification, Collection).

A collection has a row of `batch` with its id, on which submissions, answers, files and exports hang
as they do on a batch. Its *editions* are what setups are for a batch: each has one task group of one
task, without a datapoint, for as many people as come.
"""

import sqlite3
from dataclasses import dataclass

from batchwright.base.json_values import DEEPEST_WRAPPED, Json, JsonObject, is_array, parse, to_json
from batchwright.service.store import batches, tasks
from batchwright.service.store.batches import BatchUpdateValues, StoredBatch
from batchwright.service.store.tasks import Group, Task

_EVERYBODY = 1_000_000_000
"""How many people a collection is handed to: more than there can be."""

ONLY_TASK = Task(number=0, group=0, dataset=0, position=0)
"""What answers to a collection belong to; it shows no datapoint, and no row of `task` stands for it."""


@dataclass(frozen=True)
class StoredCollection:
    """One collection; `study` is what participants take part in, with its id, name and task details."""

    study: StoredBatch
    items: list[Json]
    """The pages in their order, as answers show them."""
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
    """Make a collection; `set_pages` gives it its pages."""
    study = batches.add(
        connection,
        workspace_id=workspace_id,
        name=name,
        created_by=created_by,
        now=now,
        task_details=task_details,
        dataset=None,
        batch_items=None,
        auto_sync_enabled=None,
        is_collection=True,
        id=id,
    )
    batches.set_annotators_per_task(connection, study.number, _EVERYBODY)
    connection.execute("INSERT INTO collection (batch, collection_items) VALUES (?, '[]')", (study.number,))
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
    """Give a collection another name and other task details, and note who updated it and when."""
    study = batches.update(
        connection, collection.study.number, BatchUpdateValues(name=name, task_details=task_details)
    )
    connection.execute(
        "UPDATE collection SET last_modified_at = ?, last_modified_by = ? WHERE batch = ?",
        (now, modified_by, study.number),
    )
    return _of_study(connection, study)


def set_pages(
    connection: sqlite3.Connection, collection: StoredCollection, items: list[Json], edition: str | None
) -> StoredCollection:
    """Give a collection its pages, as answers show them.

    With an `edition`, the layout of a new one, participants begin that from now on; what they sent
    before is kept.
    """
    number, before = collection.study.number, collection.study.setup
    connection.execute("UPDATE collection SET collection_items = ? WHERE batch = ?", (to_json(items), number))
    if edition is not None:
        tasks.clear_setup(connection, number, before, limit=1)
        tasks.insert_groups(connection, number, before + 1, [Group(number=0, key=None, task_count=1)])
        batches.finish_setup(connection, number, live_items=edition, live_version=0, tasks=1, groups=1)
    return _of_study(connection, batches.get(connection, number))


def find(connection: sqlite3.Connection, id: str) -> StoredCollection | None:
    """The collection of that id."""
    study = batches.find_study(connection, id)
    return _of_study(connection, study) if study is not None and study.is_collection else None


def get(connection: sqlite3.Connection, number: int) -> StoredCollection:
    """The collection whose study has that number, which is known to be there."""
    return _of_study(connection, batches.get(connection, number))


def of_workspace(
    connection: sqlite3.Connection, workspace_id: str, *, limit: int = -1, offset: int = 0
) -> list[StoredCollection]:
    """The collections of a workspace, the newest first; a limit of -1 means all."""
    studies = batches.of_workspace(connection, workspace_id, limit=limit, offset=offset, is_collection=True)
    return [_of_study(connection, study) for study in studies]


def _of_study(connection: sqlite3.Connection, study: StoredBatch) -> StoredCollection:
    row = connection.execute(
        "SELECT collection_items, last_modified_at, last_modified_by FROM collection WHERE batch = ?",
        (study.number,),
    ).fetchone()
    items = parse(row["collection_items"], DEEPEST_WRAPPED)
    return StoredCollection(
        study, list(items) if is_array(items) else [], row["last_modified_at"], row["last_modified_by"]
    )
