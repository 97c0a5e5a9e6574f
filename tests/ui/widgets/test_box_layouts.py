"""Box layouts whose gaps and margins follow the text size."""

import pytest

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label

pytestmark = pytest.mark.gui


def test_gaps_and_margins_follow_the_text_size(surface: Surface, theme: Theme) -> None:
    box = column(Label("one"), 12, Label("two"), gap=8, margins=16, parent=surface)
    theme.set_text_size(150)
    assert box.spacing() == 12
    assert box.contentsMargins().left() == 24
    clear(box)
    assert box.count() == 0
