"""A surface to show widgets on, and pictures of widgets."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.surfaces import Surface
from tests.ui.conftest import activate_window


def picture(widget: QWidget) -> QImage:
    widget.ensurePolished()
    return widget.grab().toImage()


@pytest.fixture
def surface(qtbot: QtBot) -> Surface:
    surface = Surface()
    qtbot.addWidget(surface)
    surface.resize(900, 600)
    surface.show()
    activate_window(surface)
    return surface
