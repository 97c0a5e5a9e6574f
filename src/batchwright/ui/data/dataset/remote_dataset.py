"""The study's dataset at the current connection, as last fetched."""

from typing_extensions import override

from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import lacks_schema, schema_of
from batchwright.local.projects import RemoteBinding
from batchwright.schema.model import Schema, are_equivalent
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset


class RemoteDataset(RemoteState[Dataset | None]):
    """The dataset, fetched when the stage is shown, and after operations that change it.

    It is cleared when the study gets another dataset, and fetched at once for another study or connection.
    """

    def __init__(self, study: Study, session: ConnectionSession, tasks: Tasks) -> None:
        self._study = study
        place = Subject(lambda: (study.opening, session.connection.name), study.changed, session.changed)
        super().__init__("dataset", place, self._fetch_dataset, session, tasks)
        place.setParent(self)
        self._dataset = Subject(lambda: self.subject, study.changed, study.saved_changed, session.changed)
        self._dataset.setParent(self)
        self._dataset.changed.connect(self.clear)
        self.fetched.connect(self._on_fetched)

    @property
    def subject(self) -> tuple[int, str, str | None]:
        """The number of the open study, the name of the connection, and the id of the dataset."""
        return self._study.opening, self._session.connection.name, self.binding.dataset_id

    @property
    def binding(self) -> RemoteBinding:
        """The ids of the study at the current connection."""
        return self._study.remote(self._session.connection.name)

    @property
    def dataset(self) -> Dataset | None:
        """The dataset; None unless it could be fetched."""
        return self.value if self.error is None else None

    @property
    def schema(self) -> Schema | None:
        """The schema of the dataset; None unless it could be fetched and has one."""
        return schema_of(self.dataset) if self.dataset is not None else None

    @property
    def accepts_records(self) -> bool:
        """Whether records can be appended: it is V4 and has a schema (specification, Datasets rule 3)."""
        return self.dataset is not None and self.dataset.is_v4 and self.schema is not None

    @property
    def has_study_schema(self) -> bool:
        """Whether the dataset has the schema of the study."""
        return are_equivalent(self.schema, self._study.schema)

    @property
    def schema_differs(self) -> bool:
        """Whether the dataset could be given the study's schema, and does not have it."""
        is_v4 = self.dataset is not None and self.dataset.is_v4
        return is_v4 and self._study.schema is not None and not self.has_study_schema

    @override
    def refresh(self, *, may_prompt: bool = False) -> None:
        if self.binding.dataset_id:
            super().refresh(may_prompt=may_prompt)

    def ensure_loaded(self) -> None:
        """Fetch the dataset, unless it is known, could not be fetched, or the study has none."""
        if self.dataset is None and (self.error is None or self.needs_sign_in):
            self.refresh()

    def sign_in(self) -> None:
        """Fetch the dataset, and ask for a token if one is needed."""
        self.refresh(may_prompt=True)

    async def _fetch_dataset(self, context: WorkflowContext) -> Dataset | None:
        id = self.binding.dataset_id
        return await context.service.datasets.get(id) if id else None

    def _on_fetched(self) -> None:
        if self.value is not None:
            self._study.set_lacks_schema(self._session.connection.name, lacks_schema=lacks_schema(self.value))
