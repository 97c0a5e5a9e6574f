"""A stage that was not opened is not imported, and neither are the libraries that only it uses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.program import ROOT, SAMPLE

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

PROGRAM = """
import asyncio, sys
from pathlib import Path

import qasync
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from batchwright.ui.core.action_ids import ActionId
from tests.flows.test_main_workflow import create_layout, upload_data, write_table
from tests.flows.user_actions import run_program, until

LIBRARIES = {"duckdb", "numpy", "pandas", "pyreadstat", "xlsxwriter"}
STAGES = ("data", "editor", "run", "results", "collections", "feedback", "jobs")
# The table of the actions of a stage, and what that consists of.
PARTS = {"editor.core", "editor.core.fix_commands", "results.statistics", "results.statistics.section_titles"}
LISTED = {f"batchwright.ui.{part}" for part in (*(f"{stage}.actions" for stage in STAGES), *PARTS)}

def imported():
    modules = set(sys.modules) - LISTED
    parts = [name.split(".") for name in modules if name.startswith("batchwright.ui.")]
    packages = {part[2] for part in parts if len(part) > 3}
    stages = [stage for stage in STAGES if stage in packages]
    return [*stages, *sorted(LIBRARIES & modules)]

async def settled(user):
    window = user.window
    await until(lambda: window.findChild(QAction, ActionId.JOBS_CLEAR) is not None, "all actions")

async def main(folder, *files):
    async with run_program(folder / "profile", *files) as user:
        await settled(user)
        if files:
            await until(lambda: user.window.has_study and user.window.is_showing_stage, "the study")
            print("study:", *imported())
            return
        print("home:", *imported())
        write_table(folder / "table.csv")
        await upload_data(user, folder / "table.csv")
        print("data:", *imported())
        await create_layout(user)
        print("layout:", *imported())
        for button in ("Continue to Run", "Create batch", "Create 3 tasks"):
            await user.click(button)
        await user.click("Simulated participants")
        await user.click("Cancel")
        print("set up:", *imported())

app = QApplication(sys.argv[:1])
qasync.run(main(*map(Path, sys.argv[1:])))
"""


def imported_stages(*arguments: Path) -> list[str]:
    """The stages and libraries that a program has imported, a line for each step."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=110,
    )
    assert not ran.returncode, ran.stderr
    return ran.stdout.splitlines()


def test_an_opened_study_imports_its_layout_only(tmp_path: Path) -> None:
    assert imported_stages(tmp_path, SAMPLE) == ["study: editor"]


def test_each_step_to_a_set_up_study_imports_its_stage_only(tmp_path: Path) -> None:
    assert imported_stages(tmp_path) == [
        "home:",
        "data: data",
        "layout: data editor",
        "set up: data editor run",
    ]
