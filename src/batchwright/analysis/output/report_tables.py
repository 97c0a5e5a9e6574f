"""Tables of the report: results with headings in words, intervals in one column, and shares as per cent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape

from batchwright.analysis.result_tables import Cell, ResultTable
from batchwright.analysis.statistics.intervals import LEVEL
from batchwright.analysis.store.headings import Heading
from batchwright.base.i18n import _
from batchwright.base.local_formats import count_text, decimal_text
from batchwright.base.text import without_lone_surrogates

MAX_ROWS = 40
_MAX_ROWS_OF = {"labels": 10, "disagreement": 10, "agreement": 20}
"""Maximum number of rows of a table about one question, or about none; all rows are in the CSV file."""
_DASH = "–"
_NO_CELL: frozenset[Cell] = frozenset({"", None})

Row = Sequence[Cell]


@dataclass(frozen=True)
class _Column:
    """A column of the report: its heading, the text of a row, and that of its interval."""

    heading: str
    text: Callable[[Row], str]
    is_number: bool
    interval: Callable[[Row], str] | None = None

    def html(self, row: Row) -> str:
        """The content of a cell; the interval can be put on a line of its own."""
        text = isolated(self.text(row))
        interval = self.interval(row) if self.interval is not None else ""
        return f'{text} <span class="interval">{html_text(interval)}</span>' if interval else text


def html_table(table: ResultTable, rows: Sequence[Row], label: str, numbers: Mapping[str, str]) -> str:
    """Rows of a table as HTML, without empty columns and without that of the question.

    `numbers` are the short names of questions by id, for the table that lists them.
    """
    columns, most = list(_columns(table, rows, numbers)), _MAX_ROWS_OF.get(table.name, MAX_ROWS)
    header = "".join(
        f'<th scope="col"{_class(column)}>{html_text(column.heading)}</th>' for column in columns
    )
    body = "".join(
        f"<tr>{''.join(f'<td{_class(column)}>{column.html(row)}</td>' for column in columns)}</tr>"
        for row in rows[:most]
    )
    content = (
        f'<div class="table"><table aria-label="{html_text(label)}">'
        f"<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    if len(rows) <= most:
        return content
    note = _("The first {most} of {count} rows; all are in {file}.")
    text = note.format(most=count_text(most), count=count_text(len(rows)), file=f"{table.name}.csv")
    return f'{content}<p class="note">{html_text(text)}</p>'


def html_text(text: str) -> str:
    """A text for HTML."""
    return escape(without_lone_surrogates(text))


def isolated(text: str) -> str:
    """A text of the study for HTML, with the direction of its own script among texts of another one."""
    return html_text(text) if text.isascii() else f"<bdi>{html_text(text)}</bdi>"


def _columns(table: ResultTable, rows: Sequence[Row], numbers: Mapping[str, str]) -> Iterator[_Column]:
    indexes = {name: index for index, name in enumerate(table.columns)}
    if table.name == "questions":
        place = indexes["question"]
        yield _Column("", lambda row: numbers.get(str(row[place]), str(row[place])), is_number=False)
    for name, index in indexes.items():
        if name in table.headings and {row[index] for row in rows} - _NO_CELL:
            yield _column(table.headings[name], index, indexes, rows)


def _column(heading: Heading, index: int, indexes: Mapping[str, int], rows: Sequence[Row]) -> _Column:
    is_number = any(isinstance(row[index], int | float) for row in rows)
    column = _Column(_(heading.text), partial(_text, heading, index, indexes), is_number)
    if heading.interval is None:
        return column
    low, high = (indexes[end] for end in heading.interval)
    title = _("{name}, {level} interval").format(name=column.heading, level=_per_cent(LEVEL, 0))
    return replace(column, heading=title, interval=_interval(low, high, _form(heading)))


def _form(heading: Heading) -> Callable[[Cell], str]:
    return _per_cent if heading.is_share else _plain


def _text(heading: Heading, index: int, indexes: Mapping[str, int], row: Row) -> str:
    cell = row[index]
    if isinstance(cell, str):
        return heading.in_words(cell, lambda name: row[indexes[name]])
    return _form(heading)(cell)


def _interval(low: int, high: int, form: Callable[[Cell], str]) -> Callable[[Row], str]:
    """The function that writes the interval of a row; empty if there is none."""

    def text(row: Row) -> str:
        return "" if row[low] is None or row[high] is None else f"[{form(row[low])}, {form(row[high])}]"

    return text


def _class(column: _Column) -> str:
    return ' class="number"' if column.is_number else ""


def _plain(cell: Cell) -> str:
    if cell is None:
        return _DASH
    if isinstance(cell, float):
        return decimal_text(cell, 0 if cell.is_integer() else 3).replace("-", "−")
    return count_text(cell) if isinstance(cell, int) else cell


def _per_cent(cell: Cell, digits: int = 1) -> str:
    if not isinstance(cell, int | float):
        return _plain(cell)
    return _("{number} %").format(number=decimal_text(100 * cell, digits))
