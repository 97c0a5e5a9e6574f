"""A schema proposed for a file from its first records, with the reason for each field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from batchwright.records.addresses import is_https_address, is_media_address
from batchwright.records.json_values import Json, is_array, is_object, is_whole
from batchwright.records.schema import MEDIA_EXTENSIONS, Field, FieldType, Schema
from batchwright.records.schema_reading import LONGEST_KEY, MOST_FIELDS
from batchwright.tables.formats import Format
from batchwright.tables.reading import columns, rows
from batchwright.tables.sniffing import is_number
from batchwright.words import _

RECORDS = 2000
"""How many records are looked at."""

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif", ".bmp", ".tif", ".tiff")

_GROUP_NAMES = ("task_group_id", "meta_task_group_id")
_INNER_NAMES = ("id", "uuid", "index", "key", "source", "split", "model")


@dataclass(frozen=True)
class Proposal:
    """A schema, and sentences for people by column: why its type, or why it is left out.

    `records` says how many records were looked at.
    """

    schema: Schema
    reasons: Mapping[str, str]
    left_out: Mapping[str, str]
    records: int


def propose_schema(path: Path, form: Format) -> Proposal:
    """Propose a type for every column of a file; records may lack fields, as the service has it by default.

    Raises:
        Unreadable: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    names = columns(path, form)
    values: dict[str, list[Json]] = {name: [] for name in names}
    seen = 0
    for entry in islice(rows(path, form), RECORDS):
        seen += 1
        content = entry.content
        cells = zip(names, content, strict=False) if is_array(content) else ()
        for name, value in content.items() if is_object(content) else cells:
            if value not in (None, "") and name in values:
                values[name].append(value)
    return _proposal(names, values, seen)


def _proposal(names: Sequence[str], values: Mapping[str, Sequence[Json]], seen: int) -> Proposal:
    fields: dict[str, Field] = {}
    reasons: dict[str, str] = {}
    left_out: dict[str, str] = {}
    grouping = False
    for name in dict.fromkeys(names):
        if refusal := _refusal(name, names.count(name), len(fields)):
            left_out[name] = refusal
            continue
        type, reasons[name] = _type(name, values[name], grouping=grouping)
        grouping = grouping or type is FieldType.TASK_GROUP_ID
        fields[name] = Field(type, _label(name) if type.referable else None)
    return Proposal(Schema(strict=False, fields=fields), reasons, left_out, seen)


def _refusal(name: str, times: int, fields: int) -> str | None:
    """Why a column can be no field."""
    if not name:
        return _("The column has no name.")
    if times > 1:
        return _("{times} columns have this name.").format(times=times)
    if len(name) > LONGEST_KEY:
        return _("The name has {count} characters; {most} are allowed.").format(
            count=len(name), most=LONGEST_KEY
        )
    if not is_whole(name):
        return _("The name is not valid text.")
    if fields == MOST_FIELDS:
        return _("A schema has at most {most} fields.").format(most=MOST_FIELDS)
    return None


def _type(name: str, values: Sequence[Json], *, grouping: bool) -> tuple[FieldType, str]:
    """The type of a column, and why."""
    if name.lower() in _GROUP_NAMES and not grouping:
        return FieldType.TASK_GROUP_ID, _("The name says that it groups tasks.")
    if name.startswith("META_"):
        return FieldType.METADATA, _("The name begins with META_, so participants are not to see it.")
    texts = [value for value in values if isinstance(value, str)]
    if texts and len(texts) == len(values) and (found := _address_type(texts)):
        return found
    if name.lower() in _INNER_NAMES or name.lower().endswith("_id"):
        return FieldType.METADATA, _("By its name it is for your own records, not for participants.")
    if values and all(isinstance(value, (int, float)) or is_number(str(value)) for value in values):
        return FieldType.METADATA, _(
            "It holds only numbers, or true and false, which participants seldom need to see."
        )
    if not values:
        return FieldType.TEXT, _("It is empty in the records looked at.")
    return FieldType.TEXT, _("It holds text.")


def _address_type(texts: Sequence[str]) -> tuple[FieldType, str] | None:
    """The type of a column of addresses, if all are such as it asks for."""
    for type, extensions in MEDIA_EXTENSIONS.items():
        if all(is_media_address(text, extensions) for text in texts):
            reason = _("All values are addresses that end in {extensions}.")
            return type, reason.format(extensions=" / ".join(extensions))
    if all(map(is_https_address, texts)):
        if 2 * sum(is_media_address(text, PICTURES) for text in texts) >= len(texts):
            return FieldType.IMAGE_URL, _("The values are https addresses of pictures.")
        return FieldType.TEXT, _("It holds addresses, but not of pictures; they are shown as text.")
    return None


def _label(name: str) -> str:
    """A name as a participant may read it."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
