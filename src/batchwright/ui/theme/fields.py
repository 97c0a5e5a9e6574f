"""Painting of line edits, text areas, combo boxes and spin boxes."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSpinBox,
    QWidget,
)

from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.theme import Theme

ERROR = "hasError"
SOFT = "soft"
_RADIUS = 7
_COMBO_LEFT, _COMBO_RIGHT = 10, 28
"""Space beside the text of a combo box; the caret is at the right."""
LINE_EDIT_MARGIN = 8
_SPIN_CARETS = 28
_QT_MARGIN = 2
"""Space that Qt leaves on each side of the text of a line edit, at any text size."""
State = QStyle.StateFlag
_LINE_EDIT, _UP, _DOWN = (
    QStyle.SubControl.SC_SpinBoxEditField,
    QStyle.SubControl.SC_SpinBoxUp,
    QStyle.SubControl.SC_SpinBoxDown,
)


def paint_field(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint background and border of a field in its state."""
    tokens, radius = theme.tokens, theme.px(_RADIUS)
    if not option.state & State.State_Enabled:
        draw_rounded(painter, option.rect, radius, tokens.sunken, tokens.border)
        return
    soft = bool(widget is not None and widget.property(SOFT))
    fill = tokens.sunken if soft else tokens.input
    if widget is not None and widget.property(ERROR):
        draw_rounded(painter, option.rect, radius, fill, tokens.err, 2)
    elif option.state & State.State_HasFocus:
        draw_rounded(painter, option.rect, radius, fill, tokens.accent_text, 2)
    elif option.state & State.State_MouseOver:
        draw_rounded(painter, option.rect, radius, fill, tokens.border_strong)
    else:
        draw_rounded(painter, option.rect, radius, fill, tokens.border if soft else tokens.border_field)


def paint_line_edit(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint a line edit; one without a frame is painted by its parent."""
    if isinstance(widget, QLineEdit) and widget.hasFrame():
        paint_field(theme, option, painter, widget)


def paint_frame(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint the frame of a text area or a list."""
    if isinstance(widget, QFrame) and widget.frameShape() is not QFrame.Shape.NoFrame:
        paint_field(theme, option, painter, widget)


def paint_combo(theme: Theme, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None) -> None:
    """Paint a combo box: a field with a caret."""
    paint_field(theme, option, painter, widget)
    colour = theme.tokens.text2 if option.state & State.State_Enabled else theme.tokens.disabled
    size, box = theme.px(12), option.rect
    at = QRect(box.right() - theme.px(11) - size, box.y(), size, box.height())
    draw_glyph(painter, "caret-down-bold", at, colour, size)


def paint_combo_label(
    theme: Theme, option: QStyleOptionComboBox, painter: QPainter, _widget: QWidget | None
) -> None:
    """Draw the current text of a combo box."""
    if option.editable:
        return
    box, tokens = combo_text_rect(theme, option.rect), theme.tokens
    if not option.currentIcon.isNull():
        size = theme.px(16)
        option.currentIcon.paint(painter, box.x(), box.y(), size, box.height())
        box.adjust(size + theme.px(8), 0, 0, 0)
    colour = tokens.text if option.state & State.State_Enabled else tokens.disabled
    draw_text(painter, box, option.currentText, painter.font(), colour)


def combo_text_rect(theme: Theme, box: QRect) -> QRect:
    """The text rectangle of a combo box."""
    return box.adjusted(theme.px(_COMBO_LEFT), 0, -theme.px(_COMBO_RIGHT), 0)


def combo_width(theme: Theme, text_width: int) -> int:
    """The width of a combo box in which a text fits; Qt measures texts without the space around them."""
    return text_width + theme.px(_COMBO_LEFT + _COMBO_RIGHT + 3)


def line_edit_width(theme: Theme, text_width: int) -> int:
    """The width of a line edit in which a text fits."""
    return text_width + 2 * (theme.px(LINE_EDIT_MARGIN) + _QT_MARGIN)


def spin_box_width(theme: Theme, text_width: int) -> int:
    """The width of a spin box in which a text fits."""
    return line_edit_width(theme, text_width) + theme.px(_SPIN_CARETS)


def paint_spin_box(
    theme: Theme, option: QStyleOptionSpinBox, painter: QPainter, widget: QWidget | None
) -> None:
    """Paint a spin box: a field with two carets."""
    paint_field(theme, option, painter, widget)
    step = option.stepEnabled
    for control, name, flag in (
        (_UP, "caret-up-bold", step.StepUpEnabled),
        (_DOWN, "caret-down-bold", step.StepDownEnabled),
    ):
        is_enabled = bool(step & flag) and bool(option.state & State.State_Enabled)
        box = spin_box_rect(theme, option.rect, control)
        draw_glyph(
            painter, name, box, theme.tokens.text2 if is_enabled else theme.tokens.disabled, theme.px(11)
        )


def spin_box_rect(theme: Theme, box: QRect, control: QStyle.SubControl) -> QRect:
    """The rectangles of the subcontrols of a spin box."""
    edge, half = theme.px(_SPIN_CARETS), box.height() // 2
    if control is _LINE_EDIT:
        return box.adjusted(0, 1, -edge, -1)
    if control is _UP:
        return QRect(box.right() - edge + 1, box.y() + 3, edge - 4, half - 3)
    if control is _DOWN:
        return QRect(box.right() - edge + 1, box.y() + half, edge - 4, half - 3)
    return QRect(box)
