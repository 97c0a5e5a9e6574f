"""The state of the study's dataset, and the operations on it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.formats import FormatKind
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner, Work
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.data.append import AppendOperation, RecordsToAppend, append_work
from batchwright.ui.data.change_schema import SchemaChangeOperation, schema_change_work
from batchwright.ui.data.data_file import DataFileModel, FileState, FileSummary
from batchwright.ui.data.dataset_operation import DATASET, UPLOAD, DatasetOperation
from batchwright.ui.data.dataset_provenance import DatasetProvenance
from batchwright.ui.data.drag_drop import DropRefusal, refusal_while_busy, refusal_while_uploading
from batchwright.ui.data.interrupted_upload import InterruptedUpload, RemainingWork
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.data.schema_diff import SchemaDiff, diff_schemas
from batchwright.ui.data.upload import Upload, UploadOperation, UploadSource
from batchwright.ui.data.upload_v3 import V3UploadOperation, v3_upload_work
from batchwright.ui.data.use_existing_dataset import DatasetLookup, attach_dataset, newest_complete_import
from batchwright.ui.data.validation_run import ValidationRun
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset

T = TypeVar("T")


class DatasetController(QObject):
    """Runs one operation on the study's dataset at a time, and records the result in the study."""

    changed = Signal()
    """The dataset or an operation on it has changed."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        file: DataFileModel,
        validation: ValidationRun,
        tasks: Tasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session = study, session
        self._file, self._validation = file, validation
        self._provenance = DatasetProvenance(study)
        self.remote = RemoteDataset(study, session, tasks)
        self.remote.setParent(self)
        subject = Subject(lambda: study.opening, study.changed, parent=self)
        self.operations = OperationRunner(subject, session, tasks, self)
        self._interrupted = InterruptedUpload(
            session, self.remote, self.operations, validation, tasks, self.upload_source
        )
        self._interrupted.setParent(self)
        self._interrupted.fetched.connect(self._on_interruption_fetched)
        self._interrupted.changed.connect(self.changed)
        file.reloaded.connect(self._provenance.clear)
        file.changed.connect(self._adopt_completed_import)
        self.remote.changed.connect(self._adopt_completed_import)
        self.remote.changed.connect(self.changed)
        self.operations.finished.connect(self._on_operation_finished)
        self.operations.changed.connect(self.changed)

    @property
    def busy_reason(self) -> DropRefusal | None:
        """Why no other file can be opened or operation started now; None if no operation is running."""
        if self.operations.current is None:
            return None
        upload = self.upload_operation
        return refusal_while_uploading() if upload is not None and upload.is_running else refusal_while_busy()

    @property
    def is_uploaded(self) -> bool:
        """Whether the dataset at the current connection was created from exactly the current data."""
        return self._provenance.is_made_of_data(self._session.connection.name)

    @property
    def is_current(self) -> bool:
        """Whether the dataset belongs to the current data: created from it, or attached to it later."""
        return self._provenance.is_current(self._session.connection.name)

    @property
    def may_match_data(self) -> bool:
        """Whether the dataset, whose origin is not recorded, may have been created from the current data."""
        report, dataset, remote = self._validation.report, self.remote.dataset, self.remote.binding
        return (
            report is not None
            and dataset is not None
            and remote.has_data
            and not remote.delivered
            and self.upload_operation is None
            and 0 < report.accepted == dataset.total_datapoint_count
            and self.remote.has_study_schema
            and not self.is_current
        )

    def confirm_match(self) -> None:
        """Record that the dataset was created from the current data."""
        here = self._session.connection.name
        self._provenance.start(here)
        self._provenance.complete(here)
        self.changed.emit()

    @property
    def remaining_work(self) -> RemainingWork:
        """The remaining work of an interrupted upload of this data."""
        return self._interrupted.remaining

    @property
    def upload_operation(self) -> UploadOperation | None:
        """The latest upload."""
        operation = self.operations.get(UPLOAD)
        return operation if isinstance(operation, UploadOperation) else None

    @property
    def is_v4_disabled(self) -> bool:
        """Whether the latest upload failed because the workspace has no V4 datasets."""
        return self.upload_operation is not None and self.upload_operation.is_v4_disabled

    @property
    def operation(self) -> DatasetOperation | None:
        """The latest operation other than an upload."""
        operation = self.operations.get(DATASET)
        return operation if isinstance(operation, DatasetOperation) else None

    @property
    def append_operation(self) -> AppendOperation | None:
        """The latest operation, if it is an append."""
        return self.operation if isinstance(self.operation, AppendOperation) else None

    @property
    def schema_change(self) -> SchemaChangeOperation | None:
        """The latest operation, if it is a schema change."""
        return self.operation if isinstance(self.operation, SchemaChangeOperation) else None

    @property
    def v3_upload(self) -> V3UploadOperation | None:
        """The latest operation, if it is a V3 upload."""
        return self.operation if isinstance(self.operation, V3UploadOperation) else None

    def clear(self) -> None:
        """Cancel the running operation, and remove the latest one."""
        self.operations.forget(DATASET)
        self.hide_upload()

    def hide_upload(self) -> None:
        """Remove the latest upload, so that the dataset is shown again; a running upload is cancelled."""
        self.operations.forget(UPLOAD)
        if self.remote.is_active:
            self.remote.ensure_loaded()

    def reset(self) -> None:
        """Remove all operations, for another data file or study."""
        self.clear()
        self._provenance.clear()
        self._provenance.load()

    def upload_source(self) -> UploadSource | None:
        """The data that an upload would send; None if no upload is possible."""
        summary, schema, report = self._file.summary, self._study.schema, self._validation.report
        if summary is None or schema is None or report is None or not report.accepted:
            return None
        name = without_lone_surrogates(self._study.project.name or summary.path.stem)
        # The service derives the format from the extension of the file, and does not accept .txt.
        is_served = summary.format.served and FormatKind.of(summary.path.name) is summary.format.kind
        whole = not report.rejected and is_served
        remote = self._study.remote(self._session.connection.name)
        unfinished = None if remote.import_id else remote.dataset_id
        return UploadSource(
            name, summary.path, summary.stamp, summary.format, schema, report.accepted, whole, unfinished
        )

    @property
    def dataset_to_resume(self) -> Dataset | None:
        """The unfinished dataset that an upload would fill; None if it would create one."""
        source, upload = self.upload_source(), self.upload_operation
        if upload is None:
            return self.remote.dataset if self.remaining_work is RemainingWork.UPLOAD else None
        return upload.dataset if source is not None and upload.can_resume(source) else None

    def upload(self, monitored: Dataset | None = None) -> None:
        """Upload the accepted records; if a dataset is importing them already, only monitor the import."""
        source, connection = self.upload_source(), self._session.connection
        if source is None or self.busy_reason is not None:
            return
        self._provenance.start(connection.name)
        operation = UploadOperation(
            UPLOAD,
            _("Uploading {name}").format(name=source.path.name),
            connection.name,
            connection_title=connection.title,
            source=source,
            dataset=monitored or self.dataset_to_resume,
        )
        work = Upload(source, monitored is None, self._record_dataset)
        self.operations.start(operation, work, self._on_uploaded)

    def records_to_append(self) -> RecordsToAppend | None:
        """The records that an append would send; None if no append is possible."""
        summary = self._file.summary
        if summary is None or not summary.is_counted or not summary.records:
            return None
        return RecordsToAppend(summary.path, summary.stamp, summary.format, summary.records)

    def append(self, dataset: Dataset, source: RecordsToAppend) -> None:
        """Append records to the study's dataset, or continue an append that was stopped."""
        connection = self._session.connection
        operation = AppendOperation(
            DATASET,
            _("Appending {name}").format(name=source.path.name),
            connection.name,
            fraction=0.0,
            connection_title=connection.title,
            source=source,
            dataset_id=dataset.id,
        )
        self._start(operation, append_work(dataset.id, source), self._on_appended)

    @property
    def schema_diff(self) -> SchemaDiff | None:
        """The change from the dataset's schema to that of the study; None if there is none."""
        dataset, schema = self.remote.dataset, self._study.schema
        if dataset is None or schema is None or not self.remote.schema_differs:
            return None
        return diff_schemas(dataset, self.remote.schema, schema)

    @property
    def source_file(self) -> FileSummary | None:
        """The data file, if the dataset was created from it with its current schema."""
        here, schema = self._session.connection.name, self.remote.schema
        is_made = schema is not None and self._provenance.is_made_of_file(here, schema)
        return self._file.summary if is_made else None

    def change_schema(self) -> None:
        """Change the dataset's schema to that of the study."""
        dataset, diff, connection = self.remote.dataset, self.schema_diff, self._session.connection
        if dataset is not None and diff is not None:
            title = _("Changing the dataset's schema")
            operation = SchemaChangeOperation(
                DATASET, title, connection.name, connection_title=connection.title, diff=diff
            )
            self._start(operation, schema_change_work(dataset, diff), self._on_schema_changed)

    def upload_v3(self, path: Path) -> None:
        """Upload a file as a V3 dataset."""
        connection, title = self._session.connection, _("Sending {name}").format(name=path.name)
        name = without_lone_surrogates(self._study.project.name or path.stem)
        operation = V3UploadOperation(
            DATASET, title, connection.name, connection_title=connection.title, path=path
        )
        self._start(operation, v3_upload_work(name, path), self._on_v3_uploaded)

    def attach(self, found: DatasetLookup, *, uses_schema: bool) -> None:
        """Make an existing dataset that of the study; a dataset uploaded earlier remains at the service."""
        if self.busy_reason is None:
            self.clear()
            name = self._session.connection.name
            attach_dataset(self._study, name, found, uses_schema=uses_schema)
            self._provenance.accept_as_is(name)
            self.remote.store(found.dataset)

    def _start(self, operation: DatasetOperation, work: Work[T], on_success: Callable[[T], object]) -> None:
        if self.busy_reason is None:
            self.hide_upload()
            self.operations.start(operation, work, on_success)

    def _record_dataset(self, workspace_id: str) -> None:
        """Record the dataset of the running upload, before its import has ended."""
        upload = self.upload_operation
        if upload is not None:
            self._record_import(upload.connection, workspace_id, upload.dataset_id, None)

    def _record_import(
        self, connection: str, workspace_id: str, dataset_id: str, import_id: str | None
    ) -> None:
        """Record a dataset in the study, and its import once that is complete."""
        old = self._study.remote(connection)
        delivered = old.delivered if import_id else ""
        binding = old.with_dataset(workspace_id, dataset_id, import_id)
        self._study.set_remote(connection, replace(binding, delivered=delivered))
        if import_id:
            self.remote.invalidate()

    def _on_uploaded(self, workspace_id: str) -> None:
        upload = self.upload_operation
        if upload is not None:
            if upload.is_complete:
                self._provenance.complete(upload.connection)
            import_id = upload.import_id if upload.is_complete else None
            self._record_import(upload.connection, workspace_id, upload.dataset_id, import_id)

    def _on_appended(self, _result: None) -> None:
        append, summary = self.append_operation, self._file.summary
        if append is None or append.rejected or summary is None or not append.is_from(summary.path):
            return
        if self.remote.has_study_schema:
            self._provenance.start(append.connection)
            self._provenance.complete(append.connection)

    def _on_schema_changed(self, _result: None) -> None:
        change = self.schema_change
        if change is not None and change.equals_new_upload:
            self._provenance.change_schema(change.connection, change.diff)

    def _on_v3_uploaded(self, _result: None) -> None:
        upload = self.v3_upload
        if upload is None or upload.dataset is None:
            return
        dataset, old = upload.dataset, self._study.remote(upload.connection)
        binding = old.with_dataset(upload.workspace_id, dataset.id, is_filled=True)
        self._study.set_remote(upload.connection, replace(binding, lacks_schema=True))
        self._provenance.accept_as_is(upload.connection)
        if dataset.id == self.remote.binding.dataset_id:
            self.remote.store(dataset)

    def _on_operation_finished(self, operation: Operation) -> None:
        """Fetch the dataset again after an append or a schema change, even if that failed."""
        is_change = isinstance(operation, AppendOperation | SchemaChangeOperation)
        is_shown = operation == self.operation and operation.connection == self._session.connection.name
        if is_change and is_shown:
            self.remote.invalidate()

    def _on_interruption_fetched(self) -> None:
        """Monitor the import of an interrupted upload if the file was received; never send a file unasked."""
        found, dataset = self._interrupted.value, self.remote.dataset
        if found is None or dataset is None or found.remaining is not RemainingWork.IMPORT:
            return
        if found.job is None:
            self.upload(dataset)
        else:
            name = self._session.connection.name
            self._provenance.start(name)
            self._record_import(name, found.workspace_id, dataset.id, found.job.import_id)
            self._provenance.complete(name)

    def _adopt_completed_import(self) -> None:
        """Record an import that has completed meanwhile, if there is no data file to compare."""
        dataset, remote = self.remote.dataset, self.remote.binding
        is_missing = self._file.state in (FileState.NONE, FileState.UNREADABLE)
        if dataset is None or dataset.id != remote.dataset_id or remote.has_data:
            return
        if not is_missing or self.busy_reason is not None:
            return
        import_id = newest_complete_import(dataset)
        if import_id is not None:
            self._study.set_remote(self._session.connection.name, replace(remote, import_id=import_id))
