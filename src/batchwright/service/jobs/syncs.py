"""Adding tasks to a batch for datapoints that came after its setup (specification, Batches rule 7).

Each slice of datapoints is one transaction with how far the batch has come, so that an interrupted sync goes
on where it stopped, and the next one continues behind it. Syncs and setups of a batch share its lane.
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


def begin(bench: JobContext, job: StoredJob) -> None:
    """Show the sync as `processing`."""
    with bench.database.write() as connection:
        batch = batches.get(connection, syncs.get(connection, job.subject).batch)
        syncs.begin(
            connection,
            job.subject,
            first_task=batch.total_task_count,
            first_group=batch.total_task_groups,
            now=bench.clock(),
        )


def run(bench: JobContext, job: StoredJob) -> None:
    """Make tasks for all that came since, then tell what was made."""
    begin(bench, job)
    with bench.database.read() as connection:
        sync = syncs.get(connection, job.subject)
        is_in_the_way = migrations.is_running(connection, sync.dataset) and _left(connection, sync) > 0
        shown = tasks.dataset_of(connection, sync.batch, batches.get(connection, sync.batch).setup)
    if shown not in (None, sync.dataset):
        give_up(bench, job, _("The tasks of the batch show another dataset. Set the batch up again."))
        return
    if is_in_the_way:
        give_up(bench, job, _("The datapoints were being brought to another schema. Start the sync again."))
        return
    left = True
    while left:
        with bench.database.write() as connection:
            left = _extend(connection, job.subject)
            jobs.reset_attempts(connection, job.number)
    with bench.database.write() as connection:
        _complete(connection, job.subject, bench.clock())
        jobs.done(connection, job.number)


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """End the sync as `failed`; the tasks that it made stay."""
    with bench.database.write() as connection:
        syncs.fail(connection, job.subject, reason, bench.clock())
        jobs.done(connection, job.number)


def _left(connection: Connection, sync: StoredSync) -> int:
    """How many datapoints of its dataset a batch has no tasks for yet."""
    dataset, batch = datasets.get(connection, sync.dataset), batches.get(connection, sync.batch)
    return dataset.datapoint_count - batch.handled_count


@dataclass
class _GroupAssignment:
    """Where the datapoints of one slice go: groups that are there already, and new ones."""

    next_group: int
    group_of: list[int] = field(default_factory=list)
    grown: dict[int, int] = field(default_factory=dict)
    """How many tasks each group that was there before gets."""
    new: dict[int, Group] = field(default_factory=dict)

    def put(self, group: int) -> None:
        """Put the next datapoint into a group."""
        self.group_of.append(group)
        if group in self.new:
            known = self.new[group]
            self.new[group] = Group(group, known.key, known.task_count + 1)
        else:
            self.grown[group] = self.grown.get(group, 0) + 1

    def open(self, key: str | None) -> int:
        """Open a group, empty so far."""
        number = self.next_group
        self.new[number] = Group(number, key, 0)
        self.next_group += 1
        return number


def _extend(connection: Connection, number: int) -> bool:
    """Make the tasks of the next slice; whether there may be more."""
    sync = syncs.get(connection, number)
    batch, dataset = batches.get(connection, sync.batch), datasets.get(connection, sync.dataset)
    first = batch.handled_count
    count = min(_left(connection, sync), ROWS_PER_TRANSACTION)
    if count <= 0:
        return False
    grouping = dataset.schema.task_group_field if dataset.schema else None
    if grouping is None:
        places = _fixed_size(connection, batch, count)
    else:
        records = datasets.records_between(connection, dataset.number, first, first + count)
        places = _predetermined(connection, batch, [record.get(grouping) for record in records])
    tasks.insert_groups(connection, batch.number, batch.setup, places.new.values())
    tasks.increase_group_sizes(connection, batch.number, batch.setup, places.grown)
    numbered = (
        (batch.total_task_count + offset, group, first + offset)
        for offset, group in enumerate(places.group_of)
    )
    tasks.insert_tasks(connection, batch.number, batch.setup, dataset.number, numbered)
    batches.add_counts(connection, batch.number, tasks=count, groups=len(places.new))
    return True


def _fixed_size(connection: Connection, batch: StoredBatch, count: int) -> _GroupAssignment:
    """The open last group is filled first, the rest is cut into new ones (wire.md 5.5).

    A group is open as long as nobody has begun it: who has would miss, or be surprised by, what comes.
    """
    places, size = _GroupAssignment(batch.total_task_groups), batch.tasks_per_group or 1
    room = tasks.free_places_in_last_group(connection, batch.number, batch.setup, size)
    chosen = [batch.total_task_groups - 1] * min(room, count)
    while len(chosen) < count:
        chosen += [places.open(None)] * min(size, count - len(chosen))
    seed = batch.shuffle_seed
    chance = random.Random(None if seed is None else f"{seed} {batch.total_task_count}")  # noqa: S311
    chance.shuffle(chosen)
    for group in chosen:
        places.put(group)
    return places


def _predetermined(connection: Connection, batch: StoredBatch, values: Sequence[Json]) -> _GroupAssignment:
    """Each joins the group of its value, or opens one; who has none is a group alone."""
    places = _GroupAssignment(batch.total_task_groups)
    known: dict[str, int] = {}
    for value in values:
        key = None if value is None else as_text(value)
        if key is None:
            places.put(places.open(None))
            continue
        if key not in known:
            found = tasks.group_of_key(connection, batch.number, batch.setup, key)
            known[key] = places.open(key) if found is None else found
        places.put(known[key])
    return places


def _complete(connection: Connection, number: int, now: int) -> None:
    sync = syncs.get(connection, number)
    batch, dataset = batches.get(connection, sync.batch), datasets.get(connection, sync.dataset)
    first_task, first_group = sync.first_task or 0, sync.first_group or 0
    has_keys = dataset.schema is not None and dataset.schema.task_group_field is not None
    expanded = tasks.changed_group_count(connection, batch.number, batch.setup, first_task, first_group)
    syncs.complete(
        connection,
        number,
        tasks=batch.total_task_count - first_task,
        groups=batch.total_task_groups - first_group,
        expanded=expanded if has_keys else 0,
        now=now,
    )
