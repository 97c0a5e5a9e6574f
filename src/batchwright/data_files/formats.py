"""The format of a data file."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Self


class FormatKind(StrEnum):
    """The two kinds of file that a V4 dataset accepts (specification, Datasets rule 2)."""

    CSV = "csv"
    JSONL = "jsonl"

    @classmethod
    def of(cls, filename: str) -> Self | None:
        """The kind of a file for the service, by the extension in upper or lower case; None for any other."""
        return next((kind for kind in cls if PurePath(filename).suffix.lower() == f".{kind}"), None)


@dataclass(frozen=True)
class Format:
    """How to read a data file.

    The defaults are the format that the service accepts (wire reference, section 4.7). `encoding` is one of
    `encodings.ENCODINGS`; a byte order mark is always skipped. For JSONL, only the encoding is used.
    An empty `quote` means that cells are never quoted.
    """

    kind: FormatKind
    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    header: bool = True

    @property
    def served(self) -> bool:
        """Whether the service can read such a file without conversion."""
        return self == Format(self.kind)


@dataclass(frozen=True)
class RecordsFile:
    """A CSV or JSONL file with records: a data file, or what a source was converted to."""

    path: Path
    format: Format
