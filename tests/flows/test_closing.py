"""Closing the window while something goes out ends cleanly, and the next start goes on."""

import asyncio
from pathlib import Path

import pytest

from batchwright.ui.window_controller import WindowController
from tests.flows.user_actions import Person, name, person_at
from tests.flows.waiting import monitor_waiting_jobs

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

RECORDS = 400_000


def write_large(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("prompt,answer\n")
        file.writelines(f"Question {number},{'word ' * 20}{number}\n" for number in range(RECORDS))


async def close(person: Person) -> None:
    """Close the window as people do, and let the study go."""
    person.window.close()
    await person.click("Do not save")
    await person.living


def test_closing_during_an_upload_leaves_nothing_half(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    table, profile = tmp_path / "large.csv", tmp_path / "profile"
    write_large(table)

    async def steps() -> None:
        async with person_at(profile) as person:
            await person.click("Open a data file")
            await person.answer_files(table)
            await person.click(name(await person.sees("Upload 400", "records")))
            await person.sees("Uploading large.csv")
            await close(person)
        stored = [path for path in (profile / "data" / "service").rglob("*") if path.is_file()]
        assert not [path for path in stored if path.stat().st_size >= table.stat().st_size]
        assert not [path for path in stored if path.suffix == ".part"]
        async with person_at(profile) as person:
            await person.sees("Try the sample study")
            await person.sees("The service on this computer is ready")

    loop.run_until_complete(steps())


def test_a_program_that_receives_a_signal_leaves_its_jobs_running(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def steps() -> None:
        async with person_at(tmp_path) as person:
            await person.sees("Try the sample study")
            controller = person.window.findChild(WindowController)
            assert isinstance(controller, WindowController)
            await monitor_waiting_jobs(controller, 3)
            await person.click("Jobs")
            await person.sees("3 running. They continue if you close the window.")
        async with person_at(tmp_path) as person:
            await person.click("Jobs")
            await person.sees("3 running. They continue if you close the window.")

    loop.run_until_complete(steps())
    assert "Traceback" not in capfd.readouterr().err
