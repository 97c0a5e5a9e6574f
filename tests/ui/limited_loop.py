"""The event loop of window tests: Qt's as asyncio's, with a time limit and nested steps of tasks."""

import asyncio
from asyncio import events, tasks
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, ClassVar, TypeVar

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from typing_extensions import override

T = TypeVar("T")


class LimitedLoop(QEventLoop):  # type: ignore[misc]  # the library has no types
    """Cancels what runs in it after `limit_s` seconds, with a traceback of what it waits for.

    The signal of pytest-timeout cannot: while Qt waits for events no Python code runs, and an exception that
    a signal raises in a callback ends that callback only, since asyncio catches it.

    Tests press the mouse within tasks, and QTest processes events then. asyncio refuses to run a step of a
    task within a step of another one, and the rejected task never continues. Whatever cancels that task in a
    loop, as anyio does, keeps QTest processing events forever. Here, the outer task is set aside meanwhile.

    Between a test and its fixtures, pytest-qt processes events. Callbacks, slots and timers run then as in a
    running loop.
    """

    limit_s: ClassVar[float] = 100.0

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        events._set_running_loop(self)

    @override
    def run_forever(self) -> int:
        try:
            status: int = super().run_forever()
        finally:
            events._set_running_loop(self)
        return status

    @override
    def close(self) -> None:
        events._set_running_loop(None)
        super().close()

    @override
    def run_until_complete(self, future: Awaitable[T]) -> T:
        result: T = super().run_until_complete(_within(future, self.limit_s))
        return result

    @override
    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle: asyncio.TimerHandle = super().call_later(delay, self._call, callback, *args, context=context)
        return handle

    def _call(self, callback: Callable[..., object], *args: Any) -> None:
        outer = asyncio.current_task(self)
        if outer is None:
            callback(*args)
            return
        tasks._leave_task(self, outer)  # what asyncio offers to authors of event loops
        try:
            callback(*args)
        finally:
            tasks._enter_task(self, outer)


async def _within(awaitable: Awaitable[T], seconds: float) -> T:
    async with asyncio.timeout(seconds):
        return await awaitable
