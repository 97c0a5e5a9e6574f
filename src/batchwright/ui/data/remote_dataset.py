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
        self._subject = self.subject
        self._requests = 0
        self.is_visible = False
        """Whether anybody looks: while nobody does, another study is no reason to ask a service."""
        self.dataset: Dataset | None = None
        self.schema: Schema | None = None
        """That of the dataset, once it was seen and has one."""
        self.error: TaskMessage | None = None
        """Why the last look failed."""
        self.needs_sign_in = False
        """Whether it failed for want of a token, or of the key ring that holds it: nobody was asked."""
        study.changed.connect(self._on_subject_changed)
        study.saved_changed.connect(self._on_subject_changed)
        session.changed.connect(self._on_subject_changed)

    @property
    def binding(self) -> RemoteBinding:
        """What the study has at the active connection."""
        return self._study.remote(self._session.connection.name)

    @property
    def accepts_records(self) -> bool:
        """Whether records can be appended: it is V4 and has a schema (specification, Datasets rule 3)."""
        return self.dataset is not None and self.dataset.is_v4 and self.schema is not None

    @property
    def has_study_schema(self) -> bool:
        """Whether the dataset has the schema of the study."""
        return mean_the_same(self.schema, self._study.schema)

    @property
    def schema_differs(self) -> bool:
        """Whether the study has a schema that the dataset could be given, and does not have."""
        is_v4 = self.dataset is not None and self.dataset.is_v4
        return is_v4 and self._study.schema is not None and not self.has_study_schema

    def ensure_loaded(self) -> None:
        """Look at the dataset, unless it is known or the study has none."""
        if self.dataset is None and (self.error is None or self.needs_sign_in):
            self.refresh()

    def refresh(self) -> None:
        """Look at the dataset as it is now, if that can be done without asking anybody."""
        self._start(asks=False)

    def sign_in(self) -> None:
        """Look at the dataset, and ask for what that needs."""
        self._start(asks=True)

    def set_dataset(self, dataset: Dataset) -> None:
        """Know the dataset as it is now, unless it is another than the study's."""
        if dataset.id != self.binding.dataset_id:
            return
        self.dataset, self.schema, self.error = dataset, schema_of(dataset), None
        self.needs_sign_in = False
        self._study.know_schema(self._session.connection.name, is_lacking=lacks_schema(dataset))
        self.changed.emit()

    @property
    def subject(self) -> tuple[int, str, str | None]:
        """What a look is about: what it finds must not be taken for another study, service or dataset."""
        return self._study.opening, self._session.connection.name, self.binding.dataset_id

    def _on_subject_changed(self) -> None:
        if self.subject != self._subject:
            is_elsewhere = self.subject[:2] != self._subject[:2]
            self._subject = self.subject
            self.dataset = self.schema = self.error = None
            self.needs_sign_in = False
            self.changed.emit()
            if self.is_visible and is_elsewhere:
                self.ensure_loaded()

    def _start(self, *, asks: bool) -> None:
        if self.binding.dataset_id:
            self._requests += 1
            number = self._requests
            self._tasks.start(f"data look {number}", lambda: self._fetch(number, asks=asks))

    async def _fetch(self, number: int, *, asks: bool) -> None:
        about, id = self.subject, self.binding.dataset_id
        try:
            dataset = await self._session.at_work(
                lambda context, _recovery: context.service.datasets.get(id or ""), asks=asks
            )
        except Exception as error:
            # Whatever it is: it is shown in place of the dataset.
            if (about, number) == (self.subject, self._requests):
                self.dataset = self.schema = None
                self.error, self.needs_sign_in = self._describe(error), needs_sign_in(error)
                self.changed.emit()
        else:
            if (about, number) == (self.subject, self._requests):
                self.set_dataset(dataset)
