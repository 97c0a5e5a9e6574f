"""Every id in a response is stored before the caller gets the response."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from batchwright.api.client import ApiClient, connect
from batchwright.base.database import StorageUnavailable
from batchwright.client.connection_pool import ConnectionPool
from batchwright.client.id_recorder import IdRecorder
from batchwright.local.connections import Connection
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.local.paths import Folders
from batchwright.local.secrets import TokenStore
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import Dataset, DatasetCreate
from batchwright.workflows.rehearsal.create_test_participant import create_test_participant
from tests.api.requests import retries
from tests.api.studies import client_of, prompts_file, set_up
from tests.client.job_monitoring.test_job_watcher import lock_database
from tests.fakes.failing_server import FailingServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, context_at
from tests.workflows.factories import new_collection

CONNECTION = "here"

KILLED_PROGRAM = """
import asyncio, os, signal, sys
from pathlib import Path
from batchwright.api.client import connect
from batchwright.base.database import Database
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry
from batchwright.wire.datasets import DatasetCreate
from batchwright.client.connection_pool import ConnectionPool
from batchwright.client.id_recorder import IdRecorder

folder, url, workspace, token, fate = sys.argv[1:]

async def work():
    recorder = IdRecorder(IdRegistry(open_database(Path(folder))), "here", workspace)
    async with connect(url, token, on_response=recorder.record_response) as service:
        creation = asyncio.create_task(
            service.datasets.create(DatasetCreate(name="Killed", workspace_id=workspace))
        )
        if fate == "at once":
            creation.add_done_callback(lambda _done: os.kill(os.getpid(), signal.SIGKILL))
        await creation
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work())
"""


async def recorded_ids(
    folder: Path, running: ServiceAddress, calls: Callable[[ApiClient], Awaitable[object]]
) -> dict[tuple[RemoteKind, str], RegisteredId]:
    """The registered ids after some calls at the service."""

    with closing(open_database(folder)) as database:
        recorder = IdRecorder(IdRegistry(database), CONNECTION, running.workspace_id)
        async with connect(
            running.url, running.token, retry_policy=retries(), on_response=recorder.record_response
        ) as service:
            await calls(service)
    return registered_ids(folder)


def registered_ids(folder: Path) -> dict[tuple[RemoteKind, str], RegisteredId]:
    with closing(open_database(folder)) as database:
        return {
            (registered.kind, registered.id): registered
            for registered in IdRegistry(database).all(CONNECTION)
        }


async def test_collections_and_their_exports_are_stored_whether_created_or_listed(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        mine, theirs = [], await new_collection(service, running.workspace_id)

    async def calls(service: ApiClient) -> None:
        collection = await new_collection(service, running.workspace_id)
        export = await service.exports.start_of_collection(collection.id)
        await service.collections.list(running.workspace_id)
        mine.append((collection.id, export.export_id or ""))

    registered = await recorded_ids(tmp_path, running, calls)
    ((collection_id, export_id),) = mine
    created, status = (
        registered[RemoteKind.COLLECTION, collection_id],
        registered[RemoteKind.COLLECTION, theirs.id],
    )
    assert (created.name, created.was_made, status.name, status.was_made) == ("Survey", True, "Survey", False)
    assert registered[RemoteKind.EXPORT, export_id].parent_id == collection_id


@pytest.mark.parametrize("fate", ["at once", "on the next line"])
async def test_an_id_is_stored_if_the_program_is_killed_right_after_the_response(
    fate: str, running: ServiceAddress, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    arguments = (str(folder), running.url, running.workspace_id, running.token, fate)
    process = subprocess.run([sys.executable, "-c", KILLED_PROGRAM, *arguments], timeout=60, check=False)
    assert process.returncode == -signal.SIGKILL
    ((kind, id),) = registered_ids(folder)
    async with client_of(running) as service:
        created = await service.datasets.get(id)
    assert (kind, created.name) == (RemoteKind.DATASET, "Killed")


async def test_a_test_participant_is_stored_with_its_email_address_and_exported(
    running: ServiceAddress, tmp_path: Path
) -> None:
    participants = list[str]()

    messages = RecordedMessages()
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        participants.append(await create_test_participant(context, f"{uuid4().hex}@example.org"))
    ((kind, id),) = messages.created
    assert (kind, [id]) == (RemoteKind.PARTICIPANT, participants)
    with closing(open_database(tmp_path)) as database:
        (exported,) = IdRegistry(database).exported()
    assert exported["kind"] == "participant"
    assert str(exported["name"]).endswith("@example.org")


async def test_every_created_resource_is_stored_with_its_name_and_parent(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def calls(service: ApiClient) -> None:
        batch = await set_up(service, running.workspace_id, prompts_file(tmp_path))
        await service.exports.start(batch.id)

    registered = await recorded_ids(tmp_path, running, calls)
    by_kind = {kind: entry for (kind, _id), entry in registered.items()}
    dataset, batch = by_kind[RemoteKind.DATASET], by_kind[RemoteKind.BATCH]
    assert all(entry.was_made for entry in registered.values())
    assert (dataset.name, batch.name) == ("Prompts", "Study")
    assert (by_kind[RemoteKind.IMPORT].name, by_kind[RemoteKind.IMPORT].parent_id) == (
        "prompts.csv",
        dataset.id,
    )
    assert by_kind[RemoteKind.EXPORT].parent_id == batch.id
    assert {entry.workspace_id for entry in registered.values()} == {running.workspace_id}


async def test_resources_created_by_others_are_stored_when_they_are_listed(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        created = await set_up(service, running.workspace_id, prompts_file(tmp_path))

    async def fetch(service: ApiClient) -> None:
        await service.batches.list(running.workspace_id)
        await service.datasets.get(created.datasets[0].id)

    registered = await recorded_ids(tmp_path, running, fetch)
    batch, dataset = (
        registered[RemoteKind.BATCH, created.id],
        registered[RemoteKind.DATASET, created.datasets[0].id],
    )
    assert (batch.name, batch.was_made, dataset.name, dataset.was_made) == ("Study", False, "Prompts", False)
    imports = [
        entry
        for entry in registered.values()
        if entry.kind is RemoteKind.IMPORT and entry.parent_id == dataset.id
    ]
    assert [(entry.name, entry.was_made) for entry in imports] == [("prompts.csv", False)]


async def test_an_id_is_stored_although_its_request_was_cancelled(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def calls(service: ApiClient) -> None:
        received = asyncio.Event()
        record = service._transport._on_response

        async def record_and_report(call: str, answer: object) -> None:
            received.set()
            await record(call, answer)  # type: ignore[arg-type]  # as the transport gives it

        service._transport._on_response = record_and_report
        request = DatasetCreate(name="Given up", workspace_id=running.workspace_id)
        creation = asyncio.create_task(service.datasets.create(request))
        await received.wait()
        creation.cancel()
        with pytest.raises(asyncio.CancelledError):
            await creation

    assert [entry.name for entry in (await recorded_ids(tmp_path, running, calls)).values()] == ["Given up"]


async def test_ids_that_cannot_be_written_fail_no_request_and_are_written_with_the_next_response(
    tmp_path: Path,
) -> None:
    with closing(open_database(tmp_path)) as database:
        recorder = IdRecorder(IdRegistry(database), CONNECTION, "w")
        lock = lock_database(database, tmp_path)
        await recorder.record_response(
            "POST /api/v1/data-collection/datasets", Dataset(id="made", name="One")
        )
        before = datetime.now(UTC)
        with pytest.raises(StorageUnavailable):
            await recorder.created_since(before, RemoteKind.DATASET, "One")
        await recorder.record_response("GET /api/v1/data-collection/datasets/seen", Dataset(id="seen"))
        lock.close()
        assert not await recorder.created_since(before, RemoteKind.DATASET, "One")
        assert await recorder.created_since(before - timedelta(seconds=60), RemoteKind.DATASET, "One") == [
            "made"
        ]
        await recorder.record_response("GET /api/v1/data-collection/datasets/again", Dataset(id="again"))
    assert {(entry.id, entry.was_made) for entry in registered_ids(tmp_path).values()} == {
        ("made", True),
        ("seen", False),
        ("again", False),
    }


async def test_ids_waiting_to_be_written_are_written_when_the_program_ends(tmp_path: Path) -> None:
    created = FakeResponse.from_json({"id": "made", "name": "One"}, 201)

    with FailingServer([], lambda _request: created) as server:
        pool = ConnectionPool(Folders(tmp_path, tmp_path), TokenStore())
        await pool.sign_in(CONNECTION, "token", is_stored=False, has_key_ring=False)
        context = await pool.context(Connection(CONNECTION, server.url, "w"), lambda _sentence: None)
        with closing(lock_database(await pool._get_database(), tmp_path)):
            await context.service.datasets.create(DatasetCreate(name="One", workspace_id="w"))
        await pool.close()
    assert list(registered_ids(tmp_path)) == [(RemoteKind.DATASET, "made")]


async def test_an_id_that_is_already_stored_is_not_written_again(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        recorder, changes = IdRecorder(IdRegistry(database), CONNECTION, "w"), []
        for _repetition in range(3):
            await recorder.record_response(
                "GET /api/v1/data-collection/datasets/d", Dataset(id="d", name="One")
            )
            changes.append(database._writer.total_changes)
        await recorder.record_response("GET /api/v1/data-collection/datasets/d", Dataset(id="d", name="Two"))
        changes.append(database._writer.total_changes)
        first, *others, renamed = changes
    assert others == [first, first]
    assert renamed == first + 1
    ((_key, registered),) = registered_ids(tmp_path).items()
    assert registered.name == "Two"
