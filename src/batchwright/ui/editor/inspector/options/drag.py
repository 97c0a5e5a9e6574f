"""Reordering the option table with the mouse: which row is dragged, and where it would be dropped."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QTableView
from typing_extensions import override

from batchwright.ui.editor.inspector.options.delegate import ROW
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_circle

_EDGE = 14
"""Distance in pixels from the upper or lower edge within which the table scrolls during a drag."""


class OptionRowDrag(QObject):
    """Handles the mouse events of a table whose rows have drag handles."""

    dropped = Signal(int, int)
    """The row that was dragged, and its new index, counted after it is removed."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.row = self.drop_row = -1
        table.viewport().installEventFilter(self)

    @property
    def is_active(self) -> bool:
        """Whether a row is being dragged."""
        return self.row >= 0

    def end(self) -> None:
        """Cancel the drag; the row stays where it was."""
        self.row = self.drop_row = -1
        self._table.viewport().update()

    def paint(self) -> None:
        """Paint the line where the row would be dropped."""
        if self.drop_row < 0:
            return
        port = self._table.viewport()
        painter, tokens, px = QPainter(port), theme().tokens, theme().px
        y = self.drop_row * px(ROW) - self._table.verticalScrollBar().value()
        y = max(2, min(y, port.height() - 2))
        left, right = px(8), port.width() - px(8)
        painter.fillRect(left, y - 1, right - left, 3, tokens.accent_text)
        for x in (left, right):
            draw_circle(painter, QPoint(x, y).toPointF(), px(4), tokens.surface, tokens.accent_text, 2)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        at = event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseButtonPress | QEvent.Type.MouseButtonDblClick:
                return event.button() is Qt.MouseButton.LeftButton and self._start(at)
            case QEvent.Type.MouseMove if self.is_active:
                self._move(at)
                return True
            case QEvent.Type.MouseButtonRelease if self.is_active:
                row, target = self.row, self.drop_row
                self.end()
                if target >= 0:
                    self.dropped.emit(row, target - 1 if target > row else target)
                return True
        return False

    def _start(self, at: QPoint) -> bool:
        index = self._table.indexAt(at)
        if not index.isValid() or index.column() != OptionColumn.HANDLE:
            return False
        self.row = index.row()
        self._table.setCurrentIndex(index)
        self._table.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _move(self, at: QPoint) -> None:
        bar, px = self._table.verticalScrollBar(), theme().px
        if at.y() < px(_EDGE):
            bar.setValue(bar.value() - px(ROW) // 2)
        elif at.y() > self._table.viewport().height() - px(_EDGE):
            bar.setValue(bar.value() + px(ROW) // 2)
        gap = round((at.y() + bar.value()) / px(ROW))
        self.drop_row = max(0, min(gap, self._table.model().rowCount()))
        self._table.viewport().update()
