"""A column of texts in which each different text is stored once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


class UnusableField(Exception):
    """A field that was chosen is missing, or has no suitable values; the message is its name.

    `reason` says for people what is wrong with its values; empty if the field is missing.
    """

    def __init__(self, name: str, reason: str = "") -> None:
        super().__init__(name)
        self.reason = reason


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Texts by row: `codes` are indexes in `values`; -1 is a missing text."""

    codes: np.ndarray
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "TextColumn":
        """Create a column; None is a missing text."""
        code_of: dict[str, int] = {}
        codes = [-1 if text is None else code_of.setdefault(text, len(code_of)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), tuple(code_of))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        code = int(self.codes[row])
        return self.values[code] if code >= 0 else ""

    def texts(self) -> list[str]:
        """The texts of all rows; a missing one is empty."""
        values = (*self.values, "")
        return [values[code] for code in self.codes.tolist()]

    def take(self, rows: np.ndarray) -> "TextColumn":
        """The column of some rows: indexes, or a boolean per row. A row of -1 is missing."""
        if rows.dtype == bool:
            return TextColumn(self.codes[rows], self.values)
        return TextColumn(np.append(self.codes, -1)[rows], self.values)


def number_of_different(*columns: np.ndarray) -> int:
    """How many different rows there are in columns of codes."""
    rows = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        rows = np.unique(rows, return_inverse=True)[1].reshape(-1) * (int(codes.max(initial=0)) + 1) + codes
    return len(np.unique(rows))


def sorted_codes(values: Sequence[str]) -> list[int]:
    """The indexes of texts in the order of the texts."""
    return sorted(range(len(values)), key=values.__getitem__)
