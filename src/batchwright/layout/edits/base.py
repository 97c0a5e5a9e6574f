"""The interface of edits: frozen values that are called with a layout and return the next one."""

from dataclasses import dataclass, field
from typing import Protocol

from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys


class Edit(Protocol):
    """A change of a layout. The same edit of the same layout always returns the same layout.

    It is applied completely or not at all: then it raises `selection.EditRejected` with the reason. A drag
    therefore calls the edit to find out whether a drop is possible.
    """

    @property
    def label(self) -> str:
        """The name in the undo menu, in English; translated where it is shown."""

    def __call__(self, layout: Layout) -> Layout:
        """The layout afterwards."""


@dataclass(frozen=True, kw_only=True)
class CreatesNodes:
    """An edit that creates nodes. Their keys are derived from `seed`, so that repeating it gives the same."""

    seed: str = field(default_factory=lambda: next(random_keys()))
