"""Hit testing: the insertion point at a point of the page."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect

from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.nodes import Level
from batchwright.ui.editor.canvas.hit_testing import IndicatorShape, NodeRect, PageGeometry

# A row of one column with two items, and a row of two columns with an item each.
ONE = NodeRect(
    "r1",
    QRect(16, 20, 600, 208),
    (
        NodeRect(
            "c1",
            QRect(16, 20, 600, 208),
            (NodeRect("a", QRect(16, 20, 600, 100)), NodeRect("b", QRect(16, 128, 600, 100))),
        ),
    ),
)
TWO = NodeRect(
    "r2",
    QRect(16, 236, 600, 100),
    (
        NodeRect("c2", QRect(16, 236, 296, 100), (NodeRect("c", QRect(16, 236, 296, 100)),)),
        NodeRect("c3", QRect(320, 236, 296, 100), (NodeRect("d", QRect(320, 236, 296, 100)),)),
    ),
)
MAP = PageGeometry(NodeRect("p", QRect(0, 0, 632, 700), (ONE, TWO)))


@pytest.mark.parametrize(
    ("x", "y", "parent", "index"),
    [
        pytest.param(300, 10, "p", 0, id="above everything"),
        pytest.param(300, 24, "p", 0, id="at the upper edge of the first row"),
        pytest.param(300, 60, "c1", 0, id="upper half of an item"),
        pytest.param(300, 110, "c1", 1, id="lower half of an item"),
        pytest.param(300, 200, "c1", 2, id="after the last item"),
        pytest.param(300, 232, "p", 1, id="between the rows"),
        pytest.param(30, 120, "r1", 0, id="at the left side of a row with one column"),
        pytest.param(600, 120, "r1", 1, id="at the right side of it"),
        pytest.param(40, 290, "c2", 1, id="a full row leaves its sides to its columns"),
        pytest.param(316, 290, "r2", 1, id="between two columns"),
        pytest.param(400, 260, "c3", 0, id="in the other column"),
        pytest.param(300, 600, "p", 2, id="below everything"),
    ],
)
def test_hit_testing_finds_the_insertion_point_of_an_item(x: int, y: int, parent: str, index: int) -> None:
    assert MAP.indicator_at(QPoint(x, y), Level.ITEM).insertion_point == InsertionPoint(parent, index)


@pytest.mark.parametrize(("y", "index"), [(60, 0), (200, 1), (300, 2)])
def test_a_row_is_dropped_between_rows_at_any_position(y: int, index: int) -> None:
    assert MAP.indicator_at(QPoint(300, y), Level.ROW).insertion_point == InsertionPoint("p", index)


def test_the_drop_zone_beside_a_full_row_exists_for_columns() -> None:
    assert MAP.indicator_at(QPoint(30, 290), Level.COLUMN).insertion_point == InsertionPoint("r2", 0)


def test_drop_indicators_are_horizontal_in_columns_and_vertical_beside_them() -> None:
    assert MAP.indicator_at(QPoint(300, 232), Level.ITEM).shape is IndicatorShape.HORIZONTAL_LINE
    assert MAP.indicator_at(QPoint(30, 120), Level.ITEM).shape is IndicatorShape.VERTICAL_LINE


def test_the_indicator_of_an_empty_page_is_a_box() -> None:
    spot = PageGeometry(NodeRect("p", QRect(0, 0, 600, 400))).indicator_at(QPoint(5, 5), Level.ITEM)
    assert (spot.insertion_point, spot.shape) == (InsertionPoint("p", 0), IndicatorShape.BOX)


def test_rows_move_apart_only_for_an_indicator_between_rows() -> None:
    assert MAP.indicator_at(QPoint(300, 232), Level.ITEM).row_to_shift == 1
    assert MAP.indicator_at(QPoint(300, 60), Level.ITEM).row_to_shift is None


@pytest.mark.parametrize(("x", "parent"), [(30, "c1"), (600, "c1")])
def test_nothing_is_dropped_beside_an_item_of_a_collection(x: int, parent: str) -> None:
    collection = replace(MAP, allows_columns=False)
    assert collection.indicator_at(QPoint(x, 110), Level.ITEM).insertion_point == InsertionPoint(parent, 1)
    assert collection.indicator_at(QPoint(x, 110), Level.COLUMN).insertion_point == InsertionPoint("p", 0)
