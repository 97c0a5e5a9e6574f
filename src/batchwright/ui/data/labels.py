"""Labels for formats, field types and column statistics."""

from collections.abc import Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined, quoted
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.profiling import MAX_DISTINCT, ColumnStats
from batchwright.data_files.text_rows.sniffing import DELIMITERS, QUOTES
from batchwright.data_files.views.record_query import ColumnCounts
from batchwright.schema.model import FieldType
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.schema.schema_columns import SchemaColumn

TYPE_ICONS = {
    FieldType.TEXT: ("text-t", "field"),
    FieldType.IMAGE_URL: ("image-square", "field"),
    FieldType.AUDIO_URL: ("speaker-high", "field"),
    FieldType.VIDEO_URL: ("video-camera", "field"),
    FieldType.METADATA: ("tag", "content"),
    FieldType.TASK_GROUP_ID: ("users-three", "content"),
}
"""Icon and colour of each field type."""

EXCLUDED_ICON = ("eye-slash", "neutral")
"""Icon and colour of a column that is not a field."""

_MAX_NAMED = 3
"""Columns named in one sentence; more are counted."""


def columns_named(names: Sequence[str]) -> str:
    """The first columns in quotation marks, and how many more there are."""
    named = joined(quoted(name) for name in names[:_MAX_NAMED])
    more = len(names) - _MAX_NAMED
    return _("{names} and {count} more").format(names=named, count=number(more)) if more > 0 else named


def position_heading(*, counts_lines: bool) -> str:
    """What the numbers of records count."""
    return _("Line") if counts_lines else _("Row")


def position_text(number: int, *, counts_lines: bool) -> str:
    """Where a record is in its file."""
    return (_("Line {number}") if counts_lines else _("Row {number}")).format(number=number)


def type_name(type: FieldType) -> str:
    """The name of a field type."""
    return {
        FieldType.TEXT: _("Text"),
        FieldType.IMAGE_URL: _("Image URL"),
        FieldType.AUDIO_URL: _("Audio URL"),
        FieldType.VIDEO_URL: _("Video URL"),
        FieldType.METADATA: _("Metadata"),
        FieldType.TASK_GROUP_ID: _("Task group"),
    }[type]


def quote_name(quote: str) -> str:
    """How cells are quoted."""
    if not quote:
        return _("Cells are never quoted")
    return _("Cells are quoted with {quote}").format(quote=quote)


def header_name(*, header: bool) -> str:
    """Whether the first line has the column names."""
    return _("Header in line 1") if header else _("No header")


def offered_delimiters(file_format: Format) -> tuple[str, ...]:
    """The delimiters on offer, including the current one."""
    return DELIMITERS if file_format.delimiter in DELIMITERS else (*DELIMITERS, file_format.delimiter)


OFFERED_QUOTES = (*QUOTES, "")


def kind_name(kind: FormatKind) -> str:
    """The name of a kind of file."""
    return kind.value.upper()


def column_summary(info: SchemaColumn) -> str:
    """A short description of a column's values, to help choosing its type."""
    stats, type = info.stats, info.type
    if info.is_excluded_column and info.type is None:
        return info.reason
    if info.is_in_file is None:
        return _label_text(info)
    if stats is None:
        return _("Not read yet") if info.is_in_file else _("Not in this file")
    if not stats.filled:
        return _("Empty so far")
    if type is not None and type in stats.urls:
        return _url_summary(stats, type)
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


def counts_text(counts: ColumnCounts) -> str:
    """What all values of a column are like, on one line."""
    distinct = ngettext("{count} different value", "{count} different values", counts.distinct)
    texts = [distinct.format(count=number(counts.distinct))]
    if counts.empty:
        texts.append(_("empty in {records}").format(records=records(counts.empty)))
    if counts.shortest == counts.longest:
        length = ngettext("{count} character", "{count} characters", counts.longest)
        texts.append(length.format(count=number(counts.longest)))
    else:
        lengths = _("{shortest} to {longest} characters")
        texts.append(lengths.format(shortest=number(counts.shortest), longest=number(counts.longest)))
    return "  ·  ".join(texts)


def _label_text(info: SchemaColumn) -> str:
    """How participants see a field for which there is no file."""
    if info.label:
        return _("Participants see “{label}”").format(label=info.label)
    return _("Without a label") if info.type is not None and info.type.referable else _("Never shown")


_MIN_FOR_ALL = 3
"""From this number of values on, the text says “all”."""


def _url_summary(stats: ColumnStats, type: FieldType) -> str:
    """How many values are URLs that the field type accepts."""
    good = stats.urls[type]
    if good == stats.filled and not stats.empty and good >= _MIN_FOR_ALL:
        text = _("All {good} are https") if type is FieldType.IMAGE_URL else _("All {good} fit")
        return text.format(good=number(good))
    text = (
        ngettext("{good} of {all} is https", "{good} of {all} are https", good)
        if type is FieldType.IMAGE_URL
        else ngettext("{good} of {all} fits", "{good} of {all} fit", good)
    )
    return text.format(good=number(good), all=number(stats.filled + stats.empty))


def _distinct(stats: ColumnStats) -> str:
    more = "+" if stats.distinct == MAX_DISTINCT else ""
    return f"{number(stats.distinct)}{more}"
