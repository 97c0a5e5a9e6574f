"""A second implementation of the rules for layouts, schemas and records, from the texts alone.

Written from the specification and the wire reference (wire.md 2.3, 4.3, 4.7, 6, 6.1, 12), with
nothing imported from the program: the comparison tests check random samples with this module and
with the rules of the program, and the two must agree. Values are plain JSON as `json.loads` gives it.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

Json: TypeAlias = Any


class Cause(StrEnum):
    """Why something is rejected."""

    # batch_items, rejected with 400
    NO_ARRAY = "batch_items are not an array"
    NO_PAGES = "there is no page"
    PAGE_SHAPE = "a page is not an object with an array of rows"
    NO_ROWS = "a page has no row"
    ROW_SHAPE = "a row is not an object with an array of columns"
    COLUMN_COUNT = "a row has not one or two columns"
    COLUMN_SHAPE = "a column is not an object with an array of items"
    NO_ITEMS = "a column has no item"
    ITEM_SHAPE = "an item is not an object"
    NO_TYPE = "an item has no type"
    ID_NO_TEXT = "an id is not a string"
    ID_FOREIGN = "an id does not belong to the batch"
    ID_TWICE = "an id occurs twice"

    # an item, rejected with 422
    TYPE_UNKNOWN = "a type that is neither the specification's nor a newer one"
    TEXT_MISSING = "a required text is missing, empty or not a string"
    TEXT_WRONG = "an optional text is not a string"
    IMAGE_ADDRESS = "the image has no https URL"
    CONTENT_FORMAT = "content_format is neither html nor markdown"
    NO_SCHEMA = "no dataset with a schema is attached"
    FIELD_UNKNOWN = "the schema has no such field"
    FIELD_HIDDEN = "a field of this type cannot be shown"
    FIELD_TWICE = "the field is already on this page"
    UNITS = "unit_options are not an array with an entry"
    OPTIONS = "options are not an array with an entry"
    ENTRY_SHAPE = "an option is not an object"
    VALUE = "an option has no value"
    VALUE_TWICE = "two options have the same value"
    UNIT_DEFAULT = "default_unit is not one of the units"
    UNIT_POSITION = "unit_position is neither prefix nor suffix"
    RULE_SHAPE = "a validation is not an object"
    RULE_TYPE = "a validation is for neither number nor string"
    RULE_BOUND = "a bound is not a number of the required kind"
    RULE_ORDER = "min is above max"
    LIMIT_KIND = "answer_limit is not an integer"
    LIMIT_LOW = "answer_limit is 0 or below -1"
    LIMIT_HIGH = "answer_limit is above the number of options"
    DROPDOWN = "disable_dropdown is not a boolean"
    EXCLUSIVE_KIND = "exclusive is not a boolean"
    EXCLUSIVE_SINGLE = "an exclusive option where one answer is asked for"
    EXCLUSIVE_ALL = "every option is exclusive"
    FILE_TYPES = "accepted_file_types are not extensions"
    FILE_SIZE = "max_file_size_mb is not a number above 0"
    FILE_COUNT = "a file count is not an integer, or min_file_count is below 1"
    FILE_ORDER = "min_file_count is above max_file_count"
    EDGE_PAGE = "more than text and images on an intro or outro page"

    # a schema, rejected with 400
    SCHEMA_SHAPE = "the schema is not an object"
    STRICT = "strict is not a boolean"
    FIELDS = "fields are not an object of 1 to 200 entries"
    KEY_LENGTH = "a key has not 1 to 128 characters"
    DEFINITION = "a definition is not an object"
    FIELD_TYPE = "a type is unknown"
    LABEL = "a label is not a string of at most 255 characters"
    TWO_GROUPS = "two fields group tasks"

    # a record, rejected by itself
    UNREADABLE = "the record cannot be read"
    MISSING = "a field is missing"
    KIND = "a value has the wrong kind"
    LONE_SURROGATE = "a text contains a lone surrogate"
    IMAGE = "an image has no https URL"
    MEDIA = "audio or video has no URL with the right extension"


@dataclass(frozen=True)
class Accepted:
    """Without errors."""


@dataclass(frozen=True)
class InvalidDocument:
    """A layout or schema that is rejected as a whole, with 400."""

    causes: frozenset[Cause]


@dataclass(frozen=True)
class Issue:
    """An error of an item; positions count from zero."""

    page: int
    row: int
    column: int
    item: int
    cause: Cause

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Page, row, column, item."""
        return self.page, self.row, self.column, self.item


