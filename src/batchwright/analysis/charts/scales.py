"""Scales: the places of values on an axis, and round numbers for its labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from batchwright.analysis.charts.chart import Anchor, Role, Text
from batchwright.analysis.charts.formats import number_text, with_power
from batchwright.analysis.charts.texts import text_width
from batchwright.base.i18n import _

_TICK_SIZE = 12.0
_TICK_GAP = 10.0
_SHIFT = 16.0
"""How far a label may be moved to stay in the chart."""
_SMALLEST_STEP = 1e-300


@dataclass(frozen=True)
class Scale:
    """Maps the values from `low` to `high` to the places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a value; values outside of the scale, also infinite ones, are at its ends."""
        if value <= self.low:
            return self.start
        if value >= self.high:
            return self.end
        # halves, because the difference of two finite numbers can be infinite
        fraction = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + fraction * (self.end - self.start)

    def ticks(self, max_count: int) -> list[float]:
        """Round numbers on the scale, at most `most`, with 0 among them if it is on the scale."""
        step = round_step((self.high / 2 - self.low / 2) / (max_count + 1) * 2)
        if not isfinite(step) or step < _SMALLEST_STEP:
            return [self.low, self.high]
        while (numbers := self._multiples(step)) and len(numbers) > max_count:
            step = round_step(step * 1.5)
        return [_rounded(number * step, step) for number in numbers]

    def _multiples(self, step: float) -> range:
        """The whole numbers whose products with a step are on the scale."""
        return range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)


def scale_of(values: Iterable[float], start: float, end: float, *, including: Sequence[float] = ()) -> Scale:
    """A scale for the finite ones of some values, and for those that it must include."""
    finite = [value for value in (*values, *including) if isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if low == high:
        pad = abs(low) / 2 or 1.0
        low, high = low - pad, high + pad
    return Scale(low, high, start, end)


def round_step(least: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is not less than a number."""
    if not isfinite(least) or least < _SMALLEST_STEP:
        return least
    power = 10.0 ** floor(log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)


def _rounded(value: float, step: float) -> float:
    return round(value, max(0, -floor(log10(step)) + 1)) if step < 1 else value


_SMALLEST_WITHOUT_POWER = 1e-4


def tick_texts(ticks: Sequence[float], *, is_share: bool = False) -> list[str]:
    """The labels of ticks, with as many decimal places as they need."""
    values = [100 * tick if is_share else tick for tick in ticks]
    decimals = next((count for count in range(7) if all(_has_decimals(value, count) for value in values)), 7)
    texts = [
        with_power(value) if 0 < abs(value) < _SMALLEST_WITHOUT_POWER else number_text(value, decimals)
        for value in values
    ]
    return [_("{number} %").format(number=text) for text in texts] if is_share else texts


def _has_decimals(value: float, count: int) -> bool:
    return abs(round(value, count) - value) <= 1e-9 * max(1.0, abs(value))


def tick_labels(
    scale: Scale, ticks: Sequence[float], texts: Sequence[str], y: float, *, left: float, right: float
) -> list[Text]:
    """The labels of ticks below an axis; those that would overlap or leave the chart are left out."""
    labels: list[Text] = []
    free_from = left
    for tick, text in zip(ticks, texts, strict=True):
        half = text_width(text, _TICK_SIZE) / 2
        x = max(left + half, min(scale(tick), right - half))
        if x - half >= free_from and abs(x - scale(tick)) <= _SHIFT:
            labels.append(Text(x, y, text, Role.SECONDARY, _TICK_SIZE, anchor=Anchor.MIDDLE))
            free_from = x + half + _TICK_GAP
    return labels
