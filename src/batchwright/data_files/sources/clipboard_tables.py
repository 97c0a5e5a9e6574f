"""Tables on the clipboard, or dragged from another program: from spreadsheets, web pages, chats and texts."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise, takewhile

from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.headers import joined_names
from batchwright.data_files.sources.html_tables import html_tables, require_size
from batchwright.data_files.text_rows.csv_rows import csv_reader
from batchwright.data_files.text_rows.sniffing import csv_format, is_header

LIST_COLUMN = "text"
"""The name of the column of a list without a heading."""

_Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class ClipboardTable:
    """A table with distinct names of columns; each row has a text for every column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def clipboard_table(html: str | None, text: str) -> ClipboardTable:
    """The table in what was copied as HTML, as plain text, or as both.

    Of several tables in HTML, it is the first of those with the most texts; its cells have the white space
    of those in the text, which HTML does not preserve. In plain text, it is a Markdown
    table, cells separated by tabs, commas, semicolons or bars, or a list with a row for each line. The first
    row is the header unless it clearly has values; a list has one only if it is a single word in lower case
    above sentences. Rows and columns without any text are left out.

    Raises:
        UnreadableFile: there is no table, or it is too large.
    """
    text = without_lone_surrogates(text).replace("\r\n", "\n").replace("\r", "\n")
    if html and (table := _html_table(html, text)) is not None:
        return table
    if rows := _markdown_rows(_QUOTED_CELL.sub(_on_one_line, text).split("\n")):
        return _table(rows, header_rows=1)
    cells = [row for row in _tab_rows(text) if any(map(str.strip, row))]
    if any(len(row) > 1 for row in cells):
        return _table(cells)
    if rows := _csv_rows(text):
        return _table(rows)
    if len(cells) > 1:
        return _table(_without_bullets(cells))
    raise UnreadableFile(
        _("The clipboard has no table."),
        _("Copy cells of a spreadsheet, a table of a web page, or a list with several lines."),
    )


def _html_table(html: str, text: str) -> ClipboardTable | None:
    tables = [table for table in html_tables(html) if any(map(any, table.rows))]
    if not tables:
        return None
    table = max(tables, key=lambda table: sum(bool(cell) for row in table.rows for cell in row))
    rows = _with_white_space(table.rows, list(_tab_rows(text.removesuffix("\n"))))
    return _table(rows, table.header_rows)


def _with_white_space(rows: _Rows, text_rows: _Rows) -> _Rows:
    """The rows with the white space of the same cells in the text, if that has as many rows and cells."""
    if list(map(len, rows)) != list(map(len, text_rows)):
        return rows
    return [
        [cell if _words(cell) == _words(text) else text for text, cell in zip(texts, cells, strict=True)]
        for texts, cells in zip(rows, text_rows, strict=True)
    ]


def _words(cell: str) -> list[list[str]]:
    """The words of each line of a cell."""
    return [line.split() for line in cell.strip().split("\n")]


def _table(rows: _Rows, header_rows: int = 0) -> ClipboardTable:
    """The table with these rows; if none are marked as the header, the first one may be."""
    width = max(map(len, rows))
    require_size(len(rows), width)
    full = [(*row, *[""] * (width - len(row))) for row in rows]
    header_rows = header_rows or int(_has_header(full))
    header, values = full[:header_rows], [row for row in full[header_rows:] if any(map(str.strip, row))]
    names = joined_names(header) if header else (LIST_COLUMN,) if width == 1 else ("",) * width
    used = [column for column in range(width) if names[column] or any(row[column].strip() for row in values)]
    return ClipboardTable(
        distinct_names([names[column] for column in used]),
        tuple(tuple(row[column] for column in used) for row in values),
    )


def _has_header(rows: _Rows) -> bool:
    """Whether the first row is the header although it is not marked as such."""
    first, *others = rows
    if len(first) > 1:
        return is_header(first)
    (name,) = first
    return name.isidentifier() and name.islower() and bool(others) and all(" " in text for (text,) in others)


_CELL = re.compile(r'"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"(?=[\t\n]|\Z)|[^\t\n]*')
_NEEDS_QUOTES = re.compile(r'[\t\n"]')


def _tab_rows(text: str) -> Iterator[list[str]]:
    """The cells of each line, separated by tabs.

    Spreadsheet programs quote a cell only if it has a tab, a line break or quotation marks, which are
    doubled. In any other cell, quotation marks are text.
    """
    row: list[str] = []
    position = 0
    while position <= len(text) and (cell := _CELL.match(text, position)):
        quoted = cell["quoted"]
        is_quoted = quoted is not None and _NEEDS_QUOTES.search(quoted)
        row.append(quoted.replace('""', '"') if is_quoted else cell[0])
        position = cell.end() + 1
        if text[cell.end() : position] != "\t":
            yield row
            row = []


def _csv_rows(text: str) -> list[list[str]]:
    """The cells of each line as in a CSV file; none if not all lines have the same number, above one."""
    if not text.strip():
        return []
    file_format = csv_format(text, "utf-8")
    try:
        rows = [row for row in csv_reader(StringIO(text, newline=""), file_format) if any(row)]
    except csv.Error:
        return []
    is_table = len(rows) > 1 and len(rows[0]) > 1 and len({*map(len, rows)}) == 1
    return [[cell.strip() for cell in row] for row in rows] if is_table else []


_QUOTED_CELL = re.compile(r'(?<![^\t\n,;|])"[^"]*+(?:""[^"]*+)*+"(?=[\t\n,;|]|\Z)')
"""A cell in quotation marks, which may have lines that look like a table."""


def _on_one_line(cell: re.Match[str]) -> str:
    return cell[0].replace("\n", " ")


_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")
_LINE_BREAK = re.compile(r"<br */?>")


def _markdown_rows(lines: Sequence[str]) -> list[list[str]]:
    """The first Markdown table in the lines: a header, a rule, and rows; empty if there is none."""
    for number, (header, rule) in enumerate(pairwise(lines)):
        names, cells = _bar_cells(header), _bar_cells(rule)
        if "|" in header and len(names) == len(cells) and all(map(_RULE.fullmatch, cells)):
            rows = takewhile(lambda line: "|" in line, lines[number + 2 :])
            return [names, *(row[: len(names)] for row in map(_bar_cells, rows))]
    return []


def _bar_cells(line: str) -> list[str]:
    """The cells between the bars of a line; a bar that is text has a backslash before it."""
    inner = line.strip().removeprefix("|")
    cells = _BAR.split(inner)
    if len(cells) > 1 and not cells[-1].strip():
        del cells[-1]
    return [_LINE_BREAK.sub("\n", cell.strip().replace("\\|", "|")) for cell in cells]


_BULLET = re.compile(r"\s*(?:[-*+•‣◦–]|[0-9]{1,4}[.)])\s+")


def _without_bullets(rows: _Rows) -> list[list[str]]:
    """The lines of a list without the bullets or numbers that all of them start with."""
    bullets = [_BULLET.match(line) for (line,) in rows]
    if not all(bullets):
        return [[line.strip()] for (line,) in rows]
    return [[line[bullet.end() :].strip()] for (line,), bullet in zip(rows, bullets, strict=True) if bullet]
