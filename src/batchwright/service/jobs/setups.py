"""Setups: creating the tasks of a batch (specification, Batches rule 5).

The tasks are written under the number of the new setup while those of the previous setup stay live; the last
transaction makes the new ones live, all at once. An interrupted setup is resumed. Each transaction first
checks that no later setup of the batch was accepted: that one wins, and deletes what this one has written.
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
    """The groups of a setup, and the group number of each task by task number."""

    group_of: "array[int]"
    groups: list[Group]


def start(_context: JobContext, _job: StoredJob) -> None:
    """Nothing to do: the batch has been `PROCESSING` since the request."""


class _Superseded(Exception):
    """A later setup of the batch was accepted."""


def run(context: JobContext, job: StoredJob) -> None:
    """Write groups and tasks, then make them live; stop if a later setup was accepted."""
    with suppress(_Superseded):
        _run(context, job)


def _run(context: JobContext, job: StoredJob) -> None:
    request = _SetupRequest.of(job)
    with context.database.read() as connection:
        batch = batches.get(connection, job.subject)
    setup = batch.setup + 1
    grouping = _grouping(context, request)
    with context.database.read() as connection:
        written = _count_written(connection, batch.row_id, setup, request.dataset, grouping)
    if written is None:
        _delete_partial_setup(context, job, batch.row_id, setup)
        written = _WrittenCounts(0, 0)
    for groups in in_slices(islice(grouping.groups, written.groups, None)):
        with _transaction(context, job) as connection:
            tasks.insert_groups(connection, batch.row_id, setup, groups)
            jobs.reset_attempts(connection, job.row_id)
    numbered = ((number, group, number) for number, group in enumerate(grouping.group_of))
    for slice_ in in_slices(islice(numbered, written.tasks, None)):
        with _transaction(context, job) as connection:
            tasks.insert_tasks(connection, batch.row_id, setup, request.dataset, slice_)
            jobs.reset_attempts(connection, job.row_id)
    with _transaction(context, job) as connection:
        batches.finish_setup(
            connection,
            batch.row_id,
            live_items=request.batch_items,
            live_version=request.schema_version,
            tasks=request.datapoints,
            groups=len(grouping.groups),
        )
        syncs.clear_start_positions(connection, batch.row_id)
        jobs.delete(connection, job.row_id)


def fail(context: JobContext, job: StoredJob, reason: str) -> None:
    """Set the batch to `ERROR`, with the tasks that it had before."""
    with suppress(_Superseded), _transaction(context, job) as connection:
        batches.fail_setup(connection, job.subject, reason)
        jobs.delete(connection, job.row_id)


@contextmanager
def _transaction(context: JobContext, job: StoredJob) -> Iterator[Connection]:
    """A transaction of this setup.

    Raises:
        _Superseded: a later setup was accepted.
    """
    with context.database.write() as connection:
        if not jobs.is_pending(connection, job.row_id):
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
    """One group per value; a datapoint without a value has its own group (wire reference, section 5.4)."""
    group_of = array("I")
    keys: list[str | None] = []
    sizes: list[int] = []
    number_of_key: dict[str, int] = {}
    for value in values:
        key = None if value is None else as_text(value)
        number = len(keys) if key is None else number_of_key.setdefault(key, len(keys))
        if number == len(keys):
            keys.append(key)
            sizes.append(0)
        sizes[number] += 1
        group_of.append(number)
    groups = [Group(number, key, size) for number, (key, size) in enumerate(zip(keys, sizes, strict=True))]
    return Grouping(group_of, groups)


@dataclass(frozen=True)
class _SetupRequest:
    """The details of a setup when it was accepted."""

    dataset: int
    datapoints: int
    schema_version: int
    tasks_per_group: int
    batch_items: str | None
    shuffle_seed: int | None

    @classmethod
    def of(cls, job: StoredJob) -> "_SetupRequest":
        items, seed = job.detail["batch_items"], job.detail["shuffle_seed"]
        return cls(
            _integer(job.detail, "dataset"),
            _integer(job.detail, "datapoints"),
            _integer(job.detail, "schema_version"),
            _integer(job.detail, "tasks_per_group"),
            items if isinstance(items, str) else None,
            seed if isinstance(seed, int) else None,
        )


def _integer(detail: JsonObject, name: str) -> int:
    value = detail[name]
    if not isinstance(value, int):
        raise TypeError(f"{name} of a setup is not a number")
    return value


def _grouping(context: JobContext, request: _SetupRequest) -> Grouping:
    with context.database.read() as connection:
        schema = datasets.get(connection, request.dataset).schema
        field = schema.task_group_field if schema else None
        if field is None:
            chance = random.Random(request.shuffle_seed)  # noqa: S311 - groups, not secrets
            return random_groups(request.datapoints, request.tasks_per_group, chance)
        records = datasets.records_of(connection, request.dataset, request.datapoints)
        return predetermined_groups(_values(records, field))


def _values(records: Iterable[JsonObject], field: str) -> Iterator[Json]:
    return (record.get(field) for record in records)


class _WrittenCounts(NamedTuple):
    """How many groups and tasks an interrupted run has written."""

    groups: int
    tasks: int


def _count_written(
    connection: Connection, batch: int, setup: int, dataset: int, grouping: Grouping
) -> _WrittenCounts | None:
    """How much of a grouping is stored; None if other rows are, such as those of a superseded setup."""
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
    return _WrittenCounts(groups, written)


def _delete_partial_setup(context: JobContext, job: StoredJob, batch: int, setup: int) -> None:
    """Delete what a superseded setup has written."""
    deleted = ROWS_PER_TRANSACTION
    while deleted:
        with _transaction(context, job) as connection:
            deleted = tasks.clear_setup(connection, batch, setup, ROWS_PER_TRANSACTION)
            if deleted:
                jobs.reset_attempts(connection, job.row_id)
