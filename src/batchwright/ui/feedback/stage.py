"""The Feedback stage: files about completed studies are sent, and the sent ones are listed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.local.sent_files import SentFile
from batchwright.ui.core.formatting import number, short_datetime, size
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.feedback.actions import ACTIONS
from batchwright.ui.feedback.commands import FeedbackContext, send_files
from batchwright.ui.feedback.file_list import FileList
from batchwright.ui.feedback.labels import sentence
from batchwright.ui.feedback.state import FINISHED, FeedbackState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import DropZone, Panel, Surface
from batchwright.ui.widgets.tables import ROW_HEIGHT, CellRole, Table, TextCell, accessible_text
from batchwright.ui.widgets.text import Label


class SentModel(TableModel):
    """A row for each file."""

    _files: Sequence[SentFile] = ()

    def show_files(self, files: Sequence[SentFile]) -> None:
        """Show these files."""
        if files != self._files:
            self.beginResetModel()
            self._files = files
            self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self._files)

    @override
    def column_count(self) -> int:
        return len(_heads())

    @override
    def heading(self, column: int, role: int) -> object:
        return _heads()[column] if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        cell = _cell(self._files[row], column)
        if role == CellRole.CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return accessible_text(cell)
        return None


def _heads() -> tuple[str, ...]:
    return _("File"), _("Size"), _("Sent to"), _("When")


def _cell(file: SentFile, column: int) -> TextCell:
    where = _("{connection}, {workspace}").format(connection=file.connection, workspace=file.workspace_id)
    return (
        TextCell(file.name, is_name=True),
        TextCell(size(file.size), tone="text2"),
        TextCell(where, tone="text2"),
        TextCell(short_datetime(file.sent_at), tone="text2"),
    )[column]


_WIDEST = 1220
_ZONE = 124
_STATE, _MOST_ROWS = 240, 8
_WIDTHS = (0, 110, 380, 130)
"""Column widths in pixels at 100 %; a column of 0 takes the remaining width."""


def build(frame: StageContext, study: Study, session: ConnectionSession) -> QWidget:
    """Build the stage for one window; it needs no open study."""
    return FeedbackStage(frame, FeedbackState(session, frame.tasks))


class FeedbackStage(Surface):
    """The header; below it a drop zone, the files being sent, and those sent before."""

    def __init__(self, frame: StageContext, model: FeedbackState) -> None:
        super().__init__("window")
        self.model, self._context = model, FeedbackContext(frame, model)
        model.setParent(self)
        model.operations.show_in(frame.shell)
        self.setAcceptDrops(True)
        self._header = StageHeader(_("Feedback"))
        self._clear = Button(_("Clear finished"), height=ButtonSize.STAGE)
        self._header.add_buttons(self._clear)
        self._header.show_primary(_("Choose files"), glyph="plus")
        self.files, self._sent = FileList(), SentModel(self)
        self._drop_zone, self._sent_section = self._create_drop_zone(), self._create_sent_section()
        content = QWidget()
        column(
            self._drop_zone,
            self.files,
            self._sent_section,
            None,
            gap=16,
            margins=(24, 20, 24, 20),
            parent=content,
        )
        content.setMaximumWidth(theme().px(_WIDEST))
        middle = QWidget()
        line = row(gap=0, parent=middle)
        line.addStretch(1)
        line.addWidget(content, 100)
        line.addStretch(1)
        layout = column(self._header, gap=0, parent=self)
        layout.addWidget(VerticalScrollArea(middle), 1)
        self._connect()
        frame.actions.add(self._context, ACTIONS, model.changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return self._header, self.files, self._sent_section

    def show_state(self) -> None:
        """Update everything shown."""
        model = self.model
        self._header.show_subtitle(sentence(model))
        self._clear.setEnabled(bool(model.count(*FINISHED)))
        self.files.show_files(model.files)
        self._sent.show_files(model.history)
        self._show_history()

    def _create_drop_zone(self) -> DropZone:
        zone = DropZone()
        zone.setFixedHeight(theme().px(_ZONE))
        sign = Glyph("upload-simple", "accent_text", 24)
        line, hint = Label(_("Drop files here"), TextRole.SECTION), Label("", TextRole.SMALL, "text2")
        hint.setText(_("CSV, Excel, JSON, text or PDF, up to 5 GB each"))
        middle = [row(None, widget, None) for widget in (sign, line, hint)]
        column(None, *middle, None, gap=6, parent=zone)
        return zone

    def _create_sent_section(self) -> QWidget:
        place, panel = QWidget(), Panel()
        self._table = Table(_("Previously sent"), self._sent, radius=9)
        self._update_columns()
        self._history = QStackedWidget()
        self._history.addWidget(self._table)
        theme().on_changed(self._update_history_height)
        line = _("Sent files are listed here, with time and destination.")
        self._history.addWidget(EmptyState("upload-simple", _("Nothing sent yet"), line))
        self._history.addWidget(LoadingState(34))
        column(self._history, margins=1, parent=panel)
        column(
            Label(_("Previously sent"), TextRole.SECTION), panel, gap=10, margins=(0, 8, 0, 0), parent=place
        )
        return place

    def _connect(self) -> None:
        model, files = self.model, self.files
        model.changed.connect(self.show_state)
        model.all_sent.connect(self._on_all_sent)
        run_action = self._context.window.actions.run
        self._header.primary.clicked.connect(lambda: run_action("feedback.choose"))
        self._clear.clicked.connect(lambda: run_action("feedback.clear"))
        files.cancel_requested.connect(model.cancel)
        files.retry_requested.connect(model.retry)
        files.remove_requested.connect(model.remove)

    def _show_history(self) -> None:
        model = self.model
        while (old := self._history.widget(3)) is not None:
            self._history.removeWidget(old)
            old.deleteLater()
        if model.history:
            self._history.setCurrentIndex(0)
        elif model.error is not None:
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(model.read_history)
            why = EmptyState("warning-circle-fill", model.error.what, model.error.remedy, again, tone="err")
            self._history.addWidget(why)
            self._history.setCurrentWidget(why)
        else:
            self._history.setCurrentIndex(2 if model.is_loading else 1)
        self._update_history_height()

    def _update_history_height(self) -> None:
        """Fit the height of the table to its rows, within limits; without rows, to the placeholder."""
        rows, head = self._table.row_height * min(len(self.model.history), _MOST_ROWS), theme().px(ROW_HEIGHT)
        self._history.setFixedHeight(head + rows + 1 if rows else theme().px(_STATE))

    def _on_all_sent(self, count: int) -> None:
        text = ngettext("{count} feedback file sent", "{count} feedback files sent", count)
        where = self.model.session.connection.title
        if not self.isVisible():
            notice = Toast(
                ToastSeverity.SUCCESS, text.format(count=number(count)), where, _("Open"), self._show_stage
            )
            self._context.window.toasts.show_toast(notice)

    def _show_stage(self) -> None:
        self._context.window.shell.set_stage("feedback")

    def _update_columns(self) -> None:
        head = self._table.horizontalHeader()
        head.setStretchLastSection(False)
        for section, width in enumerate(_WIDTHS):
            mode = QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(section, mode)
            if width:
                self._table.setColumnWidth(section, theme().px(width))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.read_history()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            accept_copy(event)
            self._drop_zone.set_target(is_target=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_zone.set_target(is_target=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_zone.set_target(is_target=False)
        paths = dropped_paths(event.mimeData())
        if paths:
            accept_copy(event)
            name = f"send {len(paths)} dropped files"
            self._context.window.tasks.start(name, lambda: send_files(self._context, paths))
