"""What an edit is: a frozen value that can be called on a layout and gives the next one."""

from dataclasses import dataclass, field
from typing import Protocol

from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys


class Edit(Protocol):
    """One deed on a layout. Called twice on the same layout it gives the same layout twice.

    It is done whole, or not at all: then it raises `selection.EditRejected` with the reason, and
    so a drag can ask by calling it whether a drop would be taken.
    """

    @property
    def label(self) -> str:
        """What the undo menu calls it: English, to be translated where it is shown."""

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards."""


@dataclass(frozen=True, kw_only=True)
class CreatesNodes:
    """An edit that makes new entries; their keys come from `seed`, so that doing it again gives the same."""

    seed: str = field(default_factory=lambda: next(random_keys()))
