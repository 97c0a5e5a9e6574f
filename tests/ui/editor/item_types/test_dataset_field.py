"""A card lays out only the beginning of a very long value."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.editor.item_types.dataset_field import CollapsibleText
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.text import Label

pytestmark = pytest.mark.gui


def test_only_the_start_of_a_very_long_value_is_laid_out(qtbot: QtBot) -> None:
    long = CollapsibleText("word " * 600_000)
    qtbot.addWidget(long)
    long.resize(300, 400)
    long.show()
    text = next(widget for widget in long.findChildren(Label) if widget.text().startswith("word"))
    assert len(text.text()) < 4_000
    long.findChildren(Button)[0].click()
    assert 10_000 < len(text.text()) < 30_000
