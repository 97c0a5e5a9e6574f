"""Runs long operations; all work that the window performs at a service is started here.

A command describes an `Operation` and hands it to an `OperationRunner` together with its work:

    operations.start(
        Operation("set up", _("Creating tasks")),
        lambda run: set_up_confirmed(run.context, batch, tasks_per_group, run.hooks),
        on_success=state.store,
    )

The runner does the rest, the same way for every command:

- **One per key.** An operation whose key is running already is not started again. Keys count per subject.
- **Subject.** The operation belongs to the `Subject` that was current at its start, such as a study at a
  connection. It continues when another study is opened, unless `cancels_on_leave` is set; its result is then
  discarded: `on_success` is not called.
- **Outages.** While the service does not respond, the state is `OFFLINE`. The work is started again once the
  network is back, or the service on this computer was restarted, so it must not create anything twice: a step
  that must not be repeated runs inside the work, in `run_resiliently` with `run.hooks`.
- **Sign-in.** A missing or rejected token is asked for once, however many operations wait for it, and the
  work continues with it. If the user gives none, the operation ends as `NEEDS_SIGN_IN`.
- **Cancelling.** `cancel` ends an operation at once; whatever the service has received stays there.
- **Errors.** A failed operation keeps its message in `error`. `Tasks` also shows it as a notice, unless
  its stage shows the error (`shows_error`); an unexpected error is always shown.
- **Progress.** The work calls `run.update(fraction=…, text=…)`; the stage listens to `changed`, and the
  status bar shows the first running operation (`show_in`).

Rows in Jobs are written by the client (`client.job_monitoring`) for the part of the work that is a job:
the commands of `batchwright-cli` write them too.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.errors import needs_sign_in
from batchwright.ui.core.activity import ActivityDisplay, ActivityStatus
from batchwright.ui.core.authentication import outage_text
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject

if TYPE_CHECKING:  # imported after the first stage is shown, since it takes long
    from batchwright.client.resilient_run import RecoveryHooks

_log = logging.getLogger(__name__)

T = TypeVar("T")


class OperationState(Enum):
    """The state of an operation; the last four are final."""

    QUEUED = auto()
    RUNNING = auto()
    WAITING = auto()
    """The service has not started it yet, or processes something else first."""
    OFFLINE = auto()
    """The service does not respond; the work continues when it does."""
    NEEDS_SIGN_IN = auto()
    """It ended because a token is missing; if it is started again, the user is asked for one again."""
    SUCCEEDED = auto()
    FAILED = auto()
    CANCELLED = auto()

    @property
    def is_final(self) -> bool:
        """Whether the operation has ended."""
        return self in _FINAL


_FINAL = frozenset(
    {
        OperationState.NEEDS_SIGN_IN,
        OperationState.SUCCEEDED,
        OperationState.FAILED,
        OperationState.CANCELLED,
    }
)


@dataclass(frozen=True)
class Operation:
    """An operation as a value; subclasses add the fields that their stage shows, with `kw_only=True`."""

    key: str
    """Identifies the operation among those of its subject."""
    title: str
    """The title for the user, as "Creating tasks"."""
    connection: str = ""
    """The name of the connection; empty for the current one, whose name the runner fills in."""
    text: str = ""
    """The current step, if more precise than the title."""
    fraction: float | None = None
    """The fraction done, from 0 to 1; None if unknown."""
    state: OperationState = OperationState.QUEUED
    error: TaskMessage | None = None
    cancels_on_leave: bool = field(default=False, kw_only=True)
    """Whether it is cancelled when its subject changes, as when another study is opened."""
    shows_error: bool = field(default=False, kw_only=True)
    """Whether its stage shows the error, so that no notice is needed."""

    @property
    def log_name(self) -> str:
        """Its name in the log: the kind, and the key, which contains nothing that the user has entered."""
        return f"{type(self).__name__} “{self.key}”"

    @property
    def is_running(self) -> bool:
        """Whether it has not ended; also true while it is queued or waits."""
        return not self.state.is_final

    @property
    def message(self) -> str:
        """The current text for the user."""
        if self.state is OperationState.OFFLINE:
            return outage_text(self.connection)
        return self.text or self.title


@dataclass
class OperationRun:
    """A running operation, passed to its work: what it may use, and a way to update the operation."""

    operation: Operation
    subject: Hashable
    resources: ExitStack
    """Closed when the operation ends; created once, although the work may be called several times."""
    number: int
    work: "Work[Any]"
    on_success: Callable[[Any], object] | None
    on_update: Callable[[], object]
    context: WorkflowContext = field(init=False)
    """The context of the connection; set each time before the work is called."""
    hooks: "RecoveryHooks | None" = field(init=False)
    """For steps that must not be repeated (`run_resiliently`); set with the context."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    started_at: float | None = None
    """The time of `time.monotonic` when it began to run; None while it is queued."""

    def update(self, **changes: Any) -> None:
        """Change fields of the operation; one that was offline is running again. Does nothing once it has
        ended.
        """
        if self.operation.is_running:
            if self.operation.state is OperationState.OFFLINE:
                changes.setdefault("state", OperationState.RUNNING)
            self.operation = replace(self.operation, **changes)
            self.on_update()

    @property
    def task_name(self) -> str:
        """The name of its task, which is unique."""
        return f"{self.operation.key} {self.number}"


