"""Names of what a service stores: a name that shows nothing is not accepted."""

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.dialogs.name_dialog import NameDialog

pytestmark = pytest.mark.gui

MISSING = "Enter a name first"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u2060\ufeff\u00ad"])
def test_a_name_that_shows_nothing_is_not_accepted(qtbot: QtBot, name: str) -> None:
    dialog = NameDialog("Copy", "", "Copy", field="Name", name="Cats", missing=MISSING, is_live=False)
    qtbot.addWidget(dialog)
    assert dialog.accept_button.isEnabled()
    (field,) = dialog.findChildren(QLineEdit)
    field.setText(name)
    assert not dialog.accept_button.isEnabled()
    assert MISSING in dialog.accept_button.toolTip()
