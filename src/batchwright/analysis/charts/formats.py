"""How numbers are written in charts and their tables."""

from dataclasses import dataclass
from math import isfinite, isnan

from batchwright.base.i18n import _
from batchwright.base.local_formats import decimal_text

_MINUS = "\N{MINUS SIGN}"
_LARGE, _VERY_LARGE = 1e6, 1e9
_ALL = 100
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class NumberFormat:
    """How values are written: beside a mark, and with more digits in a table and when hovered."""

    decimals: int
    exact_decimals: int
    is_share: bool = False

    def short(self, value: float) -> str:
        """A value as written in the chart. A share that is not exactly 0 or 1 is never written like them."""
        if self.is_share and 0 < value < 1 and not 0 < round(100 * value) < _ALL:
            text = _("<{number} %") if value < 1 / 2 else _(">{number} %")
            return text.format(number=1 if value < 1 / 2 else 99)
        return self._with_decimals(value, self.decimals)

    def exact(self, value: float) -> str:
        """A value as written in a table."""
        return self._with_decimals(value, self.exact_decimals)

    def interval(self, low: float, high: float) -> str:
        """An interval as written in a table."""
        return _("{low} to {high}").format(low=self.exact(low), high=self.exact(high))

    def short_interval(self, low: float, high: float) -> str:
        """An interval as written in the chart."""
        return _("{low} to {high}").format(low=self.short(low), high=self.short(high))

    def _with_decimals(self, value: float, decimals: int) -> str:
        shown = _ALL * value if self.is_share else value
        if isnan(shown):
            return "–"
        if not isfinite(shown):
            return "∞" if shown > 0 else f"{_MINUS}∞"
        text = number_text(shown, decimals)
        return _("{number} %").format(number=text) if self.is_share else text


def number_text(value: float, decimals: int) -> str:
    """A finite number with group separators; very large ones with a power of ten."""
    if abs(value) >= _VERY_LARGE:
        return with_power(value)
    decimals = 0 if abs(value) >= _LARGE else decimals
    text = decimal_text(abs(value), decimals)
    return f"{_MINUS}{text}" if value < 0 and text != decimal_text(0.0, decimals) else text


def with_power(value: float) -> str:
    """A number with three digits and a power of ten, as 1.5×10¹²."""
    digits, _e, power = f"{abs(value):.2e}".partition("e")
    decimals = len(digits.rstrip("0").rstrip(".").partition(".")[2])
    sign = _MINUS if value < 0 else ""
    return f"{sign}{decimal_text(float(digits), decimals)}×10{str(int(power)).translate(_SUPERSCRIPTS)}"


PERCENT = NumberFormat(0, 1, is_share=True)
COUNT = NumberFormat(0, 0)
DECIMAL = NumberFormat(2, 3)
