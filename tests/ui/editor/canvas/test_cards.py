"""The body of a card while its item changes."""

import pytest

from batchwright.layout.item_types.registry import FreeText
from batchwright.ui.editor.canvas.cards import CardContext, ItemCard
from batchwright.ui.widgets.text import Label

pytestmark = pytest.mark.gui


@pytest.mark.usefixtures("qapp")
def test_a_card_stays_filled_while_the_event_loop_is_busy() -> None:
    context = CardContext(None, None)
    card = ItemCard(FreeText("a", {"type": "free_text", "description": "Which"}), context)
    card.show()
    card.show_node(FreeText("a", {"type": "free_text", "description": "Which one"}), context)
    assert [label.isVisible() for label in card.findChildren(Label) if label.text() == "Which one"] == [True]
