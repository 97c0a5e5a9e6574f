"""No test of the window goes on for ever."""

import asyncio
import sys

import pytest
from PySide6.QtWidgets import QApplication

from tests.processes import started
from tests.ui.limited_loop import LimitedLoop

pytestmark = pytest.mark.gui


def test_a_step_that_never_comes_ends_with_an_error_that_shows_it(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedLoop, "limit_s", 0.05)

    async def step_that_never_comes() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError) as raised:
        loop.run_until_complete(step_that_never_comes())
    cause = raised.value.__cause__
    assert cause is not None
    trace = cause.__traceback__
    names = []
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "step_that_never_comes" in names


def test_another_task_continues_while_one_processes_events(loop: asyncio.AbstractEventLoop) -> None:
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


def test_no_program_outlives_the_block_that_started_it() -> None:
    never = "import time; print('runs', flush=True); time.sleep(1000)"
    with started([sys.executable, "-c", never]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "runs\n"
    assert program.returncode is not None
