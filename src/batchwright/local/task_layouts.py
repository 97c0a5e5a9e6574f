"""The layouts that participants were given: what each batch had when its tasks were created.

A service changes the layout of a batch at once, but its tasks keep the earlier one until the next setup.
Which one they have is in no response of the specification, so it is stored here when a service accepts a
setup. All setups of a batch are stored, because answers to the tasks of earlier ones may be in its export;
equal layouts are stored once.
"""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from batchwright.base.database import Database
from batchwright.base.json_values import DEEPEST_WRAPPED, Json, is_array, is_object, parse, to_json
from batchwright.base.text import without_lone_surrogates
from batchwright.local.analysis_settings import AnswersKey
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds


@dataclass(frozen=True)
class TaskLayout:
    """The layout of the tasks of one setup."""

    accepted_at: datetime
    """When the service accepted the setup."""
    pages: Sequence[Json]
    """`batch_items` or `collection_items` at that time, with the ids of the service."""
    dataset_ids: tuple[str, ...] = ()
    """The datasets attached then."""
    is_assumed: bool = False
    """Whether the setup was not noticed here: this is what the batch had when it was first fetched."""


class TaskLayoutTable:
    """The layouts of all setups, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: AnswersKey, layout: TaskLayout) -> None:
        """Store the layout of a setup that a service has just accepted.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        content = to_json({"dataset_ids": layout.dataset_ids, "pages": layout.pages}).encode()
        digest = hashlib.sha256(content).hexdigest()
        source, at = without_lone_surrogates(key.source), to_milliseconds(layout.accepted_at)
        with self._database.write() as connection:
            connection.execute(_INSERT_CONTENT, (digest, zlib.compress(content)))
            connection.execute(_INSERT, (key.connection, source, at, layout.is_assumed, digest))

    def last(self, key: AnswersKey) -> TaskLayout | None:
        """The layout of the latest setup; None if no setup was stored."""
        layouts = self._select(key, limit=1)
        return layouts[0] if layouts else None

    def all(self, key: AnswersKey) -> list[TaskLayout]:
        """The layouts of all setups, oldest first."""
        return self._select(key, limit=-1)[::-1]

    def _select(self, key: AnswersKey, limit: int) -> list[TaskLayout]:
        with self._database.read() as connection:
            rows = connection.execute(_SELECT, (*key, limit)).fetchall()
        return list(map(_task_layout, rows))


def _task_layout(row: Mapping[str, Any]) -> TaskLayout:
    value = parse(zlib.decompress(row["content"]), DEEPEST_WRAPPED)
    pages = value.get("pages") if is_object(value) else None
    dataset_ids = value.get("dataset_ids") if is_object(value) else None
    return TaskLayout(
        from_milliseconds(row["accepted_at"]),
        pages if is_array(pages) else (),
        tuple(map(str, dataset_ids)) if is_array(dataset_ids) else (),
        bool(row["is_assumed"]),
    )


_INSERT_CONTENT = "INSERT INTO task_layout_content (digest, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
_INSERT = (
    "INSERT INTO task_layout (connection, source, accepted_at, is_assumed, content) VALUES (?, ?, ?, ?, ?)"
)
_SELECT = """
SELECT accepted_at, is_assumed, task_layout_content.content FROM task_layout
JOIN task_layout_content ON digest = task_layout.content
WHERE connection = ? AND source = ? ORDER BY number DESC LIMIT ?
"""
