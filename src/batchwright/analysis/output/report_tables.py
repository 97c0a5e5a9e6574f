"""Tables of the report: results with headings in words, intervals in one column, and shares as per cent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from batchwright.analysis.charts import count_text
from batchwright.analysis.result_tables import Cell, ResultTable
from batchwright.analysis.statistics.intervals import LEVEL
from batchwright.base.i18n import N_, _
from batchwright.base.text import without_lone_surrogates

MAX_ROWS = 40
_MAX_ROWS_OF = {"labels": 10, "disagreement": 10, "agreement": 20}
"""Maximum number of rows of a table about one question, or about none; all rows are in the CSV file."""
_DASH = "–"
_NO_CELL: frozenset[Cell] = frozenset({"", None})

_HEADINGS = {
    "version": N_("Version"),
    "since": N_("Tasks had it from"),
    "questions": N_("Questions"),
    "title": N_("Question"),
    "kind": N_("Kind"),
    "options": N_("Options"),
    "answers": N_("Answers"),
    "participants": N_("Participants"),
    "tasks": N_("Records"),
    "field": N_("Field"),
    "field_value": N_("Value"),
    "option": N_("Value of the option"),
    "label": N_("Label"),
    "outcome": N_("Meaning"),
    "count": N_("Count"),
    "share": N_("Share"),
    "unit": N_("Unit"),
    "not_numbers": N_("Not a number"),
    "mean": N_("Mean"),
    "deviation": N_("Standard deviation"),
    "minimum": N_("Minimum"),
    "lower_quartile": N_("Lower quartile"),
    "median": N_("Median"),
    "upper_quartile": N_("Upper quartile"),
    "maximum": N_("Maximum"),
    "empty": N_("Empty"),
    "different": N_("Different texts"),
    "mean_characters": N_("Mean characters"),
    "median_characters": N_("Median characters"),
    "longest_characters": N_("Longest, in characters"),
    "mean_words": N_("Mean words"),
    "median_words": N_("Median words"),
    "coefficient": N_("Coefficient"),
    "metric": N_("Metric"),
    "value": N_("Agreement"),
    "records": N_("Records"),
    "differing": N_("Records that differ"),
    "raters": N_("Participants"),
    "ratings": N_("Answers"),
    "resamples": N_("Samples"),
    "task": N_("Task"),
    "datapoint": N_("Datapoint"),
    "disagreement": N_("Disagreement"),
    "tied": N_("Tied"),
    "confidence": N_("Confidence"),
    "model_label": N_("Label by the model"),
    "model_probability": N_("Probability"),
    "system": N_("System"),
    "opponent": N_("Opponent"),
    "comparisons": N_("Comparisons"),
    "wins": N_("Wins"),
    "ties": N_("Ties"),
    "losses": N_("Losses"),
    "none": N_("Neither"),
    "win_rate": N_("Win rate"),
    "tie_rate": N_("Tie rate"),
    "loss_rate": N_("Loss rate"),
    "strength": N_("Strength"),
    "left": N_("Left"),
    "right": N_("Right"),
    "left_share": N_("Share of left"),
    "participant": N_("Participant"),
    "median_seconds": N_("Median seconds"),
    "straight_lining": N_("Most frequent option"),
    "longest_run": N_("Longest run"),
    "agreement": N_("Agreement with others"),
    "gold_answers": N_("Known records"),
    "gold_accuracy": N_("Accuracy"),
    "hints": N_("Hints"),
    "about": N_("About"),
    "more": N_("More answers"),
    "width": N_("Width of the interval"),
    "id": N_("Id"),
    "reason": N_("Reason"),
    "low": N_("From"),
    "high": N_("To"),
}
_SHARES = frozenset(
    {
        "share",
        "win_rate",
        "tie_rate",
        "loss_rate",
        "left_share",
        "confidence",
        "model_probability",
        "straight_lining",
        "gold_accuracy",
    }
)
"""Columns that are shown as per cent, together with their intervals."""
_INTERVAL_OF = {
    "mean": "mean",
    "median": "median",
    "win_rate": "win",
    "tie_rate": "tie",
    "loss_rate": "loss",
    "strength": "strength",
    "share": "",
    "value": "",
    "left_share": "",
}
"""How the ends of the interval of a column begin, before `low` and `high`."""

Row = Sequence[Cell]


@dataclass(frozen=True)
class _Column:
    """A column of the report: its heading, the text of a row, and that of its interval."""

    heading: str
    text: Callable[[Row], str]
    is_number: bool
    interval: Callable[[Row], str] | None = None

    def html(self, row: Row) -> str:
        """Return the content of a cell; the interval can be put on a line of its own."""
        text = html_text(self.text(row))
        interval = self.interval(row) if self.interval is not None else ""
        return f'{text} <span class="interval">{html_text(interval)}</span>' if interval else text


def html_table(table: ResultTable, rows: Sequence[Row], label: str, numbers: Mapping[str, str]) -> str:
    """Return rows of a table as HTML, without empty columns and without that of the question.

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
    text = note.format(most=most, count=len(rows), file=f"{table.name}.csv")
    return f'{content}<p class="note">{html_text(text)}</p>'