Work = Callable[[OperationRun], Awaitable[T]]
"""Performs an operation, or continues it; called again after an outage or with a new token."""


class OperationRunner(QObject):
    """Runs operations, and stores the latest one of each key until it is replaced or removed with `remove`.

    Args:
        subject: what the operations belong to.
        session: provides the context of a connection.
        tasks: runs the work, and reports errors.
        at_once: maximum number of operations that run at a time; others are queued in the order of their
            start.
    """

    changed = Signal()
    """An operation was started, updated or ended, or the subject has changed."""
    finished = Signal(object)
    """An `Operation` has ended, successfully or not, of any subject; emitted after `on_success`."""

    def __init__(
        self,
        subject: Subject,
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        at_once: int | None = None,
    ) -> None:
        super().__init__(parent)
        self._subject, self._session, self._tasks, self._at_once = subject, session, tasks, at_once
        self._runs: dict[tuple[Hashable, str], OperationRun] = {}
        self._queued = deque[OperationRun]()
        """In the order of their start; may contain some that have been cancelled."""
        self._started_count = 0
        """Number of operations that have been started from the queue and have not ended."""
        self._numbers = count(1)
        self._display: ActivityDisplay | None = None
        self._activity: ActivityStatus | None = None
        subject.changed.connect(self._on_subject_changed)
        self.changed.connect(self._show_activity)

    @property
    def all(self) -> tuple[Operation, ...]:
        """The operations of the current subject, in the order of their start."""
        return tuple(self._of_subject())

    @property
    def current(self) -> Operation | None:
        """The first operation of the current subject that is running."""
        return next((operation for operation in self._of_subject() if operation.is_running), None)

    def get(self, key: str) -> Operation | None:
        """The latest operation with a key, running or not."""
        run = self._runs.get((self._subject.value, key))
        return run.operation if run is not None else None

    def start(
        self, operation: Operation, work: Work[T], on_success: Callable[[T], object] | None = None
    ) -> None:
        """Start an operation, unless one with the same key is running.

        Args:
            operation: the initial value; its connection is filled in.
            work: performs the operation.
            on_success: is called with the result of the work, unless the subject has changed.
        """
        before = self.get(operation.key)
        if before is not None and before.is_running:
            return
        operation = replace(
            operation,
            connection=operation.connection or self._session.connection.name,
            state=OperationState.QUEUED,
            error=None,
        )
        subject = self._subject.value
        self._runs.pop((subject, operation.key), None)
        run = OperationRun(
            operation, subject, ExitStack(), next(self._numbers), work, on_success, self.changed.emit
        )
        self._runs[subject, operation.key] = run
        self._queued.append(run)
        self._start_queued()
        self.changed.emit()

    async def run(self, operation: Operation, work: Work[T]) -> T | None:
        """Start an operation and wait for its result, for a command that continues with a dialog.

        None if the operation was running already, did not succeed, or belongs to another subject by then.
        """
        before, results = self.get(operation.key), list[T]()
        if before is not None and before.is_running:
            return None
        self.start(operation, work, results.append)
        await self._runs[self._subject.value, operation.key].ended.wait()
        return results[0] if results else None

    def cancel(self, key: str) -> None:
        """Cancel an operation of the current subject; does nothing if it is not running."""
        run = self._runs.get((self._subject.value, key))
        if run is not None:
            self._cancel(run)

    def remove(self, key: str) -> None:
        """Remove an operation of the current subject, and cancel it if it is running."""
        self.cancel(key)
        if self._runs.pop((self._subject.value, key), None) is not None:
            self.changed.emit()

    def show_in(self, display: ActivityDisplay) -> None:
        """Show the running operation in the status bar, unless something else is shown there."""
        self._display = display

    def _of_subject(self) -> Iterator[Operation]:
        subject = self._subject.value
        return (run.operation for run in self._runs.values() if run.subject == subject)

    def _start_queued(self) -> None:
        while self._queued and (self._at_once is None or self._started_count < self._at_once):
            run = self._queued.popleft()
            if run.operation.is_running:
                self._started_count += 1
                run.operation = replace(run.operation, state=OperationState.RUNNING)
                run.started_at = time.monotonic()
                _log.info("%s started", run.operation.log_name)
                self._tasks.start(run.task_name, partial(self._run, run))

    async def _run(self, run: OperationRun) -> None:
        before = OperationState.RUNNING

        def work(context: WorkflowContext, hooks: "RecoveryHooks | None") -> Awaitable[object]:
            run.context, run.hooks = context, hooks
            return run.work(run)

        def on_outage() -> None:
            nonlocal before
            if run.operation.state is not OperationState.OFFLINE:
                before = run.operation.state
                run.update(state=OperationState.OFFLINE)

        def on_recovery() -> None:
            if run.operation.state is OperationState.OFFLINE:
                run.update(state=before)

        try:
            with run.resources:
                result = await self._session.run(
                    work, on_outage, run.operation.connection, on_online=on_recovery
                )
        except Exception as error:
            self._fail(run, error)
        except BaseException:
            self._end(run, OperationState.CANCELLED)
            raise
        else:
            self._end(run, OperationState.SUCCEEDED, result)

    def _fail(self, run: OperationRun, error: Exception) -> None:
        if not run.operation.is_running:
            return  # it was cancelled, and nothing awaits the result of its task
        message = self._tasks.message(error)
        state = OperationState.NEEDS_SIGN_IN if needs_sign_in(error) else OperationState.FAILED
        if state is OperationState.NEEDS_SIGN_IN:
            for other_run in tuple(self._queued):
                if other_run.operation.connection == run.operation.connection:
                    self._end(other_run, state, error=message)
        if not run.operation.shows_error or message.is_bug:
            self._tasks.report(run.operation.key, error)
        self._end(run, state, error=message)

    def _end(
        self,
        run: OperationRun,
        state: OperationState,
        result: object = None,
        *,
        error: TaskMessage | None = None,
    ) -> None:
        """End an operation, once. One of another subject is removed without calling `on_success`."""
        if not run.operation.is_running:
            return
        is_current = run.subject == self._subject.value
        run.operation = replace(run.operation, state=state, error=error)
        duration_s = 0.0
        if run.started_at is not None:
            duration_s = time.monotonic() - run.started_at
            self._started_count -= 1
        _log.info("%s: %s after %.1f s", run.operation.log_name, state.name.lower(), duration_s)
        if not is_current:
            self._runs.pop((run.subject, run.operation.key), None)
        try:
            if state is OperationState.SUCCEEDED and is_current and run.on_success is not None:
                run.on_success(result)
        finally:
            run.ended.set()
            self._start_queued()
            self.changed.emit()
            self.finished.emit(run.operation)

    def _cancel(self, run: OperationRun) -> None:
        if run.operation.is_running:
            self._tasks.cancel(run.task_name)
            # A task that was cancelled before it started cannot report this itself.
            self._end(run, OperationState.CANCELLED)

    def _on_subject_changed(self) -> None:
        for (subject, key), run in tuple(self._runs.items()):
            if subject != self._subject.value:
                if run.operation.cancels_on_leave:
                    self._cancel(run)
                if not run.operation.is_running:
                    self._runs.pop((subject, key), None)
        self.changed.emit()

    def _show_activity(self) -> None:
        current = self.current
        activity = None if current is None else ActivityStatus(current.message, current.fraction)
        if self._display is not None and activity != self._activity:
            if activity is not None or self._display.activity == self._activity:
                self._display.set_activity(activity)
            self._activity = activity
