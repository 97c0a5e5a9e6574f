"""A record of a data file, and the errors for files that cannot be read at all."""

from typing import Generic, NamedTuple, TypeVar

from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.schema.record_validator import RecordError

T_co = TypeVar("T_co", covariant=True)


class ParsedRecord(NamedTuple, Generic[T_co]):
    """One record of a file: its position, and its content or error.

    `record_index` counts from zero, without blank lines and the header; `line` is the physical
    line on which the record starts, counted from 1.
    """

    record_index: int
    line: int
    content: T_co | RecordError


class UnreadableFile(ValueError):
    """A file cannot be read as a table at all; `reason` and `remedy` are user-visible sentences."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy or _("Save the file as UTF-8 CSV or JSONL, then try again.")


class EmptyFile(UnreadableFile):
    """A file is empty, or contains only blank lines."""

    def __init__(self) -> None:
        super().__init__(_("The file is empty."), _("Write records into it, or choose another file."))

    @override
    def __reduce__(self) -> tuple[type["EmptyFile"], tuple[()]]:
        """Support pickling: the constructor takes no arguments."""
        return EmptyFile, ()
