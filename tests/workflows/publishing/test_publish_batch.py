"""Updating a batch: ids are kept, lost responses are resolved, and rejections are assigned to their items."""

from asyncio import gather
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from batchwright.api.http.errors import LayoutRejected
from batchwright.base.json_values import Json
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import compare
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Severity
from batchwright.layout.serialization import random_keys, read
from batchwright.local.connections import THIS_COMPUTER
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import AttachedDataset, Batch
from batchwright.workflows.publishing.publish_batch import create_or_update_batch, layout_problems
from batchwright.workflows.publishing.published import Published
from tests.api.studies import DETAILS, LAYOUT, client_of, prompts_file, upload_data
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.workflows.contexts import context_at

UPDATE = "PATCH /api/v1/data-collection/batches"


@pytest.fixture
async def desired(running: ServiceAddress, tmp_path: Path) -> DesiredBatch:
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
    return DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), dataset.id)


async def publish(
    running: ServiceAddress, folder: Path, desired: DesiredBatch, replaces: Batch | None, url: str = ""
) -> Published[Batch]:
    async with context_at(
        folder, url or running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        return await create_or_update_batch(context, desired, replaces)


def is_up_to_date(batch: Batch, desired: DesiredBatch) -> bool:
    return compare(batch, desired, None) is ContentComparison.UP_TO_DATE


def with_changed_question(desired: DesiredBatch) -> DesiredBatch:
    """The batch with a changed question and a new Markdown text, which the service stores as HTML."""
    key = layout_key(desired, 1)
    changed = SetAttributes(key, {"description": "Why *not*?"})(desired.layout)
    text: Json = {"type": "rich_text", "content": "**Now**", "content_format": "markdown"}
    page: Json = {"rows": [{"columns": [{"items": [text]}]}]}
    return replace(desired, layout=Layout((*changed.pages, *read([page], random_keys()).pages)))


def layout_key(desired: DesiredBatch, item: int) -> str:
    return desired.layout.at(NodePath(0, 0, 0, item)).key


async def test_a_new_batch_returns_the_id_of_every_node(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    created = await publish(running, tmp_path, desired, None)
    assert created.ids.keys() == {node.key for node in desired.layout.walk_all()}
    assert is_up_to_date(created.resource, desired)
    assert not is_up_to_date(created.resource, replace(desired, name="Another"))


async def test_studies_with_the_same_dataset_and_name_have_batches_of_their_own(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    one, another = (
        replace(desired, study_id="one"),
        replace(with_changed_question(desired), study_id="another"),
    )
    created = await publish(running, tmp_path, one, None)
    of_another = await publish(running, tmp_path, another, None)
    assert of_another.resource.id != created.resource.id
    assert is_up_to_date(of_another.resource, another)
    assert await publish(running, tmp_path, one, None) == created


async def test_two_windows_that_create_the_same_batch_get_the_same_one(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        one, another = await gather(*(create_or_update_batch(context, desired, None) for _window in range(2)))
    assert one.resource.id == another.resource.id


async def test_participant_pages_on_this_computer_are_in_the_language_of_the_study(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    at_this_computer = context_at(
        tmp_path,
        running.url,
        token=running.token,
        workspace=running.workspace_id,
        connection=THIS_COMPUTER.name,
    )
    async with at_this_computer as context:
        created = await create_or_update_batch(context, replace(desired, language="ar"), None)
        assert '<html lang="ar" dir="rtl">' in await start_page(running, created.resource)
        changed = replace(desired, ids=created.ids, language="de")
        await create_or_update_batch(context, changed, created.resource)
    assert '<html lang="de" dir="ltr">' in await start_page(running, created.resource)


async def start_page(running: ServiceAddress, batch: Batch) -> str:
    async with client_of(running) as service:
        link = await service.local.participation(batch.id)
    return httpx.get(link.url).text


async def test_an_update_changes_what_changed_and_keeps_the_ids(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    created = await publish(running, tmp_path, desired, None)
    changed = replace(with_changed_question(desired), ids=created.ids)
    assert not is_up_to_date(created.resource, changed)
    updated = await publish(running, tmp_path, changed, created.resource)
    assert updated.resource.id == created.resource.id
    assert created.ids.items() <= updated.ids.items()
    assert is_up_to_date(updated.resource, changed)


async def test_a_batch_changed_by_someone_else_is_not_updated(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    created = await publish(running, tmp_path, desired, None)
    theirs = await publish(running, tmp_path, with_changed_question(desired), created.resource)
    with pytest.raises(ChangedMeanwhile):
        await publish(running, tmp_path, replace(desired, name="Mine"), created.resource)
    async with client_of(running) as service:
        stored = await service.batches.get(created.resource.id)
    assert stored.batch_items == theirs.resource.batch_items


async def test_ids_that_the_batch_no_longer_has_are_not_sent(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    created = await publish(running, tmp_path, desired, None)
    stale = {**created.ids, layout_key(desired, 1): "0193a7c0-0001-7001-8a1b-4c5d6e7f0009"}
    updated = await publish(running, tmp_path, replace(desired, ids=stale), created.resource)
    assert updated.ids[layout_key(desired, 0)] == created.ids[layout_key(desired, 0)]
    assert updated.ids[layout_key(desired, 1)] not in stale.values()


@pytest.mark.parametrize("error", RESETS)
async def test_an_update_whose_response_was_lost_is_checked_before_it_is_repeated(
    error: Fault, running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    created = await publish(running, tmp_path, desired, None)
    changed = replace(with_changed_question(desired), ids=created.ids)
    with FaultyProxy(running.url, error, 2) as proxy:
        updated = await publish(running, tmp_path, changed, created.resource, proxy.url)
        updates = [call for call in proxy.calls if call.startswith(UPDATE)]
    assert len(updates) == (1 if error is Fault.RESET_AFTER else 2)
    assert created.ids.items() <= updated.ids.items()
    assert is_up_to_date(updated.resource, changed)


@pytest.mark.spec("E-03")
async def test_rejections_name_the_invalid_items(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    key = layout_key(desired, 0)
    invalid = replace(desired, layout=SetAttributes(key, {"field": "{ghost}"})(desired.layout))
    with pytest.raises(LayoutRejected) as caught:
        await publish(running, tmp_path, invalid, None)
    (problem,) = layout_problems(caught.value)
    assert problem.path == NodePath(0, 0, 0, 0)
    assert problem.severity is Severity.ERROR
    assert "{ghost}" in problem.message


async def test_a_batch_with_other_datasets_is_not_up_to_date(
    running: ServiceAddress, tmp_path: Path, desired: DesiredBatch
) -> None:
    batch = (await publish(running, tmp_path, desired, None)).resource
    other = AttachedDataset(id="01900000-0000-7000-8000-000000000000")
    for datasets in ((), (other,), (*batch.datasets, other)):
        assert not is_up_to_date(batch.model_copy(update={"datasets": datasets}), desired)
