"""With no study open, a batch of the workspace is found, read, duplicated and set up."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.flows.browser import browser
from tests.flows.test_main_workflow import create_layout, run, upload_data, write_table
from tests.flows.user_actions import run_program

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]


async def test_a_batch_is_read_and_copied_without_a_study(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv")
    with browser():
        async with run_program(tmp_path / "profile") as user:
            await upload_data(user, tmp_path / "table.csv")
            await create_layout(user)
            await run(user)
        async with run_program(tmp_path / "profile") as user:
            await user.click("Run")
            await user.wait_for("No study is open.", "3 tasks in 3 groups are ready for participants.")
            await user.click("See answers")
            await user.wait_for("6 answers received")
            await user.click("Report CSV")
            await user.click("Choose where to save…")
            await user.choose_file(tmp_path / "report.csv")
            await user.wait_for("Report saved")
            await user.click("Back to Run")
            await user.click("Duplicate")
            await user.write("The copy", "Name of the copy")
            await user.press(Qt.Key.Key_Return)
            await user.wait_for("No study is open. “The copy”: It has no tasks yet.")
            await user.click("Set up tasks")
            await user.click("Create 3 tasks")
            await user.wait_for("No study is open. “The copy”: 3 tasks in 3 groups are ready")
    assert (tmp_path / "report.csv").stat().st_size
