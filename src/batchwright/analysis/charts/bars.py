"""Horizontal bars from 0: one for each option with its label above it, or small ones in groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import isfinite

from batchwright.analysis.charts.chart import (
    Anchor,
    Area,
    Chart,
    Columns,
    Line,
    Mark,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.formats import PERCENT, NumberFormat
from batchwright.analysis.charts.parts import (
    LABEL,
    LINE_HEIGHT,
    SMALL,
    baseline,
    finished,
    interval,
    label,
    widest,
)
from batchwright.analysis.charts.scales import Scale, scale_of
from batchwright.base.i18n import _

MAX_BARS = 20
_BAR, _RADIUS = 14.0, 4.0
_LABEL_GAP, _BAR_GAP = 4.0, 13.0
_NUMBER_GAP = 12.0
_AREA_END = 4.0
"""How far the place of a bar reaches below it; a focus ring around it does not touch the next one."""
_SMALL_BAR, _SMALL_GAP, _GROUP_GAP = 12.0, 8.0, 14.0
_LABEL_SHARE = 0.34
_LABEL_END = 10.0


def share_columns() -> Columns:
    """The columns of the table of a chart of shares."""
    return Columns.with_interval(_("Option"), _("Share"), _("Answers"))


def bar_chart(
    title: str,
    marks: Sequence[Mark],
    width: float,
    *,
    form: NumberFormat = PERCENT,
    columns: Columns | None = None,
    order: Sequence[int] | None = None,
    max_bars: int = MAX_BARS,
) -> Chart:
    """Lay out a bar for each mark, with its label above it and its numbers on the right.

    Shares are drawn on a track up to 100 %. At most `max_bars` bars are drawn; a last row counts the others.

    Args:
        title: what the chart shows.
        marks: the rows of data.
        width: the width.
        form: how numbers are written.
        columns: the columns of the table.
        order: the indexes of the marks in the order of drawing; without it, the order of the marks.
        max_bars: the number of bars that are drawn.
    """
    rows = list(range(len(marks)) if order is None else order)
    shown = rows[:max_bars]
    bars = _Bars([marks[row] for row in shown], width, form)
    shapes: list[Shape] = []
    areas: list[Area] = []
    y = 0.0
    for row in shown:
        drawn, bottom = bars.bar(marks[row], row, y)
        shapes += drawn
        areas.append(Area(row, 0.0, y, width, bottom - y - _BAR_GAP + _AREA_END))
        y = bottom
    chart = Chart(title, width, tuple(marks), columns or share_columns(), form)
    return finished(chart, shapes, areas, y, hidden=len(rows) - len(shown))


@dataclass(frozen=True)
class _Bars:
    """The bars of a chart, which share a scale and columns for numbers."""

    marks: Sequence[Mark]
    width: float
    form: NumberFormat

    def bar(self, mark: Mark, row: int, top: float) -> tuple[list[Shape], float]:
        """The shapes of a bar, and where the next one starts."""
        columns = self._numbers
        texts = label(mark.label, 0.0, top, max(self.width - columns.width - 16, self.width / 3), row=row)
        shapes: list[Shape] = [*texts, *columns.of(mark, row, baseline(top + LINE_HEIGHT / 2, LABEL))]
        bar_top = top + len(texts) * LINE_HEIGHT + _LABEL_GAP
        shapes += bar_shapes(mark, row, self._scale, bar_top, _BAR, has_track=self.form.is_share)
        return shapes, bar_top + _BAR + _BAR_GAP

    @cached_property
    def _numbers(self) -> "_Numbers":
        return _Numbers(self.marks, self.width, self.form, LABEL)

    @cached_property
    def _scale(self) -> Scale:
        return bar_scale(self.marks, self.form, 0.0, self.width)


@dataclass(frozen=True)
class _Numbers:
    """Two columns of numbers at the right: details, and values in bold."""

    marks: Sequence[Mark]
    right: float
    form: NumberFormat
    size: float

    @cached_property
    def width(self) -> float:
        """The width of both."""
        details = widest([mark.detail for mark in self.marks], self.size)
        return self._value_width + (details + _NUMBER_GAP if details else 0.0)

    @cached_property
    def _value_width(self) -> float:
        return widest([mark.written(self.form) for mark in self.marks], self.size, is_bold=True)

    def of(self, mark: Mark, row: int, line: float) -> Iterator[Shape]:
        """The numbers of a mark on a baseline."""
        text = mark.written(self.form)
        yield Text(self.right, line, text, Role.TEXT, self.size, Weight.BOLD, Anchor.END, row)
        if mark.detail:
            x = self.right - self._value_width - _NUMBER_GAP
            yield Text(x, line, mark.detail, Role.SECONDARY, self.size, anchor=Anchor.END, row=row)


def bar_scale(marks: Sequence[Mark], form: NumberFormat, start: float, end: float) -> Scale:
    """The scale of bars: from 0, for shares up to 1."""
    values = [value for mark in marks for value in (mark.value, mark.low, mark.high)]
    return scale_of(values, start, end, including=(0.0, 1.0) if form.is_share else (0.0,))


def bar_shapes(
    mark: Mark, row: int, scale: Scale, top: float, height: float, *, has_track: bool
) -> Iterator[Shape]:
    """A bar from 0 with its interval, on a track if it has one; a line at 0 if bars go to both sides."""
    if has_track:
        yield Rectangle(scale.start, top, scale.end - scale.start, height, Role.TRACK, _RADIUS)
    zero = scale(0.0)
    if isfinite(mark.value):
        left, right = sorted((zero, scale(mark.value)))
        if right > left:
            radius = min(_RADIUS, (right - left) / 2)
            yield Rectangle(left, top, right - left, height, mark.role, radius, row=row)
        yield from interval(mark, row, scale, top + height / 2)
    if scale.low < 0:
        yield Line(zero, top - _LABEL_GAP, zero, top + height + _LABEL_GAP, Role.AXIS)


def grouped_bar_chart(
    title: str,
    marks: Sequence[Mark],
    width: float,
    *,
    form: NumberFormat = PERCENT,
    columns: Columns | None = None,
    max_bars: int = 2 * MAX_BARS,
) -> Chart:
    """Lay out small bars under the headings of their groups; the marks of a group follow each other."""
    shown = list(enumerate(marks))[:max_bars]
    layout = _Groups([mark for _row, mark in shown], width, form)
    shapes: list[Shape] = []
    areas: list[Area] = []
    y = 0.0
    for group, members in groupby(shown, key=lambda pair: pair[1].group):
        shapes += label(group, 0.0, y, width, max_lines=1, weight=Weight.BOLD)
        y += LINE_HEIGHT + _LABEL_GAP
        for row, mark in members:
            drawn, bottom = layout.bar(mark, row, y)
            shapes += drawn
            areas.append(Area(row, 0.0, y, width, bottom - y - _SMALL_GAP + _AREA_END / 2))
            y = bottom
        y += _GROUP_GAP
    chart = Chart(title, width, tuple(marks), columns or share_columns(), form)
    return finished(chart, shapes, areas, y, hidden=len(marks) - len(shown))


@dataclass(frozen=True)
class _Groups:
    """The bars of a chart with groups: labels on the left, numbers on the right."""

    marks: Sequence[Mark]
    width: float
    form: NumberFormat

    def bar(self, mark: Mark, row: int, top: float) -> tuple[list[Shape], float]:
        """The shapes of a bar, and where the next one starts."""
        left = self._label_width
        texts = label(mark.label, 0.0, top, left - _LABEL_END, row=row, size=SMALL)
        height = max(len(texts) * LINE_HEIGHT, _SMALL_BAR)
        middle = top + height / 2
        shapes: list[Shape] = [*texts, *self._numbers.of(mark, row, baseline(middle, SMALL))]
        bar_top = middle - _SMALL_BAR / 2
        shapes += bar_shapes(mark, row, self._scale, bar_top, _SMALL_BAR, has_track=self.form.is_share)
        return shapes, top + height + _SMALL_GAP

    @cached_property
    def _numbers(self) -> _Numbers:
        return _Numbers(self.marks, self.width, self.form, SMALL)

    @cached_property
    def _label_width(self) -> float:
        labels = widest([mark.label for mark in self.marks], SMALL)
        return min(labels, _LABEL_SHARE * self.width) + _LABEL_END

    @cached_property
    def _scale(self) -> Scale:
        right = self.width - self._numbers.width - _NUMBER_GAP
        return bar_scale(self.marks, self.form, self._label_width, max(right, self._label_width + 1))
