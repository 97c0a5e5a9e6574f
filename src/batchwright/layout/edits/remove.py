"""Removing nodes."""

from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.i18n import N_
from batchwright.layout.model import Layout
from batchwright.layout.selection import select
from batchwright.layout.tree_edits import replace_subtrees


@dataclass(frozen=True)
class Remove:
    """Remove nodes of any level, and columns and rows that become empty."""

    label: ClassVar[str] = N_("Remove")

    keys: tuple[str, ...]

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards; raises `EditRejected`."""
        return replace_subtrees(layout, removed=select(layout, self.keys).nodes)


@dataclass(frozen=True)
class Cut(Remove):
    """Remove nodes that have been copied to the clipboard."""

    label = N_("Cut")
