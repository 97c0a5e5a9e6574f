"""The outline view: the layout as a tree, in place of the palette. It accepts drops on and between rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    Qt,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, ObjectNode
from batchwright.layout.rules.problems import Problem
from batchwright.schema.model import Schema
from batchwright.ui.editor.canvas.drop_indicator import paint_hint, paint_indicator
from batchwright.ui.editor.canvas.hit_testing import DropIndicatorGeometry, IndicatorShape
from batchwright.ui.editor.core.problem_signs import SEVERITY_ICONS
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.autoscroll import AutoScroll
from batchwright.ui.editor.dnd.drag_image import image_rect
from batchwright.ui.editor.dnd.drop_target import DropTarget
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.outline.model import OutlineModel, OutlineNode
from batchwright.ui.theme import theme
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.tables.models import CellDelegate, Index

_EDGE_FRACTION = 0.3
"""Fraction of the height at the top and bottom of a container's row that means before and after it."""


class Side(Enum):
    """The side of an insertion point, relative to the row under the pointer."""

    BEFORE = auto()
    INSIDE = auto()
    AFTER = auto()


@dataclass(frozen=True)
class OutlineDropPosition:
    """An insertion point, and the side of the row on which it is drawn."""

    insertion_point: InsertionPoint
    side: Side


def drop_position(node: OutlineNode, fraction: float, level: Level, *, is_open: bool) -> OutlineDropPosition:
    """The drop position for a payload of a level.

    `fraction` is the vertical position as a fraction of the row height; `is_open` is set if the children are
    shown. On rows of deeper levels, the insertion point is after their ancestor at the level of the payload.
    """
    if _level(node) > level:
        ancestor = node
        while ancestor.parent is not None and _level(ancestor) > level:
            ancestor = ancestor.parent
        return OutlineDropPosition(_insertion_point_after(ancestor, 1), Side.AFTER)
    can_contain = _level(node) < level and isinstance(node.node, ObjectNode) and _level(node) < Level.ITEM
    edge = _EDGE_FRACTION if can_contain else 0.5
    if fraction < edge:
        return OutlineDropPosition(_insertion_point_after(node, 0), Side.BEFORE)
    if fraction <= 1 - edge and can_contain:
        return OutlineDropPosition(InsertionPoint(node.node.key, len(node.node.children)), Side.INSIDE)
    if is_open and can_contain:
        return OutlineDropPosition(InsertionPoint(node.node.key, 0), Side.AFTER)
    return OutlineDropPosition(_insertion_point_after(node, 1), Side.AFTER)


def _insertion_point_after(node: OutlineNode, offset: int) -> InsertionPoint:
    parent = node.parent
    return InsertionPoint(None if parent is None else parent.node.key, node.index + offset)


def _level(node: OutlineNode) -> Level:
    """The depth of a node in the tree, which is its level even if the node is invalid."""
    depth = 0
    while node.parent is not None:
        node, depth = node.parent, depth + 1
    return Level(depth)


_INDENT_PX = 16
_SCROLL_EDGE_PX = 32
_EXPAND_DELAY_MS = 600
"""Milliseconds for which a drag hovers over a collapsed page or row until it expands."""


class _OutlineDelegate(CellDelegate):
    """Paints the severity of problems at the right end of a row."""

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, px = index.model(), theme().px
        node = model.node(index) if isinstance(model, OutlineModel) else None
        worst = (
            model.worst_severity(node.node) if isinstance(model, OutlineModel) and node is not None else None
        )
        if worst is None:
            super().paint_cell(painter, option, index)
            return
        box = QRect(option.rect)
        option.rect = box.adjusted(0, 0, -px(24), 0)
        super().paint_cell(painter, option, index)
        glyph, tone = SEVERITY_ICONS[worst]
        sign_rect = QRect(box.right() - px(20), box.center().y() - px(7), px(15), px(15))
        draw_glyph(painter, glyph, sign_rect, theme().tokens.get(tone), px(15))


