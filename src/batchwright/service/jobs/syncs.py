"""Syncs: creating tasks for datapoints that were added after the setup (specification, Batches rule 7).

Each slice of datapoints is written in one transaction with the progress of the batch, so that an interrupted
sync resumes where it stopped, and the next sync continues from there. Syncs and setups of a batch share its
lane.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.layout.option_values import as_text
from batchwright.service.jobs.context import JobContext
from batchwright.service.store import batches, datasets, jobs, migrations, syncs, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.syncs import StoredSync
from batchwright.service.store.tasks import Group


def start(context: JobContext, job: StoredJob) -> None:
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


def run(context: JobContext, job: StoredJob) -> None:
    """Create tasks for all new datapoints, then record the counts."""
    start(context, job)
    with context.database.read() as connection:
        sync = syncs.get(connection, job.subject)
        is_blocked = migrations.is_running(connection, sync.dataset) and _pending_count(connection, sync) > 0
        shown = tasks.dataset_of(connection, sync.batch, batches.get(connection, sync.batch).setup)
    if shown not in (None, sync.dataset):
        fail(context, job, _("The tasks of the batch show another dataset. Set up the batch again."))
        return
    if is_blocked:
        fail(context, job, _("The datapoints were being migrated to another schema. Start the sync again."))
        return
    is_unfinished = True
    while is_unfinished:
        with context.database.write() as connection:
            is_unfinished = _sync_next_slice(connection, job.subject)
            jobs.reset_attempts(connection, job.row_id)
    with context.database.write() as connection:
        _complete(connection, job.subject, context.clock())
        jobs.delete(connection, job.row_id)


def fail(context: JobContext, job: StoredJob, reason: str) -> None:
    """End the sync as `failed`; the tasks that it created stay."""
    with context.database.write() as connection:
        syncs.fail(connection, job.subject, reason, context.clock())
        jobs.delete(connection, job.row_id)


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
