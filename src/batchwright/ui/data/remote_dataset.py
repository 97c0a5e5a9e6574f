"""The dataset that the study has at the active connection, as it was last seen there."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from batchwright.local.projects import RemoteBinding
from batchwright.schema.model import Schema, mean_the_same
from batchwright.ui.connections.authentication import needs_sign_in
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset
from batchwright.workflows.dataset_schemas import lacks_schema, schema_of


class RemoteDataset(QObject):
    """Looks at the dataset when somebody looks at the stage, and after whatever changes it there."""

    changed = Signal()

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
        self._about = self.subject
        self._looks = 0
        self.is_shown = False
        """Whether anybody looks: while nobody does, another study is no reason to ask a service."""
        self.dataset: Dataset | None = None
        self.schema: Schema | None = None
        """That of the dataset, once it was seen and has one."""
        self.fault: TaskMessage | None = None
        """Why the last look failed."""
        self.needs_token = False
        """Whether it failed for want of a token, or of the key ring that holds it: nobody was asked."""
        study.changed.connect(self._take_change)
        study.saved_changed.connect(self._take_change)
        session.changed.connect(self._take_change)

    @property
    def remote(self) -> RemoteBinding:
        """What the study has at the active connection."""
        return self._study.remote(self._session.connection.name)

    @property
    def takes_records(self) -> bool:
        """Whether records can be appended: it is V4 and has a schema (specification, Datasets rule 3)."""
        return self.dataset is not None and self.dataset.is_v4 and self.schema is not None

    @property
    def is_as_in_view(self) -> bool:
        """Whether the dataset has the schema of the study."""
        return mean_the_same(self.schema, self._study.schema)

    @property
    def differs(self) -> bool:
        """Whether the study has a schema that the dataset could be given, and does not have."""
        is_v4 = self.dataset is not None and self.dataset.is_v4
        return is_v4 and self._study.schema is not None and not self.is_as_in_view

    def look(self) -> None:
        """Look at the dataset, unless it is known or the study has none."""
        if self.dataset is None and (self.fault is None or self.needs_token):
            self.look_again()

    def look_again(self) -> None:
        """Look at the dataset as it is now, if that can be done without asking anybody."""
        self._begin(asks=False)

    def sign_in(self) -> None:
        """Look at the dataset, and ask for what that needs."""
        self._begin(asks=True)

    def keep(self, dataset: Dataset) -> None:
        """Know the dataset as it is now, unless it is another than the study's."""
        if dataset.id != self.remote.dataset_id:
            return
        self.dataset, self.schema, self.fault = dataset, schema_of(dataset), None
        self.needs_token = False
        self._study.know_schema(self._session.connection.name, is_lacking=lacks_schema(dataset))
        self.changed.emit()

    @property
    def subject(self) -> tuple[int, str, str | None]:
        """What a look is about: what it finds must not be taken for another study, service or dataset."""
        return self._study.opening, self._session.connection.name, self.remote.dataset_id

    def _take_change(self) -> None:
        if self.subject != self._about:
            is_elsewhere = self.subject[:2] != self._about[:2]
            self._about = self.subject
            self.dataset = self.schema = self.fault = None
            self.needs_token = False
            self.changed.emit()
            if self.is_shown and is_elsewhere:
                self.look()

    def _begin(self, *, asks: bool) -> None:
        if self.remote.dataset_id:
            self._looks += 1
            number = self._looks
            self._tasks.start(f"data look {number}", lambda: self._look(number, asks=asks))

    async def _look(self, number: int, *, asks: bool) -> None:
        about, id = self.subject, self.remote.dataset_id
        try:
            dataset = await self._session.at_work(
                lambda bench, _waits: bench.service.datasets.get(id or ""), asks=asks
            )
        except Exception as fault:
            # Whatever it is: it is shown in place of the dataset.
            if (about, number) == (self.subject, self._looks):
                self.dataset = self.schema = None
                self.fault, self.needs_token = self._describe(fault), needs_sign_in(fault)
                self.changed.emit()
        else:
            if (about, number) == (self.subject, self._looks):
                self.keep(dataset)
