"""Painting of buttons, with a table of their kinds.

Kind, icon and shortcut are dynamic properties, so that a plain `QPushButton` is painted too: as secondary, or
as primary if it is the default button.
"""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionButton, QWidget

from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.theme import Theme
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.theme.typography import TextRole

KIND = "kind"
GLYPH = "glyph"
GLYPH_SIZE = "glyphSize"
KEYS = "keys"
HEIGHT = "tall"
_RADIUS = 7
_PADDING = 14
_PADDING_BEFORE_GLYPH = 11
_DEFAULT_GLYPH_SIZE = 18
_GAP = 6
_KEYS_GAP = 9
_CARET = 12
_SHORTCUT_OPACITY = 0.72


@dataclass(frozen=True)
class ButtonStyle:
    """The colour tokens of a kind of button; an empty one paints nothing."""

    fill: str
    hover: str
    pressed: str
    border: str
    text: str


KINDS = {
    "primary": ButtonStyle("accent", "accent_hover", "accent_press", "", "on_accent"),
    "secondary": ButtonStyle("button", "hover", "pressed", "border_button", "text"),
    "quiet": ButtonStyle("", "hover", "pressed", "", "text2"),
    "link": ButtonStyle("", "hover", "pressed", "", "accent_text"),
    "danger": ButtonStyle("button", "err_soft", "err_soft", "danger_border", "err"),
    "destroy": ButtonStyle("danger_fill", "danger_hover", "danger_hover", "", "on_danger"),
    "live": ButtonStyle("live", "live_hover", "live_press", "", "on_live"),
}
_CHOSEN = ButtonStyle("accent_soft", "accent_soft", "accent_soft", "", "accent_text")
_DISABLED = ButtonStyle("sunken", "sunken", "sunken", "border", "disabled")
_DISABLED_QUIET = ButtonStyle("", "", "", "", "disabled")


def style_for(option: QStyleOptionButton, widget: QWidget | None) -> ButtonStyle:
    """The style of a button in its state."""
    kind = widget.property(KIND) if widget is not None else None
    if not isinstance(kind, str):
        is_default = option.features & QStyleOptionButton.ButtonFeature.DefaultButton
        kind = "primary" if is_default else "secondary"
    style = KINDS[kind]
    if not option.state & QStyle.StateFlag.State_Enabled:
        return _DISABLED if style.fill else _DISABLED_QUIET
    return _CHOSEN if option.state & QStyle.StateFlag.State_On else style


def paint_push_button(
    theme: Theme, option: QStyleOptionButton, painter: QPainter, widget: QWidget | None
) -> None:
    """Paint a button: background, icon, text, shortcut and caret."""
    style = style_for(option, widget)
    paint_background(theme, option, painter, style)
    colour = theme.tokens.get(style.text)
    box = _content(theme, option, widget)
    box.moveLeft(option.rect.x() + (option.rect.width() - box.width()) // 2)
    box = _paint_glyph(theme, option, painter, widget, box, colour)
    _paint_text(theme, option, painter, widget, box, colour)


def paint_background(theme: Theme, option: QStyleOptionButton, painter: QPainter, style: ButtonStyle) -> None:
    """Paint background and border of a button in its state."""
    name = style.fill
    if option.state & QStyle.StateFlag.State_Sunken:
        name = style.pressed
    elif option.state & QStyle.StateFlag.State_MouseOver:
        name = style.hover
    fill = theme.tokens.get(name) if name else None
    border = theme.tokens.get(style.border) if style.border else None
    draw_rounded(painter, option.rect, theme.px(_RADIUS), fill, border)


def _paint_glyph(
    theme: Theme,
    option: QStyleOptionButton,
    painter: QPainter,
    widget: QWidget | None,
    box: QRect,
    colour: QColor,
) -> QRect:
    """Paint the icon at the left of a box; returns the remaining box."""
    size, name = _glyph_side(theme, widget), _glyph(widget)
    square = QRect(box.x(), box.y() + (box.height() - size) // 2, size, size)
    if name:
        draw_glyph(painter, name, square, colour, size)
    elif not option.icon.isNull():
        enabled = option.state & QStyle.StateFlag.State_Enabled
        mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
        option.icon.paint(painter, square, Qt.AlignmentFlag.AlignCenter, mode)
    else:
        return box
    return box.adjusted(size + (theme.px(_GAP) if option.text else 0), 0, 0, 0)


def _paint_text(
    theme: Theme,
    option: QStyleOptionButton,
    painter: QPainter,
    widget: QWidget | None,
    box: QRect,
    colour: QColor,
) -> None:
    font = painter.font()
    width = QFontMetrics(font).horizontalAdvance(_without_mnemonic(option.text))
    painter.setPen(colour)
    painter.drawText(
        box.adjusted(0, 0, 1, 0),
        int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextHideMnemonic),
        option.text,
    )
    rest = box.adjusted(width, 0, 1, 0)
    keys = _keys(option, widget)
    if keys:
        faint = QColor(colour)
        faint.setAlphaF(_SHORTCUT_OPACITY)
        draw_text(
            painter, rest.adjusted(theme.px(_KEYS_GAP), 0, 0, 0), keys, theme.font(TextRole.LABEL), faint
        )
    if option.features & QStyleOptionButton.ButtonFeature.HasMenu:
        caret = theme.px(_CARET)
        at = QRect(box.right() - caret + 1, box.y(), caret, box.height())
        draw_glyph(painter, "caret-down-bold", at, colour, caret)


def push_button_size(theme: Theme, option: QStyleOptionButton, widget: QWidget | None) -> QSize:
    """The size of a button: content and padding, with the height of its property or 32."""
    content = _content(theme, option, widget).width()
    leading = _PADDING_BEFORE_GLYPH if _glyph(widget) or not option.icon.isNull() else _PADDING
    trailing = _PADDING if option.text else leading
    tall = widget.property(HEIGHT) if widget is not None else None
    height = theme.px(tall if isinstance(tall, int) else 32)
    if not option.text:
        return QSize(height, height)
    return QSize(content + theme.px(leading) + theme.px(trailing), height)


def _content(theme: Theme, option: QStyleOptionButton, widget: QWidget | None) -> QRect:
    """The bounding box of the content of a button, at x = 0."""
    width = option.fontMetrics.horizontalAdvance(_without_mnemonic(option.text))
    if _glyph(widget) or not option.icon.isNull():
        width += _glyph_side(theme, widget) + (theme.px(_GAP) if option.text else 0)
    keys = _keys(option, widget)
    if keys:
        width += theme.px(_KEYS_GAP) + QFontMetrics(theme.font(TextRole.LABEL)).horizontalAdvance(keys)
    if option.features & QStyleOptionButton.ButtonFeature.HasMenu:
        width += theme.px(_CARET + _GAP)
    return QRect(0, option.rect.y(), width, option.rect.height())


def _without_mnemonic(text: str) -> str:
    """A text without the markers of mnemonics."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _glyph(widget: QWidget | None) -> str:
    name = widget.property(GLYPH) if widget is not None else None
    return name if isinstance(name, str) else ""


def _glyph_side(theme: Theme, widget: QWidget | None) -> int:
    size = widget.property(GLYPH_SIZE) if widget is not None else None
    return theme.px(size if isinstance(size, int) else _DEFAULT_GLYPH_SIZE)


def _keys(option: QStyleOptionButton, widget: QWidget | None) -> str:
    """The shortcut after the text; empty if the text is collapsed."""
    keys = widget.property(KEYS) if widget is not None and option.text else None
    return shortcut_text(keys) if isinstance(keys, str) else ""
