"""The connection of a window: it prompts for the key ring and for a token until the user cancels."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest
from shiboken6 import delete

from batchwright.api.http.errors import Unauthorized
from batchwright.client.connection_pool import ConnectionPool, NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.local_service import LocalServiceManager, ServiceState
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.session import ConnectionSession
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import FakeConnectionPool
from tests.ui.window_fixtures import FakeServiceProcess, OpenTestWindow

LAB = Connection("Lab", "https://api.example.org", "w1")
LOCKED = KeyringUnavailable(KeyringFailure.LOCKED, "the key ring is locked")


@dataclass(kw_only=True)
class FailingPool(FakeConnectionPool):
    """Raises each error in turn, then returns a workflow context."""

    workflow_context: WorkflowContext = field(default_factory=lambda: cast("WorkflowContext", object()))
    errors: list[Exception] = field(default_factory=list)

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        if self.errors:
            raise self.errors.pop(0)
        return self.workflow_context


@dataclass
class FakeUser:
    """Answers each prompt in turn, and cancels when no answer is left."""

    answers: list[bool]
    prompts: list[KeyringUnavailable | None] = field(default_factory=list)

    async def sign_in(self, connection: Connection, no_ring: KeyringUnavailable | None = None, /) -> bool:
        self.prompts.append(no_ring)
        return self.answers.pop(0) if self.answers else False


async def find_connection(name: str) -> Connection:
    return LAB


def session_of(pool: FailingPool, user: FakeUser) -> ConnectionSession:
    return ConnectionSession(pool, find_connection, user.sign_in)


async def test_a_locked_key_ring_is_prompted_for_before_a_token() -> None:
    pool, user = FailingPool(errors=[LOCKED, NotSignedIn("Lab")]), FakeUser([True, True])
    assert await session_of(pool, user).context() is pool.workflow_context
    assert user.prompts == [LOCKED, None]


@pytest.mark.parametrize("obstacle", [LOCKED, NotSignedIn("Lab")])
async def test_a_cancelled_prompt_raises_the_reason_for_it(obstacle: Exception) -> None:
    with pytest.raises(type(obstacle)):
        await session_of(FailingPool(errors=[obstacle]), FakeUser([])).context()


@pytest.mark.parametrize("obstacle", [LOCKED, NotSignedIn("Lab")])
async def test_without_permission_to_prompt_the_reason_is_raised(obstacle: Exception) -> None:
    user = FakeUser([True])
    with pytest.raises(type(obstacle)):
        await session_of(FailingPool(errors=[obstacle]), user).context(may_prompt=False)
    assert user.prompts == []


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "refused"])
async def test_a_missing_or_rejected_token_is_reported_as_signed_out(*, is_missing: bool) -> None:
    messages: list[Connection] = []

    async def signed_out(connection: Connection) -> None:
        messages.append(connection)

    async def refused(_context: WorkflowContext, _waits: RecoveryHooks | None) -> None:
        raise Unauthorized("GET /users/me/", ServiceError(401, ErrorKind.GENERAL))

    pool = FailingPool(errors=[NotSignedIn("Lab")] if is_missing else [])
    session = ConnectionSession(pool, find_connection, FakeUser([]).sign_in, on_signed_out=signed_out)
    with pytest.raises((NotSignedIn, Unauthorized)):
        await session.run(refused, connection_name="Lab", may_prompt=False)
    assert messages == [LAB]


async def test_the_session_follows_a_changed_connection_and_leaves_a_removed_one() -> None:
    session = session_of(FailingPool(errors=[]), FakeUser([]))
    await session.select("Lab")
    messages: list[Connection] = []
    session.changed.connect(lambda: messages.append(session.connection))
    session.update_connections((THIS_COMPUTER, LAB))
    changed = replace(LAB, workspace_id="w2")
    session.update_connections((THIS_COMPUTER, changed))
    session.update_connections((THIS_COMPUTER,))
    assert messages == [changed, THIS_COMPUTER]


@pytest.mark.gui
async def test_the_session_follows_connections_changed_in_another_window(at: OpenTestWindow) -> None:
    connections = at.controller.connections._connections
    connections.add(LAB)
    at.controller.refresh_connections()
    await at.settled()
    await at.controller.session.select("Lab")
    connections.change(replace(LAB, label="Laboratory"))
    at.controller.refresh_connections()
    await at.settled()
    assert at.shell.connection.text == "Laboratory"
    connections.remove("Lab")
    at.controller.refresh_connections()
    await at.settled()
    assert not at.shell.connection.is_live


class SlowHost:
    """A local service process that starts once `released` is set."""

    recent_output = ""
    is_running = True
    released = threading.Event()

    def __init__(self, _on_end: Callable[[], object]) -> None:
        self.released.clear()

    def start(self) -> ServiceAddress:
        self.released.wait(30)
        return ServiceAddress("http://127.0.0.1:9/api/v1", "w1", "token")

    def stop(self) -> None:
        self.released.set()


async def test_an_operation_reports_a_slow_start_of_the_local_service(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("batchwright.api.http.retry.SILENCE_S", 0.05)
    reports: list[str] = []

    async def find(_name: str) -> Connection:
        return THIS_COMPUTER

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None) -> str:
        return context.workspace_id

    pool = ConnectionPool(Folders(tmp_path / "data", tmp_path / "cache"), TokenStore())
    pool.local_service = LocalServiceManager(SlowHost, lambda: None)
    session, is_silent = ConnectionSession(pool, find, FakeUser([]).sign_in), asyncio.Event()
    view = asyncio.create_task(session.run(work))  # waits as well, and reports nothing

    def on_offline() -> None:
        reports.append("silent")
        is_silent.set()

    running = asyncio.create_task(session.run(work, on_offline, on_online=lambda: reports.append("ready")))
    async with asyncio.timeout(10):
        await is_silent.wait()
        SlowHost.released.set()
        assert [await view, await running] == ["w1", "w1"]
    await pool.close()
    assert reports == ["silent", "ready"]


async def test_the_local_service_starts_although_the_window_that_needed_it_was_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FakeServiceProcess, "reason", "")
    session, is_closed = session_of(FailingPool(), FakeUser([])), threading.Event()
    service = LocalServiceManager(FakeServiceProcess, is_closed.wait)
    starting = asyncio.ensure_future(service.ensure_running(session.notify))
    await until(lambda: service.status.state is ServiceState.STARTING)
    delete(session)
    is_closed.set()
    await starting
    assert service.status.state is ServiceState.RUNNING
    await service.close()
