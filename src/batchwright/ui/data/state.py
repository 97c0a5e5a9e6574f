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
    row_wanted = Signal(int, str)
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
        self.checks = ValidationRun(tasks, describe, self)
        self.schema = SchemaEditor(study, self.file)
        self.dataset = DatasetController(study, session, self.file, self.checks, tasks, describe, self)
        self.imported: tuple[Rejection, ...] = ()
        """What the service rejected of the latest upload or append, at the rows of the file."""
        self.not_opened: tuple[Path, TaskMessage] | None = None
        """A file that could not be opened in place of the one in view, and why."""
        self._corrected: Path | None = None
        """The copy of the file before it in which columns have other names, if the file is one."""
        self._describe = describe
        self._connect()
        self._take_data()

    def open_file(self, path: Path, *, is_corrected: bool = False) -> None:
        """Take another data file; a schema that its columns do not fit is proposed anew.

        One that `is_corrected` is a copy of the file in view: columns that can be fields now are included.
        """
        self.dataset.forget()
        self._corrected = path if is_corrected else None
        self._choose(path)

    def show_not_opened(self, path: Path, error: BaseException) -> None:
        """Say why a file was not opened; the one in view stays."""
        self.not_opened = path, self._describe(error)
        self.not_opened_changed.emit()

    def forget_not_opened(self) -> None:
        """Say no more of a file that was not opened."""
        if self.not_opened is not None:
            self.not_opened = None
            self.not_opened_changed.emit()

    def restore(self, data: DataFile, schema: Schema | None) -> None:
        """Have an earlier data file and its schema again."""
        self.dataset.forget()
        self.study.set_schema(schema)
        self.schema.restart()
        self.file.read(data.path, data.form)

    def read_as(self, form: Format) -> None:
        """Read the file another way."""
        if self.file.path is not None and form != self.file.form:
            self._choose(self.file.path, form)

    def look_again(self) -> None:
        """See whether the file has changed on the disk; not while something is done with it."""
        if self.dataset.busy is None:
            self.file.look_again()

    def take_schema(self) -> None:
        """Take over the schema of the study's dataset."""
        if self.dataset.held.schema is not None:
            self.schema.take(self.dataset.held.schema)

    def check(self) -> None:
        """Check every record again, of the file as it is now."""
        self.look_again()
        shown, schema = self.file.shown, self.study.schema
        if shown is not None and schema is not None and schema.fields:
            self.checks.start(shown.path, shown.form, schema)
        else:
            self.checks.forget()

    @property
    def is_looking(self) -> bool:
        """Whether the file is still being read, counted or checked."""
        shown = self.file.shown
        if self.file.stand is FileState.READING:
            return True
        return shown is not None and (not shown.is_counted or self.checks.is_running)

    @property
    def has_schema_to_show(self) -> bool:
        """Whether there is a schema, or something that one can be made of."""
        has_fields = self.study.schema is not None and bool(self.study.schema.fields)
        is_held = self.dataset.held.remote.dataset_id is not None
        return self.file.stand is FileState.SHOWN or has_fields or is_held

    @property
    def parts(self) -> tuple[SchemaColumn, ...]:
        """The columns in the order of the file, then the fields that it lacks."""
        columns = self.schema.columns if self.file.shown else None
        return schema_columns(columns, self.study.schema, self.file.looked)

    @property
    def left_out(self) -> Mapping[str, str]:
        """The columns that the program left out of the schema, each with the reason."""
        looked, schema = self.file.looked, self.study.schema
        fields = schema.fields if schema else {}
        left_out = looked.proposal.left_out if looked else {}
        return {name: reason for name, reason in left_out.items() if name not in fields}

    @property
    def can_rename(self) -> bool:
        """Whether columns are left out by their names, which a copy of the file can change."""
        shown = self.file.shown
        return shown is not None and shown.form.kind is FormatKind.CSV and bool(name_problems(shown.columns))

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """What the check found, or what the service rejected, at the rows of the file."""
        if self.imported:
            return self.imported
        return self.checks.report.errors if self.checks.report else ()

    @property
    def bad_rows(self) -> Mapping[int, Rejection]:
        """The rejections by the index of their record."""
        return {one.record_index: one for one in self.imported} if self.imported else self.checks.bad

    def show_rejection(self, rejection: Rejection) -> None:
        """Go to the row of a rejection."""
        if rejection.record_index != UNKNOWN_RECORD:
            self.row_wanted.emit(rejection.record_index, rejection.field)

    def _connect(self) -> None:
        self.study.data_changed.connect(self._take_data)
        self.study.schema_changed.connect(self._take_schema)
        self.study.remote_changed.connect(self.changed)
        self.session.changed.connect(self.changed)
        self.file.changed.connect(self._take_file)
        self.file.looked_changed.connect(self._take_look)
        self.file.count_changed.connect(self.changed)
        self.checks.changed.connect(self._tell_check)
        self.dataset.changed.connect(self.changed)
        self.dataset.uploads.changed.connect(self._tell_upload)
        self.dataset.uploads.ended.connect(self.look_again)
        self.dataset.deeds.changed.connect(self._tell_deed)
        self.dataset.deeds.ended.connect(self.look_again)

    def _choose(self, path: Path, form: Format | None = None) -> None:
        self.schema.begin()
        self.file.read(path, form)

    def _take_data(self) -> None:
        """The study has another file: of another project, or the one that was just opened here."""
        opening, data = self.study.opening, self.study.data
        if opening == self._opening and data is not None and data.path == self.file.path:
            return
        self._opening = opening
        self.dataset.take_other_data()
        if data is None:
            self.file.close()
        else:
            self.file.read(data.path, data.form)

    def _take_file(self) -> None:
        shown, self.imported = self.file.shown, ()
        if self.file.stand is not FileState.SHOWN:
            self.forget_not_opened()
        if shown is None:
            self.checks.forget()
        if self.file.stand is FileState.SHOWN and shown is not None:
            before = self.study.data
            data = DataFile(shown.path, shown.size, shown.form)
            if before is not None and data.path in {before.path, self._corrected}:
                data = replace(data, columns=before.columns, left_out=before.left_out)
            self.study.set_data(data)
        self.schema_changed.emit()
        self.changed.emit()

    def _take_look(self) -> None:
        if self.file.looked is None or self.file.shown is None:
            return
        if included := self.schema.settle():
            self.columns_included.emit(included)
        if self.checks.report is None and not self.checks.is_running:
            self.check()
        self.schema_changed.emit()
        self.changed.emit()

    def _take_schema(self) -> None:
        self.imported = ()
        self.schema_changed.emit()
        if self.file.looked is not None:
            self.check()
        self.changed.emit()

    def _tell_check(self) -> None:
        self.rejections_changed.emit()
        self.changed.emit()

    def _tell_upload(self) -> None:
        progress = self.dataset.uploads.progress
        self.imported = import_rejections(progress, self.checks.bad, self.file.line)
        self.rejections_changed.emit()
        self.changed.emit()

    def _tell_deed(self) -> None:
        appending, shown = self.dataset.appending, self.file.shown
        if appending is None or appending.pace is not OperationState.ENDED or shown is None:
            return
        if appending.is_of(shown.path):
            self.imported = append_rejections(appending, self.file.line)
            self.rejections_changed.emit()
            self.changed.emit()
