"""What is done with batches: the study's is made or updated, set up, answered; any is copied or opened."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import LayoutRejected
from batchwright.base.i18n import _, ngettext
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.projects import Project
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.formatting import number, tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.batch_state import with_status
from batchwright.ui.run.operations import BatchOperationRunner, OnDone
from batchwright.ui.run.remote_state import RemoteBatches
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.local_routes import AnnotatorsPerTask
from batchwright.workflows.batch_content import Wanted, content_of
from batchwright.workflows.duplicate_batch import duplicate
from batchwright.workflows.publish_batch import PublishedBatch, layout_problems, publish
from batchwright.workflows.set_up import set_up
from batchwright.workflows.simulate import SimulatedParticipants
from batchwright.workflows.study_from_batch import open_batch


@dataclass(frozen=True)
class SimulationOptions:
    """Who answers in a rehearsal: how many people, how many of them for each task, and the seed."""

    participants: int
    per_task: int = 1
    seed: int = 1


class BatchOperations(QObject):
    """Takes a study to its answers; what comes of it is kept for that study, whichever is open then."""

    made = Signal()
    """The study has a batch whose tasks are to be made, for the first time or anew."""
    copied = Signal(str)
    """A batch has a copy, by its id."""
    earlier_found = Signal(str)
    """The name of a batch that was created before, from an earlier version of the study."""
    told = Signal(str, str)
    """Something has come out well: what, and one line about it."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        seen: RemoteBatches,
        under_way: BatchOperationRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._seen = study, session, tasks, seen
        self._under_way = under_way
        self.outdated: set[str] = set()
        """The batches that were updated after their tasks were made: those show what was before."""

    def publish(self, wanted: Wanted, replaces: Batch | None) -> None:
        """Make the batch, or bring it to what is wanted; `replaces` is how it was when that was decided."""
        self._under_way.start("publish", lambda: self._publish(wanted, replaces))

    def set_up(self, batch: Batch, tasks_per_group: int) -> None:
        """Have the tasks made."""
        self._under_way.start("set up", lambda: self._set_up(batch, tasks_per_group))

    def simulate(self, batch: Batch, people: SimulationOptions) -> None:
        """Let simulated participants answer; when the study is closed meanwhile, they stop."""
        self._under_way.start("simulate", lambda: self._simulate(batch, people))

    def participate(self, batch: Batch, open_address: Callable[[str], object]) -> None:
        """Open a batch as its participants see it."""

        async def participate() -> None:
            bench = await self._session.bench()
            open_address((await bench.service.local.participation(batch.id)).url)

        self._tasks.start("run participate", participate)

    def duplicate(self, batch: Batch, name: str, *, with_dataset: bool) -> None:
        """Make a copy of a batch (Batches rule 8)."""
        self._under_way.start("duplicate", lambda: self._duplicate(batch, name, with_dataset))

    def open(self, batch: Batch, begin: Callable[[Project], Awaitable[object]]) -> None:
        """Open a batch as a study; `begin` may ask first what becomes of the one that is open."""

        async def open_it() -> None:
            await begin(await self._session.at_work(lambda bench, _waits: open_batch(bench, batch.id)))

        self._tasks.start("run open a batch", open_it)

    async def _publish(self, wanted: Wanted, replaces: Batch | None) -> OnDone | None:
        """Make or update the batch; where its tasks are to be made next, that is told."""
        about, connection = self._under_way.about, self._session.connection.name
        self._study.show_refusals(())

        async def brought(bench: WorkflowContext, _waits: RecoveryHooks | None) -> tuple[PublishedBatch, str]:
            return await publish(bench, wanted, replaces), bench.workspace_id

        with self._under_way.goes(_("Updating the batch") if replaces else _("Creating the batch")):
            try:
                made, workspace_id = await self._session.at_work(brought)
            except LayoutRejected as refused:
                if about == self._under_way.about:
                    self._study.show_refusals(layout_problems(refused))
                return None
        batch = made.batch
        has_tasks = replaces is not None and replaces.total_task_count > 0
        if replaces and has_tasks and not content_of(replaces).asks_the_same(content_of(batch)):
            self.outdated.add(batch.id)
        if made.is_earlier:
            self.earlier_found.emit(batch.name)
        else:
            self.told.emit(_("Batch updated") if replaces else _("Batch created"), batch.name)
        if about != self._under_way.about:
            return None
        remote = self._study.remote(connection)
        made_there = replace(remote, workspace_id=workspace_id, batch_id=batch.id, ids=made.ids)
        self._study.set_remote(connection, replace(made_there, last_sent=made.last_sent))
        self._seen.keep(batch)
        is_new = replaces is None and not made.is_earlier
        return self.made.emit if is_new or batch.id in self.outdated else None

    async def _set_up(self, batch: Batch, tasks_per_group: int) -> None:
        about = self._under_way.about
        with self._under_way.goes(_("Creating tasks")):
            bench = await self._session.bench()
            if about == self._under_way.about:
                self._seen.keep(with_status(batch, BatchStatus.PROCESSING))
            ready = await set_up(bench, batch.id, batch.name, tasks_per_group, batch.status)
        self.outdated.discard(batch.id)
        self.told.emit(_("Setup finished"), task_summary(ready))

    async def _duplicate(self, batch: Batch, name: str, with_dataset: bool) -> OnDone:
        with self._under_way.goes(_("Duplicating the batch")):
            copy = await duplicate(await self._session.bench(), batch, name, with_dataset=with_dataset)
        self.told.emit(_("Batch duplicated"), copy.name)
        return partial(self.copied.emit, copy.id)

    async def _simulate(self, batch: Batch, people: SimulationOptions) -> None:
        through = 0
        with self._under_way.goes(_("Simulated participants answer")) as show:
            bench = await self._session.bench()
            local = bench.service.local
            each = AnnotatorsPerTask(annotators_per_task=people.per_task)
            await local.set_annotators_per_task(batch.id, each)
            await self._seen.count_groups(bench)
            link = (await local.participation(batch.id)).url
            simulation = SimulatedParticipants(link, people.seed, people.participants)
            async with aclosing(simulation.run()) as run:
                async for _number in run:
                    through += 1
                    await self._seen.count_groups(bench)
                    show(through / people.participants)
        said = ngettext("{count} participant answered", "{count} participants answered", through)
        self.told.emit(said.format(count=number(through)), batch.name)


def task_summary(batch: Batch) -> str:
    """How many tasks a batch has, in how many groups."""
    groups = batch.total_task_groups or 0
    return ngettext("{tasks} in {count} group", "{tasks} in {count} groups", groups).format(
        tasks=tasks(batch.total_task_count), count=number(groups)
    )
