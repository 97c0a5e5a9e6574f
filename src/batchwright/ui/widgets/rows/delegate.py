"""Paints the rows of a `RowList`."""

from collections.abc import Mapping

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QCursor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionButton, QStyleOptionViewItem
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import paint_box, ring
from batchwright.ui.theme.drawing import draw_bottom_border, draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.rows.geometry import (
    ICON_PX,
    WRAP,
    RowGeometry,
    ValuePlace,
    piece_font,
    row_font,
    row_height,
    side_label,
    value_places,
)
from batchwright.ui.widgets.rows.values import ListRow, RowLook, RowSides, RowStyle, RowText, TextMark
from batchwright.ui.widgets.statuses import paint_pill
from batchwright.ui.widgets.tables.models import CellDelegate, Index, exists
from batchwright.ui.widgets.text import breakable

State = QStyle.StateFlag
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The role of the `ListRow` of an index."""
_CENTRE = Qt.AlignmentFlag.AlignHCenter
_MARKS: Mapping[TextMark | None, tuple[str, str]] = {
    TextMark.FOUND: ("text", "accent_soft"),
    TextMark.REMOVED: ("err", "err_soft"),
    TextMark.ADDED: ("ok", "ok_soft"),
}
"""Tones of text and background."""
_LINES: Mapping[TextMark | None, tuple[str, int]] = {
    TextMark.FOUND: ("accent_text", 8),
    TextMark.REMOVED: ("err", 1),
}
"""Tone of a line below or through a marked text, and its distance below the centre: no tint is needed."""
_RING_PX = 6
"""Space between the texts and the ring around them."""
_AFTER_PX = 60
"""Minimum width of the text after the marks."""


class RowDelegate(CellDelegate):
    """Paints rows in the style of a list."""

    def __init__(self, style: RowStyle, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._style, self._viewport = style, view.viewport()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, width = index.data(ROW_ROLE) if exists(index) else ListRow(), self._viewport.width()
        return QSize(0, row_height(row, width, self._style))  # the list makes its rows as wide as itself

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow = index.data(ROW_ROLE)
        place, tokens, px = RowGeometry(row, option.rect, self._style), theme().tokens, theme().px
        self._paint_background(painter, option, place)
        if row.icon is not None:
            draw_glyph(painter, row.icon.glyph, place.icon, tokens.get(row.icon.tone), px(ICON_PX))
        if row.is_checked is not None:
            _paint_check(painter, place.icon, is_on=row.is_checked)
        for text, box in place.texts:
            _paint_text(painter, text, box)
        if row.badge is not None:
            paint_pill(painter, place.badge, row.badge)
        if row.button is not None:
            is_under = place.button.contains(self._viewport.mapFromGlobal(QCursor.pos()))
            fill = tokens.hover if is_under and option.state & State.State_MouseOver else tokens.button
            draw_rounded(painter, place.button, px(7), fill, tokens.border_button)
            font = row_font(TextRole.SMALL_NAME)
            draw_text(painter, place.button, row.button.text, font, tokens.text, _CENTRE)
        for key, cap in place.keys:
            draw_rounded(painter, cap, px(5), tokens.surface, tokens.border_button)
            draw_text(painter, cap, key, row_font(TextRole.LABEL), tokens.text2, _CENTRE)
        if row.sides is not None:
            has_focus = bool(option.state & State.State_HasFocus)
            for number, box in enumerate(place.sides):
                _paint_side(painter, row.sides, number, box, has_focus=has_focus)
            for value in value_places(row.sides, place.sides):
                _paint_value(painter, value)

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem, place: RowGeometry) -> None:
        tokens, px, state = theme().tokens, theme().px, option.state
        is_selected, has_focus = bool(state & State.State_Selected), bool(state & State.State_HasFocus)
        match self._style.look:
            case RowLook.RULED:
                if is_selected or has_focus:
                    painter.fillRect(place.box, tokens.select)
                    painter.fillRect(place.box.x(), place.box.y(), 3, place.box.height(), tokens.accent_text)
                draw_bottom_border(painter, place.box, tokens.border)
            case RowLook.TILES:
                tile = place.box.adjusted(px(self._style.inset), px(2), -px(self._style.inset), -px(2))
                if is_selected:
                    draw_rounded(painter, tile, px(8), tokens.accent_soft, tokens.accent_border)
                elif state & State.State_MouseOver and not place.row.is_heading:
                    draw_rounded(painter, tile, px(8), tokens.row_hover)
                if has_focus and state & State.State_KeyboardFocusChange:
                    draw_rounded(painter, tile, px(8), None, tokens.accent_text, 2)
            case RowLook.PLAIN:
                if has_focus and not (place.row.sides and place.row.sides.is_choice):
                    around = place.box.adjusted(place.head.x() - place.box.x() - px(_RING_PX), 1, -1, -1)
                    draw_rounded(painter, around, px(5), None, tokens.accent_text, 2)


def _paint_check(painter: QPainter, box: QRect, *, is_on: bool) -> None:
    check = QStyleOptionButton()
    check.rect = box
    check.state = State.State_Enabled | (State.State_On if is_on else State.State_Off)
    paint_box(theme(), check, painter, None)


def _paint_text(painter: QPainter, text: RowText, box: QRect) -> None:
    if text.spans:
        _paint_marked_text(painter, text, box)
    else:
        align = Qt.AlignmentFlag.AlignRight if text.is_right else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, box, text.text, row_font(text.role), theme().tokens.get(text.tone), align)


def _paint_marked_text(painter: QPainter, text: RowText, box: QRect) -> None:
    """Paint a text in pieces; if its marks do not fit, what is before them is elided at its beginning."""
    tokens, px, at = theme().tokens, theme().px, box.x()
    pieces = [(piece, mark, piece_font(text, mark)) for piece, mark in text.pieces()]
    widths = [QFontMetrics(font).horizontalAdvance(sanitize_line(piece)) for piece, _mark, font in pieces]
    missing = sum(widths[:-1]) + min(widths[-1], px(_AFTER_PX)) - box.width()
    align, elide = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideRight
    if missing > 0:
        align, elide = Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft
        widths[0] = min(widths[0], max(box.width() // 3, widths[0] - missing))
    for (piece, mark, font), width in zip(pieces, widths, strict=True):
        part = QRect(at, box.y(), min(width, box.right() + 1 - at), box.height())
        if piece and part.width() > 0:
            tone, fill = _MARKS.get(mark, (text.tone, ""))
            if fill:
                inset = (box.height() - QFontMetrics(font).height()) // 2 - 1
                draw_rounded(painter, part.adjusted(0, inset, 1, -inset), px(3), tokens.get(fill))
            draw_text(painter, part, piece, font, tokens.get(tone), align, elide)
            if mark in _LINES:
                line_tone, below_centre = _LINES[mark]
                top, thickness = box.center().y() + px(below_centre), max(1, px(1))
                painter.fillRect(at, top, part.width(), thickness, tokens.get(line_tone))
        at, align, elide = at + width, Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideRight


def _paint_side(painter: QPainter, sides: RowSides, number: int, box: QRect, *, has_focus: bool) -> None:
    tokens, px = theme().tokens, theme().px
    side, (mark, label) = (sides.left, sides.right)[number], side_label(sides, box)
    if not sides.is_choice:
        draw_rounded(painter, box, px(6), tokens.get(f"{side.tone}_soft"))
        draw_glyph(painter, side.glyph, mark, tokens.get(side.tone), px(ICON_PX - 2))
    else:
        is_chosen = sides.chosen == number
        border = tokens.accent if is_chosen else tokens.border_strong if has_focus else tokens.border
        fill = tokens.accent_soft if is_chosen else tokens.input
        draw_rounded(painter, box, px(8), fill, border, 2 if is_chosen or has_focus else 1)
        top = mark.y() + (mark.height() - mark.width()) / 2
        circle = QRectF(mark.x(), top, mark.width(), mark.width())
        ring(theme(), painter, circle, is_on=is_chosen, colour=tokens.accent)
        draw_text(painter, label, side.label, row_font(TextRole.SMALL_NAME), tokens.text)


def _paint_value(painter: QPainter, place: ValuePlace) -> None:
    tokens = theme().tokens
    draw_text(painter, place.title_box, place.title, row_font(TextRole.CAPTION), tokens.text2)
    painter.save()
    painter.setClipRect(place.text_box)
    painter.setFont(row_font(TextRole.SMALL))
    painter.setPen(tokens.text)
    painter.drawText(place.text_box, WRAP, breakable(sanitize(place.text)))
    painter.restore()
