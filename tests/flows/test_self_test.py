"""The program checks itself, as IT staff have it do after a roll-out."""

from pathlib import Path

import pytest

from tests.flows.program import run


@pytest.mark.gui
def test_the_program_finds_nothing_wrong_with_itself(tmp_path: Path) -> None:
    text = run("self-test", home=tmp_path)
    assert "FAILED" not in text
    assert text.splitlines()[-1] == "ok      Every stage of the window opens."
