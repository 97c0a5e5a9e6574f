"""The update check: off by default, two requests without any information, signed news, no download."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.app.window import WindowControllers
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.program_info import UpdateSource, program_version
from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import Settings
from batchwright.ui.support import actions, settings_dialog, update
from batchwright.ui.support.actions import SUPPORT
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.settings_dialog import SettingsDialog
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from tests.fakes.news_server import NewsServer, Signer
from tests.fakes.raw_http import FakeResponse
from tests.policies import WritePolicy
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

TODAY = date(2020, 1, 1)
UseSource = Callable[[UpdateSource | None], None]
"""Makes this copy one that was built with a source of news, or with none."""


@pytest.fixture
def use_source(monkeypatch: pytest.MonkeyPatch) -> UseSource:
    def use(source: UpdateSource | None) -> None:
        for module in (actions, settings_dialog, update):
            monkeypatch.setattr(module, "update_source", lambda: source)

    return use


@pytest.fixture
def server(tmp_path: Path, use_source: UseSource) -> Iterator[NewsServer]:
    """The server with news of version 99.1, whose certificate is in the settings."""
    with NewsServer(tmp_path) as server:
        Settings(tmp_path / "data").network = NetworkSettings(certificates=str(server.certificate))
        use_source(server.source)
        yield server


@asynccontextmanager
async def supported_window(folder: Path) -> AsyncIterator[tuple[OpenTestWindow, SupportContext]]:
    """Yield an open window with the actions of the support, and their context."""
    async with window_in(folder) as at:
        folders = Folders(folder / "data", folder / "cache")
        context = at.controller.context
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
    tmp_path: Path, server: NewsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(update, "open_url", lambda _notices, url: opened.append(url))

    async with supported_window(tmp_path) as (at, _support):
        text = await check(at)
        assert server.url in text
        assert "sends nothing" in text
        assert titles(at) == ["Batchwright 99.1 is available"]
        assert program_version() in at.window.notices.cards[0].notice.text
        assert at.window.notices.cards[0].notice.stays
        press(at.window.notices.cards[0], "Open the page")
        assert opened == ["https://example.org/news"]
    assert [request.call for request in server.requests] == ["GET /news.json", "GET /news.json.minisig"]
    for request in server.requests:
        names = {name.decode().lower() for name, _value in request.headers}
        assert names <= {"host", "accept", "accept-encoding", "connection", "user-agent"}
        assert program_version().encode() not in b" ".join(value for _name, value in request.headers)


@pytest.mark.parametrize("version", [program_version(), "0.0.1"])
async def test_the_same_version_or_an_older_one_is_no_news(
    version: str, tmp_path: Path, server: NewsServer
) -> None:
    server.release({"version": version})
    async with supported_window(tmp_path) as (at, _support):
        await check(at)
        assert titles(at) == ["Batchwright is up to date"]


async def test_news_that_cannot_be_trusted_are_not_shown_and_said_only_to_who_asked(
    tmp_path: Path, server: NewsServer
) -> None:
    server.responses["/news.json.minisig"] = FakeResponse(body=Signer(b"othernam").signature(b"{}"))
    async with supported_window(tmp_path) as (at, support):
        support.settings.checks_for_updates = True
        await update.check_daily(support, TODAY)
        assert (titles(at), at.failures) == ([], [])
        await check(at)
        assert titles(at) == []
        (failure,) = at.failures
        assert "is not shown: it is signed with another key." in failure


async def test_the_daily_check_is_off_by_default_and_done_once_a_day(
    tmp_path: Path, server: NewsServer
) -> None:
    async with supported_window(tmp_path) as (at, support):
        await actions.check_daily(support)
        await update.check_daily(support, TODAY)
        assert server.requests == []
        support.settings.checks_for_updates = True
        for _start in range(2):
            await update.check_daily(support, TODAY)
        assert len(server.requests) == 2
        assert titles(at) == ["Batchwright 99.1 is available"]
        await actions.check_daily(support)
        assert len(server.requests) == 4


async def test_the_daily_check_is_repeated_while_the_program_runs(tmp_path: Path, server: NewsServer) -> None:
    server.release({"version": program_version()})
    async with supported_window(tmp_path) as (at, support):
        support.settings.checks_for_updates = True
        controllers = WindowControllers(support.folders)
        controllers._support[at.controller.context.shell] = support
        controllers.start_update_checks(interval_ms=5)
        await until(lambda: len(server.requests) == 2)
        assert support.settings.last_update_check == date.today().isoformat()
        support.settings.last_update_check = TODAY.isoformat()
        await until(lambda: len(server.requests) == 4)
        await controllers.on_ended()
    assert len(server.requests) == 4


async def test_a_daily_check_without_network_disturbs_nobody(tmp_path: Path, use_source: UseSource) -> None:
    use_source(UpdateSource("https://127.0.0.1:9", Signer().public_key))

    async with supported_window(tmp_path) as (at, support):
        support.settings.checks_for_updates = True
        await update.check_daily(support, TODAY)
        assert titles(at) == []
        assert at.failures == []


SOURCE = UpdateSource("https://example.org/news.json", "RW")


@pytest.mark.parametrize("source", [None, SOURCE])
async def test_the_check_is_switched_on_in_the_settings_if_the_copy_has_a_source(
    source: UpdateSource | None, tmp_path: Path, use_source: UseSource
) -> None:
    use_source(source)

    async with supported_window(tmp_path) as (at, support):
        at.controller.context.actions.refresh()
        is_built_in = source is not None
        assert at.controller.context.actions.qaction(ActionId.CHECK_FOR_UPDATE).isEnabled() == is_built_in
        at.controller.run_action(ActionId.SETTINGS)
        await until(lambda: bool(at.window.findChildren(SettingsDialog)))
        (dialog,) = at.window.findChildren(SettingsDialog)
        (updates,) = (
            switch
            for switch in dialog.findChildren(Switch)
            if switch.accessibleName() == "Check for updates once a day"
        )
        assert updates.isEnabled() == is_built_in
        assert not updates.isChecked()
        text = "without an address and a key" if source is None else source.url
        assert text in updates.accessibleDescription()
        updates.click()
        assert support.settings.checks_for_updates == is_built_in
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await at.settled()


async def test_a_check_that_the_policy_locks_off_cannot_be_asked_for_either(
    tmp_path: Path, use_source: UseSource, write_policy: WritePolicy
) -> None:
    use_source(SOURCE)
    write_policy("[lock]\nupdate-check = false\n")

    async with supported_window(tmp_path) as (at, _support):
        at.controller.context.actions.refresh()
        assert not at.controller.context.actions.qaction(ActionId.CHECK_FOR_UPDATE).isEnabled()
