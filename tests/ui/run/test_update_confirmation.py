"""Updating a batch or repeating its setup: the dialogs name its answers and changes made elsewhere."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.api.batches import Batches
from batchwright.api.errors import Unreachable
from batchwright.layout.edits import Remove, SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.local.study_file import StudyFile
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import RunAction, next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.save import load_study
from batchwright.ui.study.simulation_dialog import SimulationOptions
from batchwright.ui.widgets.dialogs import Dialog, WarningBanner
from batchwright.wire.batches import BatchUpdate
from tests.ui.conftest import until
from tests.ui.run.test_stage import RunSteps, find_in_window, press, ready, run_steps, settled

pytestmark = pytest.mark.gui

__all__ = ["run_steps"]


async def answered(stage: RunStage, participants: int = 1) -> None:
    """Create a batch with answers of some participants."""
    await ready(stage)
    start_simulation(stage.model, SimulationOptions(participants))
    await settled(stage)


def change_question(stage: RunStage) -> None:
    study = stage.model.study
    study.apply(SetAttributes(study.layout.at(NodePath(0, 0, 0, 1)).key, {"description": "Why not?"}))


async def change_elsewhere(stage: RunStage, name: str) -> None:
    """Rename the batch with another client."""
    context = await stage.model.session.context()
    await context.service.batches.update(stage.model.remote.batch_id or "", BatchUpdate(name=name))


def rows_of(dialog: ReviewDialog) -> list[str]:
    """The rows of the review, as a screen reader reads them."""
    model = dialog.changes.changes
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


async def name_at_service(stage: RunStage) -> str:
    context = await stage.model.session.context()
    return (await context.service.batches.get(stage.model.remote.batch_id or "")).name


async def dialog_warning(stage: RunStage, kind: type[Dialog]) -> str:
    """Wait for a dialog, and return its warning."""
    await until(lambda: stage.window().findChild(kind) is not None, 30)
    return " ".join(line.text for line in find_in_window(stage, kind).findChildren(WarningBanner))


async def fail_to_count(self: Batches, batch_id: str) -> int:
    raise Unreachable("GET", "no connection", arrived=False)


def test_an_update_warns_of_existing_answers_and_enter_cancels_it(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await answered(stage)
        change_question(stage)
        press(stage, "Update batch")
        text = await dialog_warning(stage, ReviewDialog)
        dialog = find_in_window(stage, ReviewDialog)
        assert "“Cats” has 3 answers." in text
        assert "the report leaves these answers out" in text
        assert dialog.cancel_button.hasFocus()
        QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
        await settled(stage)
        assert not stage.model.is_as_sent

    run_steps(steps)


def test_a_repeated_setup_warns_of_existing_answers_and_enter_cancels_it(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await answered(stage)
        stage._window_context.actions.run("run.set_up")
        text = await dialog_warning(stage, SetUpDialog)
        dialog = find_in_window(stage, SetUpDialog)
        assert "“Cats” has 3 answers." in text
        assert "the report leaves them out" in text
        assert dialog.cancel_button.hasFocus()
        QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
        await settled(stage)
        assert stage.model.answers == (1, 2)

    run_steps(steps)


@pytest.mark.parametrize("kind", [ReviewDialog, SetUpDialog])
def test_answers_that_cannot_be_counted_are_reported_as_uncounted(
    kind: type[Dialog], run_steps: RunSteps, monkeypatch: pytest.MonkeyPatch
) -> None:
    action = "run.publish" if kind is ReviewDialog else "run.set_up"

    async def steps(stage: RunStage) -> None:
        await ready(stage)
        change_question(stage)
        monkeypatch.setattr(Batches, "response_count", fail_to_count)
        stage._window_context.actions.run(action)
        assert "The answers in “Cats” could not be counted." in await dialog_warning(stage, kind)
        press(stage, "Cancel")
        await settled(stage)

    run_steps(steps)


def test_changes_are_shown_before_sending_and_enter_sends_them_without_answers(
    run_steps: RunSteps,
) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        change_question(stage)
        press(stage, "Update batch")
        assert await dialog_warning(stage, ReviewDialog) == ""
        dialog = find_in_window(stage, ReviewDialog)
        texts = rows_of(dialog)
        assert texts[0] == "1 will change"
        assert texts[1].startswith("Free text, “Why not?”, Page 1, row 1, item 2 · ")
        assert texts[2:] == ["Question, before: Why?. After: Why not?", "3 items stay as they are"]
        assert dialog.changes.hasFocus()
        QTest.keyClick(dialog.changes, Qt.Key.Key_Return)
        await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
        press(stage, "Cancel")
        await settled(stage)
        assert stage.model.is_as_sent

    run_steps(steps)


def test_the_answers_to_questions_that_change_or_go_are_counted_while_the_review_is_open(
    run_steps: RunSteps,
) -> None:
    async def steps(stage: RunStage) -> None:
        await answered(stage, 2)
        study = stage.model.study
        study.apply(Remove((study.layout.at(NodePath(0, 0, 0, 1)).key,)))
        press(stage, "Update batch")
        await dialog_warning(stage, ReviewDialog)
        dialog = find_in_window(stage, ReviewDialog)
        await until(lambda: rows_of(dialog)[1].endswith(" answers"), 30)
        assert "of them are to questions that change or are removed." in await dialog_warning(
            stage, ReviewDialog
        )
        assert rows_of(dialog)[1].startswith("Free text, “Why?”, Page 1, row 1, item 2 · ")
        assert dialog.cancel_button.hasFocus()
        dialog.accept_button.click()
        await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
        press(stage, "Cancel")
        await settled(stage)
        assert stage.model.is_as_sent

    run_steps(steps)


Answer = Callable[[RunStage], Awaitable[None]]


async def cancelled(stage: RunStage) -> None:
    press(stage, "Cancel")
    await settled(stage)
    assert await name_at_service(stage) == "Dogs"
    assert stage.model.name == "Cats"


async def overwritten(stage: RunStage) -> None:
    press(stage, "Overwrite the change")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert await name_at_service(stage) == "Cats"
    assert stage.model.is_as_sent


async def opened(stage: RunStage) -> None:
    press(stage, "Open their version")
    await until(lambda: stage.model.name == "Dogs", 30)
    await settled(stage)
    assert await name_at_service(stage) == "Dogs"
    assert stage.model.is_as_sent


@pytest.mark.parametrize("answer", [cancelled, overwritten, opened])
def test_changes_of_another_client_are_overwritten_only_after_confirmation(
    answer: Answer, run_steps: RunSteps
) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        await change_elsewhere(stage, "Dogs")
        change_question(stage)
        stage._window_context.actions.run("run.publish")
        assert "The batch has changed since this study last sent it (" in await dialog_warning(
            stage, ReviewDialog
        )
        await answer(stage)

    run_steps(steps)


def test_the_stage_reports_changes_of_another_client(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        await change_elsewhere(stage, "Dogs")
        stage._window_context.actions.run("run.refresh")
        await settled(stage)
        assert "The batch was changed elsewhere" in next_step(stage.model).sentence

    run_steps(steps)


def test_a_change_made_while_the_dialog_is_open_stops_the_update(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        failed: list[str] = []
        stage._window_context.tasks.failed.connect(lambda _name, message, _error: failed.append(str(message)))
        await answered(stage)
        change_question(stage)
        stage._window_context.actions.run("run.publish")
        await dialog_warning(stage, ReviewDialog)
        await change_elsewhere(stage, "Dogs")
        find_in_window(stage, ReviewDialog).accept_button.click()
        await until(lambda: bool(failed), 30)
        await settled(stage)
        assert "Nothing was sent" in failed[0]
        assert await name_at_service(stage) == "Dogs"

    run_steps(steps)


def test_a_reopened_study_is_up_to_date(run_steps: RunSteps, tmp_path: Path) -> None:
    async def steps(stage: RunStage) -> None:
        await answered(stage, 2)
        study, path = stage.model.study, tmp_path / "cats.batchwright"
        await study.save(StudyFile(path))
        study.close()
        again = await load_study(path)
        study.open(again.project, again.file, checker=again.checker)
        await settled(stage)
        assert next_step(stage.model).act is RunAction.RESULTS
        assert study.is_saved

    run_steps(steps)


def test_a_creation_resumed_after_an_edit_suggests_an_update(
    run_steps: RunSteps,
) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        study, connection = stage.model.study, stage.model.session.connection.name
        before = stage.model.remote
        study.set_remote(connection, replace(before, batch_id=None, ids={}, last_sent=None))
        change_question(stage)
        stage.model.remote_batches.refresh()
        await settled(stage)
        press(stage, "Create batch")
        await settled(stage)
        assert stage.model.remote.batch_id == before.batch_id
        step = next_step(stage.model)
        assert (step.act, step.button) == (RunAction.PUBLISH, "Update batch")
        assert stage.window().findChild(SetUpDialog) is None
        assert "This batch already exists" in {
            card.toast.title for card in stage._window_context.toasts.cards
        }

    run_steps(steps)
