"""The connections controller: connections are added, changed, signed in to and removed at a real service."""

import asyncio
import errno
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from batchwright.client.connection_pool import NotSignedIn
from batchwright.local.connections import THIS_COMPUTER, Connection, Connections
from batchwright.local.projects import Project
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable
from batchwright.service.process import ServiceAddress
from batchwright.ui.connections.sign_in import RemoveConnectionDialog, SignInDialog, SwitchConnectionDialog
from batchwright.ui.theme.fields import ERROR
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import NoticeCard
from batchwright.wire.account import User
from batchwright.workflows.check_account import check_account
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.ui.conftest import focused, until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

LAB = Connection("Lab", "https://api.example.org", "w1")
SECONDS = 30


@pytest.fixture
def portal() -> Iterator[str]:
    """A sign-in page of a network, which answers everything with HTML."""
    page = FakeResponse(body=b"<html>Welcome to our hotel</html>", headers={"Content-Type": "text/html"})
    with EchoServer(page) as server:
        yield server.url


class EndlessCheck:
    """A check of an account that never ends unless it is cancelled."""

    def __init__(self) -> None:
        self.started, self.ended = asyncio.Event(), asyncio.Event()

    async def __call__(self, url: str, token: str, workspace_id: str, certificates: str) -> User:
        self.started.set()
        try:
            return await asyncio.Future()
        finally:
            self.ended.set()


async def shown(at: OpenTestWindow, kind: type[Dialog] = SignInDialog) -> SignInDialog:
    await until(lambda: any(widget.isVisible() for widget in at.window.findChildren(kind)))
    (dialog,) = (widget for widget in at.window.findChildren(kind) if widget.isVisible())
    return dialog  # type: ignore[return-value]  # the tests that ask for another kind look at it themselves


def fill(dialog: SignInDialog, **texts: str) -> None:
    for name, text in texts.items():
        field = dialog.findChild(QLineEdit, name)
        assert field is not None
        field.setText(text)


def errors(dialog: SignInDialog) -> dict[str, str]:
    """The error messages by field; a message about no field has an empty name."""
    matches = {
        field.control.objectName(): field.control.accessibleDescription()
        for field in dialog.findChildren(InputField)
        if field.control.property(ERROR)
    }
    for line in dialog.findChildren(WarningBanner):
        matches[""] = line.text
    return matches


async def settled(dialog: SignInDialog) -> None:
    await until(lambda: dialog.accept_button.text() != "Checking", SECONDS)


def valid(running: ServiceAddress) -> dict[str, str]:
    return {
        "name": "Lab",
        "url": running.url,
        "workspace_id": running.workspace_id,
        "token": running.token,
    }


