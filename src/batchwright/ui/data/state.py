"""The state of the Data stage: data file, schema, check and dataset operations, without widgets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.data_files.checking import Rejection
from batchwright.data_files.column_names import name_problems
from batchwright.data_files.conversion.column_edits import ColumnEdit, as_step
from batchwright.data_files.conversion.conversion import Changes, Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.searching.field_references import probable_renames
from batchwright.local.projects import DataFile, StudyContent
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType, Schema
from batchwright.schema.record_validator import no_object_error
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import (
    UNKNOWN_RECORD,
    append_rejections,
    import_rejections,
)
from batchwright.ui.data.file.data_file import DataFileModel, FileState, FileSummary
from batchwright.ui.data.file.validation_run import ValidationRun
from batchwright.ui.data.layout_proposals import LayoutProposals
from batchwright.ui.data.records.record_views import RecordViews
from batchwright.ui.data.schema.schema_columns import SchemaColumn, schema_columns
from batchwright.ui.data.schema.schema_editor import SchemaEditor
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.study.study_model import Study

if TYPE_CHECKING:  # imported only when a source is read
    from batchwright.data_files.conversion.edit_list import Edit
    from batchwright.data_files.sources.source import OptionValue


class DataState(QObject):
    """Synchronises study and data file: a change of either is profiled and checked automatically."""

    changed = Signal()
    """The state of the data, as the header shows it, has changed."""
    schema_changed = Signal()
    """The schema or the profile of the columns has changed."""
    rejections_changed = Signal()
    not_opened_changed = Signal()
    """`not_opened` has changed."""
    fields_renamed = Signal(object)
    """The fields that items show and that the new file probably has under another name, by old name."""
    layout_proposed = Signal()
    """A first layout was proposed from the table and is used: `proposals` has it."""
    columns_included = Signal(object)
    """Names of columns that could not be fields before and are included now."""
    rejection_step_requested = Signal(int)
    """Request to show the next rejection (1) or the previous one (-1)."""
    row_requested = Signal(int, str)
    """Request to show a record, by its index, and a field in it."""
    row_number_requested = Signal()
    """Request to ask for a row, and to show it."""
    prepare_requested = Signal()
    """Request to show the steps of the preparation."""
    search_requested = Signal()
    """Request to search the records."""
    hit_step_requested = Signal(int)
    """Request to show the next search hit (1) or the previous one (-1)."""

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
        self.file = DataFileModel(tasks, describe, study.records_files, self)
        self.views = RecordViews(self.file, tasks, describe, self)
        self.validation = ValidationRun(tasks, describe, self)
        self.schema = SchemaEditor(study, self.file)
        self.proposals = LayoutProposals(study, self.file)
        self.dataset = DatasetController(study, session, self.file, self.validation, tasks, self)
        self.import_rejections: tuple[Rejection, ...] = ()
        """The records that the service rejected in the latest upload or append, by row of the file."""
        self._rejections_before: tuple[Rejection, ...] = ()
        """The rejections before the latest edit, until the file is checked again."""
        self.not_opened: tuple[Path, TaskMessage] | None = None
        """A file that could not replace the current one, and why."""
        self._renamed_copy: Path | None = None
        """The file, if it is a copy of the previous one with renamed columns."""
        self._preparations = 0
        """The number of changes of the preparation, for the merge keys of their undo steps."""
        self._describe = describe
        self._connect()
        self._on_data_changed()

    def open_file(
        self, path: Path, conversion: Conversion | None = None, *, is_corrected: bool = False
    ) -> None:
        """Open another data file; a new schema is proposed if its columns do not match.

        Without a conversion, a source is read as it is proposed.
        If `is_corrected`, it is a copy of the current file: columns that can be fields now are included.
        """
        self.dataset.clear()
        self._renamed_copy = path if is_corrected else None
        self._open(path, conversion=conversion)

    def show_not_opened(self, path: Path, error: BaseException) -> None:
        """Show why a file was not opened; the current one stays open."""
        self.not_opened = path, self._describe(error)
        self.not_opened_changed.emit()

    def clear_not_opened(self) -> None:
        """Remove the message about a file that was not opened."""
        if self.not_opened is not None:
            self.not_opened = None
            self.not_opened_changed.emit()

    def restore(self, data: DataFile, schema: Schema | None) -> None:
        """Open an earlier data file with its schema again."""
        self.dataset.clear()
        self.study.set_schema(schema)
        self.schema.cancel_proposal()
        self.file.open(data.path, data.format, data.conversion)

    def read_as(self, file_format: Format) -> None:
        """Read the file with another format."""
        if self.file.path is not None and file_format != self.file.format:
            self._convert(self.file.path, Conversion(text_format=file_format))

    def convert_with(self, option: str, value: "OptionValue") -> None:
        """Convert the file with another value of an option."""
        summary = self.file.summary
        if summary is not None:
            conversion = summary.conversion or Conversion(text_format=summary.format)
            self._convert(summary.path, conversion.with_option(option, value))

    @property
    def address_columns(self) -> Sequence[tuple[int, FieldType]]:
        """The columns of the data file, counted from zero, whose field is an address of media; its type."""
        summary, schema = self.file.summary, self.study.schema
        fields = {} if schema is None else schema.fields
        names = () if summary is None else summary.columns
        types = [(at, fields[name].type) for at, name in enumerate(names) if name in fields]
        return [(at, type) for at, type in types if type is FieldType.IMAGE_URL or type in MEDIA_EXTENSIONS]

    @property
    def edits(self) -> "tuple[Edit, ...]":
        """What was changed beside the file: values and columns."""
        return self._changes.edits

    @property
    def steps(self) -> tuple[JsonObject, ...]:
        """The steps of the preparation, as they are stored."""
        return self._changes.steps

    @property
    def has_step_problem(self) -> bool:
        """Whether the file is not shown because a step of the preparation cannot be made."""
        is_unreadable = self.file.state is FileState.UNREADABLE
        return is_unreadable and any(report.problem for report in self.file.step_reports)

    @property
    def _changes(self) -> Changes:
        return Changes() if self.study.data is None else self.study.data.changes

    def add_edit(self, edit: "Edit", content: StudyContent | None = None) -> None:
        """Change something beside the file, and with it what the user designs, as one undo step."""
        if self.dataset.busy_reason is None:
            changes = self._changes
            edited = changes._replace(edits=(*changes.edits, edit))
            if changes.steps and isinstance(edit, ColumnEdit):  # of the table that the user sees
                edited = changes._replace(steps=(*changes.steps, as_step(edit)))
            self.study.change_records(edit.label, edited, content)

    def undo_edits(self, kept: int) -> None:
        """Take back all edits after the first ones."""
        if self.dataset.busy_reason is None:
            changes = self._changes
            fewer = changes._replace(edits=changes.edits[:kept])
            self.study.change_records(N_("Take back changes of the data"), fewer)

    def change_steps(self, steps: Sequence[JsonObject], label: str) -> None:
        """Set the steps of the preparation, as one undo step; `label` names it, in English."""
        changes = self._changes._replace(steps=tuple(steps))
        if self.dataset.busy_reason is None and changes != self._changes:
            self._preparations += 1
            merge_key = f"preparation {self._preparations}"
            self.schema.expect_preparation(steps, merge_key)
            self.study.change_records(label, changes, merge_key=merge_key)

    def reload_if_changed(self) -> None:
        """Read the file again if it or its changes have changed; not while a dataset operation is running."""
        if self.dataset.busy_reason is None:
            self._apply_changes()
            self.file.reload_if_changed()

    def use_dataset_schema(self) -> None:
        """Use the schema of the dataset for the study."""
        if self.dataset.remote.schema is not None:
            self.schema.set_schema(self.dataset.remote.schema)

    def validate(self) -> None:
        """Check every record of the file against the schema."""
        self.reload_if_changed()
        summary, schema = self.file.summary, self.study.schema
        if summary is not None and schema is not None and schema.fields:
            file = self.file.complete_file
            if file is not None:
                self.validation.start(file, schema, self.file.line_number, _reasons(summary))
        else:
            self.validation.clear()

    @property
    def is_reading(self) -> bool:
        """Whether the file is being read, counted or checked."""
        summary = self.file.summary
        if self.file.state is FileState.READING:
            return True
        return summary is not None and (not summary.is_counted or self.validation.is_running)

    @property
    def shows_schema(self) -> bool:
        """Whether there is a schema, or a file or dataset that can have one, or there are steps."""
        has_fields = self.study.schema is not None and bool(self.study.schema.fields)
        has_dataset = self.dataset.remote.binding.dataset_id is not None
        return self.file.state is FileState.SHOWN or has_fields or has_dataset or bool(self.steps)

    @property
    def has_complete_pages(self) -> bool:
        """Whether the layout has pages and a service would accept them."""
        return bool(self.study.layout.pages) and not count_problems(self.study.problems)

    @property
    def columns(self) -> tuple[SchemaColumn, ...]:
        """The columns in the order of the file, then the fields missing in it."""
        columns = self.schema.columns if self.file.summary else None
        return schema_columns(columns, self.study.schema, self.file.profile)

    @property
    def excluded_columns(self) -> Mapping[str, str]:
        """The columns that are not proposed as fields, each with the reason."""
        profile, schema = self.file.profile, self.study.schema
        fields = schema.fields if schema else {}
        excluded = profile.proposal.excluded if profile else {}
        return {name: reason for name, reason in excluded.items() if name not in fields}

    @property
    def can_rename_columns(self) -> bool:
        """Whether columns have invalid names, which a copy of the file can correct."""
        summary = self.file.summary
        return (
            summary is not None
            and summary.conversion is None
            and summary.format.kind is FormatKind.CSV
            and bool(name_problems(summary.columns))
        )

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """The rejections found by the check, or those of the service, by row of the file."""
        if self.import_rejections:
            return self.import_rejections
        return self.validation.report.errors if self.validation.report else self._rejections_before

    @property
    def rejections_by_record(self) -> Mapping[int, Rejection]:
        """The rejections by the index of their record."""
        if self.import_rejections or self.validation.report is None:
            return {rejection.record_index: rejection for rejection in self.rejections}
        return self.validation.rejections_by_record

    def show_rejection(self, rejection: Rejection) -> None:
        """Request to show the row of a rejection."""
        if rejection.record_index != UNKNOWN_RECORD:
            self.row_requested.emit(rejection.record_index, rejection.field)

    def _connect(self) -> None:
        self.study.data_changed.connect(self._on_data_changed)
        self.study.schema_changed.connect(self._on_schema_changed)
        self.study.problems_changed.connect(self.changed)
        self.study.remote_changed.connect(self.changed)
        self.session.changed.connect(self.changed)
        self.file.changed.connect(self._on_file_changed)
        self.file.profile_changed.connect(self._on_profile_changed)
        self.file.count_changed.connect(self._on_count_changed)
        self.file.edited.connect(self._on_edited)
        self.validation.changed.connect(self._on_validation_changed)
        self.dataset.changed.connect(self.changed)
        self.dataset.operations.changed.connect(self._on_operations_changed)
        self.dataset.operations.finished.connect(self.reload_if_changed)

    def _open(
        self, path: Path, file_format: Format | None = None, conversion: Conversion | None = None
    ) -> None:
        self.schema.expect_proposal()
        self.file.open(path, file_format, conversion)

    def _convert(self, path: Path, conversion: Conversion) -> None:
        """Read the open file in another way, with its changes; a text file as it is if it can be."""
        conversion = replace(conversion, **self.file.changes._asdict())
        if conversion.is_needed:
            self._open(path, conversion=conversion)
        else:
            self._open(path, conversion.text_format)

    def _on_data_changed(self) -> None:
        """Open the data file of another study; a file that was just opened here is kept."""
        opening, data = self.study.opening, self.study.data
        if opening == self._opening and data is not None and data.path == self.file.path:
            if self.dataset.busy_reason is None:
                self._apply_changes()
            return
        self._opening = opening
        self.dataset.reset()
        if data is None:
            self.file.close()
        else:
            self.file.open(data.path, data.format, data.conversion)

    def _apply_changes(self) -> None:
        """Convert the file with the changes of the study; a text file without any is read as it is."""
        data = self.study.data
        if data is not None and data.path == self.file.path and data.changes != self.file.changes:
            self.file.edit(data)

    def _on_edited(self) -> None:
        """Check the file once it is converted again; what was rejected before is listed meanwhile."""
        if self.file.shown_edits is not None:
            self._rejections_before = self.rejections
            self.import_rejections = ()
            self.validation.clear()
        else:
            self._store_digest()
            self.validate()
        self.schema_changed.emit()
        self.changed.emit()

    def _store_digest(self) -> None:
        """Record the digest of a file that was converted."""
        summary, data = self.file.summary, self.study.data
        if summary is None or summary.conversion is None:
            return
        if data is not None and data.path == summary.path:
            self.study.set_data(replace(data, sha256=summary.sha256))

    def _on_file_changed(self) -> None:
        summary, self.import_rejections, self._rejections_before = self.file.summary, (), ()
        if self.file.state is not FileState.SHOWN:
            self.clear_not_opened()
        if summary is None:
            self.validation.clear()
        if self.file.state is FileState.SHOWN and summary is not None:
            before = self.study.data
            data = DataFile(summary.path, summary.size, summary.format, conversion=summary.conversion)
            if before is not None and data.path in {before.path, self._renamed_copy}:
                data = replace(
                    data,
                    sha256=before.sha256 if data.path == before.path else None,
                    columns=before.columns,
                    excluded_columns=before.excluded_columns,
                )
            self.study.set_data(data)
        self.schema_changed.emit()
        self.changed.emit()

    def _on_profile_changed(self) -> None:
        if self.file.profile is None or self.file.summary is None:
            return
        before, merge_key = self.study.schema, self.schema.preparation_key
        is_new_table = self.schema.waits_for_proposal or merge_key is not None
        if included := self.schema.apply_proposal():
            self.columns_included.emit(included)
        if is_new_table and self.proposals.propose(merge_key):
            self.layout_proposed.emit()
        after = self.study.schema
        renames = probable_renames(self.study.layout, before, after) if before and after else {}
        if renames:
            self.fields_renamed.emit(renames)
        if self.validation.report is None and not self.validation.is_running:
            self.validate()
        self.schema_changed.emit()
        self.changed.emit()

    def _on_count_changed(self) -> None:
        summary = self.file.summary
        if summary is not None and summary.conversion is not None and summary.is_complete:
            self._store_digest()
            self.validate()
        self.changed.emit()

    def _on_schema_changed(self) -> None:
        self.import_rejections = ()
        self.schema_changed.emit()
        if self.file.profile is not None:
            self.validate()
        self.changed.emit()

    def _on_validation_changed(self) -> None:
        if self.validation.report is not None or self.validation.error is not None:
            self._rejections_before = ()
        self.rejections_changed.emit()
        self.changed.emit()

    def _on_operations_changed(self) -> None:
        upload, append, summary = (
            self.dataset.upload_operation,
            self.dataset.append_operation,
            self.file.summary,
        )
        rejections: tuple[Rejection, ...] = ()
        if upload is not None:
            rejected = self.validation.rejections_by_record
            rejections = import_rejections(upload, rejected, self.file.line_number)
        elif append is not None and summary is not None and append.is_from(summary.file.path):
            rejections = append_rejections(append, self.file.line_number)
        if rejections != self.import_rejections:
            self.import_rejections = rejections
            self.rejections_changed.emit()


def _reasons(summary: FileSummary) -> Mapping[str, str]:
    """What is said of rows with cells that have become no objects, in place of the reason about JSON."""
    if not summary.has_cells:
        return {}
    row = _("The row has another number of cells than the header has columns, or is damaged.")
    return {no_object_error().reason: row}
