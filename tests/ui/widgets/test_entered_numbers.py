"""Numbers are read as they were meant, whichever decimal sign the user is used to."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.entered_numbers import entered_number, number_example
from batchwright.ui.widgets.no_wheel import FormDoubleSpinBox

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("locale", ["en_GB", "de_DE", "fr_FR", "de_CH"])
@pytest.mark.parametrize(
    ("text", "value"), [("12.50", 12.5), ("12,50", 12.5), (".5", 0.5), ("9,", 9.0), ("1250", 1250.0)]
)
def test_a_spin_box_takes_a_point_and_a_comma_as_the_decimal_sign(
    locale: str, text: str, value: float, qtbot: QtBot, use_locale: Callable[[str], None]
) -> None:
    use_locale(locale)
    assert typed(qtbot, text) == value


@pytest.mark.parametrize(
    ("locale", "text", "value"),
    [
        ("en_GB", "1,000", 1000.0),
        ("en_GB", "1,234.5", 1234.5),
        ("de_DE", "1.000", 1000.0),
        ("de_DE", "1.234,5", 1234.5),
    ],
)
def test_a_spin_box_still_takes_groups_of_digits(
    locale: str, text: str, value: float, qtbot: QtBot, use_locale: Callable[[str], None]
) -> None:
    use_locale(locale)
    assert typed(qtbot, text) == value


def typed(qtbot: QtBot, text: str) -> float:
    """The value of a spin box with a unit after its text was replaced."""
    spin = FormDoubleSpinBox()
    qtbot.addWidget(spin)
    spin.setRange(0, 10_000)
    spin.setSuffix(" %")
    spin.selectAll()
    QTest.keyClicks(spin, text)
    QTest.keyClick(spin, Qt.Key.Key_Return)
    return float(spin.value())


@pytest.mark.parametrize(
    ("locale", "text", "number"),
    [
        ("de_DE", "0.001", 0.001),
        ("de_DE", "0,001", 0.001),
        ("de_DE", "0.4536", 0.4536),
        ("de_DE", "1.234,5", 1234.5),
        ("de_DE", "28,349", 28.349),
        ("en_GB", "0,001", 0.001),
        ("en_GB", "28.349", 28.349),
        ("en_GB", "1,234.5", 1234.5),
        ("fr_FR", "28.349", 28.349),
        ("en_GB", "1e-7", 1e-7),
        ("en_GB", "-\N{THIN SPACE}1", None),
        ("en_GB", "1.2.3", None),
        ("en_GB", "inf", None),
        ("en_GB", "", None),
    ],
)
def test_a_point_or_comma_is_a_decimal_sign(
    locale: str, text: str, number: float | None, use_locale: Callable[[str], None]
) -> None:
    use_locale(locale)
    assert entered_number(text) == number


@pytest.mark.parametrize(("locale", "text"), [("de_DE", "28.349"), ("en_GB", "-1,000")])
def test_what_could_be_two_numbers_is_none(locale: str, text: str, use_locale: Callable[[str], None]) -> None:
    use_locale(locale)
    assert entered_number(text) is None


@pytest.mark.parametrize(("locale", "example"), [("de_DE", "1234,5"), ("en_GB", "1234.5")])
def test_the_example_of_a_number_can_be_entered(
    locale: str, example: str, use_locale: Callable[[str], None]
) -> None:
    use_locale(locale)
    assert number_example() == example
    assert entered_number(example) == 1234.5
