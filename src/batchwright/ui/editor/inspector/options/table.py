"""The table view of options or units: edited in place, reordered with keys or the mouse."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.editor.inspector.options.delegate import ROW_HEIGHT_PX, CellNavigation, OptionDelegate
from batchwright.ui.editor.inspector.options.model import COLUMN_ATTRIBUTES, OptionColumn, OptionModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_circle, draw_text
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.tables.models import Index

_SCROLL_EDGE_PX = 14
"""Distance in pixels from the upper or lower edge within which the table scrolls during a drag."""


class OptionRowDrag(QObject):
    """Reorders the rows of a table by their drag handles: the dragged row, and where it would be dropped."""

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
        y = self.drop_row * px(ROW_HEIGHT_PX) - self._table.verticalScrollBar().value()
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
        if at.y() < px(_SCROLL_EDGE_PX):
            bar.setValue(bar.value() - px(ROW_HEIGHT_PX) // 2)
        elif at.y() > self._table.viewport().height() - px(_SCROLL_EDGE_PX):
            bar.setValue(bar.value() + px(ROW_HEIGHT_PX) // 2)
        gap = round((at.y() + bar.value()) / px(ROW_HEIGHT_PX))
        self.drop_row = max(0, min(gap, self._table.model().rowCount()))
        self._table.viewport().update()


_HEADER_HEIGHT_PX = 28
_HANDLE_WIDTH_PX, _VALUE_WIDTH_PX, _REMOVE_WIDTH_PX = 22, 88, 26
_PLAIN_VALUE_WIDTH_PX, _NARROW_VALUE_WIDTH_PX, _WIDE_TABLE_PX = 80, 64, 280
"""Widths in pixels of the value column where no value shows an icon of its type; labels get the space.

