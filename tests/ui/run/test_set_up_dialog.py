"""The question how tasks are bundled: which numbers of tasks in a group it offers."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.wire.batches import BatchSetup

pytestmark = pytest.mark.gui


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("records", [0, 1, 9])
@pytest.mark.parametrize("typed", ["0", "00", "-4", "0.5", "1e0", "", "10", "-"])
def test_whatever_is_typed_a_whole_number_from_one_on_is_taken(
    qtbot: QtBot, records: int, typed: str
) -> None:
    dialog = SetUpDialog("Cats", records, 3, group_field=None, live="", is_again=False, answers=0)
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    assert spin is not None
    QTest.keyClicks(spin, typed)
    dialog.accept()
    assert BatchSetup(tasks_per_group=dialog.tasks_per_group)
    assert 1 <= dialog.tasks_per_group <= max(1, records)


@pytest.mark.spec("K-03")
def test_steps_down_end_at_one(qtbot: QtBot) -> None:
    dialog = SetUpDialog("Cats", 9, 3, group_field=None, live="", is_again=False, answers=0)
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    assert spin is not None
    for expected in (2, 1, 1):
        QTest.keyClick(spin, Qt.Key.Key_Down)
        assert spin.value() == expected
    dialog.accept()
    assert dialog.tasks_per_group == 1
