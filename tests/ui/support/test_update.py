"""The update check: off by default, one request without any information, no download."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.app.window import WindowControllers
from batchwright.base.program_info import UPDATE_URL_VARIABLE, program_version
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.settings import Settings
from batchwright.ui.support import actions, update
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.settings_dialog import SettingsDialog
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, with_test_window

pytestmark = pytest.mark.gui

NEWER = FakeResponse.from_json({"version": "99.1", "page": "https://example.org/news"})
SAME = FakeResponse.from_json({"version": program_version()})
TODAY = date(2020, 1, 1)

Steps = Callable[[OpenTestWindow, SupportContext], Awaitable[None]]


@pytest.fixture(autouse=True)
def no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UPDATE_URL_VARIABLE, raising=False)


def run(loop: asyncio.AbstractEventLoop, folder: Path, steps: Steps) -> None:
    async def run_steps(at: OpenTestWindow) -> None:
        folders = Folders(folder / "data", folder / "cache")
        context = at.controller.context
        support = SupportContext(
            context, folders, Settings(folders.data), ProxyPasswords(), at.dialogs, lambda: None
        )
        context.actions.add(support, SUPPORT)
        await steps(at, support)

    with_test_window(loop, folder, run_steps)


def titles(at: OpenTestWindow) -> list[str]:
    return [card.toast.title for card in at.window.toasts.cards]


async def check(at: OpenTestWindow) -> str:
    """Check for updates with the action; returns the text of its dialog."""
    at.controller.run_action("check_for_update")
    await until(lambda: bool(at.window.findChildren(Dialog)))
    (dialog,) = at.window.findChildren(Dialog)
    text = " ".join(label.text() for label in dialog.findChildren(Label))
    press(dialog, "Check now")
    await at.settled()
    return text


def test_a_check_says_what_it_sends_and_shows_a_newer_version(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(update, "open_url", lambda _notices, url: opened.append(url))

    async def steps(at: OpenTestWindow, _support: SupportContext) -> None:
        text = await check(at)
        assert server.url in text
        assert "sends nothing" in text
        assert titles(at) == ["Batchwright 99.1 is available"]
        assert program_version() in at.window.toasts.cards[0].toast.text
        press(at.window.toasts.cards[0], "Open the page")
        assert opened == ["https://example.org/news"]

    with EchoServer(NEWER) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, f"{server.url}/latest.json")
        run(loop, tmp_path, steps)
    (request,) = server.requests
    assert request.call == "GET /latest.json"
    assert request.body == b""
    names = {name.decode().lower() for name, _value in request.headers}
    assert names <= {"host", "accept", "accept-encoding", "connection", "user-agent"}
    assert program_version().encode() not in b" ".join(value for _name, value in request.headers)


def test_a_check_without_a_newer_version_says_so(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(at: OpenTestWindow, _support: SupportContext) -> None:
        await check(at)
        assert titles(at) == ["Batchwright is up to date"]

    with EchoServer(SAME) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        run(loop, tmp_path, steps)


@pytest.mark.parametrize("response", [FakeResponse(404), FakeResponse.from_json({"version": "new"})])
def test_a_failed_check_is_reported(
    response: FakeResponse, loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(at: OpenTestWindow, _support: SupportContext) -> None:
        await check(at)
        assert titles(at) == []
        (failure,) = at.failures
        assert "no version" in failure

    with EchoServer(response) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        run(loop, tmp_path, steps)


def test_the_daily_check_is_off_by_default_and_done_once_a_day(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(at: OpenTestWindow, support: SupportContext) -> None:
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

    with EchoServer(NEWER) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        run(loop, tmp_path, steps)


def test_the_daily_check_is_repeated_while_the_program_runs(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(at: OpenTestWindow, support: SupportContext) -> None:
        support.settings.checks_for_updates = True
        controllers = WindowControllers(support.folders)
        controllers._support[at.controller.context.shell] = support
        controllers.start_update_checks(interval_ms=5)
        await until(lambda: len(server.requests) == 1)
        assert support.settings.last_update_check == date.today().isoformat()
        support.settings.last_update_check = TODAY.isoformat()
        await until(lambda: len(server.requests) == 2)
        await controllers.on_ended()

    with EchoServer(SAME) as server:
        monkeypatch.setenv(UPDATE_URL_VARIABLE, server.url)
        run(loop, tmp_path, steps)
    assert len(server.requests) == 2


def test_a_failed_daily_check_disturbs_nobody(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(UPDATE_URL_VARIABLE, "http://127.0.0.1:9")

    async def steps(at: OpenTestWindow, support: SupportContext) -> None:
        support.settings.checks_for_updates = True
        await update.check_daily(support, TODAY)
        assert titles(at) == []
        assert at.failures == []

    run(loop, tmp_path, steps)


@pytest.mark.parametrize("url", ["", "https://example.org/latest.json"])
def test_the_check_is_switched_on_in_the_settings_if_the_copy_has_a_url(
    url: str, loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(UPDATE_URL_VARIABLE, url)

    async def steps(at: OpenTestWindow, support: SupportContext) -> None:
        at.controller.context.actions.refresh()
        assert at.controller.context.actions.qaction("check_for_update").isEnabled() == bool(url)
        at.controller.run_action("settings")
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

    run(loop, tmp_path, steps)
