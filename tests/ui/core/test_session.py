"""The connection of a window: asked for a token or the keyring as long as the person goes on."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from batchwright.api.errors import Unauthorized
from batchwright.client.connection_pool import ConnectionPool, NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.local_service import LocalServiceManager
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.id_registry import IdRegistry
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.local.sent_files import SentFiles
from batchwright.local.versions import VersionStore
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.session import ConnectionSession
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from tests.ui.window_fixtures import OpenTestWindow, with_test_window

LAB = Connection("Lab", "https://api.example.org", "w1")
LOCKED = KeyringUnavailable(KeyringFailure.LOCKED, "nobody unlocked it")


@dataclass
class Hindered:
    """Opens a workflow context once everything in its way was raised."""

    hindrances: list[Exception]
    bench_given: WorkflowContext = field(default_factory=lambda: cast("WorkflowContext", object()))

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        if self.hindrances:
            raise self.hindrances.pop(0)
        return self.bench_given

    async def job_watcher(self) -> JobWatcher:
        raise AssertionError("no test here looks at jobs")

    async def sent_files(self) -> SentFiles:
        raise AssertionError("no test here looks at feedback files")

    async def id_registry(self) -> IdRegistry:
        raise AssertionError("no test here looks at the register")

    async def version_store(self) -> VersionStore:
        raise AssertionError("no test here looks at versions")

    async def resume(self, connection: Connection, notify: Notify) -> None:
        """No test here leaves a job behind."""


@dataclass
class Person:
    """Answers what they are asked, and gives up when there is no answer left."""

    answers: list[bool]
    prompts: list[KeyringUnavailable | None] = field(default_factory=list)

    async def sign_in(self, connection: Connection, no_ring: KeyringUnavailable | None = None, /) -> bool:
        self.prompts.append(no_ring)
        return self.answers.pop(0) if self.answers else False


async def find_connection(name: str) -> Connection:
    return LAB


def session_of(pool: Hindered, person: Person) -> ConnectionSession:
    return ConnectionSession(pool, find_connection, person.sign_in)


def test_a_locked_key_ring_is_asked_about_before_a_token_is() -> None:
    pool, person = Hindered([LOCKED, NotSignedIn("Lab")]), Person([True, True])
    assert asyncio.run(session_of(pool, person).context()) is pool.bench_given
    assert person.prompts == [LOCKED, None]


@pytest.mark.parametrize("obstacle", [LOCKED, NotSignedIn("Lab")])
def test_a_user_who_gives_up_is_notified_of_what_is_missing(obstacle: Exception) -> None:
    with pytest.raises(type(obstacle)):
        asyncio.run(session_of(Hindered([obstacle]), Person([])).context())


@pytest.mark.parametrize("obstacle", [LOCKED, NotSignedIn("Lab")])
def test_who_merely_looks_is_asked_for_nothing(obstacle: Exception) -> None:
    person = Person([True])
    with pytest.raises(type(obstacle)):
        asyncio.run(session_of(Hindered([obstacle]), person).context(may_prompt=False))
    assert person.prompts == []


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "refused"])
def test_who_shows_the_owner_of_a_token_is_notified_of_that_it_is_gone(*, is_missing: bool) -> None:
    messages: list[Connection] = []

    async def signed_out(connection: Connection) -> None:
        messages.append(connection)

    async def refused(_context: WorkflowContext, _waits: RecoveryHooks | None) -> None:
        raise Unauthorized("GET /users/me/", ServiceError(401, ErrorKind.GENERAL))

    async def look() -> None:
        pool = Hindered([NotSignedIn("Lab")] if is_missing else [])
        session = ConnectionSession(pool, find_connection, Person([]).sign_in, on_signed_out=signed_out)
        with pytest.raises((NotSignedIn, Unauthorized)):
            await session.run(refused, connection_name="Lab", may_prompt=False)

    asyncio.run(look())
    assert messages == [LAB]


def test_a_changed_connection_is_taken_and_a_forgotten_one_left() -> None:
    session = session_of(Hindered([]), Person([]))
    asyncio.run(session.select("Lab"))
    messages: list[Connection] = []
    session.changed.connect(lambda: messages.append(session.connection))
    session.update_connections((THIS_COMPUTER, LAB))
    changed = replace(LAB, workspace_id="w2")
    session.update_connections((THIS_COMPUTER, changed))
    session.update_connections((THIS_COMPUTER,))
    assert messages == [changed, THIS_COMPUTER]


@pytest.mark.gui
def test_what_another_window_does_with_connections_is_seen(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    async def steps(at: OpenTestWindow) -> None:
        connections = at.controller.connections._connections
        connections.add(LAB)
        at.controller.refresh_connections()
        await at.settled()
        await at.controller.session.select("Lab")
        connections.change(replace(LAB, label="Laboratory"))
        at.controller.refresh_connections()
        await at.settled()
        assert at.model.connection.text == "Laboratory"
        connections.remove("Lab")
        at.controller.refresh_connections()
        await at.settled()
        assert not at.model.connection.is_live

    with_test_window(loop, tmp_path, steps)


class SlowHost:
    """A host of the service on this computer whose start takes until it is released."""

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


def test_work_reports_that_the_service_on_this_computer_takes_long_to_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("batchwright.api.retry.SILENCE_S", 0.05)
    reports: list[str] = []

    async def find(_name: str) -> Connection:
        return THIS_COMPUTER

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None) -> str:
        return context.workspace_id

    async def steps() -> None:
        pool = ConnectionPool(Folders(tmp_path / "data", tmp_path / "cache"), TokenStore())
        pool.local_service = LocalServiceManager(SlowHost, lambda: None)
        session, is_silent = ConnectionSession(pool, find, Person([]).sign_in), asyncio.Event()
        view = asyncio.create_task(session.run(work))  # waits first, and reports nothing

        def on_offline() -> None:
            reports.append("silent")
            is_silent.set()

        running = asyncio.create_task(
            session.run(work, on_offline, on_online=lambda: reports.append("ready"))
        )
        async with asyncio.timeout(10):
            await is_silent.wait()
            SlowHost.released.set()
            assert [await view, await running] == ["w1", "w1"]
        await pool.close()

    asyncio.run(steps())
    assert reports == ["silent", "ready"]
