"""Window tests are limited in time."""

import asyncio
import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tests.processes import started
from tests.ui.limited_loop import LimitedLoop

pytestmark = pytest.mark.gui


def test_a_task_that_never_ends_fails_with_its_traceback(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedLoop, "limit_s", 0.05)

    async def wait_forever() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError) as raised:
        loop.run_until_complete(wait_forever())
    cause = raised.value.__cause__
    assert cause is not None
    trace = cause.__traceback__
    names = []
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "wait_forever" in names


def test_other_tasks_run_while_a_task_processes_events(loop: asyncio.AbstractEventLoop) -> None:
    async def main() -> None:
        continued = asyncio.Event()
        other = asyncio.create_task(_set_after_a_step(continued))
        await asyncio.sleep(0)
        for _event in range(10):
            QApplication.processEvents()
        assert continued.is_set()
        await other

    loop.run_until_complete(main())


async def _set_after_a_step(continued: asyncio.Event) -> None:
    await asyncio.sleep(0)
    continued.set()


def test_tasks_run_while_events_are_processed_between_two_runs(loop: asyncio.AbstractEventLoop) -> None:
    async def start() -> asyncio.Task[None]:
        return asyncio.create_task(use_the_loop_later())

    async def use_the_loop_later() -> None:
        await asyncio.sleep(0.01)
        asyncio.get_running_loop()

    task = loop.run_until_complete(start())
    while not task.done():
        QApplication.processEvents()
    assert task.exception() is None


def test_a_started_program_is_killed_at_the_end_of_its_block() -> None:
    never = "import time; print('runs', flush=True); time.sleep(1000)"
    with started([sys.executable, "-c", never]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "runs\n"
    assert program.returncode is not None


def test_a_timer_starts_tasks_while_events_are_processed_between_two_runs(
    loop: asyncio.AbstractEventLoop,
) -> None:
    ended, tasks = asyncio.Event(), list[asyncio.Task[None]]()

    async def end() -> None:
        ended.set()

    QTimer.singleShot(0, lambda: tasks.append(asyncio.get_running_loop().create_task(end())))
    while not tasks:
        QApplication.processEvents()
    loop.run_until_complete(ended.wait())
