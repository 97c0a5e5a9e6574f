"""The main job by the window's own widgets, on a real service: from a CSV file to an exported archive."""

import asyncio
import csv
import zipfile
from pathlib import Path

import pytest

from tests.flows.browser import browser
from tests.flows.user_actions import Person, person_at

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

RECORDS = [
    {"prompt": "Why is the sky blue?", "answer, short": "Air", "note": "1"},
    {"prompt": 'Say "hello"\nin two lines', "answer, short": "Hello; goodbye", "note": "2"},
    {"prompt": "Ünïcødé, 漢字 🙂", "answer, short": "Yes", "note": "3"},
]

QUESTIONS = 2


def write_table(path: Path) -> None:
    """A table as Excel writes it: a mark at its start, quotes, and lines within cells."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(RECORDS[0]))
        writer.writeheader()
        writer.writerows(RECORDS)


async def upload_data(person: Person, table: Path) -> None:
    await person.click("Open a data file")
    await person.answer_files(table)
    await person.sees("All 3 records fit the schema")
    await person.click("Type of note")
    await person.choose("Text")
    await person.click("Upload 3 records")
    await person.sees("3 accepted")


async def lay_out(person: Person) -> None:
    await person.click("Lay out the pages")
    await person.click("prompt")
    await person.click("answer, short")
    await person.click("Multiple choice")
    await person.write("Is the answer right?", "Question")
    for number, label in ((1, "Right"), (2, "Wrong")):
        await person.edit_cell(f"Option {number}, Label", label)
    await person.click("Free text")
    await person.write("Why?", "Question")
    await person.sees("1 page, 4 items. All fields match the schema.")


async def run(person: Person) -> None:
    await person.click("Continue to Run")
    await person.click("Create batch")
    await person.click("Create 3 tasks")
    await person.click("Simulated participants")
    await person.click("Let 3 participants answer")
    await person.sees("3 of 3 groups are answered")


async def harvest(person: Person, folder: Path) -> None:
    await person.click("See results")
    await person.sees("6 answers received")
    await person.click("Report CSV")
    await person.click("Choose where to save…")
    await person.answer_files(folder / "report.csv")
    await person.sees("Report saved")
    await person.click("Download export")
    await person.answer_files(folder / "export.zip")
    await person.sees("Export saved")


def test_from_a_table_to_an_exported_archive(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv")

    async def steps() -> None:
        with browser():
            async with person_at(tmp_path / "profile") as person:
                await upload_data(person, tmp_path / "table.csv")
                await lay_out(person)
                await run(person)
                await harvest(person, tmp_path)

    loop.run_until_complete(steps())
    with (tmp_path / "report.csv").open(encoding="utf-8-sig", newline="") as report:
        rows = list(csv.DictReader(report))
    assert len(rows) == len(RECORDS) * QUESTIONS
    assert {row["prompt"] for row in rows} == {record["prompt"] for record in RECORDS}
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist()
