"""Histograms: a column for each item, and above them a point, for example the mean with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite

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
from batchwright.analysis.charts.formats import COUNT, DECIMAL, NumberFormat
from batchwright.analysis.charts.parts import SMALL, baseline, finished, interval, point, widest
from batchwright.analysis.charts.scales import Scale, round_step, scale_of, tick_labels, tick_texts
from batchwright.analysis.charts.texts import wrapped
from batchwright.base.i18n import _

_HEIGHT = 160.0
_CENTRE_HEIGHT = 36.0
_STEPS = 4
_NARROW = 4.0
_AXIS = 22.0
_TOP = 8.0


@dataclass(frozen=True)
class Bin:
    """The number of values from `low` up to `high`."""

    low: float
    high: float
    count: float


def histogram(
    title: str,
    bins: Sequence[Bin],
    width: float,
    *,
    centre: Mark | None = None,
    unit: str = "",
    form: NumberFormat = DECIMAL,
    columns: Columns | None = None,
) -> Chart:
    """Lay out a column for each bin on a scale of the values.

    Args:
        title: what the chart shows.
        bins: the bins in ascending order; those with ends that are not finite are only in the table.
        width: the width.
        centre: a value with its interval that is shown above the columns, for example the mean.
        unit: the unit of the values, written at the axis.
        form: how the centre is written.
        columns: the columns of the table.
    """
    columns = columns or Columns(_("Values"), _("Answers"))
    marks = tuple(Mark(text, item.count) for item, text in zip(bins, _ranges(bins), strict=True))
    drawn = [(row, item) for row, item in enumerate(bins) if isfinite(item.low) and isfinite(item.high)]
    if not drawn:
        return finished(Chart(title, width, marks, columns, COUNT), [], [], 0.0)
    top = _TOP + (_CENTRE_HEIGHT if centre is not None else 0.0)
    plot = _Plot.of([item for _row, item in drawn], top, width)
    shapes = plot.grid()
    shapes += [plot.column(item, row) for row, item in drawn if item.count > 0]
    areas = [plot.area(item, row) for row, item in drawn]
    if centre is not None:
        shapes += _centre(centre, plot.across, plot.bottom, width, form)
    shapes += _axis(plot, unit)
    note = _centre_text(centre, form) if centre is not None else ""
    chart = Chart(title, width, marks, columns, COUNT, note)
    return finished(chart, shapes, areas, plot.bottom + _AXIS)


@dataclass(frozen=True)
class _Plot:
    """The scales of a histogram."""

    across: Scale
    up: Scale
    counts: Sequence[float]
    """The ticks of the counts."""
    width: float

    @classmethod
    def of(cls, bins: Sequence[Bin], top: float, width: float) -> "_Plot":
        """The scales for some bins below `top`."""
        highest = max((item.count for item in bins if isfinite(item.count)), default=0.0)
        counts = _count_ticks(max(highest, 1.0))
        left = widest(tick_texts(counts), SMALL) + 12
        ends = [end for item in bins for end in (item.low, item.high)]
        up = Scale(0.0, max(highest, counts[-1]), top + _HEIGHT, top)
        return cls(scale_of(ends, left, max(width - 12, left + 1)), up, counts, width)

    @property
    def bottom(self) -> float:
        """Where the columns stand."""
        return self.up.start

    def grid(self) -> list[Shape]:
        """Horizontal lines with the counts at their left ends."""
        shapes: list[Shape] = []
        left = self.across.start - 4
        for tick, text in zip(self.counts, tick_texts(self.counts), strict=True):
            y = self.up(tick)
            shapes.append(Line(left, y, self.width, y, Role.GRID if tick else Role.AXIS))
            place = baseline(y, SMALL)
            shapes.append(Text(left - 6, place, text, Role.SECONDARY, SMALL, anchor=Anchor.END))
        return shapes

    def column(self, item: Bin, row: int) -> Shape:
        """The column of a item, with a gap to the next one unless they are very narrow."""
        start, end = self._ends(item)
        gap = 1.0 if end - start > _NARROW else 0.0
        y, radius = self.up(item.count), min(2.0, (end - start) / 4)
        width = max(end - start - gap, 0.5)
        return Rectangle(start + gap / 2, y, width, self.bottom - y, Role.SERIES_1, radius, row=row)

    def area(self, item: Bin, row: int) -> Area:
        """The place of a item, as high as the plot."""
        start, end = self._ends(item)
        return Area(row, start, self.up.end, end - start, self.bottom - self.up.end)

    def _ends(self, item: Bin) -> tuple[float, float]:
        start, end = self.across(item.low), self.across(item.high)
        return (start, end) if end > start else (start - _NARROW, start + _NARROW)


def _ranges(bins: Sequence[Bin]) -> list[str]:
    """The labels of bins, with as many digits as tell their ends apart."""
    ends = [end for item in bins for end in (item.low, item.high) if isfinite(end)]
    distinct = len(set(ends))
    decimals = next((n for n in range(9) if len({round(end, n) for end in ends}) == distinct), 9)
    form = NumberFormat(decimals, decimals)
    return [
        _("{low} to {high}").format(low=form.short(item.low), high=form.short(item.high))
        if item.low != item.high
        else form.short(item.low)
        for item in bins
    ]


def _count_ticks(highest: float) -> list[float]:
    """Round counts from 0 up to at least the highest."""
    step = max(1.0, round_step(highest / _STEPS))
    ticks = [step * number for number in range(ceil(highest / step) + 1)]
    return ticks if isfinite(ticks[-1]) else [0.0, highest]


def _axis(plot: _Plot, unit: str) -> list[Shape]:
    """The labels of the values, and their unit at the right end."""
    y, right = plot.bottom + 15, plot.width
    shapes: list[Shape] = []
    if unit:
        text = wrapped(unit, plot.width / 4, SMALL, max_lines=1)
        full = unit if text.is_cut else ""
        shapes.append(Text(right, y, text.lines[0], Role.SECONDARY, SMALL, anchor=Anchor.END, full=full))
        right -= text.width(SMALL) + 10
    ticks = plot.across.ticks(max(3, int((plot.across.end - plot.across.start) / 70)))
    return [*shapes, *tick_labels(plot.across, ticks, tick_texts(ticks), y, left=0.0, right=right)]


def _centre(mark: Mark, across: Scale, bottom: float, width: float, form: NumberFormat) -> list[Shape]:
    """The point of the centre with its interval and its text above, and a line down to the axis."""
    if not isfinite(mark.value):
        return []
    x, y = across(mark.value), _CENTRE_HEIGHT - 4
    text = wrapped(_centre_text(mark, form), width - 8, SMALL, max_lines=1, is_bold=True)
    half = text.width(SMALL, is_bold=True) / 2
    place = min(max(x, half), width - half)
    return [
        Line(x, y, x, bottom, Role.HALO, 3.0),
        Line(x, y, x, bottom, Role.INTERVAL),
        *interval(mark, None, across, y),
        *point(mark, None, across, y),
        Text(place, 14.0, text.lines[0], Role.TEXT, SMALL, Weight.BOLD, Anchor.MIDDLE),
    ]


def _centre_text(mark: Mark, form: NumberFormat) -> str:
    text = f"{mark.label} {mark.written(form)}"
    if not mark.has_interval:
        return text
    ends = form.short_interval(mark.low, mark.high)
    return _("{value} (95 %: {interval})").format(value=text, interval=ends)
