"""The bytes of a file as lines of text, in memory that does not grow with the file."""

import codecs
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LONGEST_LINE = 10_000_000
"""How many bytes may follow each other without a line end."""

MOST_BLANK = 1_000_000
"""How many blank bytes may follow each other, line ends among them: each line takes its time."""

BLOCK = 1 << 16

_MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


class TextLines:
    """The lines of a stream, their ends kept, read as they are asked for.

    Bytes that are no UTF-8 come as lone surrogates, so that a bad record spoils no other.
    `ending` is "" where a line may end in LF, CR LF or CR alone, and LF where only that ends one.
    `at` says at which byte of its file the stream stands. `watch` is told now and then how many
    bytes have been read.

    Raises while it is read:
        UnreadableFile: for what is no text in this encoding, and for a line without end.
    """

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str,
        ending: str = "",
        at: int = 0,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        self._encoding = encoding
        self._errors = "surrogateescape" if encoding == "utf-8" else "strict"
        ends = (b"\n",) if ending else (b"\n", b"\r")
        self._source = _Source(stream, encoding, ends, at, watch)
        buffered = io.BufferedReader(self._source, BLOCK)
        self._text = io.TextIOWrapper(buffered, encoding, errors=self._errors, newline=ending)

    def __iter__(self) -> Iterator[str]:
        """The lines; made by C where nothing has to be watched between them."""
        return iter(self._text)

    def placed(self, starts: list[int]) -> Iterator[str]:
        """The lines again, each line's first byte appended to `starts` before it is given out."""
        place: int | None = None
        for line in self._text:
            if place is None:
                place = self._source.begin
            starts.append(place)
            place += len(line.encode(self._encoding, self._errors))
            yield line


class _Source(io.RawIOBase):
    """A stream without its byte order mark, which refuses a line without end."""

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str,
        ends: tuple[bytes, ...],
        at: int,
        watch: Callable[[int], None] | None,
    ) -> None:
        super().__init__()
        self.begin = at
        self._stream = stream
        self._encoding = encoding
        self._ends = ends
        self._watch = watch
        self._read = at
        self._since_end = 0
        self._blank = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        space = memoryview(buffer)
        block = self._stream.read(len(space))
        first, self._read = self._read == 0, self._read + len(block)
        if first:
            block = self._without_mark(block)
        self._refuse_endless(block)
        if self._watch is not None:
            self._watch(self._read)
        space[: len(block)] = block
        return len(block)

    def _refuse_endless(self, block: bytes) -> None:
        self._blank = 0 if block.strip() else self._blank + len(block)
        if self._blank > MOST_BLANK:
            reason = _("More than {most} MB follow each other that are blank: the file is no table.")
            raise UnreadableFile(reason.format(most=MOST_BLANK // 1_000_000))
        end = max(map(block.rfind, self._ends))
        self._since_end = self._since_end + len(block) if end < 0 else len(block) - end - 1
        if self._since_end > LONGEST_LINE:
            reason = _("A line is longer than {most} MB: the file is no table with a record a line.")
            raise UnreadableFile(reason.format(most=LONGEST_LINE // 1_000_000))

    def _without_mark(self, block: bytes) -> bytes:
        if self._encoding == "utf-8":
            _refuse_foreign(block)
        mark = _MARKS.get(self._encoding, b"")
        if not mark or not block.startswith(mark):
            return block
        self.begin = len(mark)
        return block[len(mark) :] or self._stream.read(BLOCK - len(mark))


def _refuse_foreign(beginning: bytes) -> None:
    """Refuse what was never meant as UTF-8, instead of rejecting it record by record."""
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableFile(_("The file is encoded as UTF-16. Save it as UTF-8."))
    if b"\0" in beginning.partition(b"\n")[0]:
        raise UnreadableFile(_("The file is no text encoded as UTF-8: its first line holds zero bytes."))
