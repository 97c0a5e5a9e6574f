"""The menus of the whole window, with every stage built."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu

from tests.flows.user_actions import run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

LOWEST = 640
"""Pixels: the height of the smallest screen."""


def test_every_menu_fits_the_smallest_screen_in_one_column(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    async def steps() -> None:
        async with run_program(tmp_path) as user:
            bar = user.window.menuBar()

            def menus() -> dict[str, QMenu]:
                shown = {entry.text(): entry.menu() for entry in bar.actions() if entry.isVisible()}
                return {name: menu for name, menu in shown.items() if isinstance(menu, QMenu)}

            await until(lambda: {"File", "Insert", "Run"} <= menus().keys(), "the menus of all stages")
            for name, menu in menus().items():
                assert len({menu.actionGeometry(entry).x() for entry in menu.actions()}) == 1, name
                assert menu.sizeHint().height() < LOWEST, name

    loop.run_until_complete(steps())
