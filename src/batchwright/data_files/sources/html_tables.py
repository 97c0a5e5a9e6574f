"""Tables in HTML, as browsers and spreadsheet programs put them on the clipboard."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

import nh3
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.rows import UnreadableFile

MAX_CELLS = 5_000_000
"""Cells of a table: with spans, or rows of different lengths, a few bytes could make millions of them."""

_MAX_COLUMN_SPAN, _MAX_ROW_SPAN = 1000, 65_534
"""As in browsers."""
_MAX_OPEN_CELLS = 3
"""Cells around a text that get it: tables in cells of tables, and no more."""

_BLOCKS = frozenset(["p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"])
"""Elements whose text is on lines of its own."""
_CELL_ATTRIBUTES = {"style", "colspan", "rowspan"}
_SPACE = re.compile(r"[\s\xa0]+")
_HIDDEN = re.compile(r"display:\s*none")
_COVERS_EMPTY = "mso-ignore:colspan"
"""How Excel marks a text that is shown above the empty cells beside it, which are not merged with it."""


@dataclass(frozen=True)
class HtmlTable:
    """The texts of a table; that of a cell over several rows or columns is repeated in each of them."""

    rows: tuple[tuple[str, ...], ...]
    """All have the same number of cells."""
    header_rows: int
    """The number of rows at the beginning that are marked as a header."""


def html_tables(html: str) -> Iterator[HtmlTable]:
    """The tables of a page or fragment, in the order of their ends; hidden rows are left out.

    Raises:
        UnreadableFile: one has more than `MAX_CELLS` cells.
    """
    # What nh3 returns is well-formed: it has every end tag, added as browsers do.
    well_formed = nh3.clean(
        without_lone_surrogates(html),
        tags={"table", "thead", "tr", "td", "th", "br", "img", "pre", *_BLOCKS},
        attributes={"tr": {"style"}, "img": {"src"}, **dict.fromkeys(("td", "th"), _CELL_ATTRIBUTES)},
        url_schemes={"http", "https"},
        link_rel=None,
    )
    parser = _Parser()
    parser.feed(well_formed)
    parser.close()
    return map(_with_spans, parser.tables)


def require_size(rows: int, columns: int) -> None:
    """Reject a table with more than `MAX_CELLS` cells.

    Raises:
        UnreadableFile: it is too large.
    """
    if rows * columns > MAX_CELLS:
        raise UnreadableFile(_("The table is too large."), _("Copy a part of it, or open it as a file."))


@dataclass
class _Cell:
    """A cell as it is written: the rows and columns that it takes, and the parts of its text."""

    columns: int
    rows: int
    is_header: bool
    is_repeated: bool
    """Whether its text is that of all rows and columns that it takes."""
    parts: list[str] = field(default_factory=list)
    image: str = ""

    @property
    def text(self) -> str:
        """Its lines; the address of its image if it has no text."""
        lines = "".join(self.parts).split("\n")
        return "\n".join(map(str.strip, lines)).strip() or self.image


@dataclass
class _Table:
    """A table as it is written: its rows, that which is being read, and whether it is in the header."""

    rows: list[list[_Cell]] = field(default_factory=list)
    row: list[_Cell] = field(default_factory=list)
    is_in_header: bool = False


class _Parser(HTMLParser):
    """Collects the cells of the tables in well-formed HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[_Table] = []
        """Those that have ended."""
        self._open_tables: list[_Table] = []
        self._open_cells: list[_Cell] = []
        self._is_preformatted = False

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "table":
            self._open_tables.append(_Table())
        elif tag == "img":
            self._on_image(attributes.get("src", ""))
        elif tag == "br":
            self._add("\n")
        elif tag in _BLOCKS:
            self._end_line()
        elif tag == "pre":
            self._is_preformatted = True
        elif self._open_tables:
            self._start_part(self._open_tables[-1], tag, attributes)

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.tables.append(self._open_tables.pop())
        elif tag in ("td", "th"):
            self._open_cells.pop()
            self._end_line()  # between the cells of a table in a cell
        elif tag == "thead":
            self._open_tables[-1].is_in_header = False
        elif tag == "pre":
            self._is_preformatted = False
        elif tag in _BLOCKS:
            self._end_line()

    @override
    def handle_data(self, data: str) -> None:
        self._add(data if self._is_preformatted else _SPACE.sub(" ", data))

    def _start_part(self, table: _Table, tag: str, attributes: Mapping[str, str]) -> None:
        style = attributes.get("style", "")
        if tag == "thead":
            table.is_in_header = True
        elif tag == "tr":
            table.row = []
            if not _HIDDEN.search(style):
                table.rows.append(table.row)
        else:
            columns = _span(attributes.get("colspan", ""), _MAX_COLUMN_SPAN)
            rows = _span(attributes.get("rowspan", ""), _MAX_ROW_SPAN)
            is_header = tag == "th" or table.is_in_header
            cell = _Cell(columns, rows, is_header, is_repeated=_COVERS_EMPTY not in style)
            table.row.append(cell)
            self._open_cells.append(cell)

    def _on_image(self, address: str) -> None:
        for cell in self._open_cells[-1:]:
            cell.image = cell.image or address

    def _add(self, text: str) -> None:
        for cell in self._open_cells[-_MAX_OPEN_CELLS:]:
            cell.parts.append(text)

    def _end_line(self) -> None:
        if self._open_cells and self._open_cells[-1].parts[-1:] != ["\n"]:
            self._add("\n")


def _span(text: str, most: int) -> int:
    """The number of rows or columns that a cell takes."""
    return min(max(int(text), 1), most) if text.isdecimal() and len(text) < 9 else 1


def _with_spans(table: _Table) -> HtmlTable:
    """The table with all cells in their rows and columns."""
    rows: list[dict[int, str]] = []
    from_above: dict[int, tuple[str, int]] = {}
    count = 0
    for cells in table.rows:
        row = {column: text for column, (text, _rows) in from_above.items()}
        from_above = {column: (text, left - 1) for column, (text, left) in from_above.items() if left > 1}
        column = 0
        for cell in cells:
            text = cell.text
            for number in range(cell.columns):
                while column in row:
                    column += 1
                row[column] = text if cell.is_repeated or not number else ""
                if cell.rows > 1:
                    from_above[column] = row[column], cell.rows - 1
        rows.append(row)
        count += len(row)
        require_size(1, count)
    width = max((column + 1 for row in rows for column in row), default=0)
    require_size(len(rows), width)
    is_header = [bool(cells) and all(cell.is_header for cell in cells) for cells in table.rows]
    return HtmlTable(
        tuple(tuple(row.get(column, "") for column in range(width)) for row in rows),
        (*is_header, False).index(False),
    )
