"""Further files of the study's dataset, and a dataset that gets its schema later: commands and dialogs."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QHeaderView
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.local.projects import study_name
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.core.operations import OperationRun, Work
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.dataset.dataset_commands import change_schema
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import DATASET, CreateOperation, ImportFileOperation
from batchwright.ui.data.dataset.upload import transfer_observer
from batchwright.ui.data.file.data_file_commands import choose_data_file
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.name_dialog import NameDialog
from batchwright.ui.widgets.statuses import IMPORT, status_of
from batchwright.ui.widgets.tables.table import DATE_WIDTH, CellModel, FittedTable, TextCell
from batchwright.ui.widgets.text import Label
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportRejection, ImportStatus
from batchwright.workflows.data.create_dataset import create_dataset_without_schema
from batchwright.workflows.data.upload_dataset import import_file

_WIDTH = 760
_COUNTS = (3, 4)
"""The columns with numbers."""
_SHOWN_ERRORS = 20
"""Maximum number of rejected records that are listed for an import."""


class CreateDatasetDialog(NameDialog):
    """Asks for the name of a dataset without a schema.

    Args:
        name: the initial value.
        live: name of the live service; empty for the service on this computer.
        replaces: whether the study has a dataset already, which stays at the service.
    """

    help_address = "data.md#upload"

    def __init__(self, name: str, live: str, *, replaces: bool) -> None:
        super().__init__(
            _("Create a dataset without a schema"),
            _("Files can be imported into it at once; they wait until the schema is set."),
            _("Create dataset"),
            field=_("Name of the dataset"),
            name=name,
            missing=_("Enter a name for the dataset first"),
            is_live=bool(live),
        )
        if replaces:
            text = _("The study uses the new dataset from then on. Its present dataset stays at the service.")
            self.add(Label(text, TextRole.SMALL, "text2", wraps=True))
        self.warn_if_live(live)


def import_file_dialog(path: Path, dataset: Dataset, live: str, *, has_schema: bool) -> Dialog:
    """The confirmation before a further file is imported into a dataset."""
    text = _(
        "All records of the file are added, also those that the dataset has already. To skip repeated "
        "records, append them instead."
    )
    dialog = Dialog(
        _("Import {file} into “{name}”?").format(file=path.name, name=dataset.name),
        text,
        _("Import file"),
        ButtonKind.LIVE if live else ButtonKind.PRIMARY,
        help_address="data.md#upload",
    )
    note = _("Records that do not fit the dataset's schema are rejected.")
    if not has_schema:
        note = _("The dataset has no schema yet: the import waits until it is set.")
    dialog.add(Label(note, TextRole.SMALL, "text2", wraps=True))
    dialog.warn_if_live(live)
    return dialog


class ImportsModel(CellModel):
    """The imports of a dataset, newest first."""

    def __init__(self, jobs: Sequence[ImportJob], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs

    @override
    def row_count(self) -> int:
        return len(self._jobs)

    @override
    def headings(self) -> Sequence[str]:
        return _("Started"), _("File"), _("Status"), _("Accepted"), _("Rejected")

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _COUNTS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().heading(column, role)

    @override
    def cell(self, row: int, column: int) -> TextCell:
        job = self._jobs[row]
        return (
            TextCell(short_datetime(job.created_at), tone="text2"),
            TextCell(job.filename or "–", is_name=True),
            TextCell(_(status_of(IMPORT, job.status).label)),
            TextCell(_count(job.accepted_count), is_number=True),
            TextCell(_count(job.rejected_count), is_number=True),
        )[column]


class ImportsDialog(Dialog):
    """Lists the imports of a dataset, with the errors of the selected one.

    Args:
        dataset: the dataset as just fetched.
        can_set_schema: whether the study has a schema that the dataset does not have.
    """

    help_address = "data.md#upload"

    def __init__(self, dataset: Dataset, *, can_set_schema: bool) -> None:
        self._jobs = dataset.imports or ()
        waiting = sum(job.status == ImportStatus.PENDING_SCHEMA for job in self._jobs)
        self.sets_schema = bool(waiting) and can_set_schema
        """Whether accepting the dialog means to set the schema."""
        super().__init__(
            _("Imports of “{name}”").format(name=dataset.name),
            _imports_text(len(self._jobs), waiting),
            _("Set the schema…") if self.sets_schema else _("Close"),
            width=_WIDTH,
        )
        self.cancel_button.setText(_("Close"))
        self.cancel_button.setVisible(self.sets_schema)
        self.table = FittedTable(_("Imports"), ImportsModel(self._jobs), width=_WIDTH, min_rows=3, max_rows=8)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for place, width in ((0, DATE_WIDTH), (2, 150), (3, 90), (4, 90)):
            self.table.set_column_width(place, width)
        self._errors = Label("", TextRole.SMALL, "text2", wraps=True)
        self.table.setVisible(bool(self._jobs))
        self.add(self.table, self._errors)
        if waiting and not can_set_schema:
            text = _("Add fields to the schema of the study first; then it can be set for the dataset here.")
            self.add(Label(text, TextRole.SMALL, "text2", wraps=True))
        self.table.selectionModel().currentChanged.connect(self._show_errors)
        self.table.selectRow(0)

    def _show_errors(self, index: QModelIndex) -> None:
        if index.isValid():
            self._errors.setText(_errors_text(self._jobs[index.row()]))


def _imports_text(count: int, waiting: int) -> str:
    if not count:
        return _("No file was imported into this dataset. Records may have been appended.")
    text = ngettext("{count} import, newest first.", "{count} imports, newest first.", count)
    text = text.format(count=number(count))
    if waiting:
        more = ngettext("{count} waits for a schema.", "{count} wait for a schema.", waiting)
        text += " " + more.format(count=number(waiting))
    return text


def _errors_text(job: ImportJob) -> str:
    """The reason of a failed import, and the rejected records as far as the service lists them."""
    errors = job.errors or ()
    lines = [job.reason] if job.reason else []
    lines += map(_error_text, errors[:_SHOWN_ERRORS])
    hidden = max(job.rejected_count or 0, len(errors)) - min(len(errors), _SHOWN_ERRORS)
    if hidden > 0:
        text = ngettext("{count} more rejected record", "{count} more rejected records", hidden)
        lines.append(text.format(count=number(hidden)))
    return "\n".join(lines) or _("No errors.")


def _error_text(error: ImportRejection) -> str:
    record = "" if error.record_index is None else number(error.record_index + 1)
    parts = (
        _("Record {number}").format(number=record) if record else "",
        error.field if error.field != "_raw" else "",
        error.reason,
    )
    return ": ".join(part for part in parts if part)


def _count(count: int | None) -> str:
    return "–" if count is None else number(count)


_V4_FILES = "CSV, JSONL (*.csv *.jsonl)"


async def create_dataset(context: DataContext) -> None:
    """Ask for a name, and create a dataset without a schema for the study."""
    state = context.state
    dialog = CreateDatasetDialog(
        study_name(state.study.project), context.live, replaces=_has_dataset(context)
    )
    if await dialog.ask(context.window.window):
        start_create(state.dataset, dialog.name)


async def import_another_file(context: DataContext) -> None:
    """Ask for a file, and import it into the study's dataset."""
    controller = context.state.dataset
    path, dataset = await choose_data_file(context, _V4_FILES), controller.remote.dataset
    if path is None or dataset is None:
        return
    dialog = import_file_dialog(path, dataset, context.live, has_schema=controller.remote.schema is not None)
    if await dialog.ask(context.window.window):
        start_import(controller, dataset.id, path)


