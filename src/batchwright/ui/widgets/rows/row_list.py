"""A list of rows, which are painted and read out from `ListRow` values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QToolTip, QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.rows.delegate import ROW_ROLE, RowDelegate
from batchwright.ui.widgets.rows.geometry import RowGeometry, row_height
from batchwright.ui.widgets.rows.values import ListRow, RowLook, RowStyle
from batchwright.ui.widgets.tables.models import TableModel

T = TypeVar("T")

_BATCH_ROWS, _UNIFORM_BATCH_ROWS = 30, 500
"""Number of rows that are laid out at a time, which takes up to 10 ms."""


class RowListModel(TableModel, Generic[T]):
    """The entries of a list. Their rows are created when they are painted or read out."""

    def __init__(self, row_of: Callable[[T], ListRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: Sequence[T] = ()
        self._row_of = row_of

    def show_entries(self, entries: Sequence[T]) -> None:
        """Replace the entries."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def row(self, number: int) -> ListRow:
        """The row of an entry."""
        return self._row_of(self.entries[number])

    @override
    def row_count(self) -> int:
        return len(self.entries)

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        shown = self.row(row)
        if shown.is_heading:
            return Qt.ItemFlag.NoItemFlags
        checkable = (
            Qt.ItemFlag.ItemIsUserCheckable if shown.is_checked is not None else Qt.ItemFlag.NoItemFlags
        )
        return super().cell_flags(row, column) | checkable

    @override
    def value(self, row: int, column: int, role: int) -> object:
        shown = self.row(row)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return shown.spoken
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return shown.spoken_description or None
            case Qt.ItemDataRole.CheckStateRole if shown.is_checked is not None:
                return Qt.CheckState.Checked if shown.is_checked else Qt.CheckState.Unchecked
        return shown if role == ROW_ROLE else None


