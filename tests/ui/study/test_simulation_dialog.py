"""The simulation dialog: the number of participants that the remaining groups allow, and their behaviour."""

import pytest
from PySide6.QtWidgets import QCheckBox, QSpinBox
from pytestqt.qtbot import QtBot

from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.wire.local_routes import GroupProgress, Progress
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulationOptions

pytestmark = pytest.mark.gui


def dialog_for(qtbot: QtBot, *completed: int, per_task: int = 1) -> SimulationDialog:
    groups = [
        GroupProgress(group_id=str(number), completed=done, annotators_per_task=per_task)
        for number, done in enumerate(completed)
    ]
    dialog = SimulationDialog(Progress(groups=tuple(groups)))
    qtbot.addWidget(dialog)
    return dialog


def note(dialog: SimulationDialog) -> str:
    """The note on how many participants there is room for."""
    return dialog._note.text()


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


def spin(dialog: SimulationDialog, name: str) -> QSpinBox:
    (found,) = [box for box in dialog.findChildren(QSpinBox) if box.accessibleName() == name]
    return found


def test_participants_mostly_agree_and_do_not_wait_unless_chosen_otherwise(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, 0, 0)
    dialog.accept()
    assert dialog.options == SimulationOptions(2, behaviour=Behaviour(0.2, 0, 0))


@pytest.mark.parametrize(
    "progress", [None, Progress(groups=(GroupProgress(group_id="1", annotators_per_task=3),))]
)
def test_the_behaviour_is_chosen_for_batches_and_collections(progress: Progress | None, qtbot: QtBot) -> None:
    dialog = SimulationDialog(progress)
    qtbot.addWidget(dialog)
    for name, value, text in (
        ("Random answers", 100, "100 %"),
        ("First option, whatever the content", 7, "7 %"),
        ("Time per page", 20, "20 s"),
    ):
        spin(dialog, name).setValue(value)
        assert spin(dialog, name).text() == text
    dialog.accept()
    assert dialog.options.behaviour == Behaviour(1, 0.07, 20)


def test_the_number_of_answers_per_task_is_not_reduced(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, 0, 0, per_task=1_000_000_000)
    dialog.accept()
    assert dialog.options.per_task == 1_000_000_000
    spin(dialog, "Answers per task").setValue(1_000_000_001)
    assert spin(dialog, "Participants").value() == spin(dialog, "Participants").maximum()


@pytest.mark.parametrize(("unanswered", "text"), [(1, "Free the place of 1"), (2, "Free the places of 2")])
def test_places_without_an_answer_are_freed_unless_chosen_otherwise(
    unanswered: int, text: str, qtbot: QtBot
) -> None:
    group = GroupProgress(group_id="1", in_progress=3, unanswered=unanswered, annotators_per_task=3)
    dialog = SimulationDialog(Progress(groups=(group,)))
    qtbot.addWidget(dialog)
    (box,) = dialog.findChildren(QCheckBox)
    assert box.text().startswith(text)
    dialog.accept()
    assert dialog.options.releases_places
    box.setChecked(False)
    dialog.accept()
    assert not dialog.options.releases_places


def test_nothing_is_freed_where_nobody_has_a_place(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, 0)
    assert not dialog.findChildren(QCheckBox)
    dialog.accept()
    assert not dialog.options.releases_places


def test_simulated_participants_cannot_wait_until_their_place_is_free(qtbot: QtBot) -> None:
    group = GroupProgress(group_id="1", annotators_per_task=1)
    dialog = SimulationDialog(Progress(place_timeout_minutes=2, groups=(group,)))
    qtbot.addWidget(dialog)
    assert spin(dialog, "Time per page").maximum() == 60
