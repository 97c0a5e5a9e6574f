"""A restart opens the studies that were open at the end, each with the stage that was shown."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, StudyKind, project_content
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import OpenStudy, Settings
from batchwright.ui.program.window_controller import WindowController
from tests.flows.user_actions import User, run_program, until
from tests.samples.each_type import ALL

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]
CONTROL = Qt.KeyboardModifier.ControlModifier


@asynccontextmanager
async def restarted(folder: Path, *files: Path) -> AsyncIterator[User]:
    """Run the program once, always on the same profile; yields when its windows show a stage."""
    async with run_program(folder / "profile", *files) as user:
        await until(lambda: all(w.is_showing_stage for w in user.program.windows), "a stage")
        yield user


def study(folder: Path, name: str, kind: StudyKind = StudyKind.BATCH) -> Path:
    """Write a study with an item of each type."""
    file = folder.resolve() / f"{name}.batchwright"
    layout = read([{"rows": [{"columns": [{"items": list(ALL)}]}]}], random_keys())
    file.write_bytes(project_content(Project(name, layout, kind=kind)))
    return file


def shown(user: User) -> list[tuple[Path | None, str]]:
    return [(window.file, window.stage) for window in user.program.windows]


async def opens(folder: Path, file: Path, stage: str) -> None:
    """Run the program once: show a stage of a study."""
    async with restarted(folder, file) as user:
        await show_stage(user, stage)


async def show_stage(user: User, stage: str) -> None:
    await until(lambda: user.window.has_study, "the study")
    await user.click(stage)


async def shows(
    folder: Path, *expected: tuple[Path | None, str], files: Sequence[Path] = (), next_stage: str = ""
) -> None:
    """Run the program once: it shows these files and stages; then show another stage."""
    async with restarted(folder, *files) as user:
        await until(lambda: shown(user) == list(expected), "what was open")
        if next_stage:
            await show_stage(user, next_stage)


async def test_restarts_restore_the_study_with_the_last_stage(tmp_path: Path) -> None:
    cats = study(tmp_path, "cats")
    await opens(tmp_path, cats, "Run")
    await shows(tmp_path, (cats, "run"), next_stage="Data")
    await shows(tmp_path, (cats, "data"), next_stage="Jobs")
    for _time in range(2):
        await shows(tmp_path, (cats, "jobs"))


async def test_a_study_that_was_closed_stays_closed(tmp_path: Path) -> None:
    async with restarted(tmp_path, study(tmp_path, "cats")) as user:
        await until(lambda: user.window.has_study, "the study")
        user.window.findChildren(WindowController)[0].run_action(ActionId.CLOSE_STUDY)
        await until(lambda: not user.window.has_study, "the end of the study")
    await shows(tmp_path, (None, "home"))


async def test_quitting_with_two_windows_restores_both(tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs", StudyKind.COLLECTION)
    async with restarted(tmp_path, cats) as user:
        await show_stage(user, "Run")
        other = user.program.open_window([dogs])
        await until(lambda: other.has_study and other.is_showing_stage, "the other study")
        other.restore_stage("collections")
        await user.press(Qt.Key.Key_Q, CONTROL)
        await user.running
    await shows(tmp_path, (cats, "run"), (dogs, "collections"))


async def test_a_window_that_was_closed_before_the_last_one_is_not_restored(tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs")
    async with restarted(tmp_path, cats) as user:
        await show_stage(user, "Run")
        other = user.program.open_window([dogs])
        await until(lambda: other.has_study, "the other study")
        user.window.close()
        await until(lambda: user.program.windows == (other,), "one window")
        other.close()
        await user.running
    await shows(tmp_path, (dogs, "layout"))


async def test_files_of_the_start_replace_what_was_open(tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs")
    await opens(tmp_path, cats, "Run")
    await shows(tmp_path, (dogs, "layout"), files=[dogs])
    await shows(tmp_path, (dogs, "layout"))


async def test_a_study_that_cannot_be_restored_is_reported_once(tmp_path: Path) -> None:
    cats = study(tmp_path, "cats")
    await opens(tmp_path, cats, "Run")
    cats.write_text('{"batchwright": 1, "name": ')
    async with restarted(tmp_path) as user:
        await user.wait_for("“cats.batchwright” cannot be opened")
        assert shown(user) == [(None, "home")]
    async with restarted(tmp_path) as user:
        assert shown(user) == [(None, "home")]
        assert not user.window.notices.cards


@pytest.mark.parametrize(
    ("stage", "expected"), [("results", "results"), ("data", "layout"), ("unknown", "layout"), ("", "layout")]
)
async def test_a_stage_that_the_study_does_not_have_is_not_shown(
    tmp_path: Path, stage: str, expected: str
) -> None:
    dogs = study(tmp_path, "dogs", StudyKind.COLLECTION)
    (tmp_path / "profile" / "data").mkdir(parents=True)
    Settings(tmp_path / "profile" / "data").open_studies = (OpenStudy(dogs, stage),)
    await shows(tmp_path, (dogs, expected))
