"""Killed at any moment, the program loses at most the last second of typing (design.md 9, promise 3)."""

import asyncio
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
from batchwright.local.project_parser import read_project
from batchwright.ui.widgets.notices import NoticeCard
from tests.flows.program import ROOT
from tests.flows.user_actions import Person, name, person_at, until
from tests.service.kill_helpers import rows_in

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

TYPING = """
import asyncio, sys
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.service.kill_helpers import rows_in
from tests.flows.user_actions import focused, person_at
from tests.ui.limited_loop import LimitedLoop

PAUSE = 0.04


async def main() -> None:
    async with person_at(Path(sys.argv[1])) as person:
        await person.click("Try the sample study")
        await person.click("Free text")
        await person.finds_field("Question")
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
from batchwright.local.project_parser import read_project
from batchwright.local.autosave import AutosaveStore
from tests.flows.user_actions import name, person_at, until
from tests.ui.limited_loop import LimitedLoop


async def main() -> None:
    async with person_at(Path(sys.argv[1])) as person:
        await person.click("Open a data file")
        await person.answer_files(Path(sys.argv[1]) / "large.csv")
        await person.click(name(await person.sees("Upload 400", "records")))
        with closing(open_database(Path(sys.argv[1]) / "data")) as database:
            rows = JobRows(database)
            await until(lambda: "import" in [row.kind for row in rows.latest()], "the job of the import")
        await person.click("Jobs")
        await person.sees("Import large.csv")
        print("watched", flush=True)
        await person.living


if __name__ == "__main__":
    LimitedLoop(QApplication([])).run_until_complete(main())
"""
MANY = 400_000


TWO_WINDOWS = """
import asyncio, sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from batchwright.ui.window_controller import WindowController
from batchwright.ui.study.templates import TEMPLATES
from tests.flows.user_actions import person_at, until
from tests.ui.limited_loop import LimitedLoop

PROFILE = Path(sys.argv[1])


def copies() -> int:
    return len(list((PROFILE / "data" / "recovery").glob("*.batchwright")))


async def main() -> None:
    async with person_at(PROFILE) as person:
        await person.click("Try the sample study")
        await until(lambda: copies() == 1, "the copy of the first study")
        second = person.program.open_window()
        await until(lambda: second.is_showing_stage, "the second window")
        second.findChild(WindowController).open_template(TEMPLATES[1])
        await until(lambda: copies() == 2, "the copy of the second study")
        print("both", flush=True)
        await person.living


if __name__ == "__main__":
    LimitedLoop(QApplication([])).run_until_complete(main())
"""


@contextmanager
def working(steps: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """The program as a process, and someone who goes through some steps."""
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
    """Kill the program after some strokes; what was written in all, and what a second before."""
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
    """Start again, take what is offered, and read the question that was being written."""
    async with person_at(profile) as person:
        await person.sees("was not saved when Batchwright closed")
        await person.click("Open")
        card = await person.sees("Free text: abc")
        return name(card).removeprefix("Free text: ")


@pytest.mark.parametrize("seed", range(2))
def test_at_most_a_second_of_typing_is_lost(
    seed: int, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    written, before = type_and_kill(tmp_path, random.Random(seed).choice(STROKES))
    matches = loop.run_until_complete(recovered(tmp_path / "profile"))
    assert written.startswith(matches)
    assert len(matches) >= len(before.rstrip())


def test_an_import_continues_after_the_program_was_killed_and_is_not_started_twice(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
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

    async def started_again() -> None:
        async with person_at(profile) as person:
            await person.sees("was not saved when Batchwright closed")
            await person.click("Open")
            await person.click("Data")
            await person.sees("400,000 records are in the dataset")
            await person.click("Jobs")
            await person.sees("Import large.csv")
            await person.sees("400,000 accepted, 0 rejected")

    loop.run_until_complete(started_again())
    service = profile / "data" / "service"
    assert rows_in(service, "dataset") == 1
    assert rows_in(service, "datapoint") == MANY


def has_single_notice(person: Person) -> bool:
    """Whether one notice is shown, and none that is sliding out."""
    return len(person.window.toasts.cards) == len(person.window.findChildren(NoticeCard)) == 1


def test_the_studies_of_two_windows_are_both_recovered_in_one(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    with working(TWO_WINDOWS, tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "both\n"
        process.kill()
    profile = tmp_path / "profile"

    def copies() -> set[str]:
        return {left.project.name for left in AutosaveStore(profile / "data").recovered()}

    async def started_again() -> None:
        async with person_at(profile) as person:
            await person.sees("“Sample study” was not saved")
            await person.sees("“Single rating” was not saved")
            await person.click("Open")
            await until(lambda: has_single_notice(person), "the notice that is left")
            await person.click("Open")
            await person.sees("Save “")
            assert copies() == {"Sample study", "Single rating"}
            await person.click("Cancel")
            await until(lambda: has_single_notice(person), "the notice again")
            assert copies() == {"Sample study", "Single rating"}
            await person.click("Open")
            await person.click("Save")
            await person.answer_files(tmp_path / "first.batchwright")
            await until(lambda: len(copies()) == 1, "the end of the copy that was saved")

    loop.run_until_complete(started_again())
    saved = read_project((tmp_path / "first.batchwright").read_bytes())
    assert {saved.name, *copies()} == {"Sample study", "Single rating"}
