"""Hit testing for drops: the rectangles of rows, columns and items, and the insertion point at a position.

The geometry is recorded once, when a drag begins, so that rows moving apart for the indicator do not change
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPoint, QRect

from batchwright.layout.editing.tree_edits import MAX_COLUMNS, InsertionPoint
from batchwright.layout.nodes import Level

_ROW_EDGE_PX = 10
_SIDE_ZONE_PX = 44
_MAX_SIDE_ZONE_FRACTION = 0.16
_FULL_ROW_SIDE_ZONE_PX = 10
"""Width in pixels of the side zones of a row with the maximum number of columns, where drops are rejected.

They are narrow because most drops there are intended for an existing column.
"""


@dataclass(frozen=True)
class NodeRect:
    """A node and its rectangle."""

    key: str
    rect: QRect
    children: tuple["NodeRect", ...] = ()


class IndicatorShape(Enum):
    """How an insertion point is drawn."""

    HORIZONTAL_LINE = auto()
    """A horizontal line between rows, or between the items of a column."""
    VERTICAL_LINE = auto()
    """A vertical line beside a column."""
    BOX = auto()
    """A box around an empty page."""


@dataclass(frozen=True)
class DropIndicatorGeometry:
    """An insertion point and its indicator.

    `row_to_shift` is the index of the row that moves down, if any.
    """

    insertion_point: InsertionPoint
    shape: IndicatorShape
    rect: QRect
    row_to_shift: int | None = None


@dataclass(frozen=True)
class PageGeometry:
    """Rows of a page in coordinates of the page canvas; `spacing` is the space between rows in pixels.

    Without `allows_columns`, as in a collection, nothing can be dropped beside an item.
    """

    page: NodeRect
    spacing: int = 8
    allows_columns: bool = True

    def indicator_at(self, point: QPoint, level: Level, scale: float = 1.0) -> DropIndicatorGeometry:
        """The insertion point for a payload of a level at a position.

        A page is placed between rows, and rejected.
        """
        rows = self.page.children
        if not rows:
            return DropIndicatorGeometry(InsertionPoint(self.page.key, 0), IndicatorShape.BOX, self.page.rect)
        number = self._row_at(point.y(), scale)
        if number is None or level <= Level.ROW:
            return self.between_rows(self._row_gap_at(point.y()))
        row = rows[number]
        column_gap = self._column_gap_at(row, point, level, scale) if self.allows_columns else None
        if column_gap is not None:
            return self.between_columns(row, column_gap)
        if level is Level.COLUMN:
            return self.between_rows(self._row_gap_at(point.y()))
        return self.between_items(_nearest_column(row.children, point.x()), point.y())

    def between_rows(self, index: int) -> DropIndicatorGeometry:
        """The gap before the row with this index."""
        rows, page_rect = self.page.children, self.page.rect
        if index <= 0:
            y = rows[0].rect.top() - self.spacing // 2
        elif index >= len(rows):
            y = rows[-1].rect.bottom() + self.spacing // 2 + 1
        else:
            y = (rows[index - 1].rect.bottom() + rows[index].rect.top() + 1) // 2
        indicator = QRect(page_rect.left(), y, page_rect.width(), 0)
        return DropIndicatorGeometry(
            InsertionPoint(self.page.key, index),
            IndicatorShape.HORIZONTAL_LINE,
            indicator,
            row_to_shift=min(index, len(rows)),
        )

    def between_columns(self, row: NodeRect, index: int) -> DropIndicatorGeometry:
        """The gap before a column of a row, or after the last one."""
        columns = row.children
        if index <= 0:
            x = row.rect.left() - self.spacing // 2
        elif index >= len(columns):
            x = row.rect.right() + self.spacing // 2 + 1
        else:
            x = (columns[index - 1].rect.right() + columns[index].rect.left() + 1) // 2
        return DropIndicatorGeometry(
            InsertionPoint(row.key, index),
            IndicatorShape.VERTICAL_LINE,
            QRect(x, row.rect.top(), 0, row.rect.height()),
        )

    def between_items(self, column: NodeRect, y: int) -> DropIndicatorGeometry:
        """The gap between the items of a column that is nearest to a y coordinate."""
        items = column.children
        index = sum(item.rect.center().y() < y for item in items)
        if not items:
            y_line = column.rect.center().y()
        elif index == 0:
            y_line = items[0].rect.top() - self.spacing // 2
        elif index == len(items):
            y_line = items[-1].rect.bottom() + self.spacing // 2 + 1
        else:
            y_line = (items[index - 1].rect.bottom() + items[index].rect.top() + 1) // 2
        indicator = QRect(column.rect.left(), y_line, column.rect.width(), 0)
        return DropIndicatorGeometry(
            InsertionPoint(column.key, index), IndicatorShape.HORIZONTAL_LINE, indicator
        )

    def _row_at(self, y: int, scale: float) -> int | None:
        """The row at a y coordinate, or None near the edges of rows and between them."""
        for number, row in enumerate(self.page.children):
            edge = min(round(_ROW_EDGE_PX * scale), row.rect.height() // 4)
            if row.rect.top() + edge <= y <= row.rect.bottom() - edge:
                return number
        return None

    def _row_gap_at(self, y: int) -> int:
        return sum(row.rect.center().y() < y for row in self.page.children)

    def _column_gap_at(self, row: NodeRect, point: QPoint, level: Level, scale: float) -> int | None:
        """The index of the column gap at a position, or None inside a column."""
        zone = (
            _SIDE_ZONE_PX
            if len(row.children) < MAX_COLUMNS or level is Level.COLUMN
            else _FULL_ROW_SIDE_ZONE_PX
        )
        edge = min(round(zone * scale), round(row.rect.width() * _MAX_SIDE_ZONE_FRACTION))
        if point.x() < row.rect.left() + edge:
            return 0
        if point.x() > row.rect.right() - edge:
            return len(row.children)
        for number, (left, right) in enumerate(zip(row.children, row.children[1:], strict=False), start=1):
            if left.rect.right() < point.x() < right.rect.left():
                return number
        return None


def _nearest_column(columns: Sequence[NodeRect], x: int) -> NodeRect:
    def distance(column: NodeRect) -> int:
        return max(column.rect.left() - x, x - column.rect.right(), 0)

    return min(columns, key=distance)
