"""Results as tables of cells."""

import math
from dataclasses import dataclass

import pytest

from batchwright.analysis.result_tables import result_table


@dataclass(frozen=True)
class _Row:
    name: str
    number: float


@pytest.mark.parametrize(
    ("number", "cell"),
    [
        (1234567.1234567, 1234567.123457),
        (1 / 3, 0.333333),
        (0.012345678, 0.0123457),
        (3e-7, 3e-7),
        (-1.23456789e-9, -1.23457e-9),
        (math.nan, None),
    ],
)
def test_small_numbers_have_six_significant_digits(number: float, cell: float | None) -> None:
    assert result_table("", "", _Row, [_Row("a", number)]).rows == (("a", cell),)


@pytest.mark.parametrize("number", [-0.0, 0.0, 5e-17, -5e-17])
def test_rounding_errors_are_zero_without_a_sign(number: float) -> None:
    ((_name, cell),) = result_table("", "", _Row, [_Row("a", number)]).rows
    assert str(cell) == "0.0"
