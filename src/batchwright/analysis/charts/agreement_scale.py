"""Coefficients of agreement on a line from 0 to 1, with their intervals as bands."""

from collections.abc import Sequence
from math import floor, isfinite

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
from batchwright.analysis.charts.formats import DECIMAL, NumberFormat, number_text
from batchwright.analysis.charts.parts import (
    LABEL,
    LINE_HEIGHT,
    SMALL,
    baseline,
    finished,
    label,
    point,
    widest,
)
from batchwright.analysis.charts.scales import Scale, tick_labels
from batchwright.analysis.charts.texts import text_width, wrapped
from batchwright.base.i18n import _

MAX_ROWS = 40
_HEADLINE = 28.0
_EDGE = 8.0
_BAND, _TICK = 10.0, 4.0
_STEP = 0.25
_LINE_HEIGHT = 20.0
_ROW_GAP = 8.0
_AXIS = 18.0
_LEAST = -1.0


def agreement_scale(
    title: str,
    marks: Sequence[Mark],
    width: float,
    *,
    has_headline: bool = True,
    form: NumberFormat = DECIMAL,
    columns: Columns | None = None,
    max_rows: int = MAX_ROWS,
) -> Chart:
    """Lay out a line from 0 to 1 for each mark; it starts below 0 if values do.

    With a headline, the first value is written large; the others follow as rows.
    """
    columns = columns or Columns.with_interval(_("Coefficient"), _("Value"), _("Based on"))
    shown = marks[:max_rows]
    scale = Scale(_lowest(shown), 1.0, _EDGE, max(width - _EDGE, _EDGE + 1))
    shapes: list[Shape] = []
    areas: list[Area] = []
    y = 0.0
    for row, mark in enumerate(shown):
        top = y
        is_headline = has_headline and row == 0
        texts, y = (_headline if is_headline else _heading)(mark, row, y, width, form)
        shapes += [*texts, *_on_line(mark, row, scale, y + _LINE_HEIGHT / 2)]
        y += _LINE_HEIGHT
        if is_headline or row == len(shown) - 1:
            shapes += _tick_labels(scale, y + 12, width)
            y += _AXIS
        areas.append(Area(row, 0.0, top, width, y - top))
        y += _ROW_GAP
    chart = Chart(title, width, tuple(marks), columns, form)
    return finished(chart, shapes, areas, y, hidden=len(marks) - len(shown))


def _lowest(marks: Sequence[Mark]) -> float:
    """Where the line starts: at 0, or at a quarter below the lowest value, but not below -1."""
    low = min((end for mark in marks for end in (mark.value, mark.low) if isfinite(end)), default=0.0)
    return floor(max(_LEAST, min(0.0, low)) / _STEP) * _STEP


def _ticks(scale: Scale) -> list[float]:
    count = round((scale.high - scale.low) / _STEP)
    return [scale.low + _STEP * index for index in range(count + 1)]


def _tick_labels(scale: Scale, y: float, width: float) -> list[Text]:
    ticks = _ticks(scale)
    return tick_labels(
        scale, ticks, [number_text(tick, _decimals(tick)) for tick in ticks], y, left=0.0, right=width
    )


def _decimals(tick: float) -> int:
    """The decimal places of a multiple of a quarter: 0, 0.5 or 0.25."""
    return 0 if tick == round(tick) else 1 if 2 * tick == round(2 * tick) else 2


def _headline(
    mark: Mark, row: int, top: float, width: float, form: NumberFormat
) -> tuple[list[Shape], float]:
    """The value in large digits, beside it name and interval."""
    written = mark.written(form)
    value = wrapped(written, width / 2, _HEADLINE, max_lines=1, is_bold=True).lines[0]
    left = text_width(value, _HEADLINE, is_bold=True) + 14
    shapes: list[Shape] = [Text(0.0, top + 28, value, Role.TEXT, _HEADLINE, Weight.BOLD, row=row)]
    name = label(mark.label, left, top + 1, width - left, row=row, weight=Weight.MEDIUM)
    shapes += name
    y = top + 1 + len(name) * LINE_HEIGHT
    details = (
        [_("95 %: {interval}").format(interval=form.short_interval(mark.low, mark.high))]
        if mark.has_interval
        else []
    )
    text = " · ".join([*details, mark.detail] if mark.detail else details)
    if text:
        below = label(text, left, y, width - left, row=row, size=SMALL, role=Role.SECONDARY)
        shapes += below
        y += len(below) * LINE_HEIGHT
    return shapes, max(y, top + 36) + 6


def _heading(mark: Mark, row: int, top: float, width: float, form: NumberFormat) -> tuple[list[Shape], float]:
    """The label, the interval, and the value at the right."""
    value = mark.written(form)
    line = baseline(top + LINE_HEIGHT / 2, LABEL)
    shapes: list[Shape] = [Text(width, line, value, weight=Weight.BOLD, anchor=Anchor.END, row=row)]
    right = width - text_width(value, LABEL, is_bold=True) - 10
    ends = form.short_interval(mark.low, mark.high) if mark.has_interval else ""
    if ends and widest([ends], SMALL) < right / 2:
        shapes.append(Text(right, line, ends, Role.SECONDARY, SMALL, anchor=Anchor.END, row=row))
        right -= widest([ends], SMALL) + 10
    texts = label(mark.label, 0.0, top, right, row=row)
    return [*texts, *shapes], top + len(texts) * LINE_HEIGHT


def _on_line(mark: Mark, row: int, scale: Scale, y: float) -> list[Shape]:
    shapes: list[Shape] = [Line(scale.start, y, scale.end, y, Role.AXIS)]
    shapes += [Line(scale(tick), y - _TICK, scale(tick), y + _TICK, Role.AXIS) for tick in _ticks(scale)]
    if mark.has_interval and mark.low != mark.high:
        left, right = sorted((scale(mark.low), scale(mark.high)))
        left, right = min(left, right - _BAND), max(right, left + _BAND)
        band = Rectangle(left, y - _BAND / 2, right - left, _BAND, Role.BAND, _BAND / 2, row=row)
        shapes.append(band)
    return [*shapes, *point(mark, row, scale, y)]
