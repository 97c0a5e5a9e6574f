"""What can be done with the study's data at a service: uploaded, appended, its schema changed, replaced."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.formats import Kind
from batchwright.ui.core.background_tasks import Message, Tasks
from batchwright.ui.core.session import Session
from batchwright.ui.data.appending import Appending, Rows, append_to
from batchwright.ui.data.data_file import OpenedFile, Shown, Stand
from batchwright.ui.data.drag_drop import Refusal, uploading, working
from batchwright.ui.data.interrupted_upload import Left, Resuming
from batchwright.ui.data.operations import Deeds, Pace
from batchwright.ui.data.remote_dataset import HeldDataset
from batchwright.ui.data.schema_changing import Changing, change
from batchwright.ui.data.schema_plan import SchemaPlan, plan
from batchwright.ui.data.upload_fingerprint import Delivered
from batchwright.ui.data.upload_state import Load
from batchwright.ui.data.upload_v3 import SendingV3, send_v3
from batchwright.ui.data.uploads import Uploads
from batchwright.ui.data.use_existing_dataset import Found, attach, complete_import
from batchwright.ui.data.validation_run import Checks
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob


class DatasetWork(QObject):
    """Does one thing at a time, and has the study know what it has at the service afterwards."""

    changed = Signal()
    """What is known of the dataset, or what is done with it but for uploads, which tell of themselves."""

    def __init__(
        self,
        study: Study,
        session: Session,
        file: OpenedFile,
        checks: Checks,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session = study, session
        self._file, self._checks = file, checks
        self._delivered = Delivered(study)
        self.held = HeldDataset(study, session, tasks, describe, self)
        self.uploads = Uploads(session, tasks, describe, self)
        self.deeds = Deeds(session, tasks, describe, self)
        self._resuming = Resuming(
            session, self.held, self.uploads, tasks, self.load, self.upload, self._keep_import, self
        )
        self._resuming.changed.connect(self.changed)
        checks.changed.connect(self._resuming.look)
        file.read_again.connect(self._delivered.forget)
        self.uploads.made.connect(self._keep_upload)
        self.uploads.changed.connect(self._heed_upload)
        self.deeds.changed.connect(self._heed_deed)
        self.deeds.ended.connect(self._look_after_deed)
        self.held.changed.connect(self._take_ended_import)
        file.changed.connect(self._take_ended_import)
        self.held.changed.connect(self.changed)
        self.deeds.changed.connect(self.changed)

    @property
    def busy(self) -> Refusal | None:
        """Why another file cannot be taken now, nor anything else be done with the dataset."""
        if self.uploads.is_running:
            return uploading()
        return working() if self.deeds.is_running else None

    @property
    def is_uploaded(self) -> bool:
        """Whether the dataset at the active connection is the one for just this data."""
        return self._delivered.holds(self._session.connection.name)

    @property
    def is_settled(self) -> bool:
        """Whether the study has a dataset there for what is in view: made of it, or taken since."""
        return self._delivered.settles(self._session.connection.name)

    @property
    def seems_to_hold_this(self) -> bool:
        """Whether the dataset may be made of just this data, where it is not known what it was made of."""
        report, dataset, remote = self._checks.report, self.held.dataset, self.held.remote
        return (
            report is not None
            and dataset is not None
            and remote.has_data
            and not remote.delivered
            and self.uploads.progress is None
            and 0 < report.accepted == dataset.total_datapoint_count
            and self.held.is_as_in_view
            and not self.is_settled
        )

    def keep(self) -> None:
        """Let the dataset be the one of the data in view."""
        here = self._session.connection.name
        self._delivered.begin(here)
        self._delivered.arrive(here)
        self.changed.emit()

    @property
    def left(self) -> Left:
        """What is left to do of an upload of this data whose end the study does not know."""
        return self._resuming.left

    @property
    def appending(self) -> Appending | None:
        """The latest deed, if it is an append."""
        return self.deeds.latest if isinstance(self.deeds.latest, Appending) else None

    @property
    def changing(self) -> Changing | None:
        """The latest deed, if it is a schema change."""
        return self.deeds.latest if isinstance(self.deeds.latest, Changing) else None

    @property
    def sending_v3(self) -> SendingV3 | None:
        """The latest deed, if it makes a V3 dataset."""
        return self.deeds.latest if isinstance(self.deeds.latest, SendingV3) else None

    def forget(self) -> None:
        """Show nothing of what was done; what goes on is stopped."""
        self.uploads.forget()
        self.deeds.forget()

    def take_other_data(self) -> None:
        """The study has another file: of another study, or chosen a moment ago."""
        self.forget()
        self._delivered.forget()
        self._delivered.recall()

    def load(self) -> Load | None:
        """What would be uploaded; None while nothing can be."""
        shown, schema, report = self._file.shown, self._study.schema, self._checks.report
        if shown is None or schema is None or report is None or not report.accepted:
            return None
        name = without_lone_surrogates(self._study.project.name or shown.path.stem)
        # The service knows the kind of a file by its name, and takes no .txt.
        is_served = shown.form.served and Kind.of(shown.path.name) is shown.form.kind
        whole = not report.rejected and is_served
        remote = self._study.remote(self._session.connection.name)
        begun = None if remote.import_id else remote.dataset_id
        return Load(name, shown.path, shown.stamp, shown.form, schema, report.accepted, whole, begun)

    @property
    def begun(self) -> Dataset | None:
        """The dataset that an upload goes on with; None where it makes one."""
        load, progress = self.load(), self.uploads.progress
        if progress is None:
            return self.held.dataset if self.left is Left.SENDING else None
        return progress.dataset if load is not None and progress.goes_on_with(load) else None

    def upload(self, watched: Dataset | None = None) -> None:
        """Make a dataset of the good records; where one imports them already, only watch that."""
        load = self.load()
        if load is not None and self.busy is None:
            self._delivered.begin(self._session.connection.name)
            self.uploads.start(load, watched or self.begun, sends=watched is None)

    def rows(self) -> Rows | None:
        """What would be appended; None while nothing can be."""
        shown = self._file.shown
        if shown is None or not shown.is_counted or not shown.records:
            return None
        return Rows(shown.path, shown.stamp, shown.form, shown.records)

    def append(self, dataset: Dataset, rows: Rows) -> None:
        """Append records to the study's dataset; what was begun and stopped goes on where it was."""
        here = self._session.connection
        if self.busy is None:
            self.uploads.forget()
            deed = Appending(here.name, here.title, load=rows, dataset_id=dataset.id)
            self.deeds.start(deed, append_to(dataset.id, rows))

    @property
    def plan(self) -> SchemaPlan | None:
        """What giving the dataset the schema in view will do; None where it has it, or there is none."""
        dataset, schema = self.held.dataset, self._study.schema
        if dataset is None or schema is None or not self.held.differs:
            return None
        return plan(dataset, self.held.schema, schema)

    @property
    def source(self) -> Shown | None:
        """The file in view, where the dataset was made of it with the schema that it has."""
        here, schema = self._session.connection.name, self.held.schema
        is_made = schema is not None and self._delivered.is_made_of_view(here, schema)
        return self._file.shown if is_made else None

    def change_schema(self) -> None:
        """Give the dataset the schema in view."""
        dataset, planned, here = self.held.dataset, self.plan, self._session.connection
        if dataset is not None and planned is not None and self.busy is None:
            self.uploads.forget()
            deed = Changing(here.name, here.title, plan=planned)
            self.deeds.start(deed, change(dataset, planned))

    def send_v3(self, path: Path) -> None:
        """Make a V3 dataset of a file."""
        if self.busy is not None:
            return
        here = self._session.connection
        name = without_lone_surrogates(self._study.project.name or path.stem)
        self.uploads.forget()
        self.deeds.start(SendingV3(here.name, here.title, path=path), send_v3(name, path))

    def take(self, found: Found, *, takes_schema: bool) -> None:
        """Let a dataset that is there be the study's; what was uploaded before stays where it is."""
        if self.busy is None:
            self.forget()
            here = self._session.connection.name
            attach(self._study, here, found, takes_schema=takes_schema)
            self._delivered.take(here)
            self.held.keep(found.dataset)

    def _keep_upload(self, connection: str, workspace_id: str, dataset_id: str, import_id: str) -> None:
        old = self._study.remote(connection)
        delivered = old.delivered if import_id else ""
        kept = old.with_dataset(workspace_id, dataset_id, import_id or None)
        self._study.set_remote(connection, replace(kept, delivered=delivered))
        if import_id:
            self.held.look_again()

    def _keep_import(self, load: Load, workspace_id: str, job: ImportJob) -> None:
        """Know an import that ended while nobody here looked."""
        here = self._session.connection.name
        self._delivered.begin(here)
        self._keep_upload(here, workspace_id, load.begun or "", job.import_id)
        self._delivered.arrive(here)

    def _take_ended_import(self) -> None:
        """Know an import that ended while nobody here looked, where the file that was sent is not at hand."""
        dataset, remote = self.held.dataset, self.held.remote
        is_away = self._file.stand in (Stand.NONE, Stand.UNREADABLE)
        if dataset is None or dataset.id != remote.dataset_id or remote.has_data:
            return
        if not is_away or self.uploads.is_running:
            return
        import_id = complete_import(dataset)
        if import_id is not None:
            self._study.set_remote(self._session.connection.name, replace(remote, import_id=import_id))

    def _heed_upload(self) -> None:
        progress = self.uploads.progress
        if progress is None and self.held.is_shown:
            self.held.look()
        elif progress is not None and progress.is_complete:
            self._delivered.arrive(progress.connection)

    def _heed_deed(self) -> None:
        match self.deeds.latest:
            case Changing(keeps_all=True, connection=there, plan=SchemaPlan() as planned):
                self._delivered.reshape(there, planned)
            case Appending(pace=Pace.ENDED, rejected=0, connection=there) as appending:
                shown = self._file.shown
                if shown is not None and appending.is_of(shown.path) and self.held.is_as_in_view:
                    self._delivered.begin(there)
                    self._delivered.arrive(there)
            case SendingV3(pace=Pace.ENDED, dataset=Dataset() as dataset) as sent:
                old = self._study.remote(sent.connection)
                kept = old.with_dataset(sent.workspace_id, dataset.id, is_filled=True)
                self._study.set_remote(sent.connection, replace(kept, lacks_schema=True))
                self._delivered.take(sent.connection)
                self.held.keep(dataset)

    def _look_after_deed(self) -> None:
        """See what the dataset has become, however an append or a schema change has ended."""
        deed = self.deeds.latest
        if isinstance(deed, Appending | Changing) and deed.connection == self._session.connection.name:
            self.held.look_again()
