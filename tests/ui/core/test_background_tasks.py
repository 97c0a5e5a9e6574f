"""Background tasks: started once, reported when they fail, cancelled when the program ends."""

import asyncio
import sys
from dataclasses import dataclass

import pytest

from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


@dataclass(frozen=True)
class Message:
    what: str
    remedy: str = ""
    is_bug: bool = False
    help_address: str = ""


def describe(error: BaseException) -> TaskMessage:
    return Message(f"described: {error}")


async def wait_forever() -> None:
    await asyncio.Event().wait()


async def test_a_running_task_is_not_started_again() -> None:
    tasks, started = Tasks(describe), []

    async def work() -> None:
        started.append(1)
        await wait_forever()

    tasks.start("import", work)
    tasks.start("import", work)
    await until(lambda: bool(started))
    assert len(started) == 1
    await tasks.aclose()


async def test_a_task_that_is_started_again_ends_before_it_starts() -> None:
    tasks, steps = Tasks(describe), list[str]()

    async def read_first() -> None:
        steps.append("first")
        try:
            await wait_forever()
        finally:
            await asyncio.sleep(0)
            steps.append("first ended")

    async def read_second() -> None:
        steps.append("second")

    tasks.start("read", read_first)
    await until(lambda: bool(steps))
    tasks.restart("read", read_second)
    await until(lambda: not tasks.running)
    assert steps == ["first", "first ended", "second"]


async def test_a_task_that_is_started_a_third_time_waits_for_the_first_as_well() -> None:
    tasks, steps, may_end = Tasks(describe), list[str](), asyncio.Event()

    async def read_first() -> None:
        steps.append("first")
        try:
            await wait_forever()
        finally:
            await may_end.wait()
            steps.append("first ended")

    async def read_again() -> None:
        steps.append("again")

    tasks.start("read", read_first)
    await until(lambda: bool(steps))
    for _restart in range(2):
        tasks.restart("read", read_again)
        for _turn in range(10):  # all other tasks have theirs
            await asyncio.sleep(0)
    assert steps == ["first"]
    may_end.set()
    await until(lambda: not tasks.running)
    assert steps == ["first", "first ended", "again"]


async def test_a_replaced_task_ends_although_the_one_in_its_place_never_began(
    loop: asyncio.AbstractEventLoop,
) -> None:
    tasks, has_begun = Tasks(describe), asyncio.Event()

    async def work() -> None:
        has_begun.set()
        await wait_forever()

    tasks.start("read", work)
    await has_begun.wait()
    tasks.restart("read", work)
    tasks.restart("read", work)
    await tasks.aclose()
    assert asyncio.all_tasks(loop) == {asyncio.current_task(loop)}


async def test_tasks_that_have_just_ended_are_waited_for_too() -> None:
    """From Python 3.12 on, awaiting a finished future with `gather` gives their callbacks no turn."""

    tasks = Tasks(describe)

    async def work() -> None:
        """End at once."""

    tasks.start("read", work)
    task = tasks._running["read"]
    while not task.done():  # noqa: ASYNC110 - an event would let the callbacks run
        await asyncio.sleep(0)
    assert tasks.running == {"read"}
    await tasks.aclose()
    assert tasks.running == set()


async def test_a_task_that_has_just_ended_is_started_again(loop: asyncio.AbstractEventLoop) -> None:
    tasks, started = Tasks(describe), []

    async def work() -> None:
        started.append(1)
        if len(started) == 1:
            # Comes after the end of the work, and before its task tells of it.
            loop.call_soon(tasks.start, "read", work)

    tasks.start("read", work)
    await until(lambda: len(started) == 2)
    await until(lambda: not tasks.running)


async def test_a_failed_task_is_reported_with_a_message() -> None:
    tasks, messages = Tasks(describe), []
    tasks.failed.connect(lambda name, message, _error: messages.append((name, message.what)))

    async def work() -> None:
        raise ValueError("no such file")

    tasks.start("open", work)
    await until(lambda: bool(messages))
    assert messages == [("open", "described: no such file")]
    assert not tasks.running


async def test_a_cancelled_task_is_not_reported() -> None:
    tasks, messages = Tasks(describe), []
    tasks.failed.connect(lambda *message: messages.append(message))
    tasks.start("wait", wait_forever)
    tasks.cancel("wait")
    await until(lambda: not tasks.running)
    assert messages == []


async def test_closing_cancels_all_tasks_even_those_started_meanwhile() -> None:
    tasks = Tasks(describe)

    async def stubborn() -> None:
        try:
            await wait_forever()
        finally:
            tasks.start("last wish", wait_forever)

    tasks.start("stubborn", stubborn)
    await asyncio.sleep(0)
    await tasks.aclose()
    assert not tasks.running


async def test_an_uncaught_exception_is_reported_and_logged(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tasks, messages = Tasks(describe), []
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    tasks.failed.connect(lambda _name, message, _error: messages.append(message.what))
    tasks.report_uncaught(loop)
    error = RuntimeError("in a slot")
    sys.excepthook(RuntimeError, error, None)
    loop.call_exception_handler({"message": "in a task", "exception": ValueError("in a task")})
    assert messages == ["described: in a slot", "described: in a task"]
    assert "RuntimeError: in a slot" in caplog.text


async def test_an_exception_while_one_is_reported_is_only_logged(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tasks = Tasks(describe)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)

    def show(_name: str, _message: object, _error: Exception) -> None:
        raise ValueError("no window")

    tasks.failed.connect(show)
    tasks.report_uncaught(loop)
    sys.excepthook(RuntimeError, RuntimeError("in a slot"), None)
    assert caplog.text.count("Unexpected error") == 2
    assert "RuntimeError: in a slot" in caplog.text
    assert "ValueError: no window" in caplog.text


async def test_a_timer_that_fires_after_the_end_starts_nothing() -> None:
    tasks = Tasks(describe)
    await tasks.aclose()
    tasks.start("check the file", wait_forever)  # no loop is running
    assert not tasks.running
