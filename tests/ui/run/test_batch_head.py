"""The head of a batch in windows of different widths."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.run.batch_panel import BatchHead
from batchwright.ui.run.state import RunState
from batchwright.ui.widgets.id_label import IdLabel
from batchwright.ui.widgets.text import ElidedLabel
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


async def test_facts_stand_below_each_other_instead_of_being_cut_off(state: RunState, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 200)
    head = BatchHead(window)
    head.show_batch(state)
    (created,) = [label for label in head.findChildren(ElidedLabel) if label.text().startswith("Created ")]
    batch_id, dataset_id = head.findChildren(IdLabel)
    facts = (created, batch_id, dataset_id)
    head.resize(900, 120)
    window.show()
    await until(lambda: len({fact.x() for fact in facts}) == 3)
    head.resize(300, 120)
    await until(lambda: len({fact.x() for fact in facts}) == 1)
    assert all(fact.width() == fact.sizeHint().width() for fact in facts)
    assert created.y() < batch_id.y() < dataset_id.y()
    head.resize(900, 120)
    await until(lambda: len({fact.x() for fact in facts}) == 3)
