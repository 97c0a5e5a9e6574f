"""The self-test, which administrators run after an installation."""

from pathlib import Path

import pytest

from tests.flows.program import run_process


@pytest.mark.gui
def test_the_self_test_passes(tmp_path: Path) -> None:
    text = run_process("self-test", home=tmp_path)
    assert "Results:" not in text, "their folder is temporary"
    assert "FAILED" not in text
    assert text.splitlines()[-1] == "ok      Every stage of the window opens."
