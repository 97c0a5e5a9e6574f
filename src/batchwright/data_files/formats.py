"""How a dataset file is written down."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Self


class FormatKind(StrEnum):
    """The two kinds of file that a V4 dataset takes (specification, Datasets rule 2)."""

    CSV = "csv"
    JSONL = "jsonl"

    @classmethod
    def of(cls, filename: str) -> Self | None:
        """The kind that the service takes a file for by its name, in any case; None for all others."""
        return next((kind for kind in cls if PurePath(filename).suffix.lower() == f".{kind}"), None)


@dataclass(frozen=True)
class Format:
    """What one must know to read a file.

    The defaults are what the service takes (wire reference, 4.7). `encoding` is a name that Python knows,
    without a byte order mark, which is skipped in any case. Of a JSONL file only the encoding counts.
    An empty `quote` means that cells are never quoted.
    """

    kind: FormatKind
    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    header: bool = True

    @property
    def served(self) -> bool:
        """Whether the service reads such a file as it is."""
        return self == Format(self.kind)
