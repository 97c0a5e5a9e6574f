"""Decodes a file line by line, in memory that does not grow with the size of the file."""

import codecs
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.encodings import byte_order_mark, is_single_byte, supported_encoding

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_LINE_BYTES = 10_000_000

MAX_BLANK_BYTES = 1_000_000
"""Consecutive bytes of white space, including line ends: reading each blank line takes time."""

BLOCK = 1 << 16

_FIXED_OR_UNICODE = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
"""Encodings in which encoding a decoded text yields the original bytes."""

_PREAMBLE = {"iso2022_kr": b"\x1b$)C"}
"""What precedes the text once per file, so that reading can start at any line."""


class TextLines:
    """The lines of a stream including their line ends, decoded while they are read.

    Bytes that are not valid UTF-8 become lone surrogates, so that an invalid record affects no other; in
    other encodings they make the file unreadable.

    In UTF-8, UTF-16, UTF-32 and single-byte encodings, the decoded text is split into lines. In all other
    encodings the bytes are: a line end is the same byte in each of them, and the position of a line cannot be
    calculated from its text, because several byte sequences have the same text. So that each record can be
    read without those before it, encodings with shift states (ISO 2022, HZ, UTF-7) must be back in their
    initial state at each line end, as their standards demand.

    Args:
        stream: is read from its current position and left open.
        encoding: any name of one of `encodings.ENCODINGS`.
        newline: "" if a line may end in LF, CR LF or CR alone, or LF if only that ends one.
        start: byte offset of the stream's position in its file.
        on_progress: is called now and then with the number of bytes read.

    Raises while it is read:
        UnreadableFile: the file is not text in a known encoding, or a line is too long.
        UnicodeError: the file is not in this encoding.
    """

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str,
        newline: str = "",
        start: int = 0,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        name = supported_encoding(encoding)
        if name is None:
            reason = _("The encoding “{encoding}” is not supported.").format(encoding=encoding)
            raise UnreadableFile(reason, _("Choose another encoding, or save the file as UTF-8."))
        self._encoding = name
        self._errors = "surrogateescape" if name == "utf-8" else "strict"
        self._source = _LimitedReader(stream, name, newline, start, on_progress)
        self._splits_bytes = name not in _FIXED_OR_UNICODE and not is_single_byte(name)
        # Every byte is a Latin-1 character, with the same line ends as in all encodings split by bytes.
        split_as = "latin-1" if self._splits_bytes else name
        buffered = io.BufferedReader(self._source, BLOCK)
        self._lines = io.TextIOWrapper(buffered, split_as, errors=self._errors, newline=newline)

    def __iter__(self) -> Iterator[str]:
        """The lines; read in C where possible."""
        return self._decoded_lines([]) if self._splits_bytes else iter(self._lines)

    def with_offsets(self, offsets: list[int]) -> Iterator[str]:
        """The lines; the byte offset of each is appended to `offsets` before the line is yielded."""
        if self._splits_bytes:
            yield from self._decoded_lines(offsets)
            return
        offset: int | None = None
        is_single = self._encoding not in _FIXED_OR_UNICODE
        for line in self._lines:
            if offset is None:
                offset = self._source.text_start
            offsets.append(offset)
            offset += len(line) if is_single else len(line.encode(self._encoding, self._errors))
            yield line

    def _decoded_lines(self, offsets: list[int]) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self._encoding)()
        decoder.decode(_PREAMBLE.get(self._encoding, b""))
        initial_state = decoder.getstate()
        offset: int | None = None
        text = ""
        for latin_1 in self._lines:
            line = latin_1.encode("latin-1")
            if offset is None:
                offset = self._source.text_start
            if not text:  # otherwise the line end was escaped, as HZ allows
                offsets.append(offset)
            offset += len(line)
            text += decoder.decode(line)
            if not text.endswith(("\n", "\r")):
                continue
            if decoder.getstate() != initial_state:
                raise _shifted_line_end(self._encoding)
            yield text
            text = ""
        text += decoder.decode(b"", final=True)
        if text:
            yield text


class _LimitedReader(io.RawIOBase):
    """A stream without its byte order mark, in which no line and no blank area is too long."""

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str,
        newline: str,
        start: int,
        on_progress: Callable[[int], None] | None,
    ) -> None:
        super().__init__()
        self.text_start = start
        """Byte offset of the first line."""
        self._stream = stream
        self._encoding = encoding
        # In UTF-16 and UTF-32, the byte that is not zero.
        self._line_ends = {end.encode(encoding).strip(b"\0") for end in newline or "\r\n"}
        self._whitespace = " \t\r\n\v\f".encode(encoding)
        self._on_progress = on_progress
        self._bytes_read = start
        self._line_length = 0
        self._blank_length = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        space = memoryview(buffer)
        block = self._stream.read(len(space))
        is_first, self._bytes_read = self._bytes_read == 0, self._bytes_read + len(block)
        if is_first:
            block = self._strip_bom(block)
        self._reject_long_lines(block)
        if self._on_progress is not None:
            self._on_progress(self._bytes_read)
        space[: len(block)] = block
        return len(block)

    def _reject_long_lines(self, block: bytes) -> None:
        self._blank_length = 0 if block.strip(self._whitespace) else self._blank_length + len(block)
        if self._blank_length > MAX_BLANK_BYTES:
            reason = _("The file has more than {most} MB of blank space in one place: it is not a table.")
            raise UnreadableFile(reason.format(most=MAX_BLANK_BYTES // 1_000_000))
        end = max(map(block.rfind, self._line_ends))
        self._line_length = self._line_length + len(block) if end < 0 else len(block) - end - 1
        if self._line_length > MAX_LINE_BYTES:
            reason = _("A line is longer than {most} MB: the file does not have one record per line.")
            raise UnreadableFile(reason.format(most=MAX_LINE_BYTES // 1_000_000))

    def _strip_bom(self, block: bytes) -> bytes:
        if self._encoding == "utf-8":
            _reject_other_encoding(block)
        bom = byte_order_mark(self._encoding)
        if not bom or not block.startswith(bom):
            return block
        self.text_start = len(bom)
        return block[len(bom) :] or self._stream.read(BLOCK - len(bom))


def _shifted_line_end(encoding: str) -> UnreadableFile:
    reason = _("The file is {encoding}, but a line does not end in ASCII, so it cannot be read line by line.")
    return UnreadableFile(reason.format(encoding=encoding.upper()), _("Save the file as UTF-8."))


def _reject_other_encoding(first_block: bytes) -> None:
    """Reject a file that is clearly not UTF-8 as a whole, instead of each of its records."""
    if first_block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableFile(_("The file is encoded as UTF-16. Save it as UTF-8."))
    if b"\0" in first_block.partition(b"\n")[0]:
        raise UnreadableFile(_("The file is not UTF-8 text: its first line contains null bytes."))
