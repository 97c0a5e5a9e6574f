"""A file looked at for the first time: what it seems to hold, then where each of its records begins."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.base.urls import is_https_address, is_media_address
from batchwright.data_files.formats import Format
from batchwright.data_files.index import index_file
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.data_files.schema_inference import RECORDS, Proposal, propose_schema
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType
from batchwright.schema.record_validator import RecordError

MOST_VALUES = 1000
"""How many different values of a column are told apart."""


@dataclass(frozen=True)
class ColumnStats:
    """What the records looked at hold in one column; lengths in characters, of values that are not empty.

    `distinct` counts no further than `MOST_VALUES`. `addresses` counts, for each type of address, the values
    that a field of the type would take.
    """

    filled: int
    empty: int
    shortest: int
    longest: int
    distinct: int
    addresses: Mapping[FieldType, int]


@dataclass(frozen=True)
class FileProfile:
    """The schema proposed for a file, and what its columns hold in the records looked at."""

    proposal: Proposal
    facts: Mapping[str, ColumnStats]


@dataclass(frozen=True)
class FilePreview:
    """The beginning of a file: its size in bytes, its columns, and its first records, unjudged."""

    size: int
    columns: tuple[str, ...]
    entries: tuple[ParsedRecord[Json], ...]


def preview_file(path: Path, form: Format, count: int) -> FilePreview:
    """The first `count` records of a file, for showing something at once.

    Raises:
        UnreadableFile: when the file as a whole cannot be read, or none of its first records has a column.
        OSError: when it cannot be opened.
    """
    names, entries = columns(path, form), tuple(islice(rows(path, form), count))
    if not names and entries:
        raise UnreadableFile(_why_no_columns(entries[0]), _("Write each record as a JSON object on a line."))
    return FilePreview(path.stat().st_size, names, entries)


def profile_and_index(path: Path, form: Format, tell: Callable[[object], None]) -> int:
    """Tell what a file seems to hold (`FileProfile`), then the slices of its index; returns how many records.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    proposal = propose_schema(path, form)
    tell(FileProfile(proposal, column_stats(path, form)))
    return index_file(path, form, tell)


def column_stats(path: Path, form: Format) -> dict[str, ColumnStats]:
    """What each column holds in the first records of a file.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    names = columns(path, form)
    values: dict[str, list[str]] = {name: [] for name in names}
    seen = 0
    for entry in islice(rows(path, form), RECORDS):
        seen += 1
        for name, value in cells(names, entry.content):
            if name in values and value not in (None, ""):
                values[name].append(as_text(value))
    return {name: _facts(texts, seen) for name, texts in values.items()}


def cells(names: tuple[str, ...], content: object) -> list[tuple[str, Json]]:
    """The values of a record in order, each with the name of its column.

    A column whose name stands twice is there twice. A value that a record lacks is None; one beyond the last
    column has an empty name.
    """
    if is_object(content):
        return [(name, content.get(name)) for name in dict.fromkeys((*names, *content))]
    if is_array(content):
        return list(zip_longest(names, content))[: len(names)] + [("", one) for one in content[len(names) :]]
    return []


def as_text(value: Json) -> str:
    """A value as people read it: text as it is, anything else as JSON writes it."""
    return value if isinstance(value, str) else to_json(value)


def _why_no_columns(first: ParsedRecord[Json]) -> str:
    """Why nothing can be shown of JSONL, by its first record."""
    if isinstance(first.content, RecordError):
        reason = first.content.reason
    elif is_object(first.content):
        reason = _("The object has no keys.")
    else:
        reason = _("The value is no object.")
    return _("The file holds no records. Line {line}: {reason}").format(line=first.line, reason=reason)


def _facts(texts: list[str], seen: int) -> ColumnStats:
    lengths = [len(text) for text in texts] or [0]
    addresses = {FieldType.IMAGE_URL: sum(map(is_https_address, texts))}
    for type, extensions in MEDIA_EXTENSIONS.items():
        addresses[type] = sum(is_media_address(text, extensions) for text in texts)
    return ColumnStats(
        filled=len(texts),
        empty=seen - len(texts),
        shortest=min(lengths),
        longest=max(lengths),
        distinct=min(len(set(texts)), MOST_VALUES),
        addresses=addresses,
    )
