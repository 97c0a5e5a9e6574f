"""The main workflow in the window, with a real service: from a CSV file to an exported archive."""

import csv
import zipfile
from pathlib import Path

import pytest

from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

RECORDS = [
    {"prompt": "Why is the sky blue?", "answer, short": "Air", "note": "1"},
    {"prompt": 'Say "hello"\nin two lines', "answer, short": "Hello; goodbye", "note": "2"},
    {"prompt": "Ünïcødé, 漢字 🙂", "answer, short": "Yes", "note": "3"},
]

QUESTIONS = 2


def write_table(path: Path) -> None:
    """Write a table as Excel does: with a byte order mark, quotes, and line breaks in cells."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(RECORDS[0]))
        writer.writeheader()
        writer.writerows(RECORDS)


async def upload_data(user: User, table: Path) -> None:
    await user.click("Open a data file")
    await user.choose_file(table)
    await user.wait_for("All 3 records fit the schema")
    await user.click("Type of note")
    await user.choose("Text")
    await user.click("Upload 3 records")
    await user.wait_for("3 accepted")


async def create_layout(user: User) -> None:
    await user.click("Undo")  # the layout that was proposed from the table
    await user.click("Lay out the pages")
    await user.click("prompt")
    await user.click("answer, short")
    await user.click("Multiple choice")
    await user.write("Is the answer right?", "Question")
    for number, label in ((1, "Right"), (2, "Wrong")):
        await user.edit_cell(f"Option {number}, Label", label)
    await user.click("Free text")
    await user.write("Why?", "Question")
    await user.wait_for("1 page, 4 items. All fields match the schema.")


async def run(user: User) -> None:
    await user.click("Continue to Run")
    await user.click("Create batch")
    await user.click("Create 3 tasks")
    await user.click("Simulated participants")
    await user.click("Let 3 participants answer")
    await user.wait_for("3 of 3 groups are answered")


async def download_results(user: User, folder: Path) -> None:
    await user.click("See results")
    await user.wait_for("6 answers received")
    await user.click("Report CSV")
    await user.click("Choose where to save…")
    await user.choose_file(folder / "report.csv")
    await user.wait_for("Report saved")
    await user.click("Download export")
    await user.choose_file(folder / "export.zip")
    await user.wait_for("Export saved")


async def test_a_table_becomes_an_exported_archive(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv")
    with browser():
        async with run_program(tmp_path / "profile") as user:
            await upload_data(user, tmp_path / "table.csv")
            await create_layout(user)
            await run(user)
            await download_results(user, tmp_path)
    with (tmp_path / "report.csv").open(encoding="utf-8-sig", newline="") as report:
        rows = list(csv.DictReader(report))
    assert len(rows) == len(RECORDS) * QUESTIONS
    assert {row["prompt"] for row in rows} == {record["prompt"] for record in RECORDS}
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist()
