"""Each send and setup adds a version with the content that was sent; changes of the study are undone."""

import asyncio

import pytest
from PySide6.QtWidgets import QLineEdit

from batchwright.client.context import WorkflowContext
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.stage import RunStage
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.widgets.text import Label
from batchwright.wire.batches import Batch
from batchwright.workflows.publishing import set_up
from tests.ui.conftest import until
from tests.ui.run.conftest import find_in_window, press, ready, settled

pytestmark = pytest.mark.gui


def created_versions(stage: RunStage) -> list[NewVersion]:
    versions: list[NewVersion] = []
    stage.state.study.version_created.connect(versions.append)
    return versions


def set_question(stage: RunStage, question: object) -> None:
    study = stage.state.study
    key = study.layout.at(NodePath(0, 0, 0, 1)).key
    study.apply(SetAttributes(key, {"description": question}))  # type: ignore[dict-item]  # may be invalid


async def test_creating_updating_and_setting_up_add_versions(stage: RunStage) -> None:
    versions, study = created_versions(stage), stage.state.study
    await ready(stage)
    created = study.content
    assert [version.cause for version in versions] == [VersionCause.CREATED, VersionCause.SET_UP]
    assert [version.content for version in versions] == [created, created]
    set_question(stage, "Why not?")
    sent = study.content
    start_publish(stage.state, stage.state.own)
    set_question(stage, "Changed while it was sent")
    await settled(stage)
    assert versions[-1] == NewVersion(study.project.study_id, VersionCause.UPDATED, sent)


async def test_the_version_of_a_setup_is_recorded_before_the_tasks_exist(
    stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_forever(_context: WorkflowContext, _batch_id: str, _title: str) -> Batch:
        await asyncio.Event().wait()
        raise AssertionError("it waits forever")

    versions = created_versions(stage)
    monkeypatch.setattr(set_up, "_wait_until_ready", wait_forever)
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Create 2 tasks")
    await until(lambda: [version.cause for version in versions][1:] == [VersionCause.SET_UP], 30)
    assert stage.state.operations.get("set up") is not None


async def test_a_rejected_layout_adds_no_version(stage: RunStage) -> None:
    versions = created_versions(stage)
    set_question(stage, 5)
    start_publish(stage.state, None)
    await settled(stage)
    assert stage.state.study.problems
    assert stage.state.own is None
    assert versions == []


async def test_task_details_are_one_undo_step_and_the_stage_shows_what_is_restored(stage: RunStage) -> None:
    study = stage.state.study
    before = study.project.name, study.details, study.project.language
    press(stage, "Edit")
    await until(lambda: stage.window().findChild(DetailsDialog) is not None)
    dialog = find_in_window(stage, DetailsDialog)
    dialog.findChildren(QLineEdit)[0].setText("Wild cats")
    dialog.findChildren(QLineEdit)[1].setText("Judge wild cats")
    dialog.language.setCurrentIndex(dialog.language.findData("ar"))
    press(stage, "Save")
    await settled(stage)
    assert (study.project.name, study.details.task_name) == ("Wild cats", "Judge wild cats")
    assert study.project.language == "ar"
    assert [entry.label for entry in study.history.past] == ["Change task details"]
    study.undo()
    assert (study.project.name, study.details, study.project.language) == before
    shown = [label.text() for label in stage.findChildren(Label) if label.isVisible()]
    assert study.details.task_name in shown
    assert "Judge wild cats" not in shown
