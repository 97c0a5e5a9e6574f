"""Two layouts are compared node by node, by key."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, json_equal
from batchwright.layout.comparing.comparison import Change, LayoutComparison, compare_layouts
from batchwright.layout.editing.edits import (
    Duplicate,
    Edit,
    MergeColumns,
    MoveItems,
    MovePages,
    Remove,
    SetAttributes,
    SplitPage,
)
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Level, Node, NodePath, ObjectNode
from batchwright.layout.serialization import derived_keys, node_to_json, read, sequential_keys
from tests.layout.builders import item, sketch
from tests.layout.random_layouts import any_pages


def changes(comparison: LayoutComparison) -> dict[str, tuple[Change, ...]]:
    """What happened to each node that is not unchanged."""
    return {node.key: node.changes for node in comparison.nodes if node.changes != (Change.UNCHANGED,)}


def after_edit(drawing: str, edit: Edit) -> dict[str, tuple[Change, ...]]:
    before = sketch(drawing)
    return changes(compare_layouts(before, edit(before)))


ADDED, REMOVED, MOVED, CHANGED = (Change.ADDED,), (Change.REMOVED,), (Change.MOVED,), (Change.CHANGED,)


def test_the_same_layout_is_unchanged() -> None:
    layout = sketch("ab|c / d // e")
    comparison = compare_layouts(layout, layout)
    assert comparison.is_equal
    assert comparison.count(Level.ITEM, Change.UNCHANGED) == 5
    assert [node.key for node in comparison.nodes] == [node.key for node in layout.walk_all()]


def test_inserting_before_a_node_does_not_move_it() -> None:
    after = sketch("xab").with_node(NodePath(0), sketch("ab").pages[0])
    added = Layout((sketch("x").pages[0], *after.pages))
    assert changes(compare_layouts(sketch("ab"), added)) == {
        "px": ADDED,
        "rx": ADDED,
        "cx": ADDED,
        "x": ADDED,
    }


def test_removing_a_node_does_not_move_those_behind_it() -> None:
    assert after_edit("abc", Remove(("a",))) == {"a": REMOVED}


def test_removing_the_last_item_of_a_row_removes_what_was_around_it() -> None:
    assert after_edit("ab / c", Remove(("c",))) == {"rc": REMOVED, "cc": REMOVED, "c": REMOVED}


@pytest.mark.parametrize(
    ("key", "index", "moved"), [("a", 4, {"a"}), ("d", 0, {"d"}), ("b", 4, {"b"}), ("c", 0, {"c"})]
)
def test_only_the_item_that_was_moved_is_moved(key: str, index: int, moved: set[str]) -> None:
    result = after_edit("abcd", MoveItems((key,), InsertionPoint("ca", index)))
    assert result == dict.fromkeys(moved, MOVED)


def test_of_two_that_change_places_one_is_moved() -> None:
    assert list(after_edit("ab", MoveItems(("b",), InsertionPoint("ca", 0))).values()) == [MOVED]


def test_an_item_in_another_column_is_moved() -> None:
    assert after_edit("ab|c", MoveItems(("b",), InsertionPoint("cc", 0))) == {"b": MOVED}


def test_the_items_of_a_moved_page_are_not_moved_themselves() -> None:
    assert after_edit("a // b // c", MovePages(("pc",), InsertionPoint(None, 0))) == {"pc": MOVED}


def test_a_split_page_has_moved_rows() -> None:
    result = after_edit("a / b / c", SplitPage("pa", 1))
    assert sorted(result.values(), key=str) == sorted([ADDED, MOVED, MOVED], key=str)
    assert {result["rb"], result["rc"]} == {MOVED}


def test_merged_columns_keep_their_items() -> None:
    result = after_edit("a|b", MergeColumns("ra"))
    assert result["b"] == MOVED
    assert Change.ADDED not in itertools.chain.from_iterable(result.values())


def test_a_duplicate_is_added() -> None:
    assert list(after_edit("ab", Duplicate(("a",))).values()) == [ADDED]


def test_a_changed_item_lists_old_and_new_values_and_its_column_is_unchanged() -> None:
    before = sketch("ab")
    after = SetAttributes("a", {"description": "Why?", "optional": None})(before)
    comparison = compare_layouts(before, after)
    assert changes(comparison) == {"a": CHANGED}
    differences = {
        (entry.name, entry.before, entry.after, entry.was_set, entry.is_set)
        for entry in comparison.by_key["a"].attributes
    }
    assert ("description", "a", "Why?", True, True) in differences


@pytest.mark.parametrize(
    ("old", "new", "is_changed"),
    [
        (1, 1, False),
        (1, 1.0, True),
        (1, True, True),
        ([1], (1,), False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        (None, 0, True),
    ],
)
def test_values_are_compared_as_json(old: Json, new: Json, is_changed: bool) -> None:
    layouts = [read([{"rows": [], "x": value}], sequential_keys()) for value in (old, new)]
    assert bool(compare_layouts(*layouts).by_key["0"].attributes) == is_changed


def test_an_attribute_that_is_null_differs_from_one_that_is_not_set() -> None:
    pages: list[Json] = [{"rows": []}, {"rows": [], "x": None}]
    before, after = (read([page], sequential_keys()) for page in pages)
    (entry,) = compare_layouts(before, after).by_key["0"].attributes
    assert (entry.name, entry.before, entry.after, entry.was_set, entry.is_set) == (
        "x",
        None,
        None,
        False,
        True,
    )


def test_a_node_can_be_moved_and_changed() -> None:
    before = sketch("ab|c")
    edited = SetAttributes("b", {"description": "Why?"})(before)
    after = MoveItems(("b",), InsertionPoint("cc", 0))(edited)
    comparison = compare_layouts(before, after)
    assert comparison.by_key["b"].changes == (Change.MOVED, Change.CHANGED)
    assert comparison.count(Level.ITEM, Change.MOVED) == comparison.count(Level.ITEM, Change.CHANGED) == 1
    node = comparison.by_key["b"]
    assert (node.path_before, node.path_after) == (NodePath(0, 0, 0, 1), NodePath(0, 0, 1, 0))


def test_a_key_at_another_level_is_another_node() -> None:
    before = read([{"rows": [{"columns": []}]}], iter("ab"))
    after = read([{"rows": [{"columns": []}]}], iter("ba"))
    comparison = compare_layouts(before, after)
    found = [(node.key, node.level, *node.changes) for node in comparison.nodes]
    assert found == [
        ("b", Level.PAGE, Change.ADDED),
        ("a", Level.ROW, Change.ADDED),
        ("a", Level.PAGE, Change.REMOVED),
        ("b", Level.ROW, Change.REMOVED),
    ]
    assert comparison.by_key["a"].level is Level.ROW


def test_invalid_values_are_compared_too() -> None:
    before, after = (read([value], sequential_keys()) for value in (5, "page"))
    (entry,) = compare_layouts(before, after).by_key["0"].attributes
    assert (entry.name, entry.before, entry.after) == ("", 5, "page")


@given(any_pages(), any_pages())
def test_all_nodes_are_compared_once_and_both_directions_agree(first: list[Json], second: list[Json]) -> None:
    before, after = read(first, sequential_keys()), read(second, sequential_keys())
    forth, back = compare_layouts(before, after), compare_layouts(after, before)
    nodes = {
        (key, path.level)
        for layout in (before, after)
        for key, path in layout.paths([node.key for node in layout.walk_all()]).items()
    }
    assert sorted((node.key, node.level) for node in forth.nodes) == sorted(nodes)
    mirror = {(node.key, node.level): node for node in back.nodes}
    assert forth.is_equal == back.is_equal == (before == after)
    for node in forth.nodes:
        mirrored = mirror[node.key, node.level]
        assert (node.before, node.path_before) == (mirrored.after, mirrored.path_after)
        assert (node.after, node.path_after) == (mirrored.before, mirrored.path_before)
        assert {(entry.name, entry.was_set) for entry in node.attributes} == {
            (entry.name, entry.is_set) for entry in mirrored.attributes
        }
    moved = [sum(node.is_moved for node in comparison.nodes) for comparison in (forth, back)]
    assert moved[0] == moved[1]


@given(any_pages(), any_pages())
def test_paths_lead_to_the_nodes_and_attributes_to_their_values(
    first: list[Json], second: list[Json]
) -> None:
    before, after = read(first, sequential_keys()), read(second, sequential_keys())
    for node in compare_layouts(before, after).nodes:
        for layout, path, found in (
            (before, node.path_before, node.before),
            (after, node.path_after, node.after),
        ):
            assert (path is None) == (found is None)
            assert path is None or layout.at(path) is found
        if isinstance(node.before, ObjectNode) and isinstance(node.after, ObjectNode):
            changed = {entry.name: entry.after for entry in node.attributes if entry.is_set}
            removed = {entry.name for entry in node.attributes if not entry.is_set}
            remaining = {name: value for name, value in node.before.attributes.items() if name not in removed}
            assert json_equal({**remaining, **changed}, node.after.attributes)


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)), st.integers(0, 3))
def test_as_few_siblings_as_possible_are_moved(order: list[int], removed: set[int], added: int) -> None:
    """The kept siblings that are not moved are a longest subsequence in the old order."""
    before = _column([str(number) for number in range(6)])
    kept = [str(number) for number in order if number not in removed]
    after = _column([*(f"new{number}" for number in range(added)), *kept])
    comparison = compare_layouts(before, after)
    unmoved = [key for key in kept if not comparison.by_key[key].is_moved]
    assert unmoved == sorted(unmoved)
    longest = next(
        size
        for size in range(len(kept), -1, -1)
        if any(list(chosen) == sorted(chosen) for chosen in itertools.combinations(kept, size))
    )
    assert len(unmoved) == longest


@given(any_pages())
def test_a_copy_with_other_keys_has_nothing_in_common(pages: list[Json]) -> None:
    before, after = read(pages, sequential_keys()), read(pages, derived_keys("copy"))
    count = sum(1 for _node in before.walk_all())
    found = [node.changes for node in compare_layouts(before, after).nodes]
    assert found == [ADDED] * count + [REMOVED] * count


def test_ten_thousand_items_in_reversed_pages_are_compared() -> None:
    """Every node is another object."""
    pages = [node_to_json(_page(number)) for number in range(1000)]
    before, again = read(pages, sequential_keys()), read(pages, sequential_keys())
    after = Layout(again.pages[::-1])
    comparison = compare_layouts(before, after)
    assert comparison.count(Level.PAGE, Change.MOVED) == 999
    assert comparison.count(Level.ITEM, Change.UNCHANGED) == 10_000


def _column(keys: list[str]) -> Layout:
    return Layout((Page("p", {}, (Row("r", {}, (Column("c", {}, tuple(map(item, keys))),)),)),))


def _page(number: int) -> Node:
    rows = (
        Row(f"r{number}.{index}", {}, (Column(f"c{number}.{index}", {}, (item(f"{number}.{index}"),)),))
        for index in range(10)
    )
    return Page(f"p{number}", {}, tuple(rows))