def html_text(text: str) -> str:
    """Return a text for HTML."""
    return escape(without_lone_surrogates(text))


def _columns(table: ResultTable, rows: Sequence[Row], numbers: Mapping[str, str]) -> Iterator[_Column]:
    indexes = {name: index for index, name in enumerate(table.columns)}
    ends = dict(_interval_columns(table.columns))
    used = {end for pair in ends.values() for end in pair}
    for name, index in indexes.items():
        is_question_list = name == "question" and table.name == "questions"
        if name in used or (name == "question" and not is_question_list):
            continue
        values = {row[index] for row in rows}
        if not values - _NO_CELL:
            continue
        if is_question_list:
            yield _column("", index, lambda cell: numbers.get(str(cell), str(cell)), is_number=False)
            continue
        form = _per_cent if name in _SHARES else _plain
        is_number = any(isinstance(value, int | float) for value in values)
        column = _column(_heading(name), index, form, is_number=is_number)
        if name in ends:
            low, high = (indexes[end] for end in ends[name])
            heading = _("{name}, {level} interval").format(name=column.heading, level=_per_cent(LEVEL, 0))
            column = replace(column, heading=heading, interval=_interval(low, high, form))
        yield column


def _column(heading: str, index: int, form: Callable[[Cell], str], *, is_number: bool) -> _Column:
    return _Column(heading, lambda row: form(row[index]), is_number)


def _interval_columns(names: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each column that has an interval, and the columns of its ends."""
    for name, prefix in _INTERVAL_OF.items():
        ends = (f"{prefix}_low", f"{prefix}_high") if prefix else ("low", "high")
        if name in names and set(ends) <= set(names):
            yield name, ends


def _interval(low: int, high: int, form: Callable[[Cell], str]) -> Callable[[Row], str]:
    """Return the function that writes the interval of a row; empty if there is none."""

    def text(row: Row) -> str:
        return "" if row[low] is None or row[high] is None else f"[{form(row[low])}, {form(row[high])}]"

    return text


def _heading(name: str) -> str:
    return _(_HEADINGS[name]) if name in _HEADINGS else name.replace("_", " ").capitalize()


def _class(column: _Column) -> str:
    return ' class="number"' if column.is_number else ""


def _plain(cell: Cell) -> str:
    if cell is None:
        return _DASH
    if isinstance(cell, float):
        return f"{cell:,.{0 if cell.is_integer() else 3}f}".replace("-", "−")
    return count_text(cell) if isinstance(cell, int) else cell


def _per_cent(cell: Cell, digits: int = 1) -> str:
    return f"{100 * cell:.{digits}f} %" if isinstance(cell, int | float) else _plain(cell)
