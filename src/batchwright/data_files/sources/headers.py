"""The names of columns that are written in one or several rows."""

from collections.abc import Sequence


def joined_names(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The name of each column: its different texts in the rows, which have the same number of cells."""
    return tuple(
        " ".join(dict.fromkeys(filter(None, map(str.strip, cells)))) for cells in zip(*rows, strict=True)
    )
