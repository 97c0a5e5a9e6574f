"""Tokens in a real Secret Service key ring that is open, locked, unlocked later, or missing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from batchwright.client.connection_pool import ConnectionPool
from batchwright.local.connections import Connection, Connections
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.ui.connections.controller import ConnectionsController
from batchwright.ui.connections.sign_in import RemoveConnectionDialog, SignInDialog
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.account import User
from tests.local.login_sessions import Session, needs_programs
from tests.ui.conftest import until
from tests.ui.window_fixtures import press

pytestmark = [
    pytest.mark.gui,
    pytest.mark.keyring,
    needs_programs,
    # The library leaves its connection to the bus open when a keyring stays locked.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"
    ),
]

TOKENS = ("canary-3Wd8qJ", "canary-6Zp1kV")
SECONDS = 30


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Start a login session with a message bus, and connect this process to it."""
    home = tmp_path / "home"
    home.mkdir()
    session = Session(home)
    with session.running:
        session.start_bus()
        for name in ("HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"):
            monkeypatch.setenv(name, session.environment[name])
        yield session


def secret_service() -> TokenStore:
    """The key ring of the session as the keyring library detects it."""
    from keyring.backends.SecretService import Keyring  # noqa: PLC0415

    return TokenStore(Keyring())  # type: ignore[no-untyped-call]  # the library has no types


class ProgramRun:
    """The connections of one run of the program, with a window."""

    def __init__(self, window: Window, folder: Path) -> None:
        folders = Folders(folder / "data", folder / "cache")
        folders.create()
        self.window = window
        self.pool = ConnectionPool(folders, secret_service())
        self.connecting = ConnectionsController(window, Connections(folders.data), self.pool, self._check)

    async def _check(self, url: str, token: str, workspace_id: str, certificates: str) -> User:
        """Accept every token."""
        return User(id="1", email="a@example.org")

    async def shown(self, kind: type[Dialog] = SignInDialog) -> Dialog:
        await until(lambda: any(widget.isVisible() for widget in self.window.findChildren(kind)), SECONDS)
        (dialog,) = (widget for widget in self.window.findChildren(kind) if widget.isVisible())
        return dialog

    async def fill_and_press(self, act: str, **texts: str) -> Dialog:
        dialog = await self.shown()
        for name, text in texts.items():
            field = dialog.findChild(QLineEdit, name)
            assert field is not None
            field.setText(text)
        press(self.window, act)
        return dialog

    async def offers(self, dialog: Dialog, act: str) -> None:
        """Wait until the accept button of the dialog has a text."""
        await until(lambda: dialog.accept_button.text() == act, SECONDS)

    async def added(self, name: str, token: str) -> None:
        adding = asyncio.create_task(self.connecting.add())
        await self.fill_and_press("Check and add", name=name, workspace_id="w", token=token)
        assert await adding


@asynccontextmanager
async def run_of_the_program(window: Window, folder: Path) -> AsyncIterator[ProgramRun]:
    program = ProgramRun(window, folder)
    await program.connecting.refresh()
    yield program
    await program.pool.close()


Steps = Callable[[], Awaitable[None]]


async def carry_out(loop: asyncio.AbstractEventLoop, steps: Steps) -> None:
    await steps()


def written(folder: Path) -> bytes:
    """The content of all files except those of the key ring."""
    files = [path for path in (folder / "data").rglob("*") if path.is_file()]
    return b"".join(path.read_bytes() for path in files)


