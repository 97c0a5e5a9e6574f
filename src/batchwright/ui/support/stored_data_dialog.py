"""The dialog about what the service on this computer stores: size, deleting, backup and restoring."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined, quoted
from batchwright.base.policy import computer_policy
from batchwright.client.context import WorkflowContext
from batchwright.ui.core.formatting import number, short_datetime, size
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.stored_data_state import StoredDataState, deleted_text, restored_text
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField, lock_note, spin_box
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.tables.table import DATE_WIDTH, Cell, CellModel, FittedTable, TextCell
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow, group
from batchwright.wire.service_data import MAX_DAYS, StoredStudy
from batchwright.wire.timestamps import read_timestamp
from batchwright.workflows.service_data import (
    back_up,
    delete_older_than,
    delete_participant,
    delete_studies,
    restore,
)

_WIDTH = 860
_TABLE_WIDTH = 800
_COUNTS = range(2, 5)
"""The columns with numbers."""
_LAST_USED = _COUNTS.stop
_USUAL_DAYS = 90
_STUDY_CHARACTERS = 30
_MOST_NAMED = 8
"""Studies that a confirmation names; of more, it says how many."""


async def show_stored_data(support: SupportContext) -> None:
    """Show the dialog until it is closed."""
    context = support.context
    state = StoredDataState(support.find_session(), context.tasks)
    dialog = StoredDataDialog(state, support)
    state.refresh()
    try:
        await dialog.ask(context.window)
    finally:
        state.cancel()


def _retention_text(days: int) -> str:
    """What the policy lets the service delete."""
    text = ngettext(
        "What was not used for {count} day is deleted by itself. Set by your IT staff in {path}",
        "What was not used for {count} days is deleted by itself. Set by your IT staff in {path}",
        days,
    )
    return text.format(count=number(days), path=computer_policy().path)


class StudiesModel(CellModel):
    """The studies that are stored."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.studies: Sequence[StoredStudy] = ()

    def show_studies(self, studies: Sequence[StoredStudy]) -> None:
        """Show other studies."""
        self.beginResetModel()
        self.studies = studies
        self.endResetModel()

    @override
    def headings(self) -> Sequence[str]:
        return [_("Study"), _("Kind"), _("Records"), _("Participants"), _("Answers"), _("Last used")]

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _COUNTS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().heading(column, role)

    @override
    def row_count(self) -> int:
        return len(self.studies)

    @override
    def cell(self, row: int, column: int) -> Cell:
        study = self.studies[row]
        kind = _("Collection") if study.kind == "collection" else _("Batch")
        counts = (study.records, study.participants, study.answers)
        match column:
            case 0:
                return TextCell(study.name or study.id, is_name=True)
            case 1:
                return TextCell(kind)
            case _count if column in _COUNTS:
                return TextCell(number(counts[column - _COUNTS.start]), is_number=True)
            case _last_used:
                return TextCell(_used(study))

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        return self.studies[row].id if column == 0 else None


