"""No test of the window goes on for ever."""

import asyncio
import sys

import pytest

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


def test_no_program_outlives_the_block_that_started_it() -> None:
    never = "import time; print('runs', flush=True); time.sleep(1000)"
    with started([sys.executable, "-c", never]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "runs\n"
    assert program.returncode is not None
