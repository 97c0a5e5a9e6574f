"""A row of the palette: icon and title of an item; it can be dragged or clicked."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.editor.dnd.drag_source import exceeds_drag_distance
from batchwright.ui.editor.palette_model import PaletteItem
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_dashed, draw_rounded, draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.text import show_literal

_HEIGHT = 36


class PaletteRow(QAbstractButton):
    """A palette item: dragging it starts a drag, clicking it adds the item."""

    drag_requested = Signal(object)

    def __init__(self, item: PaletteItem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item = item
        self._press: QPoint | None = None
        self._is_dragged = self._is_narrow = False
        self.setProperty(RING, 7)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)
        self.show_item(item)

    def show_item(self, item: PaletteItem) -> None:
        """Show the same item with another note on where it is used."""
        self.item = item
        show_literal(self, item.label.title)
        self.setAccessibleDescription(sanitize(item.usage))
        self._refresh()
        self.update()

    def show_narrow(self, *, is_narrow: bool) -> None:
        """Show only the icon; the tooltip has the title."""
        self._is_narrow = is_narrow
        self._refresh()
        self.updateGeometry()

    def _refresh(self) -> None:
        hint = _("Drag it onto the page, or click to add it")
        self.setToolTip(tooltip_text(f"{self.item.label.title}\n{hint}" if self._is_narrow else hint))

    def show_dragged(self, *, is_dragged: bool) -> None:
        """Show whether the row is being dragged."""
        self._is_dragged = is_dragged
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(40 if self._is_narrow else 180), theme().px(_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(26 if self._is_narrow else 40), theme().px(_HEIGHT))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._press = event.position().toPoint()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, self._press = self._press, None
        if press is not None and self.rect().contains(event.position().toPoint()):
            self.click()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignored: the first click has added the item, and a double click is meant to add it once."""

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if exceeds_drag_distance(event, self._press):
            self._press = None
            self.drag_requested.emit(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        label, box = self.item.label, self.rect().adjusted(theme().px(8), 0, -theme().px(8), 0)
        if self._is_dragged:
            draw_dashed(painter, self.rect().adjusted(1, 1, -1, -1), px(7), tokens.border_strong, 1.0, [4, 3])
            painter.setOpacity(0.4)
        elif self.underMouse() or self.isDown():
            draw_rounded(painter, self.rect(), px(7), tokens.hover)
        if (self.underMouse() or self.isDown()) and not self._is_narrow:
            handle = QRect(box.right() - px(12), 0, px(16), self.height())
            draw_glyph(painter, "dots-six-vertical-bold", handle, tokens.text2, px(16))
            box.adjust(0, 0, -px(18), 0)
        left = (self.width() - px(24)) // 2 if self._is_narrow else box.left()
        tile = QRect(left, (self.height() - px(24)) // 2, px(24), px(24))
        draw_rounded(painter, tile, px(6), tokens.get(SOFT[label.family]))
        draw_glyph(painter, label.glyph, tile, tokens.get(label.family), px(16))
        if not self._is_narrow:
            self._paint_text(painter, box, tile)

    def _paint_text(self, painter: QPainter, box: QRect, tile: QRect) -> None:
        tokens, px = theme().tokens, theme().px
        note = theme().font(TextRole.CAPTION)
        painter.setFont(note)
        usage_width = painter.fontMetrics().horizontalAdvance(self.item.usage)
        draw_text(painter, box, self.item.usage, note, tokens.text3, Qt.AlignmentFlag.AlignRight)
        text_rect = QRect(
            tile.right() + px(9), 0, box.right() - tile.right() - px(9) - usage_width - px(6), self.height()
        )
        tone = tokens.text3 if self.item.is_on_page else tokens.text
        draw_text(painter, text_rect, self.item.label.title, theme().font(TextRole.BODY), tone)
