"""Closing the window during a transfer ends the program cleanly, and the next start works."""

from pathlib import Path

import pytest

from batchwright.ui.program.window_controller import WindowController
from tests.flows.user_actions import User, name, run_program
from tests.flows.waiting_jobs import monitor_waiting_jobs

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

RECORDS = 400_000


def write_large(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("prompt,answer\n")
        file.writelines(f"Question {number},{'word ' * 20}{number}\n" for number in range(RECORDS))


async def close(user: User) -> None:
    """Close the window as a user does, and discard the study."""
    user.window.close()
    await user.click("Do not save")
    await user.running


async def test_closing_during_an_upload_leaves_no_partial_file(tmp_path: Path) -> None:
    table, profile = tmp_path / "large.csv", tmp_path / "profile"
    write_large(table)
    async with run_program(profile) as user:
        await user.click("Open a data file")
        await user.choose_file(table)
        await user.click(name(await user.wait_for("Upload 400", "records")))
        await user.wait_for("Uploading large.csv")
        await close(user)
    stored = [path for path in (profile / "data" / "service").rglob("*") if path.is_file()]
    assert not [path for path in stored if path.stat().st_size >= table.stat().st_size]
    assert not [path for path in stored if path.suffix == ".part"]
    async with run_program(profile) as user:
        await user.wait_for("Try the sample study")
        await user.wait_for("The service on this computer is ready")


async def test_jobs_are_still_running_after_a_signal_ended_the_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with run_program(tmp_path) as user:
        await user.wait_for("Try the sample study")
        controller = user.window.findChild(WindowController)
        assert isinstance(controller, WindowController)
        await monitor_waiting_jobs(controller, 3)
        await user.click("Jobs")
        await user.wait_for("3 running. They continue if you close the window.")
    async with run_program(tmp_path) as user:
        await user.click("Jobs")
        await user.wait_for("3 running. They continue if you close the window.")
    assert "Traceback" not in capfd.readouterr().err
