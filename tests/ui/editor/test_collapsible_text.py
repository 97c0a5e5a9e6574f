"""Of a very long value the card lays out a beginning only."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.editor.collapsible_text import CollapsibleText
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.text import Label

pytestmark = pytest.mark.gui


def test_a_very_long_value_is_laid_out_in_part(qtbot: QtBot) -> None:
    long = CollapsibleText("word " * 600_000)
    qtbot.addWidget(long)
    long.resize(300, 400)
    long.show()
    text = next(one for one in long.findChildren(Label) if one.text().startswith("word"))
    assert len(text.text()) < 4_000
    long.findChildren(Button)[0].click()
    assert 10_000 < len(text.text()) < 30_000
