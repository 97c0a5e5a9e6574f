"""Changing the type of items: what is kept, what is derived, what is lost."""

from typing import Any

import pytest

from batchwright.base.json_values import JsonObject
from batchwright.layout.editing.edits import ChangeType
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.type_conversion import LostValue, convert, type_change
from batchwright.layout.item_types.registry import ITEM_TYPES, FreeTextWithUnit, Item, MultipleChoice
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from tests.layout.builders import sketch
from tests.samples.each_type import ALL, BETTER, DURATION, INVALID_VALUES, WHY

LIMITS = {"type": "string", "min": 5, "max": 80}


def layout_of(*items: Any) -> Layout:
    return read([{"rows": [{"columns": [{"items": list(items)}]}]}], sequential_keys())


def item_of(attributes: JsonObject) -> Item:
    return next(item for _path, item in layout_of(attributes).walk())


def converted(attributes: JsonObject, to: str) -> JsonObject:
    item = item_of(attributes)
    change = type_change(item, to)
    assert change is not None
    return convert(item, change).attributes


def lost(attributes: JsonObject, to: str) -> list[LostValue]:
    item = item_of(attributes)
    change = type_change(item, to)
    assert change is not None
    return list(convert(item, change).lost)


def test_a_choice_gets_headings_to_be_filled_in_and_loses_nothing() -> None:
    choice = {**BETTER, "helper_text": "Read both", "disable_dropdown": True, "colour": "red"}
    options = [{**option, "heading": ""} for option in BETTER["options"]]
    assert converted(choice, "multiple_choice_with_free_text") == {
        **choice,
        "type": "multiple_choice_with_free_text",
        "options": options,
    }
    assert lost(choice, "multiple_choice_with_free_text") == []


def test_headings_of_options_are_lost_and_named_by_option() -> None:
    expected = [{"label": "Facts", "value": 1}, {"label": "No", "value": True}]
    assert converted(INVALID_VALUES, "multiple_choice")["options"] == expected
    assert lost(INVALID_VALUES, "multiple_choice") == [
        LostValue("option 1, heading of the explanation", "Which?"),
        LostValue("option 2, heading of the explanation", "?"),
    ]


def test_there_and_back_loses_nothing_of_a_choice() -> None:
    there = converted(BETTER, "multiple_choice_with_free_text")
    assert lost(there, "multiple_choice") == []
    assert converted(there, "multiple_choice") == BETTER


def test_the_validation_of_a_text_becomes_that_of_its_units_and_back() -> None:
    text = {**WHY, "placeholder_text_input": "5", "validation": LIMITS}
    there = converted(text, "free_text_with_unit")
    assert there == {
        "type": "free_text_with_unit",
        "description": "Why?",
        "placeholder_text_input": "5",
        "unit_options": [{"label": "", "value": "", "validation": LIMITS}] * 2,
        "unit_position": "suffix",
    }
    assert lost(text, "free_text_with_unit") == lost(there, "free_text") == []
    assert converted(there, "free_text") == text


def test_units_are_lost_with_all_that_was_set_for_them() -> None:
    units = [{"label": "minutes", "value": "min", "validation": LIMITS}, {"label": "", "value": 0}]
    duration = {**DURATION, "unit_options": units, "default_unit": "min", "unit_position": "prefix"}
    assert converted(duration, "free_text") == {"type": "free_text", "description": "How long?"}
    assert lost(duration, "free_text") == [
        LostValue("units", "minutes (validation), 0"),
        LostValue("preselected unit", "min"),
        LostValue("position of the unit", "prefix"),
    ]


def test_a_new_item_loses_nothing() -> None:
    for item_type in ITEM_TYPES.values():
        for change in item_type.type_changes:
            assert lost(item_type.new_attributes(), change.to) == []


@pytest.mark.parametrize("values", [None, 5, "text", [], [None, 3], {}])
def test_values_of_the_wrong_type_are_kept_or_listed(values: Any) -> None:
    assert converted({**BETTER, "options": values}, "multiple_choice_with_free_text")["options"] == (
        [{"label": "", "value": "", "heading": ""}] * 2 if values is None else values
    )
    text = {**DURATION, "unit_options": values}
    assert "unit_options" not in converted(text, "free_text")
    assert bool(lost(text, "free_text")) == (values not in (None, [], {}))


def test_all_selected_items_are_changed_in_their_places_and_are_new_nodes() -> None:
    layout = layout_of(BETTER, {**INVALID_VALUES, "id": "i"}, WHY)
    edit = ChangeType(("3", "4"), "multiple_choice", seed="new")
    changed = edit(layout)
    items = [item for _path, item in changed.walk()]
    assert [(item.key, item.kind) for item in items] == [
        ("3", "multiple_choice"),
        ("new.0", "multiple_choice"),
        ("5", "free_text"),
    ]
    assert type(items[1]) is MultipleChoice
    assert items[1].id is None
    assert items[0] is layout.find("3")
    assert edit(layout) == changed


def test_a_type_without_a_declared_change_is_rejected() -> None:
    with pytest.raises(EditRejected, match="cannot be changed into this type"):
        ChangeType(("a",), "multiple_choice")(sketch("ab"))
    with pytest.raises(EditRejected, match="cannot be changed into this type"):
        ChangeType(("ra",), "free_text")(sketch("ab"))
    with pytest.raises(EditRejected, match="no longer in the layout"):
        ChangeType(("z",), "free_text_with_unit")(sketch("ab"))


def test_every_change_leads_to_a_type_that_can_change_back() -> None:
    for item in map(item_of, ALL):
        for change in item.type_changes:
            target = ITEM_TYPES[change.to]
            assert type(item).type in [back.to for back in target.type_changes]
    assert type_change(item_of(WHY), "free_text_with_unit") is not None
    assert ITEM_TYPES["free_text_with_unit"] is FreeTextWithUnit
