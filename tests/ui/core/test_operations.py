"""Long-running operations: what the runner does for every command, with work of the tests' own."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import Unauthorized, Unreachable
from batchwright.client import resilient_run
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.context import Notify, WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import Operation, OperationRun, OperationRunner, OperationState
from batchwright.ui.core.session import ConnectionPoolLike, ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.shell.state import ActivityStatus, ShellState
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from batchwright.workflows.messages import describe
from tests.ui.conftest import REHEARSAL, until

pytestmark = pytest.mark.gui

LAB = Connection("Lab", "https://lab.example.org", "w1")
OFFLINE = Unreachable("GET", "no connection", arrived=False)
REJECTED = Unauthorized("GET /users/me/", ServiceError(401, ErrorKind.GENERAL))


class Study(QObject):
    """Stands for the open study: its number, and a signal after it has changed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.opening = 1

    def open_another(self) -> None:
        self.opening += 1
        self.changed.emit()


@dataclass
class Pool:
    """Gives a new context each time, once there is a token."""

    has_token: bool = True
    version: int = 0

    async def bench(self, connection: Connection, tell: Notify) -> WorkflowContext:
        if not self.has_token:
            raise NotSignedIn(connection.name)
        context = cast("Any", QObject())
        context.service, context.tell = self.version, tell
        return cast("WorkflowContext", context)


@dataclass
class Fixture:
    """A runner at a hosted service, and the person at the window."""

    loop: asyncio.AbstractEventLoop
    pool: Pool = field(default_factory=Pool)
    study: Study = field(default_factory=Study)
    asked: list[str] = field(default_factory=list)
    gives_token: bool = True
    failed: list[str] = field(default_factory=list)
    connections: dict[str, Connection] = field(
        default_factory=lambda: {one.name: one for one in (LAB, THIS_COMPUTER)}
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

    def runner_for(self, at_once: int | None = None) -> OperationRunner:
        return OperationRunner(self.subject, self.session, self.tasks, at_once=at_once)

    async def _find(self, name: str) -> Connection:
        return self.connections[name]

    async def _sign_in(self, connection: Connection, _error: KeyringUnavailable | None = None) -> bool:
        self.asked.append(connection.name)
        await asyncio.sleep(0.05)
        self.pool.has_token = self.gives_token
        self.pool.version += 1
        return self.gives_token

    async def settled(self) -> None:
        await until(lambda: not self.tasks.running)

    def state(self, key: str = "count") -> OperationState | None:
        operation = self.runner.get(key)
        return operation.state if operation is not None else None

    def flow(self, steps: Callable[[], Awaitable[None]]) -> None:
        async def run() -> None:
            await self.session.choose("Lab")
            try:
                await steps()
            finally:
                await self.tasks.aclose()

        self.loop.run_until_complete(asyncio.wait_for(run(), 20))


@pytest.fixture
def at(loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch) -> Fixture:
    monkeypatch.setattr(resilient_run, "backoff", lambda: repeat(0.01))
    return Fixture(loop)


@dataclass
class Work:
    """Ends with each outcome in turn: an exception, or else its result once it may end."""

    outcomes: list[object]
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    runs: list[OperationRun] = field(default_factory=list)
    hooks: list[RecoveryHooks | None] = field(default_factory=list)

    async def __call__(
        self, context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun
    ) -> object:
        self.runs.append(run)
        self.hooks.append(hooks)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        await self.may_end.wait()
        return outcome

    @classmethod
    def to(cls, *outcomes: object) -> "Work":
        """Work that does not wait."""
        work = cls(list(outcomes))
        work.may_end.set()
        return work


COUNT = Operation("count", "Counting")


def test_an_operation_returns_its_result_and_shows_its_progress(at: Fixture) -> None:
    async def steps() -> None:
        results: list[object] = []
        ended: list[Operation] = []
        at.runner.finished.connect(ended.append)
        work = Work([3])
        at.runner.start(COUNT, work, results.append)
        assert at.state() is OperationState.RUNNING
        await until(lambda: bool(work.runs))
        work.runs[0].update(fraction=0.5, text="Half")
        shown = at.runner.current
        assert shown is not None
        assert (shown.fraction, shown.message, shown.connection) == (0.5, "Half", "Lab")
        work.may_end.set()
        await at.settled()
        assert results == [3]
        assert [one.state for one in ended] == [OperationState.SUCCEEDED]
        assert at.runner.current is None
        work.runs[0].update(fraction=0.9)
        assert at.state() is OperationState.SUCCEEDED

    at.flow(steps)


def test_an_operation_that_is_running_is_not_started_again(at: Fixture) -> None:
    async def steps() -> None:
        first, second = Work([1]), Work.to(2)
        at.runner.start(COUNT, first)
        at.runner.start(COUNT, second)
        first.may_end.set()
        await at.settled()
        assert (len(first.runs), len(second.runs)) == (1, 0)
        at.runner.start(COUNT, second)
        await at.settled()
        assert len(second.runs) == 1

    at.flow(steps)


@pytest.mark.parametrize("another", ["study", "connection"])
def test_the_result_is_discarded_when_the_subject_has_changed(at: Fixture, another: str) -> None:
    async def steps() -> None:
        results: list[object] = []
        ended: list[Operation] = []
        at.runner.finished.connect(ended.append)
        work = Work([1])
        at.runner.start(COUNT, work, results.append)
        await until(lambda: bool(work.runs))
        if another == "study":
            at.study.open_another()
        else:
            await at.session.choose(THIS_COMPUTER.name)
        assert at.runner.all == ()
        work.may_end.set()
        await at.settled()
        assert results == []
        assert [one.state for one in ended] == [OperationState.SUCCEEDED]

    at.flow(steps)


def test_an_operation_is_shown_again_with_its_connection(at: Fixture) -> None:
    async def steps() -> None:
        results: list[object] = []
        work = Work([1])
        at.runner.start(COUNT, work, results.append)
        await at.session.choose(THIS_COMPUTER.name)
        await at.session.choose("Lab")
        assert at.state() is OperationState.RUNNING
        work.may_end.set()
        await at.settled()
        assert results == [1]

    at.flow(steps)


def test_an_operation_may_end_when_its_study_is_left(at: Fixture) -> None:
    async def steps() -> None:
        ended: list[OperationState] = []
        at.runner.finished.connect(lambda operation: ended.append(operation.state))
        at.runner.start(Operation("answer", "Answering", cancels_on_leave=True), Work([1]))
        at.study.open_another()
        await at.settled()
        assert ended == [OperationState.CANCELLED]

    at.flow(steps)


def test_an_outage_is_shown_at_once_and_survived(at: Fixture) -> None:
    async def steps() -> None:
        states: list[OperationState | None] = []
        at.runner.changed.connect(lambda: states.append(at.state()))
        messages: list[str] = []
        at.runner.changed.connect(lambda: messages.extend(one.message for one in at.runner.all))
        work = Work.to(OFFLINE, OFFLINE, 1)
        at.runner.start(COUNT, work)
        await at.settled()
        assert OperationState.OFFLINE in states
        assert any("cannot be reached" in one for one in messages)
        assert (at.state(), len(work.runs), at.failed) == (OperationState.SUCCEEDED, 3, [])

    at.flow(steps)


def test_what_moves_again_is_not_offline(at: Fixture) -> None:
    async def steps() -> None:
        async def step(context: WorkflowContext) -> None:
            if not states:
                states.append(OperationState.OFFLINE)
                raise OFFLINE
            operation.update(fraction=0.5)
            states.append(operation.operation.state)

        states: list[OperationState] = []
        operation: OperationRun

        async def work(context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> None:
            nonlocal operation
            operation = run
            await run_resiliently(context, step, hooks)

        at.runner.start(COUNT, work)
        await at.settled()
        assert states == [OperationState.OFFLINE, OperationState.RUNNING]

    at.flow(steps)


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "rejected"])
def test_a_token_is_asked_for_once_for_all_that_need_it(at: Fixture, *, is_missing: bool) -> None:
    at.pool.has_token = not is_missing

    async def steps() -> None:
        for key in ("one", "two"):
            at.runner.start(Operation(key, key), Work.to(1) if is_missing else Work.to(REJECTED, 1))
        await at.settled()
        assert [at.state(key) for key in ("one", "two")] == [OperationState.SUCCEEDED] * 2
        assert at.asked == ["Lab"]

    at.flow(steps)


