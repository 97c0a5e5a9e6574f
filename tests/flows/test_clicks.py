"""From the first start to the first own record on a participant page: at most twelve clicks.

With an own page in place of the proposed one: at most thirteen; with two columns and a question from a preset
in its place: at most sixteen, including drags.
"""

from pathlib import Path

import pytest

from tests.flows.browser import browser, page_after_start
from tests.flows.user_actions import run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CSV = """question,answer_a,answer_b
What is a cat?,"An animal, small","A ""pet"" that purrs"
Why is the sky blue?,Because of the air,It only looks so
"""
START = 1
"""The click on the first page of the browser."""


@pytest.mark.endpoint(
    "datasets.create",
    "datasets.get",
    "datasets.upload_url",
    "storage.put_import",
    "datasets.get_import",
    "batches.list_all",
    "batches.create",
    "batches.get",
    "setups.set_up",
    "batches.status",
)
async def test_a_table_is_on_a_participant_page_after_twelve_clicks_at_most(tmp_path: Path) -> None:
    table = tmp_path / "cats.csv"
    table.write_text(CSV, encoding="utf-8")
    with browser() as opened:
        async with run_program(tmp_path / "profile") as user:
            await user.click("Open a data file")
            await user.choose_file(table)
            await user.click("Upload 2 records")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await user.click("Create 2 tasks")
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            page = await page_after_start(opened.opened[0])
            assert "What is a cat?" in page or "Why is the sky blue?" in page
            assert "Which one is better?" in page
            assert "Answer A" in page
            assert '<div class="row two">' in page
            clicks = user.clicks + START
    assert clicks <= 12


async def test_an_own_page_in_place_of_the_proposed_one_takes_at_most_thirteen_clicks(tmp_path: Path) -> None:
    table = tmp_path / "cats.csv"
    table.write_text(CSV, encoding="utf-8")
    with browser() as opened:
        async with run_program(tmp_path / "profile") as user:
            await user.click("Open a data file")
            await user.choose_file(table)
            await user.click("Undo")
            await user.click("Upload 2 records")
            await user.click("Lay out the pages")
            await user.click("question")
            await user.click("Free text")
            await user.write("What do you think of it?", "Question")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await user.click("Create 2 tasks")
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            page = await page_after_start(opened.opened[0])
            assert "What is a cat?" in page or "Why is the sky blue?" in page
            assert "What do you think of it?" in page
            clicks = user.clicks + START
    assert clicks <= 13


async def test_two_columns_and_a_preset_question_take_at_most_sixteen_clicks(tmp_path: Path) -> None:
    table = tmp_path / "cats.csv"
    table.write_text(CSV, encoding="utf-8")
    with browser() as opened:
        async with run_program(tmp_path / "profile") as user:
            await user.click("Open a data file")
            await user.choose_file(table)
            await user.click("Undo")
            await user.click("Upload 2 records")
            await user.click("Lay out the pages")
            await user.click("answer_a")
            await user.drag("answer_b", target="Dataset field: answer_a")
            await user.click("Multiple choice")
            await user.write("The left one is better", "Question")
            await user.click("Presets")
            await user.click("Agree or disagree, 5 steps")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await user.click("Create 2 tasks")
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            page = await page_after_start(opened.opened[0])
            left = next(entry for entry in ("An animal, small", "Because of the air") if entry in page)
            assert page.index(left) < page.index("The left one is better")
            assert "Neither agree nor disagree" in page
            assert '<div class="row two">' in page
            clicks = user.clicks + START
    assert clicks <= 16