async def test_tokens_of_several_connections_are_stored_changed_and_removed(
    loop: asyncio.AbstractEventLoop, window: Window, session: Session, tmp_path: Path
) -> None:
    session.unlock(b"right")

    async def steps() -> None:
        async with run_of_the_program(window, tmp_path) as program:
            await program.added("Lab", TOKENS[0])
            await program.added("Other lab", TOKENS[1])
        async with run_of_the_program(window, tmp_path) as program:
            assert await program.pool.token("Lab") == TOKENS[0]
            assert await program.pool.token("Other lab") == TOKENS[1]
            changing = asyncio.create_task(
                program.connecting.change(await program.connecting.connection("Lab"))
            )
            await program.fill_and_press("Check and save", token="canary-new")
            await changing
        async with run_of_the_program(window, tmp_path) as program:
            assert await program.pool.token("Lab") == "canary-new"
            removing = asyncio.create_task(
                program.connecting.remove(await program.connecting.connection("Lab"))
            )
            await program.shown(RemoveConnectionDialog)
            press(window, "Remove connection")
            assert await removing
            assert await program.pool.token("Lab") is None
        assert await secret_service().get("Lab") is None
        assert await secret_service().get("Other lab") == TOKENS[1]

    await carry_out(loop, steps)
    assert b"canary" not in written(tmp_path)


def lock(session: Session) -> None:
    """Let the key ring have a password, and lock it; the prompt gets a wrong one."""
    session.unlock(b"right")
    session.run("import keyring; keyring.set_password('Batchwright', 'Earlier', 'canary')")
    session.lock()
    session.unlock(b"wrong")


async def test_after_unlocking_the_key_ring_the_token_is_stored(
    loop: asyncio.AbstractEventLoop, window: Window, session: Session, tmp_path: Path
) -> None:
    lock(session)

    async def steps() -> None:
        async with run_of_the_program(window, tmp_path) as program:
            adding = asyncio.create_task(program.connecting.add())
            texts = {"name": "Lab", "workspace_id": "w", "token": TOKENS[0]}
            dialog = await program.fill_and_press("Check and add", **texts)
            await program.offers(dialog, "Add for this run only")
            press(window, "Unlock and try again")
            await program.offers(dialog, "Checking")
            await program.offers(dialog, "Add for this run only")
            session.lock()
            session.unlock(b"right")
            press(window, "Unlock and try again")
            assert await adding
        assert await secret_service().get("Lab") == TOKENS[0]

    await carry_out(loop, steps)
    assert b"canary" not in written(tmp_path)


async def test_with_a_locked_key_ring_the_token_is_used_for_this_run_only(
    loop: asyncio.AbstractEventLoop, window: Window, session: Session, tmp_path: Path
) -> None:
    lock(session)

    async def steps() -> None:
        async with run_of_the_program(window, tmp_path) as program:
            adding = asyncio.create_task(program.connecting.add())
            texts = {"name": "Lab", "workspace_id": "w", "token": TOKENS[0]}
            dialog = await program.fill_and_press("Check and add", **texts)
            await program.offers(dialog, "Add for this run only")
            press(window, "Add for this run only")
            assert await adding
            assert await program.pool.token("Lab") == TOKENS[0]
        async with run_of_the_program(window, tmp_path) as program:
            with pytest.raises(KeyringUnavailable) as caught:
                await program.pool.token("Lab")
            assert caught.value.failure is KeyringFailure.LOCKED

    await carry_out(loop, steps)
    assert b"canary" not in written(tmp_path)


async def test_without_a_key_ring_on_the_bus_the_token_is_used_for_this_run_only(
    loop: asyncio.AbstractEventLoop,
    window: Window,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")

    async def steps() -> None:
        async with run_of_the_program(window, tmp_path) as program:
            adding = asyncio.create_task(program.connecting.add())
            texts = {"name": "Lab", "workspace_id": "w", "token": TOKENS[0]}
            dialog = await program.fill_and_press("Check and add", **texts)
            await program.offers(dialog, "Add for this run only")
            press(window, "Add for this run only")
            assert await adding
            assert await program.pool.token("Lab") == TOKENS[0]

    await carry_out(loop, steps)
    assert b"canary" not in written(tmp_path)
    assert Connections(tmp_path / "data").all()[1] == Connection(
        "Lab", "https://api.prolific.com", "w", email="a@example.org", is_token_stored=False
    )