class StoredDataDialog(Dialog):
    """Shows a `StoredDataState`, and starts what the user confirms."""

    help_address = "privacy.md"

    def __init__(self, state: StoredDataState, support: SupportContext) -> None:
        text = _(
            "What rehearsals have stored in the service on this computer. What is deleted here cannot be "
            "brought back, except from a backup."
        )
        super().__init__(_("Data of this computer"), text, _("Close"), width=_WIDTH)
        self.cancel_button.hide()
        self.state, self._support = state, support
        self._size = Label("", TextRole.NAME)
        self._model = StudiesModel(self)
        self.table = FittedTable(_("Studies"), self._model, width=_TABLE_WIDTH, min_rows=3, max_rows=9)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._empty = Label(_("No study is stored."), tone="text2")
        self.delete_button = Button(_("Delete selected…"), ButtonKind.DANGER, glyph="trash")
        self.older_button = Button(_("Delete old studies…"), ButtonKind.DANGER)
        self.participant_button = Button(_("Delete a participant…"), ButtonKind.DANGER)
        self.back_up_button = Button(_("Back up…"), glyph="download-simple")
        self.restore_button = Button(_("Restore…"), glyph="upload-simple")
        deleting = (self.delete_button, self.older_button, self.participant_button)
        self._buttons_row = WrappingRow(*deleting, None, group(self.back_up_button, self.restore_button))
        self._progress = ProgressRow(_("Running"))
        self.stop_button = Button(_("Cancel"))
        self._running = QWidget()
        running = row(gap=12, parent=self._running)
        running.addWidget(self._progress, 1)
        running.add(self.stop_button)
        self._note = Label("", wraps=True)
        self.add(self._size, self.table, self._empty)
        if (days := computer_policy().retention_days) is not None:
            self.add(lock_note(_retention_text(days)))
        self.add(self._buttons_row, self._running, self._note)
        self._connect()
        self._refresh()

    def _connect(self) -> None:
        start = self._support.context.tasks.start
        for button, ask in (
            (self.delete_button, self._ask_to_delete),
            (self.older_button, self._ask_to_delete_older),
            (self.participant_button, self._ask_to_delete_participant),
            (self.back_up_button, self._ask_to_back_up),
            (self.restore_button, self._ask_to_restore),
        ):
            button.clicked.connect(lambda _checked=False, ask=ask: start("ask about stored data", ask))
        self.stop_button.clicked.connect(self.state.cancel)
        self.table.selectionModel().selectionChanged.connect(lambda *_changes: self._enable())
        self.state.changed.connect(self._refresh)

    def selected(self) -> list[StoredStudy]:
        """The studies that are selected."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return [self._model.studies[place] for place in sorted(rows)]

    def select(self, *rows: int) -> None:
        """Select rows."""
        flags = QItemSelectionModel.SelectionFlag
        for place in rows:
            index = self._model.index(place, 0)
            self.table.selectionModel().select(index, flags.Select | flags.Rows)

    def _refresh(self) -> None:
        state, data = self.state, self.state.data
        studies = () if data is None else data.studies
        if studies != self._model.studies:
            self._model.show_studies(studies)
            header, mode = self.table.horizontalHeader(), QHeaderView.ResizeMode
            for place in range(_LAST_USED):
                header.setSectionResizeMode(place, mode.ResizeToContents if place else mode.Stretch)
            self.table.set_column_width(_LAST_USED, DATE_WIDTH)
            self.table.updateGeometry()
        self._size.setText("" if data is None else _("Size: {size}").format(size=size(data.size)))
        self.table.setVisible(bool(studies))
        self._empty.setVisible(data is not None and not studies)
        self._running.setVisible(bool(state.activity))
        self.stop_button.setEnabled(not state.is_cancelled)
        if state.activity:
            self._progress.show_progress(state.activity, state.fraction)
        self._note.setText(state.note)
        self._note.set_tone("err" if state.has_failed else "text")
        self._note.setVisible(bool(state.note))
        self._enable()

    def _enable(self) -> None:
        busy = _("Something else is running") if self.state.activity else ""
        for button in (self.older_button, self.participant_button, self.back_up_button, self.restore_button):
            button.set_disabled_reason(busy)
        self.delete_button.set_disabled_reason(
            busy or ("" if self.selected() else _("Select the studies first"))
        )

    async def _ask_to_delete(self) -> None:
        studies = self.selected()
        title = ngettext("Delete {count} study?", "Delete {count} studies?", len(studies))
        if await self._is_confirmed(title.format(count=number(len(studies))), _named(studies), _("Delete")):

            async def work(context: WorkflowContext) -> str:
                return deleted_text(await delete_studies(context, [study.id for study in studies]))

            self.state.start(_("Deleting"), work, _deletion_continues())

    async def _ask_to_delete_older(self) -> None:
        dialog = _OldStudies(() if self.state.data is None else self.state.data.studies)
        if await dialog.ask(self._support.context.window):
            days = dialog.chosen

            async def work(context: WorkflowContext) -> str:
                return deleted_text(await delete_older_than(context, days))

            self.state.start(_("Deleting"), work, _deletion_continues())

    async def _ask_to_delete_participant(self) -> None:
        dialog = _Participant(() if self.state.data is None else self.state.data.studies)
        if await dialog.ask(self._support.context.window):
            id, study = dialog.chosen

            async def work(context: WorkflowContext) -> str:
                return deleted_text(await delete_participant(context, id, study))

            self.state.start(_("Deleting"), work, _deletion_continues())

    async def _ask_to_back_up(self) -> None:
        name = f"batchwright-{datetime.now(UTC):%Y-%m-%d}.zip"
        path = await self._support.dialogs.file_to_save(
            _("Save a backup"), (_("Backups (*.zip)"),), Path(name)
        )
        if path is not None:

            async def work(context: WorkflowContext) -> str:
                await back_up(context, path, self.state.on_fraction)
                return _("Saved: {path}").format(path=path)

            self.state.start(_("Saving the backup"), work, _("No backup was saved."))

    async def _ask_to_restore(self) -> None:
        path = await self._support.dialogs.file_to_open(_("Restore a backup"), (_("Backups (*.zip)"),))
        studies = () if self.state.data is None else self.state.data.studies
        if path is None:
            return
        title = _("Replace everything by {name}?").format(name=path.name)
        text = _named(studies) if studies else _("Nothing is stored that would be lost.")
        if await self._is_confirmed(title, text, _("Restore")):

            async def work(context: WorkflowContext) -> str:
                return restored_text(await restore(context, path, self.state.on_fraction))

            unchanged = _("The backup was not restored; nothing was changed.")
            self.state.start(_("Restoring the backup"), work, unchanged)

    async def _is_confirmed(self, title: str, text: str, accept: str) -> bool:
        dialog = Dialog(
            title,
            text,
            accept,
            ButtonKind.DESTROY,
            cancels_by_default=True,
            help_address="privacy.md#delete-and-back-up",
        )
        return await dialog.ask(self._support.context.window)


class _OldStudies(Dialog):
    """Asks for a number of days, and says which studies were not used for so long."""

    help_address = "privacy.md#delete-and-back-up"

    def __init__(self, studies: Sequence[StoredStudy]) -> None:
        text = _("Datasets without a study and feedback files that are as old are deleted, too.")
        super().__init__(
            _("Delete old studies"), text, _("Delete"), ButtonKind.DESTROY, cancels_by_default=True
        )
        self._studies = studies
        self.days = spin_box(_USUAL_DAYS, MAX_DAYS)
        self._lost = Label("", wraps=True)
        self.add(InputField(_("Days without use"), self.days), self._lost)
        self.chosen = _USUAL_DAYS
        """The number of days, once the dialog was accepted."""
        self.days.valueChanged.connect(self._show)
        self._show()

    @override
    def accept(self) -> None:
        self.chosen = self.days.value()
        super().accept()

    def _show(self) -> None:
        before = datetime.now(UTC) - timedelta(days=self.days.value())
        old = [study for study in self._studies if (used := _moment(study)) is not None and used < before]
        self._lost.setText(_named(old) if old else _("No study was unused for so long."))


class _Participant(Dialog):
    """Asks for the id of a participant, and a study."""

    help_address = "privacy.md#delete-and-back-up"

    def __init__(self, studies: Sequence[StoredStudy]) -> None:
        text = _(
            "All answers and files of the participant are deleted, and exclusions in Results that name the "
            "id. A record says when how much was deleted, without the id. Files that you have saved yourself "
            "are not changed."
        )
        super().__init__(
            _("Delete a participant"), text, _("Delete"), ButtonKind.DESTROY, cancels_by_default=True
        )
        self.id, self.study = QLineEdit(), FormComboBox()
        # Names may be longer than the dialog is wide.
        self.study.setSizeAdjustPolicy(FormComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.study.setMinimumContentsLength(_STUDY_CHARACTERS)
        self.study.add(_("All studies"), "")
        for study in studies:
            self.study.add(study.name or study.id, study.id)
        self.add(InputField(_("Id of the participant"), self.id, required=True))
        self.add(InputField(_("In"), self.study))
        self.chosen: tuple[str, str | None] = ("", None)
        """The id, and that of the study (None: all), once the dialog was accepted."""
        self.id.textChanged.connect(self._enable)
        self._enable()

    @override
    def accept(self) -> None:
        self.chosen = self.id.text().strip(), self.study.currentData() or None
        super().accept()

    def _enable(self) -> None:
        is_given = bool(self.id.text().strip())
        self.accept_button.set_disabled_reason("" if is_given else _("Enter the id first"))


def _deletion_continues() -> str:
    return _("What the service was asked to delete is deleted all the same.")


def _named(studies: Sequence[StoredStudy]) -> str:
    """What is lost with studies: their names, and the number of their answers."""
    names = joined(quoted(study.name or study.id) for study in studies[:_MOST_NAMED])
    if len(studies) > _MOST_NAMED:
        text = _("{names} and others, {count} in total")
        names = text.format(names=names, count=number(len(studies)))
    text = _("This is lost: {names}. Answers: {answers}; participants: {participants}.")
    return text.format(
        names=names,
        answers=number(sum(study.answers for study in studies)),
        participants=number(sum(study.participants for study in studies)),
    )


def _moment(study: StoredStudy) -> datetime | None:
    return None if study.last_used_at is None else read_timestamp(str(study.last_used_at))


def _used(study: StoredStudy) -> str:
    return short_datetime(_moment(study))