@pytest.mark.endpoint("account.me")
async def test_a_new_connection_is_checked_stored_with_its_owner_and_selected(
    tmp_path: Path, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        assert not dialog.accept_button.isEnabled()
        fill(dialog, **valid(running))
        press(at.window, "Check and add")
        assert dialog.accept_button.text() == "Checking"
        await until(lambda: at.tasks.running <= {"start the service of this computer"}, SECONDS)
        assert at.shell.connection.name == "Lab"
        assert at.pool.tokens == {"Lab": running.token}
        assert at.pool.stored == {"Lab"}
        (stored,) = Connections(tmp_path / "data").all()[1:]
        assert (stored.url, stored.workspace_id) == (running.url, running.workspace_id)
        assert "@" in stored.email
    written = "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert running.token not in written


@pytest.mark.parametrize(
    ("pressed", "connection"), [("Stay on this computer", THIS_COMPUTER.name), ("Switch to Lab", "Lab")]
)
async def test_an_open_study_keeps_its_connection_unless_the_user_switches(
    pressed: str, connection: str, tmp_path: Path, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.study.open(Project("Cats"), None, is_saved=True)
        at.controller.add_connection()
        fill(await shown(at), **valid(running))
        press(at.window, "Check and add")
        await until(lambda: at.window.findChild(SwitchConnectionDialog) is not None, SECONDS)
        question = at.window.findChild(SwitchConnectionDialog)
        assert question is not None
        assert question.cancel_button.hasFocus()
        assert at.shell.connection.name == THIS_COMPUTER.name
        press(at.window, pressed)
        await until(lambda: at.tasks.running <= {"start the service of this computer"}, SECONDS)
        assert at.shell.connection.name == connection
        assert [entry.name for entry in at.controller.connections.all] == [THIS_COMPUTER.name, "Lab"]


INVALID = [
    ({"token": "not-the-token"}, "token", "does not accept this token"),
    ({"token": "spaces in it"}, "token", "Not a valid token"),
    ({"workspace_id": "f" * 24}, "workspace_id", "has no access to this workspace"),
    ({"url": "http://127.0.0.1:9"}, "url", "Nothing responds at this URL"),
    ({"url": "http://api.example.org"}, "url", "only https is allowed, except on this computer"),
    ({"url": "ftp://api.example.org"}, "url", "Start it with https://"),
    ({"url": "https://"}, "url", "Start it with https://"),
    ({"url": "https://тест.invalid"}, "url", "the host or port is invalid"),
    ({"url": "https://my host.invalid"}, "url", "the host or port is invalid"),
    ({"url": "https://someone@api.example.org"}, "url", "must not contain"),
    ({"name": "This computer"}, "name", "already has this name"),
    ({"name": "https://api.example.org"}, "name", "Choose a name without “://”"),
]


@pytest.mark.parametrize(("change", "field", "sentence"), INVALID, ids=lambda value: str(value))
async def test_invalid_input_is_reported_at_its_field(
    tmp_path: Path, running: ServiceAddress, change: dict[str, str], field: str, sentence: str
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, **{**valid(running), **change})
        press(at.window, "Check and add")
        await settled(dialog)
        matches = errors(dialog)
        assert set(matches) == {field}
        assert sentence in matches[field]
        assert focused().objectName() == field
        assert at.pool.tokens == {}
        fill(dialog, **valid(running))
        press(at.window, "Check and add")
        await until(lambda: at.shell.connection.name == "Lab", SECONDS)
    assert [entry.name for entry in Connections(tmp_path / "data").all()] == ["This computer", "Lab"]


async def test_a_url_that_returns_html_is_reported_at_the_url_field(
    tmp_path: Path, running: ServiceAddress, portal: str
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, **{**valid(running), "url": portal})
        press(at.window, "Check and add")
        await settled(dialog)
        assert "Something other than the service responds" in errors(dialog)["url"]
        fill(dialog, url=f"{running.url}/somewhere")
        press(at.window, "Check and add")
        await settled(dialog)
        assert "The service was not found" in errors(dialog)["url"]
        press(at.window, "Cancel")
        await at.settled()


async def test_a_server_error_is_reported_for_the_whole_form(tmp_path: Path, running: ServiceAddress) -> None:
    with EchoServer(FakeResponse(status=500, body=b"{}")) as failing:
        async with window_in(tmp_path, check=check_account) as at:
            at.controller.add_connection()
            dialog = await shown(at)
            fill(dialog, **{**valid(running), "url": failing.url})
            press(at.window, "Check and add")
            await settled(dialog)
            assert list(errors(dialog)) == [""]
            assert "The service failed" in errors(dialog)[""]
            assert dialog.accept_button.hasFocus()
            press(at.window, "Cancel")
            await at.settled()


async def test_cancelling_the_dialog_cancels_the_check(tmp_path: Path) -> None:
    check = EndlessCheck()

    async with window_in(tmp_path, check=check) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, name="Lab", workspace_id="w", token="secret")
        press(at.window, "Check and add")
        await check.started.wait()
        press(at.window, "Cancel")
        await at.settled()
        assert check.ended.is_set()
        assert at.pool.tokens == {}
        assert at.controller.connections.all == (THIS_COMPUTER,)


async def test_if_the_connections_file_cannot_be_written_no_token_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "connections.json")

    async with window_in(tmp_path) as at:
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, name="Lab", workspace_id="w", token="secret")
        with monkeypatch.context() as patched:
            patched.setattr("batchwright.local.connections.write_atomically", full)
            press(at.window, "Check and add")
            await settled(dialog)
        assert "disk is full" in errors(dialog)[""]
        assert at.pool.tokens == {}
        press(at.window, "Check and add")
        await at.settled()
        assert at.shell.connection.name == "Lab"


