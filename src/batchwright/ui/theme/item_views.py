"""Painting of headers, rows, tree branches, tabs, and scroll bars without groove and arrows."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyleOption,
    QStyleOptionHeader,
    QStyleOptionSlider,
    QStyleOptionTab,
    QStyleOptionViewItem,
    QWidget,
)

from batchwright.ui.theme.drawing import draw_bottom_border, draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.theme import Theme
from batchwright.ui.theme.typography import TextRole

HEAD_HEIGHT = 34
HEAD_PADDING = 12
State = QStyle.StateFlag


def paint_head(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the background and lower border of a header."""
    painter.fillRect(option.rect, theme.tokens.sunken)
    draw_bottom_border(painter, option.rect, theme.tokens.border)


def paint_head_label(
    theme: Theme, option: QStyleOptionHeader, painter: QPainter, _widget: QWidget | None
) -> None:
    """Draw the text of a header section, with icon and sort indicator."""
    tokens = theme.tokens
    padding = theme.px(HEAD_PADDING)
    box = option.rect.adjusted(padding, 0, -padding, 0)
    if not option.icon.isNull():
        size = theme.px(16)
        option.icon.paint(painter, QRect(box.x(), box.y(), size, box.height()))
        box.adjust(size + theme.px(8), 0, 0, 0)
    if option.sortIndicator is not QStyleOptionHeader.SortIndicator.None_:
        size = theme.px(12)
        ascends = option.sortIndicator is QStyleOptionHeader.SortIndicator.SortDown
        name = "caret-up-bold" if ascends else "caret-down-bold"
        draw_glyph(painter, name, QRect(box.right() - size, box.y(), size, box.height()), tokens.text2, size)
        box.adjust(0, 0, -size - 4, 0)
    align = Qt.AlignmentFlag(option.textAlignment) & Qt.AlignmentFlag.AlignHorizontal_Mask
    draw_text(painter, box, option.text, theme.font(TextRole.HEAD), tokens.text2, align)


def head_size(theme: Theme, option: QStyleOptionHeader, widget: QWidget | None) -> QSize:
    """The size of a header section."""
    font = theme.font(TextRole.HEAD)
    from_text = option.fontMetrics.horizontalAdvance(option.text) if font else 0
    icon = 0 if option.icon.isNull() else theme.px(24)
    is_side = isinstance(widget, QHeaderView) and widget.orientation() is Qt.Orientation.Vertical
    return QSize(from_text + icon + 2 * theme.px(HEAD_PADDING), theme.px(28 if is_side else HEAD_HEIGHT))


def paint_row(theme: Theme, option: QStyleOptionViewItem, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the background of a row."""
    box = option.rect.adjusted(1, 1, -1, -1)
    if option.state & State.State_Selected:
        draw_rounded(painter, box, theme.px(6), theme.tokens.accent_soft)
    elif option.state & State.State_MouseOver and option.state & State.State_Enabled:
        draw_rounded(painter, box, theme.px(6), theme.tokens.hover)


def paint_focus(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the focus ring of the current row."""
    if option.state & State.State_KeyboardFocusChange:
        draw_rounded(painter, option.rect, theme.px(6), None, theme.tokens.accent_text, 2)


def paint_tab(theme: Theme, option: QStyleOptionTab, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint a tab, with a bar below the current one."""
    tokens, box = theme.tokens, option.rect
    chosen = bool(option.state & State.State_Selected)
    if option.state & State.State_MouseOver and not chosen:
        draw_rounded(painter, box.adjusted(0, 4, 0, -4), theme.px(5), tokens.hover)
    colour = tokens.text if chosen else tokens.text2
    role = TextRole.SMALL_STRONG if chosen else TextRole.SMALL_NAME
    draw_text(
        painter, box, option.text.replace("&", ""), theme.font(role), colour, Qt.AlignmentFlag.AlignHCenter
    )
    if chosen:
        painter.fillRect(box.x() + 8, box.bottom() - 2, box.width() - 16, 3, tokens.accent_text)


def paint_tab_pane(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the line between the tabs and their page."""
    painter.fillRect(option.rect.x(), option.rect.y(), option.rect.width(), 1, theme.tokens.border)


def paint_branch(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the caret of an expandable row."""
    if option.state & State.State_Children:
        name = "caret-down-bold" if option.state & State.State_Open else "caret-right-bold"
        draw_glyph(painter, name, option.rect, theme.tokens.text2, theme.px(11))


EXTENT = 10
_THUMB = 6
_THUMB_UNDER_POINTER = 10
_SHORTEST = 28
Control = QStyle.SubControl


def paint_scroll_bar(
    theme: Theme, option: QStyleOptionSlider, painter: QPainter, _widget: QWidget | None
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
