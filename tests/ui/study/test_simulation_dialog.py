"""The simulation dialog: the number of participants that the remaining groups allow."""

import pytest
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.widgets.text import Label
from batchwright.wire.local_routes import GroupProgress

pytestmark = pytest.mark.gui


def dialog_for(qtbot: QtBot, *completed: int, per_task: int = 1) -> SimulationDialog:
    dialog = SimulationDialog(
        [
            GroupProgress(group_id=str(number), completed=done, annotators_per_task=per_task)
            for number, done in enumerate(completed)
        ]
    )
    qtbot.addWidget(dialog)
    return dialog


def note(dialog: SimulationDialog) -> str:
    return dialog.findChildren(Label)[-1].text()


def test_only_unanswered_groups_allow_participants(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, 1, 0, 0)
    assert "There is room for 2." in note(dialog)
    assert dialog.accept_button.text() == "Let 2 participants answer"


def test_more_answers_per_task_allow_participants_in_answered_groups(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, 2, 2, per_task=2)
    assert "Every group has all its answers." in note(dialog)
    assert not dialog.accept_button.isEnabled()
    per_task = next(spin for spin in dialog.findChildren(QSpinBox) if spin.value() == 2)
    per_task.setValue(3)
    assert "There is room for 2." in note(dialog)
    assert dialog.accept_button.isEnabled()
    assert dialog.accept_button.text() == "Let 2 participants answer"