class Outline(QTreeView):
    """The tree view; its selection is synchronized with that of the editor."""

    nodes_selected = Signal(list)
    """The keys of the selected nodes; the one with the focus is last."""
    drag_requested = Signal(str)
    edit_requested = Signal(str)
    """Enter: the node with this key is to be edited."""

    def __init__(self, state: EditorState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drop_target = DropTarget(state, self.viewport(), self._insertion_point_at)
        self._model = OutlineModel()
        self._is_refreshing = False
        self._indicator: DropIndicatorGeometry | None = None
        self._pointer = QPoint()
        self.setModel(self._model)
        self.setItemDelegate(_OutlineDelegate(self))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Outline"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setIndentation(_INDENT_PX)
        self._autoscroll = AutoScroll(self, _SCROLL_EDGE_PX, self._on_scrolled)
        self._expand_timer = QTimer(self)
        self._expand_timer.setSingleShot(True)
        self._expand_timer.setInterval(_EXPAND_DELAY_MS)
        self._expand_timer.timeout.connect(self._expand_hovered)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)

    def show_layout(self, layout: Layout, schema: Schema | None, selected: Sequence[str]) -> None:
        """Show a layout, expanded to the selected nodes."""
        self._is_refreshing = True
        expanded_keys = self._open_keys()
        if self._model.show_layout(layout, schema):
            for key in expanded_keys:
                self.expand(self._model.index_of(key))
        self._select(selected)
        self._is_refreshing = False

    def show_names_and_problems(
        self, names: Mapping[str, str], problems: Mapping[str, Sequence[Problem]]
    ) -> None:
        """Show the names of pages and the problems."""
        self._model.show_names_and_problems(names, problems)
        self.viewport().update()

    def selected_keys(self) -> frozenset[str]:
        """The keys of the nodes that are shown as selected."""
        keys = map(self._model.key_at, self.selectedIndexes())
        return frozenset(key for key in keys if key is not None)

    def _select(self, keys: Sequence[str]) -> None:
        indexes = [index for key in keys if (index := self._model.index_of(key)).isValid()]
        if self.selected_keys() == frozenset(keys):
            return
        item_selection = QItemSelection()
        for index in indexes:
            item_selection.select(index, index)
        selection, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        selection.select(item_selection, flags.ClearAndSelect)
        for index in indexes[-1:]:
            self.expand(index)
            selection.setCurrentIndex(index, flags.NoUpdate)
            self.scrollTo(index)

    def _open_keys(self) -> list[str]:
        """The keys of the expanded nodes, parents first."""
        keys: list[str] = []
        waiting = [self._model.index(row, 0) for row in range(self._model.rowCount())]
        while waiting:
            index = waiting.pop(0)
            key = self._model.key_at(index)
            if self.isExpanded(index) and key is not None:
                keys.append(key)
                waiting += [self._model.index(row, 0, index) for row in range(self._model.rowCount(index))]
        return keys

    def _on_selection_changed(self) -> None:
        if self._is_refreshing:
            return
        current, selection = self.currentIndex(), self.selectedIndexes()
        last = current if current in selection or not selection else selection[-1]
        keys = [
            self._model.key_at(index)
            for index in (*(other_index for other_index in selection if other_index != last), last)
        ]
        self.nodes_selected.emit([key for key in keys if key is not None])

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self._model.key_at(self.currentIndex())
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and key is not None:
            self.edit_requested.emit(key)
        else:
            super().keyPressEvent(event)

    # Mouse and drag events

    @override
    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        key = self._model.key_at(self.currentIndex())
        if key is not None:
            self.drag_requested.emit(key)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drop_target.enter(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._pointer = event.position().toPoint()
        self.drop_target.move(event)
        self._autoscroll.refresh()
        self._expand_timer.start()
        self.viewport().update()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_target.drop(event)
        self._end_drag()

    def _end_drag(self) -> None:
        self._autoscroll.stop()
        self._expand_timer.stop()
        self.drop_target.leave()
        self._indicator = None
        self.viewport().update()

    def _on_scrolled(self, point: QPoint, copies: bool) -> None:
        self._pointer = point
        self.drop_target.preview_at(point, copies=copies)
        self.viewport().update()

    def _expand_hovered(self) -> None:
        index = self.indexAt(self._pointer)
        if (
            self._indicator is not None
            and self._indicator.shape is IndicatorShape.BOX
            and not self.isExpanded(index)
        ):
            self.expand(index)

    def _insertion_point_at(self, point: QPoint, payload: DragPayload) -> InsertionPoint | None:
        index = self.indexAt(point)
        if not index.isValid():
            index = self._last_index()
        node = self._model.node(index)
        if node is None:
            self._indicator = None
            return None
        rect = self.visualRect(index)
        fraction = (point.y() - rect.top()) / max(1, rect.height())
        position = drop_position(node, fraction, payload.level, is_open=self.isExpanded(index))
        self._indicator = self._indicator_for(position.insertion_point, index, position.side)
        return position.insertion_point

    def _last_index(self) -> QModelIndex:
        """The index of the lowest visible row."""
        index = self._model.index(self._model.rowCount() - 1, 0)
        while self.isExpanded(index) and self._model.rowCount(index):
            index = self._model.index(self._model.rowCount(index) - 1, 0, index)
        return index

    def _indicator_for(
        self, insertion_point: InsertionPoint, index: QModelIndex, side: Side
    ) -> DropIndicatorGeometry:
        row, width = self.visualRect(index), self.viewport().width()
        if side is Side.INSIDE:
            return DropIndicatorGeometry(
                insertion_point,
                IndicatorShape.BOX,
                QRect(row.left(), row.top(), width - row.left(), row.height()),
            )
        parent_index = (
            self._model.index_of(insertion_point.parent)
            if insertion_point.parent is not None
            else QModelIndex()
        )
        left = self.visualRect(parent_index).left() + _INDENT_PX if parent_index.isValid() else 0
        y = row.top() if side is Side.BEFORE else row.bottom() + 1
        return DropIndicatorGeometry(
            insertion_point, IndicatorShape.HORIZONTAL_LINE, QRect(left, y, width - left, 0)
        )

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        preview = self.drop_target.preview
        if preview is None or preview.edit is None or self._indicator is None:
            return
        painter, within = QPainter(self.viewport()), self.viewport().rect()
        paint_indicator(painter, self._indicator)
        at_right = QPointF(within.right(), self._indicator.rect.center().y())
        paint_hint(painter, at_right, preview.hint, within, image_rect(self._pointer))
