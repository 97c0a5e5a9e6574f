"""Profiles a data file when it is opened: first records, suggested schema, column statistics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.base.urls import is_https_url, is_media_url
from batchwright.data_files.formats import Format
from batchwright.data_files.index import index_file
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.data_files.schema_inference import INFERENCE_RECORDS, Proposal, propose_schema
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType
from batchwright.schema.neutral_labels import names_system
from batchwright.schema.record_validator import RecordError

MAX_DISTINCT = 1000
"""Distinct values of a column that are counted."""

_NAMING_CHARACTERS = 2000
"""The beginning of a value in which names of models are looked for."""


@dataclass(frozen=True)
class ColumnStats:
    """Statistics of a column in the first records; lengths in characters, of values that are not empty.

    `distinct` is at most `MAX_DISTINCT`. `addresses` is the number of values that are valid for each type of
    address field, `naming_systems` the number of values whose beginning names a model or its vendor.
    """

    filled: int
    empty: int
    shortest: int
    longest: int
    distinct: int
    urls: Mapping[FieldType, int]
    naming_systems: int


@dataclass(frozen=True)
class FileProfile:
    """The schema suggested for a file, and the statistics of its columns."""

    proposal: Proposal
    column_stats: Mapping[str, ColumnStats]


@dataclass(frozen=True)
class FilePreview:
    """The size of a file in bytes, its columns, and its first records without validation."""

    size: int
    columns: tuple[str, ...]
    records: tuple[ParsedRecord[Json], ...]


def preview_file(path: Path, file_format: Format, count: int) -> FilePreview:
    """The first `count` records of a file, for showing it at once.

    Raises:
        UnreadableFile: when the file as a whole cannot be read, or none of its first records has a column.
        OSError: when it cannot be opened.
    """
    names, entries = columns(path, file_format), tuple(islice(rows(path, file_format), count))
    if not names and entries:
        raise UnreadableFile(_why_no_columns(entries[0]), _("Write each record as a JSON object on a line."))
    return FilePreview(path.stat().st_size, names, entries)


def profile_and_index(path: Path, file_format: Format, notify: Callable[[object], None]) -> int:
    """Pass a `FileProfile` to `notify`, then the chunks of the index; returns the number of records.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    notify(profile_file(path, file_format))
    return index_file(path, file_format, notify)


def profile_file(path: Path, file_format: Format, names: tuple[str, ...] | None = None) -> FileProfile:
    """The profile of a file, from its first records; `names` are its columns if they are known.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    names = columns(path, file_format) if names is None else names
    return FileProfile(propose_schema(path, file_format, names), column_stats(path, file_format, names))


def column_stats(
    path: Path, file_format: Format, names: tuple[str, ...] | None = None
) -> dict[str, ColumnStats]:
    """The statistics of each column in the first records of a file; `names` are its columns if known.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    names = columns(path, file_format) if names is None else names
    values: dict[str, list[str]] = {name: [] for name in names}
    record_count = 0
    for entry in islice(rows(path, file_format), INFERENCE_RECORDS):
        record_count += 1
        for name, value in cells(names, entry.content):
            if name in values and value not in (None, ""):
                values[name].append(as_text(value))
    return {name: _column_stats(texts, record_count) for name, texts in values.items()}


def cells(names: tuple[str, ...], content: object) -> list[tuple[str, Json]]:
    """The values of a record in order, each with the name of its column.

    A name that occurs twice in the header occurs twice here. A missing value is None; a value beyond the last
    column has an empty name.
    """
    if is_object(content):
        return [(name, content.get(name)) for name in dict.fromkeys((*names, *content))]
    if is_array(content):
        return list(zip_longest(names, content))[: len(names)] + [
            ("", entry) for entry in content[len(names) :]
        ]
    return []


def as_text(value: Json) -> str:
    """A value for display: text unchanged, anything else as JSON."""
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else to_json(value)


def _why_no_columns(first: ParsedRecord[Json]) -> str:
    """Why the records of a JSONL file have no columns, judged by the first record."""
    if isinstance(first.content, RecordError):
        reason = first.content.reason
    elif is_object(first.content):
        reason = _("The object has no keys.")
    else:
        reason = _("The value is not an object.")
    return _("The file contains no records. Line {line}: {reason}").format(line=first.line, reason=reason)


def _column_stats(texts: list[str], record_count: int) -> ColumnStats:
    lengths = [len(text) for text in texts] or [0]
    addresses = {FieldType.IMAGE_URL: sum(map(is_https_url, texts))}
    for type, extensions in MEDIA_EXTENSIONS.items():
        addresses[type] = sum(is_media_url(text, extensions) for text in texts)
    return ColumnStats(
        filled=len(texts),
        empty=record_count - len(texts),
        shortest=min(lengths),
        longest=max(lengths),
        distinct=min(len(set(texts)), MAX_DISTINCT),
        urls=addresses,
        naming_systems=sum(names_system(text[:_NAMING_CHARACTERS]) for text in texts),
    )
