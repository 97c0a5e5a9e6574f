"""The dialog with the settings: each is stored and takes effect at once."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import certifi
import pytest
from keyring.errors import NoKeyringError
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import POLL_INTERVALS_S, Settings
from batchwright.ui.shell.tray import Tray
from batchwright.ui.support import value_grid
from batchwright.ui.support.actions import SUPPORT, show_policy_problem
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.proxy_fields import ProxyFields
from batchwright.ui.support.settings_dialog import CHOOSING, SAVING, SettingsDialog
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.dialogs import file_dialogs
from batchwright.ui.widgets.dialogs.file_dialogs import last_folder, remember_folder_in
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.fakes.key_ring import FailingRing, MemoryRing
from tests.policies import WritePolicy
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui


@pytest.fixture
def ring() -> MemoryRing:
    return MemoryRing()


@pytest.fixture
def notices() -> list[str]:
    """The titles of the notices that remain after the dialog is closed."""
    return []


InDialog = Callable[[], AbstractAsyncContextManager[tuple[OpenTestWindow, SettingsDialog, Settings]]]


@pytest.fixture
def in_dialog(tmp_path: Path, ring: MemoryRing, notices: list[str]) -> InDialog:
    """A function that opens the dialog, and closes it with Escape in the end."""

    @asynccontextmanager
    async def in_dialog() -> AsyncIterator[tuple[OpenTestWindow, SettingsDialog, Settings]]:
        async with window_in(tmp_path) as at:
            folders = Folders(tmp_path / "data", tmp_path / "cache")
            settings = Settings(folders.data)
            support = SupportContext(
                at.controller.context,
                folders,
                settings,
                ProxyPasswords(ring),
                at.dialogs,
                lambda: at.windows.shown.append(Path("network")),
                lambda: at.controller.session,
            )
            at.controller.context.actions.add(support, SUPPORT)
            at.controller.run_action(ActionId.SETTINGS)
            await until(lambda: bool(at.window.findChildren(SettingsDialog)))
            (dialog,) = at.window.findChildren(SettingsDialog)
            at.window.activateWindow()  # otherwise, fields do not notice that they lose the focus
            await until(at.window.isActiveWindow)
            yield at, dialog, settings
            await until(lambda: not at.tasks.running & {CHOOSING, SAVING})
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            await at.settled()
            notices.extend(card.notice.title for card in at.window.notices.cards)

    return in_dialog


def named(dialog: SettingsDialog, name: str) -> QWidget:
    return next(widget for widget in dialog.findChildren(QWidget) if widget.accessibleName() == name)


def switch(dialog: SettingsDialog, name: str) -> QAbstractButton:
    button = named(dialog, name)
    assert isinstance(button, QAbstractButton)
    return button


async def test_language_theme_text_size_and_animations(in_dialog: InDialog, theme: Theme) -> None:
    async with in_dialog() as (_at, dialog, settings):
        languages = named(dialog, "Language")
        assert isinstance(languages, QComboBox)
        assert (languages.currentText(), settings.language) == ("Like the system", "")
        languages.setCurrentText("English")
        assert settings.language == "en"
        press(dialog, "Dark")
        assert theme.is_dark
        press(dialog, "130 %")
        assert theme.text_size == 130
        animations = switch(dialog, "Animations")
        assert not animations.isChecked()
        animations.click()
        assert theme.animations_enabled
        assert (settings.color_scheme, settings.text_size) == (ColorSchemePreference.DARK, 130)
    theme.set_animations_enabled(False)


async def test_file_dialogs_start_in_the_chosen_folder(
    in_dialog: InDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, chosen = tmp_path / "last", tmp_path / "chosen"
    last.mkdir()
    chosen.mkdir()
    monkeypatch.setattr(file_dialogs, "_last", file_dialogs._last)
    remember_folder_in(settings := Settings(tmp_path / "data"))
    settings.folder = str(last)
    assert last_folder() == last
    async with in_dialog() as (at, dialog, settings):
        at.dialogs.path = chosen
        press(dialog, "Choose…")  # the first one
    assert last_folder() == chosen
    chosen.rmdir()
    assert last_folder() == last
    chosen.mkdir()
    async with in_dialog() as (at, dialog, settings):
        press(dialog, "Clear")
    assert last_folder() == last


async def test_the_folders_of_the_program_are_shown_and_opened(
    in_dialog: InDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(value_grid, "open_file", lambda _notices, path: opened.append(path))
    async with in_dialog() as (_at, dialog, _settings):
        assert str(tmp_path / "data") in {label.text() for label in dialog.findChildren(QLabel)}
        press(dialog, "Open the folder “Data”")
    assert opened == [tmp_path / "data"]


async def test_messages_on_the_desktop_can_be_switched_off(in_dialog: InDialog) -> None:
    icons: list[object] = []

    class IconCreated(Exception):
        """The tray creates its icon for the first message."""

    def create_icon(parent: object) -> None:
        icons.append(parent)
        raise IconCreated

    async with in_dialog() as (at, dialog, settings):
        tray = Tray(
            create_icon=create_icon,  # type: ignore[arg-type]
            is_in_front=lambda: False,
            is_enabled=lambda: settings.shows_notifications,
        )
        notice = Notice(NoticeSeverity.SUCCESS, "Imported")
        messages = switch(dialog, "Show messages on the desktop when no window is active")
        assert messages.isChecked()
        messages.click()
        tray.show_notice(at.window, notice)
        assert icons == []
        messages.click()
        with pytest.raises(IconCreated):
            tray.show_notice(at.window, notice)


async def test_the_pause_between_polls_is_stored(in_dialog: InDialog) -> None:
    async with in_dialog() as (_at, dialog, settings):
        pauses = named(dialog, "Check jobs at least every")
        assert isinstance(pauses, QComboBox)
        assert pauses.currentText() == "15 seconds"
        for number, seconds in enumerate(POLL_INTERVALS_S):
            pauses.setCurrentIndex(number)
            assert settings.longest_poll_s == seconds
        assert pauses.currentText() == "5 minutes"


def enter_proxy(dialog: SettingsDialog, url: str) -> None:
    enter(dialog, "URL of the proxy", url)


def enter(dialog: SettingsDialog, name: str, text: str) -> None:
    line = named(dialog, name)
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.clear()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Tab)


def proxy_fields(dialog: SettingsDialog) -> ProxyFields:
    (fields,) = dialog.findChildren(ProxyFields)
    return fields


async def test_a_proxy_is_used_once_it_is_valid(in_dialog: InDialog) -> None:
    url = "socks5://proxy.example.org:1080"
    async with in_dialog() as (at, dialog, settings):
        line = named(dialog, "URL of the proxy")
        assert not line.isVisible()
        press(dialog, "Manual")
        assert line.isVisible()
        assert at.window.focusWidget() is line
        enter_proxy(dialog, "http://me:secret@proxy.example.org:1080")
        assert "enter them in the fields below" in line.accessibleDescription()
        press(dialog, "Close")
        assert dialog.isVisible()
        assert settings.network.proxy == ""
        enter_proxy(dialog, url)
        assert settings.network.proxy == url
        assert at.windows.shown == [Path("network")]
        press(proxy_fields(dialog), "System")
        assert settings.network.proxy == ""
        press(proxy_fields(dialog), "Manual")
        assert settings.network.proxy == url
        assert len(at.windows.shown) == 3


PASSWORD = "p@ss: word"
ACCOUNT = "me@proxy.example.org:8080"


def sign_in_to_proxy(at: OpenTestWindow, dialog: SettingsDialog, settings: Settings) -> None:
    press(dialog, "Manual")
    enter_proxy(dialog, "http://proxy.example.org:8080")
    enter(dialog, "User name for the proxy", "me")
    enter(dialog, "Password for the proxy", PASSWORD)


async def test_the_password_of_a_proxy_is_in_the_key_ring_only(
    in_dialog: InDialog, tmp_path: Path, ring: MemoryRing
) -> None:
    async with in_dialog() as (at, dialog, settings):
        sign_in_to_proxy(at, dialog, settings)
    network = Settings(tmp_path / "data").network
    assert (network.proxy_account, network.proxy_password) == (ACCOUNT, "")
    assert ring.passwords == {("Batchwright proxy", ACCOUNT): PASSWORD}
    stored = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert stored
    assert not any(word in content for content in stored for word in (b"p@ss", b": word"))
    assert (await ProxyPasswords(ring).complete(network)).proxy_password == PASSWORD


async def test_the_password_of_a_replaced_proxy_is_deleted(in_dialog: InDialog, ring: MemoryRing) -> None:
    async with in_dialog() as (at, dialog, settings):
        sign_in_to_proxy(at, dialog, settings)
    assert ring.passwords
    async with in_dialog() as (at, dialog, settings):
        line = named(dialog, "Password for the proxy")
        assert isinstance(line, QLineEdit)
        assert line.placeholderText() == "Leave empty to keep the saved password"
        press(proxy_fields(dialog), "System")
        press(proxy_fields(dialog), "Manual")
        assert settings.network.proxy_account == ACCOUNT
        enter(dialog, "User name for the proxy", "you")
        assert line.placeholderText() == ""
        assert settings.network.proxy_account == "you@proxy.example.org:8080"
    assert ring.passwords == {}


async def test_the_password_of_a_proxy_outlives_a_slip_that_is_corrected(
    in_dialog: InDialog, ring: MemoryRing
) -> None:
    async with in_dialog() as (at, dialog, settings):
        sign_in_to_proxy(at, dialog, settings)
    async with in_dialog() as (at, dialog, settings):
        enter_proxy(dialog, "http://proxy.example.org:8081")
        await until(lambda: SAVING not in at.tasks.running)
        enter_proxy(dialog, "http://proxy.example.org:8080")
    assert ring.passwords == {("Batchwright proxy", ACCOUNT): PASSWORD}


async def test_a_password_needs_a_user_name(in_dialog: InDialog, ring: MemoryRing) -> None:
    async with in_dialog() as (at, dialog, _settings):
        press(dialog, "Manual")
        enter_proxy(dialog, "http://proxy.example.org:8080")
        enter(dialog, "Password for the proxy", PASSWORD)
        user = named(dialog, "User name for the proxy")
        assert "Enter the user name" in user.accessibleDescription()
        press(dialog, "Close")
        assert dialog.isVisible()
        assert at.window.focusWidget() is user
    assert ring.passwords == {}


@pytest.mark.parametrize("ring", [FailingRing(NoKeyringError)])
async def test_without_a_key_ring_the_password_is_not_saved(
    in_dialog: InDialog, notices: list[str], tmp_path: Path
) -> None:
    async with in_dialog() as (at, dialog, settings):
        sign_in_to_proxy(at, dialog, settings)
    assert notices == ["The password of the proxy was not saved"]
    assert Settings(tmp_path / "data").network.proxy_account == ACCOUNT


async def test_certificates_are_checked_before_they_are_used(in_dialog: InDialog, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_text("no certificates")

    async def choose(path: Path) -> None:
        async with in_dialog() as (at, dialog, _settings):
            at.dialogs.path = path
            line = named(dialog, "Certificates to trust")
            fields = dialog.findChildren(InputField)
            press(next(field for field in fields if field.control is line), "Choose…")

    await choose(other)
    assert Settings(tmp_path / "data").network.certificates == ""
    await choose(Path(certifi.where()))
    assert Settings(tmp_path / "data").network.certificates == certifi.where()


async def test_what_the_policy_locks_is_disabled_and_says_who_set_it_where(
    in_dialog: InDialog, write_policy: WritePolicy
) -> None:
    path = write_policy(
        "[lock]\nproxy = 'http://proxy.example.org:8080'\ncertificates = '/lab.pem'\n"
        "files-folder = '/studies'\nlanguage = 'en-GB'\nupdate-check = false\nhome = '/home'\n"
        "pseudonyms = true\n"
    )
    async with in_dialog() as (_at, dialog, settings):
        for name, text in (
            ("URL of the proxy", "http://proxy.example.org:8080"),
            ("Certificates to trust", str(Path("/lab.pem"))),
            ("Folder in which file dialogs start", str(Path("/studies"))),
        ):
            line = named(dialog, name)
            assert isinstance(line, QLineEdit)
            assert line.text() == text
            assert not line.isEnabled()
            assert line.accessibleDescription() == f"Set by your IT staff in {path}"
        assert not named(dialog, "Proxy").isEnabled()
        languages = named(dialog, "Language")
        assert isinstance(languages, QComboBox)
        assert (languages.currentData(), languages.isEnabled()) == ("en", False)
        updates = switch(dialog, "Check for updates once a day")
        assert not updates.isEnabled()
        assert updates.accessibleDescription() == f"Set by your IT staff in {path}"
        assert not [
            button
            for button in dialog.findChildren(Button)
            if button.text() == "Choose…" and button.isVisible()
        ]
        assert "BATCHWRIGHT_HOME" not in " ".join(label.text() for label in dialog.findChildren(QLabel))
        texts = {label.text() for label in dialog.findChildren(QLabel)}
        assert {"Save answers with pseudonyms", "on", "Update check", "off"} <= texts
        enter(dialog, "User name for the proxy", "me")
        assert settings.network.proxy_account == "me@proxy.example.org:8080"


async def test_an_error_in_the_policy_is_shown_until_it_is_closed(
    in_dialog: InDialog, write_policy: WritePolicy
) -> None:
    path = write_policy("[lock]\nprxy = 'system'\n")
    async with in_dialog() as (at, dialog, _settings):
        show_policy_problem(at.controller.context)
        (notice,) = (card.notice for card in at.window.notices.cards)
        assert notice.title == "The policy of this computer cannot be used"
        assert f"{path}, line 2" in notice.text
        assert notice.stays
        texts = {label.text() for label in dialog.findChildren(QLabel)}
        (text,) = (text for text in texts if str(path) in text)
        assert text.startswith(f"{path}, line 2: “prxy” is not a key of policies.")
        assert named(dialog, "Proxy").isEnabled()


async def test_every_setting_can_be_reached_and_named(in_dialog: InDialog) -> None:
    async with in_dialog() as (_at, dialog, _settings):
        stops = dialog._tab_stops()
        assert len(stops) >= 8
        for stop in stops:
            assert stop.accessibleName()
