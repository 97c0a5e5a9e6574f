"""Forest plots: a point with its interval for each row, and a line at a value to compare with."""

from collections.abc import Sequence

from batchwright.analysis.charts.chart import (
    Anchor,
    Area,
    Chart,
    Columns,
    Line,
    Mark,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.formats import DECIMAL, NumberFormat
from batchwright.analysis.charts.parts import (
    LABEL,
    LINE_HEIGHT,
    SMALL,
    baseline,
    finished,
    interval,
    label,
    point,
    widest,
)
from batchwright.analysis.charts.scales import Scale, scale_of, tick_labels, tick_texts
from batchwright.analysis.charts.texts import wrapped
from batchwright.base.i18n import _

MAX_ROWS = 40
_ROW_GAP = 10.0
_GAP = 14.0
_AXIS = 22.0
_LABEL_SHARE = 0.34
_WITH_INTERVALS = 480.0
"""Width from which the intervals are written too."""


def forest_plot(
    title: str,
    marks: Sequence[Mark],
    width: float,
    *,
    reference: float | None = 0.0,
    axis_title: str = "",
    limits: tuple[float, float] | None = None,
    form: NumberFormat = DECIMAL,
    columns: Columns | None = None,
    max_rows: int = MAX_ROWS,
) -> Chart:
    """Lay out a row for each mark: label, point with interval on a common axis, and the numbers.

    Args:
        title: what the chart shows.
        marks: the rows of data.
        width: the width.
        reference: the value of the vertical line; None for no line.
        axis_title: what the axis shows, written below it.
        limits: values that the axis includes at least.
        form: how numbers are written.
        columns: the columns of the table.
        max_rows: the number of rows that are drawn.
    """
    shown = marks[:max_rows]
    columns = columns or Columns.with_interval(_("System"), _("Value"))
    names = min(widest([mark.label for mark in shown], LABEL), _LABEL_SHARE * width)
    including = [*(limits or ()), *(() if reference is None else (reference,))]
    scale, numbers = _scale(shown, form, width, names + _GAP, including)
    shapes: list[Shape] = []
    areas: list[Area] = []
    y = 0.0
    for row, mark in enumerate(shown):
        height = len(wrapped(mark.label, names, LABEL).lines) * LINE_HEIGHT
        middle = y + height / 2
        shapes += label(mark.label, 0.0, y, names, row=row)
        shapes += interval(mark, row, scale, middle, has_caps=False)
        shapes += point(mark, row, scale, middle)
        shapes += _numbers(mark, row, middle, width, numbers, form)
        top = y - _ROW_GAP / 2 if row else 0.0
        areas.append(Area(row, 0.0, top, width, y + height + _ROW_GAP / 2 - top))
        y += height + _ROW_GAP
    shapes = [*_axis(scale, y, width, reference, form), *shapes]
    y += _AXIS if shown else 0.0
    if axis_title and shown:
        shapes += label(
            axis_title, scale.start, y, width - scale.start, max_lines=3, size=SMALL, role=Role.SECONDARY
        )
        y += LINE_HEIGHT * len(wrapped(axis_title, width - scale.start, SMALL, max_lines=3).lines)
    chart = Chart(title, width, tuple(marks), columns, form)
    return finished(chart, shapes, areas, y, hidden=len(marks) - len(shown))


def _scale(
    marks: Sequence[Mark], form: NumberFormat, width: float, left: float, including: Sequence[float]
) -> tuple[Scale, float]:
    """The scale, and where the values end; the intervals are written after them if there is space."""
    values = widest([mark.written(form) for mark in marks], LABEL, is_bold=True)
    intervals = widest(
        [form.short_interval(mark.low, mark.high) for mark in marks if mark.has_interval], SMALL
    )
    shown = intervals + 10 if intervals and width >= _WITH_INTERVALS else 0.0
    right = width - shown
    numbers = [number for mark in marks for number in (mark.value, mark.low, mark.high)]
    scale = scale_of(numbers, left + 8, max(right - values - _GAP, left + 16), including=including)
    return scale, right


def _numbers(
    mark: Mark, row: int, middle: float, width: float, right: float, form: NumberFormat
) -> list[Shape]:
    text = mark.written(form)
    shapes: list[Shape] = [
        Text(right, baseline(middle, LABEL), text, weight=Weight.BOLD, anchor=Anchor.END, row=row)
    ]
    if right < width and mark.has_interval:
        ends = form.short_interval(mark.low, mark.high)
        y = baseline(middle, SMALL)
        shapes.append(Text(width, y, ends, Role.SECONDARY, SMALL, anchor=Anchor.END, row=row))
    return shapes


def _axis(
    scale: Scale, bottom: float, width: float, reference: float | None, form: NumberFormat
) -> list[Shape]:
    """Grid lines with their labels, and the reference line."""
    if not bottom:
        return []
    ticks = scale.ticks(max(3, int((scale.end - scale.start) / 60)))
    labels = tick_labels(
        scale, ticks, tick_texts(ticks, is_share=form.is_share), bottom + 15, left=0.0, right=width
    )
    lines: list[Shape] = [Line(scale(tick), 0.0, scale(tick), bottom, Role.GRID) for tick in ticks]
    if reference is not None:
        x = scale(reference)
        lines.append(Line(x, 0.0, x, bottom, Role.AXIS, 1.2))
    return [*lines, *labels]