async def test_closing_the_window_cancels_the_check(tmp_path: Path) -> None:
    check = EndlessCheck()

    async with window_in(tmp_path, check=check) as at:
        at.controller.add_connection()
        fill(await shown(at), name="Lab", workspace_id="w", token="secret")
        press(at.window, "Check and add")
        await check.started.wait()
        await at.tasks.aclose()
        assert check.ended.is_set()
        assert not [
            sign_in_dialog
            for sign_in_dialog in at.window.findChildren(SignInDialog)
            if sign_in_dialog.isVisible()
        ]


async def test_without_a_key_ring_the_token_is_used_for_this_run_only(at: OpenTestWindow) -> None:
    at.pool.has_ring = False
    at.controller.add_connection()
    dialog = await shown(at)
    fill(dialog, name="Lab", workspace_id="w", token="secret")
    press(at.window, "Check and add")
    await until(lambda: dialog.accept_button.text() == "Add for this run only")
    assert "has no keyring" in errors(dialog)[""]
    assert at.pool.tokens == {}
    press(at.window, "Add for this run only")
    await at.settled()
    assert (at.pool.tokens, at.pool.stored) == ({"Lab": "secret"}, set())


async def test_a_token_for_one_run_leaves_the_next_run_signed_out(tmp_path: Path) -> None:
    async with window_in(tmp_path) as at:
        at.pool.has_ring = False
        at.controller.add_connection()
        dialog = await shown(at)
        fill(dialog, name="Lab", workspace_id="w", token="secret")
        press(at.window, "Check and add")
        await until(lambda: dialog.accept_button.text() == "Add for this run only")
        press(at.window, "Add for this run only")
        await at.settled()
        assert (await at.controller.connections.connection("Lab")).email == "a@example.org"
    async with window_in(tmp_path) as at:
        lab = await at.controller.connections.connection("Lab")
        assert (lab.owner, lab.email) == ("", "")


async def test_with_a_locked_key_ring_the_dialog_offers_to_unlock_and_retry(at: OpenTestWindow) -> None:
    at.pool.is_locked = True
    at.controller.add_connection()
    dialog = await shown(at)
    fill(dialog, name="Lab", workspace_id="w", token="secret")
    press(at.window, "Check and add")
    await until(lambda: dialog.accept_button.text() == "Add for this run only")
    press(at.window, "Unlock and try again")
    await until(lambda: dialog.accept_button.text() == "Add for this run only")
    assert not dialog.input.stores_token
    at.pool.is_locked = False
    press(at.window, "Unlock and try again")
    await at.settled()
    assert at.pool.stored == {"Lab"}


@pytest.fixture
def lab(tmp_path: Path, running: ServiceAddress) -> Connection:
    """A connection that was added in an earlier run."""
    lab = Connection("Lab", running.url, running.workspace_id, owner="Ada Lovelace", email="ada@example.org")
    (tmp_path / "data").mkdir()
    Connections(tmp_path / "data").add(lab)
    return lab


async def change(at: OpenTestWindow, lab: Connection, **texts: str) -> SignInDialog:
    """Open the dialog that changes a connection, type, and press."""
    await at.controller.connections.refresh()
    at.controller.change_connection(lab)
    dialog = await shown(at)
    fill(dialog, **texts)
    press(at.window, "Check and save")
    return dialog


async def test_an_unreadable_connections_file_is_reported_once(tmp_path: Path, at: OpenTestWindow) -> None:
    (tmp_path / "data" / "connections.json").write_bytes(b"{")
    await at.controller.connections.refresh()
    (card,) = at.window.findChildren(NoticeCard)
    assert "connections.unreadable-1.json" in card.notice.text
    await at.controller.connections.refresh()
    assert len(at.window.findChildren(NoticeCard)) == 1


