"""Options in the preview are as tall as their labels need."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.editor.item_types.choice import CheckTile, RadioTile

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("kind", [CheckTile, RadioTile])
def test_a_long_word_of_an_option_is_wrapped_as_participants_see_it(
    qtbot: QtBot, kind: type[CheckTile | RadioTile]
) -> None:
    short, long = kind("An option"), kind(20 * "unbroken")
    qtbot.addWidget(short)
    qtbot.addWidget(long)
    assert long.heightForWidth(300) > 2 * short.heightForWidth(300)
