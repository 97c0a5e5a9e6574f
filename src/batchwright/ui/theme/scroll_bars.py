"""Painting of scroll bars: a slider without groove and arrows."""

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
    """Paint the slider, which is wider when hovered."""
    if option.maximum <= option.minimum:
        return
    is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    width = theme.px(_THUMB_UNDER_POINTER if is_hovered else _THUMB)
    slider = slider_rect(theme, option)
    if option.orientation is Qt.Orientation.Vertical:
        slider = QRect(slider.right() - width, slider.y() + 2, width, slider.height() - 4)
    else:
        slider = QRect(slider.x() + 2, slider.bottom() - width, slider.width() - 4, width)
    draw_rounded(
        painter, slider, width / 2, theme.tokens.border_strong if is_hovered else theme.tokens.scroll
    )


def slider_rect(theme: Theme, option: QStyleOptionSlider) -> QRect:
    """The rectangle of the slider at the full width of the bar."""
    box, vertical = option.rect, option.orientation is Qt.Orientation.Vertical
    length = box.height() if vertical else box.width()
    total = option.maximum - option.minimum + option.pageStep
    size = max(min(theme.px(_SHORTEST), length), length * option.pageStep // max(1, total))
    at = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - size, option.upsideDown
    )
    if vertical:
        return QRect(box.x(), box.y() + at, box.width(), size)
    return QRect(box.x() + at, box.y(), size, box.height())


def scroll_bar_rect(theme: Theme, option: QStyleOptionSlider, control: QStyle.SubControl) -> QRect:
    """The rectangles of the subcontrols of a scroll bar."""
    slider, box = slider_rect(theme, option), QRect(option.rect)
    vertical = option.orientation is Qt.Orientation.Vertical
    if control is Control.SC_ScrollBarSlider:
        return slider
    if control is Control.SC_ScrollBarSubPage:
        box.setBottom(slider.top() - 1) if vertical else box.setRight(slider.left() - 1)
        return box
    if control is Control.SC_ScrollBarAddPage:
        box.setTop(slider.bottom() + 1) if vertical else box.setLeft(slider.right() + 1)
        return box
    return box if control is Control.SC_ScrollBarGroove else QRect()
