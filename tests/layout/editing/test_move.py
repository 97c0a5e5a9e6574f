import pytest

from batchwright.layout.editing.edits import Edit, MoveColumns, MoveItems, MovePages, MoveRows
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode
from tests.layout.builders import after, item, picture, sketch

END = 99


@pytest.mark.parametrize(
    ("keys", "gap", "before", "expected"),
    [
        (("a",), InsertionPoint("ca", 2), "abc", "bac"),
        (("c",), InsertionPoint("ca", 0), "abc", "cab"),
        (("a",), InsertionPoint("ca", END), "abc", "bca"),
        (("a",), InsertionPoint("cc", 0), "ab|c", "b|ac"),
        (("a", "c"), InsertionPoint("cd", 1), "abc / de", "b / dace"),
        (("c", "a"), InsertionPoint("cd", END), "abc // de", "b // deac"),
    ],
)
def test_items_move_to_the_indicated_position_in_a_column(
    keys: tuple[str, ...], gap: InsertionPoint, before: str, expected: str
) -> None:
    assert after(MoveItems(keys, gap), before) == expected


@pytest.mark.parametrize("index", [0, 1])
def test_dropping_an_item_next_to_itself_changes_nothing(index: int) -> None:
    layout = sketch("ab")
    assert MoveItems(("a",), InsertionPoint("ca", index))(layout) == layout


def test_items_dropped_next_to_a_column_create_a_second_one() -> None:
    assert after(MoveItems(("b", "c"), InsertionPoint("ra", 1)), "abc") == "a|bc"
    assert after(MoveItems(("d",), InsertionPoint("ra", 0)), "ab / cd") == "d|ab / c"


def test_items_dropped_between_rows_create_a_row() -> None:
    assert after(MoveItems(("a",), InsertionPoint("pa", 1)), "ab / c") == "b / a / c"


def test_items_dropped_between_pages_create_a_page() -> None:
    assert after(MoveItems(("a",), InsertionPoint(None, 0)), "ab // c") == "a // b // c"


def test_a_column_and_a_row_emptied_by_a_move_are_removed() -> None:
    assert after(MoveItems(("a",), InsertionPoint("cb", 1)), "a|b") == "ba"
    assert after(MoveItems(("a",), InsertionPoint("cb", 1)), "a / b") == "ba"
    assert after(MoveItems(("a", "b"), InsertionPoint("cc", 0)), "a|b / c") == "abc"


def test_a_page_emptied_by_a_move_is_not_removed() -> None:
    assert after(MoveItems(("a",), InsertionPoint("cb", 0)), "a // b") == "- // ab"
    assert after(MoveRows(("ra",), InsertionPoint("pb", 0)), "a // b") == "- // a / b"


def test_a_previously_empty_column_is_not_removed() -> None:
    layout = Layout(
        (Page("p", {}, (Row("r", {}, (Column("empty", {}), Column("c", {}, (item("a"), item("b"))))),)),)
    )
    moved = MoveItems(("a",), InsertionPoint("c", 2))(layout)
    assert moved.find("empty") == Column("empty", {})
    assert picture(moved) == "|ba"


def test_moving_all_items_of_a_row_between_rows_moves_the_row() -> None:
    layout = sketch("a|b / c")
    moved = MoveItems(("a", "b"), InsertionPoint("pa", 2))(layout)
    assert picture(moved) == "c / ab"
    alone = MoveItems(("c",), InsertionPoint("pa", 0))(layout)
    assert picture(alone) == "c / a|b"
    assert alone.find("rc") is layout.find("rc")


def test_moving_all_items_of_a_column_next_to_another_moves_the_column() -> None:
    layout = sketch("ab|cd")
    moved = MoveItems(("c", "d"), InsertionPoint("ra", 0))(layout)
    assert picture(moved) == "cd|ab"
    assert moved.find("cc") is layout.find("cc")


def test_moving_all_rows_of_a_page_between_pages_moves_the_page() -> None:
    layout = sketch("a / b // c")
    moved = MoveRows(("ra", "rb"), InsertionPoint(None, 2))(layout)
    assert picture(moved) == "c // a / b"
    assert moved.find("pa") is layout.find("pa")


def test_a_third_column_is_rejected() -> None:
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(MoveItems(("a",), InsertionPoint("rc", 1)), "ab / c|d")
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(MoveColumns(("ca",), InsertionPoint("rb", 0)), "a / b|c")


def test_three_columns_dropped_between_rows_are_rejected() -> None:
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(MoveColumns(("ca", "cb", "cc"), InsertionPoint("pa", 0)), "a|b / c|d")