@dataclass(frozen=True)
class ItemIssues:
    """A layout that is rejected with 422."""

    issues: frozenset[Issue]

    @property
    def places(self) -> frozenset[tuple[int, int, int, int]]:
        """The positions of the items with errors."""
        return frozenset(issue.place for issue in self.issues)


@dataclass(frozen=True)
class Stored:
    """An accepted record, as it is stored."""

    values: dict[str, str | int | float | bool]


@dataclass(frozen=True)
class Rejected:
    """A rejected record: the field of its first error in the order of the schema, or `_raw`."""

    field: str
    cause: Cause


class Unknown:
    """The schema is not known yet: references are not checked."""


UNKNOWN: Final = Unknown()

LayoutResult: TypeAlias = Accepted | InvalidDocument | ItemIssues
RecordResult: TypeAlias = Stored | Rejected


# ---------------------------------------------------------------- layouts (wire.md 2.3, 6, 6.1, 12)


def check_layout(
    batch_items: Json, schema: Json | Unknown | None = UNKNOWN, known_ids: Collection[str] | None = None
) -> LayoutResult:
    """Check `batch_items`.

    `schema` is the schema of the attached dataset, None when there is no dataset with one, or
    `UNKNOWN`. `known_ids` are the ids of the batch, or None when any id will do.
    """
    errors = frozenset(_shape_errors(batch_items)) or frozenset(_id_errors(batch_items, known_ids))
    if errors:
        return InvalidDocument(errors)
    issues = frozenset(_issues(batch_items, schema))
    return ItemIssues(issues) if issues else Accepted()


def _shape_errors(batch_items: Json) -> Iterator[Cause]:
    if not isinstance(batch_items, list):
        yield Cause.NO_ARRAY
    elif not batch_items:
        yield Cause.NO_PAGES
    else:
        for page in batch_items:
            yield from _page_shape(page)


def _page_shape(page: Json) -> Iterator[Cause]:
    if not (isinstance(page, dict) and isinstance(page.get("rows"), list)):
        yield Cause.PAGE_SHAPE
    elif not page["rows"]:
        yield Cause.NO_ROWS
    else:
        for row in page["rows"]:
            yield from _row_shape(row)


def _row_shape(row: Json) -> Iterator[Cause]:
    if not (isinstance(row, dict) and isinstance(row.get("columns"), list)):
        yield Cause.ROW_SHAPE
        return
    if len(row["columns"]) not in (1, 2):
        yield Cause.COLUMN_COUNT
    for column in row["columns"]:
        yield from _column_shape(column)


def _column_shape(column: Json) -> Iterator[Cause]:
    if not (isinstance(column, dict) and isinstance(column.get("items"), list)):
        yield Cause.COLUMN_SHAPE
    elif not column["items"]:
        yield Cause.NO_ITEMS
    else:
        for item in column["items"]:
            if not isinstance(item, dict):
                yield Cause.ITEM_SHAPE
            elif not isinstance(item.get("type"), str):
                yield Cause.NO_TYPE


def _id_errors(batch_items: Json, known_ids: Collection[str] | None) -> Iterator[Cause]:
    ids = [entry["id"] for entry in _nodes(batch_items) if entry.get("id") is not None]
    texts = [item for item in ids if isinstance(item, str)]
    if len(texts) < len(ids):
        yield Cause.ID_NO_TEXT
    if known_ids is not None and any(text not in known_ids for text in texts):
        yield Cause.ID_FOREIGN
    if any(count > 1 for count in Counter(texts).values()):
        yield Cause.ID_TWICE


