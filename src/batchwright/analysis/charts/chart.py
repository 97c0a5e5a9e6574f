"""A chart as a value: its shapes in a coordinate system, and the rows of data behind them.

Lengths are CSS pixels (1/96 inch), y grows downwards. The window multiplies them by the text size; files have
the size of print. Colours are roles, which the window and the files translate to their own colours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite, isnan, nan
from typing import Protocol

from batchwright.analysis.charts.formats import PERCENT, NumberFormat
from batchwright.analysis.charts.texts import cleaned, text_width
from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.base.plain_numbers import plain_text

PRINT_WIDTH = 624.0
"""Width of figures in files: 6.5 inches, the width of a printed page's text."""


class Role(StrEnum):
    """What a colour means; each back end has a table of colours."""

    TEXT = "text"
    SECONDARY = "secondary"
    """Text of less importance."""
    AXIS = "axis"
    GRID = "grid"
    TRACK = "track"
    """The background of a bar, up to the whole."""
    HALO = "halo"
    """The background of the chart, around shapes that cover others."""
    INTERVAL = "interval"
    BAND = "band"
    """The interval on a scale, as a tinted band."""
    SERIES_1 = "series 1"
    SERIES_2 = "series 2"
    SERIES_3 = "series 3"
    SERIES_4 = "series 4"
    NEUTRAL = "neutral"
    """The colour of what has none of its own."""


SERIES = (Role.SERIES_1, Role.SERIES_2, Role.SERIES_3, Role.SERIES_4)
NEUTRAL = -1
"""The series of a mark without a colour of its own."""


