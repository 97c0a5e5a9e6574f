"""Suggests a schema for a data file from its first records, with the reason for the type of each field."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from itertools import islice
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.urls import is_https_url, is_media_url
from batchwright.data_files.column_names import name_problems
from batchwright.data_files.formats import Format
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.text_rows.sniffing import is_number
from batchwright.schema.model import MEDIA_EXTENSIONS, Field, FieldType, Schema
from batchwright.schema.neutral_labels import label_from_name, names_system
from batchwright.schema.parsing import MAX_FIELDS

INFERENCE_RECORDS = 2000
"""Records that the suggestion is based on."""

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff")

_GROUP_NAMES = ("task_group_id", "meta_task_group_id")
_INNER_NAMES = ("id", "uuid", "index", "key", "source", "split", "model", "file_name", "media_type")


@dataclass(frozen=True)
class Proposal:
    """A suggested schema, and a user-visible reason for each column: why it has its type, or is left out.

    `records` is the number of records it is based on. `optional` are the columns left out that the user may
    include nevertheless: records that do not fit are then rejected.
    """

    schema: Schema
    reasons: Mapping[str, str]
    excluded: Mapping[str, str]
    records: int
    optional: frozenset[str] = frozenset()


@dataclass
class _Column:
    """The values of a column that are not empty, and the first lines with values that restrict its type."""

    values: list[Json] = dataclass_field(default_factory=list)
    nested_line: int | None = None
    """The first line with a list or an object, which no field accepts."""
    empty_text_line: int | None = None
    """The first line of JSONL with an empty text; an empty cell of CSV is a missing value."""

    def add(self, value: Json, line: int, *, is_csv: bool) -> None:
        """Add the value on a line."""
        if isinstance(value, str) and not value:
            self.empty_text_line = self.empty_text_line or (None if is_csv else line)
        elif is_array(value) or is_object(value):
            self.nested_line = self.nested_line or line
        elif value is not None:
            self.values.append(value)


def propose_schema(path: Path, file_format: Format, names: Sequence[str] | None = None) -> Proposal:
    """Suggest a type for every column of a file; the schema is not strict, which is the service's default.

    It accepts each of the first records that any schema accepts, unless a column consists almost entirely of
    addresses; a column with a value that no field accepts is left out. `names` are the columns of the file if
    they are known.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    names = columns(path, file_format) if names is None else names
    by_name = {name: _Column() for name in names}
    record_count = 0
    for entry in islice(rows(path, file_format), INFERENCE_RECORDS):
        record_count += 1
        content = entry.content
        is_csv = is_array(content)
        cells = zip(names, content, strict=False) if is_array(content) else ()
        for name, value in content.items() if is_object(content) else cells:
            if name in by_name:
                by_name[name].add(value, entry.line, is_csv=is_csv)
    return _proposal(names, by_name, record_count)


def proposed_type(name: str, values: Iterable[Json]) -> FieldType:
    """The type suggested for a column with these values; never that of task groups."""
    column = _Column()
    for value in values:
        column.add(value, 0, is_csv=True)
    return _type(name, column, grouping=True)[0]


def _proposal(names: Sequence[str], by_name: Mapping[str, _Column], record_count: int) -> Proposal:
    fields: dict[str, Field] = {}
    reasons: dict[str, str] = {}
    excluded = {problem.name: problem.reason for problem in name_problems(names)}
    optional: set[str] = set()
    grouping = False
    for name, column in by_name.items():
        if name in excluded:
            continue
        if column.nested_line is not None:
            excluded[name] = _(
                "Line {line} contains a list or an object, which a dataset cannot store."
            ).format(line=column.nested_line)
            optional.add(name)
            continue
        if len(fields) == MAX_FIELDS:
            excluded[name] = _("A schema has at most {most} fields.").format(most=MAX_FIELDS)
            continue
        type, reasons[name] = _type(name, column, grouping=grouping)
        grouping = grouping or type is FieldType.TASK_GROUP_ID
        fields[name] = Field(type, label_from_name(name) if type.referable else None)
    schema = Schema(strict=False, fields=fields)
    for name, label in schema.neutral_labels.items():
        if names_system(name):
            schema = schema.with_label(name, label)
    return Proposal(schema, reasons, excluded, record_count, frozenset(optional))


