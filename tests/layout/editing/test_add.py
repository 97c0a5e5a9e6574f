import pytest

from batchwright.layout.editing.edits import Add, AddItem, AddPage, Copy, Duplicate, Paste
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.serialization import read, sequential_keys
from tests.call_counts import count_calls
from tests.layout.builders import after, item, picture, sketch


def test_a_new_item_dropped_on_a_column_is_inserted_at_the_indicator() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("ca", 1)), "ab") == "axb"


def test_an_item_dropped_next_to_a_single_column_creates_a_second_column() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("ra", 0)), "ab") == "x|ab"


def test_an_item_dropped_next_to_two_columns_is_rejected() -> None:
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(AddItem((item("x"),), InsertionPoint("ra", 1)), "a|b")


def test_a_new_item_dropped_between_rows_creates_a_row() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("pa", 1)), "a / b") == "a / x / b"


def test_an_item_dropped_on_an_empty_page_creates_its_first_row() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("p-", 0)), "a // -") == "a // x"


def test_an_added_page_is_empty_and_an_added_row_has_its_content() -> None:
    assert after(AddPage((Page("new", {}),), InsertionPoint(None, 1)), "a // b") == "a // - // b"
    assert after(Add(sketch("x|y").pages[0].children, InsertionPoint("pa", 0)), "a") == "x|y / a"


def test_a_node_of_the_layout_is_not_added_again() -> None:
    with pytest.raises(EditRejected, match="in the layout already"):
        after(AddItem((item("a"),), InsertionPoint("ca", 0)), "ab")
    with pytest.raises(EditRejected, match="in the layout already"):
        after(AddItem((item("x"), item("x")), InsertionPoint("ca", 0)), "ab")


def test_an_invalid_node_is_added_where_it_is_dropped() -> None:
    pasted = Paste((InvalidNode("odd", "?"),), InsertionPoint("pa", 0))(sketch("a"))
    assert [row.key for row in pasted.pages[0].children] == ["odd", "ra"]


def test_a_page_cannot_be_pasted_into_a_page() -> None:
    with pytest.raises(EditRejected, match="Pages can only be placed between pages"):
        after(Paste(sketch("x").pages, InsertionPoint("pa", 0)), "a")


def test_a_drag_with_ctrl_pressed_copies() -> None:
    assert after(Copy(("a", "b"), InsertionPoint("cc", 0)), "ab / c") == "ab / abc"
    assert after(Copy(("ra",), InsertionPoint("pc", 1)), "ab // c") == "ab // c / ab"
    assert after(Copy(("a",), InsertionPoint("pa", 1)), "ab") == "ab / a"


def test_duplicates_are_inserted_after_the_last_selected_node() -> None:
    assert after(Duplicate(("a", "b")), "abc") == "ababc"
    assert after(Duplicate(("ra",)), "a|b / c") == "a|b / a|b / c"
    assert after(Duplicate(("pa",)), "a // b") == "a // a // b"


def test_duplicates_from_several_columns_are_inserted_into_their_own() -> None:
    assert after(Duplicate(("a", "d", "c")), "ab|cd") == "aab|cdcd"


def test_duplicating_twice_as_many_rows_is_no_more_than_thrice_the_work() -> None:
    def work(rows: int) -> int:
        layout = read([{"rows": [{"columns": [{"items": [{}]}]}] * rows}], sequential_keys())
        duplicate = Duplicate(tuple(item.key for _path, item in layout.walk()))
        return count_calls(lambda: duplicate(layout))

    assert work(80) < 3 * work(40)


def test_a_column_of_a_full_row_cannot_be_duplicated() -> None:
    assert after(Duplicate(("ca",)), "a") == "a|a"
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(Duplicate(("ca",)), "a|b")


def test_duplicates_are_new_nodes_without_ids() -> None:
    page = sketch("ab").pages[0]
    assert isinstance(page, Page)
    layout = Layout((page.with_attributes(id="page-1", colour="red"),))
    doubled = Duplicate(("pa",))(layout)
    copy = doubled.pages[1]
    assert isinstance(copy, Page)
    assert copy.attributes == {"colour": "red"}
    assert len({node.key for node in doubled.walk_all()}) == 10
    assert doubled.pages[0] is layout.pages[0]


def test_nodes_of_several_levels_are_not_copied_together() -> None:
    with pytest.raises(EditRejected, match="only items"):
        after(Copy(("a", "rb"), InsertionPoint("pa", 0)), "a / b")


def test_duplicates_of_several_levels_are_inserted_at_their_own_level() -> None:
    assert after(Duplicate(("ra", "c", "rd", "pf")), "ab / cx / d // f") == "ab / ccx / d / ab / d // f // f"


def test_the_same_edit_creates_the_same_keys() -> None:
    layout = sketch("ab")
    edit = Duplicate(("a",))
    assert edit(layout) == edit(layout)
    assert Duplicate(("a",))(layout) != edit(layout)
    assert picture(Duplicate(("a",))(edit(layout))) == "aaab"


def test_every_way_of_adding_has_its_own_name_in_the_undo_menu() -> None:
    labels = {kind.label for kind in (Add, AddItem, AddPage, Paste, Copy, Duplicate)}
    assert len(labels) == 6
