"""The placeholder of a thumbnail until it is rendered: one bar per item, in the colour of its family."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from batchwright.layout.item_types.registry import Choice, Image, Instruction, RichText
from batchwright.layout.model import Page
from batchwright.layout.nodes import Node
from batchwright.ui.editor.item_labels import item_label
from batchwright.ui.theme import SOFT, theme
from batchwright.ui.theme.drawing import draw_rounded

_MOST_ROWS = 16
"""No more rows than this fit into a thumbnail."""


def paint_placeholder(painter: QPainter, box: QRect, page: Page) -> None:
    """Paint the rows of a page at their typical heights; what exceeds the thumbnail is cut off."""
    px, rows = theme().px, page.rows[:_MOST_ROWS]
    inner = QRectF(box).adjusted(px(8), px(8), -px(8), -px(6))
    heights = [max((_column_height(column) for column in row.children), default=1.0) for row in rows]
    unit = max(2.5, min(float(px(9)), (inner.height() - 3 * len(heights)) / max(1.0, sum(heights))))
    top = inner.top()
    painter.save()
    painter.setClipRect(inner)
    for row, height in zip(rows, heights, strict=True):
        columns = row.children or (row,)
        wide = (inner.width() - 4 * (len(columns) - 1)) / len(columns)
        for number, column in enumerate(columns):
            at = QRectF(inner.left() + number * (wide + 4), top, wide, height * unit)
            _paint_bars(painter, at, column.children or (column,), unit)
        top += height * unit + 3
    painter.restore()


def _column_height(column: Node) -> float:
    return sum(map(_item_height, column.children or (column,))) + 0.3 * max(0, len(column.children) - 1)


def _item_height(entry: Node) -> float:
    """The typical height of an item, in lines: a question with options is taller than a text field."""
    if isinstance(entry, Choice):
        return 1.2 + 0.4 * min(4, len(entry.options))
    return 1.6 if isinstance(entry, (Image, Instruction, RichText)) else 1.4


def _paint_bars(painter: QPainter, at: QRectF, entries: Sequence[Node], unit: float) -> None:
    """Paint the items of a column; the last one extends to the bottom of its row."""
    tokens, top = theme().tokens, at.top()
    for entry in entries:
        family = item_label(entry).family
        height = at.bottom() - top if entry is entries[-1] else _item_height(entry) * unit
        bar = QRectF(at.left(), top, at.width(), height)
        draw_rounded(painter, bar, min(2.0, height / 2), tokens.get(SOFT[family]))
        ink = QRectF(bar.left() + 3, bar.top() + min(3.0, height / 3), min(18.0, bar.width() / 2), 1.6)
        painter.setOpacity(0.5)
        draw_rounded(painter, ink, 0.8, tokens.get(family))
        painter.setOpacity(1.0)
        top += height + 0.3 * unit
