"""What the Data stage shows: the file, its schema, the check, the upload. It knows no widgets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.data_files.checking import Rejection
from batchwright.data_files.column_names import name_problems
from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile
from batchwright.schema.model import Schema
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.appending import append_rejections
from batchwright.ui.data.columns import SchemaColumn, schema_columns
from batchwright.ui.data.data_file import DataFileModel, FileState
from batchwright.ui.data.dataset_operations import DatasetController
from batchwright.ui.data.import_rejections import UNKNOWN_RECORD, import_rejections
from batchwright.ui.data.operations import OperationState
from batchwright.ui.data.schema_choices import SchemaEditor
from batchwright.ui.data.validation_run import ValidationRun
from batchwright.ui.study.study_model import Study


class DataState(QObject):
    """Ties the study to its file: whatever of both changes is looked through and checked again by itself."""

    changed = Signal()
    """Anything that the header tells."""
    schema_changed = Signal()
    """The schema, or what is known of the columns."""
    rejections_changed = Signal()
    not_opened_changed = Signal()
    """Another file was not opened, or that needs no mention any more."""
    columns_included = Signal(object)
    """Columns that could not be fields before were included, by their names."""
    row_requested = Signal(int, str)
    """A record is to be shown, and the field in it."""

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
        self._opening = study.opening
        self.file = DataFileModel(tasks, describe, self)
        self.validation = ValidationRun(tasks, describe, self)
        self.schema = SchemaEditor(study, self.file)
        self.dataset = DatasetController(study, session, self.file, self.validation, tasks, describe, self)
        self.import_rejections: tuple[Rejection, ...] = ()
        """What the service rejected of the latest upload or append, at the rows of the file."""
        self.not_opened: tuple[Path, TaskMessage] | None = None
        """A file that could not be opened in place of the one in view, and why."""
        self._renamed_copy: Path | None = None
        """The copy of the file before it in which columns have other names, if the file is one."""
        self._describe = describe
        self._connect()
        self._on_data_changed()

    def open_file(self, path: Path, *, is_corrected: bool = False) -> None:
        """Take another data file; a schema that its columns do not fit is proposed anew.

        One that `is_corrected` is a copy of the file in view: columns that can be fields now are included.
        """
        self.dataset.clear()
        self._renamed_copy = path if is_corrected else None
        self._open(path)

    def show_not_opened(self, path: Path, error: BaseException) -> None:
        """Say why a file was not opened; the one in view stays."""
        self.not_opened = path, self._describe(error)
        self.not_opened_changed.emit()

    def clear_not_opened(self) -> None:
        """Say no more of a file that was not opened."""
        if self.not_opened is not None:
            self.not_opened = None
            self.not_opened_changed.emit()

    def restore(self, data: DataFile, schema: Schema | None) -> None:
        """Have an earlier data file and its schema again."""
        self.dataset.clear()
        self.study.set_schema(schema)
        self.schema.keep_schema()
        self.file.open(data.path, data.form)

    def read_as(self, file_format: Format) -> None:
        """Read the file another way."""
        if self.file.path is not None and file_format != self.file.format:
            self._open(self.file.path, file_format)

    def reload_if_changed(self) -> None:
        """See whether the file has changed on the disk; not while something is done with it."""
        if self.dataset.busy_reason is None:
            self.file.reload_if_changed()

    def use_dataset_schema(self) -> None:
        """Take over the schema of the study's dataset."""
        if self.dataset.remote.schema is not None:
            self.schema.set_schema(self.dataset.remote.schema)

    def validate(self) -> None:
        """Check every record again, of the file as it is now."""
        self.reload_if_changed()
        summary, schema = self.file.summary, self.study.schema
        if summary is not None and schema is not None and schema.fields:
            self.validation.start(summary.path, summary.format, schema)
        else:
            self.validation.clear()

    @property
    def is_reading(self) -> bool:
        """Whether the file is still being read, counted or checked."""
        summary = self.file.summary
        if self.file.state is FileState.READING:
            return True
        return summary is not None and (not summary.is_counted or self.validation.is_running)

    @property
    def shows_schema(self) -> bool:
        """Whether there is a schema, or something that one can be made of."""
        has_fields = self.study.schema is not None and bool(self.study.schema.fields)
        is_held = self.dataset.remote.binding.dataset_id is not None
        return self.file.state is FileState.SHOWN or has_fields or is_held

    @property
    def columns(self) -> tuple[SchemaColumn, ...]:
        """The columns in the order of the file, then the fields that it lacks."""
        columns = self.schema.columns if self.file.summary else None
        return schema_columns(columns, self.study.schema, self.file.profile)

    @property
    def left_out(self) -> Mapping[str, str]:
        """The columns that the program left out of the schema, each with the reason."""
        profile, schema = self.file.profile, self.study.schema
        fields = schema.fields if schema else {}
        left_out = profile.proposal.left_out if profile else {}
        return {name: reason for name, reason in left_out.items() if name not in fields}

    @property
    def can_rename_columns(self) -> bool:
        """Whether columns are left out by their names, which a copy of the file can change."""
        summary = self.file.summary
        return (
            summary is not None
            and summary.format.kind is FormatKind.CSV
            and bool(name_problems(summary.columns))
        )

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """What the check found, or what the service rejected, at the rows of the file."""
        if self.import_rejections:
            return self.import_rejections
        return self.validation.report.errors if self.validation.report else ()

    @property
    def rejections_by_record(self) -> Mapping[int, Rejection]:
        """The rejections by the index of their record."""
        return (
            {one.record_index: one for one in self.import_rejections}
            if self.import_rejections
            else self.validation.rejections_by_record
        )

    def show_rejection(self, rejection: Rejection) -> None:
        """Go to the row of a rejection."""
        if rejection.record_index != UNKNOWN_RECORD:
            self.row_requested.emit(rejection.record_index, rejection.field)

    def _connect(self) -> None:
        self.study.data_changed.connect(self._on_data_changed)
        self.study.schema_changed.connect(self._on_schema_changed)
        self.study.remote_changed.connect(self.changed)
        self.session.changed.connect(self.changed)
        self.file.changed.connect(self._on_file_changed)
        self.file.profile_changed.connect(self._on_profile_changed)
        self.file.count_changed.connect(self.changed)
        self.validation.changed.connect(self._on_validation_changed)
        self.dataset.changed.connect(self.changed)
        self.dataset.uploads.changed.connect(self._on_upload_changed)
        self.dataset.uploads.finished.connect(self.reload_if_changed)
        self.dataset.operations.changed.connect(self._on_operation_changed)
        self.dataset.operations.finished.connect(self.reload_if_changed)

    def _open(self, path: Path, file_format: Format | None = None) -> None:
        self.schema.expect_proposal()
        self.file.open(path, file_format)

    def _on_data_changed(self) -> None:
        """The study has another file: of another project, or the one that was just opened here."""
        opening, data = self.study.opening, self.study.data
        if opening == self._opening and data is not None and data.path == self.file.path:
            return
        self._opening = opening
        self.dataset.reset()
        if data is None:
            self.file.close()
        else:
            self.file.open(data.path, data.form)

    def _on_file_changed(self) -> None:
        summary, self.import_rejections = self.file.summary, ()
        if self.file.state is not FileState.SHOWN:
            self.clear_not_opened()
        if summary is None:
            self.validation.clear()
        if self.file.state is FileState.SHOWN and summary is not None:
            before = self.study.data
            data = DataFile(summary.path, summary.size, summary.format)
            if before is not None and data.path in {before.path, self._renamed_copy}:
                data = replace(data, columns=before.columns, left_out=before.left_out)
            self.study.set_data(data)
        self.schema_changed.emit()
        self.changed.emit()

    def _on_profile_changed(self) -> None:
        if self.file.profile is None or self.file.summary is None:
            return
        if included := self.schema.apply_proposal():
            self.columns_included.emit(included)
        if self.validation.report is None and not self.validation.is_running:
            self.validate()
        self.schema_changed.emit()
        self.changed.emit()

    def _on_schema_changed(self) -> None:
        self.import_rejections = ()
        self.schema_changed.emit()
        if self.file.profile is not None:
            self.validate()
        self.changed.emit()

    def _on_validation_changed(self) -> None:
        self.rejections_changed.emit()
        self.changed.emit()

    def _on_upload_changed(self) -> None:
        upload = self.dataset.uploads.latest
        self.import_rejections = import_rejections(
            upload, self.validation.rejections_by_record, self.file.line_number
        )
        self.rejections_changed.emit()
        self.changed.emit()

    def _on_operation_changed(self) -> None:
        appending, summary = self.dataset.append_operation, self.file.summary
        if appending is None or appending.state is not OperationState.SUCCEEDED or summary is None:
            return
        if appending.is_from(summary.path):
            self.import_rejections = append_rejections(appending, self.file.line_number)
            self.rejections_changed.emit()
            self.changed.emit()
