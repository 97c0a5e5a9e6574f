"""What is done for the study's batch: made or updated, set up, answered by simulated participants."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import LayoutRefused
from batchwright.local.projects import Project
from batchwright.ui.measures import number, tasks
from batchwright.ui.run.seen import Seen, with_status
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Tasks
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.local import AnnotatorsPerTask
from batchwright.words import _, ngettext
from batchwright.workflows.open_batch import open_batch
from batchwright.workflows.set_up import set_up
from batchwright.workflows.simulate import Simulation
from batchwright.workflows.update import Wanted, asks_the_same, publish, refusals


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


class Deeds(QObject):
    """Does one thing at a time for a study; what comes of it is kept for that study, whichever is open then.

    After each the service is looked at, also after one that failed.
    """

    changed = Signal()
    made = Signal()
    """The study has a batch whose tasks are to be made, for the first time or anew."""
    told = Signal(str, str)
    """Something has come out well: what, and one line about it."""

    def __init__(
        self, study: Study, session: Session, tasks: Tasks, seen: Seen, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._seen = study, session, tasks, seen
        self.going: Going | None = None
        self.sent: dict[str, Wanted] = {}
        """What each batch was sent last."""
        self.outdated: set[str] = set()
        """The batches that were updated after their tasks were made: those show what was before."""
        self._about = self._now
        study.saved_changed.connect(self._take_study)
        session.changed.connect(self._take_study)

    def publish(self, wanted: Wanted) -> None:
        """Make the batch, or bring it to what is wanted."""
        self._start("publish", lambda: self._publish(wanted))

    def set_up(self, batch: Batch, tasks_per_group: int) -> None:
        """Have the tasks made."""
        self._start("set up", lambda: self._set_up(batch, tasks_per_group))

    def simulate(self, batch: Batch, people: People) -> None:
        """Let simulated participants answer; when the study is closed meanwhile, they stop."""
        self._start("simulate", lambda: self._simulate(batch, people))

    def participate(self, batch: Batch, open_address: Callable[[str], object]) -> None:
        """Open a batch as its participants see it."""

        async def participate() -> None:
            bench = await self._session.bench()
            open_address((await bench.service.local.participation(batch.id)).url)

        self._tasks.start("run participate", participate)

    def open(self, batch: Batch, begin: Callable[[Project], Awaitable[object]]) -> None:
        """Open a batch as a study; `begin` may ask first what becomes of the one that is open."""

        async def open_it() -> None:
            await begin(await open_batch(await self._session.bench(), batch.id))

        self._tasks.start("run open a batch", open_it)

    async def _publish(self, wanted: Wanted) -> bool:
        """Whether tasks are to be made next."""
        about, connection = self._now, self._session.connection.name
        own, before = self._seen.own_id or None, self._seen.own
        self._study.show_refusals(())
        with self._goes(_("Updating the batch") if own else _("Creating the batch")):
            bench = await self._session.bench()
            try:
                made = await publish(bench, wanted, own)
            except LayoutRefused as refused:
                if about == self._now:
                    self._study.show_refusals(refusals(refused))
                return False
        batch = made.batch
        self.sent[batch.id] = wanted
        if before is not None and before.total_task_count and not asks_the_same(before, wanted):
            self.outdated.add(batch.id)
        self.told.emit(_("Batch updated") if own else _("Batch created"), batch.name)
        if about != self._now:
            return False
        remote = self._study.remote(connection)
        made_there = replace(remote, workspace_id=bench.workspace_id, batch_id=batch.id, ids=made.ids)
        self._study.set_remote(connection, made_there)
        self._seen.keep(batch)
        return not own or batch.id in self.outdated

    async def _set_up(self, batch: Batch, tasks_per_group: int) -> bool:
        with self._goes(_("Creating tasks")):
            bench = await self._session.bench()
            self._seen.keep(with_status(batch, BatchStatus.PROCESSING))
            ready = await set_up(bench, batch.id, batch.name, tasks_per_group, batch.status)
        self.outdated.discard(batch.id)
        self.told.emit(_("Setup finished"), made_of(ready))
        return False

    async def _simulate(self, batch: Batch, people: People) -> bool:
        text, through = _("Simulated participants answer"), 0
        with self._goes(text):
            bench = await self._session.bench()
            local = bench.service.local
            each = AnnotatorsPerTask(annotators_per_task=people.per_task)
            await local.set_annotators_per_task(batch.id, each)
            await self._seen.count_groups(bench)
            link = (await local.participation(batch.id)).url
            simulation = Simulation(link, people.seed, people.participants)
            async with aclosing(simulation.run()) as run:
                async for _number in run:
                    through += 1
                    self.going = Going(text, through / people.participants)
                    await self._seen.count_groups(bench)
                    self.changed.emit()
        said = ngettext("{count} participant answered", "{count} participants answered", through)
        self.told.emit(said.format(count=number(through)), batch.name)
        return False

    def _start(self, name: str, deed: Callable[[], Awaitable[bool]]) -> None:
        about = self._now

        async def do() -> None:
            is_made = False
            try:
                is_made = await deed()
            finally:
                if about == self._now:
                    await self._seen.look_now()
            if is_made and about == self._now:
                self.made.emit()

        self._tasks.start(_task(name, about), do)

    @contextmanager
    def _goes(self, text: str) -> Iterator[None]:
        about = self._now
        self.going = Going(text)
        self._seen.joins_setups = False
        self.changed.emit()
        try:
            yield
        finally:
            self._seen.joins_setups = True
            if about == self._now:
                self.going = None
                self.changed.emit()

    @property
    def _now(self) -> tuple[int, str]:
        """Which study at which connection something is done for."""
        return self._study.opening, self._session.connection.name

    def _take_study(self) -> None:
        """Leave the last study alone: what was asked of the service goes on, people who answer do not."""
        if self._about != self._now:
            self._tasks.cancel(_task("simulate", self._about))
            self._about, self.going = self._now, None
            self.changed.emit()


def _task(name: str, about: tuple[int, str]) -> str:
    opening, connection = about
    return f"run {name} {opening} {connection}"


def made_of(batch: Batch) -> str:
    """How many tasks a batch has, in how many groups."""
    groups = batch.total_task_groups or 0
    return ngettext("{tasks} in {count} group", "{tasks} in {count} groups", groups).format(
        tasks=tasks(batch.total_task_count), count=number(groups)
    )
