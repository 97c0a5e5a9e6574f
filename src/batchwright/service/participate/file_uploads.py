"""The files that come with a page: held to their question's limits while they stream in.

A file that no answer may hold is read to its end and counted, so that the page can say what is
wrong with it, but is not kept.
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

KEPT_END = ".k"
"""Behind the name of a file question's field: the field that names the files which stay."""

_CONTENT_TYPE = re.compile(r"[A-Za-z0-9][\w.+-]{0,99}/[A-Za-z0-9][\w.+-]{0,99}", re.ASCII)


def retained_files_field(number: int) -> str:
    """The field that names the files which arrived before and stay."""
    return field_name(number) + KEPT_END


@dataclass(frozen=True)
class UploadTarget:
    """Where files are kept: the blobs, who names them, and what their keys begin with."""

    blobs: Blobs
    database: Database
    submission: str
    folder: str


class UploadedFiles:
    """The door for the files of one posted page; without `keeping` they are only counted."""

    def __init__(
        self, page_of: Callable[[Mapping[str, list[str]]], Page], keeping: UploadTarget | None = None
    ) -> None:
        self._page_of = page_of
        self._keeping = keeping
        self._counts: dict[str, int] = {}
        self.stored: list[StoredFile] = []

    def door(self, head: FileHead, fields: Mapping[str, list[str]]) -> Receiver:
        """Who takes a file: it is kept when its question accepts its type and has room for it."""
        limits = self._limits(head, fields)
        head = FileHead(head.field, file_names.safe(head.file_name), _plain_type(head.content_type))
        if self._keeping is None or limits is None:
            return _Counting(head)
        before = self._counts.setdefault(head.field, len(fields.get(head.field + KEPT_END, ())))
        accepted = head.file_name.lower().endswith(tuple(one.lower() for one in limits.types))
        if not accepted or before >= limits.most:
            return _Counting(head)
        self._counts[head.field] = before + 1
        return _Storing(self._keeping, head, int(limits.size_mb * BYTES_PER_MB), self.stored.append)

    def discard(self) -> None:
        """Remove the files that nobody took out of `stored`, unless they were named all the same."""
        if self._keeping is not None and self.stored:
            names = [file.blob for file in self.stored]
            delete_unreferenced(self._keeping.database, self._keeping.blobs, BlobKind.PARTICIPANT, names)
        self.stored.clear()

    def _limits(self, head: FileHead, fields: Mapping[str, list[str]]) -> FileLimits | None:
        for number, item in enumerate(instructions_of(self._page_of(fields))):
            if field_name(number) == head.field and isinstance(item, FileUpload):
                return item.limits
        return None


class _Counting:
    """Takes a file without keeping it."""

    def __init__(self, head: FileHead) -> None:
        self._head = head
        self._size = 0

    def write(self, piece: bytes) -> None:
        self._size += len(piece)

    def finish(self) -> FileEntry:
        return FileEntry("", self._head.file_name, self._size, self._head.content_type)

    def abandon(self) -> None:
        """Nothing was kept."""


class _TooLarge(Exception):
    """Ends the receiving of a file that has passed its limit."""


class _Storing:
    """Takes a file to the blobs, and lets go of it when it passes `most` bytes."""

    def __init__(
        self, keeping: UploadTarget, head: FileHead, most: int, arrived: Callable[[StoredFile], None]
    ) -> None:
        self._keeping = keeping
        self._head = head
        self._most = most
        self._arrived = arrived
        self._size = 0
        self._receiving = ExitStack()
        self._incoming = self._receiving.enter_context(keeping.blobs.receiving(BlobKind.PARTICIPANT))

    def write(self, piece: bytes) -> None:
        fitted = self._size <= self._most
        self._size += len(piece)
        if self._size <= self._most:
            self._incoming.write(piece)
        elif fitted:
            self.abandon()

    def finish(self) -> FileEntry:
        if self._size > self._most:
            return FileEntry("", self._head.file_name, self._size, self._head.content_type)
        self._receiving.close()
        key = f"{self._keeping.folder}/{ids.new_id()}"
        name, kind = self._head.file_name, self._head.content_type
        self._arrived(StoredFile(key, self._keeping.submission, self._incoming.name, name, kind, self._size))
        return FileEntry(key, name, self._size, kind)

    def abandon(self) -> None:
        try:
            self._receiving.__exit__(_TooLarge, _TooLarge(), None)
        except _TooLarge:
            return


def _plain_type(content_type: str) -> str:
    bare = content_type.partition(";")[0].strip().lower()
    return bare if _CONTENT_TYPE.fullmatch(bare) else "application/octet-stream"
