"""Parts of several charts: labels of one or two lines, intervals, and the row for what is not drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite

from batchwright.analysis.charts.chart import (
    Anchor,
    Area,
    Chart,
    Circle,
    Line,
    Mark,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.scales import Scale
from batchwright.analysis.charts.texts import text_width, wrapped
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text

LABEL, SMALL = 13.0, 12.0
"""Sizes of texts."""
LINE_HEIGHT = 17.0
_BASELINE = 0.36
"""Distance of the baseline from the middle of a line, relative to the size."""
_CAP = 4.0
_HALO_WIDTH, _INTERVAL_WIDTH = 4.0, 1.5


def baseline(middle: float, size: float) -> float:
    """The baseline of a text whose lower-case letters are centred around `middle`."""
    return middle + _BASELINE * size


def label(
    text: str,
    x: float,
    top: float,
    width: float,
    *,
    row: int | None = None,
    max_lines: int = 2,
    anchor: Anchor = Anchor.START,
    size: float = LABEL,
    role: Role = Role.TEXT,
    weight: Weight = Weight.NORMAL,
) -> list[Text]:
    """A label below `top`, wrapped into lines of a width."""
    lines = wrapped(text, width, size, max_lines=max_lines, is_bold=weight is Weight.BOLD)
    middle = top + LINE_HEIGHT / 2
    return [
        Text(
            x,
            baseline(middle + index * LINE_HEIGHT, size),
            line,
            role,
            size,
            weight,
            anchor,
            row,
            text if lines.is_cut else "",
        )
        for index, line in enumerate(lines.lines)
    ]


def interval(
    mark: Mark, row: int | None, scale: Scale, y: float, *, has_caps: bool = True
) -> Iterator[Shape]:
    """A horizontal interval; an end outside of the scale has no cap."""
    if not mark.has_interval or mark.low == mark.high:
        return
    left, right = scale(min(mark.low, mark.high)), scale(max(mark.low, mark.high))
    ends = [scale(end) for end in (mark.low, mark.high) if isfinite(end) and has_caps]
    for role, width in ((Role.HALO, _HALO_WIDTH), (Role.INTERVAL, _INTERVAL_WIDTH)):
        over = (width - _INTERVAL_WIDTH) / 2
        yield Line(max(left - over, scale.start), y, min(right + over, scale.end), y, role, width, row)
        for end in ends:
            yield Line(end, y - _CAP - over, end, y + _CAP + over, role, width, row)


def point(mark: Mark, row: int | None, scale: Scale, y: float) -> Iterator[Shape]:
    """The point of a value, with a halo."""
    if isfinite(mark.value):
        yield Circle(scale(mark.value), y, 6.0, Role.HALO, row)
        yield Circle(scale(mark.value), y, 4.5, Role.SERIES_1, row)


def finished(
    chart: Chart, shapes: Sequence[Shape], areas: Sequence[Area], height: float, *, hidden: int = 0
) -> Chart:
    """A chart with its shapes; a text below says how many rows are not drawn, or that there are none.

    Args:
        chart: the chart without shapes.
        shapes: its shapes in the order of painting.
        areas: the places of its rows.
        height: the height of the shapes.
        hidden: how many rows are not drawn.
    """
    if not shapes:
        text = wrapped(_("There are no values to show."), chart.width, LABEL).lines
        below = [Text(0.0, LINE_HEIGHT * (n + 1), line, Role.SECONDARY) for n, line in enumerate(text)]
        return replace(chart, shapes=tuple(below), height=LINE_HEIGHT * (len(text) + 1))
    if not hidden:
        return replace(chart, shapes=tuple(shapes), areas=tuple(areas), height=height)
    line = ngettext("… {count} other, in the table", "… {count} others, in the table", hidden)
    place = baseline(height + LINE_HEIGHT / 2, SMALL)
    others = Text(0.0, place, line.format(count=count_text(hidden)), Role.SECONDARY, SMALL)
    return replace(
        chart, shapes=(*shapes, others), areas=tuple(areas), height=height + LINE_HEIGHT, others=others
    )


def widest(texts: list[str], size: float, *, is_bold: bool = False) -> float:
    """The width of the widest text."""
    return max((text_width(text, size, is_bold=is_bold) for text in texts), default=0.0)
