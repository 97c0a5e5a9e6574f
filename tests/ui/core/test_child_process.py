"""Functions that run in a process of their own, as coroutines."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from multiprocessing import active_children
from typing import Any

import pytest

from batchwright.data_files.process_job import ProcessJob
from batchwright.ui.core import child_process
from batchwright.ui.core.child_process import run_in_process
from tests.ui.conftest import until

LONG = "x" * 10_000_000
"""An argument that does not fit into a pipe."""


def measure(text: str, report: Callable[[int], None]) -> tuple[int, int]:
    """The length of a text, and the id of the process."""
    report(os.getpid())
    return len(text), os.getpid()


def report_endlessly(text: str, report: Callable[[int], None]) -> None:
    """Report the id of the process until it is terminated."""
    while True:
        report(os.getpid())
        time.sleep(0.001)


async def test_a_process_is_started_in_a_thread_that_waits_until_it_has_read_long_arguments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[threading.Thread] = []

    class RecordedJob(ProcessJob[tuple[int, int]]):
        def __init__(self, *arguments: Any) -> None:
            threads.append(threading.current_thread())
            super().__init__(*arguments)

    monkeypatch.setattr(child_process, "ProcessJob", RecordedJob)
    reported: list[int] = []
    length, process_id = await run_in_process(measure, LONG, on_progress=reported.append)
    assert (length, reported) == (len(LONG), [process_id])
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("has_started", [False, True], ids=["while it starts", "while it runs"])
async def test_a_cancelled_process_is_terminated(has_started: bool) -> None:
    reported: list[int] = []
    running = asyncio.ensure_future(run_in_process(report_endlessly, LONG, on_progress=reported.append))
    await asyncio.sleep(0)
    if has_started:
        await until(lambda: bool(reported), 60)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not active_children()


@pytest.mark.parametrize("has_started", [False, True], ids=["while it starts", "while it runs"])
async def test_a_process_that_is_cancelled_twice_has_ended_with_its_task(
    loop: asyncio.AbstractEventLoop, has_started: bool
) -> None:
    """As when a check starts again and its window is closed at the same time."""
    reported: list[int] = []
    running = asyncio.ensure_future(run_in_process(report_endlessly, LONG, on_progress=reported.append))
    await asyncio.sleep(0)
    if has_started:
        await until(lambda: bool(reported), 60)
    running.cancel()
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not active_children()
    assert asyncio.all_tasks(loop) == {asyncio.current_task(loop)}
