"""The program that the desktop tests share: one that ends between two tests is told of, and begun anew."""

from pathlib import Path

import pytest

from tests.desktop.conftest import Program

pytestmark = pytest.mark.desktop


def test_a_program_that_ended_after_a_test_is_reported_at_the_next_one(screen: str, tmp_path: Path) -> None:
    program = Program(screen)
    program.open("a", tmp_path, "light")
    assert program._process is not None
    program._process.kill()
    program._process.wait()
    with pytest.raises(pytest.fail.Exception, match="ended with -9"):
        program.open("a", tmp_path, "light")
    program.open("a", tmp_path, "light")
    program.ask("close")
    assert program.end() == 0
