"""Creating a test participant in the Run stage at a real service."""

from uuid import uuid4

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.participant_dialogs import ParticipantDialog
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import focused, until
from tests.ui.run.conftest import go_live, press

pytestmark = pytest.mark.gui


async def open_dialog(stage: RunStage) -> ParticipantDialog:
    """Open the dialog with the action of the stage."""
    stage.window_context.actions.run(ActionId.RUN_TESTER)
    await until(lambda: bool(shown(stage)))
    (dialog,) = shown(stage)
    return dialog


def shown(stage: RunStage) -> list[ParticipantDialog]:
    """The visible dialogs."""
    return [
        participant_dialog
        for participant_dialog in stage.window().findChildren(ParticipantDialog)
        if participant_dialog.isVisible()
    ]


def field(dialog: ParticipantDialog, name: str) -> QLineEdit:
    one = dialog.findChild(QLineEdit, name)
    assert one is not None
    return one


def dialog_text(dialog: ParticipantDialog) -> str:
    """All texts of a dialog."""
    return "\n".join(text.text() for text in dialog.findChildren(Label) if text.isVisible())


@pytest.mark.spec("P-09", "P-10")
@pytest.mark.endpoint("participants.create")
async def test_the_id_of_a_new_test_participant_can_be_copied(stage: RunStage) -> None:
    email = f"tester+{uuid4().hex}@example.org"
    dialog = await open_dialog(stage)
    assert focused() is field(dialog, "email")
    assert not dialog.accept_button.isEnabled()
    field(dialog, "email").setText(f" {email} ")
    press(stage, "Create test participant")
    await until(lambda: not dialog.cancel_button.isEnabled(), 30)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    await until(lambda: bool(dialog.participant_id), 30)
    line = field(dialog, "participant")
    assert (line.text(), line.isReadOnly(), len(line.text())) == (dialog.participant_id, True, 24)
    assert focused() is line
    assert f"Reset the password of {email} before the first login" in dialog_text(dialog)
    assert "allowlist or a participant group" in dialog_text(dialog)
    press(stage, "Copy")
    assert QGuiApplication.clipboard().text() == dialog.participant_id
    press(stage, "Done")
    await until(lambda: ActionId.RUN_TESTER not in stage.window_context.tasks.running)

    again = await open_dialog(stage)
    field(again, "email").setText(email)
    press(stage, "Create test participant")
    await until(lambda: "already belongs" in field(again, "email").accessibleDescription(), 30)
    assert focused() is field(again, "email")
    press(stage, "Cancel")


async def test_at_a_live_service_the_button_is_in_the_header_and_the_dialog_warns(stage: RunStage) -> None:
    assert not stage._tester.isVisible()
    await go_live(stage)
    press(stage, "Test participant")
    await until(lambda: bool(shown(stage)))
    (warning,) = shown(stage)[0].findChildren(WarningBanner)
    assert warning.text == "This reaches Lab. It cannot be undone."
    press(stage, "Cancel")
