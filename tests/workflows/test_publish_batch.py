"""Updating a batch: ids are kept, lost responses are resolved, and rejections are assigned to their items."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.api.errors import LayoutRejected
from batchwright.base.json_values import Json
from batchwright.client.batch_content import DesiredBatch, compare
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import ContentComparison
from batchwright.layout.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import AttachedDataset, Batch
from batchwright.workflows.publish_batch import PublishedBatch, create_or_update_batch, layout_problems
from tests.api.studies import CSV, DETAILS, LAYOUT, run_with_client, upload_data
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.workflows.contexts import run_with_context

UPDATE = "PATCH /api/v1/data-collection/batches"


@pytest.fixture
def wanted(running: ServiceAddress, tmp_path: Path) -> DesiredBatch:
    data = tmp_path / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")
    dataset, _job = run_with_client(running, lambda service: upload_data(service, running.workspace_id, data))
    return DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), dataset.id)


def published(
    running: ServiceAddress, folder: Path, wanted: DesiredBatch, replaces: Batch | None, url: str = ""
) -> PublishedBatch:
    async def work(context: WorkflowContext) -> PublishedBatch:
        return await create_or_update_batch(context, wanted, replaces)

    return run_with_context(
        folder, url or running.url, work, token=running.token, workspace=running.workspace_id
    )


def is_as_wanted(batch: Batch, wanted: DesiredBatch) -> bool:
    return compare(batch, wanted, None) is ContentComparison.UP_TO_DATE


def asking_more(wanted: DesiredBatch) -> DesiredBatch:
    """With another question, and a Markdown text, which the service stores as HTML."""
    key = layout_key(wanted, 1)
    changed = SetAttributes(key, {"description": "Why *not*?"})(wanted.layout)
    text: Json = {"type": "rich_text", "content": "**Now**", "content_format": "markdown"}
    page: Json = {"rows": [{"columns": [{"items": [text]}]}]}
    return replace(wanted, layout=Layout((*changed.pages, *read([page], random_keys()).pages)))


def layout_key(wanted: DesiredBatch, item: int) -> str:
    return wanted.layout.at(NodePath(0, 0, 0, item)).key


def test_a_new_batch_says_what_it_calls_its_entries(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    created = published(running, tmp_path, wanted, None)
    assert created.ids.keys() == {node.key for node in wanted.layout.walk_all()}
    assert is_as_wanted(created.batch, wanted)
    assert not is_as_wanted(created.batch, replace(wanted, name="Another"))


def test_an_update_changes_what_changed_and_keeps_the_ids(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    created = published(running, tmp_path, wanted, None)
    changed = replace(asking_more(wanted), ids=created.ids)
    assert not is_as_wanted(created.batch, changed)
    updated = published(running, tmp_path, changed, created.batch)
    assert updated.batch.id == created.batch.id
    assert created.ids.items() <= updated.ids.items()
    assert is_as_wanted(updated.batch, changed)


def test_a_batch_that_has_changed_since_the_update_was_decided_on_stays(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    created = published(running, tmp_path, wanted, None)
    theirs = published(running, tmp_path, asking_more(wanted), created.batch)
    with pytest.raises(ChangedMeanwhile):
        published(running, tmp_path, replace(wanted, name="Mine"), created.batch)
    there = run_with_client(running, lambda service: service.batches.get(created.batch.id))
    assert there.batch_items == theirs.batch.batch_items


def test_ids_that_the_batch_no_longer_has_are_not_sent(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    created = published(running, tmp_path, wanted, None)
    stale = {**created.ids, layout_key(wanted, 1): "0193a7c0-0001-7001-8a1b-4c5d6e7f0009"}
    updated = published(running, tmp_path, replace(wanted, ids=stale), created.batch)
    assert updated.ids[layout_key(wanted, 0)] == created.ids[layout_key(wanted, 0)]
    assert updated.ids[layout_key(wanted, 1)] not in stale.values()


@pytest.mark.parametrize("error", RESETS)
def test_a_lost_response_is_searched_for(
    error: Fault, running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    created = published(running, tmp_path, wanted, None)
    changed = replace(asking_more(wanted), ids=created.ids)
    with FaultyProxy(running.url, error, 2) as proxy:
        updated = published(running, tmp_path, changed, created.batch, proxy.url)
        updates = [call for call in proxy.calls if call.startswith(UPDATE)]
    assert len(updates) == (1 if error is Fault.RESET_AFTER else 2)
    assert created.ids.items() <= updated.ids.items()
    assert is_as_wanted(updated.batch, changed)


@pytest.mark.spec("E-03")
def test_rejections_name_the_invalid_items(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    key = layout_key(wanted, 0)
    broken = replace(wanted, layout=SetAttributes(key, {"field": "{ghost}"})(wanted.layout))
    with pytest.raises(LayoutRejected) as caught:
        published(running, tmp_path, broken, None)
    (problem,) = layout_problems(caught.value)
    assert problem.path == NodePath(0, 0, 0, 0)
    assert problem.severity is Severity.ERROR
    assert "{ghost}" in problem.message


def test_a_batch_with_another_dataset_besides_is_not_as_wanted(
    running: ServiceAddress, tmp_path: Path, wanted: DesiredBatch
) -> None:
    batch = published(running, tmp_path, wanted, None).batch
    other = AttachedDataset(id="01900000-0000-7000-8000-000000000000")
    for datasets in ((), (other,), (*batch.datasets, other)):
        assert not is_as_wanted(batch.model_copy(update={"datasets": datasets}), wanted)
