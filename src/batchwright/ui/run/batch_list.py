"""The batches of the workspace, at the left of the Run stage: that of the study first."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.ui.kit.boxes import column
from batchwright.ui.kit.fields import SearchField
from batchwright.ui.kit.panels import Ground
from batchwright.ui.kit.states import EmptyState, LoadingState
from batchwright.ui.kit.statuses import BATCH, Status, paint_pill, pill_size, status_of
from batchwright.ui.run.wording import holds
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded, write
from batchwright.wire.batches import Batch
from batchwright.words import _

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW = 66
_BATCH = Qt.ItemDataRole.UserRole + 1


class _Batches(QAbstractListModel):
    """The batches, for a list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._batches: tuple[Batch, ...] = ()

    def show_batches(self, batches: Sequence[Batch]) -> None:
        if tuple(batches) != self._batches:
            self.beginResetModel()
            self._batches = tuple(batches)
            self.endResetModel()

    def row_of(self, id: str) -> int:
        return next((row for row, batch in enumerate(self._batches) if batch.id == id), -1)

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._batches)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        batch = self._batches[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return batch.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{batch.name}, {_(_status(batch).word)}, {holds(batch)}"
        return batch if role == _BATCH else None


class _Painter(QStyledItemDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, batch = theme().tokens, theme().px, index.data(_BATCH)
        tile = option.rect.adjusted(px(8), px(2), -px(8), -px(2))
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            rounded(painter, tile, px(8), tokens.accent_soft)
        elif state & QStyle.StateFlag.State_MouseOver:
            rounded(painter, tile, px(8), tokens.row_hover)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            rounded(painter, tile, px(8), None, tokens.accent_text, 2)
        inner = tile.adjusted(px(12), px(7), -px(12), -px(7))
        top = QRect(inner.x(), inner.y(), inner.width(), px(20))
        write(painter, top, batch.name, theme().font(Role.NAME), tokens.text)
        status = _status(batch)
        size = pill_size(status)
        pill = QRect(inner.x() - px(2), inner.bottom() - size.height(), size.width(), size.height())
        paint_pill(painter, pill, status)
        right = QRect(pill.right(), pill.y(), inner.right() - pill.right(), pill.height())
        font = theme().font(Role.SMALL, tabular=True)
        write(painter, right, holds(batch), font, tokens.text2, Qt.AlignmentFlag.AlignRight)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(200), theme().px(_ROW))


class BatchList(Ground):
    """Search field and list; `chosen` tells the id of the batch someone looks at."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(_("Batches"))
        self._is_showing = False
        self._batches = _Batches(self)
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(self._batches)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        search = SearchField(_("Search batches"))
        search.textChanged.connect(self._found.setFilterFixedString)
        self._list = self._made_list()
        self._pages = QStackedWidget()
        sentence = _("Batches of the workspace show up here.")
        self._empty, self._loading = EmptyState("stack", _("No batches yet"), sentence), LoadingState(66)
        for page in (self._list, self._empty, self._loading):
            self._pages.addWidget(page)
        head = column(search, margins=(12, 12, 12, 6))
        whole = column(head, gap=0, margins=(0, 0, 1, 0), parent=self)
        whole.addWidget(self._pages, 1)

    def show_batches(self, batches: Sequence[Batch], chosen: str, *, is_loading: bool) -> None:
        """Show the batches, and which of them is looked at."""
        self._batches.show_batches(batches)
        page = self._list if batches else self._loading if is_loading else self._empty
        self._pages.setCurrentWidget(page)
        row = self._batches.row_of(chosen)
        index = self._found.mapFromSource(self._batches.index(row)) if row >= 0 else QModelIndex()
        if index != self._list.currentIndex():
            self._is_showing = True
            self._list.setCurrentIndex(index)
            self._is_showing = False

    def _made_list(self) -> QListView:
        view = QListView()
        view.setAccessibleName(_("Batches"))
        view.setModel(self._found)
        view.setItemDelegate(_Painter(view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.selectionModel().currentChanged.connect(self._tell)
        return view

    def _tell(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_showing:
            self.chosen.emit(index.data(_BATCH).id)


def _status(batch: Batch) -> Status:
    return status_of(BATCH, batch.status)
