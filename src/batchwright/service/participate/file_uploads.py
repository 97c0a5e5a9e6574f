"""Files uploaded with a page, checked against the limits of their question while they stream in.

A file that is not accepted is read to its end, so that the page can show the error, but is not stored:
browsers read a response only after they have sent everything.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from batchwright.base.database import Database
from batchwright.layout.answers import BYTES_PER_MB, FileEntry
from batchwright.layout.form_encoding import field_name
from batchwright.layout.item_types.file_upload import FileLimits
from batchwright.layout.item_types.registry import FileUpload
from batchwright.layout.model import Page
from batchwright.layout.pages.page import instructions_of
from batchwright.service import file_names
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.orphan_files import delete_unreferenced
from batchwright.service.participate.multipart import FileHead, Receiver
from batchwright.service.store import ids
from batchwright.service.store.participant_files import StoredFile

RETAINED_SUFFIX = ".k"
"""Suffix of the form field that lists the uploaded files to keep, after the name of the question's field."""

_CONTENT_TYPE = re.compile(r"[A-Za-z0-9][\w.+-]{0,99}/[A-Za-z0-9][\w.+-]{0,99}", re.ASCII)


def retained_files_field(number: int) -> str:
    """The form field that lists the uploaded files to keep."""
    return field_name(number) + RETAINED_SUFFIX


@dataclass(frozen=True)
class UploadTarget:
    """Where files are stored; their keys start with `folder`."""

    blobs: Blobs
    database: Database
    submission: str
    folder: str


class UploadedFiles:
    """Receives the files of one posted page; without `target` they are not stored."""

    def __init__(
        self, page_of: Callable[[Mapping[str, list[str]]], Page], target: UploadTarget | None = None
    ) -> None:
        self._page_of = page_of
        self._target = target
        self._counts: dict[str, int] = {}
        self.stored: list[StoredFile] = []

    def receiver_for(self, head: FileHead, fields: Mapping[str, list[str]]) -> Receiver:
        """The receiver of a file, which stores it if the question accepts its type and number."""
        limits = self._limits(head, fields)
        head = FileHead(head.field, file_names.safe(head.file_name), _plain_type(head.content_type))
        if self._target is None or limits is None:
            return _DiscardingReceiver(head)
        before = self._counts.setdefault(head.field, len(fields.get(head.field + RETAINED_SUFFIX, ())))
        if not limits.accepts(head.file_name) or before >= limits.max_count:
            return _DiscardingReceiver(head)
        self._counts[head.field] = before + 1
        return _StoringReceiver(self._target, head, int(limits.size_mb * BYTES_PER_MB), self.stored.append)

    def discard(self) -> None:
        """Delete the files that are still in `stored`, unless a row references them."""
        if self._target is not None and self.stored:
            names = [file.blob for file in self.stored]
            delete_unreferenced(self._target.database, self._target.blobs, BlobKind.PARTICIPANT, names)
        self.stored.clear()

    def _limits(self, head: FileHead, fields: Mapping[str, list[str]]) -> FileLimits | None:
        for number, item in enumerate(instructions_of(self._page_of(fields))):
            if field_name(number) == head.field and isinstance(item, FileUpload):
                return item.limits
        return None


class _DiscardingReceiver:
    """Counts the bytes of a file without storing it."""

    def __init__(self, head: FileHead) -> None:
        self._head = head
        self._size = 0

    def write(self, piece: bytes) -> None:
        self._size += len(piece)

    def finish(self) -> FileEntry:
        return FileEntry("", self._head.file_name, self._size, self._head.content_type)

    def abandon(self) -> None:
        """Nothing was stored."""


class _TooLarge(Exception):
    """Stops the storing of a file that exceeds its limit."""


class _StoringReceiver:
    """Stores a file; discards one that exceeds `max_bytes`, and an empty one unless `max_bytes` is 0."""

    def __init__(
        self, target: UploadTarget, head: FileHead, max_bytes: int, on_stored: Callable[[StoredFile], None]
    ) -> None:
        self._target = target
        self._head = head
        self._most = max_bytes
        self._arrived = on_stored
        self._size = 0
        self._receiving = ExitStack()
        self._incoming = self._receiving.enter_context(target.blobs.receiving(BlobKind.PARTICIPANT))

    def write(self, piece: bytes) -> None:
        did_fit = self._size <= self._most
        self._size += len(piece)
        if self._size <= self._most:
            self._incoming.write(piece)
        elif did_fit:
            self.abandon()

    def finish(self) -> FileEntry:
        if self._size > self._most or (self._most and not self._size):
            self.abandon()
            return FileEntry("", self._head.file_name, self._size, self._head.content_type)
        self._receiving.close()
        key = f"{self._target.folder}/{ids.new_id()}"
        name, kind = self._head.file_name, self._head.content_type
        self._arrived(StoredFile(key, self._target.submission, self._incoming.name, name, kind, self._size))
        return FileEntry(key, name, self._size, kind)

    def abandon(self) -> None:
        try:
            self._receiving.__exit__(_TooLarge, _TooLarge(), None)
        except _TooLarge:
            return


def _plain_type(content_type: str) -> str:
    bare = content_type.partition(";")[0].strip().lower()
    return bare if _CONTENT_TYPE.fullmatch(bare) else "application/octet-stream"
