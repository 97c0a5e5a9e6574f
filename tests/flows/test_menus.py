"""The menus of the whole window, with every stage built."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from batchwright.ui.core.access_keys import plain_text
from batchwright.ui.core.action_ids import ActionId
from tests.flows.user_actions import run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

LOWEST = 640
"""Pixels: the height of the smallest screen."""


async def test_every_menu_fits_the_smallest_screen_in_one_column(tmp_path: Path) -> None:
    async with run_program(tmp_path) as user:
        bar = user.window.menuBar()

        def menus() -> dict[str, QMenu]:
            shown = {plain_text(entry.text()): entry.menu() for entry in bar.actions() if entry.isVisible()}
            return {name: menu for name, menu in shown.items() if isinstance(menu, QMenu)}

        await until(
            lambda: user.window.findChild(QAction, ActionId.JOBS_CLEAR) is not None,
            "the actions of all stages",
        )
        for name, menu in menus().items():
            assert len({menu.actionGeometry(entry).x() for entry in menu.actions()}) == 1, name
            assert menu.sizeHint().height() < LOWEST, name


async def test_the_menu_bar_is_used_with_the_keyboard(tmp_path: Path) -> None:
    async with run_program(tmp_path) as user:
        await until(lambda: bool(user.window.is_showing_stage), "Home")

        def menu_in_front() -> QMenu | None:
            menu = QApplication.activePopupWidget()
            return menu if isinstance(menu, QMenu) else None

        def title_in_front() -> str:
            menu = menu_in_front()
            return "" if menu is None else plain_text(menu.title())

        async def until_open(title: str) -> QMenu:
            await until(lambda: title_in_front() == title, f"the menu {title}")
            menu = menu_in_front()
            assert menu is not None
            return menu

        await user.press(Qt.Key.Key_F10)
        QTest.keyClick(await until_open("File"), Qt.Key.Key_Left)
        menu = await until_open("Help")
        texts = [entry.text() for entry in menu.actions() if entry.text()]
        assert all("&" in text.replace("&&", "") for text in texts)
        QTest.keyClick(menu, Qt.Key.Key_Escape)
        await until(lambda: menu_in_front() is None, "the menu to close")
        await user.press(Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
        QTest.keyClick(await until_open("View"), Qt.Key.Key_Escape)
        await until(lambda: menu_in_front() is None, "the menu to close")


async def test_every_id_of_an_action_has_an_action_in_the_window(tmp_path: Path) -> None:
    async with run_program(tmp_path) as user:

        def missing() -> list[str]:
            return [id for id in ActionId if user.window.findChild(QAction, id) is None]

        await until(lambda: ActionId.JOBS_CLEAR not in missing(), "the actions of all stages")
        assert missing() == []
