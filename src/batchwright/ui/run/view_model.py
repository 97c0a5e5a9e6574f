"""What the Run stage shows: the batches of the workspace, and the one of the study. It knows no widgets."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import LayoutRefused, NotFound
from batchwright.jobs.polling import backoff, poll
from batchwright.layout.model import Item
from batchwright.layout.rules import Severity
from batchwright.local.job_rows import JobRow
from batchwright.local.projects import Remote
from batchwright.ui.measures import number, tasks
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Message, Tasks
from batchwright.wire.batches import Batch, BatchStatus, TaskDetails
from batchwright.wire.local import AnnotatorsPerTask, GroupProgress
from batchwright.words import _, ngettext
from batchwright.workflows.set_up import set_up
from batchwright.workflows.simulate import Simulation
from batchwright.workflows.update import Wanted, is_as_wanted, publish, refusals
from batchwright.workflows.workbench import Workbench


@dataclass(frozen=True)
class Going:
    """What runs for the study's batch just now; `done` is from 0 to 1, None where nobody knows."""

    text: str
    done: float | None = None


@dataclass(frozen=True)
class People:
    """Who answers in a rehearsal: how many people, how many of them for each task, and the seed."""

    participants: int
    per_task: int = 1
    seed: int = 1


class RunViewModel(QObject):
    """Holds what the service has, and does what takes it further; `changed` follows everything."""

    changed = Signal()
    made = Signal()
    """The study has a new batch, which has no tasks yet."""
    told = Signal(str, str)
    """Something has come out well: what, and one line about it."""

    def __init__(
        self,
        study: Study,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self._tasks, self._describe = tasks, describe
        self._sent: dict[str, Wanted] = {}
        self._compared: tuple[Batch, Wanted, bool] | None = None
        self._dataset = self.remote.dataset_id
        self._batches: dict[str, Batch]
        self._chosen: str
        self.groups: Sequence[GroupProgress]
        self.jobs: tuple[JobRow, ...]
        self.accepted: int | None
        """How many records the last import took; None where nobody knows."""
        self.going: Going | None
        self.fault: Message | None
        """Why the last look failed."""
        self.is_loading: bool
        self.refused: int
        """How many items of the layout the service refused last."""
        self._forget()
        study.changed.connect(self._take_study)
        study.saved_changed.connect(self._take_study)
        session.changed.connect(self._take_connection)

    @property
    def remote(self) -> Remote:
        """What the study has at the active connection."""
        return self.study.remote(self.session.connection.name)

    @property
    def batch(self) -> Batch | None:
        """The batch of the study, as it was last seen."""
        return self._batches.get(self.remote.batch_id or "")

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches of the workspace, that of the study first."""
        own = self.remote.batch_id
        return tuple(sorted(self._batches.values(), key=lambda batch: batch.id != own))

    @property
    def chosen(self) -> Batch | None:
        """The batch that is looked at; None for that of the study while it is a draft."""
        return self._batches.get(self._chosen or self.remote.batch_id or "")

    @property
    def shows_own(self) -> bool:
        """Whether the batch looked at is that of the study."""
        return not self._chosen or self._chosen == self.remote.batch_id

    @property
    def errors(self) -> int:
        """How many errors the layout has."""
        return sum(problem.severity is Severity.ERROR for problem in self.study.problems)

    @property
    def pages_and_items(self) -> tuple[int, int]:
        """How large the layout is."""
        layout = self.study.layout
        return len(layout.pages), sum(isinstance(entry, Item) for entry in layout.walk_all())

    @property
    def details(self) -> TaskDetails:
        """What participants read first; a task that nobody has named is called like the study."""
        given = self.study.details
        return given if given.task_name.strip() else given.model_copy(update={"task_name": self.name})

    @property
    def name(self) -> str:
        """What the batch is called."""
        return self.study.project.name or _("Untitled study")

    @property
    def is_as_sent(self) -> bool:
        """Whether the batch is what the study is now; worked out once for each of the two."""
        batch, wanted = self.batch, self._wanted()
        if batch is None or wanted is None:
            return False
        if self._compared is None or self._compared[0] is not batch or self._compared[1] != wanted:
            sent = self._sent.get(batch.id)
            self._compared = batch, wanted, sent == wanted or is_as_wanted(batch, wanted)
        return self._compared[2]

    @property
    def records(self) -> int:
        """How many records the study's dataset holds, as far as it is known."""
        batch = self.batch
        held = [dataset.total_datapoint_count for dataset in batch.datasets] if batch else []
        return held[0] if held else self.accepted or 0

    @property
    def answers(self) -> tuple[int, int]:
        """Groups answered by people, and groups to be answered, as the service on this computer counts."""
        wanted = sum(group.annotators_per_task for group in self.groups)
        return sum(group.completed for group in self.groups), wanted

    def choose(self, batch_id: str) -> None:
        """Look at another batch."""
        if batch_id != (self._chosen or self.remote.batch_id):
            self._chosen = batch_id
            self.changed.emit()

    def look(self) -> None:
        """Look again at what the service has."""
        if self.study.is_open:
            self._tasks.start("run look", self._look)

    def publish(self) -> None:
        """Make the batch, or bring it to what the study is now."""
        self._tasks.start("run publish", self._publish)

    def set_up(self, tasks_per_group: int) -> None:
        """Have the tasks made."""
        self.study.set_tasks_per_group(tasks_per_group)
        self._tasks.start("run set up", lambda: self._set_up(tasks_per_group))

    def simulate(self, people: People) -> None:
        """Let simulated participants answer."""
        self._tasks.start("run simulate", lambda: self._simulate(people))

    def participate(self, open_address: Callable[[str], object]) -> None:
        """Open the batch as its participants see it."""
        batch = self.chosen
        if batch is not None:
            self._tasks.start("run participate", lambda: self._participate(batch.id, open_address))

    async def _look(self) -> None:
        self.is_loading = not self._batches
        self.changed.emit()
        name = self.session.connection.name
        try:
            bench = await self.session.bench()
            found = {one.id: one for one in (await bench.service.batches.list(bench.workspace_id)).results}
            found |= await self._own(bench, found)
            self.accepted = await self._accepted(bench)
            watch = await self.session.watch()
            jobs = await asyncio.to_thread(watch.rows.latest)
        except Exception as fault:
            # A look that fails is shown in place of what it would have shown.
            self.fault = self._describe(fault)
        else:
            if name == self.session.connection.name:
                self.fault, self._batches = None, found
                self.jobs = tuple(row for row in jobs if self._is_of_study(row))
                await self._count_groups(bench)
                self._watch()
        finally:
            self.is_loading = False
            self.changed.emit()

    async def _own(self, bench: Workbench, found: dict[str, Batch]) -> dict[str, Batch]:
        """The batch of the study where the list does not have it, as one of another workspace."""
        id = self.remote.batch_id
        if id is None or id in found:
            return {}
        try:
            return {id: await bench.service.batches.get(id)}
        except NotFound:
            self._keep(batch_id=None, ids={})
            return {}

    async def _accepted(self, bench: Workbench) -> int | None:
        remote = self.remote
        if remote.dataset_id is None or remote.import_id is None:
            return None
        try:
            job = await bench.service.datasets.import_job(remote.dataset_id, remote.import_id)
        except NotFound:
            return None
        return job.accepted_count

    async def _publish(self) -> None:
        wanted, remote = self._wanted(), self.remote
        if wanted is None:
            return
        is_new = remote.batch_id is None
        self.study.show_refusals(())
        with self._going(_("Creating the batch") if is_new else _("Updating the batch")):
            bench = await self.session.bench()
            try:
                made = await publish(bench, replace(wanted, ids=remote.ids), remote.batch_id)
            except LayoutRefused as refused:
                self.refused = len(refused.issues)
                self.study.show_refusals(refusals(refused))
                return
            self.refused = 0
            self._sent[made.batch.id] = wanted
            self._keep(workspace_id=bench.workspace_id, batch_id=made.batch.id, ids=made.ids)
            self._chosen = ""
            self._batches = {made.batch.id: made.batch, **self._batches, made.batch.id: made.batch}
        self.told.emit(_("Batch created") if is_new else _("Batch updated"), self.name)
        await self._look()
        if is_new:
            self.made.emit()

    async def _set_up(self, tasks_per_group: int) -> None:
        batch = self.batch
        if batch is None:
            return
        with self._going(_("Creating tasks")):
            bench = await self.session.bench()
            self._turn(batch, BatchStatus.PROCESSING)
            try:
                ready = await set_up(bench, batch.id, self.name, tasks_per_group)
            finally:
                self._batches[batch.id] = await bench.service.batches.get(batch.id)
            await self._count_groups(bench)
        self.told.emit(_("Setup finished"), made_of(ready))
        await self._look()

    async def _simulate(self, people: People) -> None:
        batch = self.batch
        if batch is None:
            return
        text = _("Simulated participants answer")
        with self._going(text):
            bench = await self.session.bench()
            local = bench.service.local
            await local.set_annotators_per_task(
                batch.id, AnnotatorsPerTask(annotators_per_task=people.per_task)
            )
            await self._count_groups(bench)
            link = (await local.participation(batch.id)).url
            through = 0
            async for _number in Simulation(link, people.seed, people.participants).run():
                through += 1
                self.going = Going(text, through / people.participants)
                await self._count_groups(bench)
                self.changed.emit()
        said = ngettext("{count} participant answered", "{count} participants answered", through)
        self.told.emit(said.format(count=through), self.name)
        await self._look()

    async def _participate(self, batch_id: str, open_address: Callable[[str], object]) -> None:
        bench = await self.session.bench()
        open_address((await bench.service.local.participation(batch_id)).url)

    def _watch(self) -> None:
        """Look on where a setup runs that was begun before, as by another window."""
        batch = self.batch
        if batch is not None and batch.status == BatchStatus.PROCESSING and self.going is None:
            self._tasks.start("run watch", lambda: self._watch_batch(batch.id))

    async def _watch_batch(self, batch_id: str) -> None:
        bench = await self.session.bench()
        async for _state in poll(
            lambda: bench.service.batches.status(batch_id), lambda state: state.settled, backoff()
        ):
            pass
        await self._look()

    async def _count_groups(self, bench: Workbench) -> None:
        batch = self.batch
        has_groups = batch is not None and not self.session.is_live and batch.status == BatchStatus.READY
        self.groups = (await bench.service.local.progress(batch.id)).groups if batch and has_groups else ()

    def _wanted(self) -> Wanted | None:
        dataset = self.remote.dataset_id
        return Wanted(self.name, self.details, self.study.layout, dataset) if dataset else None

    def _keep(self, **changes: object) -> None:
        remote = replace(self.remote, **changes)  # type: ignore[arg-type]  # named by the dataclass
        self.study.set_remote(self.session.connection.name, remote)

    def _turn(self, batch: Batch, status: BatchStatus) -> None:
        self._batches[batch.id] = batch.model_copy(update={"status": status})
        self.changed.emit()

    @contextmanager
    def _going(self, text: str) -> Iterator[None]:
        self.going = Going(text)
        self.changed.emit()
        try:
            yield
        finally:
            self.going = None
            self.changed.emit()

    def _is_of_study(self, row: JobRow) -> bool:
        remote = self.remote
        own = {remote.dataset_id, remote.batch_id} - {None}
        is_here = row.connection == self.session.connection.name
        return is_here and any(value in own for value in row.subject.values())

    def _forget(self) -> None:
        self._batches = {}
        self._chosen = ""
        self.groups = ()
        self.jobs = ()
        self.accepted = None
        self.going = None
        self.fault = None
        self.is_loading = False
        self.refused = 0

    def _take_study(self) -> None:
        dataset = self.remote.dataset_id
        if dataset != self._dataset:
            self._dataset = dataset
            self.study.show_refusals(())
        self.changed.emit()

    def _take_connection(self) -> None:
        self._forget()
        self.changed.emit()
        self.look()


def made_of(batch: Batch) -> str:
    """How many tasks a batch has, in how many groups."""
    groups = batch.total_task_groups or 0
    return ngettext("{tasks} in {count} group", "{tasks} in {count} groups", groups).format(
        tasks=tasks(batch.total_task_count), count=number(groups)
    )
