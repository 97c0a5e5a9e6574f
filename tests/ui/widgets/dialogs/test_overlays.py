"""Overlays above the content of a window."""

import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from typing_extensions import override

from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.fields import SearchField

pytestmark = pytest.mark.gui


def test_a_search_field_works_after_an_overlay_was_closed(qtbot: QtBot) -> None:
    window = QWidget()
    field = SearchField("Search")
    column(field, parent=window)
    qtbot.addWidget(window)
    window.show()
    overlay = ModalOverlay(window, OverlayPanel("Question", 300))
    overlay.panel.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not isValid(overlay)
    field.setText("still here")
    assert field.actions()[0].isVisible()


class PaintRecorder(QObject):
    """Records the painted rectangles of a widget."""

    def __init__(self) -> None:
        super().__init__()
        self.rects: list[QRect] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.rects.append(event.rect())
        return False


def test_the_shadow_of_an_overlay_panel_follows_the_panel(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(700, 420)
    host.show()
    overlay = ModalOverlay(host, OverlayPanel("Question", 300))
    QApplication.processEvents()
    paints = PaintRecorder()
    overlay.installEventFilter(paints)
    overlay.panel.panel_width = 200
    QApplication.postEvent(overlay, QEvent(QEvent.Type.LayoutRequest))
    qtbot.waitUntil(lambda: overlay.rect() in paints.rects)
    overlay.panel.reject()
