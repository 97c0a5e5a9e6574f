"""The head of a batch in windows of different widths."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.run.batch_panel import BatchHead

pytestmark = pytest.mark.gui


def test_facts_stand_below_each_other_instead_of_being_cut_off(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 200)
    head = BatchHead(window)
    head._created.setText("Created 8:31 AM")
    head._batch_id.show_id("01a20788-4413-7204-b5b0-376952c6cdc8", "01a2…cdc8")
    head._dataset_id.show_id("01a20787-d731-74a8-82f9-ed94f701afc5", "01a2…afc5")
    facts = (head._created, head._batch_id, head._dataset_id)
    head.resize(900, 120)
    window.show()
    qtbot.waitUntil(lambda: len({fact.x() for fact in facts}) == 3)
    head.resize(300, 120)
    qtbot.waitUntil(lambda: len({fact.x() for fact in facts}) == 1)
    assert all(fact.width() == fact.sizeHint().width() for fact in facts)
    assert head._created.y() < head._batch_id.y() < head._dataset_id.y()
    head.resize(900, 120)
    qtbot.waitUntil(lambda: len({fact.x() for fact in facts}) == 3)
