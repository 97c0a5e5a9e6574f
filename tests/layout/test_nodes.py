import pytest

from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import FreeText, Image, Instruction, Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import InvalidNode, Level, NodePath
from batchwright.layout.serialization import (
    derived_keys,
    random_keys,
    read,
    read_node,
    sequential_keys,
    write,
)
from tests.layout.builders import item, picture, sketch


def test_nodes_are_found_by_key_at_every_level() -> None:
    layout = sketch("ab|c / d // e")
    assert layout.paths(("e", "c", "rd", "pa", "z")) == {
        "pa": NodePath(0),
        "c": NodePath(0, 0, 1, 0),
        "rd": NodePath(0, 1),
        "e": NodePath(1, 0, 0, 0),
    }
    assert list(layout.paths(("e", "d", "pa"))) == ["pa", "d", "e"]
    assert layout.find("c") == item("c")
    assert layout.find("z") is None


def test_items_are_counted_by_type_and_their_subtypes() -> None:
    layout = sketch("ab|c / d // e").with_node(NodePath(0, 1, 0, 0), Image("i", {"type": "image"}))
    odd = Page("p", {}, (InvalidNode("odd", 1),))
    layout = layout.with_children([*layout.pages, odd, InvalidNode("odder", 2)])
    assert [layout.count(kind) for kind in (Item, Instruction, FreeText, Image)] == [5, 4, 4, 1]
    assert layout.with_node(NodePath(1), sketch("fg").pages[0]).count(FreeText) == 5
    assert Layout().count(Item) == 0


def test_a_path_has_a_level_and_a_parent() -> None:
    assert [NodePath(0, 0, 0, 0).level, NodePath(0).level, NodePath(None, 2).level] == [
        Level.ITEM,
        Level.PAGE,
        Level.ROW,
    ]
    assert NodePath(1, 2, 0).parent == NodePath(1, 2)
    assert NodePath(1).parent == NodePath()
    with pytest.raises(ValueError):
        _ = NodePath().level


def test_a_node_can_be_replaced() -> None:
    layout = sketch("ab / c // d")
    assert picture(layout.with_node(NodePath(0, 1, 0, 0), item("x"))) == "ab / x // d"
    assert picture(layout.with_node(NodePath(1), sketch("y").pages[0])) == "ab / c // y"


def test_nodes_contain_only_nodes_of_the_next_level() -> None:
    with pytest.raises(TypeError):
        Page("p", {}).with_children([item("a")])
    with pytest.raises(TypeError):
        Item("i", {}).with_children([item("a")])
    with pytest.raises(TypeError):
        sketch("a").with_children([item("a")])
    assert Row("r", {}).with_children([InvalidNode("odd", 1)]).children == (InvalidNode("odd", 1),)
    assert Item("i", {}).with_children([]) == Item("i", {})


def test_nodes_are_walked_in_the_order_of_their_keys() -> None:
    layout = sketch("a|b // c")
    assert [node.key for node in layout.walk_all()] == [
        "pa",
        "ra",
        "ca",
        "a",
        "cb",
        "b",
        "pc",
        "rc",
        "cc",
        "c",
    ]
    keys = (node.key for node in layout.walk_all())
    assert read(write(layout), keys) == layout


def test_derived_keys_are_repeatable_and_random_ones_are_not() -> None:
    seeded = derived_keys("s")
    assert [next(seeded), next(seeded)] == ["s.0", "s.1"]
    assert len({next(random_keys()) for _number in range(100)}) == 100


def test_a_single_node_can_be_parsed() -> None:
    value: Json = {"items": [{"type": "free_text"}, 5]}
    assert isinstance(read_node(value, Level.COLUMN, sequential_keys()), Column)
    assert isinstance(read_node(value, Level.ROW, sequential_keys()), InvalidNode)
    assert isinstance(read_node(value, Level.PAGE, sequential_keys()), InvalidNode)
    assert isinstance(read_node(value, Level.ITEM, sequential_keys()), Item)


def test_the_empty_layout_has_no_nodes() -> None:
    assert Layout().paths(("a",)) == {}
    assert list(Layout().walk_all()) == []
