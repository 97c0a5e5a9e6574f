"""The update check: off by default, one request without any information, no download."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.app.window import WindowControllers
from batchwright.base.program_info import UPDATE_URL_VARIABLE, program_version
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.support import actions, update
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.settings_dialog import SettingsDialog
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

NEWER = FakeResponse.from_json({"version": "99.1", "page": "https://example.org/news"})
SAME = FakeResponse.from_json({"version": program_version()})
TODAY = date(2020, 1, 1)


@pytest.fixture(autouse=True)
def no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UPDATE_URL_VARIABLE, raising=False)


@asynccontextmanager
async def supported_window(folder: Path) -> AsyncIterator[tuple[OpenTestWindow, SupportContext]]:
    """Yield an open window with the actions of the support, and their context."""
    async with window_in(folder) as at:
        folders = Folders(folder / "data", folder / "cache")
        context = at.controller.context
        support = SupportContext(
            context, folders, Settings(folders.data), ProxyPasswords(), at.dialogs, lambda: None
        )
        context.actions.add(support, SUPPORT)
        yield at, support


def titles(at: OpenTestWindow) -> list[str]:
    return [card.notice.title for card in at.window.notices.cards]


async def check(at: OpenTestWindow) -> str:
    """Check for updates with the action; returns the text of its dialog."""
    at.controller.run_action(ActionId.CHECK_FOR_UPDATE)
    await until(lambda: bool(at.window.findChildren(Dialog)))
    (dialog,) = at.window.findChildren(Dialog)
    text = " ".join(label.text() for label in dialog.findChildren(Label))
    press(dialog, "Check now")
    await at.settled()
    return text


async def test_a_check_says_what_it_sends_and_shows_a_newer_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(update, "open_url", lambda _notices, url: opened.append(url))

    with EchoServer(NEWER) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, f"{server.url}/latest.json")
        async with supported_window(tmp_path) as (at, _support):
            text = await check(at)
            assert server.url in text
            assert "sends nothing" in text
            assert titles(at) == ["Batchwright 99.1 is available"]
            assert program_version() in at.window.notices.cards[0].notice.text
            press(at.window.notices.cards[0], "Open the page")
            assert opened == ["https://example.org/news"]
    (request,) = server.requests
    assert request.call == "GET /latest.json"
    assert request.body == b""
    names = {name.decode().lower() for name, _value in request.headers}
    assert names <= {"host", "accept", "accept-encoding", "connection", "user-agent"}
    assert program_version().encode() not in b" ".join(value for _name, value in request.headers)


async def test_a_check_without_a_newer_version_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EchoServer(SAME) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        async with supported_window(tmp_path) as (at, _support):
            await check(at)
            assert titles(at) == ["Batchwright is up to date"]


@pytest.mark.parametrize("response", [FakeResponse(404), FakeResponse.from_json({"version": "new"})])
async def test_a_failed_check_is_reported(
    response: FakeResponse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EchoServer(response) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        async with supported_window(tmp_path) as (at, _support):
            await check(at)
            assert titles(at) == []
            (failure,) = at.failures
            assert "no version" in failure


async def test_the_daily_check_is_off_by_default_and_done_once_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EchoServer(NEWER) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        async with supported_window(tmp_path) as (at, support):
            await actions.check_daily(support)
            await update.check_daily(support, TODAY)
            assert server.requests == []
            support.settings.checks_for_updates = True
            for _start in range(2):
                await update.check_daily(support, TODAY)
            assert len(server.requests) == 1
            assert titles(at) == ["Batchwright 99.1 is available"]
            await actions.check_daily(support)
            assert len(server.requests) == 2


async def test_the_daily_check_is_repeated_while_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EchoServer(SAME) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        async with supported_window(tmp_path) as (at, support):
            support.settings.checks_for_updates = True
            controllers = WindowControllers(support.folders)
            controllers._support[at.controller.context.shell] = support
            controllers.start_update_checks(interval_ms=5)
            await until(lambda: len(server.requests) == 1)
            assert support.settings.last_update_check == date.today().isoformat()
            support.settings.last_update_check = TODAY.isoformat()
            await until(lambda: len(server.requests) == 2)
            await controllers.on_ended()
    assert len(server.requests) == 2


async def test_a_failed_daily_check_disturbs_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UPDATE_URL_VARIABLE, "http://127.0.0.1:9")

    async with supported_window(tmp_path) as (at, support):
        support.settings.checks_for_updates = True
        await update.check_daily(support, TODAY)
        assert titles(at) == []
        assert at.failures == []


@pytest.mark.parametrize("url", ["", "https://example.org/latest.json"])
async def test_the_check_is_switched_on_in_the_settings_if_the_copy_has_a_url(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(UPDATE_URL_VARIABLE, url)

    async with supported_window(tmp_path) as (at, support):
        at.controller.context.actions.refresh()
        assert at.controller.context.actions.qaction(ActionId.CHECK_FOR_UPDATE).isEnabled() == bool(url)
        at.controller.run_action(ActionId.SETTINGS)
        await until(lambda: bool(at.window.findChildren(SettingsDialog)))
        (dialog,) = at.window.findChildren(SettingsDialog)
        (updates,) = (
            switch
            for switch in dialog.findChildren(Switch)
            if switch.accessibleName() == "Check for updates once a day"
        )
        assert updates.isEnabled() == bool(url)
        assert not updates.isChecked()
        assert (url or "without an address") in updates.accessibleDescription()
        updates.click()
        assert support.settings.checks_for_updates == bool(url)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await at.settled()
