"""What can be done with the study's data at a service: uploaded, appended, its schema changed, replaced."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.formats import FormatKind
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.appending import AppendOperation, RecordsToAppend, append_work
from batchwright.ui.data.data_file import DataFileModel, FileState, FileSummary
from batchwright.ui.data.drag_drop import DropRefusal, refusal_while_busy, refusal_while_uploading
from batchwright.ui.data.interrupted_upload import InterruptedUpload, RemainingWork
from batchwright.ui.data.operations import OperationRunner, OperationState
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.data.schema_changing import SchemaChangeOperation, schema_change_work
from batchwright.ui.data.schema_plan import SchemaDiff, diff_schemas
from batchwright.ui.data.upload_fingerprint import DatasetProvenance
from batchwright.ui.data.upload_state import UploadSource
from batchwright.ui.data.upload_v3 import V3UploadOperation, send_v3
from batchwright.ui.data.uploads import UploadRunner
from batchwright.ui.data.use_existing_dataset import DatasetLookup, attach_dataset, newest_complete_import
from batchwright.ui.data.validation_run import ValidationRun
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob


class DatasetController(QObject):
    """Does one thing at a time, and has the study know what it has at the service afterwards."""

    changed = Signal()
    """What is known of the dataset, or what is done with it but for uploads, which tell of themselves."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        file: DataFileModel,
        checks: ValidationRun,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session = study, session
        self._file, self._checks = file, checks
        self._delivered = DatasetProvenance(study)
        self.held = RemoteDataset(study, session, tasks, describe, self)
        self.uploads = UploadRunner(session, tasks, describe, self)
        self.deeds = OperationRunner(session, tasks, describe, self)
        self._resuming = InterruptedUpload(
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
    def busy(self) -> DropRefusal | None:
        """Why another file cannot be taken now, nor anything else be done with the dataset."""
        if self.uploads.is_running:
            return refusal_while_uploading()
        return refusal_while_busy() if self.deeds.is_running else None

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
    def left(self) -> RemainingWork:
        """What is left to do of an upload of this data whose end the study does not know."""
        return self._resuming.left

    @property
    def appending(self) -> AppendOperation | None:
        """The latest deed, if it is an append."""
        return self.deeds.latest if isinstance(self.deeds.latest, AppendOperation) else None

    @property
    def changing(self) -> SchemaChangeOperation | None:
        """The latest deed, if it is a schema change."""
        return self.deeds.latest if isinstance(self.deeds.latest, SchemaChangeOperation) else None

    @property
    def sending_v3(self) -> V3UploadOperation | None:
        """The latest deed, if it makes a V3 dataset."""
        return self.deeds.latest if isinstance(self.deeds.latest, V3UploadOperation) else None

    def forget(self) -> None:
        """Show nothing of what was done; what goes on is stopped."""
        self.uploads.forget()
        self.deeds.forget()

    def take_other_data(self) -> None:
        """The study has another file: of another study, or chosen a moment ago."""
        self.forget()
        self._delivered.forget()
        self._delivered.recall()

    def load(self) -> UploadSource | None:
        """What would be uploaded; None while nothing can be."""
        shown, schema, report = self._file.shown, self._study.schema, self._checks.report
        if shown is None or schema is None or report is None or not report.accepted:
            return None
        name = without_lone_surrogates(self._study.project.name or shown.path.stem)
        # The service knows the kind of a file by its name, and takes no .txt.
        is_served = shown.form.served and FormatKind.of(shown.path.name) is shown.form.kind
        whole = not report.rejected and is_served
        remote = self._study.remote(self._session.connection.name)
        begun = None if remote.import_id else remote.dataset_id
        return UploadSource(name, shown.path, shown.stamp, shown.form, schema, report.accepted, whole, begun)

    @property
    def begun(self) -> Dataset | None:
        """The dataset that an upload goes on with; None where it makes one."""
        load, progress = self.load(), self.uploads.progress
        if progress is None:
            return self.held.dataset if self.left is RemainingWork.SENDING else None
        return progress.dataset if load is not None and progress.goes_on_with(load) else None

    def upload(self, watched: Dataset | None = None) -> None:
        """Make a dataset of the good records; where one imports them already, only watch that."""
        load = self.load()
        if load is not None and self.busy is None:
            self._delivered.begin(self._session.connection.name)
            self.uploads.start(load, watched or self.begun, sends=watched is None)

    def rows(self) -> RecordsToAppend | None:
        """What would be appended; None while nothing can be."""
        shown = self._file.shown
        if shown is None or not shown.is_counted or not shown.records:
            return None
        return RecordsToAppend(shown.path, shown.stamp, shown.form, shown.records)

    def append(self, dataset: Dataset, rows: RecordsToAppend) -> None:
        """Append records to the study's dataset; what was begun and stopped goes on where it was."""
        here = self._session.connection
        if self.busy is None:
            self.uploads.forget()
            deed = AppendOperation(here.name, here.title, load=rows, dataset_id=dataset.id)
            self.deeds.start(deed, append_work(dataset.id, rows))

    @property
    def plan(self) -> SchemaDiff | None:
        """What giving the dataset the schema in view will do; None where it has it, or there is none."""
        dataset, schema = self.held.dataset, self._study.schema
        if dataset is None or schema is None or not self.held.differs:
            return None
        return diff_schemas(dataset, self.held.schema, schema)

    @property
    def source(self) -> FileSummary | None:
        """The file in view, where the dataset was made of it with the schema that it has."""
        here, schema = self._session.connection.name, self.held.schema
        is_made = schema is not None and self._delivered.is_made_of_view(here, schema)
        return self._file.shown if is_made else None

    def change_schema(self) -> None:
        """Give the dataset the schema in view."""
        dataset, planned, here = self.held.dataset, self.plan, self._session.connection
        if dataset is not None and planned is not None and self.busy is None:
            self.uploads.forget()
            deed = SchemaChangeOperation(here.name, here.title, plan=planned)
            self.deeds.start(deed, schema_change_work(dataset, planned))

    def send_v3(self, path: Path) -> None:
        """Make a V3 dataset of a file."""
        if self.busy is not None:
            return
        here = self._session.connection
        name = without_lone_surrogates(self._study.project.name or path.stem)
        self.uploads.forget()
        self.deeds.start(V3UploadOperation(here.name, here.title, path=path), send_v3(name, path))

    def take(self, found: DatasetLookup, *, takes_schema: bool) -> None:
        """Let a dataset that is there be the study's; what was uploaded before stays where it is."""
        if self.busy is None:
            self.forget()
            here = self._session.connection.name
            attach_dataset(self._study, here, found, takes_schema=takes_schema)
            self._delivered.take(here)
            self.held.keep(found.dataset)

    def _keep_upload(self, connection: str, workspace_id: str, dataset_id: str, import_id: str) -> None:
        old = self._study.remote(connection)
        delivered = old.delivered if import_id else ""
        kept = old.with_dataset(workspace_id, dataset_id, import_id or None)
        self._study.set_remote(connection, replace(kept, delivered=delivered))
        if import_id:
            self.held.look_again()

    def _keep_import(self, load: UploadSource, workspace_id: str, job: ImportJob) -> None:
        """Know an import that ended while nobody here looked."""
        here = self._session.connection.name
        self._delivered.begin(here)
        self._keep_upload(here, workspace_id, load.begun or "", job.import_id)
        self._delivered.arrive(here)

    def _take_ended_import(self) -> None:
        """Know an import that ended while nobody here looked, where the file that was sent is not at hand."""
        dataset, remote = self.held.dataset, self.held.remote
        is_away = self._file.stand in (FileState.NONE, FileState.UNREADABLE)
        if dataset is None or dataset.id != remote.dataset_id or remote.has_data:
            return
        if not is_away or self.uploads.is_running:
            return
        import_id = newest_complete_import(dataset)
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
            case SchemaChangeOperation(keeps_all=True, connection=there, plan=SchemaDiff() as planned):
                self._delivered.reshape(there, planned)
            case AppendOperation(pace=OperationState.ENDED, rejected=0, connection=there) as appending:
                shown = self._file.shown
                if shown is not None and appending.is_of(shown.path) and self.held.is_as_in_view:
                    self._delivered.begin(there)
                    self._delivered.arrive(there)
            case V3UploadOperation(pace=OperationState.ENDED, dataset=Dataset() as dataset) as sent:
                old = self._study.remote(sent.connection)
                kept = old.with_dataset(sent.workspace_id, dataset.id, is_filled=True)
                self._study.set_remote(sent.connection, replace(kept, lacks_schema=True))
                self._delivered.take(sent.connection)
                self.held.keep(dataset)

    def _look_after_deed(self) -> None:
        """See what the dataset has become, however an append or a schema change has ended."""
        deed = self.deeds.latest
        if (
            isinstance(deed, AppendOperation | SchemaChangeOperation)
            and deed.connection == self._session.connection.name
        ):
            self.held.look_again()
