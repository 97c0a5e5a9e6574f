"""The program with Python for Windows, under Wine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from batchwright.__main__ import main
from tests.data_files.files import write_file
from tests.flows.program import ROOT
from tests.packaging.scripts import FOLDER, load_script
from tests.prepare.tables import outputs

STEPS = [
    {"step": "cut", "column": "output", "longest": 20},
    {"step": "language", "column": "output"},
    {"step": "sample", "size": 80, "stratum": "topic"},
    {
        "step": "pairs",
        "prompt": "prompt",
        "system": "system",
        "outputs": ["output"],
        "choice": "budget",
        "amount": 50,
    },
    {"step": "sides", "seed": 3},
    {"step": "checks", "answers": ["left", "right"], "texts": {"output_left": "Choose {answer}."}},
    {"step": "groups", "size": 5, "order": "shuffled", "repeats": 1},
    {"step": "known", "per_group": 1},
]
SETS = [{"step": "sets", "item": "output", "shown": ["output"]}]


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Wine is set up with Debian's packages"),
]


@pytest.mark.timeout(3600)
def test_the_windows_program_is_built_installed_run_upgraded_and_removed_and_its_window_used() -> None:
    for check in ("windows_check.py", "windows_window_check.py"):
        subprocess.run([sys.executable, str(FOLDER / check)], cwd=ROOT, check=True)


@pytest.mark.timeout(3600)
@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0 or not shutil.which("debootstrap"),
    reason="creates a Debian system",
)
def test_the_installer_for_users_ends_with_the_codes_of_the_page_for_it_staff() -> None:
    subprocess.run([sys.executable, str(FOLDER / "windows_setup_check.py")], cwd=ROOT, check=True)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("steps", [STEPS, SETS], ids=["comparisons", "sets"])
def test_a_preparation_has_the_same_bytes_on_windows(
    steps: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    windows_path = load_script("wine").windows_path
    records = "".join(json.dumps(record) + "\n" for record in outputs(30, "ABCD"))
    paths = [write_file(tmp_path, json.dumps(steps), "steps.json"), write_file(tmp_path, records, "a.jsonl")]
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert main(["prepare", *map(str, paths), "--out", str(here)]) == 0
    script = [sys.executable, str(FOLDER / "windows_under_wine.py"), "-m", "batchwright"]
    subprocess.run(
        [*script, "prepare", *map(windows_path, paths), "--out", windows_path(there)], cwd=ROOT, check=True
    )
    assert there.read_bytes() == here.read_bytes()
