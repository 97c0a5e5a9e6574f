"""Records as a table for other programs, with headings: tab-separated text, and HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.profiling import as_text
from batchwright.data_files.spreadsheet_cells import tab_separated
from batchwright.schema.record_validator import RecordError

MAX_COPIED = 100_000
"""Maximum number of records that are copied."""


@dataclass(frozen=True)
class CopiedTable:
    """A table as text and as HTML, and its number of records."""

    text: str
    html: str
    records: int


def copied_table(
    names: Sequence[str], columns: Sequence[int], contents: "Iterable[Json | RecordError]"
) -> CopiedTable:
    """The table of some columns, counted from zero, of records; missing values are empty cells."""
    rows = [[names[at] for at in columns]]
    rows += ([_text(names, at, content) for at in columns] for content in contents)
    head, *body = (f"<tr>{''.join(map(_cell, cells))}</tr>" for cells in rows)
    head = head.replace("<td>", "<th>").replace("</td>", "</th>")
    html = f"<table>{head}{''.join(body)}</table>"
    text = tab_separated(rows)
    return CopiedTable(without_lone_surrogates(text), without_lone_surrogates(html), len(rows) - 1)


def _text(names: Sequence[str], at: int, content: "Json | RecordError") -> str:
    value: Json = None
    if is_array(content):
        value = content[at] if at < len(content) else None
    elif is_object(content):
        value = content.get(names[at])
    return "" if value is None else as_text(value)


def _cell(text: str) -> str:
    return f"<td>{escape(text, quote=False).replace(chr(10), '<br>')}</td>"