def _nodes(batch_items: Json) -> Iterator[Json]:
    """Every page, row, column and item of a layout with a valid structure."""
    for page in batch_items:
        yield page
        for row in page["rows"]:
            yield row
            for column in row["columns"]:
                yield column
                yield from column["items"]


def _issues(batch_items: Json, schema: Json | Unknown | None) -> Iterator[Issue]:
    for p, page in enumerate(batch_items):
        shown: list[str] = []
        for r, row in enumerate(page["rows"]):
            for c, column in enumerate(row["columns"]):
                for i, item in enumerate(column["items"]):
                    for cause in (*_item_errors(item), *_page_errors(page, item, shown, schema)):
                        yield Issue(p, r, c, i, cause)


def _page_errors(page: Json, item: Json, shown: list[str], schema: Json | Unknown | None) -> Iterator[Cause]:
    """The errors of an item on this page and with this dataset; `shown` collects the fields so far."""
    if page.get("display_position") in ("intro", "outro") and item["type"] not in ("image", "rich_text"):
        yield Cause.EDGE_PAGE
    if item["type"] != "dataset_field":
        return
    if schema is None:
        yield Cause.NO_SCHEMA
    field = item.get("field")
    if not _is_filled(field):
        return
    if field in shown:
        yield Cause.FIELD_TWICE
    shown.append(field)
    if isinstance(schema, dict):
        if field not in schema["fields"]:
            yield Cause.FIELD_UNKNOWN
        elif schema["fields"][field]["type"] in ("metadata", "task_group_id"):
            yield Cause.FIELD_HIDDEN


def _item_errors(item: Json) -> Iterator[Cause]:
    match item["type"]:
        case "dataset_field":
            yield from _texts(item, "field")
        case "image":
            yield from _texts(item, "url", "alt_text", optional=("caption",))
            if _is_filled(item.get("url")) and not is_url(item["url"], "https"):
                yield Cause.IMAGE_ADDRESS
        case "rich_text":
            yield from _texts(item, "content")
            if item.get("content_format") not in (None, "html", "markdown"):
                yield Cause.CONTENT_FORMAT
        case "free_text":
            yield from _texts(item, "description", optional=("helper_text", "placeholder_text_input"))
            yield from _validation(item)
        case "free_text_with_unit":
            yield from _texts(item, "description", optional=("helper_text", "placeholder_text_input"))
            yield from _units(item)
        case "multiple_choice" | "multiple_choice_with_free_text":
            yield from _texts(item, "description", optional=("helper_text", "placeholder_text_input"))
            yield from _choice(item)
        case "file_upload":
            yield from _texts(item, "description", optional=("helper_text",))
            yield from _files(item)
        case "video_narration":
            return
        case _:
            yield Cause.TYPE_UNKNOWN


def _texts(node: Json, *required: str, optional: Sequence[str] = ()) -> Iterator[Cause]:
    if not all(_is_filled(node.get(name)) for name in required):
        yield Cause.TEXT_MISSING
    if not all(isinstance(node.get(name), str | None) for name in optional):
        yield Cause.TEXT_WRONG


def _units(item: Json) -> Iterator[Cause]:
    if item.get("unit_position") not in ("prefix", "suffix"):
        yield Cause.UNIT_POSITION
    units = item.get("unit_options")
    if not (isinstance(units, list) and units):
        yield Cause.UNITS
        return
    for unit in units:
        yield from _labelled(unit, "label")
        yield from _validation(unit) if isinstance(unit, dict) else ()
    default = item.get("default_unit")
    values = [unit.get("value") for unit in units if isinstance(unit, dict)]
    if default is not None and not (isinstance(default, str) and default in map(_as_text, values)):
        yield Cause.UNIT_DEFAULT


