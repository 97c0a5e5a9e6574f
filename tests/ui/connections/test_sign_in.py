"""The sign-in dialog: where tokens are created, values from the environment, and custom certificates."""

import asyncio
import errno
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from keyring.errors import KeyringLocked
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMenu

from batchwright.client.connection_pool import ConnectionPool, NotSignedIn
from batchwright.local.connections import (
    HOSTED_URL,
    Connection,
    Connections,
    EnvironmentCredentials,
    FieldError,
)
from batchwright.local.paths import Folders
from batchwright.local.recent_studies import Recent, Recents
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.service.process import ServiceAddress
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.connections.sign_in import DialogMode, RemoveConnectionDialog, SignInDialog, SignInInput
from batchwright.ui.home.connection_cards import TOKEN_IN_ENVIRONMENT
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.ui.widgets.text import Label
from batchwright.workflows.check_account import check_account
from tests.api.requests import TOKEN, USER
from tests.fakes.failing_server import FailingServer
from tests.fakes.key_ring import MemoryRing
from tests.fakes.raw_http import FakeResponse, RawRequest
from tests.fakes.tls_server import TlsServer
from tests.local.test_recent_studies import NOW
from tests.policies import WritePolicy
from tests.ui.conftest import until
from tests.ui.connections.test_controller import errors, fill, settled, shown
from tests.ui.window_fixtures import press, window_in

pytestmark = pytest.mark.gui

EMPTY = {"results": [], "meta": {"count": 0}}


def line_edit(dialog: SignInDialog, name: str) -> QLineEdit:
    matches = dialog.findChild(QLineEdit, name)
    assert matches is not None
    return matches