class Anchor(StrEnum):
    """Which point of a text `x` is."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Weight(StrEnum):
    """The weight of a text."""

    NORMAL = "normal"
    MEDIUM = "medium"
    BOLD = "bold"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle, possibly with round corners."""

    x: float
    y: float
    width: float
    height: float
    role: Role
    radius: float = 0.0
    opacity: float = 1.0
    row: int | None = None
    """The index of the row of data that the shape stands for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: Role
    width: float = 1.0
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle."""

    x: float
    y: float
    radius: float
    role: Role
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    role: Role = Role.TEXT
    size: float = 13.0
    weight: Weight = Weight.NORMAL
    anchor: Anchor = Anchor.START
    row: int | None = None
    full: str = ""
    """The whole text, if it is cut."""

    @property
    def left(self) -> float:
        """The left end, estimated."""
        return self.x - self.width * {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[self.anchor]

    @property
    def width(self) -> float:
        """The width, estimated."""
        return text_width(self.text, self.size, is_bold=self.weight is Weight.BOLD)

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is on the text."""
        return self.left <= x <= self.left + self.width and self.y - self.size <= y <= self.y + self.size / 3


Shape = Rectangle | Line | Circle | Text


@dataclass(frozen=True, slots=True)
class Area:
    """The place of a row of data: where it is hovered, highlighted and focused."""

    row: int
    x: float
    y: float
    width: float
    height: float

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Mark:
    """A row of data: a value with its interval. NaN is a missing value; an infinite one has no bar."""

    label: str
    value: float
    low: float = nan
    high: float = nan
    text: str = ""
    """The value as written beside it; empty for the chart's number format."""
    detail: str = ""
    """A less important number beside the value, for example how many answers."""
    raw_detail: str = ""
    """The same without separators, for a file; empty if `detail` has none."""
    group: str = ""
    """The value of a field, in grouped bars; in a matrix, the name of the row."""
    series: int = 0
    """The index of its colour in `SERIES`; any other number is the neutral colour."""

    @property
    def role(self) -> Role:
        """The role of its colour."""
        return SERIES[self.series] if 0 <= self.series < len(SERIES) else Role.NEUTRAL

    def written(self, form: NumberFormat) -> str:
        """The value as written beside it."""
        return self.text or form.short(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval; its ends may be infinite."""
        return not (isnan(self.low) or isnan(self.high))


@dataclass(frozen=True)
class Columns:
    """The titles of the columns of a chart's table; empty for a column that it does not have.

    Files have the names of the fields, which are the same in all languages.
    """

    label: str
    value: str
    low: str = ""
    high: str = ""
    detail: str = ""
    group: str = ""

    @classmethod
    def with_interval(cls, label: str, value: str, detail: str = "", group: str = "") -> "Columns":
        """The columns of values that have 95 % intervals."""
        return cls(label, value, _("95 % from"), _("to"), detail, group)

    def titles(self) -> tuple[str, ...]:
        """The titles of the columns in their order."""
        return tuple(filter(None, (self.group, self.label, self.value, self.low, self.high, self.detail)))

    def names(self) -> tuple[str, ...]:
        """The names of the columns in their order, for a file."""
        return self.select("group", "label", "value", "low", "high", "detail")

    def select(self, group: str, label: str, value: str, low: str, high: str, detail: str) -> tuple[str, ...]:
        """The cells of a row, without those of columns that there are not."""
        titles = (self.group, self.label, self.value, self.low, self.high, self.detail)
        cells = (group, label, value, low, high, detail)
        return tuple(cell for title, cell in zip(titles, cells, strict=True) if title)


@dataclass(frozen=True)
class Chart:
    """A chart: its shapes in the order of painting, and the rows of data that they stand for.

    `areas` are the places of the rows that are drawn, in reading order; `marks` are all rows.
    """

    title: str
    width: float
    marks: tuple[Mark, ...]
    columns: Columns
    form: NumberFormat = PERCENT
    note: str = ""
    """What is drawn besides the rows of data, as text."""
    height: float = 0.0
    shapes: tuple[Shape, ...] = ()
    areas: tuple[Area, ...] = ()
    others: Text | None = None
    """The text that says how many rows are not drawn."""

    def full_text_at(self, x: float, y: float) -> str:
        """The whole text of a text that is cut, at a point; empty if there is none."""
        cut = (shape for shape in self.shapes if isinstance(shape, Text) and shape.full)
        return next((text.full for text in cut if text.contains(x, y)), "")

    def area_at(self, x: float, y: float) -> Area | None:
        """The place of a row of data at a point."""
        return next((area for area in self.areas if area.contains(x, y)), None)

    def lines(self, row: int) -> tuple[str, ...]:
        """A row of data as lines of text, for a tooltip: name and value, interval, and detail."""
        mark = self.marks[row]
        name = joined(filter(None, (cleaned(mark.group), cleaned(mark.label))))
        value = self.form.exact(mark.value)
        interval = _("95 % interval: {interval}").format(interval=self.form.interval(mark.low, mark.high))
        detail = f"{self.columns.detail}: {mark.detail}" if self.columns.detail else mark.detail
        return (
            f"{name}: {value}" if name else value,
            *([interval] if mark.has_interval else []),
            *([detail] if mark.detail else []),
        )

    def text(self, row: int) -> str:
        """A row of data as one line, for screen readers."""
        return "; ".join(self.lines(row))

    def table(self) -> list[tuple[str, ...]]:
        """All rows of data as texts, in the order of `columns.titles()`."""
        exact = self.form.exact
        return [
            self.columns.select(
                cleaned(mark.group),
                cleaned(mark.label),
                exact(mark.value),
                exact(mark.low),
                exact(mark.high),
                mark.detail,
            )
            for mark in self.marks
        ]

    def numbers(self) -> list[tuple[str, ...]]:
        """All rows of data with unrounded numbers, for a file; a missing value is an empty cell."""
        return [
            self.columns.select(
                mark.group,
                mark.label,
                _raw(mark.value),
                _raw(mark.low),
                _raw(mark.high),
                mark.raw_detail or mark.detail,
            )
            for mark in self.marks
        ]


def _raw(value: float) -> str:
    return plain_text(value, digits=15) if isfinite(value) else ""


class Drawing(Protocol):
    """A chart that is laid out when its width is known."""

    def __call__(self, width: float) -> Chart:
        """Lay out the chart for a width."""


def moved(shapes: Iterable[Shape], y: float) -> list[Shape]:
    """Move shapes down."""
    return [
        replace(shape, y1=shape.y1 + y, y2=shape.y2 + y)
        if isinstance(shape, Line)
        else replace(shape, y=shape.y + y)
        for shape in shapes
    ]


def moved_areas(areas: Sequence[Area], y: float) -> tuple[Area, ...]:
    """Move areas down."""
    return tuple(replace(area, y=area.y + y) for area in areas)
