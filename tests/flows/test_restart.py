"""A restart opens the studies that were open at the end, each with the stage that was shown."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, StudyKind, project_content
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.settings import OpenStudy, Settings
from batchwright.ui.window_controller import WindowController
from tests.flows.user_actions import User, run_program, until
from tests.samples.each_type import ALL

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]
CONTROL = Qt.KeyboardModifier.ControlModifier
Steps = Callable[[User], Awaitable[None]]
Run = Callable[..., None]


@pytest.fixture
def run(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Run:
    """Runs the program once, always on the same profile."""

    def run(steps: Steps, *files: Path) -> None:
        async def flow() -> None:
            async with run_program(tmp_path / "profile", *files) as user:
                await until(lambda: all(w.is_showing_stage for w in user.program.windows), "a stage")
                await steps(user)

        loop.run_until_complete(flow())

    return run


def study(folder: Path, name: str, kind: StudyKind = StudyKind.BATCH) -> Path:
    """Write a study with an item of each type."""
    file = folder.resolve() / f"{name}.batchwright"
    layout = read([{"rows": [{"columns": [{"items": list(ALL)}]}]}], random_keys())
    file.write_bytes(project_content(Project(name, layout, kind=kind)))
    return file


def shown(user: User) -> list[tuple[Path | None, str]]:
    return [(window.file, window.stage) for window in user.program.windows]


def shows(*expected: tuple[Path | None, str]) -> Steps:
    async def steps(user: User) -> None:
        await until(lambda: shown(user) == list(expected), "what was open")

    return steps


def opens(stage: str) -> Steps:
    """Show a stage of the study that is open."""

    async def steps(user: User) -> None:
        await until(lambda: user.window.has_study, "the study")
        await user.click(stage)

    return steps


@pytest.mark.parametrize(("stage", "id"), [("Run", "run"), ("Data", "data"), ("Jobs", "jobs")])
def test_a_restart_restores_the_study_with_the_stage(run: Run, tmp_path: Path, stage: str, id: str) -> None:
    cats = study(tmp_path, "cats")
    run(opens(stage), cats)
    for _time in range(2):
        run(shows((cats, id)))


def test_a_study_that_was_closed_stays_closed(run: Run, tmp_path: Path) -> None:
    async def close(user: User) -> None:
        await until(lambda: user.window.has_study, "the study")
        user.window.findChildren(WindowController)[0].run_action(ActionId.CLOSE_STUDY)
        await until(lambda: not user.window.has_study, "the end of the study")

    run(close, study(tmp_path, "cats"))
    run(shows((None, "home")))


def test_quitting_with_two_windows_restores_both(run: Run, tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs", StudyKind.COLLECTION)

    async def quit_with_two(user: User) -> None:
        await opens("Run")(user)
        other = user.program.open_window([dogs])
        await until(lambda: other.has_study and other.is_showing_stage, "the other study")
        other.restore_stage("collections")
        await user.press(Qt.Key.Key_Q, CONTROL)
        await user.running

    run(quit_with_two, cats)
    run(shows((cats, "run"), (dogs, "collections")))


def test_a_window_that_was_closed_before_the_last_one_is_not_restored(run: Run, tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs")

    async def close_one_after_the_other(user: User) -> None:
        await opens("Run")(user)
        other = user.program.open_window([dogs])
        await until(lambda: other.has_study, "the other study")
        user.window.close()
        await until(lambda: user.program.windows == (other,), "one window")
        other.close()
        await user.running

    run(close_one_after_the_other, cats)
    run(shows((dogs, "layout")))


def test_files_of_the_start_replace_what_was_open(run: Run, tmp_path: Path) -> None:
    cats, dogs = study(tmp_path, "cats"), study(tmp_path, "dogs")
    run(opens("Run"), cats)
    run(shows((dogs, "layout")), dogs)
    run(shows((dogs, "layout")))


def test_a_study_that_cannot_be_restored_is_reported_once(run: Run, tmp_path: Path) -> None:
    cats = study(tmp_path, "cats")
    run(opens("Run"), cats)
    cats.write_text('{"batchwright": 1, "name": ')

    async def is_reported(user: User) -> None:
        await user.wait_for("“cats.batchwright” cannot be opened")
        assert shown(user) == [(None, "home")]

    async def is_not_tried(user: User) -> None:
        assert shown(user) == [(None, "home")]
        assert not user.window.notices.cards

    run(is_reported)
    run(is_not_tried)


@pytest.mark.parametrize(
    ("stage", "expected"), [("results", "results"), ("data", "layout"), ("unknown", "layout"), ("", "layout")]
)
def test_a_stage_that_the_study_does_not_have_is_not_shown(
    run: Run, tmp_path: Path, stage: str, expected: str
) -> None:
    dogs = study(tmp_path, "dogs", StudyKind.COLLECTION)
    (tmp_path / "profile" / "data").mkdir(parents=True)
    Settings(tmp_path / "profile" / "data").open_studies = (OpenStudy(dogs, stage),)
    run(shows((dogs, expected)))
