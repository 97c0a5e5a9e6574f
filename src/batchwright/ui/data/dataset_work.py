"""What can be done with the study's dataset: it is seen, appended to, and its schema is changed."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.ui.data.appending import Appending, Rows, append_to
from batchwright.ui.data.deeds import Deeds
from batchwright.ui.data.held import HeldDataset
from batchwright.ui.data.schema_changing import Changing, change
from batchwright.ui.data.schema_plan import SchemaPlan, plan
from batchwright.ui.data.sending_v3 import SendingV3, send_v3
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Message, Tasks
from batchwright.wire.datasets import Dataset


class DatasetWork(QObject):
    """Ties what is done to the dataset that it is done with."""

    changed = Signal()
    made = Signal(str, str, str)
    """There is a V3 dataset for the study: connection, workspace id, dataset id."""

    def __init__(
        self,
        study: Study,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session = study, session
        self.held = HeldDataset(study, session, tasks, describe, self)
        self.deeds = Deeds(session, tasks, describe, self)
        self.held.changed.connect(self.changed)
        self.deeds.changed.connect(self.changed)

    @property
    def changing(self) -> Changing | None:
        """The latest deed, if it is a schema change."""
        return self.deeds.latest if isinstance(self.deeds.latest, Changing) else None

    @property
    def sending_v3(self) -> SendingV3 | None:
        """The latest deed, if it makes a V3 dataset."""
        return self.deeds.latest if isinstance(self.deeds.latest, SendingV3) else None

    def send_v3(self, name: str, path: Path) -> None:
        """Make a V3 dataset of a file."""
        here = self._session.connection

        def seen(workspace_id: str, dataset: Dataset) -> None:
            self.made.emit(here.name, workspace_id, dataset.id)
            self.held.keep(dataset)

        self.deeds.start(SendingV3(here.name, here.title, path=path), send_v3(name, path, seen))

    @property
    def plan(self) -> SchemaPlan | None:
        """What giving the dataset the schema in view will do; None where it has it, or there is none."""
        dataset, schema = self.held.dataset, self._study.schema
        if dataset is None or schema is None or not self.held.differs:
            return None
        return plan(dataset, self.held.schema, schema)

    def change_schema(self) -> None:
        """Give the dataset the schema in view."""
        dataset, planned, here = self.held.dataset, self.plan, self._session.connection
        if dataset is not None and planned is not None:
            deed = Changing(here.name, here.title, plan=planned)
            self.deeds.start(deed, change(dataset, planned, self.held.keep))

    @property
    def appending(self) -> Appending | None:
        """The latest deed, if it is an append."""
        return self.deeds.latest if isinstance(self.deeds.latest, Appending) else None

    def append(self, rows: Rows) -> None:
        """Append records to the dataset; what was begun and stopped goes on where it was."""
        dataset, here = self.held.dataset, self._session.connection
        if dataset is not None:
            deed = Appending(here.name, here.title, load=rows, dataset_id=dataset.id)
            self.deeds.start(deed, append_to(dataset.id, rows, self.held.keep))
