"""From the first start to one's own record on a participant page: at most twelve clicks (design.md 3).

With two columns and a question of a preset they are fifteen, drags counted.
"""

import asyncio
from pathlib import Path

import pytest

from tests.flows.browser import browser, page_after_start
from tests.flows.user_actions import person_at, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CSV = """question,answer_a,answer_b
What is a cat?,"An animal, small","A ""pet"" that purrs"
Why is the sky blue?,Because of the air,It only looks so
"""
START = 1
"""The click on the first page of the browser."""


def test_twelve_clicks_lead_to_the_first_own_record(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    table = tmp_path / "cats.csv"
    table.write_text(CSV, encoding="utf-8")

    async def steps() -> int:
        with browser() as opened:
            async with person_at(tmp_path / "profile") as person:
                await person.click("Open a data file")
                await person.answer_files(table)
                await person.click("Upload 2 records")
                await person.click("Lay out the pages")
                await person.click("question")
                await person.click("Free text")
                await person.write("What do you think of it?", "Question")
                await person.click("Continue to Run")
                await person.click("Create batch")
                await person.click("Create 2 tasks")
                await person.click("Open as participant")
                await until(lambda: bool(opened.opened), "the browser")
                page = await page_after_start(opened.opened[0])
                assert "What is a cat?" in page or "Why is the sky blue?" in page
                assert "What do you think of it?" in page
                return person.clicks + START

    clicks = loop.run_until_complete(steps())
    assert clicks <= 12


def test_fifteen_clicks_lead_to_two_columns_and_a_question_of_a_preset(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    table = tmp_path / "cats.csv"
    table.write_text(CSV, encoding="utf-8")

    async def steps() -> int:
        with browser() as opened:
            async with person_at(tmp_path / "profile") as person:
                await person.click("Open a data file")
                await person.answer_files(table)
                await person.click("Upload 2 records")
                await person.click("Lay out the pages")
                await person.click("answer_a")
                await person.drag("answer_b", beside="Dataset field: answer_a")
                await person.click("Multiple choice")
                await person.write("The left one is better", "Question")
                await person.click("Presets")
                await person.click("Agree or disagree, 5 steps")
                await person.click("Continue to Run")
                await person.click("Create batch")
                await person.click("Create 2 tasks")
                await person.click("Open as participant")
                await until(lambda: bool(opened.opened), "the browser")
                page = await page_after_start(opened.opened[0])
                left = next(entry for entry in ("An animal, small", "Because of the air") if entry in page)
                assert page.index(left) < page.index("The left one is better")
                assert "Neither agree nor disagree" in page
                assert '<div class="row two">' in page
                return person.clicks + START

    clicks = loop.run_until_complete(steps())
    assert clicks <= 15
