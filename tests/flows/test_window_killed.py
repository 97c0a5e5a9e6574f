"""Killed at any moment, the program loses at most the last second of typing."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from batchwright.local.autosave import AutosaveStore
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.local.study_files.project_parser import read_project
from batchwright.ui.widgets.notices import NoticeCard
from tests.flows.program import ROOT
from tests.flows.user_actions import User, name, run_program, until
from tests.service.kill_helpers import rows_in

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

TYPING = """
import asyncio, sys
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.service.kill_helpers import rows_in
from tests.flows.user_actions import run_program
from tests.ui.conftest import focused
from tests.ui.limited_loop import LimitedLoop

PAUSE = 0.04


async def main() -> None:
    async with run_program(Path(sys.argv[1])) as user:
        await user.click("Try the sample study")
        await user.click("Free text")
        await user.wait_for_field("Question")
        written = ""
        while True:
            for letter in "abcdefghijklmnopqrstuvwxyz ":
                QTest.keyClicks(focused(), letter)
                written += letter
                print(written, flush=True)
                await asyncio.sleep(PAUSE)


if __name__ == "__main__":
    LimitedLoop(QApplication([])).run_until_complete(main())
"""
STROKES = range(30, 55)
"""Among which the one is drawn after which the program is killed."""
SECOND = 1.0


IMPORTING = """
import asyncio, sys
from contextlib import closing
from pathlib import Path

from PySide6.QtWidgets import QApplication

from batchwright.base.database import Database
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.autosave import AutosaveStore
from tests.flows.user_actions import name, run_program, until
from tests.ui.limited_loop import LimitedLoop


async def main() -> None:
    async with run_program(Path(sys.argv[1])) as user:
        await user.click("Open a data file")
        await user.choose_file(Path(sys.argv[1]) / "large.csv")
        await user.click(name(await user.wait_for("Upload 200", "records")))
        with closing(open_database(Path(sys.argv[1]) / "data")) as database:
            rows = JobRows(database)
            await until(lambda: "import" in [row.kind for row in rows.latest()], "the job of the import")
        await user.click("Jobs")
        await user.wait_for("Import large.csv")
        print("watched", flush=True)
        await user.running


if __name__ == "__main__":
    LimitedLoop(QApplication([])).run_until_complete(main())
"""
MANY = 200_000


TWO_WINDOWS = """
import asyncio, sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.study.templates import TEMPLATES
from tests.flows.user_actions import run_program, until
from tests.ui.limited_loop import LimitedLoop

PROFILE = Path(sys.argv[1])


def copies() -> int:
    return len(list((PROFILE / "data" / "recovery").glob("*.batchwright")))


async def main() -> None:
    async with run_program(PROFILE) as user:
        await user.click("Try the sample study")
        await until(lambda: copies() == 1, "the copy of the first study")
        second = user.program.open_window()
        await until(lambda: second.is_showing_stage, "the second window")
        second.findChild(WindowController).open_template(TEMPLATES[1])
        await until(lambda: copies() == 2, "the copy of the second study")
        print("both", flush=True)
        await user.running


if __name__ == "__main__":
    LimitedLoop(QApplication([])).run_until_complete(main())
"""


@contextmanager
def working(steps: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start the program as a process in which a user runs these steps."""
    script = folder / "steps.py"
    script.write_text(steps, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder / "profile")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def type_and_kill(folder: Path, strokes: int) -> tuple[str, str]:
    """Kill the program after some key strokes; return the text typed, and the text a second before."""
    written: list[tuple[float, str]] = []
    with working(TYPING, folder) as process:
        assert process.stdout is not None
        for line in process.stdout:
            written.append((time.monotonic(), line.removesuffix("\n")))
            if len(written) == strokes:
                process.kill()
                break
    killed = written[-1][0]
    before = [text for moment, text in written if moment < killed - SECOND]
    return written[-1][1], before[-1] if before else ""


async def recovered(profile: Path) -> str:
    """Start again, open the recovered study, and return its question."""
    async with run_program(profile) as user:
        await user.wait_for("was not saved when Batchwright closed")
        await user.click("Open")
        card = await user.wait_for("Free text: abc")
        return name(card).removeprefix("Free text: ")


@pytest.mark.matrix(2)
@pytest.mark.parametrize("seed", range(2))
async def test_at_most_a_second_of_typing_is_lost(seed: int, tmp_path: Path) -> None:
    written, before = type_and_kill(tmp_path, random.Random(seed).choice(STROKES))
    matches = await recovered(tmp_path / "profile")
    assert written.startswith(matches)
    assert len(matches) >= len(before.rstrip())


async def test_an_import_continues_once_after_the_program_was_killed(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with (profile / "large.csv").open("w", encoding="utf-8") as file:
        file.write("prompt,answer\n")
        file.writelines(f"Question {number},Answer {number}\n" for number in range(MANY))
    with working(IMPORTING, tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "watched\n"
        process.kill()
    with closing(open_database(profile / "data")) as database:
        assert JobRows(database).open()
    async with run_program(profile) as user:
        await user.wait_for("was not saved when Batchwright closed")
        await user.click("Open")
        await user.click("Data")
        await user.wait_for("200,000 records are in the dataset")
        await user.click("Jobs")
        await user.wait_for("Import large.csv")
        await user.wait_for("200,000 accepted, 0 rejected")
    service = profile / "data" / "service"
    assert rows_in(service, "dataset") == 1
    assert rows_in(service, "datapoint") == MANY


def has_single_notice(user: User) -> bool:
    """Whether a single notice is shown, and none is sliding out."""
    return len(user.window.notices.cards) == len(user.window.findChildren(NoticeCard)) == 1


async def test_the_studies_of_two_windows_are_recovered_in_one_window(tmp_path: Path) -> None:
    with working(TWO_WINDOWS, tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "both\n"
        process.kill()
    profile = tmp_path / "profile"

    def copies() -> set[str]:
        return {copy.title for copy in AutosaveStore(profile / "data").copies()}

    async with run_program(profile) as user:
        await user.wait_for("2 studies were not saved")
        await user.click("Show…")
        await user.click("Open Sample study")
        await until(lambda: has_single_notice(user), "a single notice")
        await user.click("Open")
        await user.wait_for("Save “")
        assert copies() == {"Sample study", "Single rating"}
        await user.click("Cancel")
        await until(lambda: has_single_notice(user), "the notice again")
        assert copies() == {"Sample study", "Single rating"}
        await user.click("Open")
        await user.click("Save")
        await user.choose_file(tmp_path / "first.batchwright")
        await until(lambda: len(copies()) == 1, "the end of the copy that was saved")
    saved = read_project((tmp_path / "first.batchwright").read_bytes())
    assert {saved.name, *copies()} == {"Sample study", "Single rating"}
