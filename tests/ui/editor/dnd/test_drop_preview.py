"""Drop previews: the position of a drop becomes one edit, and the hint describes that edit."""

import pytest

from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.ui.editor.core.item_labels import item_label
from batchwright.ui.editor.dnd.drop_preview import preview_drop
from batchwright.ui.editor.dnd.payload import DragPayload, NewItemPayload, RejectedPayload, payload_for_nodes
from tests.layout.builders import item, picture, sketch

LAYOUT = sketch("ab / c|d // e")


def new(letter: str) -> NewItemPayload:
    entry = item(letter)
    return NewItemPayload(item_label(entry), node=entry)


def lands(
    payload: DragPayload, gap: InsertionPoint, layout: Layout = LAYOUT, *, copies: bool = False
) -> tuple[str, str]:
    preview = preview_drop(layout, payload, gap, copies=copies)
    assert preview.edit is not None
    return preview.hint, picture(preview.edit(layout))


@pytest.mark.parametrize(
    ("gap", "hint", "after"),
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
def test_an_item_is_inserted_where_the_hint_says(gap: InsertionPoint, hint: str, after: str) -> None:
    assert lands(new("x"), gap) == (hint, after)


def test_a_third_column_is_refused_with_the_reason() -> None:
    preview = preview_drop(LAYOUT, new("x"), InsertionPoint("rc", 2))
    assert preview.edit is None
    assert preview.rejection == "A row has at most 2 columns."


def test_several_items_move_together() -> None:
    payload = payload_for_nodes(LAYOUT, ("a", "d"))
    assert payload.count == 2
    assert lands(payload, InsertionPoint("pe", 0)) == ("New row before row 1", "b / c // ad / e")


def test_a_copying_drop_keeps_the_originals() -> None:
    assert (
        lands(payload_for_nodes(LAYOUT, ("a",)), InsertionPoint("pe", 1), copies=True)[1]
        == "ab / c|d // e / a"
    )


def test_a_page_cannot_be_dropped_on_a_page() -> None:
    preview = preview_drop(LAYOUT, payload_for_nodes(LAYOUT, ("pe",)), InsertionPoint("pa", 1))
    assert preview.rejection == "Pages can only be placed between pages."


def test_a_drop_that_changes_nothing_is_neither_an_edit_nor_rejected() -> None:
    preview = preview_drop(LAYOUT, payload_for_nodes(LAYOUT, ("a",)), InsertionPoint("ca", 1))
    assert (preview.edit, preview.rejection, preview.hint) == (None, "", "Stays where it is")


def test_an_invalid_payload_is_rejected_with_a_reason() -> None:
    payload = RejectedPayload(item_label(item("x")), reason="Images need an https address.")
    assert preview_drop(LAYOUT, payload, InsertionPoint("pa", 0)).rejection == "Images need an https address."


def test_repeating_a_drag_returns_the_same_layout() -> None:
    preview = preview_drop(LAYOUT, new("x"), InsertionPoint("pa", 1))
    assert preview.edit is not None
    assert preview.edit(LAYOUT) == preview.edit(LAYOUT)
