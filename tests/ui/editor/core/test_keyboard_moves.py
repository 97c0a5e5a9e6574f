"""Moving nodes by keyboard, as by drag and drop: one step in a direction is one edit."""

import pytest

from batchwright.layout.nodes import Level
from batchwright.ui.editor.core.keyboard_moves import (
    Direction,
    insertion_point_for,
    insertion_point_for_palette_item,
    keyboard_move,
)
from tests.layout.builders import picture, sketch


def stepped(drawing: str, keys: str, direction: Direction) -> str | None:
    """The layout after a step; None if there is no step."""
    layout = sketch(drawing)
    edit = keyboard_move(layout, tuple(keys.split()), direction)
    return None if edit is None else picture(edit(layout))


UP, DOWN, LEFT, RIGHT = Direction


@pytest.mark.parametrize(
    ("drawing", "keys", "direction", "expected"),
    [
        pytest.param("abc", "b", UP, "bac", id="an item goes up in its column"),
        pytest.param("abc", "b", DOWN, "acb", id="an item goes down in its column"),
        pytest.param("abc", "a b", DOWN, "cab", id="several go together"),
        pytest.param("x / ab", "a", UP, "x / a / b", id="the first item leaves its column upwards"),
        pytest.param("ab / x", "b", DOWN, "a / b / x", id="the last item leaves its column downwards"),
        pytest.param("a / b", "b", UP, "b / a", id="an item alone in its row goes over the row above"),
        pytest.param("a / b // c", "b", DOWN, "a // b / c", id="the last row goes on to the next page"),
        pytest.param("a // b / c", "b", UP, "a / b // c", id="the first row goes back to the page before"),
        pytest.param("ab", "b", RIGHT, "a|b", id="an item goes beside the rest of its column"),
        pytest.param("ab", "b", LEFT, "b|a", id="or to the left of it"),
        pytest.param("ab|c", "a", RIGHT, "b|ac", id="an item goes into the other column"),
        pytest.param("a / b", "b", RIGHT, "a|b", id="an item alone in its row joins the row above"),
        pytest.param("a / b", "a", RIGHT, "b|a", id="the first one joins the row below"),
        pytest.param("a|b", "ca", RIGHT, "b|a", id="columns change places"),
        pytest.param("a|b / c", "cb", DOWN, "a / b / c", id="a column becomes a row of its own"),
        pytest.param("a / b / c", "ra", DOWN, "b / a / c", id="a row goes down"),
        pytest.param("a // b // c", "pb", UP, "b // a // c", id="a page goes up"),
    ],
)
def test_a_step_moves_the_selected_nodes(
    drawing: str, keys: str, direction: Direction, expected: str
) -> None:
    assert stepped(drawing, keys, direction) == expected


@pytest.mark.parametrize(
    ("drawing", "keys", "direction"),
    [("a", "a", UP), ("a", "ra", DOWN), ("a", "a", RIGHT), ("a // b", "pa", UP), ("a", "ra", LEFT)],
)
def test_a_move_beyond_the_edge_is_not_a_step(drawing: str, keys: str, direction: Direction) -> None:
    assert stepped(drawing, keys, direction) is None


def test_an_inserted_item_becomes_a_row_after_the_selected_one() -> None:
    gap = insertion_point_for_palette_item(sketch("a / b|c / d"), "pa", ("b",))
    assert (gap.parent, gap.index) == ("pa", 2)


def test_without_a_selection_an_item_is_inserted_at_the_end_of_the_page() -> None:
    gap = insertion_point_for_palette_item(sketch("a / b // c"), "pa", ())
    assert (gap.parent, gap.index) == ("pa", 2)


@pytest.mark.parametrize(
    ("level", "expected"),
    [(Level.ITEM, ("ca", 1)), (Level.COLUMN, ("ra", 1)), (Level.ROW, ("pa", 1)), (Level.PAGE, (None, 1))],
)
def test_pasted_nodes_are_inserted_after_the_selection(
    level: Level, expected: tuple[str | None, int]
) -> None:
    gap = insertion_point_for(sketch("ab / c"), "pa", ("a",), level)
    assert (gap.parent, gap.index) == expected
