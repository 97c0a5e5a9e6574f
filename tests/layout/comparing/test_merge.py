"""Merging two versions of a layout: nothing is lost, and what cannot be decided is a conflict."""

import re
from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.layout.comparing.merge import ConflictKind, Merge, MergeSide, merge_layouts
from batchwright.layout.editing.edits import MoveItems, Remove, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from tests.layout.builders import picture, sketch


def merged(base: str, mine: str, theirs: str) -> Merge:
    return merge_layouts(sketch(base), sketch(mine), sketch(theirs))


def merged_sketch(base: str, mine: str, theirs: str) -> str:
    merge = merged(base, mine, theirs)
    assert not merge.conflicts
    return picture(merge.layout)


def rewritten(layout: Layout, key: str, text: str) -> Layout:
    return SetAttributes(key, {"description": text})(layout)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        ("ab", "abc", "abd", "abcd"),
        ("ab", "a", "abd", "ad"),
        ("ab / c", "ab / c / d", "ab", "ab / d"),
        ("a // b", "x // a // b", "a // b // y", "x // a // b // y"),
        ("ab // c", "ab", "ab // c // d", "ab // d"),
        ("abc", "acb", "abcd", "acdb"),
        ("x / a / b", "x / b / a", "x / a / b / c", "x / b / c / a"),
    ],
)
def test_changes_at_different_nodes_are_combined(base: str, mine: str, theirs: str, expected: str) -> None:
    assert merged_sketch(base, mine, theirs) == expected


def test_a_row_from_which_both_sides_remove_everything_is_removed() -> None:
    base = sketch("x / ab")
    merge = merge_layouts(base, Remove(("a",))(base), Remove(("b",))(base))
    assert (picture(merge.layout), merge.conflicts) == ("x", ())


def test_a_text_of_one_side_and_a_move_of_the_other_are_combined() -> None:
    base = sketch("ab / c")
    mine = MoveItems(("a",), InsertionPoint("cc", 0))(base)
    merge = merge_layouts(base, mine, rewritten(base, "a", "x"))
    assert (picture(merge.layout), merge.conflicts) == ("b / xc", ())


def test_the_same_change_of_both_sides_is_no_conflict() -> None:
    base = sketch("ab")
    changed = rewritten(base, "a", "x")
    assert merge_layouts(base, changed, rewritten(base, "a", "x")) == Merge(changed, ())


@pytest.mark.parametrize(("side", "expected"), [(MergeSide.MINE, "xb"), (MergeSide.THEIRS, "yb")])
def test_two_texts_for_one_item_are_a_conflict(side: MergeSide, expected: str) -> None:
    base = sketch("ab")
    mine, theirs = rewritten(base, "a", "x"), rewritten(base, "a", "y")
    (conflict,) = merge_layouts(base, mine, theirs).conflicts
    assert (conflict.kind, conflict.key) == (ConflictKind.ATTRIBUTES, "a")
    merge = merge_layouts(base, mine, theirs, {conflict.identity: side})
    assert (picture(merge.layout), merge.conflicts) == (expected, (conflict,))


@pytest.mark.parametrize(("side", "expected"), [(MergeSide.MINE, "a"), (MergeSide.THEIRS, "a // xc")])
def test_a_page_that_one_side_removes_and_the_other_changes_is_one_conflict(
    side: MergeSide, expected: str
) -> None:
    base = sketch("a // bc")
    mine, theirs = Remove(("pb",))(base), rewritten(base, "b", "x")
    (conflict,) = merge_layouts(base, mine, theirs).conflicts
    assert (conflict.kind, conflict.key, conflict.mine) == (ConflictKind.REMOVED_BY_ME, "pb", None)
    assert picture(merge_layouts(base, mine, theirs, {conflict.identity: side}).layout) == expected


@pytest.mark.parametrize(("side", "expected"), [(MergeSide.MINE, "a // xc"), (MergeSide.THEIRS, "a")])
def test_a_page_that_they_remove_stays_unless_their_side_is_chosen(side: MergeSide, expected: str) -> None:
    base = sketch("a // bc")
    mine, theirs = rewritten(base, "b", "x"), Remove(("pb",))(base)
    (conflict,) = merge_layouts(base, mine, theirs).conflicts
    assert conflict.kind is ConflictKind.REMOVED_BY_THEM
    assert picture(merge_layouts(base, mine, theirs, {conflict.identity: side}).layout) == expected


@pytest.mark.parametrize(("side", "expected"), [(MergeSide.MINE, "a // c"), (MergeSide.THEIRS, "ax // c")])
def test_an_item_that_they_change_and_move_out_of_a_page_that_both_remove_is_a_conflict(
    side: MergeSide, expected: str
) -> None:
    base = sketch("a // b // c")
    mine = Remove(("pb",))(base)
    theirs = rewritten(Remove(("pb",))(MoveItems(("b",), InsertionPoint("ca", 1))(base)), "b", "x")
    (conflict,) = merge_layouts(base, mine, theirs).conflicts
    assert (conflict.kind, conflict.key) == (ConflictKind.REMOVED_BY_ME, "pb")
    assert picture(merge_layouts(base, mine, theirs, {conflict.identity: side}).layout) == expected


def test_two_places_for_one_item_and_two_orders_are_conflicts() -> None:
    base = sketch("ab / c / d")
    mine = MoveItems(("a",), InsertionPoint("cc", 0))(base)
    theirs = MoveItems(("a",), InsertionPoint("cd", 0))(base)
    assert [conflict.kind for conflict in merge_layouts(base, mine, theirs).conflicts] == [
        ConflictKind.PARENT
    ]
    assert [conflict.kind for conflict in merged("xabc", "xbac", "xacb").conflicts] == [ConflictKind.ORDER]


