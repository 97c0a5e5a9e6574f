"""What an undo changed is named in a notice if the current stage does not show it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from batchwright.layout.editing.edits import Remove
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.shell.stages import Stage
from batchwright.wire.batches import TaskDetails
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

STAGES = [
    Stage(id, id.title(), "table", lambda _context: QWidget())
    for id in ("data", "layout", "run", "collections")
]
JUDGE = TaskDetails(task_name="Judge", task_introduction="", task_steps="")


def notices(at: OpenTestWindow) -> list[str]:
    return [card.notice.title for card in at.window.notices.cards if card.notice.topic == "undo"]


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[OpenTestWindow]:
    """An open window with the sample study."""
    async with window_in(tmp_path, STAGES) as at:
        at.window.stage_context(at.tasks).actions.run(ActionId.TRY_SAMPLE)
        await at.settled()
        yield at


async def test_what_another_stage_shows_is_named_and_one_click_away(at: OpenTestWindow) -> None:
    actions = at.window.stage_context(at.tasks).actions
    at.shell.set_stage("layout")
    at.controller.study.set_details(JUDGE)
    assert actions.qaction(ActionId.UNDO).text() == "Undo: Change task details"
    actions.run(ActionId.UNDO)
    assert notices(at) == ["Undone: Change task details"]
    actions.run(ActionId.REDO)
    assert notices(at) == ["Redone: Change task details"]
    press(at.window, "Show")
    assert at.shell.stage == "run"


async def test_the_task_details_of_a_collection_are_in_its_own_stage(at: OpenTestWindow) -> None:
    study = at.controller.study
    study.open(Project("Survey", kind=StudyKind.COLLECTION), None)
    at.shell.set_stage("layout")
    study.set_details(JUDGE)
    study.undo()
    press(at.window, "Show")
    assert at.shell.stage == "collections"


async def test_what_the_current_stage_shows_needs_no_notice(at: OpenTestWindow) -> None:
    study = at.controller.study
    changes: list[tuple[str, Callable[[], None]]] = [
        ("layout", lambda: study.apply(Remove((study.layout.pages[0].key,)))),
        ("layout", lambda: study.set_page_name(study.layout.pages[0].key, "Compare")),
        ("data", lambda: study.set_schema(None)),
        ("run", lambda: study.set_details(JUDGE)),
        ("run", lambda: study.set_tasks_per_group(9)),
    ]
    for stage, change in changes:
        at.shell.set_stage(stage)
        change()
        study.undo()
        assert notices(at) == []


async def test_a_later_undo_that_can_be_followed_closes_the_notice(at: OpenTestWindow) -> None:
    study = at.controller.study
    at.shell.set_stage("layout")
    study.apply(Remove((study.layout.pages[0].key,)))
    study.set_name("Other")
    study.undo()
    assert notices(at) == ["Undone: Rename study"]
    assert not [
        card.notice.action_label for card in at.window.notices.cards if card.notice.action_label == "Show"
    ]
    study.undo()
    assert notices(at) == []