class RowList(QListView, Generic[T]):
    """A list of entries, each shown as a row.

    Args:
        name: the accessible name.
        row_of: returns the row of an entry; called whenever it is painted, measured or read out.
        style: the look of the rows.
        is_uniform: whether all rows have the same height.
        max_height: the list is as tall as its rows up to this height, in pixels at 100 %; None if it fills
            the available space.
        min_height: the height to which it can be made smaller; by default, it is not.
        keys: what shortcuts do with the current entry while the list has the focus.
    """

    entry_chosen = Signal(object)
    """The user has made an entry the selected one, or has clicked the selected one."""
    entry_activated = Signal(object)
    """Enter or a double click."""
    button_clicked = Signal(object)
    check_clicked = Signal(object)
    """A click on the check box, or Space."""
    side_chosen = Signal(object, int)
    """A click on the left side (0) or the right side (1), or an arrow key."""

    def __init__(
        self,
        name: str,
        row_of: Callable[[T], ListRow],
        style: RowStyle,
        *,
        is_uniform: bool = False,
        max_height: int | None = None,
        min_height: int | None = None,
        keys: Mapping[str, Callable[[T], object]] | None = None,
    ) -> None:
        super().__init__()
        self._rows, self._style = RowListModel(row_of, self), style
        self._heights = (max_height if min_height is None else min_height, max_height)
        self._keys = {QKeySequence(shortcut): action for shortcut, action in (keys or {}).items()}
        self._is_showing = self._is_revealing = False
        self.preferred_height = 0
        """The height without scrolling, up to the maximum, in pixels."""
        self.setModel(self._rows)
        self.setItemDelegate(RowDelegate(style, self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(is_uniform)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_UNIFORM_BATCH_ROWS if is_uniform else _BATCH_ROWS)
        if not is_uniform:
            self.setResizeMode(QListView.ResizeMode.Adjust)
        if style.look is RowLook.PLAIN:
            self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._reveal)
        theme().on_changed(self._update_height)

    @property
    def entries(self) -> Sequence[T]:
        """The entries."""
        return self._rows.entries

    @property
    def current_entry(self) -> T | None:
        """The entry of the current row."""
        number = self.currentIndex().row()
        return self.entries[number] if 0 <= number < len(self.entries) else None

    def show_entries(self, entries: Sequence[T]) -> None:
        """Replace the entries. The same row number stays current."""
        number = self.currentIndex().row()
        self._rows.show_entries(entries)
        self._update_height()
        if number >= 0 and entries:
            self.show_current(min(number, len(entries) - 1))

    def refresh(self) -> None:
        """Show the same entries again, after something else that their rows show has changed."""
        if self.entries:
            self._rows.dataChanged.emit(self._rows.index(0, 0), self._rows.index(len(self.entries) - 1, 0))

    def show_current(self, number: int) -> None:
        """Make a row the current one and scroll to it; a negative number selects none."""
        self._is_showing, self._is_revealing = True, number >= 0
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self._rows.index(number, 0), select)
        self._is_showing = False
        self._reveal()

    def area(self, number: int) -> RowGeometry:
        """Where the parts of a row are in the viewport."""
        return RowGeometry(self._rows.row(number), self.visualRect(self._rows.index(number, 0)), self._style)

    @override
    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return size if self._heights[1] is None else QSize(size.width(), self.preferred_height)

    def _update_height(self) -> None:
        """Fit the height to the rows."""
        minimum, maximum = self._heights
        if minimum is not None and maximum is not None:
            limit, height, width = theme().px(maximum), 0, self.viewport().width()
            for number in range(len(self.entries)):
                height += row_height(self._rows.row(number), width, self._style)
                if height >= limit:
                    break
            preferred = min(height, limit)
            if preferred != self.preferred_height:
                self.preferred_height = preferred
                self.setMinimumHeight(min(preferred, theme().px(minimum)))
                self.setMaximumHeight(preferred)
                self.updateGeometry()
        self.scheduleDelayedItemsLayout()

    def _reveal(self) -> None:
        """Scroll to the current row; rows that are not laid out yet have no place."""
        current = self.currentIndex()
        if self._is_revealing and current.isValid():
            self.scrollTo(current)
            self._is_revealing = self.visualRect(current).isEmpty()

    def _at(self, point: QPoint) -> tuple[T, RowGeometry] | None:
        """The entry at a point and where the parts of its row are."""
        number = self.indexAt(point).row()
        return (self.entries[number], self.area(number)) if number >= 0 else None

    def _action_of(self, event: QKeyEvent) -> Callable[[T], object] | None:
        """What a key press does with the current entry."""
        number = self.currentIndex().row()
        row = self._rows.row(number) if 0 <= number < len(self.entries) else ListRow()
        if event.key() == Qt.Key.Key_Space and row.is_checked is not None:
            return self.check_clicked.emit
        if row.sides is not None and row.sides.is_choice:
            match event.key():
                case Qt.Key.Key_Left:
                    return lambda entry: self.side_chosen.emit(entry, 0)
                case Qt.Key.Key_Right:
                    return lambda entry: self.side_chosen.emit(entry, 1)
        return self._keys.get(QKeySequence(event.keyCombination()))

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        indexes = selected.indexes()
        # Not `currentChanged`: a list that gets the focus makes its first row the current one.
        if indexes and not self._is_showing:
            self.entry_chosen.emit(self.entries[indexes[0].row()])

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        clicked = self._at(point)
        if event.button() is not Qt.MouseButton.LeftButton or clicked is None:
            return
        entry, area = clicked
        if area.button.contains(point):
            self.button_clicked.emit(entry)
        elif area.check.contains(point):
            self.check_clicked.emit(entry)
        else:
            was_selected = self.selectionModel().isSelected(self.indexAt(point))
            super().mousePressEvent(event)
            side = area.side_at(point)
            if side is not None:
                self.side_chosen.emit(entry, side)
            elif was_selected:
                self.entry_chosen.emit(entry)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        clicked = self._at(point)
        if event.button() is not Qt.MouseButton.LeftButton or clicked is None:
            return
        entry, area = clicked
        if area.check.contains(point):
            self.check_clicked.emit(entry)
        elif not area.button.contains(point):
            self.entry_activated.emit(entry)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Update what is under the pointer. Dragging selects nothing: a click may move by some pixels."""
        if not event.buttons():
            super().mouseMoveEvent(event)
        self.update(self.indexAt(event.position().toPoint()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        entry, action = self.current_entry, self._action_of(event)
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()  # the button of a dialog may be meant
            if entry is not None:
                self.entry_activated.emit(entry)
        elif action is None:
            super().keyPressEvent(event)
        elif entry is not None:
            action(entry)

    @override
    def event(self, event: QEvent) -> bool:
        is_shortcut = event.type() is QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and self._action_of(event) is not None:
            event.accept()
            return True
        return super().event(event)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        """Show the whole text of a row that is cut off as its tooltip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            found = self._at(event.pos())
            text = found[1].row.spoken if found is not None and found[1].is_cut else ""
            QToolTip.showText(event.globalPos(), tooltip_text(text), self)
            return True
        return super().viewportEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and not self.uniformItemSizes():
            self._update_height()
