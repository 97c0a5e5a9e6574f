"""The columns of a file with answers, as all writers expect them."""

from typing import Any, Protocol


class FileColumn(Protocol):
    """A column: name, values with None for a missing one, and whether all values are numbers."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def values(self) -> list[Any]:
        """The values."""

    @property
    def is_number(self) -> bool:
        """Whether values are numbers; otherwise texts."""
