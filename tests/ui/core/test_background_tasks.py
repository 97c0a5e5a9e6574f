"""Tasks: begun once, told when they fail, ended with the program."""

import asyncio
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


def describe(error: BaseException) -> TaskMessage:
    return Message(f"described: {error}")


async def for_ever() -> None:
    await asyncio.Event().wait()


def test_work_that_still_runs_is_not_started_again(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, started = Tasks(describe), []

        async def work() -> None:
            started.append(1)
            await for_ever()

        tasks.start("import", work)
        tasks.start("import", work)
        await until(lambda: bool(started))
        assert len(started) == 1
        await tasks.aclose()

    loop.run_until_complete(scenario())


def test_work_that_has_just_ended_is_started_again(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, started = Tasks(describe), []

        async def work() -> None:
            started.append(1)
            if len(started) == 1:
                # Comes after the end of the work, and before its task tells of it.
                loop.call_soon(tasks.start, "read", work)

        tasks.start("read", work)
        await until(lambda: len(started) == 2)
        await until(lambda: not tasks.running)

    loop.run_until_complete(scenario())


def test_work_that_failed_is_reported_in_words(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, messages = Tasks(describe), []
        tasks.failed.connect(lambda name, message, _error: messages.append((name, message.what)))

        async def work() -> None:
            raise ValueError("no such file")

        tasks.start("open", work)
        await until(lambda: bool(messages))
        assert messages == [("open", "described: no such file")]
        assert not tasks.running

    loop.run_until_complete(scenario())


def test_work_that_was_cancelled_is_not_reported(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, messages = Tasks(describe), []
        tasks.failed.connect(lambda *said: messages.append(said))
        tasks.start("wait", for_ever)
        tasks.cancel("wait")
        await until(lambda: not tasks.running)
        assert messages == []

    loop.run_until_complete(scenario())


def test_closing_ends_everything_also_what_is_started_meanwhile(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks = Tasks(describe)

        async def stubborn() -> None:
            try:
                await for_ever()
            finally:
                tasks.start("last wish", for_ever)

        tasks.start("stubborn", stubborn)
        await asyncio.sleep(0)
        await tasks.aclose()
        assert not tasks.running

    loop.run_until_complete(scenario())


def test_an_error_that_no_one_caught_is_reported_too(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import sys

    async def scenario() -> None:
        tasks, messages = Tasks(describe), []
        monkeypatch.setattr(sys, "excepthook", sys.excepthook)
        tasks.failed.connect(lambda _name, message, _error: messages.append(message.what))
        tasks.report_uncaught(loop)
        error = RuntimeError("in a slot")
        sys.excepthook(RuntimeError, error, None)
        loop.call_exception_handler({"message": "in a task", "exception": ValueError("in a task")})
        assert messages == ["described: in a slot", "described: in a task"]

    loop.run_until_complete(scenario())
    assert "RuntimeError: in a slot" in caplog.text
