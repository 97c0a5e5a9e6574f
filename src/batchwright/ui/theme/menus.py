"""Painting of menus and the menu bar."""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon, QPainter, QRegion
from PySide6.QtWidgets import QStyle, QStyleOption, QStyleOptionMenuItem, QWidget
from typing_extensions import override

from batchwright.ui.theme.drawing import draw_rounded, draw_text, rounded_path
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.theme import Theme
from batchwright.ui.theme.typography import TextRole

BAR_HEIGHT = 28
_ITEM = 30
_LEADING = 36
_TRAILING = 16
_BETWEEN = 32
_SEPARATOR = 9
_RADIUS = 8
State = QStyle.StateFlag
Kind = QStyleOptionMenuItem.MenuItemType


class MenuCornerMask(QObject):
    """Masks the corners of a menu on platforms where it cannot be translucent."""

    def __init__(self, menu: QWidget, theme: Theme) -> None:
        super().__init__(menu)
        self._theme = theme
        menu.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the mask when the size changes."""
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            outline = rounded_path(QRectF(watched.rect()), self._theme.px(_RADIUS))
            watched.setMask(QRegion(outline.toFillPolygon().toPolygon()))
        return False


def paint_menu(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the background of a menu."""
    draw_rounded(painter, option.rect, theme.px(_RADIUS), theme.tokens.surface, theme.tokens.border)


def paint_item(
    theme: Theme, option: QStyleOptionMenuItem, painter: QPainter, _widget: QWidget | None
) -> None:
    """Paint a menu item: check mark or icon, text, shortcut, and a caret for a submenu."""
    tokens, box = theme.tokens, option.rect
    if option.menuItemType is Kind.Separator:
        painter.fillRect(box.x() + 8, box.center().y(), box.width() - 16, 1, tokens.border)
        return
    enabled = bool(option.state & State.State_Enabled)
    if enabled and option.state & State.State_Selected:
        draw_rounded(painter, box.adjusted(4, 0, -4, 0), theme.px(5), tokens.hover)
    colour, hint = (tokens.text, tokens.text3) if enabled else (tokens.disabled, tokens.disabled)
    _paint_icon(theme, option, painter, enabled=enabled)
    text, _tab, keys = option.text.partition("\t")
    text_box = box.adjusted(theme.px(_LEADING), 0, -theme.px(_TRAILING), 0)
    painter.setFont(theme.font(TextRole.SMALL))
    painter.setPen(colour)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic
    painter.drawText(text_box, int(flags), text)
    if option.menuItemType is Kind.SubMenu:
        size = theme.px(12)
        draw_glyph(
            painter, "caret-right-bold", QRect(text_box.right() - 4, box.y(), size, box.height()), hint, size
        )
    elif keys:
        draw_text(painter, text_box, keys, theme.font(TextRole.CAPTION), hint, Qt.AlignmentFlag.AlignRight)


def _paint_icon(theme: Theme, option: QStyleOptionMenuItem, painter: QPainter, *, enabled: bool) -> None:
    size = theme.px(18)
    at = QRect(option.rect.x() + theme.px(10), option.rect.y(), size, option.rect.height())
    if option.checked:
        colour = theme.tokens.accent_text if enabled else theme.tokens.disabled
        draw_glyph(painter, "check-bold", at, colour, theme.px(14))
    elif not option.icon.isNull():
        mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
        square = QRect(at.x(), at.y() + (at.height() - size) // 2, size, size)
        option.icon.paint(painter, square, Qt.AlignmentFlag.AlignCenter, mode)


def item_size(theme: Theme, option: QStyleOptionMenuItem) -> QSize:
    """The size of a menu item."""
    if option.menuItemType is Kind.Separator:
        return QSize(10, theme.px(_SEPARATOR))
    text, _tab, keys = option.text.partition("\t")
    width = _text_width(theme, text)
    if keys:
        width += theme.px(_BETWEEN) + QFontMetrics(theme.font(TextRole.CAPTION)).horizontalAdvance(keys)
    elif option.menuItemType is Kind.SubMenu:
        width += theme.px(_BETWEEN)
    return QSize(width + theme.px(_LEADING + _TRAILING), theme.px(_ITEM))


def paint_bar(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the background of the menu bar."""
    painter.fillRect(option.rect, theme.tokens.rail)


def paint_bar_item(
    theme: Theme, option: QStyleOptionMenuItem, painter: QPainter, _widget: QWidget | None
) -> None:
    """Paint an item of the menu bar."""
    tokens = theme.tokens
    painter.fillRect(option.rect, tokens.rail)
    if option.state & (State.State_Selected | State.State_Sunken) and option.state & State.State_Enabled:
        draw_rounded(painter, option.rect.adjusted(0, 3, 0, -3), theme.px(5), tokens.pressed)
    painter.setFont(theme.font(TextRole.SMALL))
    painter.setPen(tokens.text2 if option.state & State.State_Enabled else tokens.disabled)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic
    painter.drawText(option.rect, int(flags), option.text)


def bar_item_size(theme: Theme, option: QStyleOptionMenuItem) -> QSize:
    """The size of an item of the menu bar."""
    return QSize(_text_width(theme, option.text) + theme.px(22), theme.px(BAR_HEIGHT))


def _text_width(theme: Theme, text: str) -> int:
    """The width of a text whose access key is marked with `&`."""
    flags = Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextSingleLine
    return QFontMetrics(theme.font(TextRole.SMALL)).size(int(flags), text).width()
