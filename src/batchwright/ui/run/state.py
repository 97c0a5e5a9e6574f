"""The state of the Run stage: the batches of the workspace and the progress of the study. No widgets."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.client.batch_content import (
    DesiredBatch,
    desired_batch,
    shows_fields,
)
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import differs, lacks_schema
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.published_content import ContentComparison
from batchwright.client.task_layouts import record_observed_setups
from batchwright.layout.item_types.registry import Item
from batchwright.local.job_table import JobRow
from batchwright.local.projects import RemoteBinding
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.publishing.state import PublishingState, ResourceChange
from batchwright.ui.run.publishable import BATCH
from batchwright.ui.run.remote_batches import (
    BatchDetails,
    RemoteBatches,
    ShownBatch,
    ended_syncs,
    fetch_batches,
    fetch_details,
    is_being_set_up,
    is_legacy,
    jobs_of,
    read_jobs,
)
from batchwright.ui.run.sync import SyncState
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.server_problems import is_server_problem
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.local_routes import GroupProgress, Progress

_GATHER_S = 0.1
"""Debounce in seconds: changes of several jobs within this time are read together."""


@dataclass(frozen=True, kw_only=True)
class AutoSyncSwitch(Operation):
    """Switches auto-sync of a batch to the setting last requested (`SyncState.requested`)."""

    resource_id: str
    """The batch."""


class RunState(PublishingState[Batch, DesiredBatch, RemoteBatches]):
    """Combines the study, the fetched batches and the operations; `changed` is emitted for every change of
    these.

    A study that becomes a batch has a batch of its own, created from here. Without such a study, the batches
    of the workspace are shown, and the newest of them at first.

    A setup of the study's batch that was started elsewhere is monitored by the job watcher of the program:
    when a job of that batch changes, the batches are fetched again. While other batches are being set up, the
    batches are fetched repeatedly as long as the stage is visible.
    """

    simulation_fell_short = Signal(str, str)
    """Fewer simulated participants answered than requested: title and text of the notice."""

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(
            BATCH,
            "the batches",
            study,
            session,
            tasks,
            lambda: (study.opening, session.connection.name),
            RemoteBatches(),
            parent,
        )
        self._shown_subject = Subject(
            lambda: (self.subject.value, self.shown_id), self.subject.changed, self.changed, parent=self
        )
        self.details: RemoteState[BatchDetails] = RemoteState(
            "the batch shown", self._shown_subject, self._fetch_details, session, tasks, self
        )
        self.sync = SyncState(session, tasks, self.remote_list, self.operations, lambda: self.shown, self)
        self._dataset_id = self.remote.dataset_id
        self._reported: Batch | None = None
        """The batch whose status was last reported to the study."""
        self._has_unread_jobs = False
        self.remote_list.fetched.connect(self._on_fetched)
        self.remote_list.changed.connect(self._on_batches_changed)
        self.details.changed.connect(self.changed)
        self.sync.changed.connect(self.changed)
        study.changed.connect(self._on_study_changed)
        study.saved_changed.connect(self._on_study_changed)
        session.changed.connect(self._on_study_changed)
        session.jobs_changed.connect(self._on_jobs_changed)

    @property
    @override
    def remote(self) -> RemoteBinding:
        """The study's ids at the current connection; empty without a study that becomes a batch.

        A dataset that does not exist any more is left out.
        """
        remote = super().remote
        if remote.dataset_id is None or remote.dataset_id != self.fetched.lost_dataset_id:
            return remote
        return replace(remote, dataset_id=None, import_id=None, is_filled=False)

    @property
    def dataset_elsewhere(self) -> str:
        """Says that the study has a dataset, which is not here; empty if it has one here, or none at all."""
        if self.fetched.lost_dataset_id and self.remote.dataset_id is None:
            at_connection = at_connection_phrase(self.session.connection.title)
            return _("The dataset of this study is not {here}.").format(here=at_connection)
        if self.remote.dataset_id is not None or not self.has_own:
            return ""
        return sent_elsewhere(self.study, lambda remote: remote.dataset_id)

    @property
    def progress(self) -> Progress:
        """Progress of the task groups of the batch shown, in a rehearsal."""
        return self.details.value.progress if self.details.value is not None else Progress()

    @property
    def groups(self) -> Sequence[GroupProgress]:
        """The task groups of `progress`."""
        return self.progress.groups

    @property
    def jobs(self) -> tuple[JobRow, ...]:
        """The jobs of the study if its batch is shown, else those of the batch shown; newest first."""
        return jobs_of(self.fetched.jobs, self._own_ids if self.shows_own else self._shown_ids)

    @property
    def is_unknown(self) -> bool:
        """Whether the study has data or a batch, and nothing was fetched yet."""
        has_something = self.remote.has_data or self.remote.batch_id is not None
        return has_something and self.remote_list.fetched_at is None

    @property
    def shown_operation(self) -> Operation | None:
        """The running operation, unless it changes another batch than the one shown."""
        operation = self.operation
        if isinstance(operation, ResourceChange | AutoSyncSwitch) and operation.resource_id:
            return operation if operation.resource_id == self.shown_id else None
        return operation

    @property
    def shown(self) -> ShownBatch | None:
        """The batch shown with its details, as last fetched."""
        batch = self.chosen
        return ShownBatch(batch, self.details.value or BatchDetails(), self.jobs) if batch else None

    @property
    def refused(self) -> int:
        """Number of errors that the service has reported."""
        return sum(map(is_server_problem, self.study.problems))

    @property
    def pages_and_items(self) -> tuple[int, int]:
        """Number of pages and items of the layout."""
        layout = self.study.layout
        return len(layout.pages), layout.count(Item)

    @property
    @override
    def desired(self) -> DesiredBatch | None:
        """The content that the batch should have; None without a study that becomes a batch.

        An attached dataset can be replaced, but not detached.
        """
        if not self.has_own:
            return None
        attached = (dataset.id for dataset in self.own.datasets) if self.own is not None else iter(())
        dataset_id = self.remote.dataset_id or next(attached, None)
        return desired_batch(self.project, dataset_id, self.remote.ids)

    @property
    def needs_data(self) -> bool:
        """Whether the study's batch has to wait for its dataset, or for the data file to be uploaded.

        A layout that shows no fields can become a batch without a dataset (`dataset_id` is optional).
        """
        has_file = self.study.data is not None or self.remote.dataset_id is not None
        return has_file or shows_fields(self.study.layout)

    @property
    def needs_instructions(self) -> bool:
        """Whether the study has V3 data, and its layout is empty or shows fields, which V3 data lacks."""
        dataset, layout = self.fetched.dataset, self.study.layout
        is_v3 = dataset is not None and dataset.id == self.remote.dataset_id and not dataset.is_v4
        return is_v3 and (not layout.pages or shows_fields(layout))

    @property
    def legacy_batch(self) -> Batch | None:
        """The newest batch that shows the dataset of the study by instructions."""
        batches = filter(is_legacy, self.fetched.resources.values())
        used = ((batch, {dataset.id for dataset in batch.datasets}) for batch in batches)
        return next((batch for batch, datasets in used if self.remote.dataset_id in datasets), None)

    @property
    def awaits_import(self) -> bool:
        """Whether the study's dataset has no imported data yet: its batch can be created, not its tasks."""
        return self.remote.dataset_id is not None and not self.remote.has_data

    @property
    def is_as_sent(self) -> bool:
        """Whether the batch has the current content of the study."""
        return self.comparison is ContentComparison.UP_TO_DATE

    @property
    def schema_differs(self) -> bool:
        """Whether the dataset, as last fetched, has another schema than the study."""
        dataset = self.fetched.dataset
        is_own = dataset is not None and dataset.id == self.remote.dataset_id
        return dataset is not None and is_own and differs(dataset, self.study.schema)

    @property
    def is_outdated(self) -> bool:
        """Whether the tasks of the batch shown show what it had before it was changed, here or elsewhere."""
        return self.details.value is not None and self.details.value.has_earlier_tasks

    @property
    def records(self) -> int:
        """Number of records in the study's dataset; 0 if unknown."""
        batch = self.own
        counts = [dataset.total_datapoint_count for dataset in batch.datasets] if batch else []
        return counts[0] if counts else self.fetched.accepted or 0

    @property
    def answers(self) -> tuple[int, int]:
        """Numbers of completed and required passes through the task groups of the batch shown.

        Known in a rehearsal only.
        """
        total = sum(group.annotators_per_task for group in self.groups)
        return sum(group.completed for group in self.groups), total

    @override
    def set_active(self, *, is_active: bool) -> None:
        super().set_active(is_active=is_active)
        self.details.is_active = is_active

    def store_has_earlier_tasks(self, batch_id: str, *, has_earlier_tasks: bool) -> None:
        """Set what is known about the tasks of a batch after its update or setup, if the batch is shown."""
        if batch_id == self.shown_id:
            details = self.details.value or BatchDetails()
            self.details.store(replace(details, has_earlier_tasks=has_earlier_tasks))

    def store_progress(self, batch_id: str, progress: Progress) -> None:
        """Set the progress of the task groups of a batch without fetching it, if the batch is shown."""
        if batch_id == self.shown_id:
            details = replace(self.details.value or BatchDetails(), progress=progress)
            self.details.store(details, overtakes=False)

    @override
    async def _fetch(self, context: WorkflowContext) -> RemoteBatches:
        """Fetch the batches; a setup of the study's that was started elsewhere is monitored from then on."""
        since = datetime.now(UTC)
        fetched = await fetch_batches(context, self.session, self.remote)
        await record_observed_setups(context, fetched.resources.values())
        batch = fetched.resources.get(self.own_id)
        if batch is not None and batch.status == BatchStatus.PROCESSING and self.operation is None:
            subject = {"batch_id": batch.id}
            await context.jobs.monitor_unless_open(JobKind.SETUP, subject, batch.name, fetched_since=since)
        return fetched

    async def _fetch_details(self, context: WorkflowContext) -> BatchDetails:
        batch = self.chosen
        if batch is None:
            return BatchDetails()
        return await fetch_details(context, batch, is_live=self.session.is_live)

    def _on_fetched(self) -> None:
        if self.chosen is not None:
            self.details.refresh()
        if self._has_others_in_progress:
            self.tasks.start("poll batches in progress", self._poll_others)
        dataset = self.fetched.dataset
        if dataset is not None and dataset.id == self.remote.dataset_id:
            self.study.set_lacks_schema(self.session.connection.name, lacks_schema=lacks_schema(dataset))

    def _on_batches_changed(self) -> None:
        batch = self.own
        if batch is not None and batch is not self._reported:
            self._reported = batch
            self.study.batch_status_fetched.emit(self.session.connection.name, batch.status)
        self.changed.emit()

    @override
    def _on_operation_finished(self, operation: Operation) -> None:
        super()._on_operation_finished(operation)
        if isinstance(operation, AutoSyncSwitch):
            self.sync.request(operation.resource_id, is_on=None)

    @property
    def _has_others_in_progress(self) -> bool:
        """Whether the service is creating tasks of a batch that is not monitored here."""
        operation = self.operation
        monitored = {self.own_id, operation.resource_id if isinstance(operation, ResourceChange) else ""}
        return any(
            batch.status == BatchStatus.PROCESSING and batch.id not in monitored for batch in self.resources
        )

    async def _poll_others(self) -> None:
        """Fetch the batches repeatedly while other batches are being set up and the stage is visible."""
        for pause in (await self.session.context(may_prompt=False)).jobs.poll_intervals():
            await asyncio.sleep(pause)
            if not (self.remote_list.is_active and self._has_others_in_progress):
                return
            await self.remote_list.fetch_now()
            if self.remote_list.error is not None:
                return

    @property
    def _own_ids(self) -> frozenset[str | None]:
        return frozenset({self.remote.dataset_id, self.remote.batch_id} - {None})

    @property
    def _shown_ids(self) -> frozenset[str]:
        batch = self.chosen
        return frozenset({batch.id, *(dataset.id for dataset in batch.datasets)} if batch else ())

    def _on_jobs_changed(self) -> None:
        if self.study.is_open or self.remote_list.is_active:
            self._has_unread_jobs = True
            self.tasks.start("read the jobs of the study", self._read_jobs)

    async def _read_jobs(self) -> None:
        while self._has_unread_jobs:
            await asyncio.sleep(_GATHER_S)
            self._has_unread_jobs = False
            await self._update_jobs()

    async def _update_jobs(self) -> None:
        """Update the jobs; after the end of a setup or sync, fetch the batches again."""
        subject, remote, shown_ids = self.subject.value, self.remote, self._shown_ids
        jobs, ids = await read_jobs(self.session), self._own_ids | shown_ids
        before = jobs_of(self.fetched.jobs, ids)
        if (subject, remote, shown_ids) != (self.subject.value, self.remote, self._shown_ids):
            return
        after = jobs_of(jobs, ids)
        if after == before:
            return
        self.remote_list.store(replace(self.fetched, jobs=jobs), overtakes=False)
        is_processing = self.own is not None and self.own.status == BatchStatus.PROCESSING
        has_ended = is_processing and not is_being_set_up(jobs_of(after, self._own_ids))
        if self.operation is None and (has_ended or ended_syncs(after) - ended_syncs(before)):
            self.remote_list.refresh()

    @override
    def _on_subject_changed(self) -> None:
        super()._on_subject_changed()
        self._dataset_id = self.remote.dataset_id

    def _on_study_changed(self) -> None:
        dataset_id = self.remote.dataset_id
        if dataset_id != self._dataset_id:
            self._dataset_id = dataset_id
            self.study.show_server_problems(())
        self.changed.emit()
