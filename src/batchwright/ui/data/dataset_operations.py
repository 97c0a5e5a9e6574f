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
        self._file, self._validation = file, checks
        self._provenance = DatasetProvenance(study)
        self.remote = RemoteDataset(study, session, tasks, describe, self)
        self.uploads = UploadRunner(session, tasks, describe, self)
        self.operations = OperationRunner(session, tasks, describe, self)
        self._interrupted = InterruptedUpload(
            session,
            self.remote,
            self.uploads,
            tasks,
            self.upload_source,
            self.upload,
            self._record_import,
            self,
        )
        self._interrupted.changed.connect(self.changed)
        checks.changed.connect(self._interrupted.check)
        file.reloaded.connect(self._provenance.clear)
        self.uploads.dataset_changed.connect(self._on_dataset_changed)
        self.uploads.changed.connect(self._on_upload_changed)
        self.operations.changed.connect(self._on_operation_changed)
        self.operations.finished.connect(self._on_operation_finished)
        self.remote.changed.connect(self._adopt_completed_import)
        file.changed.connect(self._adopt_completed_import)
        self.remote.changed.connect(self.changed)
        self.operations.changed.connect(self.changed)

    @property
    def busy_reason(self) -> DropRefusal | None:
        """Why another file cannot be taken now, nor anything else be done with the dataset."""
        if self.uploads.is_running:
            return refusal_while_uploading()
        return refusal_while_busy() if self.operations.is_running else None

    @property
    def is_uploaded(self) -> bool:
        """Whether the dataset at the active connection is the one for just this data."""
        return self._provenance.is_made_of_data(self._session.connection.name)

    @property
    def is_current(self) -> bool:
        """Whether the study has a dataset there for what is in view: made of it, or taken since."""
        return self._provenance.is_current(self._session.connection.name)

    @property
    def may_match_data(self) -> bool:
        """Whether the dataset may be made of just this data, where it is not known what it was made of."""
        report, dataset, remote = self._validation.report, self.remote.dataset, self.remote.binding
        return (
            report is not None
            and dataset is not None
            and remote.has_data
            and not remote.delivered
            and self.uploads.latest is None
            and 0 < report.accepted == dataset.total_datapoint_count
            and self.remote.has_study_schema
            and not self.is_current
        )

    def confirm_match(self) -> None:
        """Let the dataset be the one of the data in view."""
        here = self._session.connection.name
        self._provenance.start(here)
        self._provenance.complete(here)
        self.changed.emit()

    @property
    def remaining_work(self) -> RemainingWork:
        """What is left to do of an upload of this data whose end the study does not know."""
        return self._interrupted.remaining

    @property
    def append_operation(self) -> AppendOperation | None:
        """The latest deed, if it is an append."""
        return self.operations.latest if isinstance(self.operations.latest, AppendOperation) else None

    @property
    def schema_change(self) -> SchemaChangeOperation | None:
        """The latest deed, if it is a schema change."""
        return self.operations.latest if isinstance(self.operations.latest, SchemaChangeOperation) else None

    @property
    def v3_upload(self) -> V3UploadOperation | None:
        """The latest deed, if it makes a V3 dataset."""
        return self.operations.latest if isinstance(self.operations.latest, V3UploadOperation) else None

    def clear(self) -> None:
        """Show nothing of what was done; what goes on is stopped."""
        self.uploads.clear()
        self.operations.clear()

    def reset(self) -> None:
        """The study has another file: of another study, or chosen a moment ago."""
        self.clear()
        self._provenance.clear()
        self._provenance.load()

    def upload_source(self) -> UploadSource | None:
        """What would be uploaded; None while nothing can be."""
        summary, schema, report = self._file.summary, self._study.schema, self._validation.report
        if summary is None or schema is None or report is None or not report.accepted:
            return None
        name = without_lone_surrogates(self._study.project.name or summary.path.stem)
        # The service knows the kind of a file by its name, and takes no .txt.
        is_served = summary.format.served and FormatKind.of(summary.path.name) is summary.format.kind
        whole = not report.rejected and is_served
        remote = self._study.remote(self._session.connection.name)
        begun = None if remote.import_id else remote.dataset_id
        return UploadSource(
            name, summary.path, summary.stamp, summary.format, schema, report.accepted, whole, begun
        )

    @property
    def dataset_to_resume(self) -> Dataset | None:
        """The dataset that an upload goes on with; None where it makes one."""
        source, upload = self.upload_source(), self.uploads.latest
        if upload is None:
            return self.remote.dataset if self.remaining_work is RemainingWork.UPLOAD else None
        return upload.dataset if source is not None and upload.can_resume(source) else None

    def upload(self, watched: Dataset | None = None) -> None:
        """Make a dataset of the good records; where one imports them already, only watch that."""
        source = self.upload_source()
        if source is not None and self.busy_reason is None:
            self._provenance.start(self._session.connection.name)
            self.uploads.start(source, watched or self.dataset_to_resume, sends=watched is None)

    def records_to_append(self) -> RecordsToAppend | None:
        """What would be appended; None while nothing can be."""
        summary = self._file.summary
        if summary is None or not summary.is_counted or not summary.records:
            return None
        return RecordsToAppend(summary.path, summary.stamp, summary.format, summary.records)

    def append(self, dataset: Dataset, rows: RecordsToAppend) -> None:
        """Append records to the study's dataset; what was begun and stopped goes on where it was."""
        here = self._session.connection
        if self.busy_reason is None:
            self.uploads.clear()
            operation = AppendOperation(here.name, here.title, source=rows, dataset_id=dataset.id)
            self.operations.start(operation, append_work(dataset.id, rows))

    @property
    def schema_diff(self) -> SchemaDiff | None:
        """What giving the dataset the schema in view will do; None where it has it, or there is none."""
        dataset, schema = self.remote.dataset, self._study.schema
        if dataset is None or schema is None or not self.remote.schema_differs:
            return None
        return diff_schemas(dataset, self.remote.schema, schema)

    @property
    def source_file(self) -> FileSummary | None:
        """The file in view, where the dataset was made of it with the schema that it has."""
        here, schema = self._session.connection.name, self.remote.schema
        is_made = schema is not None and self._provenance.is_made_of_file(here, schema)
        return self._file.summary if is_made else None

    def change_schema(self) -> None:
        """Give the dataset the schema in view."""
        dataset, diff, here = self.remote.dataset, self.schema_diff, self._session.connection
        if dataset is not None and diff is not None and self.busy_reason is None:
            self.uploads.clear()
            operation = SchemaChangeOperation(here.name, here.title, diff=diff)
            self.operations.start(operation, schema_change_work(dataset, diff))

    def upload_v3(self, path: Path) -> None:
        """Make a V3 dataset of a file."""
        if self.busy_reason is not None:
            return
        here = self._session.connection
        name = without_lone_surrogates(self._study.project.name or path.stem)
        self.uploads.clear()
        self.operations.start(V3UploadOperation(here.name, here.title, path=path), send_v3(name, path))

    def attach(self, found: DatasetLookup, *, uses_schema: bool) -> None:
        """Let a dataset that is there be the study's; what was uploaded before stays where it is."""
        if self.busy_reason is None:
            self.clear()
            here = self._session.connection.name
            attach_dataset(self._study, here, found, uses_schema=uses_schema)
            self._provenance.accept_as_is(here)
            self.remote.set_dataset(found.dataset)

    def _on_dataset_changed(
        self, connection: str, workspace_id: str, dataset_id: str, import_id: str
    ) -> None:
        old = self._study.remote(connection)
        delivered = old.delivered if import_id else ""
        kept = old.with_dataset(workspace_id, dataset_id, import_id or None)
        self._study.set_remote(connection, replace(kept, delivered=delivered))
        if import_id:
            self.remote.refresh()

    def _record_import(self, source: UploadSource, workspace_id: str, job: ImportJob) -> None:
        """Know an import that ended while nobody here looked."""
        here = self._session.connection.name
        self._provenance.start(here)
        self._on_dataset_changed(here, workspace_id, source.unfinished_dataset_id or "", job.import_id)
        self._provenance.complete(here)

    def _adopt_completed_import(self) -> None:
        """Know an import that ended while nobody here looked, where the file that was sent is not at hand."""
        dataset, remote = self.remote.dataset, self.remote.binding
        is_away = self._file.state in (FileState.NONE, FileState.UNREADABLE)
        if dataset is None or dataset.id != remote.dataset_id or remote.has_data:
            return
        if not is_away or self.uploads.is_running:
            return
        import_id = newest_complete_import(dataset)
        if import_id is not None:
            self._study.set_remote(self._session.connection.name, replace(remote, import_id=import_id))

    def _on_upload_changed(self) -> None:
        upload = self.uploads.latest
        if upload is None and self.remote.is_visible:
            self.remote.ensure_loaded()
        elif upload is not None and upload.is_complete:
            self._provenance.complete(upload.connection)

    def _on_operation_changed(self) -> None:
        match self.operations.latest:
            case SchemaChangeOperation(equals_new_upload=True, connection=there, diff=SchemaDiff() as diff):
                self._provenance.change_schema(there, diff)
            case AppendOperation(state=OperationState.SUCCEEDED, rejected=0, connection=there) as appending:
                summary = self._file.summary
                if summary is not None and appending.is_from(summary.path) and self.remote.has_study_schema:
                    self._provenance.start(there)
                    self._provenance.complete(there)
            case V3UploadOperation(state=OperationState.SUCCEEDED, dataset=Dataset() as dataset) as sent:
                old = self._study.remote(sent.connection)
                kept = old.with_dataset(sent.workspace_id, dataset.id, is_filled=True)
                self._study.set_remote(sent.connection, replace(kept, lacks_schema=True))
                self._provenance.accept_as_is(sent.connection)
                self.remote.set_dataset(dataset)

    def _on_operation_finished(self) -> None:
        """See what the dataset has become, however an append or a schema change has ended."""
        operation = self.operations.latest
        if (
            isinstance(operation, AppendOperation | SchemaChangeOperation)
            and operation.connection == self._session.connection.name
        ):
            self.remote.refresh()
