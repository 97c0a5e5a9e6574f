"""Parses a multipart form as it arrives: fields are collected, files are passed to receivers in pieces."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from batchwright.base.limits import LARGEST_FORM, MAX_FORM_FIELDS
from batchwright.layout.answers import FileEntry
from batchwright.service.blobs import CHUNK_SIZE


class InvalidForm(Exception):
    """The posted form is not valid; `status` is the HTTP status of the error."""

    def __init__(self, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(status.phrase)
        self.status = status


class Receiver(Protocol):
    """Receives one file; may block on the disk."""

    def write(self, piece: bytes) -> None:
        """Receive the next bytes."""

    def finish(self) -> FileEntry:
        """The file is complete; returns its entry for the answer."""

    def abandon(self) -> None:
        """The file will not be completed."""


@dataclass(frozen=True)
class FileHead:
    """The headers of a file in a form."""

    field: str
    file_name: str
    content_type: str


ReceiverFactory = Callable[[FileHead, Mapping[str, list[str]]], Receiver]
"""Returns the receiver of a file, given the fields before it."""


@dataclass(frozen=True)
class FormData:
    """The fields of a form, and the files that came with it, by field name."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[FileEntry]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        """The first value of a field; empty if it was not sent."""
        return next(iter(self.fields.get(name, ())), "")


async def read_multipart(
    stream: AsyncIterator[bytes], boundary: bytes, receiver_for: ReceiverFactory
) -> FormData:
    """Read a form; if it is interrupted, incomplete files are abandoned.

    Raises:
        InvalidForm: not a multipart form, or its fields are too long.
    """
    reader = _Reader(receiver_for)
    try:
        parser = MultipartParser(boundary, reader.callbacks())  # type: ignore[arg-type] # a TypedDict
        async for piece in stream:
            parser.write(piece)
            if reader.waiting >= CHUNK_SIZE or reader.file_ended:
                await run_in_threadpool(reader.work)
        if reader.has_files:
            await run_in_threadpool(reader.work)
        if not reader.complete:
            raise InvalidForm
    except FormParserError:
        reader.abandon()
        raise InvalidForm from None
    except BaseException:
        reader.abandon()
        raise
    return reader.posted()


class _Part:
    """One part of the form while it is parsed."""

    def __init__(self) -> None:
        self.header_name = bytearray()
        self.header_value = bytearray()
        self.headers: dict[str, bytes] = {}
        self.data = bytearray()
        self.name = ""
        self.head: FileHead | None = None
        self.receiver: Receiver | None = None
        self.ended = False


class _Reader:
    """Collects what the parser returns; `work` writes files and may block."""

    def __init__(self, receiver_for: ReceiverFactory) -> None:
        self._receiver_for = receiver_for
        self._parts: list[_Part] = []
        self._fields: defaultdict[str, list[str]] = defaultdict(list)
        self._files: defaultdict[str, list[FileEntry]] = defaultdict(list)
        self._field_bytes = 0
        self._count = 0
        self.complete = False

    def callbacks(self) -> dict[str, Callable[..., None]]:
        """The callbacks of the parser."""
        return {
            "on_part_begin": self._on_part_begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._on_part_end,
            "on_end": self._end,
        }

    @property
    def waiting(self) -> int:
        """The number of file bytes that wait to be written."""
        return sum(len(part.data) for part in self._parts if part.head)

    @property
    def file_ended(self) -> bool:
        """Whether a file is complete and waits to be finished."""
        return any(part.ended and part.head for part in self._parts)

    @property
    def has_files(self) -> bool:
        """Whether there are files to write or finish."""
        return any(part.head for part in self._parts)

    def work(self) -> None:
        """Write the received bytes of files, and finish complete ones."""
        remaining = []
        for part in self._parts:
            if part.head is not None:
                self._hand_on(part, part.head)
            if not part.ended:
                remaining.append(part)
        self._parts = remaining

    def abandon(self) -> None:
        """Abandon incomplete files."""
        for part in self._parts:
            if part.receiver is not None:
                part.receiver.abandon()
        self._parts = []

    def posted(self) -> FormData:
        """The complete form."""
        return FormData(dict(self._fields), dict(self._files))

    def _hand_on(self, part: _Part, head: FileHead) -> None:
        if part.receiver is None:
            part.receiver = self._receiver_for(head, self._fields)
        if part.data:
            part.receiver.write(bytes(part.data))
            part.data.clear()
        if part.ended:
            receiver, part.receiver = part.receiver, None
            self._files[head.field].append(receiver.finish())

    def _on_part_begin(self) -> None:
        self._count += 1
        if self._count > MAX_FORM_FIELDS:
            raise InvalidForm(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._parts.append(_Part())

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._parts[-1].header_name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._parts[-1].header_value += data[start:end]

    def _header_end(self) -> None:
        part = self._parts[-1]
        part.headers[part.header_name.decode("latin-1").lower()] = bytes(part.header_value)
        part.header_name.clear()
        part.header_value.clear()

    def _headers_finished(self) -> None:
        part = self._parts[-1]
        _kind, options = parse_options_header(part.headers.get("content-disposition", b""))
        part.name = _text(options.get(b"name", b""))
        if b"filename" in options:
            content_type = part.headers.get("content-type", b"application/octet-stream")
            part.head = FileHead(part.name, _file_name(options[b"filename"]), _text(content_type))

    def _data(self, data: bytes, start: int, end: int) -> None:
        part = self._parts[-1]
        part.data += data[start:end]
        if part.head is None:
            self._field_bytes += end - start
            if self._field_bytes > LARGEST_FORM:
                raise InvalidForm(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def _on_part_end(self) -> None:
        part = self._parts[-1]
        part.ended = True
        if part.head is None:
            self._fields[part.name].append(_text(bytes(part.data)))
            self._parts.pop()
        elif not part.head.file_name and not part.data:
            # A file field without a chosen file.
            self._parts.pop()

    def _end(self) -> None:
        self.complete = True


def _file_name(sent: bytes) -> str:
    """A file name without the escapes of browsers (HTML standard), which do not escape the percent sign."""
    return _text(sent.replace(b"%22", b'"').replace(b"%0D", b"\r").replace(b"%0A", b"\n"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
