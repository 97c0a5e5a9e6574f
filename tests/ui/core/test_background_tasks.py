"""Tasks: begun once, told when they fail, ended with the program."""

import asyncio
from dataclasses import dataclass

import pytest

from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


@dataclass(frozen=True)
class Said:
    what: str
    remedy: str = ""
    is_bug: bool = False


def describe(error: BaseException) -> TaskMessage:
    return Said(f"described: {error}")


async def for_ever() -> None:
    await asyncio.Event().wait()


def test_work_that_still_runs_is_not_begun_again(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, begun = Tasks(describe), []

        async def work() -> None:
            begun.append(1)
            await for_ever()

        tasks.start("import", work)
        tasks.start("import", work)
        await until(lambda: bool(begun))
        assert len(begun) == 1
        await tasks.aclose()

    loop.run_until_complete(scenario())


def test_work_that_has_just_ended_is_begun_again(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, begun = Tasks(describe), []

        async def work() -> None:
            begun.append(1)
            if len(begun) == 1:
                # Comes after the end of the work, and before its task tells of it.
                loop.call_soon(tasks.start, "read", work)

        tasks.start("read", work)
        await until(lambda: len(begun) == 2)
        await until(lambda: not tasks.running)

    loop.run_until_complete(scenario())


def test_work_that_failed_is_told_in_words(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, told = Tasks(describe), []
        tasks.failed.connect(lambda name, message, _error: told.append((name, message.what)))

        async def work() -> None:
            raise ValueError("no such file")

        tasks.start("open", work)
        await until(lambda: bool(told))
        assert told == [("open", "described: no such file")]
        assert not tasks.running

    loop.run_until_complete(scenario())


def test_work_that_was_cancelled_is_not_told(loop: asyncio.AbstractEventLoop) -> None:
    async def scenario() -> None:
        tasks, told = Tasks(describe), []
        tasks.failed.connect(lambda *said: told.append(said))
        tasks.start("wait", for_ever)
        tasks.cancel("wait")
        await until(lambda: not tasks.running)
        assert told == []

    loop.run_until_complete(scenario())


def test_closing_ends_everything_also_what_is_begun_meanwhile(loop: asyncio.AbstractEventLoop) -> None:
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


def test_an_error_that_nobody_caught_is_told_too(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import sys

    async def scenario() -> None:
        tasks, told = Tasks(describe), []
        monkeypatch.setattr(sys, "excepthook", sys.excepthook)
        tasks.failed.connect(lambda _name, message, _error: told.append(message.what))
        tasks.report_uncaught(loop)
        error = RuntimeError("in a slot")
        sys.excepthook(RuntimeError, error, None)
        loop.call_exception_handler({"message": "in a task", "exception": ValueError("in a task")})
        assert told == ["described: in a slot", "described: in a task"]

    loop.run_until_complete(scenario())
    assert "RuntimeError: in a slot" in caplog.text