@pytest.mark.spec("T-04")
async def test_the_token_field_is_masked_and_explains_where_tokens_are_created(
    tmp_path: Path, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        token = line_edit(dialog, "token")
        assert (token.text(), token.echoMode()) == ("", QLineEdit.EchoMode.Password)
        assert "Create one in the settings of your account" in token.accessibleDescription()
        assert line_edit(dialog, "url").text() == HOSTED_URL
        fill(dialog, name="Lab", url=running.url, workspace_id=running.workspace_id)
        assert not dialog.accept_button.isEnabled()
        press(at.window, "Cancel")
        await at.settled()


async def test_what_the_policy_locks_is_filled_in_and_cannot_be_changed(
    tmp_path: Path, write_policy: WritePolicy
) -> None:
    path = write_policy(
        "[lock]\nservice-url = 'https://lab.example.org'\nworkspace = 'w1'\ncertificates = '/lab.pem'\n"
    )
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        locked = {
            "url": "https://lab.example.org",
            "workspace_id": "w1",
            "certificates": str(Path("/lab.pem")),
        }
        for name, text in locked.items():
            line = line_edit(dialog, name)
            assert (line.text(), line.isEnabled(), line.isVisible()) == (text, False, True)
            assert line.accessibleDescription() == f"Set by your IT staff in {path}"
        assert dialog.input.certificates == ""
        fill(dialog, name="Lab", token=TOKEN)
        dialog.show_error(FieldError("token", "No."))
        assert not line_edit(dialog, "url").isEnabled()
        assert line_edit(dialog, "url").accessibleDescription() == f"Set by your IT staff in {path}"
        press(at.window, "Cancel")
        await at.settled()


async def test_the_token_of_the_environment_is_filled_in_and_mentioned_on_home(
    tmp_path: Path, running: ServiceAddress
) -> None:
    offered = EnvironmentCredentials(running.url, running.token)
    async with window_in(tmp_path, check=check_account, offered=offered) as at:
        stage = at.show_home()
        labels = [label for label in stage.findChildren(Label) if label.isVisible()]
        assert TOKEN_IN_ENVIRONMENT in [label.text() for label in labels]
        at.controller.add_connection()
        dialog = await shown(at)
        assert (line_edit(dialog, "url").text(), line_edit(dialog, "token").text()) == (
            running.url,
            running.token,
        )
        assert "PROLIFIC_TOKEN" in line_edit(dialog, "token").accessibleDescription()
        fill(dialog, name="Lab", workspace_id=running.workspace_id)
        press(at.window, "Check and add")
        await until(lambda: at.pool.tokens == {"Lab": running.token}, 30)
        await at.settled()


async def test_the_certificates_field_appears_after_a_certificate_error(tmp_path: Path) -> None:
    with TlsServer(tmp_path) as server:
        async with window_in(tmp_path, check=check_account) as at:
            at.controller.add_connection()
            dialog = await shown(at)
            assert not line_edit(dialog, "certificates").isVisible()
            fill(dialog, name="Lab", url=server.url, workspace_id="w", token=TOKEN)
            press(at.window, "Check and add")
            await settled(dialog)
            assert "choose their file below" in errors(dialog)["url"]
            assert line_edit(dialog, "certificates").isVisible()
            fill(dialog, certificates=str(tmp_path / "nothing.pem"))
            press(at.window, "Check and add")
            await settled(dialog)
            assert "cannot be read" in errors(dialog)["certificates"]
            server.response = FakeResponse.from_json({**USER, **EMPTY})
            fill(dialog, certificates=str(server.certificate))
            press(at.window, "Check and add")
            await until(lambda: len(at.controller.connections.all) == 2, 30)
            await at.settled()
            assert at.controller.connections.all[1].certificates == str(server.certificate)
            at.controller.change_connection(at.controller.connections.all[1])
            assert line_edit(await shown(at), "certificates").text() == str(server.certificate)
            press(at.window, "Cancel")
            await at.settled()


async def test_the_certificate_file_is_chosen_and_the_workspace_id_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "lab.pem"
    file.write_text("", encoding="utf-8")

    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        assert "24 digits and letters" in line_edit(dialog, "workspace_id").accessibleDescription()
        dialog.show_error(FieldError("url", "untrusted", is_about_trust=True))
        press(at.window, "Choose…")
        await until(lambda: at.window.findChild(QFileDialog) is not None, 30)
        chooser = at.window.findChild(QFileDialog)
        assert chooser is not None
        chooser.selectFile(str(file))
        chooser.done(QFileDialog.DialogCode.Accepted)
        assert line_edit(dialog, "certificates").text() == str(file)
        press(at.window, "Cancel")
        await at.settled()


async def test_known_workspaces_of_the_entered_service_can_be_chosen(tmp_path: Path) -> None:
    study = tmp_path / "pilot.batchwright"
    study.touch()
    (tmp_path / "data").mkdir()
    Connections(tmp_path / "data").add(Connection("Lab", "https://lab.example", "a" * 24))
    Recents(tmp_path / "data").save(Recent(study, "Pilot & more", NOW, workspace_ids=("b" * 24, "a" * 24)))

    async with window_in(tmp_path, check=check_account) as at:
        await at.controller.connections.refresh()
        await at.controller.files.refresh_recents()
        at.controller.add_connection()
        dialog = await shown(at)
        button = next(found for found in dialog.findChildren(Button) if found.text() == "Known workspaces")
        menu = button.menu()
        assert isinstance(menu, QMenu)
        for url, ids in ((HOSTED_URL, ["b" * 24]), ("https://lab.example/", ["a" * 24, "b" * 24])):
            fill(dialog, url=url)
            menu.aboutToShow.emit()
            assert [entry.data() for entry in menu.actions()] == ids
        assert menu.actions()[1].text() == f"{'b' * 24}\tPilot && more"
        menu.actions()[1].trigger()
        assert line_edit(dialog, "workspace_id").text() == "b" * 24
        press(at.window, "Cancel")
        await at.settled()


async def test_a_missing_certificate_file_of_the_environment_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, name="Lab", url="https://api.example.org", workspace_id="w", token=TOKEN)
        press(at.window, "Check and add")
        await settled(dialog)
        text = errors(dialog)[""]
        assert "SSL_CERT_FILE" in text
        assert str(tmp_path / "gone.pem") in text
        press(at.window, "Cancel")
        await at.settled()


