"""The names of the columns with what the preparation decided; participants never see them.

Results finds them again by these names. Those of sets of items are in `schema/item_sets`.
"""

from collections.abc import Sequence
from typing import overload

PAIR_ID = "META_PAIR_ID"
"""The number of the comparison."""
SYSTEM_LEFT, SYSTEM_RIGHT = "META_SYSTEM_LEFT", "META_SYSTEM_RIGHT"
BLOCK = "META_BLOCK"
STRATUM = "META_STRATUM"
WEIGHT = "META_WEIGHT"
"""How many rows of its stratum each row of a sample stands for, if the sample is not proportional to strata;
0 for rows that stand for none."""
LANGUAGE = "META_LANGUAGE"
"""The code of the language of a text (ISO 639)."""
SAMPLE = "META_SAMPLE"
"""`pilot` or `main`."""
GOLD_ANSWER = "META_GOLD_ANSWER"
RECORD_ID = "META_RECORD_ID"
"""The number of a record before rows were repeated; copies have that of the first one."""
COPY_OF = "META_COPY_OF"
"""The number of the record that a row repeats in its group."""
IS_SHARED = "META_SHARED"
"""`yes` for the records that are in every group."""


class NumberTexts(Sequence[str]):
    """The numbers from 1 to `count` as texts."""

    def __init__(self, count: int) -> None:
        self._numbers = range(1, count + 1)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else [*map(str, found)]
