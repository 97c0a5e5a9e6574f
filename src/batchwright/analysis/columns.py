"""A column of texts in which each different text is stored once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


class UnusableField(Exception):
    """A field that was chosen is missing, or has no suitable values; the message is its name."""


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Texts by row: `codes` are indexes in `values`; -1 is a missing text."""

    codes: np.ndarray
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "TextColumn":
        """Create a column; None is a missing text."""
        builder = TextColumnBuilder()
        for text in texts:
            builder.append(text)
        return builder.column()

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        code = int(self.codes[row])
        return self.values[code] if code >= 0 else ""

    def texts(self) -> list[str]:
        """Return the texts of all rows; a missing one is empty."""
        return list(map((*self.values, "").__getitem__, self.codes.tolist()))

    def take(self, rows: np.ndarray) -> "TextColumn":
        """Return the column of some rows: indexes, or a boolean per row. A row of -1 is missing."""
        if rows.dtype == bool:
            return TextColumn(self.codes[rows], self.values)
        return TextColumn(np.append(self.codes, -1)[rows], self.values)


class TextColumnBuilder:
    """Collects the texts of a column."""

    def __init__(self) -> None:
        self._codes: list[int] = []
        self._code_of: dict[str, int] = {}

    def append(self, text: str | None) -> None:
        """Add a row."""
        codes = self._code_of
        self._codes.append(-1 if text is None else codes.setdefault(text, len(codes)))

    def column(self) -> TextColumn:
        """Return the column of all rows added so far."""
        return TextColumn(np.array(self._codes, dtype=np.int32), tuple(self._code_of))


def sorted_codes(values: Sequence[str]) -> list[int]:
    """Return the indexes of texts in the order of the texts."""
    return sorted(range(len(values)), key=values.__getitem__)
