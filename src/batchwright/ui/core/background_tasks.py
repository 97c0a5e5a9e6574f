"""The one place where coroutines are started as tasks, and where every error is shown.

It owns every task, shows a message when one fails, and cancels all of them when the program ends. The hooks
for uncaught exceptions lead here too.
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

_log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[object]]


class TaskMessage(Protocol):
    """What happened, what to do, and whether it is our fault (`workflows.messages`)."""

    @property
    def what(self) -> str:
        """What happened, in one sentence."""

    @property
    def remedy(self) -> str:
        """What to do."""

    @property
    def is_bug(self) -> bool:
        """Whether it is a fault of this program."""


class Tasks(QObject):
    """Every task of the program; `failed` tells a name, the message and the error itself.

    Args:
        describe: makes a message of any exception. It is handed in because what it knows takes longer to
            import than the window to be painted.
    """

    failed = Signal(str, object, object)
    changed = Signal()
    """Something has begun or ended."""

    def __init__(self, describe: Callable[[BaseException], TaskMessage]) -> None:
        super().__init__()
        self._describe = describe
        self._running: dict[str, asyncio.Task[object]] = {}

    @property
    def running(self) -> frozenset[str]:
        """The names of all that runs."""
        return frozenset(self._running)

    def start(self, name: str, work: Work) -> None:
        """Begin work, unless work of this name still runs."""
        running = self._running.get(name)
        if running is None or running.done():
            self._running[name] = task = asyncio.get_running_loop().create_task(_await(work), name=name)
            task.add_done_callback(self._finished)
            self.changed.emit()

    def cancel(self, name: str) -> None:
        """End work before its time; nothing happens when it does not run."""
        if name in self._running:
            self._running[name].cancel()

    def message(self, error: BaseException) -> TaskMessage:
        """What to say of an error."""
        return self._describe(error)

    def tell(self, name: str, error: BaseException) -> None:
        """Show an error that something else has caught."""
        message = self._describe(error)
        if message.is_bug:
            _log.error("Unexpected error in “%s”", name, exc_info=error)
        else:
            _log.info("“%s” failed: %s", name, type(error).__name__)
        self.failed.emit(name, message, error)

    @contextmanager
    def reporting(self, name: str) -> Iterator[None]:
        """Show an error of what is done inside, and go on after it: later steps do not need this one."""
        try:
            yield
        except Exception as error:
            self.tell(name, error)

    async def aclose(self) -> None:
        """End everything and wait until it has ended."""
        while self._running:
            tasks = list(self._running.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def catch_the_rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """Show errors of slots and of tasks that nobody waits for; a traceback goes to the log."""
        loop.set_exception_handler(self._uncaught_in_loop)
        sys.excepthook = self._uncaught

    def _finished(self, task: asyncio.Task[object]) -> None:
        if self._running.get(task.get_name()) is task:
            del self._running[task.get_name()]
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tell(task.get_name(), error)
        self.changed.emit()

    def _uncaught_in_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self._uncaught(type(error), error, error.__traceback__)
        else:
            log_loop_error(loop, context)

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("Unexpected error", exc_info=(kind, error, trace))
        if isinstance(error, Exception):
            self.failed.emit("", self._describe(error), error)


async def _await(work: Work) -> object:
    return await work()