def test_without_a_token_an_operation_needs_sign_in_and_so_do_those_that_are_queued(at: Fixture) -> None:
    at.pool.has_token = at.gives_token = False
    at.runner = at.runner_for(at_once=1)

    async def steps() -> None:
        for key in ("one", "two"):
            at.runner.start(Operation(key, key), Work.to(1))
        assert at.state("two") is OperationState.QUEUED
        await at.settled()
        assert [at.state(key) for key in ("one", "two")] == [OperationState.NEEDS_SIGN_IN] * 2
        assert at.asked == ["Lab"]

    at.flow(steps)


def test_only_so_many_run_at_once(at: Fixture) -> None:
    at.runner = at.runner_for(at_once=1)

    async def steps() -> None:
        first = Work([1])
        at.runner.start(Operation("one", "One"), first)
        at.runner.start(Operation("two", "Two"), Work.to(2))
        await until(lambda: bool(first.runs))
        assert at.state("two") is OperationState.QUEUED
        at.runner.cancel("one")
        await at.settled()
        assert (at.state("one"), at.state("two")) == (OperationState.CANCELLED, OperationState.SUCCEEDED)

    at.flow(steps)


@pytest.mark.parametrize("has_started", [True, False])
def test_a_cancelled_operation_has_ended_at_once(at: Fixture, *, has_started: bool) -> None:
    async def steps() -> None:
        closed: list[str] = []
        work = Work([1])
        at.runner.start(COUNT, work)
        if has_started:
            await until(lambda: bool(work.runs))
            work.runs[0].resources.callback(closed.append, "closed")
        at.runner.cancel("count")
        assert at.state() is OperationState.CANCELLED
        await at.settled()
        assert closed == ["closed"] * has_started
        assert at.failed == []
        at.runner.forget("count")
        assert at.state() is None

    at.flow(steps)


@pytest.mark.parametrize("shows_error", [True, False])
def test_an_error_is_shown_in_one_place(at: Fixture, *, shows_error: bool) -> None:
    async def steps() -> None:
        operation = Operation("count", "Counting", shows_error=shows_error)
        at.runner.start(operation, Work.to(OSError(28, "No space left on device")))
        await at.settled()
        shown = at.runner.get("count")
        assert shown is not None
        assert shown.error is not None
        assert shown.state is OperationState.FAILED
        assert at.failed == ([] if shows_error else [shown.error.what])

    at.flow(steps)


def test_the_status_bar_shows_what_runs_and_leaves_what_another_shows(at: Fixture) -> None:
    async def steps() -> None:
        shell = ShellState(REHEARSAL)
        at.runner.show_in(shell)
        work = Work([1])
        at.runner.start(COUNT, work)
        assert shell.running == ActivityStatus("Counting")
        at.study.open_another()
        is_shown = shell.running is not None
        assert not is_shown
        shell.set_running(ActivityStatus("Uploading"))
        work.may_end.set()
        await at.settled()
        assert shell.running == ActivityStatus("Uploading")

    at.flow(steps)
