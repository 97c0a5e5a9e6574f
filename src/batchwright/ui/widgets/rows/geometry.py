"""Where the parts of a row are: for painting, for clicks, and for the heights of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.rows.values import ListRow, RowSides, RowStyle, RowText, TextMark
from batchwright.ui.widgets.statuses import pill_size
from batchwright.ui.widgets.text import breakable

WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)
ICON_PX = 16
_GAP_PX, _RIGHT_GAP_PX = 10, 12
_BUTTON_PX, _LINE_PX, _BADGE_PX, _LINE_DISTANCE_PX = 28, 20, 22, 6
_CHECK_MARGIN_PX = 6
_SIDE_GAP_PX, _SIDE_PADDING_PX, _SIDE_GUTTER_PX = 8, 8, 20
_LABEL_PX, _CAPTION_PX, _VALUE_GAP_PX = 26, 18, 4
_MAX_LINES = 8
"""Maximum number of lines of a value on a side."""


@dataclass(frozen=True)
class RowGeometry:
    """The rectangles of the parts of a row that is painted into a box."""

    row: ListRow
    box: QRect
    style: RowStyle

    @property
    def icon(self) -> QRect:
        """The column of the icon or the check box."""
        px, (first, _second) = theme().px, self._lines
        return QRect(self.box.x() + px(self.style.left), first.y(), px(ICON_PX), first.height())

    @property
    def check(self) -> QRect:
        """Where a click is meant for the check box; empty if there is none."""
        margin = theme().px(_CHECK_MARGIN_PX)
        return self.icon.adjusted(-margin, 0, margin, 0) if self.row.is_checked is not None else QRect()

    @cached_property
    def button(self) -> QRect:
        """The button; empty if there is none."""
        if self.row.button is None:
            return QRect()
        px = theme().px
        width = natural_width(RowText(self.row.button.text, TextRole.SMALL_NAME)) + px(24)
        left = self.box.right() - width - px(self.style.right)
        return QRect(left, self.box.center().y() - px(_BUTTON_PX) // 2, width, px(_BUTTON_PX))

    @cached_property
    def keys(self) -> list[tuple[str, QRect]]:
        """The key caps of the shortcut, from the right."""
        px, right, caps = theme().px, self.box.right() - theme().px(self.style.right), []
        names = [name for name in self.row.keys.replace("++", "+\0").split("+") if name]
        for name in reversed(names):
            text = name.replace("\0", "+")
            width = max(px(22), natural_width(RowText(text, TextRole.LABEL)) + px(14))
            caps.append((text, QRect(right - width, self.box.center().y() - px(11), width, px(22))))
            right -= width + px(5)
        return caps

    @property
    def badge(self) -> QRect:
        """The badge, at the start of the second line; empty if there is none."""
        if self.row.badge is None:
            return QRect()
        second = self._lines[1]
        return QRect(second.topLeft() - QPoint(theme().px(2), 0), pill_size(self.row.badge))

    @property
    def texts(self) -> list[tuple[RowText, QRect]]:
        """The texts of both lines and their places."""
        first, second = self._lines[0].adjusted(self._gutter, 0, 0, 0), QRect(self._lines[1])
        start = second.left() + self._gutter
        if self.row.badge is not None:
            start = self.badge.right() + theme().px(_GAP_PX)
        second.setLeft(start)
        return [*_placed(self.row.texts, first), *_placed(self.row.details, second)]

    @property
    def head(self) -> QRect:
        """The part of the row that is above the sides, from the start of the texts."""
        px, height = theme().px, theme().px(self.row.height)
        left = self.box.x() + px(self.style.left) + self._gutter
        return QRect(left, self.box.y(), self.box.right() - left, height)

    @property
    def sides(self) -> tuple[QRect, QRect]:
        """The left and the right side of a row with sides."""
        px, head = theme().px, self.head
        below = space_below(self.row.sides) if self.row.sides else 0
        area = QRect(head.x(), head.bottom() + 1, head.width() - px(self.style.right), 0)
        area.setBottom(self.box.bottom() - below)
        width = (area.width() - px(_SIDE_GAP_PX)) // 2
        return (
            QRect(area.x(), area.y(), width, area.height()),
            QRect(area.right() - width, area.y(), width, area.height()),
        )

    def side_at(self, point: QPoint) -> int | None:
        """The number of the side that can be chosen at a point, or None."""
        if self.row.sides is None or not self.row.sides.is_choice:
            return None
        return next((number for number, side in enumerate(self.sides) if side.contains(point)), None)

    @property
    def is_cut(self) -> bool:
        """Whether a text does not fit, or may have more lines than are shown."""
        if any(natural_width(text) > box.width() + theme().px(2) for text, box in self.texts):
            return True
        values = value_places(self.row.sides, self.sides) if self.row.sides is not None else ()
        return any(value.text_box.height() == _max_text_height() for value in values)

    @property
    def _gutter(self) -> int:
        has_gutter = not self.row.is_heading or self.row.icon is not None
        return theme().px(self.style.gutter) if has_gutter else 0

    @cached_property
    def _lines(self) -> tuple[QRect, QRect]:
        """The line of texts and the second line, from `left` to what is at the right end."""
        px, box = theme().px, self.box
        right = box.right() - px(self.style.right)
        if self.row.button is not None:
            right = self.button.left() - px(_RIGHT_GAP_PX)
        if self.row.keys:
            right = self.keys[-1][1].left() - px(_RIGHT_GAP_PX)
        left = box.x() + px(self.style.left)
        first = QRect(left, box.y(), max(0, right - left), px(self.row.height))
        if self.row.badge is None and not self.row.details:
            return first, QRect()
        margin = px(self.row.height - _LINE_PX - _LINE_DISTANCE_PX - _BADGE_PX) // 2
        second = QRect(first.x(), box.bottom() + 1 - margin - px(_BADGE_PX), first.width(), px(_BADGE_PX))
        first.setRect(first.x(), box.y() + margin, first.width(), px(_LINE_PX))
        return first, second


class ValuePlace(NamedTuple):
    """A value on a side: its title and its text, with the rectangle of each."""

    title: str
    title_box: QRect
    text: str
    text_box: QRect


def value_places(sides: RowSides, boxes: tuple[QRect, QRect]) -> Iterator[ValuePlace]:
    """The values on both sides, which are painted into two boxes: each at the left, then at the right."""
    px, width = theme().px, _text_column(boxes[0])[1]
    top = boxes[0].y() + _side_padding(sides) + (px(_LABEL_PX) if sides.is_choice else 0)
    for value in sides.values:
        caption = px(_CAPTION_PX) if value.title else 0
        height = max(text_height(value.left, width), text_height(value.right, width))
        for box, text in zip(boxes, (value.left, value.right), strict=True):
            left = _text_column(box)[0]
            title_box = QRect(left, top, width, caption)
            yield ValuePlace(value.title, title_box, text, QRect(left, top + caption, width, height))
        top += caption + height + px(_VALUE_GAP_PX)


def side_label(sides: RowSides, box: QRect) -> tuple[QRect, QRect]:
    """The places of the icon or radio button of a side and of its label."""
    px, (left, width) = theme().px, _text_column(box)
    height = px(_LABEL_PX) if sides.is_choice else QFontMetrics(row_font(TextRole.SMALL)).height()
    top = box.y() + (px(2) if sides.is_choice else _side_padding(sides))
    return QRect(box.x() + px(_SIDE_PADDING_PX), top, px(ICON_PX), height), QRect(left, top, width, height)


def row_height(row: ListRow, width: int, style: RowStyle) -> int:
    """The height of a row in a list of a width."""
    sides, height = row.sides, theme().px(row.height)
    if sides is None:
        return height
    boxes = RowGeometry(row, QRect(0, 0, width, height), style).sides
    places = value_places(sides, boxes)
    bottom = max((place.text_box.bottom() + 1 for place in places), default=height)
    return bottom + _side_padding(sides) + space_below(sides)


def space_below(sides: RowSides) -> int:
    """The space below both sides."""
    return theme().px(14 if sides.is_choice else 6)


def row_font(role: TextRole) -> QFont:
    """The font of a text in a row: digits have the same width in all rows."""
    return theme().font(role, tabular=True)


def piece_font(text: RowText, mark: TextMark | None) -> QFont:
    """The font of a piece of a text."""
    return row_font(TextRole.STRONG if mark is TextMark.STRONG else text.role)


def natural_width(text: RowText) -> int:
    """The width of a text that is not elided."""
    widths = (
        QFontMetrics(piece_font(text, mark)).horizontalAdvance(sanitize_line(piece))
        for piece, mark in text.pieces()
        if piece
    )
    return sum(widths) + theme().px(2)


def _placed(texts: Sequence[RowText], line: QRect) -> Iterator[tuple[RowText, QRect]]:
    """The texts of a line and their places: those that do not fit are elided, the last ones first."""
    px, left, right = theme().px, line.x(), line.right() + 1
    shown = [text for text in texts if text.text or text.width]
    flowing = [text for text in shown if not text.is_right]
    most = line.width() // 2 if flowing else line.width()
    for text in reversed([text for text in shown if text.is_right]):
        width = max(0, min(natural_width(text), most, right - left))
        yield text, QRect(right - width, line.y(), width, line.height())
        right -= width + px(_RIGHT_GAP_PX)
    for number, text in enumerate(flowing, start=1):
        available = max(0, right - left)
        if text.width:
            width = max(0, min(px(text.width), line.width() // 2, available) - px(_GAP_PX))
        elif number == len(flowing):
            width = available
        else:
            following = sum(natural_width(later) + px(_GAP_PX) for later in flowing[number:])
            width = min(natural_width(text), max(available - following, available // 2))
        yield text, QRect(left, line.y(), width, line.height())
        left += width + px(_GAP_PX)


def _side_padding(sides: RowSides) -> int:
    return theme().px(6 if sides.is_choice else 4)


def _text_column(side: QRect) -> tuple[int, int]:
    """The left end and the width of the texts on a side."""
    px = theme().px
    before = px(_SIDE_PADDING_PX) + px(_SIDE_GUTTER_PX)
    return side.x() + before, max(px(60), side.width() - before - px(_SIDE_PADDING_PX))


def text_height(text: str, width: int) -> int:
    """The height of a value that is wrapped to a width, without the lines that do not fit."""
    metrics = QFontMetrics(row_font(TextRole.SMALL))
    needed = metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP, breakable(sanitize(text))).height()
    return min(max(needed, metrics.height()), _max_text_height())


def _max_text_height() -> int:
    return _MAX_LINES * QFontMetrics(row_font(TextRole.SMALL)).lineSpacing()