async def show_imports(context: DataContext) -> None:
    """List the imports of the study's dataset; those that wait for a schema can be released."""
    controller = context.state.dataset
    await controller.remote.fetch_now(may_prompt=True)
    dataset = controller.remote.dataset
    if dataset is None:
        return
    dialog = ImportsDialog(dataset, can_set_schema=controller.schema_diff is not None)
    if await dialog.ask(context.window.window) and dialog.sets_schema:
        context.start(change_schema)


def start_create(controller: DatasetController, name: str) -> None:
    """Create a dataset without a schema, and attach it to the study."""
    connection = controller.session.connection

    async def work(run: OperationRun) -> None:
        run.update(is_connected=True)
        dataset = await create_dataset_without_schema(run.context, name)
        run.update(workspace_id=run.context.workspace_id, dataset=dataset)

    title = _("Creating a dataset")
    operation = CreateOperation(DATASET, title, connection.name, connection_title=connection.title, name=name)
    controller.start(operation, work)


def start_import(controller: DatasetController, dataset_id: str, path: Path) -> None:
    """Import a further file into a dataset; the import is monitored to its end."""
    connection, title = controller.session.connection, _("Importing {name}").format(name=path.name)
    operation = ImportFileOperation(
        DATASET,
        title,
        connection.name,
        connection_title=connection.title,
        path=path,
        dataset_id=dataset_id,
    )
    controller.start(operation, _import_work(dataset_id, path))


def _import_work(dataset_id: str, path: Path) -> Work[None]:
    async def work(run: OperationRun) -> None:
        run.update(is_connected=True)
        job = await import_file(run.context, dataset_id, path, transfer_observer(run), run.hooks)
        run.update(job=job)

    return work


def _has_dataset(context: DataContext) -> bool:
    return context.state.dataset.remote.binding.dataset_id is not None
