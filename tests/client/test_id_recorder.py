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
from batchwright.client.context import WorkflowContext
from batchwright.client.id_recorder import IdRecorder
from batchwright.local.connections import Connection
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.local.paths import Folders
from batchwright.local.secrets import TokenStore
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import Dataset, DatasetCreate
from batchwright.workflows.create_test_participant import create_test_participant
from tests.api.requests import retries
from tests.api.studies import CSV, run_with_client, set_up
from tests.client.job_monitoring.test_job_watcher import busy
from tests.fakes.raw_http import Reply
from tests.fakes.stumbling_server import StumblingServer
from tests.workflows.contexts import RecordedMessages, run_with_context
from tests.workflows.factories import new_collection

HERE = "here"

MAKE_AND_DIE = """
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
    memory = IdRecorder(IdRegistry(open_database(Path(folder))), "here", workspace)
    async with connect(url, token, on_response=memory.record_response) as service:
        making = asyncio.create_task(
            service.datasets.create(DatasetCreate(name="Killed", workspace_id=workspace))
        )
        if fate == "at once":
            making.add_done_callback(lambda _done: os.kill(os.getpid(), signal.SIGKILL))
        await making
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work())
"""


def hearing(
    folder: Path, running: ServiceAddress, work: Callable[[ApiClient], Awaitable[object]]
) -> dict[tuple[RemoteKind, str], RegisteredId]:
    """What the register knows after some work."""

    async def working() -> None:
        with closing(open_database(folder)) as database:
            memory = IdRecorder(IdRegistry(database), HERE, running.workspace_id)
            async with connect(
                running.url, running.token, retry_policy=retries(), on_response=memory.record_response
            ) as service:
                await work(service)

    asyncio.run(working())
    return registered(folder)


def registered(folder: Path) -> dict[tuple[RemoteKind, str], RegisteredId]:
    with closing(open_database(folder)) as database:
        return {(known.kind, known.id): known for known in IdRegistry(database).all(HERE)}


def table(folder: Path) -> Path:
    path = folder / "prompts.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def test_collections_and_their_exports_are_stored_created_or_seen(
    running: ServiceAddress, tmp_path: Path
) -> None:
    mine, theirs = [], run_with_client(running, lambda service: new_collection(service, running.workspace_id))

    async def work(service: ApiClient) -> None:
        collection = await new_collection(service, running.workspace_id)
        export = await service.exports.start_of_collection(collection.id)
        await service.collections.list(running.workspace_id)
        mine.append((collection.id, export.export_id or ""))

    known = hearing(tmp_path, running, work)
    ((collection_id, export_id),) = mine
    created, status = known[RemoteKind.COLLECTION, collection_id], known[RemoteKind.COLLECTION, theirs.id]
    assert (created.name, created.was_made, status.name, status.was_made) == ("Survey", True, "Survey", False)
    assert known[RemoteKind.EXPORT, export_id].parent_id == collection_id


