"""The entries of an answer to an instruction, and the files among them (specification, responses).

An answer is always a JSON array: one entry for a text, one for each option chosen, one for each file.
"""

from dataclasses import dataclass
from typing import TypeAlias

from batchwright.base.json_values import JsonObject

BYTES_PER_MB = 1024 * 1024
"""The unit of `max_file_size_mb` and `file_size_mb`."""


@dataclass(frozen=True)
class FileEntry:
    """A file that a participant uploaded; `size` is in bytes."""

    file_key: str
    file_name: str
    size: int
    content_type: str

    def as_json(self) -> JsonObject:
        """The entry in the answer."""
        return {
            "file_key": self.file_key,
            "file_name": self.file_name,
            "file_size_mb": self.size / BYTES_PER_MB,
            "content_type": self.content_type,
        }


@dataclass(frozen=True)
class GeneratedFile:
    """A random file for a simulated participant to upload."""

    name: str
    content_type: str
    content: bytes

    def stored(self, file_key: str) -> FileEntry:
        """The entry in the answer after the file has been stored under a key."""
        return FileEntry(file_key, self.name, len(self.content), self.content_type)


GeneratedAnswer: TypeAlias = "list[JsonObject | GeneratedFile]"
"""The entries of a random answer: JSON objects, or files still to be uploaded."""
