"""The support report in the window, and the message about an unexpected error, which offers it."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPlainTextEdit

from batchwright.base.database import DatabaseTooNew
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.program.application import OpenWindow, _show_message
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.report import ReportDialog
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

SETTINGS = """\
Language: system
Theme: system
Text size: 100 %
Animations: off
Longest pause between polls: 15 s
Messages on the desktop: on
Fixed folder for files: set
Proxy: system
Certificates: not set
Update check: off
Log level: default
Policy: none
"""
"""The settings in the report if a folder for files is set; its path is left out."""


@pytest.fixture(autouse=True)
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "batchwright.log").write_text("ERROR in /home/someone/study.batchwright\n")
    monkeypatch.setenv("BATCHWRIGHT_LOG_FOLDER", str(folder))
    return folder


def add_support(at: OpenTestWindow, folder: Path) -> None:
    folders = Folders(folder / "data", folder / "cache")
    support = SupportContext(
        at.controller.context,
        folders,
        Settings(folders.data),
        ProxyPasswords(),
        at.dialogs,
        lambda: None,
        lambda: at.controller.session,
    )
    at.controller.context.actions.add(support, SUPPORT)


async def opened_report(at: OpenTestWindow) -> ReportDialog:
    await until(lambda: bool(at.window.findChildren(ReportDialog)))
    (dialog,) = at.window.findChildren(ReportDialog)
    return dialog


async def test_the_report_is_saved_as_it_was_shown(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"

    async with window_in(tmp_path) as at:
        Settings(tmp_path / "data").fixed_folder = str(tmp_path)
        add_support(at, tmp_path)
        at.dialogs.path = path
        at.controller.run_action(ActionId.SUPPORT_REPORT)
        dialog = await opened_report(at)
        (files,), (content,) = dialog.findChildren(QComboBox), dialog.findChildren(QPlainTextEdit)
        shown = {}
        for number in range(files.count()):
            files.setCurrentIndex(number)
            shown[files.itemText(number)] = content.toPlainText()
        assert list(shown) == ["versions.txt", "settings.txt", "log/batchwright.log"]
        assert "Qt: " in shown["versions.txt"]
        assert shown["settings.txt"] == SETTINGS
        assert shown["log/batchwright.log"] == "ERROR in /home/USER/study.batchwright\n"
        assert not path.exists()
        press(dialog, "Save…")
        await at.settled()
        with zipfile.ZipFile(path) as archive:
            assert {name: archive.read(name).decode() for name in archive.namelist()} == shown
        assert at.dialogs.proposed is not None
        assert at.dialogs.proposed.suffix == ".zip"
        assert at.window.notices.cards[0].notice.title == "The support report was saved"


async def test_a_cancelled_report_is_not_saved(tmp_path: Path, at: OpenTestWindow) -> None:
    add_support(at, tmp_path)
    at.dialogs.path = tmp_path / "report.zip"
    at.controller.run_action(ActionId.SUPPORT_REPORT)
    QTest.keyClick(await opened_report(at), Qt.Key.Key_Escape)
    await at.settled()
    assert not (tmp_path / "report.zip").exists()
    assert at.dialogs.proposed is None


async def test_an_unexpected_error_says_that_nothing_was_lost_and_offers_the_report(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    context = at.controller.context
    opened = OpenWindow(at.window, context, (), at.windows)
    _show_message(opened, describe(ZeroDivisionError("division by zero")))
    (card,) = at.window.notices.cards
    assert not card.notice.action_label

    add_support(at, tmp_path)
    _show_message(opened, describe(FileNotFoundError(2, "missing", "x.csv")))
    _show_message(opened, describe(ZeroDivisionError("division by zero")))
    expected, unexpected = at.window.notices.cards
    assert not expected.notice.action_label
    assert "Nothing was lost" in unexpected.notice.text
    assert "Try again" in unexpected.notice.text
    press(unexpected, "Support report…")
    QTest.keyClick(await opened_report(at), Qt.Key.Key_Escape)
    await at.settled()


async def test_an_error_that_is_reported_twice_is_shown_once(at: OpenTestWindow) -> None:
    opened = OpenWindow(at.window, at.controller.context, (), at.windows)
    for task in ("start the service of this computer", "read the jobs"):
        _show_message(opened, describe(DatabaseTooNew("batchwright.db")), task)
    (card,) = at.window.notices.cards
    assert "newer version" in card.notice.title
