import itertools

import pytest

from batchwright.base.json_values import Json
from batchwright.layout.edits import Duplicate, Gap, MoveItems, Remove
from batchwright.layout.ids import for_sending, given_ids, keep_ids, learn_ids
from batchwright.layout.model import Layout, Misshapen
from batchwright.layout.serialization import counted_keys, read, write
from tests.layout.builders import sketch


def numbered(layout: Layout) -> list[Json]:
    """A layout as the service answers it."""
    count = itertools.count()
    return keep_ids(layout, frozenset(), lambda: f"id-{next(count)}")


def ids_in(pages: list[Json]) -> list[str]:
    return list(given_ids(read(pages, counted_keys())))


def test_a_new_layout_is_sent_without_ids() -> None:
    assert for_sending(sketch("a|b"), {}) == write(sketch("a|b"))


def test_the_ids_of_an_answer_are_learnt_by_position() -> None:
    layout = sketch("a|b / c // d")
    ids = learn_ids(layout, numbered(layout))
    assert list(ids) == [entry.key for entry in layout.walk_all()]
    assert list(ids.values()) == [f"id-{number}" for number in range(13)]


@pytest.mark.spec("L-25")
def test_what_stays_is_sent_with_its_id_and_what_is_new_without() -> None:
    layout = sketch("ab // c")
    ids = learn_ids(layout, numbered(layout))
    edited = Duplicate(("c",))(MoveItems(("a",), Gap("cc", 0))(layout))
    sent = for_sending(edited, ids)
    moved, kept, copied = list(read(sent, counted_keys()).pages[1].walk_all())[-3:]
    assert [getattr(one, "id", None) for one in (moved, kept, copied)] == [ids["a"], ids["c"], None]
    assert set(ids_in(sent)) == set(ids.values())


@pytest.mark.spec("L-25")
def test_what_an_undo_brings_back_after_sending_is_new_to_the_service() -> None:
    layout = sketch("ab")
    ids = learn_ids(layout, numbered(layout))
    shorter = Remove(("a",))(layout)
    ids = learn_ids(
        shorter, keep_ids(read(for_sending(shorter, ids), counted_keys()), set(ids.values()), str)
    )
    assert "a" not in ids
    assert ids_in(for_sending(layout, ids)) == list(ids.values())


def test_an_id_from_a_file_is_sent_only_where_the_batch_has_it() -> None:
    layout = read([{"id": "p", "rows": [{"id": "r", "columns": []}]}], counted_keys())
    assert ids_in(for_sending(layout, {})) == []
    assert ids_in(for_sending(layout, {}, known={"r"})) == ["r"]
    assert ids_in(for_sending(layout, {"0": "P"}, known={"p", "r"})) == ["P", "r"]
    assert ids_in(write(layout)) == ["p", "r"]


def test_no_id_is_sent_twice() -> None:
    page = {"id": "p", "rows": []}
    layout = read([page, page, page], counted_keys())
    assert ids_in(for_sending(layout, {}, known={"p"})) == ["p"]
    assert for_sending(layout, {"2": "p"}, known={"p"}) == [{"rows": []}, {"rows": []}, page]


@pytest.mark.parametrize("odd", [None, 5, ["p"], {"a": 1}, True])
def test_an_id_that_is_no_text_is_not_sent(odd: Json) -> None:
    layout = read([{"id": odd, "rows": [], "x": odd}, {"id": odd}], counted_keys())
    assert for_sending(layout, {}, known={"p"}) == [{"rows": [], "x": odd}, {}]


def test_what_has_no_shape_is_sent_as_it_is_but_for_a_foreign_id() -> None:
    layout = read([5, {"id": "p", "rows": None}], counted_keys())
    assert for_sending(layout, {}) == [5, {"rows": None}]
    assert for_sending(layout, {}, known={"p"}) == [5, {"id": "p", "rows": None}]


def test_every_entry_stored_has_an_id_and_keeps_the_one_that_exists() -> None:
    given: list[Json] = [
        {"id": "p", "rows": [{"columns": [{"id": "c", "items": [{"id": None, "type": "new"}]}]}]}
    ]
    kept = keep_ids(read(given, counted_keys()), {"p", "c"}, map(str, itertools.count()).__next__)
    assert kept == [
        {"id": "p", "rows": [{"id": "0", "columns": [{"id": "c", "items": [{"id": "1", "type": "new"}]}]}]}
    ]


def test_a_foreign_id_and_one_that_stands_twice_are_not_stored() -> None:
    given: list[Json] = [{"id": "p", "rows": []}, {"id": "p", "rows": []}, {"id": "q", "rows": []}]
    kept = keep_ids(read(given, counted_keys()), {"p"}, map(str, itertools.count()).__next__)
    assert ids_in(kept) == ["p", "0", "1"]


def test_nothing_is_learnt_inside_what_does_not_match() -> None:
    layout = sketch("ab / c")
    answer = numbered(layout)
    longer = sketch("ab / c / d")
    assert learn_ids(longer, answer) == {"pa": "id-0"}
    assert learn_ids(sketch("a // b"), answer) == {}
    other = read(write(layout), (entry.key for entry in layout.walk_all()))
    assert learn_ids(other, [{"id": 5, "rows": "?"}]) == {}


def test_an_answer_with_another_type_at_a_place_teaches_nothing_about_it() -> None:
    layout = read([{"rows": [{"columns": [{"items": [{"type": "image"}, 7]}]}]}], counted_keys())
    answer: list[Json] = [
        {"id": "p", "rows": [{"columns": [{"items": [{"id": "i", "type": "rich_text"}, {"id": "j"}]}]}]}
    ]
    assert learn_ids(layout, answer) == {"0": "p"}


def test_a_field_that_comes_without_an_id_is_new_the_next_time() -> None:
    layout = read([{"rows": [{"columns": [{"items": [{"type": "dataset_field"}]}]}]}], counted_keys())
    answer: list[Json] = [{"id": "p", "rows": [{"columns": [{"items": [{"type": "dataset_field"}]}]}]}]
    assert learn_ids(layout, answer) == {"0": "p"}


def test_ids_are_listed_as_often_as_they_stand() -> None:
    layout = Layout((*read([{"id": "p", "rows": []}], counted_keys()).pages, Misshapen("odd", {"id": "p"})))
    assert list(given_ids(layout)) == ["p", "p"]
