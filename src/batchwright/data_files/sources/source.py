"""A table in a source: its columns and rows, what the user should know, and the choices for reading it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from batchwright.base.json_values import Json

OptionValue: TypeAlias = str | int | None


@dataclass(frozen=True)
class SourceOptions:
    """How to read a source; the defaults stand for what the source proposes.

    A type of source uses the options that its tables offer as choices, and ignores the others.
    """

    sheet: str = ""
    """The name of the sheet of a spreadsheet; empty for the proposed one."""
    header_row: int | None = None
    """The row of the table with the names of the columns, counted from 1; 0 if there is none."""
    header_rows: int | None = None
    """The number of rows that have these names, 1 or 2, of which `header_row` is the last; 0 in a CSV file
    without any."""
    merged: str = ""
    """`first` if merged cells of a spreadsheet have their value in the first row and column only."""
    array: str = ""
    """The path of the array with the records in a JSON file; empty for the proposed one."""
    flatten: str = ""
    """The path of the list of which each element gets a row of its own; empty if all lists are joined."""
    member: str = ""
    """The name of the file in a ZIP archive; empty for the proposed one."""
    codes: str = ""
    """`codes` for the codes of an SPSS file instead of their labels."""
    encoding: str = ""
    """The encoding of a CSV file in a compressed file or an archive, of `encodings.ENCODINGS`; empty for the
    detected one."""
    delimiter: str = ""
    """Its delimiter; empty for the detected one."""

    files: str = ""
    """The media files that were chosen in a folder, as paths with slashes, one a line; empty for all."""
    subfolders: int = 1
    """Whether the media in the folders of a folder belong to the table: 1 or 0."""
    medium: str = ""
    """The kind of media of a folder: picture, recording or video; empty for the most frequent."""
    base_address: str = ""
    """The URL to which the paths of media are added; empty while they are only on this computer."""

    def with_values(self, values: Mapping[str, OptionValue]) -> "SourceOptions":
        """The same with other values of some options, by their names."""
        return replace(self, **cast("dict[str, Any]", values))


@dataclass(frozen=True)
class SourceChoice:
    """The values that the user can choose for one option of a source."""

    option: str
    """The attribute of `SourceOptions`."""
    title: str
    values: tuple[tuple[OptionValue, str], ...]
    """Each value with its text."""
    current: OptionValue
    """The value that the table was read with."""


@dataclass(frozen=True)
class UnreadableRow:
    """A row of a text that is no record: a value that a check rejects at its line."""

    value: Json


Row: TypeAlias = tuple[int, Sequence[Json]]
"""The number of the row as the source counts it, from 1, and its cells; None and "" are missing values."""


@dataclass
class SourceTable:
    """A table while it is being read.

    `columns` are the names as they stand in the source: some may be empty or the same. While rows are read,
    names may be appended; a row has cells for those that were known by then. `rows` can be iterated once.
    """

    columns: Sequence[str]
    rows: Iterator[Row | tuple[int, UnreadableRow]]
    choices: tuple[SourceChoice, ...] = ()
    notes: list[str] = field(default_factory=list)
    """Sentences about what was done or left out; complete when all rows were read."""
    row_count: int | None = None
    """The number of rows, if it is known before they are read."""
