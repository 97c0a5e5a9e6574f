"""Ctrl+C in a terminal is left to the parent of a process."""

import os
import signal
import time
from multiprocessing import get_context

import pytest

from batchwright.base.child_processes import start_ignoring_ctrl_c


@pytest.mark.skipif(
    os.name == "nt", reason="Ctrl+C would reach the tests, too; tests of the service press it"
)
def test_ctrl_c_does_not_end_a_process_that_still_imports() -> None:
    process = get_context("spawn").Process(target=time.sleep, args=(0,))
    start_ignoring_ctrl_c(process)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGINT)
    process.join()
    assert process.exitcode == 0
