"""Adding what is new: parts from the list, what was pasted, copies dragged with Ctrl held, duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from batchwright.layout.clipboard import afresh
from batchwright.layout.edits.base import Seeded
from batchwright.layout.model import Entry, Layout, Level, Shaped
from batchwright.layout.selection import select
from batchwright.layout.serialization import seeded_keys
from batchwright.layout.tree_edits import Gap, graft, wrapped


@dataclass(frozen=True)
class Add(Seeded):
    """Put entries of one level into a gap; one of a higher level gets them in a new column, row or page."""

    label: ClassVar[str] = "Add"

    entries: tuple[Entry, ...]
    to: Gap

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        goal = self.to.level(layout)
        level = _level_of(self.entries, goal)
        added = wrapped(self.entries, level, goal, seeded_keys(self.seed))
        return graft(layout, added=added, gap=self.to)


class AddPage(Add):
    """Add a page."""

    label = "Add page"


class AddRow(Add):
    """Add a row."""

    label = "Add row"


class AddItem(Add):
    """Add an item: the drop of a part."""

    label = "Add item"


class Paste(Add):
    """Add what `copies.for_pasting` made of the clipboard."""

    label = "Paste"


@dataclass(frozen=True)
class Copy(Seeded):
    """Put copies of entries of one level into a gap: a drag with Ctrl held."""

    label: ClassVar[str] = "Copy"

    keys: tuple[str, ...]
    to: Gap

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        chosen = select(layout, self.keys)
        keys = seeded_keys(self.seed)
        copies = tuple(afresh(entry, keys) for entry in chosen.entries)
        added = wrapped(copies, chosen.level, self.to.level(layout), keys)
        return graft(layout, added=added, gap=self.to)


@dataclass(frozen=True)
class Duplicate(Seeded):
    """Put copies of entries after the last of them; those in several parents each stay in their own."""

    label: ClassVar[str] = "Duplicate"

    keys: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRefused`."""
        chosen = select(layout, self.keys)
        keys = seeded_keys(self.seed)
        gaps: dict[str | None, Gap] = {}
        copies: dict[str | None, list[Entry]] = {}
        for place, entry in zip(chosen.places, chosen.entries, strict=True):
            gap = Gap.after(layout, place)
            gaps[gap.parent] = gap
            copies.setdefault(gap.parent, []).append(afresh(entry, keys))
        for parent, gap in gaps.items():
            layout = graft(layout, added=copies[parent], gap=gap)
        return layout


def _level_of(entries: Sequence[Entry], goal: Level) -> Level:
    """The level of entries; what has no shape is taken to fit where it is put."""
    return next((entry.level for entry in entries if isinstance(entry, Shaped)), goal)
