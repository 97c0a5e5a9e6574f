"""Keyboard alternatives to dragging: the edits of arrow keys, and insertion points without a pointer."""

from enum import Enum

from batchwright.layout.editing.edits import Edit, MoveColumns, MoveItems, MovePages, MoveRows
from batchwright.layout.editing.selection import Selection, select
from batchwright.layout.editing.tree_edits import MAX_COLUMNS, InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, NodePath


class Direction(Enum):
    """The direction of a move."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    @property
    def is_back(self) -> bool:
        """Whether it is against the reading order."""
        return self in (Direction.UP, Direction.LEFT)

    @property
    def is_horizontal(self) -> bool:
        """Whether it is along a row."""
        return self in (Direction.LEFT, Direction.RIGHT)


def keyboard_move(layout: Layout, keys: tuple[str, ...], direction: Direction) -> Edit | None:
    """The edit that moves nodes one step; None at the end.

    Raises:
        EditRejected: they no longer exist, or are of several levels.
    """
    selection = select(layout, keys)
    match selection.level:
        case Level.PAGE:
            return _page_step(layout, selection, direction)
        case Level.ROW:
            return None if direction.is_horizontal else _row_step(layout, selection, direction)
        case Level.COLUMN:
            return _column_step(layout, selection, direction)
        case Level.ITEM:
            return _item_step(layout, selection, direction)


def insertion_point_for(
    layout: Layout, page: str | None, keys: tuple[str, ...], level: Level
) -> InsertionPoint:
    """The insertion point for pasted nodes of a level: after the selection, as close as possible.

    Without a selection it is the end of the page; for pages, after the page in view.
    """
    paths = list(layout.paths(keys or ((page,) if page is not None else ())).values())
    if not paths:
        return InsertionPoint(None, len(layout.pages))
    last = paths[-1]
    if last.level < level:
        return _end_of(layout, last)
    ancestor = NodePath(*last.indices[: level + 1])
    return InsertionPoint.after(layout, ancestor)


def insertion_point_for_palette_item(
    layout: Layout, page: str | None, keys: tuple[str, ...]
) -> InsertionPoint:
    """The insertion point of a palette item inserted by key: a new row after the selection, or at the end."""
    return insertion_point_for(layout, page, keys, Level.ROW)


def _end_of(layout: Layout, path: NodePath) -> InsertionPoint:
    node = layout.at(path)
    return InsertionPoint(node.key, len(node.children))


def _page_step(layout: Layout, selection: Selection, direction: Direction) -> Edit | None:
    """Move pages one step; at the end, pages that are not adjacent are still gathered there."""
    gap, count = _adjacent_index(selection, direction), len(layout.pages)
    numbers = [path.indices[-1] for path in selection.paths]
    if not 0 <= gap <= count and numbers[-1] - numbers[0] < len(numbers):
        return None
    return MovePages(_keys(selection), InsertionPoint(None, max(0, min(gap, count))))


def _row_step(layout: Layout, selection: Selection, direction: Direction) -> Edit | None:
    path = selection.paths[0]
    page = layout.at(path.parent)
    gap = _adjacent_index(selection, direction)
    if 0 <= gap <= len(page.children):
        return MoveRows(_keys(selection), InsertionPoint(page.key, gap))
    insertion_point = _point_on_adjacent_page(layout, path, direction)
    return None if insertion_point is None else MoveRows(_keys(selection), insertion_point)


def _column_step(layout: Layout, selection: Selection, direction: Direction) -> Edit | None:
    path = selection.paths[0]
    row, page = layout.at(path.parent), layout.at(path.parent.parent)
    if direction.is_horizontal:
        gap = _adjacent_index(selection, direction)
        return (
            None
            if not 0 <= gap <= len(row.children)
            else MoveColumns(_keys(selection), InsertionPoint(row.key, gap))
        )
    number = path.row or 0
    return MoveColumns(
        _keys(selection), InsertionPoint(page.key, number if direction.is_back else number + 1)
    )


def _item_step(layout: Layout, selection: Selection, direction: Direction) -> Edit | None:
    if direction.is_horizontal:
        return _item_across(layout, selection, direction)
    path = selection.paths[0]
    column = layout.at(path.parent)
    gap = _adjacent_index(selection, direction)
    if 0 <= gap <= len(column.children):
        return MoveItems(_keys(selection), InsertionPoint(column.key, gap))
    row_path = NodePath(path.page, path.row)
    if _is_all_of_row(layout, selection, row_path):
        return _row_step(layout, select(layout, (layout.at(row_path).key,)), direction)
    number = path.row or 0
    page = layout.at(row_path.parent)
    return MoveItems(_keys(selection), InsertionPoint(page.key, number if direction.is_back else number + 1))


def _item_across(layout: Layout, selection: Selection, direction: Direction) -> Edit | None:
    """Move items to the other column, to a new column, or beside the adjacent row."""
    path = selection.paths[0]
    row_path = NodePath(path.page, path.row)
    row = layout.at(row_path)
    number = (path.column or 0) + (-1 if direction.is_back else 1)
    if 0 <= number < len(row.children):
        neighbour = row.children[number]
        return MoveItems(
            _keys(selection), InsertionPoint(neighbour.key, min(path.item or 0, len(neighbour.children)))
        )
    if _is_all_of_row(layout, selection, row_path):
        return _join_neighbour(layout, selection, row_path, direction)
    return MoveItems(_keys(selection), InsertionPoint(row.key, 0 if direction.is_back else len(row.children)))


def _join_neighbour(
    layout: Layout, selection: Selection, path: NodePath, direction: Direction
) -> Edit | None:
    """Move items beside the row above, or else beside the row below."""
    rows = layout.at(path.parent).children
    number = path.row or 0
    for neighbour in (number - 1, number + 1):
        if 0 <= neighbour < len(rows) and len(rows[neighbour].children) < MAX_COLUMNS:
            return MoveItems(
                _keys(selection), InsertionPoint(rows[neighbour].key, 0 if direction.is_back else 1)
            )
    return None


def _point_on_adjacent_page(layout: Layout, path: NodePath, direction: Direction) -> InsertionPoint | None:
    """The end of the page before, or the start of the page after."""
    number = (path.page or 0) + (-1 if direction.is_back else 1)
    if not 0 <= number < len(layout.pages):
        return None
    page = layout.pages[number]
    return InsertionPoint(page.key, len(page.children) if direction.is_back else 0)


def _adjacent_index(selection: Selection, direction: Direction) -> int:
    """The index one step further, in the parent of the selection."""
    return selection.paths[0].indices[-1] - 1 if direction.is_back else selection.paths[-1].indices[-1] + 2


def _is_all_of_row(layout: Layout, selection: Selection, path: NodePath) -> bool:
    items = [item.key for column in layout.at(path).children for item in column.children]
    return selection.keys == frozenset(items)


def _keys(selection: Selection) -> tuple[str, ...]:
    return tuple(node.key for node in selection.nodes)
