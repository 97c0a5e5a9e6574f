"""A batch of the workspace is opened as a study, edited, and updated without losing an id."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.client.batch_content import desired_batch
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import compare
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import Item
from batchwright.layout.nodes import NodePath
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate, BatchUpdate
from batchwright.wire.datasets import DatasetCreate
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.open_as_study import LegacyBatch, study_from_batch
from batchwright.workflows.publishing.publish_batch import create_or_update_batch
from tests.api.studies import DETAILS, prompts_file, set_up
from tests.workflows.contexts import context_at


async def test_a_batch_is_opened_edited_and_updated_with_the_same_ids(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = prompts_file(tmp_path)

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        batch = await set_up(context.service, running.workspace_id, data)
        project = await study_from_batch(context, batch.id)
        remote = project.remotes["here"]
        assert (project.name, project.tasks_per_group) == ("Study", 1)
        assert project.details == DETAILS
        assert project.schema is not None
        assert list(project.schema.fields) == ["prompt"]
        assert remote.import_id is not None
        assert remote.ids.keys() == {node.key for node in project.layout.walk_all()}
        question = project.layout.at(NodePath(0, 0, 0, 1))
        assert isinstance(question, Item)
        assert "id" not in question.attributes
        expected = desired_batch(project, remote.dataset_id or "", remote.ids)
        assert compare(batch, expected, remote.last_sent) is ContentComparison.UP_TO_DATE
        key = project.layout.at(NodePath(0, 0, 0, 1)).key
        changed = replace(expected, layout=SetAttributes(key, {"description": "Why not?"})(expected.layout))
        updated = await create_or_update_batch(context, changed, batch)
        assert updated.ids == remote.ids


@pytest.mark.spec("B-10")
async def test_a_batch_without_a_dataset_is_opened_and_one_without_a_layout_is_rejected(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        created = await context.service.batches.create(
            BatchCreate(name="Bare", workspace_id=context.workspace_id, task_details=DETAILS)
        )
        with pytest.raises(LegacyBatch) as caught:
            await study_from_batch(context, created.id)
        assert "without a layout" in describe(caught.value).what
        question = {"type": "free_text", "description": "Why?"}
        layout = [{"rows": [{"columns": [{"items": [question]}]}]}]
        await context.service.batches.update(created.id, BatchUpdate(batch_items=layout))
        project = await study_from_batch(context, created.id)
        assert (project.schema, project.remotes["here"].dataset_id) == (None, None)
        assert len(project.layout.pages) == 1


async def test_a_batch_of_a_v3_dataset_is_opened_with_its_data(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = tmp_path / "prompts.csv"
    data.write_text("prompt\nWhich cat?\n", encoding="utf-8")

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        empty = await context.service.datasets.create(
            DatasetCreate(name="V3", workspace_id=context.workspace_id)
        )
        read = await upload_v3_dataset(context, context.checkpoint("v3"), "V3", data)
        question = {"type": "free_text", "description": "Why?"}
        for dataset, is_filled in ((empty, False), (read, True)):
            created = await context.service.batches.create(
                BatchCreate(
                    name="Older",
                    workspace_id=context.workspace_id,
                    dataset_id=dataset.id,
                    task_details=DETAILS,
                    batch_items=[{"rows": [{"columns": [{"items": [question]}]}]}],
                )
            )
            remote = (await study_from_batch(context, created.id)).remotes["here"]
            assert (remote.dataset_id, remote.import_id, remote.has_data) == (dataset.id, None, is_filled)
