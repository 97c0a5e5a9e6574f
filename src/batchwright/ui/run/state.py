"""What the Run stage shows: the batches of the workspace, and how far the study is. It knows no widgets."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import NotFound
from batchwright.base.i18n import _
from batchwright.layout.item_types import Item
from batchwright.layout.rules import Severity
from batchwright.local.job_table import JobRow
from batchwright.local.projects import LastSent, Project, RemoteBinding
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.editor.server_problems import is_server_problem
from batchwright.ui.run.batch_operations import BatchOperations, SimulationOptions
from batchwright.ui.run.operations import BatchOperationRunner, RunningOperation
from batchwright.ui.run.remote_state import RemoteBatches
from batchwright.ui.run.sync import SyncController
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch, TaskDetails
from batchwright.wire.local_routes import GroupProgress
from batchwright.workflows.batch_content import (
    ContentComparison,
    Wanted,
    batch_name,
    compare,
    content_of,
    content_stored,
    task_details,
    wanted_of,
)
from batchwright.workflows.dataset_schemas import differs
from batchwright.workflows.existing_answers import Existing, look_up


class RunState(QObject):
    """Brings together the study, what the service has, and what is done; `changed` follows everything."""

    changed = Signal()
    made = Signal()
    """The study has a batch whose tasks are to be made, for the first time or anew."""
    earlier_found = Signal(str)
    """The name of a batch that was created before, from an earlier version of the study."""
    told = Signal(str, str)
    """Something has come out well: what, and one line about it."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self._seen = RemoteBatches(study, session, tasks, describe, self)
        self._under_way = BatchOperationRunner(study, session, tasks, self._seen, self)
        self._deeds = BatchOperations(study, session, tasks, self._seen, self._under_way, self)
        self.upkeep = SyncController(session, tasks, self._seen, self._under_way, self)
        self._compared: tuple[Batch, Wanted, LastSent | None, ContentComparison] | None = None
        self._about = self.subject
        self._dataset = self.remote.dataset_id
        self._chosen = ""
        self.is_shown = False
        """Whether anybody looks: while nobody does, another study is no reason to ask a service."""
        for part in (self._seen, self._under_way, self.upkeep):
            part.changed.connect(self.changed)
        self._deeds.made.connect(self.made)
        self._deeds.copied.connect(self._show_copy)
        self._deeds.told.connect(self.told)
        self._deeds.earlier_found.connect(self.earlier_found)
        self.upkeep.told.connect(self.told)
        study.changed.connect(self._take_study)
        study.saved_changed.connect(self._take_study)
        session.changed.connect(self._take_study)

    @property
    def remote(self) -> RemoteBinding:
        """What the study has at the active connection."""
        return self._seen.remote

    @property
    def batch(self) -> Batch | None:
        """The batch of the study, as it was last seen."""
        return self._seen.own

    @property
    def is_lost(self) -> bool:
        """Whether the service does not have the study's batch any more."""
        return bool(self._seen.lost)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches of the workspace, the newest first."""
        return self._seen.batches

    @property
    def groups(self) -> Sequence[GroupProgress]:
        """How far the groups are, in a rehearsal."""
        return self._seen.groups

    @property
    def jobs(self) -> tuple[JobRow, ...]:
        """The jobs of the study, the newest first."""
        return self._seen.jobs

    @property
    def fault(self) -> TaskMessage | None:
        """Why the last look failed."""
        return self._seen.fault

    @property
    def wants_sign_in(self) -> bool:
        """Whether the last look failed for want of a token."""
        return self._seen.wants_sign_in

    @property
    def seen_at(self) -> datetime | None:
        """When the last look succeeded."""
        return self._seen.seen_at

    @property
    def is_unseen(self) -> bool:
        """Whether the study has a batch that nobody has seen yet, here and now."""
        return bool(self._seen.own_id) and self.batch is None

    @property
    def is_unknown(self) -> bool:
        """Whether the study has data or a batch, and nobody has looked at the service yet."""
        has_something = self.remote.has_data or self.remote.batch_id is not None
        return has_something and self.seen_at is None

    @property
    def is_loading(self) -> bool:
        """Whether the batches are looked for, or are about to be, and none is known yet."""
        is_new = self.seen_at is None and self.fault is None
        return self._seen.is_loading or (is_new and not self.batches)

    @property
    def going(self) -> RunningOperation | None:
        """What is done just now."""
        return self._under_way.going

    @property
    def chosen(self) -> Batch | None:
        """The batch that is looked at; None for that of the study while it is a draft."""
        return self._seen.batch(self._chosen or self._seen.own_id)

    @property
    def shows_own(self) -> bool:
        """Whether the batch looked at is that of the study."""
        return not self._chosen or self._chosen == self._seen.own_id

    @property
    def errors(self) -> int:
        """How many errors the layout has, counting what is not filled in yet: a service would refuse both."""
        return sum(problem.severity is not Severity.ADVICE for problem in self.study.problems)

    @property
    def refused(self) -> int:
        """How many of them the service has found."""
        return sum(map(is_server_problem, self.study.problems))

    @property
    def pages_and_items(self) -> tuple[int, int]:
        """How large the layout is."""
        layout = self.study.layout
        return len(layout.pages), sum(isinstance(entry, Item) for entry in layout.walk_all())

    @property
    def details(self) -> TaskDetails:
        """What participants read first; a task that nobody has named is called like the study."""
        return task_details(self.study.project)

    @property
    def name(self) -> str:
        """What the batch is called."""
        return batch_name(self.study.project)

    @property
    def is_as_sent(self) -> bool:
        """Whether the batch is what the study is now."""
        return self.comparison is ContentComparison.UP_TO_DATE

    @property
    def comparison(self) -> ContentComparison:
        """How the batch relates to the study; worked out once for each of the two."""
        batch, wanted, last = self.batch, self._wanted(), self.remote.last_sent
        if batch is None or wanted is None:
            return ContentComparison.STUDY_CHANGED
        if self._compared is None or self._compared[0] is not batch or self._compared[1:3] != (wanted, last):
            self._compared = batch, wanted, last, compare(batch, wanted, last)
        return self._compared[3]

    @property
    def schema_differs(self) -> bool:
        """Whether the dataset, as it was last seen, has another schema than the study."""
        dataset = self._seen.dataset
        is_own = dataset is not None and dataset.id == self.remote.dataset_id
        return dataset is not None and is_own and differs(dataset, self.study.schema)

    @property
    def asks_the_same(self) -> bool:
        """Whether tasks of the batch would be the same after an update, as far as that can be told."""
        batch, wanted = self.batch, self._wanted()
        return (
            batch is not None
            and wanted is not None
            and content_of(batch).asks_the_same(content_stored(wanted))
        )

    @property
    def is_outdated(self) -> bool:
        """Whether the tasks show what the batch was before it was updated, as far as this run knows."""
        return self._seen.own_id in self._deeds.outdated

    @property
    def records(self) -> int:
        """How many records the study's dataset holds, as far as it is known."""
        batch = self.batch
        held = [dataset.total_datapoint_count for dataset in batch.datasets] if batch else []
        return held[0] if held else self._seen.accepted or 0

    @property
    def answers(self) -> tuple[int, int]:
        """Groups answered by people, and groups to be answered, as the service on this computer counts."""
        wanted = sum(group.annotators_per_task for group in self.groups)
        return sum(group.completed for group in self.groups), wanted

    def choose(self, batch_id: str) -> None:
        """Look at another batch."""
        if batch_id != (self._chosen or self._seen.own_id):
            self._chosen = batch_id
            self.changed.emit()

    def look(self, *, asks: bool = False) -> None:
        """Look again at what the service has; only where somebody `asks` to may a token be asked for."""
        self._seen.look(asks=asks)

    async def existing(self) -> Existing | None:
        """The study's batch as the service has it now, and its answers; None while there is none.

        Raises:
            ApiError: it could not be fetched.
        """
        own, about = self._seen.own_id, self.subject
        if not own:
            return None
        with self._under_way.goes(_("Checking the batch")):
            try:
                found = await self.session.at_work(lambda bench, _waits: look_up(bench, own))
            except NotFound:
                self.look()
                raise
        if about == self.subject:
            self._seen.keep(found.batch)
        return found

    def publish(self, replaces: Batch | None) -> None:
        """Make the batch, or bring it to what the study is now; `replaces` is the batch as it was shown."""
        wanted = self._wanted()
        if wanted is not None:
            self._chosen = ""
            self._deeds.publish(wanted, replaces)

    def set_up(self, tasks_per_group: int) -> None:
        """Have the tasks made."""
        if self.batch is not None:
            self.study.set_tasks_per_group(tasks_per_group)
            self._deeds.set_up(self.batch, tasks_per_group)

    def simulate(self, people: SimulationOptions) -> None:
        """Let simulated participants answer."""
        if self.batch is not None:
            self._deeds.simulate(self.batch, people)

    def participate(self, open_address: Callable[[str], object]) -> None:
        """Open the batch looked at as its participants see it."""
        if self.chosen is not None:
            self._deeds.participate(self.chosen, open_address)

    def sync(self) -> None:
        """Have tasks made of what came to the dataset of the study's batch later."""
        self._chosen = ""
        self.upkeep.sync()

    def duplicate(self, name: str, *, with_dataset: bool) -> None:
        """Make a copy of the batch looked at."""
        if self.chosen is not None:
            self._deeds.duplicate(self.chosen, name, with_dataset=with_dataset)

    def open_own(self, begin: Callable[[Project], Awaitable[object]]) -> None:
        """Open the study's batch, as the service has it, as a study."""
        if self.batch is not None:
            self._deeds.open(self.batch, begin)

    def open_chosen(self, begin: Callable[[Project], Awaitable[object]]) -> None:
        """Open the batch looked at as a study."""
        if self.chosen is not None:
            self._deeds.open(self.chosen, begin)

    def _show_copy(self, batch_id: str) -> None:
        """Look at a copy, where it is one of the workspace."""
        if self._seen.batch(batch_id) is not None:
            self.choose(batch_id)

    def _wanted(self) -> Wanted | None:
        remote = self.remote
        return wanted_of(self.study.project, remote.dataset_id, remote.ids) if remote.dataset_id else None

    @property
    def subject(self) -> tuple[int, str]:
        """Which study at which connection is shown: what is asked about one must not be done to another."""
        return self.study.opening, self.session.connection.name

    def _take_study(self) -> None:
        if self.subject != self._about:
            self._about, self._chosen, self._dataset = self.subject, "", self.remote.dataset_id
            self._seen.forget()
            if self.is_shown:
                self.look()
        dataset = self.remote.dataset_id
        if dataset != self._dataset:
            self._dataset = dataset
            self.study.show_refusals(())
        self.changed.emit()
