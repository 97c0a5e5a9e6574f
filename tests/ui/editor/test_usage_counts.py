"""Counts over all pages are the same as counting everything anew, after any edit."""

from batchwright.layout.edits import AddItem, Gap, MovePages, Remove
from batchwright.layout.model import DatasetField, Layout
from batchwright.ui.editor.usage_counts import Tallies
from tests.layout.builders import sketch


def shown(key: str, field: str) -> DatasetField:
    return DatasetField(key, {"type": "dataset_field", "field": field})


def counted_anew(layout: Layout) -> tuple[int, dict[str, tuple[int, ...]]]:
    return Tallies().items(layout), dict(Tallies().uses(layout))


def test_fields_are_told_with_the_pages_that_show_them() -> None:
    layout = AddItem((shown("x", "prompt"), shown("y", "prompt")), Gap("ca", 0))(sketch("a // b // c"))
    layout = AddItem((shown("z", "prompt"),), Gap("cc", 0))(layout)
    assert counted_anew(layout) == (6, {"prompt": (0, 2)})


def test_edits_change_what_was_counted_before() -> None:
    tallies, layout = Tallies(), sketch("a // b // c")
    edits = (
        AddItem((shown("x", "prompt"),), Gap("cb", 0)),
        AddItem((shown("y", "answer"),), Gap("cc", 1)),
        MovePages(("pb",), Gap(None, 0)),
        Remove(("x",)),
        Remove(("pc",)),
    )
    for edit in edits:
        layout = edit(layout)
        assert (tallies.items(layout), dict(tallies.uses(layout))) == counted_anew(layout)
    assert counted_anew(layout) == (2, {})