def test_the_columns_of_a_full_row_can_be_swapped() -> None:
    assert after(MoveColumns(("ca",), InsertionPoint("ra", 2)), "a|b") == "b|a"
    assert after(MoveItems(("a",), InsertionPoint("ra", 2)), "a|b") == "b|a"


def test_the_columns_of_a_row_with_three_can_be_reordered() -> None:
    assert after(MoveColumns(("cc",), InsertionPoint("ra", 0)), "a|b|c") == "c|a|b"


def test_columns_move_to_another_row_and_between_rows() -> None:
    assert after(MoveColumns(("cb",), InsertionPoint("rc", 0)), "a|b / c") == "a / b|c"
    assert after(MoveColumns(("ca",), InsertionPoint("pa", 2)), "a|b / c") == "b / c / a"


def test_rows_move_on_their_page_to_another_and_between_pages() -> None:
    assert after(MoveRows(("ra",), InsertionPoint("pa", 2)), "a / b / c") == "b / a / c"
    assert after(MoveRows(("ra", "rb"), InsertionPoint("pc", END)), "a / b // c") == "- // c / a / b"
    assert after(MoveRows(("rb",), InsertionPoint(None, 0)), "a / b") == "b // a"


def test_pages_move_between_pages() -> None:
    assert after(MovePages(("pa",), InsertionPoint(None, 2)), "a // b // c") == "b // a // c"
    assert after(MovePages(("pa", "pc"), InsertionPoint(None, 2)), "a // b // c // d") == "b // a // c // d"


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (MovePages(("pa",), InsertionPoint("pc", 0)), "Pages can only be placed between pages"),
        (MoveRows(("ra",), InsertionPoint("rc", 0)), "Rows can only be placed between rows"),
        (MoveRows(("ra",), InsertionPoint("ra", 0)), "Rows can only be placed between rows"),
        (MoveColumns(("ca",), InsertionPoint("cc", 0)), "Columns can only be placed beside columns"),
        (MoveItems(("a",), InsertionPoint("c", 0)), "This cannot contain anything"),
    ],
)
def test_a_node_dropped_too_deep_is_rejected_with_the_valid_levels(edit: Edit, sentence: str) -> None:
    with pytest.raises(EditRejected, match=sentence):
        after(edit, "ab // c")


def test_a_move_to_a_removed_target_is_rejected() -> None:
    for edit in (
        MoveItems(("z",), InsertionPoint("ca", 0)),
        MoveItems(("a", "z"), InsertionPoint("ca", 0)),
        MoveItems((), InsertionPoint("ca", 0)),
    ):
        with pytest.raises(EditRejected, match="no longer in the layout"):
            after(edit, "ab")
    with pytest.raises(EditRejected, match="no longer in the layout"):
        after(MoveItems(("a",), InsertionPoint("cz", 0)), "ab")


def test_nodes_of_several_levels_are_not_moved_together() -> None:
    with pytest.raises(EditRejected, match="only items"):
        after(MoveItems(("a", "rb"), InsertionPoint("pa", 0)), "a / b")


def test_an_item_inside_a_selected_row_is_moved_with_the_row() -> None:
    assert after(MoveRows(("rb", "b"), InsertionPoint("pa", 0)), "a / bc") == "bc / a"


def test_rows_are_not_moved_as_items() -> None:
    with pytest.raises(EditRejected, match="does not match this move"):
        after(MoveItems(("ra",), InsertionPoint("pb", 0)), "a // b")


def test_an_invalid_node_can_be_moved() -> None:
    layout = Layout((*sketch("a // b").pages, InvalidNode("odd", 5)))
    moved = MovePages(("odd",), InsertionPoint(None, 0))(layout)
    assert [page.key for page in moved.pages] == ["odd", "pa", "pb"]
    with pytest.raises(EditRejected, match="This cannot contain anything"):
        MoveRows(("ra",), InsertionPoint("odd", 0))(layout)


def test_repeating_a_move_returns_the_same_layout() -> None:
    edit = MoveItems(("a",), InsertionPoint("pa", 0))
    layout = sketch("ab")
    assert edit(layout) == edit(layout)


def test_repeating_a_move_creates_no_duplicate_key() -> None:
    edit = MoveItems(("a",), InsertionPoint("pa", 0))
    once = edit(sketch("ab / cd"))
    (created,) = once.pages[0].children[0].children
    with pytest.raises(EditRejected, match="in the layout already"):
        edit(MoveItems(("c",), InsertionPoint(created.key, 0))(once))


def test_pages_that_a_move_does_not_touch_are_the_same_objects() -> None:
    layout = sketch("ab // c // d")
    moved = MoveItems(("a",), InsertionPoint("cc", 0))(layout)
    assert moved.pages[2] is layout.pages[2]
    assert moved.pages[0] is not layout.pages[0]
