"""The Feedback stage: files about completed studies are sent, and the sent ones are listed."""

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import count

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHeaderView, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.local.sent_files import SentFile
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number, short_datetime, size
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.sliced_work import SlicedWork
from batchwright.ui.feedback.actions import ACTIONS
from batchwright.ui.feedback.commands import FeedbackContext, send_files
from batchwright.ui.feedback.labels import detail_text, glyph, progress_text, status, subtitle
from batchwright.ui.feedback.state import FINISHED, FeedbackFile, FeedbackFileState, FeedbackState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.drops import accept_copy, dropped_paths
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.surfaces import DropZone, Panel, Separator, Surface
from batchwright.ui.widgets.tables.row_copy_button import RowCopyButton
from batchwright.ui.widgets.tables.table import DATE_WIDTH, ROW_HEIGHT, CellModel, Table, TextCell
from batchwright.ui.widgets.text import ElidedLabel, Label

_MIN_WIDTH_FOR_TEXTS = 720
_DOWN, _ACROSS = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
_PILL, _BUTTONS, _HEIGHT = 112, 60, 58
_ROWS_OF_A_SLICE = 20
_MOVING = frozenset({FeedbackFileState.UNCONFIRMED, FeedbackFileState.WAITING, FeedbackFileState.SENDING})


