"""The state of the Run stage: the batches of the workspace and the progress of the study. No widgets."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.client.batch_content import (
    DesiredBatch,
    compare,
    desired_batch,
    item_count,
    shows_fields,
)
from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import differs, lacks_schema
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.published_content import ContentComparison, is_untitled, study_name, task_details
from batchwright.client.task_layouts import record_observed_setups
from batchwright.layout.item_types.registry import Item
from batchwright.local.job_table import JobRow
from batchwright.local.projects import RemoteBinding, StudyKind
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
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
from batchwright.ui.study.content_comparer import ContentComparer
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.problem_counts import ProblemCounts, count_problems
from batchwright.ui.study.server_problems import is_server_problem
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch, BatchStatus, TaskDetails
from batchwright.wire.local_routes import GroupProgress, Progress

_GATHER_S = 0.1
"""Debounce in seconds: changes of several jobs within this time are read together."""


@dataclass(frozen=True)
class BatchChange(Operation):
    """An operation that changes a batch; the batches are fetched again when it ends, even if it failed."""

    batch_id: str = field(default="", kw_only=True)
    """The batch that it changes; empty while the batch is being created."""


@dataclass(frozen=True, kw_only=True)
class AutoSyncSwitch(Operation):
    """Switches auto-sync of a batch to the setting last requested (`SyncState.wished`)."""

    batch_id: str


class RunState(QObject):
    """Combines the study, the fetched batches and the operations; `changed` is emitted for every change of
    these.

    A study that becomes a batch has a batch of its own, created from here. Without such a study, the batches
    of the workspace are shown, and the newest of them at first.

    A setup of the study's batch that was started elsewhere is monitored by the job watcher of the program:
    when a job of that batch changes, the batches are fetched again. While other batches are being set up, the
    batches are fetched repeatedly as long as the stage is visible.
    """

    changed = Signal()
    notified = Signal(str, str)
    """An operation has succeeded: title and text of the notification."""
    simulation_fell_short = Signal(str, str)
    """Fewer simulated participants answered than requested: title and text of the notification."""
    existing_batch_found = Signal(str)
    """A batch was found that had been created from an earlier version of the study; the argument is its
    name."""

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.study, self.session, self._tasks = study, session, tasks
        self.subject = Subject(
            lambda: (study.opening, session.connection.name),
            study.saved_changed,
            study.changed,
            session.changed,
            parent=self,
        )
        self.remote_batches: RemoteState[RemoteBatches] = RemoteState(
            "the batches", self.subject, self._fetch, session, tasks, self
        )
        self._chosen = ""
        self._shown_subject = Subject(
            lambda: (self.subject.value, self.shown_id), self.subject.changed, self.changed, parent=self
        )
        self.details: RemoteState[BatchDetails] = RemoteState(
            "the batch shown", self._shown_subject, self._fetch_details, session, tasks, self
        )
        self.operations = OperationRunner(self.subject, session, tasks, self)
        self.sync = SyncState(session, tasks, self.remote_batches, self.operations, lambda: self.shown, self)
        self._comparer = ContentComparer("compare the batch", compare, item_count, tasks, self)
        self._dataset_id = self.remote.dataset_id
        self._reported: Batch | None = None
        """The batch whose status was last reported to the study."""
        self._has_unread_jobs = False
        self.subject.changed.connect(self._on_subject_changed)
        self.remote_batches.fetched.connect(self._on_fetched)
        self.remote_batches.changed.connect(self._on_batches_changed)
        self.details.changed.connect(self.changed)
        self.operations.changed.connect(self.changed)
        self._comparer.changed.connect(self.changed)
        self.sync.changed.connect(self.changed)
        self.operations.finished.connect(self._on_operation_finished)
        study.changed.connect(self._on_study_changed)
        study.saved_changed.connect(self._on_study_changed)
        session.changed.connect(self._on_study_changed)
        session.jobs_changed.connect(self._on_jobs_changed)

    @property
    def has_own(self) -> bool:
        """Whether a study is open that becomes a batch; a collection needs none."""
        return self.study.is_open and self.study.project.kind is StudyKind.BATCH

    @property
    def remote(self) -> RemoteBinding:
        """The study's ids at the current connection; empty without a study that becomes a batch.

        A dataset that does not exist any more is left out.
        """
        remote = self.study.remote(self.session.connection.name) if self.has_own else RemoteBinding()
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
    def batch_elsewhere(self) -> str:
        """Says that the study has a batch, which is not here; empty if it has one here, or none at all."""
        if self.is_lost:
            at_connection = at_connection_phrase(self.session.connection.title)
            return _("The batch of this study is not {here}.").format(here=at_connection)
        if self.remote.batch_id is not None or not self.has_own:
            return ""
        return sent_elsewhere(self.study, lambda remote: remote.batch_id)

    @property
    def fetched(self) -> RemoteBatches:
        """The resources as last fetched; empty before the first fetch."""
        return self.remote_batches.value or RemoteBatches()

    @property
    def own_id(self) -> str:
        """The id of the study's batch; empty if it has none, or if the batch does not exist any more."""
        id = self.remote.batch_id or ""
        return "" if id == self.fetched.lost_id else id

    @property
    def batch(self) -> Batch | None:
        """The batch of the study, as last fetched."""
        return self.fetched.batches.get(self.own_id)

    @property
    def is_lost(self) -> bool:
        """Whether the study's batch does not exist any more."""
        return bool(self.fetched.lost_id) and self.fetched.lost_id == self.remote.batch_id

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches of the workspace, newest first."""
        return tuple(self.fetched.batches.values())

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
    def is_unfetched(self) -> bool:
        """Whether the study has a batch that was not fetched yet."""
        return bool(self.own_id) and self.batch is None

    @property
    def is_unknown(self) -> bool:
        """Whether the study has data or a batch, and nothing was fetched yet."""
        has_something = self.remote.has_data or self.remote.batch_id is not None
        return has_something and self.remote_batches.fetched_at is None

    @property
    def is_loading(self) -> bool:
        """Whether the first fetch of the batches is running or about to start."""
        remote = self.remote_batches
        is_new = remote.fetched_at is None and remote.error is None
        return not self.batches and (remote.is_loading or is_new)

    @property
    def operation(self) -> Operation | None:
        """The operation that is running for the study at this connection."""
        return self.operations.current

    @property
    def shown_id(self) -> str:
        """The id of the batch shown; empty for that of the study while it was not created."""
        if self._chosen or self.has_own:
            return self._chosen or self.own_id
        return next(iter(self.fetched.batches), "")

    @property
    def shown_operation(self) -> Operation | None:
        """The running operation, unless it changes another batch than the one shown."""
        operation = self.operation
        if isinstance(operation, BatchChange | AutoSyncSwitch) and operation.batch_id:
            return operation if operation.batch_id == self.shown_id else None
        return operation

    @property
    def chosen(self) -> Batch | None:
        """The batch shown; None for that of the study while it was not created."""
        return self.fetched.batches.get(self.shown_id)

    @property
    def shown(self) -> ShownBatch | None:
        """The batch shown with its details, as last fetched."""
        batch = self.chosen
        return ShownBatch(batch, self.details.value or BatchDetails(), self.jobs) if batch else None

    @property
    def shows_own(self) -> bool:
        """Whether the batch shown is that of the study."""
        return self.has_own and self.shown_id == self.own_id

    @property
    def problem_counts(self) -> ProblemCounts:
        """The problems of the layout because of which a service would reject it."""
        return count_problems(self.study.problems)

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
    def task_details(self) -> TaskDetails:
        """The task details; a task without a name gets the name of the study."""
        return task_details(self.study.project)

    @property
    def is_untitled(self) -> bool:
        """Whether the study has no title yet that participants could read."""
        return is_untitled(self.study.project)

    @property
    def name(self) -> str:
        """The name of the batch."""
        return study_name(self.study.project)

    @property
    def desired_batch(self) -> DesiredBatch | None:
        """The content that the batch should have; None without a study that becomes a batch.

        An attached dataset can be replaced, but not detached.
        """
        if not self.has_own:
            return None
        attached = (dataset.id for dataset in self.batch.datasets) if self.batch is not None else iter(())
        dataset_id = self.remote.dataset_id or next(attached, None)
        return desired_batch(self.study.project, dataset_id, self.remote.ids)

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
        batches = filter(is_legacy, self.fetched.batches.values())
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
    def comparison(self) -> ContentComparison | None:
        """How the content of the batch and of the study differ; None while that is being determined."""
        batch, desired = self.batch, self.desired_batch
        if batch is None or desired is None:
            return ContentComparison.STUDY_CHANGED
        return self._comparer.comparison(batch, desired, self.remote.last_sent)

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
        batch = self.batch
        counts = [dataset.total_datapoint_count for dataset in batch.datasets] if batch else []
        return counts[0] if counts else self.fetched.accepted or 0

    @property
    def answers(self) -> tuple[int, int]:
        """Numbers of completed and required passes through the task groups of the batch shown.

        Known in a rehearsal only.
        """
        total = sum(group.annotators_per_task for group in self.groups)
        return sum(group.completed for group in self.groups), total

    def choose(self, batch_id: str) -> None:
        """Show another batch."""
        if batch_id != self.shown_id:
            self._chosen = "" if self.has_own and batch_id == self.own_id else batch_id
            self.changed.emit()

    def choose_own(self) -> None:
        """Show the batch of the study."""
        self.choose(self.own_id)

    def store_batch(self, batch: Batch) -> None:
        """Set a batch to its current state without fetching it; a new one comes first."""
        batches: Mapping[str, Batch] = {batch.id: batch, **self.fetched.batches, batch.id: batch}
        self.remote_batches.store(replace(self.fetched, batches=batches))

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

    async def _fetch(self, context: WorkflowContext) -> RemoteBatches:
        """Fetch the batches; a setup of the study's that was started elsewhere is monitored from then on."""
        fetched = await fetch_batches(context, self.session, self.remote)
        await record_observed_setups(context, fetched.batches.values())
        batch = fetched.batches.get(self.own_id)
        if batch is not None and batch.status == BatchStatus.PROCESSING and self.operation is None:
            await context.jobs.monitor_unless_open(JobKind.SETUP, {"batch_id": batch.id}, batch.name)
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
            self._tasks.start("poll batches in progress", self._poll_others)
        dataset = self.fetched.dataset
        if dataset is not None and dataset.id == self.remote.dataset_id:
            self.study.set_lacks_schema(self.session.connection.name, lacks_schema=lacks_schema(dataset))

    def _on_batches_changed(self) -> None:
        batch = self.batch
        if batch is not None and batch is not self._reported:
            self._reported = batch
            self.study.batch_status_fetched.emit(self.session.connection.name, batch.status)
        self.changed.emit()

    def _on_operation_finished(self, operation: Operation) -> None:
        if isinstance(operation, BatchChange) and self.operations.get(operation.key) is operation:
            self.remote_batches.invalidate()
        if isinstance(operation, AutoSyncSwitch):
            self.sync.wish(operation.batch_id, is_on=None)

    @property
    def _has_others_in_progress(self) -> bool:
        """Whether the service is creating tasks of a batch that is not monitored here."""
        operation = self.operation
        monitored = {self.own_id, operation.batch_id if isinstance(operation, BatchChange) else ""}
        return any(
            batch.status == BatchStatus.PROCESSING and batch.id not in monitored for batch in self.batches
        )

    async def _poll_others(self) -> None:
        """Fetch the batches repeatedly while other batches are being set up and the stage is visible."""
        for pause in (await self.session.context(may_prompt=False)).jobs.poll_intervals():
            await asyncio.sleep(pause)
            if not (self.remote_batches.is_active and self._has_others_in_progress):
                return
            await self.remote_batches.fetch_now()
            if self.remote_batches.error is not None:
                return

    @property
    def _own_ids(self) -> frozenset[str | None]:
        return frozenset({self.remote.dataset_id, self.remote.batch_id} - {None})

    @property
    def _shown_ids(self) -> frozenset[str]:
        batch = self.chosen
        return frozenset({batch.id, *(dataset.id for dataset in batch.datasets)} if batch else ())

    def _on_jobs_changed(self) -> None:
        if self.study.is_open or self.remote_batches.is_active:
            self._has_unread_jobs = True
            self._tasks.start("read the jobs of the study", self._read_jobs)

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
        self.remote_batches.store(replace(self.fetched, jobs=jobs), overtakes=False)
        is_processing = self.batch is not None and self.batch.status == BatchStatus.PROCESSING
        has_ended = is_processing and not is_being_set_up(jobs_of(after, self._own_ids))
        if self.operation is None and (has_ended or ended_syncs(after) - ended_syncs(before)):
            self.remote_batches.refresh()

    def _on_subject_changed(self) -> None:
        self._chosen, self._dataset_id = "", self.remote.dataset_id

    def _on_study_changed(self) -> None:
        dataset_id = self.remote.dataset_id
        if dataset_id != self._dataset_id:
            self._dataset_id = dataset_id
            self.study.show_server_problems(())
        self.changed.emit()