async def test_renaming_a_connection_sends_no_request(tmp_path: Path, lab: Connection) -> None:
    async def check_must_not_run(url: str, token: str, workspace_id: str, certificates: str) -> User:
        raise AssertionError("a name needs no service")

    async with window_in(tmp_path, check=check_must_not_run) as at:
        await at.controller.session.select("Lab")
        await change(at, lab, name="Laboratory")
        await at.settled()
        assert at.failures == []
        assert at.shell.connection.text == "Laboratory"
        assert at.controller.session.connection.name == "Lab"


async def assert_jobs_resumed(
    at: OpenTestWindow, running: ServiceAddress, lab: Connection, **texts: str
) -> None:
    """Change a connection, and check that its jobs are monitored again with the changed connection."""
    at.pool.tokens["Lab"] = running.token
    await at.settled()
    at.pool.resumed.clear()
    await change(at, lab, **texts)
    await at.settled()
    (resumed,) = at.pool.resumed
    assert resumed == at.controller.connections.all[1]


@pytest.mark.parametrize("field", ["workspace_id", "certificates", "token"])
async def test_changing_where_a_connection_leads_restarts_job_monitoring(
    field: str, tmp_path: Path, lab: Connection, running: ServiceAddress
) -> None:
    texts = {"workspace_id": "another", "certificates": str(tmp_path / "our.pem"), "token": "another"}

    async with window_in(tmp_path) as at:
        await assert_jobs_resumed(at, running, lab, **{field: texts[field]})


async def test_renaming_a_connection_does_not_restart_job_monitoring(
    lab: Connection, at: OpenTestWindow
) -> None:
    await at.settled()
    at.pool.resumed.clear()
    await change(at, lab, name="Laboratory")
    await at.settled()
    assert at.pool.resumed == []


