"""What a posted page holds, and where its files go while it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol

from batchwright.layout.answers import FileEntry


class InvalidForm(Exception):
    """What was posted is no form, or too long for one; `status` says which."""

    def __init__(self, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(status.phrase)
        self.status = status


class Receiver(Protocol):
    """Takes one file, piece by piece; may block on the disk."""

    def write(self, piece: bytes) -> None:
        """Take the next piece."""

    def finish(self) -> FileEntry:
        """The file is whole."""

    def abandon(self) -> None:
        """The file will not come to its end."""


@dataclass(frozen=True)
class FileHead:
    """What a form says about a file before its content."""

    field: str
    file_name: str
    content_type: str


ReceiverFactory = Callable[[FileHead, Mapping[str, list[str]]], Receiver]
"""Where a file goes, given the fields that came before it."""


@dataclass(frozen=True)
class FormData:
    """The fields of a form, and the files that came with it, by field name."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[FileEntry]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        """The first value of a field; empty when it was not sent."""
        return next(iter(self.fields.get(name, ())), "")


def no_files(_head: FileHead, _fields: Mapping[str, list[str]]) -> Receiver:
    """The door of a form that asks for no file."""
    raise InvalidForm