def _type(name: str, column: _Column, *, grouping: bool) -> tuple[FieldType, str]:
    """The type of a column, and why."""
    values = column.values
    if name.lower() in _GROUP_NAMES and not grouping:
        return FieldType.TASK_GROUP_ID, _("The name indicates that it groups tasks.")
    if name.startswith("META_"):
        return FieldType.METADATA, _("The name starts with META_, so participants must not see it.")
    texts = [value for value in values if isinstance(value, str)]
    if texts and len(texts) == len(values) and (by_name := _url_type(texts, column.empty_text_line)):
        return by_name
    if name.lower() in _INNER_NAMES or name.lower().endswith("_id"):
        return FieldType.METADATA, _(
            "The name indicates that it is for your own records, not for participants."
        )
    if values and all(isinstance(value, (int, float)) or _is_figure(str(value)) for value in values):
        return FieldType.METADATA, _(
            "It contains only numbers, dates, or true and false, which participants rarely need to see."
        )
    if not values:
        return FieldType.TEXT, _("It is empty in the records examined.")
    return FieldType.TEXT, _("It contains text.")


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:.]{4,15}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?")


def _is_figure(text: str) -> bool:
    """Whether a text is a number, a percentage, or a date as computers write it."""
    return is_number(text.removesuffix("%").rstrip()) or _DATE.fullmatch(text) is not None


_ALMOST_ALL, _MIN_VALUES = 0.95, 20
"""The share of values that decides the type of a column in spite of the others, if it has so many values."""


def _almost_all(texts: Sequence[str], is_valid: Callable[[str], bool], kind: str) -> str:
    """The reason for a type that almost all values are valid for; empty if they are not."""
    invalid = len(texts) - sum(map(is_valid, texts))
    if len(texts) < _MIN_VALUES or invalid > (1 - _ALMOST_ALL) * len(texts):
        return ""
    text = ngettext(
        "All values but {count} are {kind}. Its record is rejected until the value is corrected.",
        "All values but {count} are {kind}. Their records are rejected until the values are corrected.",
        invalid,
    )
    return text.format(count=invalid, kind=kind)


def _url_type(texts: Sequence[str], empty_text_line: int | None) -> tuple[FieldType, str] | None:
    """The type of a column of addresses, if all values are valid for it."""
    for type, extensions in MEDIA_EXTENSIONS.items():
        if all(is_media_url(text, extensions) for text in texts):
            reason = _("All values are URLs that end in {extensions}.")
            return type, reason.format(extensions=" / ".join(extensions))
    if all(map(is_https_url, texts)):
        if 2 * sum(is_media_url(text, PICTURES) for text in texts) >= len(texts):
            if empty_text_line is not None:
                reason = _(
                    "It contains URLs of images, but line {line} contains an empty text, which an "
                    "image field rejects. Remove the key there to show images."
                )
                return FieldType.TEXT, reason.format(line=empty_text_line)
            return FieldType.IMAGE_URL, _("The values are https URLs of images.")
        return FieldType.TEXT, _("It contains URLs, but not of images; they are shown as text.")
    for type, extensions in MEDIA_EXTENSIONS.items():
        kind = _("URLs that end in {extensions}").format(extensions=" / ".join(extensions))
        if reason := _almost_all(texts, partial(is_media_url, extensions=extensions), kind):
            return type, reason
    if empty_text_line is None and (reason := _almost_all(texts, _is_picture, _("https URLs of images"))):
        return FieldType.IMAGE_URL, reason
    return None


def _is_picture(text: str) -> bool:
    return is_https_url(text) and is_media_url(text, PICTURES)
