"""A line through points, for example the width of an interval for growing numbers of answers."""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite, log10

from batchwright.analysis.charts.chart import (
    Anchor,
    Area,
    Chart,
    Circle,
    Columns,
    Line,
    Mark,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.formats import NumberFormat, number_text
from batchwright.analysis.charts.parts import SMALL, baseline, finished, widest
from batchwright.analysis.charts.scales import Scale
from batchwright.analysis.charts.texts import text_width, wrapped

_HEIGHT = 130.0
_TOP, _AXIS = 30.0, 42.0
_LOGARITHMIC_FROM = 5.0
"""Ratio of the largest and the smallest place from which the axis is logarithmic."""
_GAP = 8.0


def line_chart(
    title: str,
    marks: Sequence[Mark],
    places: Sequence[float],
    width: float,
    *,
    form: NumberFormat,
    columns: Columns,
    axis_title: str = "",
) -> Chart:
    """Lay out points from the left to the right with their values above them; the first one is emphasized.

    Args:
        title: what the chart shows.
        marks: the rows of data.
        places: where the marks are on the horizontal axis, for example numbers of answers; ascending.
        width: the width.
        form: how values are written.
        columns: the columns of the table.
        axis_title: what the horizontal axis shows.
    """
    chart = Chart(title, width, tuple(marks), columns, form)
    drawn = [row for row, mark in enumerate(marks) if isfinite(mark.value) and isfinite(places[row])]
    if not drawn:
        return finished(chart, [], [], 0.0)
    across = _Across([places[row] for row in drawn], width, widest([marks[drawn[0]].written(form)], SMALL))
    bottom = _TOP + _HEIGHT
    up = Scale(0.0, max((marks[row].value for row in drawn), default=0.0) or 1.0, bottom, _TOP)
    points = [(row, across(places[row]), up(marks[row].value)) for row in drawn]
    shapes: list[Shape] = [Line(0.0, bottom, width, bottom, Role.AXIS)]
    shapes += [Line(x, y, x, bottom, Role.GRID, row=row) for row, x, y in points]
    shapes += [Line(x1, y1, x2, y2, Role.SERIES_1, 2.0) for (_a, x1, y1), (_b, x2, y2) in pairwise(points)]
    for row, x, y in points:
        shapes.append(Circle(x, y, 6.0, Role.HALO, row))
        shapes.append(Circle(x, y, 4.5 if row == drawn[0] else 3.0, Role.SERIES_1, row))
    values = [(row, x, y - 11, marks[row].written(form)) for row, x, y in points]
    shapes += _texts(values, width, Role.TEXT, Weight.BOLD)
    names = [(row, x, bottom + 16, number_text(places[row], 0)) for row, x, _y in points]
    shapes += _texts(names, width, Role.SECONDARY, Weight.NORMAL)
    if axis_title:
        title_text = wrapped(axis_title, width, SMALL, max_lines=1).lines[0]
        place = baseline(bottom + 30, SMALL)
        shapes.append(Text(width / 2, place, title_text, Role.SECONDARY, SMALL, anchor=Anchor.MIDDLE))
    areas = _areas([(row, x) for row, x, _y in points], width, bottom)
    height = bottom + (_AXIS if axis_title else _AXIS - 16)
    return finished(chart, shapes, areas, height)


class _Across:
    """The horizontal scale; logarithmic if the places differ by orders of magnitude."""

    def __init__(self, places: Sequence[float], width: float, first_width: float) -> None:
        low, high = min(places), max(places)
        self._is_logarithmic = low > 0 and high / low >= _LOGARITHMIC_FROM
        left = max(first_width / 2, 12.0)
        ends = self._of(low), self._of(high)
        if ends[0] == ends[1]:
            ends = ends[0] - 1, ends[1] + 1
        self._scale = Scale(*ends, left, max(width - 24.0, left + 1))

    def __call__(self, place: float) -> float:
        return self._scale(self._of(place))

    def _of(self, place: float) -> float:
        return log10(place) if self._is_logarithmic else place


def _texts(
    texts: Sequence[tuple[int, float, float, str]], width: float, role: Role, weight: Weight
) -> list[Shape]:
    """Centred texts at rows, x and y; those without space are left out, but the last one is preferred."""
    placed: list[tuple[float, float, Text]] = []
    for row, x, y, text in texts:
        half = text_width(text, SMALL, is_bold=weight is Weight.BOLD) / 2
        centre = min(max(x, half), width - half)
        is_last = row == texts[-1][0]
        while is_last and len(placed) > 1 and placed[-1][1] + _GAP > centre - half:
            placed.pop()
        if not placed or placed[-1][1] + _GAP <= centre - half:
            shape = Text(centre, y, text, role, SMALL, weight, Anchor.MIDDLE, row)
            placed.append((centre - half, centre + half, shape))
    return [shape for _left, _right, shape in placed]


def _areas(places: Sequence[tuple[int, float]], width: float, bottom: float) -> tuple[Area, ...]:
    """Areas of points: each reaches half-way to its neighbours."""
    edges = [0.0, *((a + b) / 2 for (_r, a), (_s, b) in pairwise(places)), width]
    return tuple(
        Area(row, start, 0.0, end - start, bottom)
        for (row, _x), start, end in zip(places, edges, edges[1:], strict=False)
    )
