"""Charts as SVG: bars or points with their intervals, drawn at print size and readable without colours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite

from batchwright.base.text import without_lone_surrogates

_WIDTH, _LABEL_WIDTH, _VALUE_WIDTH = 640, 220, 60
_ROW, _TOP = 26, 8
_AXIS, _NOTE = 26, 18
_BLUE, _INK, _GREY = "#0072b2", "#1a1a1a", "#8a8a8a"
"""Blue of Okabe and Ito's palette, which is distinct for all kinds of colour vision."""
_MAX_LABEL = 34
_MAX_MARKS = 60
_STEPS = 4


@dataclass(frozen=True)
class Mark:
    """A value with its interval; `text` is the value as written beside it."""

    label: str
    value: float
    low: float
    high: float
    text: str


def bar_chart(title: str, marks: Sequence[Mark], note: str = "") -> str:
    """Draw horizontal bars from 0, with intervals as lines, and a note; more than 60 marks are cut."""
    return _chart(title, marks[:_MAX_MARKS], note, bars=True)


def forest_plot(title: str, marks: Sequence[Mark], note: str = "") -> str:
    """Draw points with their intervals, a line at 0, and a note; more than 60 marks are cut."""
    return _chart(title, marks[:_MAX_MARKS], note, bars=False)


def _chart(title: str, marks: Sequence[Mark], note: str, *, bars: bool) -> str:
    numbers = [n for mark in marks for n in (mark.value, mark.low, mark.high) if isfinite(n)] + [0.0]
    low, high = min(numbers), max(numbers)
    high = high if high > low else low + 1
    bottom = _TOP + _ROW * len(marks) + _AXIS
    height = bottom + _NOTE
    left, right = _LABEL_WIDTH, _WIDTH - _VALUE_WIDTH

    def x(value: float) -> str:
        return f"{left + (value - low) / (high - low) * (right - left):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"',
        f' width="{_WIDTH}" height="{height}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{_xml(title)}</title>",
    ]
    parts += [_gridline(x(value), value, bottom) for value in _ticks(low, high)]
    for number, mark in enumerate(marks):
        parts.append(_mark(mark, _TOP + _ROW * number, x, bars=bars))
    parts.append(f'<text x="{left}" y="{height - 5}" font-size="10">{_xml(note)}</text></svg>')
    return "".join(parts)


def _mark(mark: Mark, top: int, x: Callable[[float], str], *, bars: bool) -> str:
    middle = top + _ROW // 2
    label = mark.label if len(mark.label) <= _MAX_LABEL else f"{mark.label[: _MAX_LABEL - 1]}…"
    parts = [
        f'<text x="{_LABEL_WIDTH - 8}" y="{middle + 4}" text-anchor="end">',
        f"{_xml(label)}<title>{_xml(mark.label)}</title></text>",
    ]
    if isfinite(mark.value):
        if bars:
            start, end = sorted((float(x(0.0)), float(x(mark.value))))
            parts.append(
                f'<rect x="{start:.1f}" y="{top + 5}" width="{end - start:.1f}" height="{_ROW - 10}" '
                f'fill="{_BLUE}" fill-opacity="0.75"/>'
            )
        else:
            parts.append(f'<circle cx="{x(mark.value)}" cy="{middle}" r="4.5" fill="{_BLUE}"/>')
    if isfinite(mark.low) and isfinite(mark.high):
        ends = f'x1="{x(mark.low)}" x2="{x(mark.high)}" y1="{middle}" y2="{middle}"'
        parts.append(f'<line {ends} stroke="{_INK}" stroke-width="1.5"/>')
        for end in (mark.low, mark.high):
            place = f'x1="{x(end)}" x2="{x(end)}" y1="{middle - 4}" y2="{middle + 4}"'
            parts.append(f'<line {place} stroke="{_INK}" stroke-width="1.5"/>')
    parts.append(f'<text x="{_WIDTH - _VALUE_WIDTH + 6}" y="{middle + 4}">{_xml(mark.text)}</text>')
    return "".join(parts)


def _gridline(x: str, value: float, height: int) -> str:
    colour, bottom = (_INK if value == 0 else _GREY), height - _AXIS + 4
    return (
        f'<line x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}" stroke="{colour}" stroke-width="0.6"/>'
        f'<text x="{x}" y="{height - 6}" text-anchor="middle" font-size="10">{value:g}</text>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers from `low` to `high`, 0 among them if it is between them."""
    step = 10.0 ** _exponent((high - low) / _STEPS)
    while (high - low) / step > 2 * _STEPS:
        step *= 2 if round(step / 10.0 ** _exponent(step)) != 2 else 2.5
    first = -int(-low // step) if low >= 0 else -int(-low / step)
    ticks = [round(number * step, 10) for number in range(first, first + 2 * _STEPS + 2)]
    return [tick for tick in ticks if low <= tick <= high]


def _exponent(number: float) -> int:
    """Return the power of ten of the first digit of a positive number."""
    return int(f"{number:e}".partition("e")[2])


def _xml(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in without_lone_surrogates(text))
    return escape(printable)
