"""Each send and setup adds a version with the content that was sent; a rejected one adds none."""

import pytest

from batchwright.layout.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.local.versions import NewVersion, VersionCause
from batchwright.ui.run.commands import start_publish
from batchwright.ui.run.stage import RunStage
from tests.ui.run.test_stage import RunSteps, ready, run_steps, settled

pytestmark = pytest.mark.gui

__all__ = ["run_steps"]


def created_versions(stage: RunStage) -> list[NewVersion]:
    versions: list[NewVersion] = []
    stage.model.study.version_created.connect(versions.append)
    return versions


def set_question(stage: RunStage, question: object) -> None:
    study = stage.model.study
    key = study.layout.at(NodePath(0, 0, 0, 1)).key
    study.apply(SetAttributes(key, {"description": question}))  # type: ignore[dict-item]  # may be invalid


def test_creating_updating_and_setting_up_add_versions(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        versions, study = created_versions(stage), stage.model.study
        await ready(stage)
        created = study.content
        assert [version.cause for version in versions] == [VersionCause.CREATED, VersionCause.SET_UP]
        assert [version.content for version in versions] == [created, created]
        set_question(stage, "Why not?")
        sent = study.content
        start_publish(stage.model, stage.model.batch)
        set_question(stage, "Changed while it was sent")
        await settled(stage)
        assert versions[-1] == NewVersion(study.project.study_id, VersionCause.UPDATED, sent)

    run_steps(steps)


def test_a_rejected_layout_adds_no_version(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        versions = created_versions(stage)
        set_question(stage, 5)
        start_publish(stage.model, None)
        await settled(stage)
        assert stage.model.study.problems
        assert stage.model.batch is None
        assert versions == []

    run_steps(steps)
