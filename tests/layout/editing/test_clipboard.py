import json
from collections.abc import Callable

import pytest

from batchwright.base.json_values import DEEPEST, Json, to_json
from batchwright.layout.editing.clipboard import (
    ClipboardNodes,
    clipboard_nodes,
    clone,
    nodes_to_paste,
    parse_clipboard,
)
from batchwright.layout.editing.edits import Cut, MoveItems, Paste
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.file_format import InvalidLayoutFile, LayoutFile, file_content, read_file
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode, Level
from batchwright.layout.serialization import node_to_json, random_keys, read, sequential_keys
from tests.layout.builders import picture, sketch


def pasted(clipped: ClipboardNodes, layout: Layout, gap: InsertionPoint) -> Layout:
    return Paste(nodes_to_paste(clipped, layout, random_keys()), gap)(layout)


@pytest.mark.parametrize(
    ("keys", "level", "gap", "expected"),
    [
        (("b", "a"), Level.ITEM, InsertionPoint("cx", 1), "xab"),
        (("cc",), Level.COLUMN, InsertionPoint("rx", 1), "x|c"),
        (("ra", "rd"), Level.ROW, InsertionPoint("px", 1), "x / ab|c / d"),
        (("pe", "pa"), Level.PAGE, InsertionPoint(None, 0), "ab|c / d // e // x"),
    ],
)
def test_copied_nodes_can_be_pasted_elsewhere_from_their_text(
    keys: tuple[str, ...], level: Level, gap: InsertionPoint, expected: str
) -> None:
    text = clipboard_nodes(sketch("ab|c / d // e"), keys).text
    read_back = parse_clipboard(text, random_keys())
    assert read_back.level is level
    assert picture(pasted(read_back, sketch("x"), gap)) == expected


def test_the_clipboard_text_is_the_json_of_the_nodes_without_ids() -> None:
    layout = read([{"id": "p", "rows": [{"id": "r", "columns": []}], "new": 1.0}], sequential_keys())
    assert json.loads(clipboard_nodes(layout, ("0",)).text) == [{"rows": [{"columns": []}], "new": 1.0}]


def test_cut_nodes_keep_their_keys_when_pasted_and_are_copied_the_second_time() -> None:
    layout = sketch("ab // c")
    used = clipboard_nodes(layout, ("a",))
    shorter = Cut(("a",))(layout)
    once = pasted(used, shorter, InsertionPoint("cc", 0))
    assert once.find("a") is layout.find("a")
    twice = pasted(used, once, InsertionPoint("cc", 0))
    assert picture(twice) == "b // aac"
    assert len({node.key for node in twice.walk_all()}) == 10


def test_cut_nodes_are_copied_if_undo_restored_some_of_them() -> None:
    layout = sketch("ab / c")
    used = clipboard_nodes(layout, ("ra",))
    again = pasted(used, Cut(("b",))(layout), InsertionPoint("pa", 2))
    assert picture(again) == "a / c / ab"
    only_an_item_of_it = Cut(("ra",))(MoveItems(("a",), InsertionPoint("cc", 0))(layout))
    assert picture(pasted(used, only_an_item_of_it, InsertionPoint("pa", 0))) == "ab / ac"


def test_a_copy_and_its_descendants_have_new_keys() -> None:
    layout = read(
        [{"id": "p", "rows": [{"id": "r", "columns": [{"items": [{"id": "i", "type": "x"}]}]}]}],
        sequential_keys(),
    )
    copy = clone(layout.pages[0], iter("abcd"))
    assert [node.key for node in copy.walk_all()] == ["a", "b", "c", "d"]
    assert node_to_json(copy) == {"rows": [{"columns": [{"items": [{"type": "x"}]}]}]}


def test_copies_of_invalid_nodes_are_unchanged() -> None:
    assert clone(InvalidNode("odd", 5), iter("a")) == InvalidNode("a", 5)
    assert clone(InvalidNode("odd", {"id": "p", "rows": 1}), iter("a")) == InvalidNode("a", {"rows": 1})


@pytest.mark.parametrize(
    ("text", "level", "count"),
    [
        ('{"type": "image"}', Level.ITEM, 1),
        ('{"type": "matrix", "rows": ["a"], "batch_items": []}', Level.ITEM, 1),
        ('[{"type": "image"}, {"type": "new"}, 5]', Level.ITEM, 3),
        ('{"type": null, "batch_items": [{"rows": []}]}', Level.PAGE, 1),
        ('{"items": []}', Level.COLUMN, 1),
        ('[{"columns": []}]', Level.ROW, 1),
        ('{"name": "Study", "batch_items": [{"rows": []}, {"rows": []}]}', Level.PAGE, 2),
    ],
)
def test_external_text_is_classified_by_its_content(text: str, level: Level, count: int) -> None:
    read_back = parse_clipboard(text, sequential_keys())
    assert (read_back.level, len(read_back.nodes)) == (level, count)


@pytest.mark.parametrize(
    "text",
    ["5", "[]", "{}", "null", '{"rows": 5}', '[{"type": "image"}, {"rows": []}]', '{"batch_items": null}'],
)
def test_other_json_is_rejected(text: str) -> None:
    with pytest.raises(InvalidLayoutFile, match="no pages, rows, columns or items"):
        parse_clipboard(text, sequential_keys())


def test_text_that_is_not_json_is_rejected_with_the_position() -> None:
    with pytest.raises(
        InvalidLayoutFile, match="The clipboard does not contain valid JSON: a value is missing"
    ) as refused:
        parse_clipboard("Hello,\nworld", sequential_keys())
    assert (refused.value.line, refused.value.column) == (1, 1)


def test_removed_nodes_and_nodes_of_several_levels_are_not_copied() -> None:
    with pytest.raises(EditRejected, match="only items"):
        clipboard_nodes(sketch("a / b"), ("a", "rb"))
    with pytest.raises(EditRejected, match="no longer"):
        clipboard_nodes(sketch("a"), ("z",))


def nested(levels: int) -> Json:
    """A value with this many levels of nested arrays."""
    value: Json = []
    for _level in range(levels - 1):
        value = [value]
    return value


def on_a_page(item: Json) -> Json:
    return {"rows": [{"columns": [{"items": [item]}]}]}


@pytest.mark.parametrize("wrap", [lambda item: item, on_a_page])
def test_pasting_never_exceeds_the_maximum_depth(wrap: Callable[[Json], Json]) -> None:
    deepest = wrap({"type": "free_text", "unknown": nested(DEEPEST - 8)})
    used = parse_clipboard(to_json(deepest), sequential_keys())
    layout = pasted(used, sketch("a"), InsertionPoint(None, 0))
    assert read_file(file_content(LayoutFile(layout)), sequential_keys()).layout.pages
    with pytest.raises(InvalidLayoutFile, match="nested too deeply"):
        parse_clipboard(
            to_json(wrap({"type": "free_text", "unknown": nested(DEEPEST - 7)})), sequential_keys()
        )
