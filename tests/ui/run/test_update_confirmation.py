"""Updating a batch or repeating its setup: the dialogs name its answers and changes made elsewhere."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.api.http.errors import Unreachable
from batchwright.api.resources.batches import Batches
from batchwright.base.json_values import Json
from batchwright.client import content_review
from batchwright.layout.comparing.merge import MergeSide
from batchwright.layout.editing.edits import Remove, SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.local.study_files.study_file import StudyFile
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.review.conflict_dialog import ConflictDialog, ConflictsDialog
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.file.save import load_study
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.fields import SearchField
from batchwright.wire.batches import BatchUpdate
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.conftest import until
from tests.ui.run.conftest import find_in_window, press, ready, settled
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui


W = TypeVar("W", bound=QWidget)


async def answered(stage: RunStage, participants: int = 1) -> None:
    """Create a batch with answers of some participants."""
    await ready(stage)
    start_simulation(stage.state, SimulationOptions(participants))
    await settled(stage)


def change_question(stage: RunStage) -> None:
    study = stage.state.study
    study.apply(SetAttributes(study.layout.at(NodePath(0, 0, 0, 1)).key, {"description": "Why not?"}))


async def change_elsewhere(stage: RunStage, name: str) -> None:
    """Rename the batch with another client."""
    context = await stage.state.session.context()
    await context.service.batches.update(stage.state.remote.batch_id or "", BatchUpdate(name=name))


async def change_question_elsewhere(stage: RunStage, text: str) -> None:
    """Another client gives the last question of the batch another text."""
    context = await stage.state.session.context()
    batch = await context.service.batches.get(stage.state.remote.batch_id or "")
    pages = json.loads(json.dumps(batch.batch_items).replace('"Why?"', json.dumps(text)))
    await context.service.batches.update(batch.id, BatchUpdate(batch_items=pages))


def rows_of(dialog: ReviewDialog | ConflictDialog) -> list[str]:
    """The rows of the review, as a screen reader reads them."""
    assert dialog.changes is not None
    return spoken_rows(dialog.changes)


async def name_at_service(stage: RunStage) -> str:
    context = await stage.state.session.context()
    return (await context.service.batches.get(stage.state.remote.batch_id or "")).name


async def dialog_warning(stage: RunStage, kind: type[Dialog]) -> str:
    """Wait for a dialog, and return its warning."""
    await until(lambda: stage.window().findChild(kind) is not None, 30)
    return " ".join(line.text for line in find_in_window(stage, kind).findChildren(WarningBanner))


async def fail_to_count(self: Batches, batch_id: str) -> int:
    raise Unreachable("GET", "no connection", arrived=False)


async def test_an_update_warns_of_existing_answers_and_enter_cancels_it(stage: RunStage) -> None:
    await answered(stage)
    change_question(stage)
    press(stage, "Update batch")
    text = await dialog_warning(stage, ReviewDialog)
    dialog = find_in_window(stage, ReviewDialog)
    assert "“Cats” has 3 answers." in text
    assert "Answers are kept, and stay in the report." in text
    assert dialog.cancel_button.hasFocus()
    QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
    await settled(stage)
    assert not stage.state.is_as_sent


async def test_a_repeated_setup_warns_of_existing_answers_and_enter_cancels_it(stage: RunStage) -> None:
    await answered(stage)
    stage.window_context.actions.run(ActionId.RUN_SET_UP)
    text = await dialog_warning(stage, SetUpDialog)
    dialog = find_in_window(stage, SetUpDialog)
    assert "“Cats” has 3 answers." in text
    assert "Their answers stay in the report and in the export." in text
    assert dialog.cancel_button.hasFocus()
    QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
    await settled(stage)
    assert stage.state.answers == (1, 2)


@pytest.mark.parametrize("kind", [ReviewDialog, SetUpDialog])
async def test_answers_that_cannot_be_counted_are_reported_as_uncounted(
    stage: RunStage, kind: type[Dialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    action = ActionId.RUN_PUBLISH if kind is ReviewDialog else ActionId.RUN_SET_UP
    await ready(stage)
    change_question(stage)
    monkeypatch.setattr(Batches, "response_count", fail_to_count)
    stage.window_context.actions.run(action)
    assert "The answers in “Cats” could not be counted." in await dialog_warning(stage, kind)
    press(stage, "Cancel")
    await settled(stage)


@pytest.mark.endpoint("batches.update")
async def test_changes_are_shown_before_sending_and_enter_sends_them_without_answers(stage: RunStage) -> None:
    await ready(stage)
    change_question(stage)
    press(stage, "Update batch")
    assert await dialog_warning(stage, ReviewDialog) == ""
    dialog = find_in_window(stage, ReviewDialog)
    texts = rows_of(dialog)
    assert texts[0] == "1 will change"
    assert texts[1].startswith("Free text, “Why not?”, Page 1, row 1, item 2 · ")
    assert texts[2:] == ["Question, before: Why?, after: Why not?", "3 items stay as they are"]
    assert dialog.changes.hasFocus()
    QTest.keyClick(dialog.changes, Qt.Key.Key_Return)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert stage.state.is_as_sent


async def test_the_answers_to_questions_that_change_or_go_are_counted_while_the_review_is_open(
    stage: RunStage,
) -> None:
    await answered(stage, 2)
    study = stage.state.study
    study.apply(Remove((study.layout.at(NodePath(0, 0, 0, 1)).key,)))
    press(stage, "Update batch")
    await dialog_warning(stage, ReviewDialog)
    dialog = find_in_window(stage, ReviewDialog)
    await until(lambda: rows_of(dialog)[1].endswith(" answers"), 30)
    assert "of them are to questions that change or are removed." in await dialog_warning(stage, ReviewDialog)
    assert rows_of(dialog)[1].startswith("Free text, “Why?”, Page 1, row 1, item 2 · ")
    assert dialog.cancel_button.hasFocus()
    dialog.accept_button.click()
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert stage.state.is_as_sent


Answer = Callable[[RunStage], Awaitable[None]]


async def shown(stage: RunStage, kind: type[W]) -> W:
    """The dialog of a kind, once it is there."""
    await until(lambda: stage.window().findChild(kind) is not None, 30)
    return find_in_window(stage, kind)


async def close_set_up(stage: RunStage) -> None:
    """Cancel the dialog that follows an update, and wait for the end."""
    await shown(stage, SetUpDialog)
    press(stage, "Cancel")
    await settled(stage)


def questions(stage: RunStage) -> list[str]:
    return [item.description for _path, item in stage.state.study.layout.instructions()]


async def cancelled(stage: RunStage) -> None:
    press(stage, "Cancel")
    await settled(stage)
    assert await name_at_service(stage) == "Dogs"
    assert stage.state.name == "Cats"


async def overwritten(stage: RunStage) -> None:
    press(stage, "Keep my version")
    press(stage, "Continue")
    assert "They are overwritten." in await dialog_warning(stage, ReviewDialog)
    press(stage, "Overwrite the change")
    await close_set_up(stage)
    assert await name_at_service(stage) == "Cats"
    assert stage.state.is_as_sent


async def loaded(stage: RunStage) -> None:
    mine = questions(stage)
    press(stage, "Use their version")
    press(stage, "Continue")
    await until(lambda: stage.state.name == "Dogs", 30)
    await settled(stage)
    assert await name_at_service(stage) == "Dogs"
    assert stage.state.is_as_sent
    assert questions(stage) != mine
    stage.state.study.undo()
    assert (stage.state.name, questions(stage)) == ("Cats", mine)
    await confirmed_again(stage)
    stage.state.study.redo()
    assert stage.state.is_as_sent


async def confirmed_again(stage: RunStage) -> None:
    """The version of the service counts as a change of others again: it is not overwritten unasked."""
    press(stage, "Update batch")
    dialog = await shown(stage, ConflictDialog)
    assert rows_of(dialog)[:1] == ["1 was changed"]
    press(stage, "Cancel")
    await settled(stage)


async def combined(stage: RunStage) -> None:
    mine = questions(stage)
    press(stage, "Combine both versions")
    press(stage, "Continue")
    await shown(stage, ReviewDialog)
    press(stage, "Cancel")
    await settled(stage)
    stage.state.study.undo()
    assert (stage.state.name, questions(stage)) == ("Cats", mine)
    await confirmed_again(stage)
    stage.state.study.redo()
    press(stage, "Update batch")
    review = await shown(stage, ReviewDialog)
    assert rows_of(review)[:1] == ["1 will change"]
    assert (stage.state.name, questions(stage)) == ("Dogs", mine)
    review.accept_button.click()
    await close_set_up(stage)
    assert await name_at_service(stage) == "Dogs"
    assert stage.state.is_as_sent


async def saved_as_new(stage: RunStage) -> None:
    before = stage.state.remote.batch_id
    press(stage, "Keep my version as a new batch")
    press(stage, "Continue")
    await close_set_up(stage)
    assert stage.state.remote.batch_id != before
    assert {"Cats", "Dogs"} <= {batch.name for batch in stage.state.resources}
    assert await name_at_service(stage) == "Cats"
    assert stage.state.is_as_sent


@pytest.mark.parametrize("answer", [cancelled, overwritten, loaded, combined, saved_as_new])
async def test_changes_of_another_client_are_overwritten_only_after_confirmation(
    stage: RunStage, answer: Answer
) -> None:
    await ready(stage)
    await change_elsewhere(stage, "Dogs")
    change_question(stage)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    dialog = await shown(stage, ConflictDialog)
    assert rows_of(dialog)[:1] == ["1 was changed"]
    assert not dialog.accept_button.isEnabled()
    await answer(stage)


async def test_both_versions_are_compared_once_for_all_dialogs_of_an_update(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    class CountedVersions(content_review.Versions):
        @override
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            compared.append(len(self.mine.layout.pages))

    await ready(stage)
    await change_elsewhere(stage, "Dogs")
    change_question(stage)
    monkeypatch.setattr(content_review, "Versions", CountedVersions)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await shown(stage, ConflictDialog)
    press(stage, "Keep my version")
    press(stage, "Continue")
    await shown(stage, ReviewDialog)
    assert len(compared) == 1
    press(stage, "Cancel")
    await settled(stage)


async def choose_sides(stage: RunStage) -> ConflictsDialog:
    """Combine both versions; return the dialog in which the sides are chosen."""
    await shown(stage, ConflictDialog)
    press(stage, "Combine both versions")
    press(stage, "Continue")
    return await shown(stage, ConflictsDialog)


async def click_side(dialog: ConflictsDialog, row: int, side: MergeSide) -> None:
    """Click on one side of a conflict, once it is laid out."""
    shown = dialog.chooser.list

    def is_laid_out() -> bool:
        area = shown.area(row).sides[list(MergeSide).index(side)]
        return not area.isEmpty() and shown.viewport().rect().contains(area.center())

    await until(is_laid_out)
    area = shown.area(row).sides[list(MergeSide).index(side)]
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=area.center())


@pytest.mark.parametrize(
    ("side", "expected"), [(MergeSide.MINE, "Why not?"), (MergeSide.THEIRS, "Why, then?")]
)
async def test_a_question_that_both_have_changed_is_decided_by_side(
    stage: RunStage, side: MergeSide, expected: str
) -> None:
    await ready(stage)
    await change_question_elsewhere(stage, "Why, then?")
    change_question(stage)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    dialog = await choose_sides(stage)
    assert not dialog.accept_button.isEnabled()
    await click_side(dialog, 0, side)
    press(stage, "Back")
    await shown(stage, ConflictDialog)
    press(stage, "Continue")
    dialog = await shown(stage, ConflictsDialog)
    press(stage, "Combine")
    await until(lambda: stage.window().findChild(ConflictsDialog) is None, 30)
    if side is MergeSide.MINE:
        (await shown(stage, ReviewDialog)).accept_button.click()
    await close_set_up(stage)
    assert expected in questions(stage)
    assert stage.state.is_as_sent


def many_questions(count: int) -> Layout:
    items: list[Json] = [{"type": "free_text", "description": f"Question {n}?"} for n in range(count)]
    return read([{"rows": [{"columns": [{"items": [item]}]} for item in items]}], random_keys())


async def test_each_of_many_changes_at_the_same_place_is_decided(stage: RunStage) -> None:
    study = stage.state.study
    study.restore(replace(study.content, layout=many_questions(60)), "Layout")
    await ready(stage)
    context = await stage.state.session.context()
    batch = await context.service.batches.get(stage.state.own_id)
    theirs = json.loads(json.dumps(batch.batch_items).replace("Question", "Theirs"))
    await context.service.batches.update(batch.id, BatchUpdate(batch_items=theirs))
    for _path, item in tuple(study.layout.instructions()):
        mine = item.description.replace("Question", "Mine")
        study.apply(SetAttributes(item.key, {"description": mine}))
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    dialog = await choose_sides(stage)
    assert dialog.accept_button.toolTip() == "Choose a side for 60 changes first"
    press(stage, "All mine")
    dialog.chooser.list.setFocus()
    dialog.chooser.list.show_current(7)
    QTest.keyClick(dialog.chooser.list, Qt.Key.Key_Right)
    (search,) = dialog.findChildren(SearchField)
    QTest.keyClicks(search, "Theirs 5")
    assert len(dialog.chooser.list.entries) == 11
    press(stage, "All theirs")
    press(stage, "Combine")
    (await shown(stage, ReviewDialog)).accept_button.click()
    await close_set_up(stage)
    expected_theirs = {5, 7, *range(50, 60)}
    assert questions(stage) == [f"{'Theirs' if n in expected_theirs else 'Mine'} {n}?" for n in range(60)]
    assert stage.state.is_as_sent


async def test_the_stage_reports_changes_of_another_client(stage: RunStage) -> None:
    await ready(stage)
    await change_elsewhere(stage, "Dogs")
    stage.window_context.actions.run(ActionId.RUN_REFRESH)
    await settled(stage)
    assert "The batch was changed elsewhere" in next_step(stage.state).text


async def test_a_change_that_is_made_while_the_review_is_open_is_reviewed_too(stage: RunStage) -> None:
    await answered(stage)
    change_question(stage)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    review = await shown(stage, ReviewDialog)
    await change_elsewhere(stage, "Dogs")
    review.accept_button.click()
    await shown(stage, ConflictDialog)
    assert await name_at_service(stage) == "Dogs"
    press(stage, "Cancel")
    await settled(stage)
    assert "Why not?" in questions(stage)


async def test_a_reopened_study_is_up_to_date(stage: RunStage, tmp_path: Path) -> None:
    await answered(stage, 2)
    study, path = stage.state.study, tmp_path / "cats.batchwright"
    await study.save(StudyFile(path))
    study.close()
    again = await load_study(path)
    study.open(again.project, again.file, checker=again.checker)
    await settled(stage)
    assert next_step(stage.state).action is ActionId.RUN_ANSWERS
    assert study.is_saved


async def test_a_creation_resumed_after_an_edit_suggests_an_update(stage: RunStage) -> None:
    await ready(stage)
    study, connection = stage.state.study, stage.state.session.connection.name
    before = stage.state.remote
    study.set_remote(connection, replace(before, batch_id=None, ids={}, last_sent=None))
    change_question(stage)
    stage.state.remote_list.refresh()
    await settled(stage)
    press(stage, "Create batch")
    await settled(stage)
    assert stage.state.remote.batch_id == before.batch_id
    step = next_step(stage.state)
    assert (step.action, step.button) == (ActionId.RUN_PUBLISH, "Update batch")
    assert stage.window().findChild(SetUpDialog) is None
    assert "This batch already exists" in {card.notice.title for card in stage.window_context.notices.cards}
