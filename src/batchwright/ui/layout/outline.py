"""The outline: the whole layout as a tree, beside the canvas on the same document (design.md D5)."""

from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QWidget
from typing_extensions import override

from batchwright.layout.entries import Entry, Level, Shaped
from batchwright.layout.model import Layout
from batchwright.records.schema import Schema
from batchwright.ui.icons import icon
from batchwright.ui.layout.kinds import kind_of, name_of
from batchwright.words import _

Index = QModelIndex | QPersistentModelIndex


@dataclass(eq=False)
class _Node:
    """An entry with its place among its siblings; what is inside it is looked up when asked for."""

    entry: Entry
    number: int
    outer: "_Node | None" = None
    _inside: list["_Node"] | None = field(default=None, repr=False)

    @property
    def inside(self) -> list["_Node"]:
        if self._inside is None:
            self._inside = [_Node(entry, number, self) for number, entry in enumerate(self.entry.inside)]
        return self._inside


class OutlineModel(QAbstractItemModel):
    """Pages, rows, columns and items."""

    def __init__(self) -> None:
        super().__init__()
        self._layout, self._schema = Layout(), None
        self._pages: list[_Node] = []

    def show_layout(self, layout: Layout, schema: Schema | None) -> bool:
        """Show another layout; False when it is the one shown already."""
        if layout is self._layout and schema is self._schema:
            return False
        self.beginResetModel()
        self._layout, self._schema = layout, schema
        self._pages = [_Node(page, number) for number, page in enumerate(layout.pages)]
        self.endResetModel()
        return True

    _schema: Schema | None

    def index_of(self, key: str) -> QModelIndex:
        """Where an entry is; invalid when it is not there."""
        place = self._layout.places((key,)).get(key)
        index = QModelIndex()
        for number in () if place is None else place.path:
            index = self.index(number, 0, index)
        return index

    def key_at(self, index: Index) -> str | None:
        """The key of what is shown at an index."""
        node = self._node(index)
        return None if node is None else node.entry.key

    @override
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's own
        nodes = self._inside(parent)
        return self.createIndex(row, column, nodes[row]) if 0 <= row < len(nodes) else QModelIndex()

    @override
    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]  # Qt has a second one without arguments
        node = self._node(child)
        outer = node.outer if node is not None else None
        return QModelIndex() if outer is None else self.createIndex(outer.number, 0, outer)

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return len(self._inside(parent))

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 1

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self._node(index)
        if node is None:
            return None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            entry = node.entry
            is_numbered = isinstance(entry, Shaped) and entry.level is not Level.ITEM
            return f"{kind_of(entry).title} {node.number + 1}" if is_numbered else name_of(entry)
        if role == Qt.ItemDataRole.DecorationRole:
            kind = kind_of(node.entry, self._schema)
            return icon(kind.glyph, kind.family)
        return None

    def _inside(self, parent: Index) -> list[_Node]:
        node = self._node(parent)
        return self._pages if node is None else node.inside

    def _node(self, index: Index) -> _Node | None:
        node = index.internalPointer() if index.isValid() else None
        return node if isinstance(node, _Node) else None


class Outline(QTreeView):
    """The tree; what is chosen in it is selected, and the other way round."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = OutlineModel()
        self._is_showing = False
        self.setModel(self._model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Outline"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setIndentation(16)
        self.selectionModel().currentChanged.connect(self._tell)

    def show_layout(self, layout: Layout, schema: Schema | None, chosen: str | None) -> None:
        """Show a layout, open at what is selected."""
        self._is_showing = True
        open_ones = self._open_keys()
        if self._model.show_layout(layout, schema):
            for key in open_ones:
                self.expand(self._model.index_of(key))
        index = self._model.index_of(chosen) if chosen is not None else QModelIndex()
        if index.isValid():
            self.expand(index)
            select = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(index, select)
            self.scrollTo(index)
        self._is_showing = False

    def _open_keys(self) -> list[str]:
        """What is expanded, outer before inner."""
        found: list[str] = []
        waiting = [self._model.index(row, 0) for row in range(self._model.rowCount())]
        while waiting:
            index = waiting.pop(0)
            key = self._model.key_at(index)
            if self.isExpanded(index) and key is not None:
                found.append(key)
                waiting += [self._model.index(row, 0, index) for row in range(self._model.rowCount(index))]
        return found

    def _tell(self, current: QModelIndex) -> None:
        key = self._model.key_at(current)
        if key is not None and not self._is_showing:
            self.chosen.emit(key)
