"""A position becomes an edit in one place; what is shown is what is done."""

import pytest

from batchwright.layout.edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.ui.editor.dnd.drop_preview import preview_drop
from batchwright.ui.editor.dnd.payload import DragPayload, NewItemPayload, RejectedPayload, payload_for_nodes
from batchwright.ui.editor.item_labels import item_label
from tests.layout.builders import item, picture, sketch

LAYOUT = sketch("ab / c|d // e")


def new(letter: str) -> NewItemPayload:
    entry = item(letter)
    return NewItemPayload(item_label(entry), entry=entry)


def lands(
    payload: DragPayload, gap: InsertionPoint, layout: Layout = LAYOUT, *, copies: bool = False
) -> tuple[str, str]:
    preview = preview_drop(layout, payload, gap, copies=copies)
    assert preview.edit is not None
    return preview.hint, picture(preview.edit(layout))


@pytest.mark.parametrize(
    ("gap", "words", "after"),
    [
        (InsertionPoint("ca", 1), "After a", "axb / c|d // e"),
        (InsertionPoint("ca", 0), "Before a", "xab / c|d // e"),
        (InsertionPoint("ra", 1), "Second column of row 1", "ab|x / c|d // e"),
        (InsertionPoint("ra", 0), "First column of row 1", "x|ab / c|d // e"),
        (InsertionPoint("pa", 1), "New row after row 1", "ab / x / c|d // e"),
        (InsertionPoint("pa", 0), "New row before row 1", "x / ab / c|d // e"),
        (InsertionPoint(None, 2), "New page after page 2", "ab / c|d // e // x"),
    ],
)
def test_a_part_lands_where_it_says(gap: InsertionPoint, words: str, after: str) -> None:
    assert lands(new("x"), gap) == (words, after)


def test_a_third_column_is_refused_with_the_reason() -> None:
    preview = preview_drop(LAYOUT, new("x"), InsertionPoint("rc", 2))
    assert preview.edit is None
    assert preview.rejection == "A row holds at most 2 columns."


def test_several_items_move_together() -> None:
    payload = payload_for_nodes(LAYOUT, ("a", "d"))
    assert payload.count == 2
    assert lands(payload, InsertionPoint("pe", 0)) == ("New row before row 1", "b / c // ad / e")


def test_with_copies_what_was_taken_stays() -> None:
    assert (
        lands(payload_for_nodes(LAYOUT, ("a",)), InsertionPoint("pe", 1), copies=True)[1]
        == "ab / c|d // e / a"
    )


def test_a_page_does_not_land_on_a_page() -> None:
    preview = preview_drop(LAYOUT, payload_for_nodes(LAYOUT, ("pe",)), InsertionPoint("pa", 1))
    assert preview.rejection == "A page goes between pages."


def test_what_would_change_nothing_is_no_edit_and_no_refusal() -> None:
    preview = preview_drop(LAYOUT, payload_for_nodes(LAYOUT, ("a",)), InsertionPoint("ca", 1))
    assert (preview.edit, preview.rejection, preview.hint) == (None, "", "Stays where it is")


def test_what_cannot_be_in_a_layout_says_what_could() -> None:
    payload = RejectedPayload(item_label(item("x")), reason="Images need an https address.")
    assert preview_drop(LAYOUT, payload, InsertionPoint("pa", 0)).rejection == "Images need an https address."


def test_the_same_drag_gives_the_same_layout_twice() -> None:
    preview = preview_drop(LAYOUT, new("x"), InsertionPoint("pa", 1))
    assert preview.edit is not None
    assert preview.edit(LAYOUT) == preview.edit(LAYOUT)