@pytest.mark.parametrize("fate", ["at once", "on the next line"])
def test_an_id_outlasts_a_program_that_is_killed_right_after_the_answer(
    fate: str, running: ServiceAddress, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    arguments = (str(folder), running.url, running.workspace_id, running.token, fate)
    done = subprocess.run([sys.executable, "-c", MAKE_AND_DIE, *arguments], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    ((kind, id),) = registered(folder)
    created = run_with_client(running, lambda service: service.datasets.get(id))
    assert (kind, created.name) == (RemoteKind.DATASET, "Killed")


def test_a_test_participant_is_stored_with_its_address_and_exported(
    running: ServiceAddress, tmp_path: Path
) -> None:
    participants = list[str]()

    async def work(context: WorkflowContext) -> None:
        participants.append(await create_test_participant(context, f"{uuid4().hex}@example.org"))

    messages = RecordedMessages()
    run_with_context(
        tmp_path, running.url, work, token=running.token, workspace=running.workspace_id, messages=messages
    )
    ((kind, id),) = messages.created
    assert (kind, [id]) == (RemoteKind.PARTICIPANT, participants)
    with closing(open_database(tmp_path)) as database:
        (exported,) = IdRegistry(database).exported()
    assert exported["kind"] == "participant"
    assert str(exported["name"]).endswith("@example.org")


def test_everything_that_is_created_is_stored_with_its_name_and_parent(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def work(service: ApiClient) -> None:
        batch = await set_up(service, running.workspace_id, table(tmp_path))
        await service.exports.start(batch.id)

    known = hearing(tmp_path, running, work)
    by_kind = {kind: entry for (kind, _id), entry in known.items()}
    dataset, batch = by_kind[RemoteKind.DATASET], by_kind[RemoteKind.BATCH]
    assert all(entry.was_made for entry in known.values())
    assert (dataset.name, batch.name) == ("Prompts", "Study")
    assert (by_kind[RemoteKind.IMPORT].name, by_kind[RemoteKind.IMPORT].parent_id) == (
        "prompts.csv",
        dataset.id,
    )
    assert by_kind[RemoteKind.EXPORT].parent_id == batch.id
    assert {entry.workspace_id for entry in known.values()} == {running.workspace_id}


def test_what_others_created_is_stored_when_it_is_seen_in_a_list(
    running: ServiceAddress, tmp_path: Path
) -> None:
    created = run_with_client(running, lambda service: set_up(service, running.workspace_id, table(tmp_path)))

    async def look(service: ApiClient) -> None:
        await service.batches.list(running.workspace_id)
        await service.datasets.get(created.datasets[0].id)

    known = hearing(tmp_path, running, look)
    batch, dataset = known[RemoteKind.BATCH, created.id], known[RemoteKind.DATASET, created.datasets[0].id]
    assert (batch.name, batch.was_made, dataset.name, dataset.was_made) == ("Study", False, "Prompts", False)
    imports = [
        entry for entry in known.values() if entry.kind is RemoteKind.IMPORT and entry.parent_id == dataset.id
    ]
    assert [(entry.name, entry.was_made) for entry in imports] == [("prompts.csv", False)]


def test_an_id_is_stored_although_no_one_waits_for_the_answer_any_more(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def work(service: ApiClient) -> None:
        heard = asyncio.Event()
        keep = service._transport._on_response

        async def hear(call: str, answer: object) -> None:
            heard.set()
            await keep(call, answer)  # type: ignore[arg-type]  # as the transport gives it

        service._transport._on_response = hear
        request = DatasetCreate(name="Given up", workspace_id=running.workspace_id)
        making = asyncio.create_task(service.datasets.create(request))
        await heard.wait()
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making

    assert [entry.name for entry in hearing(tmp_path, running, work).values()] == ["Given up"]


def test_a_register_that_cannot_be_written_fails_nothing_and_is_with_the_next_answer(tmp_path: Path) -> None:
    async def work() -> None:
        with closing(open_database(tmp_path)) as database:
            memory = IdRecorder(IdRegistry(database), HERE, "w")
            other = busy(database, tmp_path)
            await memory.record_response(
                "POST /api/v1/data-collection/datasets", Dataset(id="made", name="One")
            )
            before = datetime.now(UTC)
            with pytest.raises(StorageUnavailable):
                await memory.created_since(before, RemoteKind.DATASET, "One")
            await memory.record_response("GET /api/v1/data-collection/datasets/seen", Dataset(id="seen"))
            other.close()
            assert not await memory.created_since(before, RemoteKind.DATASET, "One")
            assert await memory.created_since(before - timedelta(seconds=60), RemoteKind.DATASET, "One") == [
                "made"
            ]
            await memory.record_response("GET /api/v1/data-collection/datasets/again", Dataset(id="again"))

    asyncio.run(work())
    assert {(entry.id, entry.was_made) for entry in registered(tmp_path).values()} == {
        ("made", True),
        ("seen", False),
        ("again", False),
    }


def test_what_waits_to_be_written_is_written_when_the_program_ends(tmp_path: Path) -> None:
    created = Reply.of({"id": "made", "name": "One"}, 201)

    async def work() -> None:
        pool = ConnectionPool(Folders(tmp_path, tmp_path), TokenStore())
        await pool.sign_in(HERE, "token", is_stored=False, has_key_ring=False)
        context = await pool.context(Connection(HERE, server.url, "w"), lambda _sentence: None)
        with closing(busy(await pool._get_database(), tmp_path)):
            await context.service.datasets.create(DatasetCreate(name="One", workspace_id="w"))
        await pool.close()

    with StumblingServer([], lambda _request: created) as server:
        asyncio.run(work())
    assert list(registered(tmp_path)) == [(RemoteKind.DATASET, "made")]


def test_what_is_known_already_is_not_written_again(tmp_path: Path) -> None:
    async def work() -> list[int]:
        with closing(open_database(tmp_path)) as database:
            memory, changes = IdRecorder(IdRegistry(database), HERE, "w"), []
            for _look in range(3):
                await memory.record_response(
                    "GET /api/v1/data-collection/datasets/d", Dataset(id="d", name="One")
                )
                changes.append(database._writer.total_changes)
            await memory.record_response(
                "GET /api/v1/data-collection/datasets/d", Dataset(id="d", name="Two")
            )
            changes.append(database._writer.total_changes)
            return changes

    first, *others, renamed = asyncio.run(work())
    assert others == [first, first]
    assert renamed == first + 1
    ((_key, known),) = registered(tmp_path).items()
    assert known.name == "Two"
