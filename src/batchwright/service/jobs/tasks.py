"""Creating the tasks of a batch: setups, and syncs with datapoints that were added after the setup.

Setups and syncs of a batch share its lane, so they run one after another.
"""

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.option_values import as_text
from batchwright.service import enqueue
from batchwright.service.jobs.context import JobContext, JobHandler, in_slices
from batchwright.service.store import batches, datasets, jobs, migrations, syncs, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.syncs import StoredSync
from batchwright.service.store.tasks import Group, Task


class Setup(JobHandler):
    """A setup (specification, Batches rule 5).

    The tasks are written under the number of the new setup while those of the previous setup stay live; the
    last transaction makes the new ones live, all at once. An interrupted setup is resumed. Each transaction
    first checks that no later setup of the batch was accepted: that one wins, and deletes what this one has
    written.
    """

    def start(self, _context: JobContext, _job: StoredJob) -> None:
        """Nothing to do: the batch has been `PROCESSING` since the request."""

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Write groups and tasks, then make them live; stop if a later setup was accepted."""
        with suppress(_Superseded):
            _create_tasks(context, job)

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """Set the batch to `ERROR`, with the tasks that it had before."""
        with suppress(_Superseded), _transaction(context, job) as connection:
            batches.fail_setup(connection, job.subject, reason)
            jobs.delete(connection, job.row_id)


class Sync(JobHandler):
    """A sync (specification, Batches rule 7).

    Each slice of datapoints is written in one transaction with the progress of the batch, so that an
    interrupted sync resumes where it stopped, and the next sync continues from there.
    """

    def start(self, context: JobContext, job: StoredJob) -> None:
        """Set the sync to `processing`."""
        with context.database.write() as connection:
            batch = batches.get(connection, syncs.get(connection, job.subject).batch)
            syncs.start(
                connection,
                job.subject,
                first_task=batch.total_task_count,
                first_group=batch.total_task_groups,
                now=context.clock(),
            )

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Create tasks for all new datapoints, then record the counts."""
        self.start(context, job)
        with context.database.read() as connection:
            sync = syncs.get(connection, job.subject)
            is_blocked = (
                migrations.is_running(connection, sync.dataset) and _pending_count(connection, sync) > 0
            )
            dataset_of_tasks = tasks.dataset_of(
                connection, sync.batch, batches.get(connection, sync.batch).setup
            )
        if dataset_of_tasks not in (None, sync.dataset):
            self.fail(context, job, _("The tasks of the batch show another dataset. Set up the batch again."))
            return
        if is_blocked:
            self.fail(
                context, job, _("The datapoints were being migrated to another schema. Start the sync again.")
            )
            return
        is_unfinished = True
        while is_unfinished:
            with context.database.write() as connection:
                is_unfinished = _sync_next_slice(connection, job.subject)
                jobs.reset_attempts(connection, job.row_id)
        with context.database.write() as connection:
            _complete(connection, job.subject, context.clock())
            jobs.delete(connection, job.row_id)

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """End the sync as `failed`; the tasks that it created stay."""
        with context.database.write() as connection:
            syncs.fail(connection, job.subject, reason, context.clock())
            jobs.delete(connection, job.row_id)


class _Superseded(Exception):
    """A later setup of the batch was accepted."""


@dataclass(frozen=True)
class Grouping:
    """The groups of a setup, and the group number of each task by task number."""

    group_of: "array[int]"
    groups: list[Group]


def _create_tasks(context: JobContext, job: StoredJob) -> None:
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
        enqueue.enqueue_auto_sync_after_setup(connection, batch.row_id, request.dataset, context.clock())
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
    for position, number in enumerate(order):
        group_of[number] = position // tasks_per_group
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


def _pending_count(connection: Connection, sync: StoredSync) -> int:
    """How many datapoints of the dataset have no task in the batch yet."""
    dataset, batch = datasets.get(connection, sync.dataset), batches.get(connection, sync.batch)
    return dataset.datapoint_count - batch.handled_count


