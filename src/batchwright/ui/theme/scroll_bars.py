"""How scroll bars look: a thumb on nothing, without arrows (look.md 15)."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget

from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.theme import Theme

EXTENT = 10
_THUMB = 6
_THUMB_UNDER_POINTER = 10
_SHORTEST = 28
Control = QStyle.SubControl


def paint_scroll_bar(
    theme: Theme, option: QStyleOptionSlider, painter: QPainter, widget: QWidget | None
) -> None:
    """Paint the thumb; wider under the pointer."""
    if option.maximum <= option.minimum:
        return
    under = bool(option.state & QStyle.StateFlag.State_MouseOver)
    width = theme.px(_THUMB_UNDER_POINTER if under else _THUMB)
    thumb = slider_rect(theme, option)
    if option.orientation is Qt.Orientation.Vertical:
        thumb = QRect(thumb.right() - width, thumb.y() + 2, width, thumb.height() - 4)
    else:
        thumb = QRect(thumb.x() + 2, thumb.bottom() - width, thumb.width() - 4, width)
    draw_rounded(painter, thumb, width / 2, theme.tokens.border_strong if under else theme.tokens.scroll)


def slider_rect(theme: Theme, option: QStyleOptionSlider) -> QRect:
    """Where the thumb lies, over the whole width of the bar."""
    box, vertical = option.rect, option.orientation is Qt.Orientation.Vertical
    length = box.height() if vertical else box.width()
    whole = option.maximum - option.minimum + option.pageStep
    size = max(min(theme.px(_SHORTEST), length), length * option.pageStep // max(1, whole))
    at = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - size, option.upsideDown
    )
    if vertical:
        return QRect(box.x(), box.y() + at, box.width(), size)
    return QRect(box.x() + at, box.y(), size, box.height())


def scroll_bar_rect(theme: Theme, option: QStyleOptionSlider, control: QStyle.SubControl) -> QRect:
    """Where the parts of a scroll bar lie; there are no arrows."""
    thumb, box = slider_rect(theme, option), QRect(option.rect)
    vertical = option.orientation is Qt.Orientation.Vertical
    if control is Control.SC_ScrollBarSlider:
        return thumb
    if control is Control.SC_ScrollBarSubPage:
        box.setBottom(thumb.top() - 1) if vertical else box.setRight(thumb.left() - 1)
        return box
    if control is Control.SC_ScrollBarAddPage:
        box.setTop(thumb.bottom() + 1) if vertical else box.setLeft(thumb.right() + 1)
        return box
    return box if control is Control.SC_ScrollBarGroove else QRect()
