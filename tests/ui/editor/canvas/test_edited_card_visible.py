"""The card of the edited item stays visible on the canvas while it grows."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from batchwright.layout.item_types.registry import FreeText, RichText
from batchwright.ui.editor.core.item_labels import item_type_label
from batchwright.ui.editor.palette.palette_model import PaletteItem
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui


def bottom_in_view(stage: EditorStage, key: str) -> bool:
    """Whether the bottom of a card is visible on the canvas."""
    canvas = stage.panels.canvas
    card = canvas.page_canvas.card_of(key)
    assert card is not None
    viewport = canvas.scroll_area.viewport()
    return 0 < card.mapTo(viewport, QPoint(0, card.height())).y() <= viewport.height()


def test_the_end_of_a_rich_text_stays_visible_while_typing(stage: EditorStage) -> None:
    for _number in range(4):
        stage.panels.palette_panel.item_chosen.emit(PaletteItem(item_type_label(FreeText), FreeText))
        settle()
    stage.panels.palette_panel.item_chosen.emit(PaletteItem(item_type_label(RichText), RichText))
    settle()
    (key,) = stage.state.keys
    for line in range(30):
        QTest.keyClicks(focused(), str(line))
        for _press in range(2):
            QTest.keyClick(focused(), Qt.Key.Key_Return)
        QTest.qWait(1)
        settle()
        assert bottom_in_view(stage, key), f"line {line} is below the visible part"
    assert "29" in str(stage.state.layout)
    card = stage.panels.canvas.page_canvas.card_of(key)
    assert card is not None
    assert card.height() > stage.panels.canvas.scroll_area.viewport().height()
