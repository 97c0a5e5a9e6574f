"""Interrupted operations resume after a restart of the program."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from batchwright.api.http.errors import ApiError
from batchwright.base.json_values import Json
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.errors import StepFailed
from batchwright.client.id_recorder import IdRecorder
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.layout.serialization import random_keys, read
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RemoteKind
from batchwright.local.job_table import JobRows
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch
from batchwright.workflows.data.upload_dataset import ImportFailed, UploadResult, upload_dataset
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.publish_batch import create_or_update_batch
from batchwright.workflows.publishing.published import Published
from batchwright.workflows.rehearsal.rehearse import (
    RehearsalInput,
    RehearsalOptions,
    RehearsalResult,
    rehearse,
)
from batchwright.workflows.rehearsal.simulate import Behaviour
from tests.api.studies import DETAILS, LAYOUT, SCHEMA, client_of, upload_data
from tests.fakes.failing_server import FailingServer
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at


@contextmanager
def lasting_fault(running: ServiceAddress, error: Fault, nth: int) -> Iterator[str]:
    """The URL of a proxy at which every request fails from the `nth` on."""
    with FaultyProxy(running.url, error, nth, is_lasting=True) as proxy:
        yield proxy.url


async def upload(running: ServiceAddress, url: str, data: Path, messages: RecordedMessages) -> UploadResult:
    """Upload the file, each time as a newly started program does."""

    async with context_at(
        data.parent, url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        return await upload_dataset(context, context.checkpoint("data"), "Prompts", read_schema(SCHEMA), data)


@pytest.mark.parametrize("nth", [2, 3, 4])
async def test_an_interrupted_upload_resumes_with_the_dataset_created_before(
    nth: int, running: ServiceAddress, data: Path
) -> None:
    messages = RecordedMessages()
    with lasting_fault(running, Fault.FORBIDDEN, nth) as url, pytest.raises((ApiError, JobUnreachable)):
        await upload(running, url, data, messages)
    result = await upload(running, running.url, data, messages)
    assert result.accepted == 2
    assert [id for kind, id in messages.created if kind is RemoteKind.DATASET] == [result.dataset.id]
    assert result.transfer.size == data.stat().st_size


async def test_a_file_that_has_arrived_is_not_sent_again_and_its_import_is_monitored(
    running: ServiceAddress, data: Path
) -> None:
    messages = RecordedMessages()
    with (
        FaultyProxy(running.url, Fault.FORBIDDEN, 4, is_lasting=True) as proxy,
        pytest.raises(JobUnreachable),
    ):
        await upload(running, proxy.url, data, messages)
    with FaultyProxy(running.url) as proxy:
        again = await upload(running, proxy.url, data, messages)
        assert not [call for call in proxy.calls if call.startswith("PUT")]
    assert again.transfer.sha256 == (await upload(running, running.url, data, messages)).transfer.sha256
    with closing(open_database(data.parent)) as database:
        assert [row.outcome for row in JobRows(database).latest() if row.kind == "import"][-1] == "done"


async def test_a_dataset_that_no_longer_exists_is_created_again(running: ServiceAddress, data: Path) -> None:
    address = FakeResponse.from_json({"upload_url": "http://127.0.0.1:1/raw", "import_id": "i"}, 201)
    replies = {
        "POST": [FakeResponse.from_json({"id": "d"}, 201)],
        "GET /api/v1/data-collection/datasets/d/up": [address],
    }
    with FailingServer([], ScriptedReplies(replies)) as server, pytest.raises(ApiError):
        await upload(running, server.url, data, RecordedMessages())
    assert (await upload(running, running.url, data, RecordedMessages())).accepted == 2


async def test_operations_at_two_connections_have_separate_checkpoints(
    running: ServiceAddress, data: Path
) -> None:
    async with context_at(
        data.parent, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        with closing(open_database(data.parent)) as database:
            recorder = IdRecorder(IdRegistry(database), "there", running.workspace_id)
            here, there = (
                context.checkpoint("data"),
                replace(context, id_recorder=recorder).checkpoint("data"),
            )
            schema = read_schema(SCHEMA)
            first = await upload_dataset(context, here, "Prompts", schema, data)
            assert not await there.steps()
            second = await upload_dataset(context, there, "Prompts", schema, data)
    assert first.dataset.id != second.dataset.id


async def test_after_a_failed_import_a_new_dataset_is_created(running: ServiceAddress, data: Path) -> None:
    messages = RecordedMessages()
    data.write_bytes(b"")
    for _time in range(2):
        with pytest.raises(ImportFailed):
            await upload(running, running.url, data, messages)
    assert len([id for kind, id in messages.created if kind is RemoteKind.DATASET]) == 2


async def rehearse_prompts(
    running: ServiceAddress,
    url: str,
    data: Path,
    out: Path,
    messages: RecordedMessages,
    behaviour: Behaviour | None = None,
) -> RehearsalResult:
    """Rehearse a study with a file, each time as a newly started program does."""
    layout = read(LAYOUT, random_keys())
    study = RehearsalInput("Prompts", layout, read_schema(SCHEMA), data, DETAILS, language="ar")
    options = RehearsalOptions(behaviour=behaviour or Behaviour())
    out.mkdir(exist_ok=True)

    async with context_at(
        out.parent, url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        return await rehearse(context, study, options, out)


async def test_a_rehearsal_resumes_with_a_file_that_was_moved_in_the_language_of_its_participants(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    messages, out = RecordedMessages(), tmp_path / "out"
    with lasting_fault(running, Fault.FORBIDDEN, 9) as url, pytest.raises(StepFailed):
        await rehearse_prompts(running, url, data, out, messages)
    elsewhere = out / "moved.csv"
    elsewhere.write_bytes(data.read_bytes())
    data.unlink()
    rehearsal = await rehearse_prompts(running, running.url, elsewhere, out, messages)
    assert rehearsal.passed
    async with client_of(running) as service:
        link = await service.local.participation(rehearsal.batch.id)
    assert '<html lang="ar" dir="rtl">' in httpx.get(link.url).text
    assert [kind for kind, _id in messages.created].count(RemoteKind.DATASET) == 1


async def test_a_rehearsal_with_other_behaviour_does_not_resume_an_interrupted_one(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    messages, out = RecordedMessages(), tmp_path / "out"
    with lasting_fault(running, Fault.FORBIDDEN, 9) as url, pytest.raises(StepFailed):
        await rehearse_prompts(running, url, data, out, messages, Behaviour(random_share=0.2))
    assert (
        await rehearse_prompts(running, running.url, data, out, messages, Behaviour(random_share=0.3))
    ).passed
    assert [kind for kind, _id in messages.created].count(RemoteKind.DATASET) == 2


async def test_a_batch_that_no_longer_exists_is_created_again(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
    expected = DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), dataset.id)

    created = {"id": "gone", "name": "Study", "status": "UNINITIALISED"}
    of_batch, listed = "GET /api/v1/data-collection/batches/gone", FakeResponse.from_json({"results": []})
    replies = {
        of_batch: [FakeResponse.from_json(created)],
        "GET": [listed],
        "POST": [FakeResponse.from_json(created, 201)],
    }
    with FailingServer([], ScriptedReplies(replies)) as server:
        async with context_at(data.parent, server.url, workspace=running.workspace_id) as context:
            await create_or_update_batch(context, expected, None)
    async with context_at(
        data.parent, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        created_again = await create_or_update_batch(context, expected, None)
    assert created_again.resource.id != "gone"


async def test_a_batch_created_before_a_crash_is_used_by_the_study(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
    expected = DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), dataset.id)

    async def publish(url: str) -> Published[Batch]:
        async with context_at(
            data.parent, url, token=running.token, workspace=running.workspace_id
        ) as context:
            return await create_or_update_batch(context, expected, None)

    with lasting_fault(running, Fault.RESET_AFTER, 1) as url, pytest.raises(ApiError):
        await publish(url)
    first = await publish(running.url)
    again = await publish(running.url)
    async with client_of(running) as service:
        listed = (await service.batches.list(running.workspace_id)).results
    of_dataset = [batch.id for batch in listed if [item.id for item in batch.datasets] == [dataset.id]]
    assert of_dataset == [first.resource.id]
    assert first.resource.id == again.resource.id
    assert first.ids == again.ids


async def test_the_batch_of_an_earlier_layout_is_neither_changed_nor_duplicated(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)

    async def publish(layout: list[Json]) -> Published[Batch]:
        expected = DesiredBatch("Study", DETAILS, read(layout, random_keys()), dataset.id)
        async with context_at(
            data.parent, running.url, token=running.token, workspace=running.workspace_id
        ) as context:
            return await create_or_update_batch(context, expected, None)

    first, again = await publish(LAYOUT), await publish([*LAYOUT, *LAYOUT])
    assert (first.is_earlier, again.is_earlier) == (False, True)
    assert first.resource.id == again.resource.id
    assert first.last_sent.sent == again.last_sent.sent
    async with client_of(running) as service:
        stored = await service.batches.get(first.resource.id)
    assert stored.batch_items == first.resource.batch_items


def test_the_message_of_an_interruption_names_its_step_and_what_to_do() -> None:
    text = describe(StepFailed("Sending the data", ConnectionResetError("gone")))
    assert text.what.startswith("Sending the data has stopped: ")
    assert text.remedy.endswith("completed steps are not repeated.")
