"""The items that show dataset fields: counting them, and the edit that follows a renamed field."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout
from batchwright.schema.model import Schema


def reference_counts(layout: Layout) -> Mapping[str, int]:
    """How many items show each field."""
    return Counter(item.field for _path, item in layout.items(DatasetField) if item.field)


@dataclass(frozen=True)
class RenameFields:
    """Let items show other fields: each old name with the new one. Names may be exchanged."""

    label: ClassVar[str] = N_("Rename field")

    names: Mapping[str, str]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards."""
        return layout.with_items(
            {
                item.key: item.with_attributes(field=self.names[item.field])
                for _path, item in layout.items(DatasetField)
                if item.field in self.names
            }
        )


def probable_renames(layout: Layout, before: Schema, after: Schema) -> Mapping[str, str]:
    """The fields that items show and that were probably renamed, each with its new name.

    A field was probably renamed if it is missing, and a new field has a similar name or its position.
    """
    positions = dict(enumerate(after.fields))
    added = {
        name: name.casefold()
        for name, field in after.fields.items()
        if name not in before.fields and field.type.referable
    }
    renames: dict[str, str] = {}
    counts = reference_counts(layout)
    missing = [name for name in before.fields if name in counts and name not in after.fields]
    for name in missing:
        free = [new for new in added if new not in renames.values()]
        similar = get_close_matches(name.casefold(), [added[new] for new in free], n=1)
        if similar:
            renames[name] = next(new for new in free if added[new] == similar[0])
    order = list(before.fields)
    for name in missing:
        at_position = positions.get(order.index(name), "")
        is_free = at_position in added and at_position not in renames.values()
        if name not in renames and is_free and len(before.fields) == len(after.fields):
            renames[name] = at_position
    return renames