async def test_another_workspace_is_checked_with_the_stored_token(
    tmp_path: Path, lab: Connection, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.pool.tokens["Lab"] = running.token
        await at.controller.session.select("Lab")
        dialog = await change(at, lab, workspace_id="f" * 24)
        await settled(dialog)
        assert list(errors(dialog)) == ["workspace_id"]
        assert at.controller.session.connection == lab
        fill(dialog, workspace_id=running.workspace_id, token="wrong")
        press(at.window, "Check and save")
        await settled(dialog)
        assert list(errors(dialog)) == ["token"]
        assert at.pool.tokens == {"Lab": running.token}
        fill(dialog, token=running.token, name="Laboratory")
        press(at.window, "Check and save")
        await until(lambda: at.shell.connection.text == "Laboratory", SECONDS)
        await at.settled()
        assert at.controller.session.connection.email != lab.email


async def test_a_stored_token_is_not_sent_to_another_url(
    tmp_path: Path, lab: Connection, running: ServiceAddress
) -> None:
    with EchoServer() as other:
        async with window_in(tmp_path, check=check_account) as at:
            at.pool.tokens["Lab"] = running.token
            dialog = await change(at, lab, url=other.url)
            await settled(dialog)
            assert "The URL has changed" in errors(dialog)["token"]
            assert other.requests == []
            press(at.window, "Cancel")
            await at.settled()
    assert Connections(tmp_path / "data").all()[1] == lab


async def test_removing_a_connection_asks_first_and_switches_to_this_computer(
    tmp_path: Path, lab: Connection
) -> None:
    async with window_in(tmp_path) as at:
        at.pool.tokens["Lab"] = "secret"
        await at.controller.session.select("Lab")
        at.controller.remove_connection(lab)
        await shown(at, RemoveConnectionDialog)
        press(at.window, "Cancel")
        await at.settled()
        assert at.controller.session.connection == lab
        at.controller.remove_connection(lab)
        await shown(at, RemoveConnectionDialog)
        press(at.window, "Remove connection")
        await at.settled()
        assert at.controller.session.connection == THIS_COMPUTER
        assert at.pool.tokens == {}
    assert Connections(tmp_path / "data").all() == (THIS_COMPUTER,)


async def test_a_connection_can_be_removed_without_its_token_in_a_locked_key_ring(
    tmp_path: Path, lab: Connection
) -> None:
    async with window_in(tmp_path) as at:
        at.pool.is_locked = True
        await at.controller.connections.refresh()
        at.controller.remove_connection(lab)
        dialog = await shown(at, RemoveConnectionDialog)
        press(at.window, "Remove connection")
        await until(lambda: dialog.accept_button.text() == "Try again")
        assert len(at.controller.connections.all) == 2
        (leave,) = dialog.findChildren(QCheckBox)
        leave.setChecked(True)
        press(at.window, "Remove connection")
        await at.settled()
    assert Connections(tmp_path / "data").all() == (THIS_COMPUTER,)


async def test_sign_in_with_a_locked_key_ring_offers_to_unlock_or_use_the_token_once(
    tmp_path: Path, lab: Connection, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.pool.is_locked = True
        locked = KeyringUnavailable(KeyringFailure.LOCKED, "the key ring is locked")
        request = asyncio.create_task(at.controller.connections.sign_in(lab, locked))
        dialog = await shown(at)
        assert not dialog.accept_button.isEnabled()
        at.pool.is_locked = False
        press(at.window, "Unlock and try again")
        assert await request
        assert at.pool.tokens == {}
        request = asyncio.create_task(at.controller.connections.sign_in(lab, locked))
        fill(await shown(at), token=running.token)
        press(at.window, "Sign in for this run only")
        assert await request
        assert (at.pool.tokens, at.pool.stored) == ({"Lab": running.token}, set())


async def test_sign_in_restarts_monitoring_of_the_jobs_of_the_connection(
    tmp_path: Path, lab: Connection, running: ServiceAddress
) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        request = asyncio.create_task(at.controller.connections.sign_in(lab))
        fill(await shown(at), token=running.token)
        press(at.window, "Sign in")
        assert await request
        await until(lambda: [entry.name for entry in at.pool.resumed] == ["Lab"])
        at.pool.resumed.clear()
        await change(at, lab, name="Laboratory")
        await at.settled()
        assert at.pool.resumed == []


@pytest.mark.spec("T-07")
async def test_a_replaced_token_is_deleted(tmp_path: Path, lab: Connection, running: ServiceAddress) -> None:
    async with window_in(tmp_path, check=check_account) as at:
        at.pool.tokens["Lab"] = "leaked"
        await change(at, lab, token=running.token)
        await at.settled()
        assert at.pool.tokens == {"Lab": running.token}


async def test_removing_the_token_removes_the_owner(lab: Connection, at: OpenTestWindow) -> None:
    await at.controller.session.select("Lab")
    with pytest.raises(NotSignedIn):
        await at.controller.session.context(may_prompt=False)
    now = await at.controller.connections.connection("Lab")
    assert now == replace(lab, owner="", email="")


async def assert_no_token_stored(at: OpenTestWindow, connections: Connections) -> None:
    """Enter a token for a connection that another window removed, and check that the token is not stored."""
    dialog = await shown(at)
    fill(dialog, token="given")
    connections.remove("Lab")
    dialog.accept_button.click()
    await settled(dialog)
    assert "The connection “Lab” no longer exists" in errors(dialog)[""]
    assert at.pool.tokens == {}
    press(at.window, "Cancel")


async def test_no_token_is_stored_for_a_connection_removed_in_another_window(
    tmp_path: Path, lab: Connection, at: OpenTestWindow
) -> None:
    connections = Connections(tmp_path / "data")
    await at.controller.connections.refresh()
    at.controller.change_connection(lab)
    await assert_no_token_stored(at, connections)
    await at.settled()
    connections.add(lab)
    request = asyncio.create_task(at.controller.connections.sign_in(lab))
    await assert_no_token_stored(at, connections)
    assert not await request
    assert at.failures == []
