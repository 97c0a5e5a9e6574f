"""A study is not published with a dataset that has another schema."""

from pathlib import Path

import pytest

from batchwright.schema.parsing import read_schema, write_schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.actions import can_publish
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.wire.datasets import SchemaUpdate
from batchwright.workflows.upload_v3_dataset import upload_v3_dataset
from tests.api.studies import SCHEMA
from tests.ui.conftest import until
from tests.ui.run.test_stage import RunSteps, press, ready, run_steps, settled

pytestmark = pytest.mark.gui

__all__ = ["run_steps"]

OTHER = read_schema({"strict": True, "fields": {**SCHEMA["fields"], "more": {"type": "text"}}})


def test_publishing_is_blocked_until_the_schemas_match(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        model, own = stage.model, stage.model.study.schema
        model.study.set_schema(OTHER)
        step = next_step(model)
        assert (step.stage, "a different schema" in step.text) == ("data", True)
        assert not can_publish(stage._context)
        model.study.set_schema(own)
        press(stage, "Create batch")
        await until(lambda: model.own is not None, 30)

    run_steps(steps)


def test_a_different_schema_blocks_a_ready_batch_only_if_it_needs_an_update(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        stage.model.study.set_schema(OTHER)
        assert next_step(stage.model).action is ActionId.RUN_PARTICIPATE
        stage.model.study.set_name("Dogs")
        assert next_step(stage.model).stage == "data"

    run_steps(steps)


def test_a_schema_changed_elsewhere_since_the_last_poll_stops_publishing(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        model, failed = stage.model, list[str]()
        stage._window_context.tasks.failed.connect(lambda _name, message, _error: failed.append(str(message)))
        context = await model.session.context()
        more = SchemaUpdate.model_validate({"schema": write_schema(OTHER)})
        await context.service.datasets.update_schema(model.remote.dataset_id or "", more)
        press(stage, "Create batch")
        await until(lambda: bool(failed), 30)
        assert "another schema than “Cats”, so nothing was sent" in failed[0]
        await settled(stage)
        assert next_step(model).stage == "data"
        assert model.own is None

    run_steps(steps)


def test_a_dataset_without_schema_is_detected_by_the_first_refresh(
    run_steps: RunSteps, tmp_path: Path
) -> None:
    async def steps(stage: RunStage) -> None:
        model = stage.model
        context = await model.session.context()
        v3 = await upload_v3_dataset(context, context.checkpoint("v3"), "V3", tmp_path / "prompts.csv")
        remote = model.remote.with_dataset(context.workspace_id, v3.id, is_filled=True)
        model.study.set_remote(model.session.connection.name, remote)
        assert not model.problem_counts
        stage._window_context.actions.run(ActionId.RUN_REFRESH)
        await settled(stage)
        assert model.problem_counts.errors == 1
        assert next_step(model).action is ActionId.RUN_NEW_LEGACY

    run_steps(steps)
