"""Menus in the theme."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.gui


def test_a_menu_without_translucency_has_masked_corners(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("One")
    menu.ensurePolished()
    menu.resize(120, 80)
    menu.show()
    assert not menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert not menu.mask().contains(QPoint(0, 0))
    assert menu.mask().contains(QPoint(60, 40))
