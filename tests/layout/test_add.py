import pytest

from batchwright.layout.edits import (
    Add,
    AddItem,
    AddPage,
    AddRow,
    Copy,
    Duplicate,
    EditRejected,
    InsertionPoint,
    Paste,
)
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from tests.layout.builders import after, item, picture, sketch


def test_a_part_dropped_on_a_column_stands_where_the_line_was() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("ca", 1)), "ab") == "axb"


def test_a_part_dropped_beside_a_row_with_one_column_makes_it_two() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("ra", 0)), "ab") == "x|ab"


def test_a_part_dropped_beside_two_columns_is_refused() -> None:
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(AddItem((item("x"),), InsertionPoint("ra", 1)), "a|b")


def test_a_part_dropped_between_rows_makes_a_new_row() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("pa", 1)), "a / b") == "a / x / b"


def test_a_part_dropped_on_a_page_without_rows_makes_its_first() -> None:
    assert after(AddItem((item("x"),), InsertionPoint("p-", 0)), "a // -") == "a // x"


def test_a_page_is_added_empty_and_a_row_whole() -> None:
    assert after(AddPage((Page("new", {}),), InsertionPoint(None, 1)), "a // b") == "a // - // b"
    assert after(AddRow(sketch("x|y").pages[0].children, InsertionPoint("pa", 0)), "a") == "x|y / a"


def test_what_is_in_the_layout_already_is_not_added_again() -> None:
    with pytest.raises(EditRejected, match="in the layout already"):
        after(AddItem((item("a"),), InsertionPoint("ca", 0)), "ab")
    with pytest.raises(EditRejected, match="in the layout already"):
        after(AddItem((item("x"), item("x")), InsertionPoint("ca", 0)), "ab")


def test_what_has_no_shape_is_added_where_it_is_put() -> None:
    pasted = Paste((InvalidNode("odd", "?"),), InsertionPoint("pa", 0))(sketch("a"))
    assert [row.key for row in pasted.pages[0].children] == ["odd", "ra"]


def test_a_page_cannot_be_pasted_into_a_page() -> None:
    with pytest.raises(EditRejected, match="A page goes between pages"):
        after(Paste(sketch("x").pages, InsertionPoint("pa", 0)), "a")


def test_a_drag_with_ctrl_held_copies() -> None:
    assert after(Copy(("a", "b"), InsertionPoint("cc", 0)), "ab / c") == "ab / abc"
    assert after(Copy(("ra",), InsertionPoint("pc", 1)), "ab // c") == "ab // c / ab"
    assert after(Copy(("a",), InsertionPoint("pa", 1)), "ab") == "ab / a"


def test_duplicates_stand_after_the_last_of_what_was_selected() -> None:
    assert after(Duplicate(("a", "b")), "abc") == "ababc"
    assert after(Duplicate(("ra",)), "a|b / c") == "a|b / a|b / c"
    assert after(Duplicate(("pa",)), "a // b") == "a // a // b"


def test_duplicates_from_several_columns_stay_in_their_own() -> None:
    assert after(Duplicate(("a", "d", "c")), "ab|cd") == "aab|cdcd"


def test_a_column_of_a_full_row_cannot_be_duplicated() -> None:
    assert after(Duplicate(("ca",)), "a") == "a|a"
    with pytest.raises(EditRejected, match="at most 2 columns"):
        after(Duplicate(("ca",)), "a|b")


def test_duplicates_are_new_entries_without_ids() -> None:
    page = sketch("ab").pages[0]
    assert isinstance(page, Page)
    layout = Layout((page.with_attributes(id="page-1", colour="red"),))
    doubled = Duplicate(("pa",))(layout)
    copy = doubled.pages[1]
    assert isinstance(copy, Page)
    assert copy.attributes == {"colour": "red"}
    assert len({entry.key for entry in doubled.walk_all()}) == 10
    assert doubled.pages[0] is layout.pages[0]


def test_entries_of_several_levels_are_not_copied_together() -> None:
    with pytest.raises(EditRejected, match="only items"):
        after(Copy(("a", "rb"), InsertionPoint("pa", 0)), "a / b")


def test_duplicates_of_several_levels_stay_each_on_its_own() -> None:
    assert after(Duplicate(("ra", "c", "rd", "pf")), "ab / cx / d // f") == "ab / ccx / d / ab / d // f // f"


def test_the_same_edit_gives_the_same_keys_and_another_one_others() -> None:
    layout = sketch("ab")
    edit = Duplicate(("a",))
    assert edit(layout) == edit(layout)
    assert Duplicate(("a",))(layout) != edit(layout)
    assert picture(Duplicate(("a",))(edit(layout))) == "aaab"


def test_every_way_of_adding_has_its_own_name_in_the_undo_menu() -> None:
    labels = {kind.label for kind in (Add, AddItem, AddPage, AddRow, Paste, Copy, Duplicate)}
    assert len(labels) == 7
