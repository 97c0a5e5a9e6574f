"""With no study open, a batch of the workspace is found, read, duplicated and set up."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.flows.browser import browser
from tests.flows.test_flow import lay_out, run, upload_data, write_table
from tests.flows.user_actions import person_at

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]


def test_a_batch_is_read_and_copied_without_a_study(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv")

    async def steps() -> None:
        with browser():
            async with person_at(tmp_path / "profile") as person:
                await upload_data(person, tmp_path / "table.csv")
                await lay_out(person)
                await run(person)
            async with person_at(tmp_path / "profile") as person:
                await person.click("Run")
                await person.sees("No study is open.", "3 tasks in 3 groups are ready for participants.")
                await person.click("See answers")
                await person.sees("6 answers received")
                await person.click("Report CSV")
                await person.click("Choose where to save…")
                await person.answer_files(tmp_path / "report.csv")
                await person.sees("Report saved")
                await person.click("Back to Run")
                await person.click("Duplicate")
                await person.write("The copy", "Name of the copy")
                await person.press(Qt.Key.Key_Return)
                await person.sees("No study is open. “The copy”: It has no tasks yet.")
                await person.click("Set up tasks")
                await person.click("Create 3 tasks")
                await person.sees("No study is open. “The copy”: 3 tasks in 3 groups are ready")

    loop.run_until_complete(steps())
    assert (tmp_path / "report.csv").stat().st_size
