"""An id is shown shortened and copied in full, by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from batchwright.ui.widgets.id_label import IdLabel
from tests.ui.conftest import until

pytestmark = pytest.mark.gui
ID = "01a206f1-8160-7511-a847-012a8f535b53"


@pytest.fixture
def label() -> IdLabel:
    label = IdLabel("Batch", "Copy the batch id")
    label.show_id(ID, "01a2…5b53")
    label.show()
    return label


def test_the_complete_id_is_copied_with_one_click(label: IdLabel) -> None:
    QGuiApplication.clipboard().clear()
    QTest.mouseClick(label.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == ID
    assert label.copy_button.toolTip() == "Copied"


def test_the_button_is_named_and_pressed_by_keys(label: IdLabel) -> None:
    assert label.copy_button.accessibleName() == "Copy the batch id"
    assert label.copy_button.focusPolicy() & Qt.FocusPolicy.TabFocus
    QGuiApplication.clipboard().clear()
    label.copy_button.setFocus()
    QTest.keyClick(label.copy_button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == ID


def test_the_text_is_shortened_and_the_tooltip_complete(label: IdLabel) -> None:
    text = label.findChild(QLabel)
    assert isinstance(text, QLabel)
    assert text.text() == "Batch 01a2…5b53"
    assert ID in label.toolTip()
    label.show_id("")
    assert not label.isVisible()


async def test_the_button_shows_its_name_again_later(label: IdLabel) -> None:
    label.copy_button._timer.setInterval(1)
    label.copy_button.click()

    await until(lambda: "Copy the batch id" in label.copy_button.toolTip())
