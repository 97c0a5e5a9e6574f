"""The files of an answer: as one was sent and stored, and as one was made up (wire.md 7.1)."""

from dataclasses import dataclass
from typing import TypeAlias

from batchwright.base.json_values import JsonObject
from batchwright.layout.answer_constraints import BYTES_PER_MB


@dataclass(frozen=True)
class FileEntry:
    """A file that a participant sent; `size` counts bytes."""

    file_key: str
    file_name: str
    size: int
    content_type: str

    def as_json(self) -> JsonObject:
        """The entry of the answer."""
        return {
            "file_key": self.file_key,
            "file_name": self.file_name,
            "file_size_mb": self.size / BYTES_PER_MB,
            "content_type": self.content_type,
        }


@dataclass(frozen=True)
class GeneratedFile:
    """A made-up file, to be sent as a participant would send one."""

    name: str
    content_type: str
    content: bytes

    def stored(self, file_key: str) -> FileEntry:
        """What stands in the answer once the file has been stored under a key."""
        return FileEntry(file_key, self.name, len(self.content), self.content_type)


Answer: TypeAlias = "list[JsonObject | GeneratedFile]"
"""The entries of a drawn answer: JSON as in wire.md 7.1, or files still to be sent."""
