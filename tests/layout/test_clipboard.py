import json
from collections.abc import Callable

import pytest

from batchwright.base.json_values import DEEPEST, Json, render
from batchwright.layout.clipboard import Clip, afresh, clip, for_pasting, read_clip
from batchwright.layout.edits import Cut, EditRefused, Gap, MoveItems, Paste
from batchwright.layout.file_format import LayoutFile, NotALayout, file_content, read_file
from batchwright.layout.model import Layout, Level, Misshapen
from batchwright.layout.serialization import counted_keys, fresh_keys, read, written
from tests.layout.builders import picture, sketch


def pasted(clipped: Clip, layout: Layout, gap: Gap) -> Layout:
    return Paste(for_pasting(clipped, layout, fresh_keys()), gap)(layout)


@pytest.mark.parametrize(
    ("keys", "level", "gap", "expected"),
    [
        (("b", "a"), Level.ITEM, Gap("cx", 1), "xab"),
        (("cc",), Level.COLUMN, Gap("rx", 1), "x|c"),
        (("ra", "rd"), Level.ROW, Gap("px", 1), "x / ab|c / d"),
        (("pe", "pa"), Level.PAGE, Gap(None, 0), "ab|c / d // e // x"),
    ],
)
def test_what_is_copied_can_be_pasted_elsewhere_by_its_text(
    keys: tuple[str, ...], level: Level, gap: Gap, expected: str
) -> None:
    text = clip(sketch("ab|c / d // e"), keys).text
    read_back = read_clip(text, fresh_keys())
    assert read_back.level is level
    assert picture(pasted(read_back, sketch("x"), gap)) == expected


def test_the_text_is_the_json_of_the_entries_without_ids() -> None:
    layout = read([{"id": "p", "rows": [{"id": "r", "columns": []}], "new": 1.0}], counted_keys())
    assert json.loads(clip(layout, ("0",)).text) == [{"rows": [{"columns": []}], "new": 1.0}]


def test_what_was_cut_keeps_its_key_when_it_is_pasted_and_is_copied_the_second_time() -> None:
    layout = sketch("ab // c")
    taken = clip(layout, ("a",))
    shorter = Cut(("a",))(layout)
    once = pasted(taken, shorter, Gap("cc", 0))
    assert once.find("a") is layout.find("a")
    twice = pasted(taken, once, Gap("cc", 0))
    assert picture(twice) == "b // aac"
    assert len({entry.key for entry in twice.walk_all()}) == 10


def test_what_was_cut_is_copied_when_part_of_it_has_come_back() -> None:
    layout = sketch("ab / c")
    taken = clip(layout, ("ra",))
    again = pasted(taken, Cut(("b",))(layout), Gap("pa", 2))
    assert picture(again) == "a / c / ab"
    only_an_item_of_it = Cut(("ra",))(MoveItems(("a",), Gap("cc", 0))(layout))
    assert picture(pasted(taken, only_an_item_of_it, Gap("pa", 0))) == "ab / ac"


def test_a_copy_is_new_with_all_that_is_inside_it() -> None:
    layout = read(
        [{"id": "p", "rows": [{"id": "r", "columns": [{"items": [{"id": "i", "type": "x"}]}]}]}],
        counted_keys(),
    )
    copy = afresh(layout.pages[0], iter("abcd"))
    assert [entry.key for entry in copy.walk_all()] == ["a", "b", "c", "d"]
    assert written(copy) == {"rows": [{"columns": [{"items": [{"type": "x"}]}]}]}


def test_copies_of_what_has_no_shape_are_just_that() -> None:
    assert afresh(Misshapen("odd", 5), iter("a")) == Misshapen("a", 5)
    assert afresh(Misshapen("odd", {"id": "p", "rows": 1}), iter("a")) == Misshapen("a", {"rows": 1})


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
def test_text_from_elsewhere_says_what_it_is_by_what_it_holds(text: str, level: Level, count: int) -> None:
    read_back = read_clip(text, counted_keys())
    assert (read_back.level, len(read_back.entries)) == (level, count)


@pytest.mark.parametrize(
    "text",
    ["5", "[]", "{}", "null", '{"rows": 5}', '[{"type": "image"}, {"rows": []}]', '{"batch_items": null}'],
)
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(NotALayout, match="no pages, rows, columns or items"):
        read_clip(text, counted_keys())


def test_text_that_is_no_json_is_refused_with_the_place() -> None:
    with pytest.raises(NotALayout, match="The clipboard holds no JSON: a value is missing") as refused:
        read_clip("Hello,\nworld", counted_keys())
    assert (refused.value.line, refused.value.column) == (1, 1)


def test_entries_of_several_levels_or_gone_are_not_copied() -> None:
    with pytest.raises(EditRefused, match="only items"):
        clip(sketch("a / b"), ("a", "rb"))
    with pytest.raises(EditRefused, match="no longer"):
        clip(sketch("a"), ("z",))


def nested(levels: int) -> Json:
    """A value whose arrays are nested so many levels deep."""
    value: Json = []
    for _level in range(levels - 1):
        value = [value]
    return value


def on_a_page(item: Json) -> Json:
    return {"rows": [{"columns": [{"items": [item]}]}]}


@pytest.mark.parametrize("wrap", [lambda item: item, on_a_page])
def test_what_is_pasted_never_makes_a_layout_deeper_than_can_be_read(wrap: Callable[[Json], Json]) -> None:
    deepest = wrap({"type": "free_text", "unknown": nested(DEEPEST - 8)})
    taken = read_clip(render(deepest), counted_keys())
    layout = pasted(taken, sketch("a"), Gap(None, 0))
    assert read_file(file_content(LayoutFile(layout)), counted_keys()).layout.pages
    with pytest.raises(NotALayout, match="nested too deeply"):
        read_clip(render(wrap({"type": "free_text", "unknown": nested(DEEPEST - 7)})), counted_keys())
