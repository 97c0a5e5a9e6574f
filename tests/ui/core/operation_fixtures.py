"""A fake session at a hosted service, and work with scripted outcomes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from itertools import repeat
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import pytest
from PySide6.QtCore import QObject, Signal

from batchwright.api.http.errors import Unauthorized, Unreachable
from batchwright.client import resilient_run
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRun, OperationRunner, OperationState
from batchwright.ui.core.session import ConnectionPoolLike, ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from batchwright.workflows.messages import describe
from tests.ui.conftest import until

LAB = Connection("Lab", "https://lab.example.org", "w1")
OFFLINE = Unreachable("GET", "no connection", arrived=False)
REJECTED = Unauthorized("GET /users/me/", ServiceError(401, ErrorKind.GENERAL))


class Study(QObject):
    """A fake open study: its number, and a signal when it changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.opening = 1

    def open_another(self) -> None:
        self.opening += 1
        self.changed.emit()


@dataclass
class Pool:
    """Returns a new service context for each token; none without a token."""

    has_token: bool = True
    version: int = 0
    service: Any = None
    local: dict[str, object] = field(default_factory=dict)
    """What the local service does instead of nothing, by the name of the call."""

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        if not self.has_token:
            raise NotSignedIn(connection.name)
        if self.service is None or self.service.version != self.version:
            self.service = SimpleNamespace(version=self.version, local=AsyncMock(**self.local))
        context = SimpleNamespace(
            service=self.service, workspace_id="w1", notify=notify, jobs=AsyncMock(), checkpoint=Mock()
        )
        return cast("WorkflowContext", context)


@dataclass
class Fixture:
    """An operation runner at a hosted service, and the user who signs in."""

    pool: Pool = field(default_factory=Pool)
    study: Study = field(default_factory=Study)
    prompts: list[str] = field(default_factory=list)
    gives_token: bool = True
    failed: list[str] = field(default_factory=list)
    connections: dict[str, Connection] = field(
        default_factory=lambda: {entry.name: entry for entry in (LAB, THIS_COMPUTER)}
    )

    def __post_init__(self) -> None:
        self.tasks = Tasks(describe)
        self.tasks.failed.connect(lambda _name, message, _error: self.failed.append(message.what))
        self.session = ConnectionSession(cast("ConnectionPoolLike", self.pool), self._find, self._sign_in)
        self.subject = Subject(
            lambda: (self.study.opening, self.session.connection.name),
            self.study.changed,
            self.session.changed,
        )
        self.runner = self.runner_for()

    def use_local(self, **calls: object) -> None:
        """Set the calls of the local service."""
        self.pool.local |= calls

    def runner_for(self, at_once: int | None = None) -> OperationRunner:
        return OperationRunner(self.subject, self.session, self.tasks, at_once=at_once)

    async def _find(self, name: str) -> Connection:
        return self.connections[name]

    async def _sign_in(self, connection: Connection, _error: KeyringUnavailable | None = None) -> bool:
        self.prompts.append(connection.name)
        await asyncio.sleep(0.05)
        self.pool.has_token = self.gives_token
        self.pool.version += 1
        return self.gives_token

    async def settled(self) -> None:
        await until(lambda: not self.tasks.running)

    def state(self, key: str = "count") -> OperationState | None:
        operation = self.runner.get(key)
        return operation.state if operation is not None else None


@pytest.fixture
async def at(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fixture]:
    monkeypatch.setattr(resilient_run, "backoff", lambda: repeat(0.01))
    at = Fixture()
    await at.session.select("Lab")
    yield at
    await at.tasks.aclose()


@dataclass
class Work:
    """Work that ends with one outcome per run: raises it, or returns it once `may_end` is set."""

    outcomes: list[object]
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    runs: list[OperationRun] = field(default_factory=list)
    hooks: list[RecoveryHooks | None] = field(default_factory=list)

    async def __call__(self, run: OperationRun) -> object:
        self.runs.append(run)
        self.hooks.append(run.hooks)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        await self.may_end.wait()
        return outcome

    @classmethod
    def to(cls, *outcomes: object) -> "Work":
        """Work that ends at once."""
        work = cls(list(outcomes))
        work.may_end.set()
        return work


@dataclass
class ScriptedWork:
    """Replaces the workflow of a command: raises its failures, then returns its result after `may_end`."""

    result: object
    failures: list[Exception] = field(default_factory=list)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    calls: int = 0

    def fails(self, *failures: Exception) -> None:
        """Fail with each of these in turn, then return without waiting."""
        self.failures += failures
        self.may_end.set()

    async def __call__(self, *_arguments: object, **_options: object) -> Any:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        await self.may_end.wait()
        return self.result


@dataclass(frozen=True)
class Command:
    """A command of a stage whose work is scripted by the test."""

    operations: OperationRunner
    work: ScriptedWork
    start: Callable[[], object]
    has_result: Callable[[], bool]
    """Whether the result was applied to what is open now."""
    open_another_study: Callable[[], object]
    shows_error: bool = False
    """Whether the stage itself shows the error, so that there is no notification."""
    keeps_connection: bool = False
    """Whether it continues, and its result is applied, when another connection is chosen."""
    belongs_to_window: bool = False
    """Whether it continues whichever study and connection are open, and its result is applied."""