class FileRow(QWidget):
    """One file: its name, its progress or result, and a button."""

    cancel_requested = Signal(int)
    retry_requested = Signal(int)
    remove_requested = Signal(int)

    def __init__(self, file: FeedbackFile) -> None:
        super().__init__()
        self._shown: FeedbackFile | None = None
        name = file.path.name
        self.setAccessibleName(sanitize_line(name))
        title = ElidedLabel(name, TextRole.NAME)
        title.setToolTip(tooltip_text(str(file.path)))
        self._below = ElidedLabel("", TextRole.CAPTION, "text2", tabular=True)
        self._progress, self._text = ProgressRow(name), Label("", TextRole.SMALL, tabular=True, wraps=True)
        self._badge = StatusBadge(status(file))
        self._stop = IconButton("x", _("Cancel {name}").format(name=name))
        self._retry = IconButton("arrow-clockwise", _("Retry {name}").format(name=name))
        self._remove = IconButton("x", _("Remove {name} from the list").format(name=name))
        self._stop.clicked.connect(lambda: self.cancel_requested.emit(file.number))
        self._retry.clicked.connect(lambda: self.retry_requested.emit(file.number))
        self._remove.clicked.connect(lambda: self.remove_requested.emit(file.number))
        self._separator = Separator()
        self._build(title, glyph(file.path))
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.show_file(file)

    def show_file(self, file: FeedbackFile) -> None:
        """Show the current state of the file, if it has changed."""
        if file is self._shown:
            return
        self._shown = file
        self._below.setText(detail_text(file))
        is_moving = file.state in _MOVING
        text = progress_text(file)
        self._progress.setVisible(is_moving)
        self._text.setVisible(not is_moving)
        self._progress.show_progress(text, file.fraction)
        self._text.setText(text)
        self._badge.show_status(status(file))
        self._stop.setVisible(is_moving)
        can_retry = file.state in (
            FeedbackFileState.FAILED,
            FeedbackFileState.INTERRUPTED,
            FeedbackFileState.CANCELLED,
        )
        if self._retry.hasFocus() and not can_retry:
            self.setFocus()  # Qt would move the focus to the next button, which cancels
        self._retry.setVisible(can_retry)
        self._remove.setVisible(not is_moving)

    def show_separator(self, *, is_shown: bool) -> None:
        """Show or hide the separator to the next row."""
        self._separator.setVisible(is_shown)

    def _build(self, title: ElidedLabel, icon: str) -> None:
        tile = IconTile(icon, "content", 36)
        names = column(None, title, self._below, None, gap=1)
        self._place = QWidget()
        row(self._badge, None, parent=self._place)
        line = row(tile, gap=14, margins=(16, 8, 12, 8))
        self._texts = row(gap=14)
        self._texts.addLayout(names, 5)
        self._texts.addLayout(column(None, self._progress, self._text, None, gap=0), 6)
        line.addLayout(self._texts, 1)
        self._buttons = QWidget()
        row(None, self._retry, self._stop, self._remove, gap=2, parent=self._buttons)
        line.add(8, self._place, self._buttons)
        layout = column(gap=0, parent=self)
        layout.addLayout(line, 1)
        layout.add(self._separator)

    def _update_geometry(self) -> None:
        self.setMinimumHeight(theme().px(_HEIGHT))
        self._place.setFixedWidth(theme().px(_PILL))
        self._buttons.setFixedWidth(theme().px(_BUTTONS))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window, show the progress below the name instead of beside it."""
        super().resizeEvent(event)
        is_narrow = self.width() < theme().px(_MIN_WIDTH_FOR_TEXTS)
        self._texts.setDirection(_DOWN if is_narrow else _ACROSS)
        self._texts.setSpacing(theme().px(4 if is_narrow else 14))


class FileList(Panel):
    """The rows of all files; the row of a file is reused while its state changes."""

    cancel_requested = Signal(int)
    retry_requested = Signal(int)
    remove_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(_("Files"))
        self._rows: dict[int, FileRow] = {}
        self._work = SlicedWork(self)
        self._lines = column(gap=0, margins=1, parent=self)

    def show_files(self, files: Sequence[FeedbackFile]) -> None:
        """Show these files; the rows of many new ones are created in slices."""
        self.setVisible(bool(files))
        if [file.number for file in files] != list(self._rows):
            self._remove_others({file.number for file in files})
            self._work.start(self._create_rows(files))
        for file in files:
            if file.number in self._rows:
                self._rows[file.number].show_file(file)
                self._rows[file.number].show_separator(is_shown=file is not files[-1])

    def _remove_others(self, numbers: Set[int]) -> None:
        for removed_number in self._rows.keys() - numbers:
            removed = self._rows.pop(removed_number)
            self._lines.removeWidget(removed)
            removed.hide()
            removed.deleteLater()

    def _create_rows(self, files: Sequence[FeedbackFile]) -> Iterator[None]:
        missing = [file for file in files if file.number not in self._rows]
        for index, file in enumerate(missing, 1):
            self._rows[file.number] = shown = FileRow(file)
            shown.show_separator(is_shown=file is not files[-1])
            shown.cancel_requested.connect(self.cancel_requested)
            shown.retry_requested.connect(self.retry_requested)
            shown.remove_requested.connect(self.remove_requested)
            self._lines.add(shown)
            if index % _ROWS_OF_A_SLICE == 0:
                yield


class SentModel(CellModel):
    """A row for each file.

    Args:
        title_of: returns the current title of a connection, for its name.
    """

    files: Sequence[SentFile] = ()

    def __init__(self, title_of: Callable[[str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title_of = title_of

    def show_files(self, files: Sequence[SentFile]) -> None:
        """Show these files."""
        if files != self.files:
            self.beginResetModel()
            self.files = files
            self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self.files)

    @override
    def headings(self) -> Sequence[str]:
        return _("File"), _("Size"), _("Sent to"), _("When")

    @override
    def cell(self, row: int, column: int) -> TextCell:
        file = self.files[row]
        where = _("{connection}, {workspace}").format(
            connection=self._title_of(file.connection), workspace=file.workspace_id
        )
        return (
            TextCell(file.name, is_name=True),
            TextCell(size(file.size), tone="text2"),
            TextCell(where, tone="text2"),
            TextCell(short_datetime(file.sent_at), tone="text2"),
        )[column]


_WIDEST = 1220
_ZONE = 124
_STATE, _MAX_ROWS = 240, 8
_DESTINATION = 2
_WIDTHS = (0, 110, 380, DATE_WIDTH)
"""Column widths in pixels at 100 %; a column of 0 takes the remaining width."""


def build(stage_context: StageContext, _study: Study, session: ConnectionSession) -> QWidget:
    """Build the stage for one window; it needs no open study."""
    return FeedbackStage(stage_context, FeedbackState(session, stage_context.tasks))


class FeedbackStage(Surface):
    """The header; below it a drop zone, the files being sent, and those sent before."""

    def __init__(self, stage_context: StageContext, state: FeedbackState) -> None:
        super().__init__("window")
        self.state, self.context = state, FeedbackContext(stage_context, state)
        state.setParent(self)
        self._drops = count(1)
        """Numbers the drops: one may arrive while the files of another are still checked."""
        state.operations.show_in(stage_context.shell)
        self.setAcceptDrops(True)
        self.header = StageHeader(_("Feedback"))
        self._clear = Button(_("Clear finished"), height=ButtonSize.STAGE)
        self.header.add_buttons(self._clear)
        self.header.show_primary(_("Choose files"), glyph="plus")
        self.files, self.sent = FileList(), SentModel(state.session.title_of, self)
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
        layout = column(self.header, gap=0, parent=self)
        layout.addWidget(VerticalScrollArea(middle), 1)
        self._connect()
        stage_context.actions.add(self.context, ACTIONS, state.changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return self.header, self.files, self._sent_section

    def show_state(self) -> None:
        """Update everything shown."""
        state = self.state
        self.header.show_subtitle(subtitle(state))
        self._clear.setEnabled(bool(state.count(*FINISHED)))
        self.files.show_files(state.files)
        self.sent.show_files(state.history)
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
        self.table = Table(_("Previously sent"), self.sent, radius=9)
        self._copy_workspace = RowCopyButton(
            self.table,
            _DESTINATION,
            _("Copy the workspace id"),
            lambda row: self.sent.files[row].workspace_id,
        )
        self._update_columns()
        self._history = QStackedWidget()
        self._history.addWidget(self.table)
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
        state, files = self.state, self.files
        state.changed.connect(self.show_state)
        state.all_sent.connect(self._on_all_sent)
        run_action = self.context.window.actions.run
        self.header.primary.clicked.connect(lambda: run_action(ActionId.FEEDBACK_CHOOSE))
        self._clear.clicked.connect(lambda: run_action(ActionId.FEEDBACK_CLEAR))
        files.cancel_requested.connect(state.cancel)
        files.retry_requested.connect(state.retry)
        files.remove_requested.connect(state.remove)

    def _show_history(self) -> None:
        state = self.state
        while (old := self._history.widget(3)) is not None:
            self._history.removeWidget(old)
            old.deleteLater()
        if state.history:
            self._history.setCurrentIndex(0)
        elif state.error is not None:
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(state.read_history)
            why = ErrorState(state.error, again)
            self._history.addWidget(why)
            self._history.setCurrentWidget(why)
        else:
            self._history.setCurrentIndex(2 if state.is_loading else 1)
        self._update_history_height()

    def _update_history_height(self) -> None:
        """Fit the height of the table to its rows, within limits; without rows, to the placeholder."""
        rows, head = self.table.row_height * min(len(self.state.history), _MAX_ROWS), theme().px(ROW_HEIGHT)
        self._history.setFixedHeight(head + rows + 1 if rows else theme().px(_STATE))

    def _on_all_sent(self, files: Sequence[SentFile]) -> None:
        text = ngettext("{count} feedback file sent", "{count} feedback files sent", len(files))
        text = text.format(count=number(len(files)))
        where = joined(dict.fromkeys(self.state.session.title_of(file.connection) for file in files))
        if not self.isVisible():
            notice = Notice(NoticeSeverity.SUCCESS, text, where, _("Open"), self._show_stage)
            self.context.window.notices.show_notice(notice)

    def _show_stage(self) -> None:
        self.context.window.shell.set_stage("feedback")

    def _update_columns(self) -> None:
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        for section, width in enumerate(_WIDTHS):
            mode = QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(section, mode)
            if width:
                self.table.set_column_width(section, width)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.state.read_history()

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
            name = f"send dropped files {next(self._drops)}"
            self.context.window.tasks.start(name, lambda: send_files(self.context, paths))