def _choice(item: Json) -> Iterator[Cause]:
    if not isinstance(item.get("disable_dropdown"), bool | None):
        yield Cause.DROPDOWN
    limit = item.get("answer_limit")
    if not _is_integer(limit):
        yield Cause.LIMIT_KIND
    elif limit == 0 or limit < -1:
        yield Cause.LIMIT_LOW
    options = item.get("options")
    if not (isinstance(options, list) and options):
        yield Cause.OPTIONS
        return
    if _is_integer(limit) and limit > len(options):
        yield Cause.LIMIT_HIGH
    texts = ("label", "heading") if item["type"] == "multiple_choice_with_free_text" else ("label",)
    for option in options:
        yield from _labelled(option, *texts)
    objects = [option for option in options if isinstance(option, dict)]
    values = [_identity(option.get("value")) for option in objects if _is_value(option.get("value"))]
    if len(set(values)) < len(values):
        yield Cause.VALUE_TWICE
    yield from _exclusive([option.get("exclusive") for option in objects], limit, len(options))


def _exclusive(values: Sequence[Json], limit: Json, count: int) -> Iterator[Cause]:
    if not all(isinstance(entry, bool | None) for entry in values):
        yield Cause.EXCLUSIVE_KIND
    exclusive = sum(entry is True for entry in values)
    if exclusive and _is_integer(limit) and limit == 1:
        yield Cause.EXCLUSIVE_SINGLE
    if exclusive == count:
        yield Cause.EXCLUSIVE_ALL


def _labelled(option: Json, *texts: str) -> Iterator[Cause]:
    if not isinstance(option, dict):
        yield Cause.ENTRY_SHAPE
        return
    yield from _texts(option, *texts)
    if not _is_value(option.get("value")):
        yield Cause.VALUE


def _validation(node: Json) -> Iterator[Cause]:
    rule = node.get("validation")
    if rule is None:
        return
    if not isinstance(rule, dict):
        yield Cause.RULE_SHAPE
        return
    if rule.get("type") not in ("number", "string"):
        yield Cause.RULE_TYPE
    bounds = [rule[name] for name in ("min", "max") if rule.get(name) is not None]
    fits = _is_length if rule.get("type") == "string" else _is_number
    if not all(map(fits, bounds)):
        yield Cause.RULE_BOUND
    elif len(bounds) == 2 and bounds[0] > bounds[1]:
        yield Cause.RULE_ORDER


def _files(item: Json) -> Iterator[Cause]:
    types = item.get("accepted_file_types")
    if types is not None and not (
        isinstance(types, list) and all(isinstance(kind, str) and kind.startswith(".") for kind in types)
    ):
        yield Cause.FILE_TYPES
    size = item.get("max_file_size_mb")
    if size is not None and not (_is_number(size) and size > 0):
        yield Cause.FILE_SIZE
    least, most = item.get("min_file_count"), item.get("max_file_count")
    least, most = 1 if least is None else least, 10 if most is None else most
    if not (_is_integer(least) and least >= 1 and _is_integer(most)):
        yield Cause.FILE_COUNT
    elif least > most:
        yield Cause.FILE_ORDER


# ---------------------------------------------------------------- schemas (wire.md 4.3)


def check_schema(schema: Json) -> Accepted | InvalidDocument:
    """Check a dataset schema."""
    causes = frozenset(_schema_errors(schema))
    return InvalidDocument(causes) if causes else Accepted()


def _schema_errors(schema: Json) -> Iterator[Cause]:
    if not isinstance(schema, dict):
        yield Cause.SCHEMA_SHAPE
        return
    if not isinstance(schema.get("strict", False), bool):
        yield Cause.STRICT
    fields = schema.get("fields")
    if not (isinstance(fields, dict) and 1 <= len(fields) <= 200):
        yield Cause.FIELDS
    if not isinstance(fields, dict):
        return
    for key, definition in fields.items():
        yield from _field_errors(key, definition)
    types = [value.get("type") for value in fields.values() if isinstance(value, dict)]
    if types.count("task_group_id") > 1:
        yield Cause.TWO_GROUPS


def _field_errors(key: str, definition: Json) -> Iterator[Cause]:
    if not 1 <= len(key) <= 128:
        yield Cause.KEY_LENGTH
    if not _is_valid_unicode(key):
        yield Cause.LONE_SURROGATE
    if not isinstance(definition, dict):
        yield Cause.DEFINITION
        return
    types = ("text", "image_url", "audio_url", "video_url", "metadata", "task_group_id")
    if definition.get("type") not in types:
        yield Cause.FIELD_TYPE
    label = definition.get("label")
    if not (label is None or (isinstance(label, str) and len(label) <= 255)):
        yield Cause.LABEL
    if isinstance(label, str) and not _is_valid_unicode(label):
        yield Cause.LONE_SURROGATE


