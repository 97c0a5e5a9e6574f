import itertools

import pytest

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import Duplicate, MoveItems, Remove
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.ids import assign_ids, collect_ids, ids_from_response, to_request
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.serialization import read, sequential_keys, write
from tests.layout.builders import sketch


def numbered(layout: Layout) -> list[Json]:
    """A layout as the service returns it."""
    count = itertools.count()
    return assign_ids(layout, frozenset(), lambda: f"id-{next(count)}")


def ids_in(pages: list[Json]) -> list[str]:
    return list(collect_ids(read(pages, sequential_keys())))


def test_a_new_layout_is_sent_without_ids() -> None:
    assert to_request(sketch("a|b"), {}) == write(sketch("a|b"))


def test_ids_of_a_response_are_assigned_by_position() -> None:
    layout = sketch("a|b / c // d")
    ids = ids_from_response(layout, numbered(layout))
    assert list(ids) == [node.key for node in layout.walk_all()]
    assert list(ids.values()) == [f"id-{number}" for number in range(13)]


@pytest.mark.spec("L-25")
def test_existing_nodes_are_sent_with_their_id_and_new_ones_without() -> None:
    layout = sketch("ab // c")
    ids = ids_from_response(layout, numbered(layout))
    edited = Duplicate(("c",))(MoveItems(("a",), InsertionPoint("cc", 0))(layout))
    sent = to_request(edited, ids)
    moved, remaining, copied = list(read(sent, sequential_keys()).pages[1].walk_all())[-3:]
    assert [getattr(entry, "id", None) for entry in (moved, remaining, copied)] == [ids["a"], ids["c"], None]
    assert set(ids_in(sent)) == set(ids.values())


@pytest.mark.spec("L-25")
def test_a_node_restored_by_undo_after_sending_gets_a_new_id() -> None:
    layout = sketch("ab")
    ids = ids_from_response(layout, numbered(layout))
    shorter = Remove(("a",))(layout)
    ids = ids_from_response(
        shorter, assign_ids(read(to_request(shorter, ids), sequential_keys()), set(ids.values()), str)
    )
    assert "a" not in ids
    assert ids_in(to_request(layout, ids)) == list(ids.values())


def test_an_id_from_a_file_is_sent_only_where_the_batch_has_it() -> None:
    layout = read([{"id": "p", "rows": [{"id": "r", "columns": []}]}], sequential_keys())
    assert ids_in(to_request(layout, {})) == []
    assert ids_in(to_request(layout, {}, batch_ids={"r"})) == ["r"]
    assert ids_in(to_request(layout, {"0": "P"}, batch_ids={"p", "r"})) == ["P", "r"]
    assert ids_in(write(layout)) == ["p", "r"]


def test_no_id_is_sent_twice() -> None:
    page = {"id": "p", "rows": []}
    layout = read([page, page, page], sequential_keys())
    assert ids_in(to_request(layout, {}, batch_ids={"p"})) == ["p"]
    assert to_request(layout, {"2": "p"}, batch_ids={"p"}) == [{"rows": []}, {"rows": []}, page]


@pytest.mark.parametrize("odd", [None, 5, ["p"], {"a": 1}, True])
def test_an_id_that_is_not_text_is_not_sent(odd: Json) -> None:
    layout = read([{"id": odd, "rows": [], "x": odd}, {"id": odd}], sequential_keys())
    assert to_request(layout, {}, batch_ids={"p"}) == [{"rows": [], "x": odd}, {}]


def test_invalid_nodes_are_sent_unchanged_except_for_foreign_ids() -> None:
    layout = read([5, {"id": "p", "rows": None}], sequential_keys())
    assert to_request(layout, {}) == [5, {"rows": None}]
    assert to_request(layout, {}, batch_ids={"p"}) == [5, {"id": "p", "rows": None}]


def test_every_stored_node_has_an_id_and_keeps_an_existing_one() -> None:
    value: list[Json] = [
        {"id": "p", "rows": [{"columns": [{"id": "c", "items": [{"id": None, "type": "new"}]}]}]}
    ]
    remaining = assign_ids(read(value, sequential_keys()), {"p", "c"}, map(str, itertools.count()).__next__)
    assert remaining == [
        {"id": "p", "rows": [{"id": "0", "columns": [{"id": "c", "items": [{"id": "1", "type": "new"}]}]}]}
    ]


def test_unknown_and_duplicate_ids_are_not_stored() -> None:
    value: list[Json] = [{"id": "p", "rows": []}, {"id": "p", "rows": []}, {"id": "q", "rows": []}]
    remaining = assign_ids(read(value, sequential_keys()), {"p"}, map(str, itertools.count()).__next__)
    assert ids_in(remaining) == ["p", "0", "1"]


def test_no_ids_are_assigned_within_nodes_that_do_not_match() -> None:
    layout = sketch("ab / c")
    answer = numbered(layout)
    longer = sketch("ab / c / d")
    assert ids_from_response(longer, answer) == {"pa": "id-0"}
    assert ids_from_response(sketch("a // b"), answer) == {}
    other = read(write(layout), (node.key for node in layout.walk_all()))
    assert ids_from_response(other, [{"id": 5, "rows": "?"}]) == {}


def test_no_id_is_assigned_to_an_item_of_another_type() -> None:
    layout = read([{"rows": [{"columns": [{"items": [{"type": "image"}, 7]}]}]}], sequential_keys())
    answer: list[Json] = [
        {"id": "p", "rows": [{"columns": [{"items": [{"id": "i", "type": "rich_text"}, {"id": "j"}]}]}]}
    ]
    assert ids_from_response(layout, answer) == {"0": "p"}


def test_an_item_returned_without_an_id_is_sent_as_new() -> None:
    layout = read([{"rows": [{"columns": [{"items": [{"type": "dataset_field"}]}]}]}], sequential_keys())
    answer: list[Json] = [{"id": "p", "rows": [{"columns": [{"items": [{"type": "dataset_field"}]}]}]}]
    assert ids_from_response(layout, answer) == {"0": "p"}


def test_ids_are_listed_as_often_as_they_occur() -> None:
    layout = Layout(
        (*read([{"id": "p", "rows": []}], sequential_keys()).pages, InvalidNode("odd", {"id": "p"}))
    )
    assert list(collect_ids(layout)) == ["p", "p"]
