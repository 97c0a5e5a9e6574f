"""The first page of the help leads from the sample study to its results, each *?* to a section."""

from pathlib import Path

import pytest

from batchwright.help.pages import help_page, help_pages
from batchwright.ui.widgets.help_button import HelpButton, help_address_of
from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

SECTIONS = ("Questions", "Agreement", "Comparisons", "Participants")
LABELS = ("Try the sample study", "Upload", "Continue to Run", "Create batch", "See results")
"""What the page names of what is pressed."""


async def wait_for_help(user: User, *addresses: str) -> None:
    """Wait until there is a *?* that leads to each of these sections, and for each *?* to a section."""
    known = {section.address for page in help_pages() for section in page.sections}

    def shown() -> set[str]:
        buttons = (button for button in user.window.findChildren(HelpButton) if button.isVisible())
        return {help_address_of(button) or f"{user.window.stage}.md" for button in buttons}

    await until(lambda: set(addresses) <= shown(), " ".join(addresses))
    assert shown() <= known


async def test_the_first_page_leads_from_the_sample_to_its_results(tmp_path: Path) -> None:
    with browser():
        async with run_program(tmp_path / "profile") as user:
            await wait_for_help(user, "templates.md")
            await user.click("Try the sample study")
            await wait_for_help(user, "layout.md", "layout.md#questions", "layout.md#problems")
            await user.click("Data")
            await wait_for_help(user, "data.md", "data.md#checks", "data.md#columns-and-the-schema")
            await user.click("Upload 24 records")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await wait_for_help(user, "run.md", "run.md#create-the-batch", "jobs.md", "run.md#set-up-tasks")
            await user.click("Create 24 tasks")
            await wait_for_help(user, "run.md#new-records", "run.md#take-part")
            await user.click("Simulated participants")
            await user.click("Let 24 participants answer")
            await user.click("See results")
            await wait_for_help(user, "results.md")
            await user.click("Questions")
            await wait_for_help(user, "results.md#questions")
            await user.click("Agreement")
            await wait_for_help(user, "results.md#agreement")
            await user.click("Comparisons")
            await wait_for_help(user, "results.md#comparisons", "results.md#bias-of-position")
            await user.click("Participants")
            await wait_for_help(user, "results.md#participants")
            await user.click("Feedback")
            await wait_for_help(user, "feedback.md")
            await user.click("Jobs")
            await wait_for_help(user, "jobs.md")
    words = " ".join(section.text for section in help_page("getting-started").sections)
    assert [label for label in LABELS if label not in words] == []
