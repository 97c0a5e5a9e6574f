"""Runs coroutines as asyncio tasks, and reports every error that nothing else handles.

All tasks of the window are started here: a failed task is reported to the user with a message, and all tasks
are cancelled when their window or the program ends. The hooks for uncaught exceptions (event loop, slots)
lead to the same place.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.base.logging import log_loop_error
from batchwright.base.waiting import wait_until_done

_log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[object]]


class TaskMessage(Protocol):
    """A message for the user about an exception; `workflows.messages` creates it."""

    @property
    def what(self) -> str:
        """What happened, in one sentence."""

    @property
    def remedy(self) -> str:
        """What the user can do about it."""

    @property
    def is_bug(self) -> bool:
        """Whether the cause is a defect of this program, so that the traceback is logged."""

    @property
    def help_address(self) -> str:
        """Where the help explains it, such as `messages.md#not-found`; empty if it does not."""


class Tasks(QObject):
    """Owns named asyncio tasks; `failed` is emitted with the name of the task, the message and the exception.

    Args:
        describe: returns the message for an exception. It is passed in because the modules it needs take
            longer to import than the window takes to be painted.
    """

    failed = Signal(str, object, object)
    changed = Signal()
    """A task has been started or has ended."""

    def __init__(self, describe: Callable[[BaseException], TaskMessage]) -> None:
        super().__init__()
        self._describe = describe
        self._running: dict[str, asyncio.Task[object]] = {}
        self._replaced: set[asyncio.Task[object]] = set()
        """Cancelled tasks that have not ended yet, in whose place others were started."""
        self._is_closed = False
        self._is_reporting_uncaught = False

    @property
    def running(self) -> frozenset[str]:
        """The names of the running tasks."""
        return frozenset(self._running)

    def start(self, name: str, work: Work) -> None:
        """Start a task, unless one of the same name is running; none after `aclose`."""
        running = self._running.get(name)
        if not self._is_closed and (running is None or running.done()):
            self._running[name] = task = asyncio.get_running_loop().create_task(_await(work), name=name)
            task.add_done_callback(self._finished)
            self.changed.emit()

    def restart(self, name: str, work: Work) -> None:
        """Start a task; one of the same name that is running is cancelled, and ends first."""
        if (running := self._running.pop(name, None)) is not None:
            running.cancel()
            self._replaced.add(running)
        earlier = [task for task in self._replaced if task.get_name() == name]

        async def work_afterwards() -> object:
            for task in earlier:
                await wait_until_done(task)
            return await work()

        self.start(name, work_afterwards)

    def cancel(self, name: str) -> None:
        """Cancel a task; does nothing if it is not running."""
        if name in self._running:
            self._running[name].cancel()

    def message(self, error: BaseException) -> TaskMessage:
        """The message for an exception."""
        return self._describe(error)

    def report(self, name: str, error: BaseException) -> None:
        """Report an exception that the caller has caught: log it, and emit `failed`."""
        message = self._describe(error)
        if message.is_bug:
            _log.error("Unexpected error in “%s”", name, exc_info=error)
        else:
            _log.info("“%s” failed: %s", name, type(error).__name__)
        self.failed.emit(name, message, error)

    @contextmanager
    def reporting(self, name: str) -> Iterator[None]:
        """Report an exception of the `with` block instead of raising it, for steps on which later ones do
        not depend.
        """
        try:
            yield
        except Exception as error:
            self.report(name, error)

    async def aclose(self) -> None:
        """Cancel all tasks and wait until they have ended; timers and signals start no others."""
        self._is_closed = True
        while tasks := [*self._running.values(), *self._replaced]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)  # also lets tasks that have just ended call `_finished`

    def report_uncaught(self, loop: asyncio.AbstractEventLoop) -> None:
        """Report all uncaught exceptions of slots and asyncio tasks from now on, and log their tracebacks."""
        loop.set_exception_handler(self._uncaught_in_loop)
        sys.excepthook = self._uncaught

    def _finished(self, task: asyncio.Task[object]) -> None:
        self._replaced.discard(task)
        if self._running.get(task.get_name()) is task:
            del self._running[task.get_name()]
        if not task.cancelled() and (error := task.exception()) is not None:
            self.report(task.get_name(), error)
        self.changed.emit()

    def _uncaught_in_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self._uncaught(type(error), error, error.__traceback__)
        else:
            log_loop_error(loop, context)

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("Unexpected error", exc_info=(kind, error, trace))
        if isinstance(error, Exception) and not self._is_reporting_uncaught:
            self._is_reporting_uncaught = True  # an exception of a slot of `failed` arrives here, too
            try:
                self.failed.emit("", self._describe(error), error)
            finally:
                self._is_reporting_uncaught = False


async def _await(work: Work) -> object:
    return await work()
