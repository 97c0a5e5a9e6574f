"""Numbers as files and commands have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.plain_numbers import plain_number, plain_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, "3"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e6, "1000000"),
        (1250000.5, "1250000.5"),
        (1700000001.0, "1700000001"),
        (9007199254740991.0, "9007199254740991"),
        (3e-7, "3e-07"),
        (1e22, "1e+22"),
    ],
)
def test_a_number_is_written_with_the_fewest_digits(number: float, text: str) -> None:
    assert plain_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_the_same_when_it_is_read_again(number: float) -> None:
    assert plain_number(plain_text(number)) == number


def test_fractions_can_have_fewer_digits_and_whole_numbers_have_all() -> None:
    assert plain_text(222 * (1 / 60), digits=15) == "3.7"
    assert plain_text(2 / 3, digits=6) == "0.666667"
    assert plain_text(1234567.0, digits=6) == "1234567"


@pytest.mark.parametrize("text", ["2024_01", "1_000", "1,5", "soon"])
def test_a_text_with_underscores_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        plain_number(text)
