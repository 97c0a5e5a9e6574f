"""Uploading data: nothing is created twice, every id is stored, and an unusable file is reported."""

from asyncio import gather
from pathlib import Path

import pytest

from batchwright.api.http.errors import PresignedUrlExpired, UnexpectedResponse
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.data_files.rows import UnreadableFile
from batchwright.local.id_registry import RemoteKind
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import DatasetCreate
from batchwright.wire.imports import ImportStatus
from batchwright.workflows.data.create_dataset import DatasetCreationUnknown
from batchwright.workflows.data.upload_dataset import (
    ImportFailed,
    ImportIncomplete,
    UploadResult,
    import_file,
    send_file,
    upload_dataset,
)
from batchwright.workflows.messages import describe
from tests.api.studies import CSV, SCHEMA
from tests.fakes.failing_server import FORBIDDEN, FailingServer, ServerFailure
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at

UPLOAD_URL = "GET /api/v1/data-collection/datasets/d/upload-url"
IMPORT = "GET /api/v1/data-collection/datasets/d/imports"


def data_file(folder: Path, text: str, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def upload_file(
    running: ServiceAddress, folder: Path, data: Path, url: str = "", messages: RecordedMessages | None = None
) -> UploadResult:
    """Upload a file to the real service, or through a proxy at `url`."""
    async with context_at(
        folder, url or running.url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        return await upload_dataset(context, context.checkpoint(), "Prompts", read_schema(SCHEMA), data)


async def test_a_file_is_uploaded_and_every_id_is_stored(running: ServiceAddress, tmp_path: Path) -> None:
    messages = RecordedMessages()
    upload = await upload_file(
        running, tmp_path, data_file(tmp_path, "prompt\none\ntwo\n"), messages=messages
    )
    assert (upload.job.status, upload.accepted, upload.rejected) == (ImportStatus.COMPLETE, 2, 0)
    assert set(messages.registered) == {
        (RemoteKind.DATASET, upload.dataset.id),
        (RemoteKind.IMPORT, upload.job.import_id),
    }
    assert messages.open_jobs == ()
    upload.require_complete()


@pytest.mark.parametrize(("records", "outcome"), [(2, JobOutcome.DONE), (3, JobOutcome.MISCOUNTED)])
async def test_an_import_with_a_wrong_count_is_marked_as_miscounted(
    records: int, outcome: JobOutcome, running: ServiceAddress, tmp_path: Path
) -> None:
    data = data_file(tmp_path, "prompt\none\ntwo\n")

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        checkpoint, schema = context.checkpoint(), read_schema(SCHEMA)
        upload = await upload_dataset(context, checkpoint, "Prompts", schema, data, records=records)
        subject = {"dataset_id": upload.dataset.id, "import_id": upload.job.import_id}
        (row,) = await context.jobs.rows_for(JobKind.IMPORT, {**subject, "records": str(records)})
        assert row.outcome == outcome


@pytest.mark.spec("I-13", "I-14")
@pytest.mark.parametrize(
    ("text", "counts", "expected"),
    [
        (
            '{"prompt": "one"}\n{"other": 1}\n',
            (1, 1),
            ["rejected 1 of 2", "record 2, prompt: ", "check-data"],
        ),
        ('{"other": 1}\n', (0, 1), ["rejected 1 of 1", "record 1, prompt: "]),
    ],
)
async def test_an_import_with_rejected_records_is_incomplete_and_names_them(
    text: str, counts: tuple[int, int], expected: list[str], running: ServiceAddress, tmp_path: Path
) -> None:
    upload = await upload_file(running, tmp_path, data_file(tmp_path, text, "data.jsonl"))
    assert (upload.accepted, upload.rejected) == counts
    with pytest.raises(ImportIncomplete) as caught:
        upload.require_complete()
    output = str(describe(caught.value))
    assert [part for part in expected if part not in output] == []


@pytest.mark.spec("D-15")
async def test_a_v4_dataset_is_validated_by_its_import_and_its_status_is_never_requested(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = data_file(tmp_path, "prompt\none\n")
    with FaultyProxy(running.url) as proxy:
        upload = await upload_file(running, tmp_path, data, proxy.url)
        requests = {call for call in proxy.calls if call.startswith("GET")}
    assert upload.dataset.status is None
    upload.require_complete()
    dataset = f"GET /api/v1/data-collection/datasets/{upload.dataset.id}"
    assert requests == {f"{dataset}/upload-url/data.csv", f"{dataset}/imports/{upload.job.import_id}"}


async def test_a_table_without_records_is_an_incomplete_import(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with pytest.raises(ImportIncomplete) as caught:
        (await upload_file(running, tmp_path, data_file(tmp_path, "prompt\n"))).require_complete()
    assert "no records" in describe(caught.value).what


@pytest.mark.spec("I-15")
async def test_an_empty_file_is_not_imported_and_the_reason_is_reported(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with pytest.raises(ImportFailed) as caught:
        await upload_file(running, tmp_path, data_file(tmp_path, ""))
    assert caught.value.job.status == ImportStatus.FAILED
    assert "empty" in describe(caught.value).what


@pytest.mark.parametrize("error", RESETS)
async def test_a_dataset_whose_response_was_lost_is_created_again_only_by_the_user(
    error: Fault, running: ServiceAddress, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    data = data_file(tmp_path, "prompt\none\n")
    with FaultyProxy(running.url, error, 1) as proxy:
        with pytest.raises(DatasetCreationUnknown) as caught:
            await upload_file(running, tmp_path, data, proxy.url, messages)
        assert proxy.calls == ["POST /api/v1/data-collection/datasets"]
        upload = await upload_file(running, tmp_path, data, proxy.url, messages)
    assert "may remain" in describe(caught.value).what
    assert "Try again" in describe(caught.value).remedy
    assert upload.accepted == 1
    assert [id for kind, id in messages.registered if kind is RemoteKind.DATASET] == [upload.dataset.id]


def address(server: FailingServer, import_id: str | None) -> FakeResponse:
    body = {"upload_url": f"{server.url}/raw?sig=1", "content_type": "text/csv"}
    return FakeResponse.from_json(body if import_id is None else {**body, "import_id": import_id}, 201)


@pytest.mark.spec("T-15")
async def test_a_url_that_has_expired_is_requested_again(tmp_path: Path) -> None:
    data, messages = data_file(tmp_path, "prompt\none\n"), RecordedMessages()
    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies(
            {
                UPLOAD_URL: [address(server, "i1"), address(server, "i2")],
                "PUT /raw": [FORBIDDEN, FakeResponse()],
            }
        )
        async with context_at(tmp_path, server.url, messages=messages) as context:
            import_id, sent = await send_file(context, context.checkpoint(), "d", data)
    assert (import_id, sent.size) == ("i2", data.stat().st_size)
    assert set(messages.registered) == {(RemoteKind.IMPORT, "i1"), (RemoteKind.IMPORT, "i2")}


@pytest.mark.parametrize(
    ("content_type", "sent"), [("text/csv; header=present", b"text/csv; header=present"), (None, b"text/csv")]
)
async def test_a_file_is_sent_with_the_content_type_of_its_url(
    content_type: str | None, sent: bytes, tmp_path: Path
) -> None:
    data = data_file(tmp_path, "prompt\none\n")
    with FailingServer([], lambda request: replies(request)) as server:
        address = {"upload_url": f"{server.url}/raw?sig=1", "import_id": "i", "content_type": content_type}
        replies = ScriptedReplies(
            {UPLOAD_URL: [FakeResponse.from_json(address, 201)], "PUT /raw": [FakeResponse()]}
        )
        async with context_at(tmp_path, server.url) as context:
            await send_file(context, context.checkpoint(), "d", data)
        (put,) = (request for request in server.arrived if request.call == "PUT /raw")
    assert put.header(b"content-type") == sent


async def test_after_three_expired_urls_the_upload_fails(tmp_path: Path) -> None:
    data = data_file(tmp_path, "prompt\none\n")
    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies({UPLOAD_URL: [address(server, "i")], "PUT /raw": [FORBIDDEN]})
        with pytest.raises(PresignedUrlExpired):
            async with context_at(tmp_path, server.url) as context:
                await send_file(context, context.checkpoint(), "d", data)
        assert [request.call for request in server.arrived].count("PUT /raw") == 3


async def test_a_file_that_has_arrived_is_not_sent_again(tmp_path: Path) -> None:
    data = data_file(tmp_path, "prompt\none\n")
    queued = FakeResponse.from_json({"import_id": "i", "status": "queued"})
    with FailingServer([None, ServerFailure.RESET_AFTER], lambda request: replies(request)) as server:
        replies = ScriptedReplies(
            {UPLOAD_URL: [address(server, "i")], "PUT /raw": [FakeResponse()], IMPORT: [queued]}
        )
        async with context_at(tmp_path, server.url) as context:
            await send_file(context, context.checkpoint(), "d", data)
        assert [request.call for request in server.arrived].count("PUT /raw") == 1


async def test_a_url_without_an_import_is_an_unexpected_response(tmp_path: Path) -> None:
    data, messages = data_file(tmp_path, "prompt\none\n"), RecordedMessages()
    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies({UPLOAD_URL: [address(server, None)]})
        with pytest.raises(UnexpectedResponse):
            async with context_at(tmp_path, server.url, messages=messages) as context:
                await send_file(context, context.checkpoint(), "d", data)
    assert messages.registered == ()


async def test_a_file_without_a_readable_record_is_not_imported(
    running: ServiceAddress, tmp_path: Path
) -> None:
    with pytest.raises(ImportFailed) as caught:
        await upload_file(running, tmp_path, data_file(tmp_path, "nonsense\n", "data.jsonl"))
    assert "No record of the file can be read." in describe(caught.value).what


@pytest.mark.parametrize("status", ["failed", "pending_schema", "unknown to this version"])
async def test_an_import_with_any_other_final_status_has_failed(status: str, tmp_path: Path) -> None:
    data = data_file(tmp_path, "prompt\none\n")
    dataset = FakeResponse.from_json({"id": "d", "schema": SCHEMA}, 201)
    ended = FakeResponse.from_json({"import_id": "i", "status": status, "reason": "Disk failure."})
    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies(
            {"POST": [dataset], UPLOAD_URL: [address(server, "i")], "PUT": [FakeResponse()], IMPORT: [ended]}
        )
        with pytest.raises(ImportFailed) as caught:
            async with context_at(tmp_path, server.url) as context:
                await upload_dataset(context, context.checkpoint(), "Prompts", read_schema(SCHEMA), data)
    assert "Disk failure." in describe(caught.value).what


@pytest.mark.parametrize("name", ["prompts.zip", "prompts.tsv", "prompts"])
async def test_no_dataset_is_created_for_an_unsupported_file(name: str, tmp_path: Path) -> None:
    data = tmp_path / name
    data.write_text(CSV, encoding="utf-8")
    with FailingServer([], lambda _request: FakeResponse()) as server:
        with pytest.raises(UnreadableFile) as caught:
            async with context_at(tmp_path, server.url) as context:
                await upload_dataset(context, context.checkpoint(), "Prompts", read_schema(SCHEMA), data)
        assert server.arrived == []
    assert name in describe(caught.value).what
    assert ".csv or .jsonl" in describe(caught.value).what


async def test_two_windows_that_import_the_same_file_send_it_once(
    running: ServiceAddress, tmp_path: Path
) -> None:
    data = data_file(tmp_path, "prompt\none\ntwo\n")
    request = DatasetCreate(name="Prompts", workspace_id=running.workspace_id, schema=SCHEMA)
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        dataset = await context.service.datasets.create(request)
        one, another = await gather(*(import_file(context, dataset.id, data) for _window in range(2)))
        assert one.import_id == another.import_id
        assert (await context.service.datasets.get(dataset.id)).total_datapoint_count == 2
