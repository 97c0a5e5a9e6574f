"""The list of files to send, with progress and buttons for each."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.feedback.labels import detail_text, glyph, progress_text, status
from batchwright.ui.feedback.state import FeedbackFile, FeedbackFileState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.icon_tile import IconTile
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.surfaces import Panel, Separator
from batchwright.ui.widgets.text import ElidedLabel, Label

_MIN_WIDTH_FOR_TEXTS = 720
_DOWN, _ACROSS = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
_PILL, _BUTTONS, _HEIGHT = 112, 60, 58
_MOVING = frozenset({FeedbackFileState.UNCONFIRMED, FeedbackFileState.WAITING, FeedbackFileState.SENDING})


class FileRow(QWidget):
    """One file: its name, its progress or result, and a button."""

    cancel_requested = Signal(int)
    retry_requested = Signal(int)
    remove_requested = Signal(int)

    def __init__(self, file: FeedbackFile) -> None:
        super().__init__()
        self._entry = file
        name = file.path.name
        self.setAccessibleName(sanitize_line(name))
        title = ElidedLabel(name, TextRole.NAME)
        title.setToolTip(tooltip_text(str(file.path)))
        self._below = ElidedLabel(detail_text(file), TextRole.CAPTION, "text2", tabular=True)
        self._progress, self._text = ProgressRow(name), Label("", TextRole.SMALL, tabular=True, wraps=True)
        self._badge = StatusBadge(status(file))
        self._stop = IconButton("x", _("Cancel {name}").format(name=name))
        self._retry = IconButton("arrow-clockwise", _("Retry {name}").format(name=name))
        self._remove = IconButton("x", _("Remove {name} from the list").format(name=name))
        self._stop.clicked.connect(lambda: self.cancel_requested.emit(file.number))
        self._retry.clicked.connect(lambda: self.retry_requested.emit(file.number))
        self._remove.clicked.connect(lambda: self.remove_requested.emit(file.number))
        self._separator = Separator()
        self._build(title)
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.show_file(file)

    def show_file(self, file: FeedbackFile) -> None:
        """Show the current state of the file."""
        self._entry = file
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

    def _build(self, title: ElidedLabel) -> None:
        tile = IconTile(glyph(self._entry.path), "content", 36)
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
        self._lines = column(gap=0, margins=1, parent=self)

    def show_files(self, files: Sequence[FeedbackFile]) -> None:
        """Show these files."""
        self.setVisible(bool(files))
        if [file.number for file in files] != list(self._rows):
            self._build(files)
        for file in files:
            self._rows[file.number].show_file(file)
            self._rows[file.number].show_separator(is_shown=file is not files[-1])

    def _build(self, files: Sequence[FeedbackFile]) -> None:
        numbers = {file.number for file in files}
        for number in [number for number in self._rows if number not in numbers]:
            removed = self._rows.pop(number)
            self._lines.removeWidget(removed)
            removed.hide()
            removed.deleteLater()
        for file in files:
            if file.number not in self._rows:
                self._rows[file.number] = shown = FileRow(file)
                shown.cancel_requested.connect(self.cancel_requested)
                shown.retry_requested.connect(self.retry_requested)
                shown.remove_requested.connect(self.remove_requested)
                self._lines.add(shown)