def test_a_row_that_both_sides_widen_continues_in_another_row() -> None:
    assert merged_sketch("a", "a|b", "a|c") == "a|b / c"


def test_an_item_that_was_moved_into_a_removed_row_stays_where_it_was() -> None:
    base = sketch("a / b")
    removed, moved = Remove(("b",))(base), MoveItems(("a",), InsertionPoint("cb", 0))(base)
    for mine, theirs, side in ((removed, moved, MergeSide.MINE), (moved, removed, MergeSide.THEIRS)):
        (conflict,) = merge_layouts(base, mine, theirs).conflicts
        merge = merge_layouts(base, mine, theirs, {conflict.identity: side})
        assert (picture(merge.layout), conflict.key) == ("a", "rb")
        other = MergeSide.THEIRS if side is MergeSide.MINE else MergeSide.MINE
        merge = merge_layouts(base, mine, theirs, {conflict.identity: other})
        assert picture(merge.layout) == "ab"


def test_an_item_that_both_sides_move_into_what_the_other_removes_is_kept_once() -> None:
    base = sketch("a / b / c")
    mine = Remove(("c",))(MoveItems(("a",), InsertionPoint("cb", 0))(base))
    theirs = Remove(("b",))(MoveItems(("a",), InsertionPoint("cc", 0))(base))
    conflicts = [conflict.identity for conflict in merge_layouts(base, mine, theirs).conflicts]
    for sides in product(MergeSide, repeat=len(conflicts)):
        merge = merge_layouts(base, mine, theirs, dict(zip(conflicts, sides, strict=True)))
        assert picture(merge.layout).count("a") == 1


def layouts() -> st.SearchStrategy[Layout]:
    """Versions of one layout: some of twelve items, in some order, in rows of their own on up to 3 pages."""
    letters = st.lists(st.sampled_from("abcdefghijkl"), unique=True, min_size=1, max_size=8)
    pages = st.lists(st.integers(1, 3), min_size=8, max_size=8)

    def drawing(order: list[str], numbers: list[int]) -> str:
        rows = [
            " / ".join(key for key, page in zip(order, numbers, strict=False) if page == n) for n in (1, 2, 3)
        ]
        return " // ".join(row for row in rows if row)

    return st.builds(lambda order, numbers: sketch(drawing(order, numbers)), letters, pages)


@settings(max_examples=200)
@given(layouts(), layouts())
def test_the_changes_of_one_side_alone_give_its_version(base: Layout, changed: Layout) -> None:
    assert merge_layouts(base, changed, base) == Merge(changed, ())
    assert merge_layouts(base, base, changed) == Merge(changed, ())
    assert merge_layouts(base, changed, changed) == Merge(changed, ())


@settings(max_examples=200)
@given(layouts(), layouts(), layouts())
def test_no_node_is_twice_and_nothing_new_is_lost(base: Layout, mine: Layout, theirs: Layout) -> None:
    merge = merge_layouts(base, mine, theirs)
    keys = [node.key for node in merge.layout.walk_all()]
    assert len(keys) == len(set(keys))
    old, mine_keys, their_keys = (
        {item.key for _path, item in layout.walk()} for layout in (base, mine, theirs)
    )
    if not merge.conflicts:
        assert ((mine_keys | their_keys) - old) | (old & mine_keys & their_keys) <= set(keys)
        assert not (old - mine_keys - their_keys) & set(keys)


def grouped_layouts() -> st.SearchStrategy[Layout]:
    """Versions of one layout, with up to four items in a column and two columns in a row."""
    letters = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)
    gaps = st.lists(st.sampled_from(["", "", "|", " / ", " // "]), min_size=8, max_size=8)

    def drawing(order: list[str], between: list[str]) -> str:
        text = "".join(chain.from_iterable(zip(order, between, strict=False))).rstrip(" |/")
        return re.sub(r"(\|\w+)\|", r"\1 / ", text)

    return st.builds(lambda order, between: sketch(drawing(order, between)), letters, gaps)


@settings(max_examples=300)
@given(grouped_layouts(), grouped_layouts(), grouped_layouts(), st.data())
def test_an_item_of_both_sides_is_kept_whatever_is_chosen(
    base: Layout, mine: Layout, theirs: Layout, data: st.DataObject
) -> None:
    conflicts = merge_layouts(base, mine, theirs).conflicts
    choices = {each.identity: data.draw(st.sampled_from(MergeSide)) for each in conflicts}
    mine_keys, their_keys, merged_keys = (
        {item.key for _path, item in layout.walk()}
        for layout in (mine, theirs, merge_layouts(base, mine, theirs, choices).layout)
    )
    assert mine_keys & their_keys <= merged_keys


@settings(max_examples=300)
@given(grouped_layouts(), grouped_layouts(), grouped_layouts())
def test_what_they_have_changed_is_kept_if_their_side_is_chosen(
    base: Layout, mine: Layout, theirs: Layout
) -> None:
    for _path, item in theirs.walk():
        theirs = rewritten(theirs, item.key, "x")
    conflicts = merge_layouts(base, mine, theirs).conflicts
    merge = merge_layouts(base, mine, theirs, {each.identity: MergeSide.THEIRS for each in conflicts})
    merged_keys = {item.key for _path, item in merge.layout.walk()}
    assert {item.key for _path, item in theirs.walk()} <= merged_keys
