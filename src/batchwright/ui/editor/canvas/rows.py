"""Rows and columns on the canvas: boxes that contain cards, with a drag handle; and the empty page."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import delete
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.nodes import NodePath
from batchwright.ui.editor.canvas.cards import ARROWS, ItemCard
from batchwright.ui.editor.canvas.hit_testing import NodeRect
from batchwright.ui.editor.dnd.drag_source import exceeds_drag_distance
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_circle, draw_dashed, draw_rounded
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.accessibility.accessible_interfaces import (
    Accessible,
    accessible_with,
    emit_state_changed,
)
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState

_MIN_HEIGHT_PX = 280


class EmptyPage(QWidget):
    """The placeholder of an empty page: a dashed box that explains how to add an item."""

    insert_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        insert = Button(_("Insert item"), glyph="plus", keys=_("Ins"))
        insert.clicked.connect(self.insert_requested)
        self._is_target = False
        self._state = EmptyState(
            "layout",
            _("This page is empty"),
            _("Drag an item here, or press Insert to choose one."),
            insert,
        )
        column(self._state, margins=(20, 4, 20, 4), parent=self)
        theme().on_changed(self._update_height)
        self._update_height()

    def _update_height(self) -> None:
        self.setMinimumHeight(theme().px(_MIN_HEIGHT_PX))

    def show_target(self, *, is_target: bool) -> None:
        """Hide the text while the drop indicator covers this box."""
        if is_target != self._is_target:
            self._is_target = is_target
            self._state.setVisible(not is_target)
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_target:
            return
        px = theme().px
        box = self.rect().adjusted(px(16), 0, -px(16), 0)
        draw_dashed(QPainter(self), box, px(10), theme().tokens.border_strong, 1.0, [6, 4])


GAP_PX = 8
MARGIN_PX = 16
_EMPTY_COLUMN_HEIGHT_PX = 56


class DragHandle(QWidget):
    """Dots at the edge of a row or column: a click selects it, and pulling starts a drag."""

    select_requested = Signal(str, bool)
    drag_requested = Signal(str)

    def __init__(self, key: str, parent: QWidget, *, is_upright: bool) -> None:
        super().__init__(parent)
        self.key, self._is_upright = key, is_upright
        self._press_position: QPoint | None = None
        self._is_hovered = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.hide()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = True
        self.update()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press_position = event.position().toPoint()
        self.select_requested.emit(self.key, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if exceeds_drag_distance(event, self._press_position):
            self._press_position = None
            self.drag_requested.emit(self.key)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        radius = min(self.width(), self.height()) / 2
        if not self._is_upright or self._is_hovered:
            draw_rounded(
                painter, self.rect(), radius, tokens.hover, tokens.border_strong if self._is_hovered else None
            )
        middle, apart = QPointF(self.rect().center()) + QPointF(0.5, 0.5), px(4)
        for along in (-apart, 0, apart):
            for across in (-px(1.5), px(1.5)):
                at = QPointF(across, along) if self._is_upright else QPointF(along, across)
                draw_circle(painter, middle + at, 1.1, tokens.text2)


class AccessibleNode(Accessible):
    """The accessibility interface of a row or column: whether it is selected."""

    @override
    def update_state(self, state: QAccessible.State) -> None:
        box = self.widget()
        state.selectable = True
        state.selected = isinstance(box, NodeWidget) and box.is_selected


@accessible_with(AccessibleNode)
class NodeWidget(QFrame):
    """Base class of the boxes for rows and columns. It has the focus while the node is selected."""

    edit_requested = Signal(str)
    """The node with this key is to be edited."""
    arrow_pressed = Signal(str, object)
    """The key of the node and the event of the arrow key, which has the modifiers."""

    def __init__(self, key: str, parent: QWidget | None, *, is_upright: bool) -> None:
        super().__init__(parent)
        self.handle = DragHandle(key, self, is_upright=is_upright)
        self.is_selected = False
        self._shown_path: tuple[str, NodePath] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @property
    def key(self) -> str:
        """The key of the node."""
        return self.handle.key

    @key.setter
    def key(self, key: str) -> None:
        self.handle.key = key

    def show_selected(self, *, is_selected: bool) -> None:
        """Set the state for screen readers; the page paints the outline around the box."""
        if is_selected != self.is_selected:
            self.is_selected = is_selected
            emit_state_changed(self, "selected")

    def show_path(self, type_name: str, path: NodePath) -> None:
        """Set the accessible name: the type of the node and its position."""
        if (type_name, path) == self._shown_path:
            return
        self._shown_path = type_name, path
        self.setAccessibleName(sanitize_line(type_name))
        self.setAccessibleDescription(sanitize(path.label))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.arrow_pressed.emit(self.key, event)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.edit_requested.emit(self.key)
        else:
            super().keyPressEvent(event)


class ColumnWidget(NodeWidget):
    """The cards of a column in a vertical list; the last one fills the remaining height."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(key, parent, is_upright=False)
        self.cards: list[ItemCard] = []
        self._has_handle = False
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        theme().on_changed(self._update_metrics)
        self.handle.setAccessibleName(_("Select column"))
        self.handle.setToolTip(_("Drag to move the column"))

    def activate_layout(self) -> None:
        """Compute the layout of the content immediately."""
        self._layout.activate()

    def show_cards(self, cards: list[ItemCard], *, has_handle: bool) -> None:
        """Show these cards in this order."""
        self._has_handle = has_handle
        if cards == self.cards and _contains_exactly(self._layout, cards):
            return  # setting the same stretch again would compute the layout of the whole page again
        set_widgets(self._layout, list(cards))
        for number in range(self._layout.count()):
            self._layout.setStretch(number, int(number == len(cards) - 1))
        self.cards = cards
        self._update_metrics()
        self.handle.raise_()
        self.update()

    def _update_metrics(self) -> None:
        self._layout.setSpacing(theme().px(GAP_PX))
        self.setMinimumHeight(0 if self.cards else theme().px(_EMPTY_COLUMN_HEIGHT_PX))

    def node_rect(self, ancestor: "QWidget") -> NodeRect:
        """The rectangles of the column and its cards, in coordinates of `ancestor`."""
        cards = tuple(NodeRect(card.node.key, _rect_in(card, ancestor)) for card in self.cards)
        return NodeRect(self.key, _rect_in(self, ancestor), cards)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.handle.setVisible(self._has_handle)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.handle.hide()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        px = theme().px
        self.handle.setGeometry((self.width() - px(30)) // 2, 1, px(30), px(10))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.cards:
            draw_dashed(QPainter(self), self.rect(), theme().px(8), theme().tokens.border_strong, 1.0, [4, 3])


class RowWidget(NodeWidget):
    """The columns of a row, side by side at equal width; the drag handle is in the left margin."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(key, parent, is_upright=True)
        self.columns: list[ColumnWidget] = []
        self._layout = QHBoxLayout(self)
        self.handle.setAccessibleName(_("Select row"))
        self.handle.setToolTip(_("Drag to move the row"))
        theme().on_changed(self._update_metrics)
        self._update_metrics()

    def activate_layout(self) -> None:
        """Compute the layout of the content immediately."""
        self._layout.activate()

    def show_columns(self, columns: list[ColumnWidget]) -> None:
        """Show these columns in this order."""
        if columns == self.columns and _contains_exactly(self._layout, columns):
            return
        set_widgets(self._layout, list(columns))
        for number in range(self._layout.count()):
            self._layout.setStretch(number, 1)
        self.columns = columns

    def shift(self, pixels: int) -> None:
        """Move down by a number of pixels, to open a gap for the indicator above."""
        margin = theme().px(MARGIN_PX)
        self._layout.setContentsMargins(margin, pixels, margin, 0)

    def _update_metrics(self) -> None:
        self._layout.setSpacing(theme().px(GAP_PX))
        self.shift(0)

    def rect_in(self, ancestor: QWidget) -> QRect:
        """The rectangle of the columns, in coordinates of `ancestor`."""
        return QRect(self.mapTo(ancestor, QPoint(0, 0)), self.size()).marginsRemoved(
            self._layout.contentsMargins()
        )

    def node_rect(self, ancestor: QWidget) -> NodeRect:
        """The rectangles of the row and its content, in coordinates of `ancestor`."""
        return NodeRect(
            self.key, self.rect_in(ancestor), tuple(column.node_rect(ancestor) for column in self.columns)
        )

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.handle.show()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.handle.hide()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        px, inner = theme().px, self.contentsRect()
        self.handle.setGeometry(px(2), (inner.height() - px(28)) // 2, px(12), px(28))


def _contains_exactly(layout: QHBoxLayout | QVBoxLayout, widgets: Sequence[QWidget]) -> bool:
    """Whether a layout contains these widgets in this order and no others."""
    return layout.count() == len(widgets) and all(
        layout.indexOf(widget) == number for number, widget in enumerate(widgets)
    )


def set_widgets(layout: QHBoxLayout | QVBoxLayout, widgets: list[QWidget]) -> None:
    """Make a layout contain exactly these widgets, leaving correctly placed ones untouched.

    The positions of all widgets are computed once, when all are inserted. The layout is never asked for an
    item that it keeps: PySide would keep the wrapper after Qt has deleted the item, and use it for the next
    object at the same address.
    """
    layout.setEnabled(False)  # each shown widget would compute them again
    for number, widget in enumerate(widgets):
        if layout.indexOf(widget) == number + 1:
            _remove_at(layout, number)  # it moves further down, or out of the layout
        if layout.indexOf(widget) != number:
            layout.insertWidget(number, widget)
            widget.show()
    while layout.count() > len(widgets):
        _remove_at(layout, len(widgets))
    layout.setEnabled(True)


def _remove_at(layout: QHBoxLayout | QVBoxLayout, number: int) -> None:
    """Take a widget out of a layout and delete its layout item, which PySide does not own.

    A widget reports a changed height to its first layout item only, so a second one would never be notified.
    """
    item = layout.takeAt(number)
    if item is not None:
        delete(item)


def _rect_in(widget: QWidget, ancestor: QWidget) -> QRect:
    return QRect(widget.mapTo(ancestor, QPoint(0, 0)), widget.size())
