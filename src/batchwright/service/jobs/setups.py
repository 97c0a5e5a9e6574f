"""Making the tasks of a batch (specification, Batches rule 5).

The tasks of a setup are written under its number while those of the setup before stay the live
ones; the last transaction makes the new ones live, all at once. An interrupted one is continued.
Each transaction first checks that no later setup of the batch was accepted meanwhile: that one wins,
and removes what this one has written.
"""

import random
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from batchwright.base.database import Connection
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.option_values import as_text
from batchwright.service.jobs.context import JobContext, in_slices
from batchwright.service.store import batches, datasets, jobs, syncs, tasks
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.tasks import Group, Task


@dataclass(frozen=True)
class Grouping:
    """The number of each task's group, by number of the task, and the groups."""

    group_of: "array[int]"
    groups: list[Group]


def begin(_bench: JobContext, _job: StoredJob) -> None:
    """Nothing more is to be seen: the batch has been `PROCESSING` since the request."""


class _Superseded(Exception):
    """A later setup of the batch was accepted."""


def run(bench: JobContext, job: StoredJob) -> None:
    """Write groups and tasks, then make them live; stop as soon as a later setup was accepted."""
    with suppress(_Superseded):
        _run(bench, job)


def _run(bench: JobContext, job: StoredJob) -> None:
    asked = _Asked.of(job)
    with bench.database.read() as connection:
        batch = batches.get(connection, job.subject)
    setup = batch.setup + 1
    grouping = _grouping(bench, asked)
    with bench.database.read() as connection:
        written = _written(connection, batch.number, setup, asked.dataset, grouping)
    if written is None:
        _clear(bench, job, batch.number, setup)
        written = _Written(0, 0)
    for groups in in_slices(islice(grouping.groups, written.groups, None)):
        with _transaction(bench, job) as connection:
            tasks.insert_groups(connection, batch.number, setup, groups)
            jobs.reset_attempts(connection, job.number)
    numbered = ((number, group, number) for number, group in enumerate(grouping.group_of))
    for part in in_slices(islice(numbered, written.tasks, None)):
        with _transaction(bench, job) as connection:
            tasks.insert_tasks(connection, batch.number, setup, asked.dataset, part)
            jobs.reset_attempts(connection, job.number)
    with _transaction(bench, job) as connection:
        batches.finish_setup(
            connection,
            batch.number,
            live_items=asked.batch_items,
            live_version=asked.schema_version,
            tasks=asked.datapoints,
            groups=len(grouping.groups),
        )
        syncs.clear_start_positions(connection, batch.number)
        jobs.done(connection, job.number)


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """Leave the batch in `ERROR`, with the tasks it had before."""
    with suppress(_Superseded), _transaction(bench, job) as connection:
        batches.fail_setup(connection, job.subject, reason)
        jobs.done(connection, job.number)


@contextmanager
def _transaction(bench: JobContext, job: StoredJob) -> Iterator[Connection]:
    """A transaction of this setup.

    Raises:
        _Superseded: a later one was accepted.
    """
    with bench.database.write() as connection:
        if not jobs.is_pending(connection, job.number):
            raise _Superseded
        yield connection


def random_groups(count: int, tasks_per_group: int, chance: random.Random) -> Grouping:
    """Groups of so many tasks, put together at random; the last may be smaller."""
    order = array("I", range(count))
    chance.shuffle(order)
    group_of = array("I", bytes(order.itemsize * count))
    for place, number in enumerate(order):
        group_of[number] = place // tasks_per_group
    sizes = (min(tasks_per_group, count - first) for first in range(0, count, tasks_per_group))
    return Grouping(group_of, [Group(number, None, size) for number, size in enumerate(sizes)])


def predetermined_groups(values: Iterable[Json]) -> Grouping:
    """A group for each value; who has none is a group alone (wire.md 5.4)."""
    group_of = array("I")
    keys: list[str | None] = []
    sizes: list[int] = []
    known: dict[str, int] = {}
    for value in values:
        key = None if value is None else as_text(value)
        number = len(keys) if key is None else known.setdefault(key, len(keys))
        if number == len(keys):
            keys.append(key)
            sizes.append(0)
        sizes[number] += 1
        group_of.append(number)
    groups = [Group(number, key, size) for number, (key, size) in enumerate(zip(keys, sizes, strict=True))]
    return Grouping(group_of, groups)


@dataclass(frozen=True)
class _Asked:
    """What the setup was accepted for."""

    dataset: int
    datapoints: int
    schema_version: int
    tasks_per_group: int
    batch_items: str | None
    shuffle_seed: int | None

    @classmethod
    def of(cls, job: StoredJob) -> "_Asked":
        items, seed = job.detail["batch_items"], job.detail["shuffle_seed"]
        return cls(
            _whole(job.detail, "dataset"),
            _whole(job.detail, "datapoints"),
            _whole(job.detail, "schema_version"),
            _whole(job.detail, "tasks_per_group"),
            items if isinstance(items, str) else None,
            seed if isinstance(seed, int) else None,
        )


def _whole(detail: JsonObject, name: str) -> int:
    value = detail[name]
    if not isinstance(value, int):
        raise TypeError(f"{name} of a setup is no number")
    return value


def _grouping(bench: JobContext, asked: _Asked) -> Grouping:
    with bench.database.read() as connection:
        schema = datasets.get(connection, asked.dataset).schema
        field = schema.task_group_field if schema else None
        if field is None:
            chance = random.Random(asked.shuffle_seed)  # noqa: S311 - groups, not secrets
            return random_groups(asked.datapoints, asked.tasks_per_group, chance)
        records = datasets.records_of(connection, asked.dataset, asked.datapoints)
        return predetermined_groups(_values(records, field))


def _values(records: Iterable[JsonObject], field: str) -> Iterator[Json]:
    return (record.get(field) for record in records)


class _Written(NamedTuple):
    """How many groups and tasks an interrupted run has written."""

    groups: int
    tasks: int


def _written(
    connection: Connection, batch: int, setup: int, dataset: int, grouping: Grouping
) -> _Written | None:
    """What is there of a grouping; None where anything else is, such as what a superseded setup wrote."""
    groups = 0
    for group in tasks.groups_of(connection, batch, setup):
        if grouping.groups[groups : groups + 1] != [group]:
            return None
        groups += 1
    written = 0
    for task in tasks.of_setup(connection, batch, setup):
        is_expected = written < len(grouping.group_of)
        if not is_expected or task != Task(written, grouping.group_of[written], dataset, written):
            return None
        written += 1
    return _Written(groups, written)


def _clear(bench: JobContext, job: StoredJob, batch: int, setup: int) -> None:
    """Remove what a setup that was superseded has left."""
    deleted = ROWS_PER_TRANSACTION
    while deleted:
        with _transaction(bench, job) as connection:
            deleted = tasks.clear_setup(connection, batch, setup, ROWS_PER_TRANSACTION)
            if deleted:
                jobs.reset_attempts(connection, job.number)
