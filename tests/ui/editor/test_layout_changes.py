"""Usage counts of fields, updated incrementally, equal a complete count after any edit."""

from batchwright.layout.editing.edits import AddItem, MovePages, Remove
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout
from batchwright.layout.searching.field_references import UsageCounts
from tests.layout.builders import sketch


def shown(key: str, field: str) -> DatasetField:
    return DatasetField(key, {"type": "dataset_field", "field": field})


def recounted(layout: Layout) -> tuple[int, dict[str, tuple[int, ...]]]:
    return UsageCounts().item_count(layout), dict(UsageCounts().pages_by_field(layout))


def test_fields_are_listed_with_the_pages_that_show_them() -> None:
    layout = AddItem((shown("x", "prompt"), shown("y", "prompt")), InsertionPoint("ca", 0))(
        sketch("a // b // c")
    )
    layout = AddItem((shown("z", "prompt"),), InsertionPoint("cc", 0))(layout)
    assert recounted(layout) == (6, {"prompt": (0, 2)})


def test_edits_update_the_usage_counts() -> None:
    tallies, layout = UsageCounts(), sketch("a // b // c")
    edits = (
        AddItem((shown("x", "prompt"),), InsertionPoint("cb", 0)),
        AddItem((shown("y", "answer"),), InsertionPoint("cc", 1)),
        MovePages(("pb",), InsertionPoint(None, 0)),
        Remove(("x",)),
        Remove(("pc",)),
    )
    for edit in edits:
        layout = edit(layout)
        assert (tallies.item_count(layout), dict(tallies.pages_by_field(layout))) == recounted(layout)
    assert recounted(layout) == (2, {})
