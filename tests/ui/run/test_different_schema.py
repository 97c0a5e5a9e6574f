"""A study is not published with a dataset that has another schema."""

from pathlib import Path

import pytest

from batchwright.schema.parsing import read_schema, write_schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.actions import can_publish
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.stage import RunStage
from batchwright.wire.datasets import SchemaUpdate
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from tests.api.studies import SCHEMA
from tests.ui.conftest import until
from tests.ui.run.conftest import press, ready, settled

pytestmark = pytest.mark.gui


OTHER = read_schema({"strict": True, "fields": {**SCHEMA["fields"], "more": {"type": "text"}}})


async def test_publishing_is_blocked_until_the_schemas_match(stage: RunStage) -> None:
    state, own = stage.state, stage.state.study.schema
    state.study.set_schema(OTHER)
    step = next_step(state)
    assert (step.stage, "a different schema" in step.text) == ("data", True)
    assert not can_publish(stage.context)
    state.study.set_schema(own)
    press(stage, "Create batch")
    await until(lambda: state.own is not None, 30)


async def test_a_different_schema_blocks_a_ready_batch_only_if_it_needs_an_update(stage: RunStage) -> None:
    await ready(stage)
    stage.state.study.set_schema(OTHER)
    assert next_step(stage.state).action is ActionId.RUN_PARTICIPATE
    stage.state.study.set_name("Dogs")
    assert next_step(stage.state).stage == "data"


async def test_a_schema_changed_elsewhere_since_the_last_poll_stops_publishing(stage: RunStage) -> None:
    state, failed = stage.state, list[str]()
    stage.window_context.tasks.failed.connect(lambda _name, message, _error: failed.append(str(message)))
    context = await state.session.context()
    more = SchemaUpdate.model_validate({"schema": write_schema(OTHER)})
    await context.service.datasets.update_schema(state.remote.dataset_id or "", more)
    press(stage, "Create batch")
    await until(lambda: bool(failed), 30)
    assert "another schema than “Cats”, so nothing was sent" in failed[0]
    await settled(stage)
    assert next_step(state).stage == "data"
    assert state.own is None


async def test_a_dataset_without_schema_is_detected_by_the_first_refresh(
    stage: RunStage, tmp_path: Path
) -> None:
    state = stage.state
    context = await state.session.context()
    v3 = await upload_v3_dataset(context, context.checkpoint("v3"), "V3", tmp_path / "prompts.csv")
    remote = state.remote.with_dataset(context.workspace_id, v3.id, is_filled=True)
    state.study.set_remote(state.session.connection.name, remote)
    assert not state.problem_counts
    stage.window_context.actions.run(ActionId.RUN_REFRESH)
    await settled(stage)
    assert state.problem_counts.errors == 1
    assert next_step(state).action is ActionId.RUN_NEW_LEGACY
