"""Formats, types and facts of columns in words."""

from collections.abc import Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.profiling import MOST_VALUES, ColumnStats
from batchwright.data_files.sniffing import DELIMITERS, QUOTES
from batchwright.schema.model import FieldType
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.columns import SchemaColumn

FAMILY = {
    FieldType.TEXT: ("text-t", "field"),
    FieldType.IMAGE_URL: ("image-square", "field"),
    FieldType.AUDIO_URL: ("speaker-high", "field"),
    FieldType.VIDEO_URL: ("video-camera", "field"),
    FieldType.METADATA: ("tag", "content"),
    FieldType.TASK_GROUP_ID: ("users-three", "content"),
}
"""Glyph and family of each type of field (look.md 5)."""

_BOTH = 2

LEFT_OUT = ("eye-slash", "neutral")
"""Glyph and tone of a column that is no field."""


_NAMED = 3
"""How many columns are named in one sentence."""


def columns_named(names: Sequence[str]) -> str:
    """The first columns in quotation marks, and how many more there are."""
    named = ", ".join(f"“{name}”" for name in names[:_NAMED])
    more = len(names) - _NAMED
    return _("{names} and {count} more").format(names=named, count=number(more)) if more > 0 else named


def type_name(type: FieldType) -> str:
    """What people call a type of field."""
    return {
        FieldType.TEXT: _("Text"),
        FieldType.IMAGE_URL: _("Image address"),
        FieldType.AUDIO_URL: _("Audio address"),
        FieldType.VIDEO_URL: _("Video address"),
        FieldType.METADATA: _("Metadata"),
        FieldType.TASK_GROUP_ID: _("Task group"),
    }[type]


ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "cp1252": "Windows 1252",
    "latin-1": "Latin 1",
}
"""The encodings offered, by the names that Python knows."""


def encoding_name(encoding: str) -> str:
    """What people call an encoding."""
    return ENCODINGS.get(encoding, encoding)


def delimiter_name(delimiter: str) -> str:
    """What people call a delimiter."""
    return {",": _("Comma"), ";": _("Semicolon"), "\t": _("Tab"), "|": _("Bar")}.get(delimiter, delimiter)


def quote_name(quote: str) -> str:
    """What people call a way to quote cells."""
    if not quote:
        return _("Cells are never quoted")
    return _("Cells are quoted with {quote}").format(quote=quote)


def header_name(*, header: bool) -> str:
    """Whether the first line names the columns."""
    return _("Header in line 1") if header else _("No header")


def offered_delimiters(file_format: Format) -> tuple[str, ...]:
    """The delimiters to choose from; the one in use is among them."""
    return DELIMITERS if file_format.delimiter in DELIMITERS else (*DELIMITERS, file_format.delimiter)


OFFERED_QUOTES = (*QUOTES, "")


def kind_name(kind: FormatKind) -> str:
    """What people call a kind of file."""
    return kind.value.upper()


def column_summary(info: SchemaColumn) -> str:
    """What is to be known of a column before a type is chosen for it, in a few words."""
    stats, type = info.stats, info.type
    if info.is_left_out and info.type is None:
        return info.reason
    if info.is_in_file is None:
        return _read_as(info)
    if stats is None:
        return _("Not looked at yet") if info.is_in_file else _("Not in this file")
    if not stats.filled:
        return _("Empty so far")
    if type is not None and type in stats.addresses:
        return _address_fact(stats, type)
    if type is FieldType.TASK_GROUP_ID:
        return ngettext("{count} group", "{count} groups", stats.distinct).format(count=_distinct(stats))
    if type is FieldType.METADATA:
        text = ngettext("{count} value, never shown", "{count} values, never shown", stats.distinct)
        return text.format(count=_distinct(stats))
    if stats.empty:
        return _("Empty in {records}").format(records=records(stats.empty))
    if stats.shortest == stats.longest:
        text = ngettext("{count} character", "{count} characters", stats.longest)
        return text.format(count=number(stats.longest))
    lengths = _("{shortest} to {longest} characters")
    return lengths.format(shortest=number(stats.shortest), longest=number(stats.longest))


def _read_as(info: SchemaColumn) -> str:
    """What participants see of a field that there are no values of yet."""
    if info.label:
        return _("People read “{label}”").format(label=info.label)
    return _("Without a label") if info.type is not None and info.type.referable else _("Never shown")


def _address_fact(stats: ColumnStats, type: FieldType) -> str:
    good = stats.addresses[type]
    if good == stats.filled and not stats.empty and good > _BOTH:
        what = _("All {good} are https") if type is FieldType.IMAGE_URL else _("All {good} fit")
        return what.format(good=number(good))
    what = (
        ngettext("{good} of {all} is https", "{good} of {all} are https", good)
        if type is FieldType.IMAGE_URL
        else ngettext("{good} of {all} fits", "{good} of {all} fit", good)
    )
    return what.format(good=number(good), all=number(stats.filled + stats.empty))


def _distinct(stats: ColumnStats) -> str:
    more = "+" if stats.distinct == MOST_VALUES else ""
    return f"{number(stats.distinct)}{more}"
