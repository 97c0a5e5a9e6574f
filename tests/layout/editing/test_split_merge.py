import pytest

from batchwright.layout.editing.edits import MergeColumns, MergePages, SplitPage, SplitRow
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode
from tests.layout.builders import after, item, sketch


def test_a_row_is_split_into_two_columns_at_an_item() -> None:
    assert after(SplitRow("ra", 1), "abc / d") == "a|bc / d"


def test_a_page_is_split_into_two_at_a_row() -> None:
    assert after(SplitPage("pa", 2), "a / b / c|d // e") == "a / b // c|d // e"


def test_the_second_half_is_new_and_like_the_first() -> None:
    (page,) = sketch("a / b").pages
    assert isinstance(page, Page)
    layout = Layout((page.with_attributes(id="one", display_position="intro"),))
    first, second = SplitPage("pa", 1)(layout).pages
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert first.attributes == {"id": "one", "display_position": "intro"}
    assert second.attributes == {"display_position": "intro"}
    assert second.rows[0] is page.rows[1]


@pytest.mark.parametrize("at", [-1, 0, 2, 9])
def test_a_split_leaves_items_on_both_sides(at: int) -> None:
    with pytest.raises(EditRejected, match="both sides"):
        after(SplitRow("ra", at), "ab")
    with pytest.raises(EditRejected, match="both sides"):
        after(SplitPage("pa", at), "a / b")


def test_only_a_row_with_one_column_is_split() -> None:
    for target in ("ra", "ca", "pa"):
        with pytest.raises(EditRejected, match="one column"):
            after(SplitRow(target, 1), "ab|cd")


def test_only_a_page_is_split_into_pages() -> None:
    with pytest.raises(EditRejected, match="Only a page"):
        after(SplitPage("ra", 1), "ab")


def test_columns_are_merged_into_the_first() -> None:
    layout = sketch("ab|c")
    merged = MergeColumns("ra")(layout)
    assert [node.key for node in merged.walk_all()] == ["pa", "ra", "ca", "a", "b", "c"]
    assert after(MergeColumns("ra"), "a|b|c") == "abc"


def test_pages_are_merged_into_the_first_one() -> None:
    assert after(MergePages(("pd", "pa")), "a / b // c // d") == "a / b / d // c"


def test_merging_requires_two_nodes() -> None:
    with pytest.raises(EditRejected, match="at least two"):
        after(MergeColumns("ra"), "ab")
    with pytest.raises(EditRejected, match="at least two"):
        after(MergeColumns("a"), "ab")
    with pytest.raises(EditRejected, match="at least two"):
        after(MergePages(("pa",)), "a // b")


def test_invalid_nodes_are_not_lost_by_merging() -> None:
    layout = Layout((Page("p", {}, (Row("r", {}, (Column("c", {}, (item("a"),)), InvalidNode("odd", 5))),)),))
    with pytest.raises(EditRejected, match="Remove it first"):
        MergeColumns("r")(layout)
    with pytest.raises(EditRejected, match="Only pages"):
        MergePages(("p", "odd"))(Layout((Page("p", {}), InvalidNode("odd", 5))))


def test_splitting_and_merging_removed_nodes_is_rejected() -> None:
    for edit in (SplitRow("z", 1), SplitPage("z", 1), MergeColumns("z"), MergePages(("pa", "z"))):
        with pytest.raises(EditRejected, match="no longer in the layout"):
            after(edit, "ab")