class Standalone:
    """A real connection pool with a key ring in memory, and a window."""

    def __init__(self, window: Window, folder: Path, ring: MemoryRing | None = None) -> None:
        self.ring = ring or MemoryRing()
        self.folders = Folders(folder / "data", folder / "cache")
        self.folders.create()
        self.window = window
        self.pool = ConnectionPool(self.folders, TokenStore(self.ring))
        self.connections = Connections(self.folders.data)
        self.connecting = ConnectionsController(window, self.connections, self.pool)

    async def change(self, before: Connection, token: str = "", *, is_stored_in_key_ring: bool) -> None:
        """Replace the token of a connection in the dialog, or only where it is stored."""
        changing = asyncio.create_task(self.connecting.change(before))
        await self.fill(is_stored_in_key_ring=is_stored_in_key_ring, token=token)
        press(self.window, "Check and save")
        await asyncio.wait_for(changing, 30)

    async def fill(self, *, is_stored_in_key_ring: bool = False, **texts: str) -> None:
        """Fill in the dialog when it is shown, and choose whether the key ring stores the token."""
        await until(lambda: bool(self.dialogs))
        (dialog,) = self.dialogs
        fill(dialog, **texts)
        dialog._store_token.setChecked(is_stored_in_key_ring)

    @property
    def dialogs(self) -> list[SignInDialog]:
        return [
            sign_in_dialog
            for sign_in_dialog in self.window.findChildren(SignInDialog)
            if sign_in_dialog.isVisible()
        ]


@pytest.fixture
def hosted() -> Iterator[FailingServer]:
    """Start a service that accepts every token."""

    def good(request: RawRequest) -> FakeResponse:
        return FakeResponse.from_json(USER if request.call.endswith("/me/") else EMPTY)

    with FailingServer([], good) as server:
        yield server


@pytest.mark.spec("T-07")
@pytest.mark.parametrize("is_stored_in_key_ring", [True, False])
async def test_a_replaced_token_is_in_no_file_and_no_request(
    tmp_path: Path, window: Window, hosted: FailingServer, is_stored_in_key_ring: bool
) -> None:
    lab, old, new = Connection("Lab", hosted.url, "w"), "leaked-6Tz1qW", "fresh-9Kp4Xs"

    at = Standalone(window, tmp_path)
    try:
        at.connections.add(lab)
        await at.connecting.refresh()
        await at.pool.sign_in("Lab", old, is_stored=True)
        await (await at.pool.context(lab, print)).service.batches.list("w")
        hosted.arrived.clear()
        await at.change(lab, new, is_stored_in_key_ring=is_stored_in_key_ring)
        (after,) = at.connections.all()[1:]
        await (await at.pool.context(after, print)).service.batches.list("w")
        assert list(at.ring.passwords.values()) == ([new] if is_stored_in_key_ring else [])
        assert at.pool._tokens == {"Lab": new}
    finally:
        await at.pool.close()
    assert {request.header(b"authorization") for request in hosted.arrived} == {f"Token {new}".encode()}
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert not any(token.encode() in path.read_bytes() for token in (old, new))


async def test_an_older_token_in_a_locked_key_ring_is_removed_with_its_connection(
    tmp_path: Path, window: Window, hosted: FailingServer
) -> None:
    at = Standalone(window, tmp_path, ring := LockableRing())
    try:
        at.connections.add(Connection("Lab", hosted.url, "w"))
        await at.pool.sign_in("Lab", "older", is_stored=True)
        ring.is_locked = True
        changing = asyncio.create_task(at.connecting.change(at.connections.all()[1]))
        await at.fill(is_stored_in_key_ring=True, token=TOKEN)
        (dialog,) = at.dialogs
        press(window, "Check and save")
        await until(lambda: dialog.accept_button.text() == "Save for this run only")
        press(window, "Save for this run only")
        await asyncio.wait_for(changing, 30)
        assert list(ring.passwords.values()) == ["older"]
        ring.is_locked = False
        removing = asyncio.create_task(at.connecting.remove(at.connections.all()[1]))
        await until(lambda: window.findChild(RemoveConnectionDialog) is not None)
        press(window, "Remove connection")
        assert await removing
        assert not ring.passwords
    finally:
        await at.pool.close()


class LockableRing(MemoryRing):
    """A key ring that its owner can lock."""

    is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._require_unlocked()
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._require_unlocked()
        super().set_password(service, username, password)

    def _require_unlocked(self) -> None:
        if self.is_locked:
            raise KeyringLocked


