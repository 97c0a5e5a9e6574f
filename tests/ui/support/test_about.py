"""The dialog about the program."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPlainTextEdit

from batchwright.base.program_info import program_version
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.support import value_grid
from batchwright.ui.support.about import AboutDialog, LicencesDialog
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui


async def opened_about(at: OpenTestWindow, folder: Path) -> AboutDialog:
    context = at.controller.context
    folders = Folders(folder / "data", folder / "cache")
    support = SupportContext(
        context,
        folders,
        Settings(folders.data),
        ProxyPasswords(),
        at.dialogs,
        lambda: None,
        lambda: at.controller.session,
    )
    context.actions.add(support, SUPPORT)
    context.actions.run(ActionId.ABOUT)
    await until(lambda: bool(at.window.findChildren(AboutDialog)))
    (dialog,) = at.window.findChildren(AboutDialog)
    return dialog


async def test_about_shows_the_versions_and_opens_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(value_grid, "open_file", lambda _notices, path: opened.append(path))
    monkeypatch.setenv("BATCHWRIGHT_LOG_FOLDER", str(tmp_path / "log"))

    async with window_in(tmp_path) as at:
        dialog = await opened_about(at, tmp_path)
        shown = {label.text() for label in dialog.findChildren(Label)}
        assert shown >= {f"Batchwright {program_version()}", qVersion(), str(tmp_path / "data")}
        for name in ("Data", "Log", "Cache"):
            press(dialog, f"Open the folder “{name}”")
        assert opened == [tmp_path / "data", tmp_path / "log", tmp_path / "cache"]
        assert all(folder.is_dir() for folder in opened)
        press(dialog, "Copy versions")
        assert f"Qt: {qVersion()}\n" in QGuiApplication.clipboard().text()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await at.settled()


async def test_the_licence_of_each_component_can_be_read(tmp_path: Path, at: OpenTestWindow) -> None:
    dialog = await opened_about(at, tmp_path)
    press(dialog, "Licences")
    await until(lambda: bool(at.window.findChildren(LicencesDialog)))
    (shown,) = at.window.findChildren(LicencesDialog)
    (components,), (text,) = shown.findChildren(QComboBox), shown.findChildren(QPlainTextEdit)
    names = [components.itemText(number).split()[0] for number in range(components.count())]
    assert names[:3] == ["Batchwright", "Inter", "Phosphor"]
    assert {"httpx", "PySide6_Essentials", "uvicorn"} <= set(names)
    components.setCurrentIndex(names.index("Inter"))
    assert "SIL OPEN FONT LICENSE" in text.toPlainText()
    components.setCurrentIndex(names.index("PySide6_Essentials"))
    assert "LGPL-3.0" in text.toPlainText()
    for panel in (shown, dialog):
        QTest.keyClick(panel, Qt.Key.Key_Escape)
    await at.settled()
