"""The state of the study's dataset, and the operations on it."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.base.text import is_blank, without_lone_surrogates
from batchwright.client.dataset_lookup import DatasetLookup, newest_complete_import
from batchwright.data_files.formats import FormatKind, RecordsFile
from batchwright.local.projects import study_name
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRunner, Work
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.data.dataset.dataset_operations import (
    DATASET,
    UPLOAD,
    AppendOperation,
    CreateOperation,
    DatasetOperation,
    ImportFileOperation,
    RecordsToAppend,
    SchemaChangeOperation,
    UploadOperation,
    UploadSource,
    V3UploadOperation,
)
from batchwright.ui.data.dataset.dataset_provenance import DatasetProvenance
from batchwright.ui.data.dataset.interrupted_upload import InterruptedUpload, RemainingWork
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.data.dataset.unsent_records import UnsentRecords, lists_all
from batchwright.ui.data.dataset.use_existing_dataset import attach_dataset
from batchwright.ui.data.file.data_file import DataFileModel, FileState
from batchwright.ui.data.file.drag_drop import DropRefusal, refusal_while_busy, refusal_while_uploading
from batchwright.ui.data.file.validation_run import ValidationRun
from batchwright.ui.data.schema.schema_diff import SchemaDiff, diff_schemas
from batchwright.ui.study.elsewhere import sent_elsewhere
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus


class DatasetController(QObject):
    """The study's dataset, and the operations on it, one at a time; records their results in the study."""

    changed = Signal()
    """The dataset or an operation on it has changed."""
    running_import_found = Signal(object)
    """The import of an interrupted upload is running; `start_upload` with this `Dataset` monitors it."""

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
        self._study, self.session = study, session
        self._file, self._validation = file, validation
        self._provenance = DatasetProvenance(study, self._sha256)
        self._unsent: UnsentRecords | None = None
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
        file.reloaded.connect(self._on_file_reloaded)
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
        return self._provenance.was_created_from_data(self.session.connection.name)

    @property
    def is_current(self) -> bool:
        """Whether the dataset belongs to the current data: created from it, or attached to it later."""
        return not self.remote.is_missing and self._provenance.is_current(self.session.connection.name)

    @property
    def sent_elsewhere(self) -> str:
        """Says that the study has a dataset, which is not here; empty if it has one here, or none at all."""
        if self.remote.is_missing:
            at_connection = at_connection_phrase(self.session.connection.title)
            return _("The dataset of this study is not {here}.").format(here=at_connection)
        if self.remote.binding.dataset_id is not None:
            return ""
        return sent_elsewhere(self._study, lambda remote: remote.dataset_id)

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

    @property
    def corrected_records(self) -> RecordsToAppend | None:
        """The records that were rejected when the others were sent, and would be accepted now.

        None if there are none, or if the dataset would have other records than the file with them.
        """
        unsent, data, schema = self._unsent, self._study.data, self._study.schema
        everything = self.records_to_append()
        if unsent is None or data is None or schema is None or everything is None:
            return None
        dataset = (self.session.connection.name, self.remote.binding.dataset_id)
        if dataset != (unsent.connection, unsent.dataset_id) or not self.remote.accepts_records:
            return None
        corrected = unsent.corrected(data, schema, self._validation)
        return replace(everything, records=len(corrected), selected=corrected) if corrected else None

    def confirm_match(self) -> None:
        """Record that the dataset was created from the current data."""
        connection = self.session.connection.name
        self._provenance.start(connection)
        self._provenance.complete(connection)
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
        self.hide(DATASET)
        self.hide(UPLOAD)

    def hide(self, key: str) -> None:
        """Remove the latest operation with a key, so that the dataset is shown; a running one is stopped."""
        self.operations.remove(key)
        if self.remote.is_active:
            self.remote.ensure_loaded()

    def reset(self) -> None:
        """Remove all operations, for another data file or study."""
        self.clear()
        self._provenance.clear()
        self._provenance.load()

    def _sha256(self) -> str | None:
        """The SHA-256 of the data file; None while it is not known."""
        data, summary = self._study.data, self._file.summary
        if data is None or summary is None or summary.path != data.path:
            return None
        return summary.sha256

    @property
    def needs_base_address(self) -> bool:
        """Whether the records are media of this computer, and the participants those of a hosted service."""
        summary = self._file.summary
        return self.session.is_live and summary is not None and summary.local_media is not None

    def upload_source(self) -> UploadSource | None:
        """The data that an upload would send; None if no upload is possible."""
        summary, schema, report = self._file.summary, self._study.schema, self._validation.report
        if summary is None or schema is None or report is None or not report.accepted:
            return None
        if self.needs_base_address:
            return None
        name = self.dataset_name(summary.path)
        # The service derives the format from the extension of the file, and does not accept .txt.
        is_served = summary.format.served and FormatKind.of(summary.file.path.name) is summary.format.kind
        is_entire_file = not report.rejected and is_served
        remote = self._study.remote(self.session.connection.name)
        unfinished = None if remote.import_id or self.remote.is_missing else remote.dataset_id
        return UploadSource(
            name,
            summary.file.path,
            summary.stamp,
            summary.format,
            schema,
            report.accepted,
            is_entire_file,
            unfinished,
            summary.local_media,
            self._study.project.study_id,
        )

    @property
    def dataset_to_resume(self) -> Dataset | None:
        """The unfinished dataset that an upload would fill; None if it would create one."""
        source, upload = self.upload_source(), self.upload_operation
        if upload is None:
            return self.remote.dataset if self.remaining_work is RemainingWork.UPLOAD else None
        return upload.dataset if source is not None and upload.can_resume(source) else None

    def new_upload(self, monitored: Dataset | None = None) -> UploadOperation | None:
        """A new upload of the accepted records; None if none is possible now.

        Args:
            monitored: the dataset, if it is importing the records already.
        """
        source, connection = self.upload_source(), self.session.connection
        if source is None or self.busy_reason is not None:
            return None
        return UploadOperation(
            UPLOAD,
            _("Uploading {name}").format(name=source.path.name),
            connection.name,
            connection_title=connection.title,
            source=source,
            dataset=monitored or self.dataset_to_resume,
        )

    def start_upload(self, operation: UploadOperation, work: Work[str]) -> None:
        """Start an upload, whose work returns the workspace id."""
        self._provenance.start(operation.connection)
        self._unsent = self._rejected_now(operation)
        self.operations.start(operation, work, self._on_uploaded)

    def _rejected_now(self, upload: UploadOperation) -> UnsentRecords | None:
        """The records that an upload leaves out; None if there are none, or if they are not known."""
        data, records = self._study.data, frozenset(self._validation.rejections_by_record)
        if data is None or not records or not lists_all(self._validation):
            return None
        return UnsentRecords(upload.connection, data.path, upload.source.schema, data.changes, records)

    def start(self, operation: DatasetOperation, work: Work[None]) -> None:
        """Start an operation other than an upload, unless one is running."""
        if self.busy_reason is None:
            self.hide(UPLOAD)
            self.operations.start(operation, work, lambda _result: self._on_succeeded(operation))

    def dataset_name(self, path: Path) -> str:
        """The name of a dataset that is created from a file: that of the study, or of the file."""
        project = self._study.project
        name = path.stem.strip() if is_blank(project.name) else study_name(project)
        return without_lone_surrogates(path.name if is_blank(name) else name)

    def records_to_append(self) -> RecordsToAppend | None:
        """The records that an append would send; None if no append is possible."""
        summary = self._file.summary
        if summary is None or not summary.is_counted or not summary.records or self.needs_base_address:
            return None
        return RecordsToAppend(
            summary.file.path, summary.stamp, summary.format, summary.records, summary.local_media
        )

    @property
    def schema_diff(self) -> SchemaDiff | None:
        """The change from the dataset's schema to that of the study; None if there is none."""
        dataset, schema = self.remote.dataset, self._study.schema
        if dataset is None or schema is None or not self.remote.schema_differs:
            return None
        return diff_schemas(dataset, self.remote.schema, schema)

    @property
    def source_file(self) -> RecordsFile | None:
        """The file with the records, if the dataset was created from it with its current schema."""
        connection, schema = self.session.connection.name, self.remote.schema
        is_source = schema is not None and self._provenance.was_created_from_file(connection, schema)
        return self._file.complete_file if is_source else None

    def attach(self, lookup: DatasetLookup, *, uses_schema: bool) -> None:
        """Attach an existing dataset to the study; a dataset uploaded earlier remains at the service."""
        if self.busy_reason is None:
            self.clear()
            name = self.session.connection.name
            attach_dataset(self._study, name, lookup, uses_schema=uses_schema)
            self._provenance.accept_as_is(name)
            self.remote.store(lookup.dataset)

    def record_dataset(self, workspace_id: str) -> None:
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
                if self._unsent is not None:
                    self._unsent = replace(self._unsent, dataset_id=upload.dataset_id)
            import_id = upload.import_id if upload.is_complete else None
            self._record_import(upload.connection, workspace_id, upload.dataset_id, import_id)

    def _on_succeeded(self, operation: DatasetOperation) -> None:
        match operation:
            case AppendOperation():
                self._on_appended()
            case SchemaChangeOperation():
                self._on_schema_changed()
            case V3UploadOperation():
                self._on_v3_uploaded()
            case CreateOperation():
                self._on_created()
            case ImportFileOperation():
                self._on_file_imported()

    def _on_appended(self) -> None:
        append, summary = self.append_operation, self._file.summary
        if append is None or summary is None or not append.is_from(summary.file.path):
            return
        is_selection = append.source.selected is not None
        if is_selection and self._unsent is not None and self._study.data is not None:
            self._unsent = self._unsent.without(append.accepted_records, self._study.data.changes)
        if append.rejected:
            return
        if self.remote.has_study_schema:
            self._provenance.start(append.connection)
            self._provenance.complete(append.connection)

    def _on_file_reloaded(self) -> None:
        self._unsent = None
        self._provenance.clear()

    def _on_schema_changed(self) -> None:
        change = self.schema_change
        if change is not None and change.equals_new_upload:
            self._provenance.change_schema(change.connection, change.diff)
        if change is not None:
            self._record_further_imports(change.connection, change.released)

    def _on_v3_uploaded(self) -> None:
        upload = self.v3_upload
        if upload is None or upload.dataset is None:
            return
        dataset, old = upload.dataset, self._study.remote(upload.connection)
        binding = old.with_dataset(upload.workspace_id, dataset.id, is_filled=True)
        self._study.set_remote(upload.connection, replace(binding, lacks_schema=True))
        self._provenance.accept_as_is(upload.connection)
        if dataset.id == self.remote.binding.dataset_id:
            self.remote.store(dataset)

    def _on_created(self) -> None:
        create = self.operation
        if isinstance(create, CreateOperation) and create.dataset is not None:
            lookup = DatasetLookup(create.dataset, None, create.workspace_id)
            attach_dataset(self._study, create.connection, lookup, uses_schema=False)
            self._provenance.accept_as_is(create.connection)
            if create.dataset.id == self.remote.binding.dataset_id:
                self.remote.store(create.dataset)

    def _on_file_imported(self) -> None:
        operation = self.operation
        if isinstance(operation, ImportFileOperation) and operation.job is not None:
            self._record_further_imports(operation.connection, (operation.job,))

    def _record_further_imports(self, connection: str, jobs: Iterable[ImportJob]) -> None:
        """Record a complete import in the study, if the study has none: tasks can be created from it."""
        remote = self._study.remote(connection)
        complete = [job.import_id for job in jobs if job.status == ImportStatus.COMPLETE]
        if complete and remote.import_id is None:
            self._study.set_remote(connection, replace(remote, import_id=complete[0]))

    def _on_operation_finished(self, operation: Operation) -> None:
        """Fetch the dataset again after an append, an import or a schema change, even if that failed."""
        is_change = isinstance(operation, AppendOperation | SchemaChangeOperation | ImportFileOperation)
        is_shown = operation == self.operation and operation.connection == self.session.connection.name
        if is_change and is_shown:
            self.remote.invalidate()

    def _on_interruption_fetched(self) -> None:
        """Monitor the import of an interrupted upload if the file was received; never send a file unasked."""
        interruption, dataset = self._interrupted.value, self.remote.dataset
        if interruption is None or dataset is None or interruption.remaining is not RemainingWork.IMPORT:
            return
        if interruption.job is None:
            self.running_import_found.emit(dataset)
        else:
            name = self.session.connection.name
            self._provenance.start(name)
            self._record_import(name, interruption.workspace_id, dataset.id, interruption.job.import_id)
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
            self._study.set_remote(self.session.connection.name, replace(remote, import_id=import_id))
