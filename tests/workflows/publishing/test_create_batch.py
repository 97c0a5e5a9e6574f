"""Creating a batch: if the response is lost, the batch is searched for and not created twice."""

from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from typing_extensions import override

from batchwright.api.http.errors import LayoutRejected
from batchwright.client import id_recorder
from batchwright.client.batch_content import DesiredBatch
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read
from batchwright.local.id_registry import RemoteKind
from batchwright.service.process import ServiceAddress
from batchwright.workflows.publishing.create_batch import create_batch
from tests.api.requests import BATCH
from tests.api.studies import DETAILS, LAYOUT, client_of, prompts_file, upload_data
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at

CREATE = "POST /api/v1/data-collection/batches"
DATASET = "0193a7c0-0001-7001-8a1b-4c5d6e7f0001"


def desired_batch(dataset_id: str, layout: Layout | None = None) -> DesiredBatch:
    return DesiredBatch("Study", DETAILS, layout or read(LAYOUT, random_keys()), dataset_id)


@pytest.fixture
async def dataset_id(running: ServiceAddress, tmp_path: Path) -> str:
    """A dataset with two records at the real service."""
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
    return dataset.id


async def batches_of(running: ServiceAddress, dataset_id: str) -> list[str]:
    async with client_of(running) as service:
        listed = (await service.batches.list(running.workspace_id)).results
    return [batch.id for batch in listed if any(dataset.id == dataset_id for dataset in batch.datasets)]


@pytest.mark.parametrize("error", RESETS)
async def test_a_batch_whose_response_was_lost_is_created_once(
    error: Fault, running: ServiceAddress, dataset_id: str, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    with FaultyProxy(running.url, error, 2) as proxy:
        async with context_at(
            tmp_path, proxy.url, token=running.token, workspace=running.workspace_id, messages=messages
        ) as context:
            batch = await create_batch(context, context.checkpoint(), desired_batch(dataset_id))
        assert proxy.calls.count(CREATE) == (1 if error is Fault.RESET_AFTER else 2)
    assert await batches_of(running, dataset_id) == [batch.id]
    assert (RemoteKind.BATCH, batch.id) in messages.created
    assert (RemoteKind.DATASET, dataset_id) in set(messages.registered) - set(messages.created)


async def test_a_batch_whose_response_was_lost_is_not_confused_with_older_ones_of_its_name(
    running: ServiceAddress, dataset_id: str, tmp_path: Path
) -> None:
    async def created(url: str, computer: Path) -> str:
        computer.mkdir(exist_ok=True)
        async with context_at(computer, url, token=running.token, workspace=running.workspace_id) as context:
            return (await create_batch(context, context.checkpoint(url), desired_batch(dataset_id))).id

    of_a_colleague = await created(running.url, tmp_path / "elsewhere")
    older = await created(running.url, tmp_path / "here")
    with FaultyProxy(running.url, Fault.RESET_BEFORE, 2) as proxy:
        newer = await created(proxy.url, tmp_path / "here")
    assert await batches_of(running, dataset_id) == [newer, older, of_a_colleague]


async def test_an_older_batch_is_not_taken_for_the_new_one_if_the_clock_was_set_back(
    running: ServiceAddress, dataset_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FastClock(datetime):
        @classmethod
        @override
        def now(cls, tz: tzinfo | None = None) -> "FastClock":
            return cls.fromtimestamp((datetime.now(tz) + timedelta(hours=1)).timestamp(), tz)

    async def created(url: str) -> str:
        async with context_at(tmp_path, url, token=running.token, workspace=running.workspace_id) as context:
            return (await create_batch(context, context.checkpoint(url), desired_batch(dataset_id))).id

    with monkeypatch.context() as patched:
        patched.setattr(id_recorder, "datetime", FastClock)
        older = await created(running.url)
    with FaultyProxy(running.url, Fault.RESET_BEFORE, 2) as proxy:
        newer = await created(proxy.url)
    assert await batches_of(running, dataset_id) == [newer, older]


async def test_a_batch_whose_response_was_lost_is_recognised_although_the_service_added_details(
    tmp_path: Path,
) -> None:
    details = {**DETAILS.model_dump(), "task_language": "en"}
    created = {**BATCH, "name": "Study", "task_details": details, "datasets": [{"id": DATASET}]}
    listed = [FakeResponse.from_json({"results": []}), FakeResponse.from_json({"results": [created]})]
    replies = ScriptedReplies({"POST": [FakeResponse.from_json(BATCH, 201)], "GET": listed})
    with FailingServer([None, ServerFailure.RESET_AFTER], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            batch = await create_batch(context, context.checkpoint(), desired_batch(DATASET))
        assert [request.call for request in server.arrived].count(CREATE) == 1
    assert batch.id == BATCH["id"]


@pytest.mark.spec("E-03")
async def test_an_invalid_layout_is_rejected_and_nothing_is_stored(
    running: ServiceAddress, dataset_id: str, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    invalid = read([{"rows": [{"columns": [{"items": [{"type": "image"}]}]}]}], random_keys())
    with pytest.raises(LayoutRejected):
        async with context_at(
            tmp_path, running.url, token=running.token, workspace=running.workspace_id, messages=messages
        ) as context:
            await create_batch(context, context.checkpoint(), desired_batch(dataset_id, invalid))
    assert messages.created == ()
    assert await batches_of(running, dataset_id) == []