`_NARROW_VALUE_WIDTH_PX` applies to tables narrower than `_WIDE_TABLE_PX`.
"""
_MAX_VISIBLE_ROWS = 9

Key = Qt.Key


class OptionTable(QTableView):
    """A table of the options in an `OptionModel`.

    Enter moves down and adds a row at the end, Alt with an arrow key moves a row, Delete removes it, and what
    was copied from a spreadsheet is pasted from the current row on. The handle of a row drags it.
    """

    row_selected = Signal(int)
    """The current row changed; -1 for none."""

    def __init__(self, name: str, model: OptionModel) -> None:
        super().__init__()
        self._options = model
        self._last_edited: tuple[int, OptionColumn, bool] = (-1, OptionColumn.LABEL, False)
        """The cell edited last: its row, its column, and whether it belonged to a draft that was discarded.
        """
        self.setAccessibleName(sanitize_line(name))
        self.setModel(model)
        self._delegate = OptionDelegate(self)
        self._delegate.navigated.connect(self._on_navigated)
        self._drag = OptionRowDrag(self)
        self._drag.dropped.connect(self._drop)
        self._delegate.dragged_row = lambda: self._drag.row if self._drag.drop_row >= 0 else -1
        self.setItemDelegate(self._delegate)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsClickable(False)
        head.setMinimumSectionSize(1)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(OptionColumn.LABEL, QHeaderView.ResizeMode.Stretch)
        model.options_changed.connect(self._update_metrics)
        theme().on_changed(self._update_metrics)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self._update_metrics()

    @property
    def drop_row(self) -> int:
        """The row before which a dragged row would be dropped, or -1 while none is dragged."""
        return self._drag.drop_row

    def edit_cell(self, row: int, column: OptionColumn) -> None:
        """Edit a cell. If its element is not an object and cannot be edited, it only becomes the current
        cell.
        """
        index = self._options.index(row, column)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)
        else:
            self.setFocus()

    def add_option(self) -> None:
        """Edit a new row at the end; it becomes an option when something is typed."""
        self.edit_cell(self._options.start_draft(), OptionColumn.LABEL)

    def _on_navigated(self, navigation: CellNavigation) -> None:
        """Move on from the cell that was edited."""
        row, column, is_discarded = self._last_edited
        last = self._options.rowCount() - 1
        match navigation:
            case CellNavigation.NEXT_OR_NEW_ROW if is_discarded:
                self.setFocus()
            case CellNavigation.NEXT_OR_NEW_ROW if row == last:
                self.add_option()
            case CellNavigation.NEXT_OR_NEW_ROW | CellNavigation.NEXT_ROW:
                self.edit_cell(min(row + 1, last), column)
            case CellNavigation.PREVIOUS_ROW:
                self.edit_cell(max(0, row - 1), column)
            case CellNavigation.NEXT_CELL:
                self._to_next(row, column, last)
            case CellNavigation.PREVIOUS_CELL:
                self._to_previous(row, column)
            case CellNavigation.PASTE:
                self._options.paste(row, QGuiApplication.clipboard().text())
            case CellNavigation.MOVE_UP | CellNavigation.MOVE_DOWN:
                self._move(-1 if navigation is CellNavigation.MOVE_UP else 1)
                self.edit_cell(self.currentIndex().row(), column)

    def _to_next(self, row: int, column: OptionColumn, last: int) -> None:
        if column is OptionColumn.LABEL and row <= last:
            self.edit_cell(row, OptionColumn.VALUE)
        elif row < last:
            self.edit_cell(row + 1, OptionColumn.LABEL)
        else:
            self.focusNextChild()

    def _to_previous(self, row: int, column: OptionColumn) -> None:
        if column is OptionColumn.VALUE:
            self.edit_cell(row, OptionColumn.LABEL)
        elif row > 0:
            self.edit_cell(row - 1, OptionColumn.VALUE)
        else:
            self.focusPreviousChild()

    @override
    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Close the editor. A draft into which nothing was typed is discarded."""
        index = self.indexAt(editor.geometry().center())  # the current cell may already be the next one
        row, column = index.row(), OptionColumn(index.column()) if index.isValid() else OptionColumn.LABEL
        super().closeEditor(editor, hint)
        self._last_edited = row, column, row >= 0 and row == self._options.draft_row
        self._options.discard_draft()
        if name := COLUMN_ATTRIBUTES.get(column):
            self._options.record_visit(row, name)

    def _on_current_changed(self, index: Index) -> None:
        self.row_selected.emit(index.row())

    def _move(self, by: int) -> None:
        row = self.currentIndex().row()
        if row >= 0 and 0 <= row + by < self._options.rowCount():
            self._options.move(row, row + by)
            self.setCurrentIndex(
                self._options.index(row + by, max(OptionColumn.LABEL, self.currentIndex().column()))
            )

    def _remove(self, row: int) -> None:
        self._options.remove(row)
        remaining = self._options.rowCount()
        if remaining:
            self.setCurrentIndex(self._options.index(min(row, remaining - 1), OptionColumn.LABEL))
        self.row_selected.emit(self.currentIndex().row())

    def _update_metrics(self) -> None:
        px = theme().px
        head = self.horizontalHeader()
        head.setFixedHeight(px(_HEADER_HEIGHT_PX))
        has_kinds = any(self._options.kind(row) is not None for row in range(self._options.rowCount()))
        plain = _NARROW_VALUE_WIDTH_PX if self.width() < px(_WIDE_TABLE_PX) else _PLAIN_VALUE_WIDTH_PX
        value = _VALUE_WIDTH_PX if has_kinds else plain
        for column, width in (
            (OptionColumn.HANDLE, _HANDLE_WIDTH_PX),
            (OptionColumn.VALUE, value),
            (OptionColumn.REMOVE, _REMOVE_WIDTH_PX),
        ):
            head.resizeSection(column, px(width))
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT_PX))
        rows = min(max(1, self._options.rowCount()), _MAX_VISIBLE_ROWS)
        self.setFixedHeight(px(_HEADER_HEIGHT_PX) + rows * px(ROW_HEIGHT_PX))
        self.viewport().update()

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_table_shortcut(event)
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._update_metrics()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.currentIndex().isValid() and self._options.rowCount():
            self.setCurrentIndex(
                self._options.index(0, OptionColumn.LABEL)
            )  # Qt would select the first cell, which is a handle
        super().focusInEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, row = event.key(), self.currentIndex().row()
        if self._drag.is_active and key == Key.Key_Escape:
            self._drag.end()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and key in {Key.Key_Up, Key.Key_Down}:
            self._move(-1 if key == Key.Key_Up else 1)
        elif key == Key.Key_Delete:
            self._remove(row)
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._options.paste(row, QGuiApplication.clipboard().text())
        elif key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space} and row >= 0:
            self._press(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _press(self, index: Index) -> None:
        column = OptionColumn(index.column())
        if column is OptionColumn.REMOVE:
            self._remove(index.row())
        else:
            self.edit_cell(index.row(), OptionColumn.LABEL if column is OptionColumn.HANDLE else column)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            column = OptionColumn(index.column())
            if column is OptionColumn.REMOVE:
                self._remove(index.row())
                return
            if not self._has_editor(index):
                super().mousePressEvent(event)
                self.edit_cell(index.row(), column)
                return
        super().mousePressEvent(event)

    def _has_editor(self, index: Index) -> bool:
        return self.indexWidget(index) is not None or self.isPersistentEditorOpen(index)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        column = self.columnAt(at.x())
        shape = {
            OptionColumn.HANDLE: Qt.CursorShape.OpenHandCursor,
            OptionColumn.REMOVE: Qt.CursorShape.PointingHandCursor,
        }.get(OptionColumn(column) if column >= 0 else OptionColumn.LABEL, Qt.CursorShape.IBeamCursor)
        self.viewport().setCursor(shape if self.rowAt(at.y()) >= 0 else Qt.CursorShape.ArrowCursor)
        self.viewport().update()
        super().mouseMoveEvent(event)

    def _drop(self, row: int, to: int) -> None:
        self._options.move(row, to)
        self.setCurrentIndex(self._options.index(to, OptionColumn.LABEL))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme().tokens.surface)
        painter.end()
        super().paintEvent(event)
        self._drag.paint()
        if not self._options.rowCount():
            self._paint_empty()

    def _paint_empty(self) -> None:
        port = self.viewport()
        text = _("None yet: add one, or paste a list.")
        area = port.rect().adjusted(theme().px(12), 0, 0, 0)
        draw_text(QPainter(port), area, text, theme().font(TextRole.SMALL), theme().tokens.text3)


def _is_table_shortcut(event: QKeyEvent) -> bool:
    by_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
    if by_alt:
        return event.key() in {Key.Key_Up, Key.Key_Down}
    if event.matches(QKeySequence.StandardKey.Paste):
        return True
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return plain and event.key() in {Key.Key_Delete, Key.Key_Return, Key.Key_Enter}
