"""Rows of a CSV file that never end: a quotation mark left open must not swallow a file into the memory."""

from collections.abc import Iterable, Iterator

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

LONGEST_ROW = 10_000_000
"""Characters in one row, however many lines its cells take."""

_BLANK = frozenset({"\n", "\r\n", "\r"})
"""Lines between rows, of which there may be any number; within a cell, its own length bounds them."""


class BoundedRowReader:
    """Lines of which only so many characters make one row; who reads them says where one ends.

    Raises while it is read:
        UnreadableFile: a row goes on and on.
    """

    def __init__(self, source: Iterable[str]) -> None:
        self._source = source
        self._length = 0

    def next_row(self) -> None:
        """What comes belongs to another row."""
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        """The lines."""
        for line in self._source:
            if line not in _BLANK:
                self._length += len(line)
                if self._length > LONGEST_ROW:
                    reason = _("A row is longer than {most} MB; perhaps a quotation mark is left open.")
                    raise UnreadableFile(reason.format(most=LONGEST_ROW // 1_000_000))
            yield line
