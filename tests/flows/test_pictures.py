"""The pictures of the help are of today's program: it shows the texts that it had when they were taken."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from batchwright.help.pages import help_folder
from tests.flows.program import ROOT
from tests.packaging.scripts import load_script

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]


def test_the_window_has_the_texts_of_the_pictures(tmp_path: Path) -> None:
    """`packaging/screenshots.py` takes the pictures again."""
    command = [sys.executable, str(ROOT / "packaging" / "screenshots.py"), "--one", "light", str(tmp_path)]
    subprocess.run(command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=True, timeout=110)
    texts = load_script("screenshots").TEXTS
    recorded = json.loads((help_folder().parent / "pictures" / texts).read_text(encoding="utf-8"))
    assert recorded == json.loads((tmp_path / texts).read_text(encoding="utf-8"))


def test_every_picture_of_the_help_is_taken_by_the_script() -> None:
    pictures = {path.name for path in (help_folder().parent / "pictures").glob("*.png")}
    assert pictures == set(load_script("screenshots").SHOWN)
