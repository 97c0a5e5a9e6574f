"""What the service has, as it was last seen: the workspace's batches, and the study's groups and jobs."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import NotFound
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.job_table import JobRow
from batchwright.local.projects import RemoteBinding
from batchwright.ui.connections.authentication import needs_sign_in
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.batch_state import ended_syncs, is_being_set_up
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.datasets import Dataset
from batchwright.wire.local_routes import GroupProgress
from batchwright.workflows.dataset_schemas import lacks_schema

_GATHER = 0.1
"""Seconds within which news of several jobs are read together."""


@dataclass(frozen=True)
class _FetchResult:
    """What one look has found, and the workbench that it was found with."""

    bench: WorkflowContext
    batches: dict[str, Batch]
    lost: str
    dataset: Dataset | None
    accepted: int | None
    jobs: tuple[JobRow, ...]


class RemoteBatches(QObject):
    """Looks, and holds what it saw; `changed` follows everything.

    A setup that runs is left to the program's watch, whoever began it: when the watch has news of the
    study's batch, the batch is looked at again.
    """

    changed = Signal()
    looked = Signal()
    """A look has succeeded; told before `changed`."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._describe = study, session, tasks, describe
        self._batches: dict[str, Batch]
        self._is_v4: dict[str, bool] = {}
        """By dataset; what one is made as it stays, so that each is asked about once."""
        self.groups: Sequence[GroupProgress]
        self.jobs: tuple[JobRow, ...]
        self.dataset: Dataset | None
        """That of the study."""
        self.accepted: int | None
        """How many records the last import took; None where nobody knows."""
        self.fault: TaskMessage | None
        """Why the last look failed."""
        self.wants_sign_in: bool
        """Whether that was for want of a token."""
        self.seen_at: datetime | None
        """When the last look succeeded."""
        self.is_loading: bool
        self.lost: str
        """The id of a batch of the study that the service does not have any more."""
        self._forget()
        self.joins_setups = True
        """False while someone here begins a setup or a sync and waits for it: that one needs no joining."""
        self._has_news = False
        session.jobs_changed.connect(self._take_news)

    @property
    def remote(self) -> RemoteBinding:
        """What the study has at the active connection."""
        return self._study.remote(self._session.connection.name)

    @property
    def own_id(self) -> str:
        """The id of the study's batch; empty while it has none, or none any more."""
        id = self.remote.batch_id or ""
        return "" if id == self.lost else id

    @property
    def own(self) -> Batch | None:
        """The batch of the study."""
        return self._batches.get(self.own_id)

    @property
    def is_v3(self) -> bool:
        """Whether the batch of the study has a V3 dataset, which no records can be appended to."""
        return self.own is not None and any(not self._is_v4.get(one.id, True) for one in self.own.datasets)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches of the workspace as the service lists them, the newest first."""
        return tuple(self._batches.values())

    def batch(self, id: str) -> Batch | None:
        """One of the batches."""
        return self._batches.get(id)

    def keep(self, batch: Batch) -> None:
        """Know a batch as it is now; a new one stands first."""
        self._batches = {batch.id: batch, **self._batches, batch.id: batch}
        self._tell_seen()
        self.changed.emit()

    def forget(self) -> None:
        """Know nothing: another service, or another study."""
        self._forget()
        self.changed.emit()

    def look(self, *, asks: bool = False) -> None:
        """Look again at what the service has; only where somebody `asks` to may a token be asked for."""
        if self._study.is_open:
            self._tasks.start("run look", lambda: self.look_now(asks=asks))

    async def look_now(self, *, asks: bool = False) -> None:
        """Look again; a look that fails is kept as `fault`, in place of what it would have shown.

        What was begun for another study or service is not shown, and this one is looked at in its turn,
        though nobody is asked for its token.
        """
        self.is_loading = not self._batches
        self.changed.emit()
        of = self._of
        try:
            found = await self._session.at_work(lambda bench, _waits: self._find(bench), asks=asks)
        except Exception as fault:
            # Whatever it is: it is shown in place of what was looked for.
            if of == self._of:
                self.fault, self.wants_sign_in = self._describe(fault), needs_sign_in(fault)
        else:
            if of == self._of:
                self.fault, self.lost, self._batches = None, found.lost, found.batches
                self.wants_sign_in = False
                self._tell_seen()
                self.seen_at = datetime.now(UTC)
                self.dataset, self.accepted, self.jobs = found.dataset, found.accepted, found.jobs
                if found.dataset is not None and found.dataset.id == self.remote.dataset_id:
                    here, lacking = self._session.connection.name, lacks_schema(found.dataset)
                    self._study.know_schema(here, is_lacking=lacking)
                await self.count_groups(found.bench)
                await self._join_setup(found.bench)
                self.looked.emit()
        finally:
            self.is_loading = False
            self.changed.emit()
        if of != self._of and self._study.is_open:
            await self.look_now()

    def _tell_seen(self) -> None:
        if self.own is not None:
            self._study.batch_seen.emit(self._session.connection.name, self.own.status)

    async def count_groups(self, bench: WorkflowContext) -> None:
        """Count how far the groups are, as only the service of this computer can tell."""
        batch = self.own
        has_groups = batch is not None and not self._session.is_live and batch.status == BatchStatus.READY
        self.groups = (await bench.service.local.progress(batch.id)).groups if batch and has_groups else ()

    @property
    def _of(self) -> tuple[int, str, str | None]:
        """What a look is about: what it finds must not be taken for another study or service."""
        return self._study.opening, self._session.connection.name, self.remote.batch_id

    async def _find(self, bench: WorkflowContext) -> _FetchResult:
        batches = {one.id: one for one in (await bench.service.batches.list(bench.workspace_id)).results}
        lost = await self._find_own(bench, batches)
        dataset = await self._find_dataset(bench)
        await self._learn_kind(bench, batches.get(self.remote.batch_id or ""))
        return _FetchResult(bench, batches, lost, dataset, await self._accepted(bench), await self._jobs())

    async def _find_own(self, bench: WorkflowContext, found: dict[str, Batch]) -> str:
        """Add the study's batch where the list does not have it, as one of another workspace.

        Returns:
            its id when it is gone. The study keeps it: another token may reach it again.
        """
        id = self.remote.batch_id
        if id is not None and id not in found:
            try:
                found[id] = await bench.service.batches.get(id)
            except NotFound:
                return id
        return ""

    async def _find_dataset(self, bench: WorkflowContext) -> Dataset | None:
        """The dataset of the study as it is now; its schema may have been changed elsewhere."""
        id = self.remote.dataset_id
        if id is None:
            return None
        try:
            dataset = await bench.service.datasets.get(id)
        except NotFound:
            return None
        self._is_v4[id] = dataset.is_v4
        return dataset

    async def _learn_kind(self, bench: WorkflowContext, batch: Batch | None) -> None:
        """Learn whether the dataset of a batch is a V3 one; nobody can tell of one that is gone."""
        for one in batch.datasets if batch else ():
            if one.id not in self._is_v4:
                with suppress(NotFound):
                    self._is_v4[one.id] = (await bench.service.datasets.get(one.id)).is_v4

    async def _accepted(self, bench: WorkflowContext) -> int | None:
        remote = self.remote
        if remote.dataset_id is None or remote.import_id is None:
            return None
        try:
            job = await bench.service.datasets.import_job(remote.dataset_id, remote.import_id)
        except NotFound:
            return None
        return job.accepted_count

    async def _jobs(self) -> tuple[JobRow, ...]:
        watch, remote = await self._session.watch(), self.remote
        own = {remote.dataset_id, remote.batch_id} - {None}
        here = self._session.connection.name
        rows = await asyncio.to_thread(watch.rows.latest)
        return tuple(
            row
            for row in rows
            if row.connection == here and any(value in own for value in row.subject.values())
        )

    async def _join_setup(self, bench: WorkflowContext) -> None:
        """Have a setup watched that nobody here has begun, as one of another program or person."""
        batch = self.own
        if batch is not None and batch.status == BatchStatus.PROCESSING and self.joins_setups:
            await bench.watching.join(JobKind.SETUP, {"batch_id": batch.id}, batch.name)

    def _take_news(self) -> None:
        if self._study.is_open:
            self._has_news = True
            self._tasks.start("run jobs", self._read_jobs)

    async def _read_jobs(self) -> None:
        while self._has_news:
            await asyncio.sleep(_GATHER)
            self._has_news = False
            await self._take_jobs()

    async def _take_jobs(self) -> None:
        """Show how the jobs stand; where the batch does not show yet what has ended, look again."""
        of, jobs, before = self._of, await self._jobs(), self.jobs
        if of != self._of or jobs == before:
            return
        self.jobs, batch = jobs, self.own
        self.changed.emit()
        is_processing = batch is not None and batch.status == BatchStatus.PROCESSING
        has_ended = is_processing and not is_being_set_up(jobs)
        if self.joins_setups and (has_ended or ended_syncs(jobs) - ended_syncs(before)):
            self.look()

    def _forget(self) -> None:
        self._batches = {}
        self.groups = ()
        self.jobs = ()
        self.dataset = None
        self.accepted = None
        self.fault = None
        self.wants_sign_in = False
        self.seen_at = None
        self.is_loading = False
        self.lost = ""
