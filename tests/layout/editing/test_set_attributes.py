import pytest

from batchwright.base.json_values import JsonObject
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.item_types.registry import FreeText, Image, Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode
from batchwright.layout.serialization import read, sequential_keys, write
from tests.layout.builders import item, sketch


def test_attributes_are_set_and_removed_and_the_others_are_kept() -> None:
    layout = read(
        [{"rows": [{"columns": [{"items": [{"type": "image", "new": [1], "url": "x"}]}]}]}], sequential_keys()
    )
    changed = SetAttributes("3", {"alt_text": "A cat"}, unset=("url", "caption"))(layout)
    assert changed.find("3") == Image("3", {"type": "image", "new": [1], "alt_text": "A cat"})


def test_the_position_of_a_page_can_be_set_and_unset() -> None:
    shown_first = SetAttributes("pa", {"display_position": "intro"})(sketch("a"))
    page = shown_first.pages[0]
    assert isinstance(page, Page)
    assert page.position == "intro"
    assert SetAttributes("pa", {}, unset=("display_position",))(shown_first) == sketch("a")


def test_setting_the_type_creates_an_item_of_that_type() -> None:
    changed = SetAttributes("a", {"type": "image"})(sketch("a"))
    assert type(changed.find("a")) is Image
    unknown = SetAttributes("a", {"type": "hologram"})(sketch("a"))
    assert type(unknown.find("a")) is Item
    assert SetAttributes("a", {"type": "free_text"})(unknown) == sketch("a")


def test_an_attribute_may_have_any_name_and_any_json_value() -> None:
    odd: JsonObject = {"self": None, "key": [1, 1.0, True], "rows": {}, "": 0}
    changed = SetAttributes("a", odd)(sketch("a"))
    assert changed.find("a") == FreeText("a", {**item("a").attributes, **odd})


def test_children_are_not_attributes() -> None:
    for key, name in (("pa", "rows"), ("ra", "columns"), ("ca", "items")):
        with pytest.raises(EditRejected, match="adding, moving and removing"):
            SetAttributes(key, {name: []})(sketch("a"))
        with pytest.raises(EditRejected, match="adding, moving and removing"):
            SetAttributes(key, {}, unset=(name,))(sketch("a"))


def test_only_the_page_of_a_changed_item_is_another_object() -> None:
    layout = sketch("a / b // c")
    changed = SetAttributes("a", {"description": "Why?"})(layout)
    assert changed.pages[1] is layout.pages[1]
    assert changed.pages[0].children[1] is layout.pages[0].children[1]
    assert write(layout) == write(sketch("a / b // c"))


def test_removed_and_invalid_nodes_cannot_be_edited() -> None:
    with pytest.raises(EditRejected, match="no longer in the layout"):
        SetAttributes("z", {"a": 1})(sketch("a"))
    with pytest.raises(EditRejected, match="cannot be edited"):
        SetAttributes("odd", {"a": 1})(Layout((InvalidNode("odd", 5),)))
