"""What the window offers next, and what it shows when the user returns from another program."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.callouts import CalloutId, offer_callouts
from batchwright.ui.widgets.callout import Callout
from tests.flows.browser import browser, page_after_start
from tests.flows.user_actions import User, run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

Loop = asyncio.AbstractEventLoop


async def create_the_batch_of_the_sample(user: User, settings: Settings) -> None:
    """Follow the primary buttons of the stages from the sample to its batch, past the callout of each."""
    await until(lambda: has_callout(user), "the callout of Home")
    await user.click("Try the sample study")
    await user.wait_for("All fields match the schema")
    await until(lambda: has_callout(user), "the callout of Layout")
    await user.click("Continue to Run")
    await user.wait_for("Go to Data")
    assert settings.callouts == (CalloutId.RUN,)
    await user.click("Go to Data")
    await user.click("Upload 24 records")
    await user.click("Continue to Run")
    await until(lambda: has_callout(user), "the callout of Run")
    await user.click("Create batch")


def has_callout(user: User) -> bool:
    """Whether a callout is visible."""
    return any(callout.isVisible() for callout in user.window.findChildren(Callout))


async def use_another_window(user: User) -> None:
    """Make another window active, as a browser would be, and then the window of the program again."""
    other = QWidget()
    other.show()
    other.activateWindow()
    await until(other.isActiveWindow, "the other window")
    other.close()
    user.window.activateWindow()
    await until(user.window.isActiveWindow, "the window of the program")


async def test_a_data_file_and_the_sample_can_be_opened_from_home_after_the_first_study(
    tmp_path: Path,
) -> None:
    table = tmp_path / "cats.csv"
    table.write_text("question\nWhat is a cat?\n", encoding="utf-8")
    async with run_program(tmp_path / "profile", table) as user:
        await user.wait_for("The only record fits the schema.")
        await user.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        await user.choose_file(tmp_path / "cats.batchwright")
        await user.click("Home")
        await user.wait_for("Recent studies")
        await user.click("Try the sample study")
        await user.wait_for("All fields match the schema")
        await user.click("Home")
        await user.click("Open a data file")
        await user.choose_file(table)
        await user.click("Do not save")
        await user.wait_for("The only record fits the schema.")


async def test_collections_without_a_study_offers_a_new_collection(tmp_path: Path) -> None:
    async with run_program(tmp_path / "profile") as user:
        await user.click("Collections")
        await user.click("New collection")
        await user.wait_for("Continue to Collections")


async def test_the_primary_buttons_lead_from_the_sample_to_a_participant_whom_run_shows(
    tmp_path: Path,
) -> None:
    """Without a detour, with a callout in three stages, and as soon as the user returns from the browser."""
    settings = Settings(tmp_path / "profile" / "data")
    offer_callouts(settings)
    with browser() as opened:
        async with run_program(tmp_path / "profile") as user:
            await create_the_batch_of_the_sample(user, settings)
            assert not settings.callouts
            await user.click("Create 24 tasks")
            await user.wait_for("24 tasks in 24 groups are ready.")
            assert not has_callout(user)
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            await user.wait_for("A place is free for others after 60 minutes without activity.")
            await page_after_start(opened.opened[0])
            await use_another_window(user)
            await user.wait_for("1 participant has started and not answered.")


async def test_data_reads_a_file_again_that_was_changed_in_another_program(tmp_path: Path) -> None:
    table = tmp_path / "cats.csv"
    table.write_text("question\nWhat is a cat?\n", encoding="utf-8")
    async with run_program(tmp_path / "profile", table) as user:
        await user.wait_for("The only record fits the schema.")
        table.write_text("question\nWhat is a cat?\nWhat is a dog?\n", encoding="utf-8")
        await use_another_window(user)
        await user.wait_for("Both records fit the schema.")