@dataclass
class _GroupAssignment:
    """The groups of the datapoints of one slice: existing groups and new ones."""

    next_group: int
    group_of: list[int] = field(default_factory=list)
    expanded: dict[int, int] = field(default_factory=dict)
    """How many tasks are added to each existing group."""
    new: dict[int, Group] = field(default_factory=dict)

    def assign(self, group: int) -> None:
        """Assign the next datapoint to a group."""
        self.group_of.append(group)
        if group in self.new:
            group_before = self.new[group]
            self.new[group] = Group(group, group_before.key, group_before.task_count + 1)
        else:
            self.expanded[group] = self.expanded.get(group, 0) + 1

    def open_group(self, key: str | None) -> int:
        """Create an empty group; returns its number."""
        number = self.next_group
        self.new[number] = Group(number, key, 0)
        self.next_group += 1
        return number


def _sync_next_slice(connection: Connection, row_id: int) -> bool:
    """Create the tasks of the next slice; whether there may be more."""
    sync = syncs.get(connection, row_id)
    batch, dataset = batches.get(connection, sync.batch), datasets.get(connection, sync.dataset)
    first = batch.handled_count
    count = min(_pending_count(connection, sync), ROWS_PER_TRANSACTION)
    if count <= 0:
        return False
    grouping = dataset.schema.task_group_field if dataset.schema else None
    if grouping is None:
        assignment = _fixed_size(connection, batch, count)
    else:
        records = datasets.records_between(connection, dataset.row_id, first, first + count)
        assignment = _predetermined(connection, batch, [record.get(grouping) for record in records])
    tasks.insert_groups(connection, batch.row_id, batch.setup, assignment.new.values())
    tasks.increase_group_sizes(connection, batch.row_id, batch.setup, assignment.expanded)
    numbered = (
        (batch.total_task_count + offset, group, first + offset)
        for offset, group in enumerate(assignment.group_of)
    )
    tasks.insert_tasks(connection, batch.row_id, batch.setup, dataset.row_id, numbered)
    batches.add_counts(connection, batch.row_id, tasks=count, groups=len(assignment.new))
    return True


def _fixed_size(connection: Connection, batch: StoredBatch, count: int) -> _GroupAssignment:
    """Fill the last group if it is open, then create new groups (wire reference, section 5.5).

    A group is open until a participant starts it, since tasks must not change for somebody who has started.
    """
    assignment, size = _GroupAssignment(batch.total_task_groups), batch.tasks_per_group or 1
    free_places = tasks.free_places_in_last_group(connection, batch.row_id, batch.setup, size)
    groups = [batch.total_task_groups - 1] * min(free_places, count)
    while len(groups) < count:
        groups += [assignment.open_group(None)] * min(size, count - len(groups))
    seed = batch.shuffle_seed
    chance = random.Random(None if seed is None else f"{seed} {batch.total_task_count}")  # noqa: S311
    chance.shuffle(groups)
    for group in groups:
        assignment.assign(group)
    return assignment


def _predetermined(connection: Connection, batch: StoredBatch, values: Sequence[Json]) -> _GroupAssignment:
    """Add each datapoint to the group of its value, or a new one; without a value it has its own group."""
    assignment = _GroupAssignment(batch.total_task_groups)
    group_of_key: dict[str, int] = {}
    for value in values:
        key = None if value is None else as_text(value)
        if key is None:
            assignment.assign(assignment.open_group(None))
            continue
        if key not in group_of_key:
            existing = tasks.group_of_key(connection, batch.row_id, batch.setup, key)
            group_of_key[key] = assignment.open_group(key) if existing is None else existing
        assignment.assign(group_of_key[key])
    return assignment


def _complete(connection: Connection, row_id: int, now: int) -> None:
    sync = syncs.get(connection, row_id)
    batch, dataset = batches.get(connection, sync.batch), datasets.get(connection, sync.dataset)
    first_task, first_group = sync.first_task or 0, sync.first_group or 0
    has_keys = dataset.schema is not None and dataset.schema.task_group_field is not None
    expanded = tasks.changed_group_count(connection, batch.row_id, batch.setup, first_task, first_group)
    syncs.complete(
        connection,
        row_id,
        tasks=batch.total_task_count - first_task,
        groups=batch.total_task_groups - first_group,
        expanded=expanded if has_keys else 0,
        now=now,
    )
