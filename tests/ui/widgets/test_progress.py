"""Progress bars and percentages."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.progress import ProgressBar, ProgressRow, per_cent
from batchwright.ui.widgets.text import Label
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


@pytest.mark.parametrize(("fraction", "text"), [(0, "0 %"), (0.626, "63 %"), (0.999, "99 %"), (1, "100 %")])
def test_an_unfinished_fraction_is_never_100_per_cent(fraction: float, text: str) -> None:
    assert per_cent(fraction) == text


def test_an_empty_progress_bar_shows_only_its_track(qtbot: QtBot, theme: Theme) -> None:
    bar = ProgressBar("Import")
    qtbot.addWidget(bar)
    bar.resize(100, 6)
    bar.show_fraction(0)
    assert picture(bar).pixelColor(50, 3) == theme.tokens.track
    bar.show_fraction(0.9)
    assert picture(bar).pixelColor(50, 3) == theme.tokens.accent


def test_indeterminate_progress_has_an_empty_range(qtbot: QtBot) -> None:
    bar = ProgressBar("Import")
    qtbot.addWidget(bar)
    bar.show_indeterminate()
    assert (bar.minimum(), bar.maximum()) == (0, 0)
    bar.show_fraction(0.5)
    assert bar.value() == bar.maximum() // 2


def test_a_progress_row_shows_its_percentage(qtbot: QtBot) -> None:
    row = ProgressRow("Upload")
    qtbot.addWidget(row)
    row.show_progress("1.5 of 2.4 GB", 0.63)
    assert {label.text() for label in row.findChildren(Label)} == {"1.5 of 2.4 GB", "63 %"}
