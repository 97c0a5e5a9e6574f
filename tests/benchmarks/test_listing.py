"""How fast the lists of resources grow."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.collections.stage import CollectionList
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from batchwright.wire.collections import Collection
from tests.benchmarks.test_rules import quickest
from tests.figures import CheckFigure


@pytest.mark.quick
@pytest.mark.gui
def test_a_list_of_collections_grows_with_their_number(qtbot: QtBot, figure: CheckFigure) -> None:
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    shown = CollectionList()
    qtbot.addWidget(shown)
    shown.resize(300, 500)
    shown.show()

    def listing_of(count: int) -> float:
        collections = [Collection(id=f"c{n}", name=f"Survey {n:05}", item_count=n) for n in range(count)]
        return quickest(lambda: shown.show_resources(collections, "c7", "c4", is_loading=False), 5)

    figure("listing 50,000 collections, to 5,000", lambda: (listing_of(50_000), listing_of(5000)), 25)
