"""Starting the program with files: those that cannot be opened are reported on Home."""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton

from batchwright.base.resources import resource
from batchwright.layout.model import Layout
from batchwright.local.projects import Project, project_content
from batchwright.ui.shell.window import Window
from tests.flows.user_actions import run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

SAMPLE = resource("samples", "preference")


async def test_files_that_cannot_be_opened_are_reported_on_home_in_one_window(tmp_path: Path) -> None:
    damaged, empty, unknown = tmp_path / "damaged.batchwright", tmp_path / "empty.json", tmp_path / "notes"
    damaged.write_text('{"batchwright": 1, "name": ')
    empty.touch()
    unknown.write_bytes(bytes(range(256)) * 8)
    output = {
        damaged: "“damaged.batchwright” cannot be opened",
        empty: "“empty.json” is empty",
        unknown: "“notes” is not a text file. Choose a study, a layout, a collection, or a table",
        Path(os.devnull): "is not a regular file",
        tmp_path / "missing.batchwright": "“missing.batchwright” was not found",
    }
    async with run_program(tmp_path / "profile", *output) as user:
        await user.wait_for("5 files were not opened")
        for text in output.values():
            await user.wait_for(text)
        (window,) = user.program.windows
        (_card,) = window.notices.cards
        await until(lambda: window.is_showing_stage, "a stage")
        assert set(shown_stages(window)) == {"Home"}


def shown_stages(window: Window) -> list[str]:
    return [button.accessibleName() for button in window.findChildren(QAbstractButton) if button.isChecked()]


async def test_a_folder_is_opened_as_a_study(tmp_path: Path) -> None:
    async with run_program(tmp_path / "profile", SAMPLE) as user:
        await user.wait_for("Sample study")


async def test_files_of_a_second_start_are_opened_in_the_window_that_shows_home(tmp_path: Path) -> None:
    unknown = tmp_path / "notes"
    unknown.write_bytes(bytes(range(256)) * 8)
    async with run_program(tmp_path / "profile") as user:
        (window,) = user.program.windows
        await until(lambda: window.is_showing_stage, "a stage")
        for _time in range(2):
            user.program.open_files([unknown])
            await user.wait_for("“notes” is not a text file.")
        assert len(window.notices.cards) == 1
        user.program.open_files([SAMPLE])
        await user.wait_for("Sample study")
        await until(lambda: not window.notices.cards, "no notice about the file before")
        assert user.program.windows == (window,)
        user.program.open_files([unknown])
        await until(lambda: len(user.program.windows) == 2, "another window")


async def test_a_study_that_is_opened_is_listed_on_home_of_another_window(tmp_path: Path) -> None:
    study = tmp_path / "cats.batchwright"
    study.write_bytes(project_content(Project("Signs of cats", Layout(())), tmp_path))
    async with run_program(tmp_path / "profile") as user:
        await until(lambda: user.window.is_showing_stage, "a stage")
        other = user.program.open_window([study])
        await until(lambda: other.has_study, "the study")
        await user.wait_for("Signs of cats")
