"""The table of the file's records."""

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.schema.model import FieldType
from batchwright.ui.data.rows_model import RowsModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.tables import Table

_TEXT = (3.0, 150)
_ADDRESS = (2.6, 130)
_OTHER = (1.5, 96)
"""Share of the width that a column takes, and its minimum width in pixels at 100 %."""

_MAX_WIDTH = 560
_DIGIT, _PADDING = "0", 26


class RowsTable(Table):
    """Shows a `RowsModel`; the columns share the width until the user resizes one."""

    record_requested = Signal(int)
    """A record, by its row, is to be shown in full."""

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Records"), model, parent=parent)
        self._rows = model
        self._is_resizing = False
        self._shares_width = True
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setMinimumSectionSize(theme().px(48))
        head.sectionResized.connect(self._on_section_resized)
        self.doubleClicked.connect(self._on_activated)
        model.modelReset.connect(self._reset_widths)
        model.headerDataChanged.connect(self._share_width)
        model.rowsInserted.connect(self._share_width)
        theme().on_changed(self._reset_widths)

    def go_to(self, row: int, field: str) -> None:
        """Scroll a record to the centre, and select the cell of a field."""
        index = self._rows.index(row, self._rows.column_of(field))
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.record_requested.emit(index.row())

    def _reset_widths(self) -> None:
        self._shares_width = True
        self._share_width()

    def _share_width(self, *_args: object) -> None:
        """Give each column its share of the width, but at least its minimum."""
        columns = self._rows.columns
        if not columns or not self._shares_width:
            return
        px = theme().px
        first = px(_PADDING) + max(self._number_width(), self._heading_width(_("Line")))
        wants = [self._width_of(name) for name in columns]
        free = max(0, self.viewport().width() - first)
        unit = free / sum(weight for weight, _least in wants)
        self._is_resizing = True
        self.setColumnWidth(0, first)
        for number, (weight, least) in enumerate(wants, 1):
            self.setColumnWidth(number, min(max(int(unit * weight), px(least)), px(_MAX_WIDTH)))
        self._is_resizing = False

    def _width_of(self, column: str) -> tuple[float, int]:
        type = self._rows.type_of(column)
        if type is FieldType.TEXT:
            return _TEXT
        return _OTHER if type in (None, FieldType.METADATA, FieldType.TASK_GROUP_ID) else _ADDRESS

    def _number_width(self) -> int:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(_DIGIT) * len(str(2 * self._rows.rowCount() + 100))

    def _heading_width(self, words: str) -> int:
        self.ensurePolished()
        return theme().font(TextRole.HEAD).pixelSize() * len(words) * 2 // 3

    def _on_section_resized(self) -> None:
        if not self._is_resizing and self.underMouse():
            self._shares_width = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row when the focus arrives by keyboard, so that it is visible."""
        super().focusInEvent(event)
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        if not by_mouse and not self.selectionModel().hasSelection() and self.currentIndex().isValid():
            self.selectRow(self.currentIndex().row())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_activated(self.currentIndex())
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(360))
