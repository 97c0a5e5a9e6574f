"""The shared program of the desktop tests: if it ends between two tests, it is reported and restarted."""

from pathlib import Path

import pytest

from tests.desktop.conftest import DriverProcess

pytestmark = pytest.mark.desktop


def test_a_program_that_ended_after_a_test_fails_the_next_test(screen: str, tmp_path: Path) -> None:
    program = DriverProcess(screen)
    program.open("a", tmp_path, "light")
    assert program._process is not None
    program._process.kill()
    program._process.wait()
    with pytest.raises(pytest.fail.Exception, match="ended with -9"):
        program.open("a", tmp_path, "light")
    program.open("a", tmp_path, "light")
    program.call("close")
    assert program.end() == 0