# ---------------------------------------------------------------- records (wire.md 4.3, 4.7, 4.8)


def check_line(schema: Json, line: str) -> RecordResult:
    """Check a line of JSONL."""
    try:
        value = json.loads(line, parse_constant=_reject_constant)
        json.dumps(value, allow_nan=False)
        readable = _depth(value) <= 100
    except (ValueError, RecursionError):
        readable = False
    return check_record(schema, value) if readable else Rejected("_raw", Cause.UNREADABLE)


def check_record(schema: Json, record: Json) -> RecordResult:
    """Check a record against a valid schema."""
    if not isinstance(record, dict):
        return Rejected("_raw", Cause.UNREADABLE)
    values: dict[str, str | int | float | bool] = {}
    for key, definition in schema["fields"].items():
        value = record.get(key)
        if value is not None:
            cause = _value_error(definition["type"], value)
            if cause is not None:
                return Rejected(key, cause)
            values[key] = _as_text(value) if definition["type"] == "text" else value
        elif schema["strict"]:
            return Rejected(key, Cause.MISSING)
    return Stored(values)


def check_csv_row(schema: Json, header: Sequence[str], row: Sequence[str]) -> RecordResult:
    """Check a row of a CSV file with this header: an empty cell is missing, one with a zero byte no text."""
    if len(row) != len(header):
        return Rejected("_raw", Cause.UNREADABLE)
    names = [name.strip() for name in header]
    cells = [b"no text" if "\0" in cell else cell or None for cell in row]
    return check_record(schema, dict(zip(names, cells, strict=True)))


def _value_error(kind: str, value: Json) -> Cause | None:
    free = kind in ("text", "metadata", "task_group_id")
    if not isinstance(value, str):
        return None if free and isinstance(value, bool | int | float) else Cause.KIND
    if not _is_valid_unicode(value):
        return Cause.LONE_SURROGATE
    match kind:
        case "image_url":
            return None if is_url(value, "https") else Cause.IMAGE
        case "audio_url":
            return _media_error(value, (".aac", ".m4a", ".mp3", ".wav"))
        case "video_url":
            return _media_error(value, (".mp4", ".webm", ".mov"))
    return None


def _media_error(value: str, extensions: tuple[str, ...]) -> Cause | None:
    if value == "":
        return None
    if not is_url(value, "http", "https"):
        return Cause.MEDIA
    return None if urlsplit(value).path.lower().endswith(extensions) else Cause.MEDIA


def is_url(text: Json, *schemes: str) -> bool:
    """Whether a text is an absolute URL with one of the schemes."""
    if not isinstance(text, str):
        return False
    if any(character.isspace() or unicodedata.category(character) == "Cc" for character in text):
        return False
    try:
        parts = urlsplit(text)
        _port = parts.port
    except ValueError:
        return False
    return parts.scheme.lower() in schemes and bool(parts.hostname)


# ---------------------------------------------------------------- JSON values


def _is_filled(value: Json) -> bool:
    return isinstance(value, str) and value != ""


def _is_valid_unicode(text: str) -> bool:
    return not any(unicodedata.category(character) == "Cs" for character in text)


def _is_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_length(value: Json) -> bool:
    return _is_integer(value) and value >= 0


def _is_value(value: Json) -> bool:
    return _is_filled(value) or isinstance(value, bool | int | float)


def _identity(value: Json) -> tuple[str, Json]:
    """Equal for two values that are the same: `1` is `1.0`, but neither `true` nor `"1"`."""
    if isinstance(value, str):
        return "text", value
    return ("boolean", value) if isinstance(value, bool) else ("number", value)


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _depth(value: Json) -> int:
    """How deep arrays and objects are nested; 0 for a value that is neither."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(_depth, inner), default=0)
    return 0


def _reject_constant(name: str) -> None:
    raise ValueError(name)