async def test_a_token_in_use_can_be_stored_or_removed_from_the_key_ring(
    tmp_path: Path, window: Window
) -> None:
    at = Standalone(window, tmp_path)
    try:
        at.connections.add(Connection("Lab", "https://api.example.org", "w"))
        await at.pool.sign_in("Lab", TOKEN, is_stored=True)
        for is_stored in (False, True):
            await at.change(at.connections.all()[1], is_stored_in_key_ring=is_stored)
            assert list(at.ring.passwords.values()) == ([TOKEN] if is_stored else [])
            assert at.connections.all()[1].is_token_stored == is_stored
            assert await at.pool.token("Lab") == TOKEN
    finally:
        await at.pool.close()


@pytest.mark.spec("T-07")
async def test_a_token_for_an_address_that_is_not_stored_is_not_used_at_the_former_one(
    tmp_path: Path, window: Window, hosted: FailingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "connections.json")

    at = Standalone(window, tmp_path)
    try:
        at.connections.add(Connection("Lab", "https://former.example.org", "w"))
        await at.pool.sign_in("Lab", "former", is_stored=True)
        changing = asyncio.create_task(at.connecting.change(at.connections.all()[1]))
        await at.fill(is_stored_in_key_ring=True, url=hosted.url, token=TOKEN)
        (dialog,) = at.dialogs
        with monkeypatch.context() as patched:
            patched.setattr("batchwright.local.connections.write_atomically", full)
            press(window, "Check and save")
            await settled(dialog)
        assert "disk is full" in errors(dialog)[""]
        assert await at.pool.token("Lab") is None
        press(window, "Check and save")
        await asyncio.wait_for(changing, 30)
        assert (at.connections.all()[1].url, await at.pool.token("Lab")) == (hosted.url, TOKEN)
    finally:
        await at.pool.close()


async def test_a_token_for_one_run_needs_no_key_ring(tmp_path: Path) -> None:
    async def flow(why: KeyringFailure) -> str | None:
        pool = ConnectionPool(Folders(tmp_path / "data", tmp_path / "cache"), Refusing(why))
        await pool.sign_in("Lab", TOKEN, is_stored=False, has_key_ring=why is KeyringFailure.ABSENT)
        return await pool.token("Lab")

    for why in (KeyringFailure.ABSENT, KeyringFailure.LOCKED):
        assert await flow(why) == TOKEN


class Refusing(TokenStore):
    """A key ring that fails on every call."""

    def __init__(self, why: KeyringFailure) -> None:
        super().__init__()
        self._why = why

    async def remove(self, name: str) -> None:
        raise KeyringUnavailable(self._why, "not now")


def test_signing_in_again_keeps_the_certificates_of_the_connection(window: Window) -> None:
    before = SignInInput("Lab", "https://api.example.org", "w", certificates="/lab.pem")
    dialog = SignInDialog(before, DialogMode.TOKEN)
    ModalOverlay(window, dialog)
    fill(dialog, token=TOKEN)
    assert dialog.input == replace(before, token=TOKEN)
    dialog.reject()


async def test_a_token_for_one_run_never_calls_the_key_ring(
    tmp_path: Path, window: Window, hosted: FailingServer
) -> None:
    at = Standalone(window, tmp_path, Untouchable())
    try:
        adding = asyncio.create_task(at.connecting.add())
        await at.fill(name="Lab", url=hosted.url, workspace_id="w", token=TOKEN)
        press(window, "Check and add")
        lab = await asyncio.wait_for(adding, 30)
        assert lab is not None
        await at.pool.context(lab, print)
        await at.change(lab, "another-token", is_stored_in_key_ring=False)
        later = Standalone(window, tmp_path, Untouchable())
        with pytest.raises(NotSignedIn):
            await later.pool.context(at.connections.all()[1], print)
        await later.pool.close()
        await at.connecting.refresh()
        await at.pool.sign_out("Lab", is_stored=lab.is_token_stored)
    finally:
        await at.pool.close()


class Untouchable(MemoryRing):
    """A key ring that must not be called."""

    def get_password(self, service: str, username: str) -> str | None:
        raise AssertionError("the keyring was asked for a token")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("the keyring was given a token")

    def delete_password(self, service: str, username: str) -> None:
        raise AssertionError("the keyring was asked to forget a token")
