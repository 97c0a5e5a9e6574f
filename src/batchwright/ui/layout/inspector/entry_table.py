"""The table of options or units: edited in place, reordered by keys and mouse (look.md 7, option table)."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
)
from typing_extensions import override

from batchwright.ui.layout.inspector.entry_cells import ROW, EntryCells
from batchwright.ui.layout.inspector.entry_model import EntryModel, Index, Part
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import circle

_HEAD = 28
_HANDLE, _VALUE, _REMOVE = 22, 88, 26
_MOST_ROWS = 9

Key = Qt.Key


class EntryTable(QTableView):
    """The entries of an `EntryModel`.

    Enter goes down and makes a new entry at the end, Alt with an arrow moves one, Delete removes it, and
    what was copied from a spreadsheet is pasted from the current row on. The handle moves one by the mouse.
    """

    chosen = Signal(int)
    """Another row is the current one; -1 for none."""

    def __init__(self, name: str, model: EntryModel) -> None:
        super().__init__()
        self._entries = model
        self._dragged = self._landing = -1
        self.setAccessibleName(name)
        self.setModel(model)
        self._cells = EntryCells(self)
        self._cells.went_on.connect(self._go_on)
        self.setItemDelegate(self._cells)
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
        head.setSectionResizeMode(Part.LABEL, QHeaderView.ResizeMode.Stretch)
        model.shown.connect(self._fit)
        theme().follow(self._fit)
        self.selectionModel().currentChanged.connect(self._tell_current)
        self._fit()

    @property
    def landing(self) -> int:
        """Before which row a dragged entry would land; -1 while none is dragged."""
        return self._landing

    def edit_cell(self, row: int, part: Part) -> None:
        """Put the cursor into a cell."""
        index = self._entries.index(row, part)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        self.edit(index)

    def add_entry(self) -> None:
        """Add an entry at the end and begin to write its label."""
        self._entries.add()
        self.edit_cell(self._entries.rowCount() - 1, Part.LABEL)

    def _go_on(self, key: int) -> None:
        """Go on from the cell that was edited: Enter down, Tab to the right, Shift+Tab back."""
        index = self.currentIndex()
        row, part = index.row(), Part(index.column())
        last = self._entries.rowCount() - 1
        if key in {Key.Key_Return, Key.Key_Enter}:
            if row == last:
                self.add_entry()
            else:
                self.edit_cell(row + 1, part)
        elif key == Key.Key_Tab:
            self._to_next(row, part, last)
        elif part is Part.VALUE:
            self.edit_cell(row, Part.LABEL)
        elif row > 0:
            self.edit_cell(row - 1, Part.VALUE)
        else:
            self.focusPreviousChild()

    def _to_next(self, row: int, part: Part, last: int) -> None:
        if part is Part.LABEL:
            self.edit_cell(row, Part.VALUE)
        elif row < last:
            self.edit_cell(row + 1, Part.LABEL)
        else:
            self.focusNextChild()

    def _tell_current(self, index: Index) -> None:
        self.chosen.emit(index.row())

    def _move(self, by: int) -> None:
        row = self.currentIndex().row()
        if row >= 0 and 0 <= row + by < self._entries.rowCount():
            self._entries.move(row, row + by)
            self.setCurrentIndex(self._entries.index(row + by, max(Part.LABEL, self.currentIndex().column())))

    def _remove(self, row: int) -> None:
        self._entries.remove(row)
        left = self._entries.rowCount()
        if left:
            self.setCurrentIndex(self._entries.index(min(row, left - 1), Part.LABEL))
        self.chosen.emit(self.currentIndex().row())

    def _fit(self) -> None:
        px = theme().px
        head = self.horizontalHeader()
        head.setFixedHeight(px(_HEAD))
        for part, width in ((Part.HANDLE, _HANDLE), (Part.VALUE, _VALUE), (Part.REMOVE, _REMOVE)):
            head.resizeSection(part, px(width))
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        rows = min(self._entries.rowCount(), _MOST_ROWS)
        self.setFixedHeight(px(_HEAD) + rows * px(ROW))
        self.viewport().update()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_ours(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._entries.rowCount():
            self.setCurrentIndex(self._entries.index(0, Part.LABEL))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, row = event.key(), self.currentIndex().row()
        if self._dragged >= 0 and key == Key.Key_Escape:
            self._end_drag()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and key in {Key.Key_Up, Key.Key_Down}:
            self._move(-1 if key == Key.Key_Up else 1)
        elif key == Key.Key_Delete:
            self._remove(row)
        elif event.matches(QKeySequence.StandardKey.Paste):
            self._entries.paste(row, QGuiApplication.clipboard().text())
        elif key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space} and row >= 0:
            self._press(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _press(self, index: Index) -> None:
        part = Part(index.column())
        if part is Part.REMOVE:
            self._remove(index.row())
        else:
            self.edit_cell(index.row(), Part.LABEL if part is Part.HANDLE else part)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            part = Part(index.column())
            if part is Part.HANDLE:
                self._dragged = index.row()
                self.setCurrentIndex(index)
                return
            if part is Part.REMOVE:
                self._remove(index.row())
                return
            if not self._has_editor(index):
                super().mousePressEvent(event)
                self.edit_cell(index.row(), part)
                return
        super().mousePressEvent(event)

    def _has_editor(self, index: Index) -> bool:
        return self.indexWidget(index) is not None or self.isPersistentEditorOpen(index)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._dragged >= 0:
            landing = self._gap_at(at)
            if landing != self._landing:
                self._landing, self._cells.dragged = landing, self._dragged
                self.viewport().update()
            return
        part = self.columnAt(at.x())
        shape = {
            Part.HANDLE: Qt.CursorShape.OpenHandCursor,
            Part.REMOVE: Qt.CursorShape.PointingHandCursor,
        }.get(Part(part) if part >= 0 else Part.LABEL, Qt.CursorShape.IBeamCursor)
        self.viewport().setCursor(shape if self.rowAt(at.y()) >= 0 else Qt.CursorShape.ArrowCursor)
        self.viewport().update()
        super().mouseMoveEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row, landing = self._dragged, self._landing
        self._end_drag()
        if row >= 0 and landing >= 0:
            to = landing - 1 if landing > row else landing
            self._entries.move(row, to)
            self.setCurrentIndex(self._entries.index(to, Part.LABEL))
            return
        super().mouseReleaseEvent(event)

    def _end_drag(self) -> None:
        self._dragged = self._landing = self._cells.dragged = -1
        self.viewport().update()

    def _gap_at(self, at: QPoint) -> int:
        height = theme().px(ROW)
        gap = round((at.y() + self.verticalOffset()) / height)
        return max(0, min(gap, self._entries.rowCount()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme().tokens.surface)
        painter.end()
        super().paintEvent(event)
        if self._landing >= 0:
            self._paint_landing()

    def _paint_landing(self) -> None:
        painter, tokens, px = QPainter(self.viewport()), theme().tokens, theme().px
        y = self._landing * px(ROW) - self.verticalOffset()
        y = max(2, min(y, self.viewport().height() - 2))
        left, right = px(8), self.viewport().width() - px(8)
        painter.fillRect(left, y - 1, right - left, 3, tokens.accent_text)
        for x in (left, right):
            circle(painter, QPoint(x, y).toPointF(), px(4), tokens.surface, tokens.accent_text, 2)


def _is_ours(event: QKeyEvent) -> bool:
    by_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
    if by_alt:
        return event.key() in {Key.Key_Up, Key.Key_Down}
    if event.matches(QKeySequence.StandardKey.Paste):
        return True
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return plain and event.key() in {Key.Key_Delete, Key.Key_Return, Key.Key_Enter}
