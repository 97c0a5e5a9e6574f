"""Limits the length of CSV rows: an unclosed quotation mark must not load the rest of a file into memory."""

from collections.abc import Iterable, Iterator

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

MAX_ROW_CHARS = 10_000_000
"""Characters in one row, including the line ends within its cells."""

_BLANK = frozenset({"\n", "\r\n", "\r"})
"""Blank lines between rows do not count; within a cell they count towards the maximum of a cell."""


class BoundedRowReader:
    """Passes lines on and limits the characters of a row; the caller announces each row with `next_row`.

    Raises while it is read:
        UnreadableFile: a row is too long.
    """

    def __init__(self, source: Iterable[str]) -> None:
        self._source = source
        self._length = 0

    def next_row(self) -> None:
        """The following lines belong to another row."""
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        """The lines."""
        for line in self._source:
            if line not in _BLANK:
                self._length += len(line)
                if self._length > MAX_ROW_CHARS:
                    reason = _("A row is longer than {most} MB; a quotation mark may not be closed.")
                    raise UnreadableFile(reason.format(most=MAX_ROW_CHARS // 1_000_000))
            yield line
