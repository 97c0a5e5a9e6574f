"""Appending records: none is lost or stored twice, even if the dataset is written to meanwhile."""

import asyncio
import os
from pathlib import Path

import pytest

from batchwright.api.http.errors import Unreachable
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.data_files.rows import UnreadableFile
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import SchemaUpdate
from batchwright.workflows.data.append import AppendProgress, append_file
from tests.api.studies import SCHEMA, client_of, prompts_file, upload_data
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest
from tests.workflows.contexts import RecordedMessages, context_at, until

ERROR = {"error": {"status": 409, "title": "Conflict", "detail": "An import is running."}}
BUSY_WRITING = FakeResponse.from_json(ERROR, 409)
MAX_RECORDS = 1000


async def filled_dataset(running: ServiceAddress, folder: Path) -> str:
    """A dataset with two records."""
    data = prompts_file(folder)
    async with client_of(running) as service:
        return (await upload_data(service, running.workspace_id, data))[0].id


def more_records(folder: Path, records: int) -> Path:
    """A file with this many further records."""
    path = folder / "more.jsonl"
    path.write_bytes(b"".join(b'{"prompt": "Later %d"}\n' % number for number in range(records)))
    return path


def accept_all(request: RawRequest) -> FakeResponse:
    """The response to an append that accepts every record."""
    return FakeResponse.from_json({"accepted": request.body.count(b"\n"), "rejected": 0, "errors": []})


@pytest.mark.spec("AP-17", "AP-16")
async def test_records_wait_until_a_migration_has_finished_and_are_sent_again(
    slow_service: ServiceAddress, tmp_path: Path
) -> None:
    dataset_id, path, messages = (
        await filled_dataset(slow_service, tmp_path),
        more_records(tmp_path, 3),
        RecordedMessages(),
    )

    async with context_at(
        tmp_path,
        slow_service.url,
        token=slow_service.token,
        workspace=slow_service.workspace_id,
        messages=messages,
    ) as context:
        datasets = context.service.datasets
        changed = await datasets.update_schema(dataset_id, SchemaUpdate(schema=SCHEMA))
        appended = await append_file(context, dataset_id, path)
        migration = await datasets.migration(dataset_id, changed.migration_job_id or "")
        count = (await datasets.get(dataset_id)).total_datapoint_count
    assert (appended.accepted, appended.rejected, count) == (3, 0, 5)
    assert migration.settled
    assert messages == ["The dataset is being written to; waiting to append."]


@pytest.mark.spec("AP-17")
async def test_after_a_409_the_same_records_are_sent(tmp_path: Path) -> None:
    path = more_records(tmp_path, 2)
    with FailingServer([BUSY_WRITING, BUSY_WRITING, None], accept_all) as server:
        async with context_at(tmp_path, server.url) as context:
            appended = await append_file(context, "d", path)
        bodies = {request.body for request in server.arrived}
    assert appended.accepted == 2
    assert bodies == {path.read_bytes()}


async def test_an_interrupted_append_continues_where_it_stopped(tmp_path: Path) -> None:
    path = more_records(tmp_path, 2 * MAX_RECORDS + 10)

    with FailingServer([None, *[ServerFailure.RESET_BEFORE] * 9], accept_all) as server:
        with pytest.raises(Unreachable):
            async with context_at(tmp_path, server.url) as context:
                await append_file(context, "d", path)
        path = path.rename(tmp_path / "moved.jsonl")
        os.utime(path, ns=(1, 1))
        async with context_at(tmp_path, server.url) as context:
            appended = await append_file(context, "d", path)
        sizes = [request.body.count(b"\n") for request in server.arrived]
    assert sizes == [MAX_RECORDS, MAX_RECORDS, 10]
    assert appended.accepted == 2 * MAX_RECORDS + 10


async def test_a_file_replaced_after_an_interruption_is_appended_from_its_start(tmp_path: Path) -> None:
    path = more_records(tmp_path, MAX_RECORDS + 1)
    with FailingServer([None, *[ServerFailure.RESET_BEFORE] * 5], accept_all) as server:
        with pytest.raises(Unreachable):
            async with context_at(tmp_path, server.url) as context:
                await append_file(context, "d", path)
        path = more_records(tmp_path, 7)
        async with context_at(tmp_path, server.url) as context:
            appended = await append_file(context, "d", path)
    assert appended.accepted == 7


async def test_rejected_records_are_numbered_within_the_complete_file(
    running: ServiceAddress, tmp_path: Path
) -> None:
    dataset_id = await filled_dataset(running, tmp_path)
    path = tmp_path / "more.jsonl"
    path.write_text('{"prompt": "x"}\n{}\n' * 600)

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        appended = await append_file(context, dataset_id, path)
    assert (appended.accepted, appended.rejected) == (600, 600)
    assert [item.record_index for item in appended.rejections] == [2 * number for number in range(1, 601)]
    again = AppendProgress.of(appended.as_steps())
    assert (again.sent, again.rejections) == (1200, appended.rejections[:500])


async def test_an_append_is_recorded_as_a_job_with_its_counts(
    running: ServiceAddress, tmp_path: Path
) -> None:
    dataset_id, path = await filled_dataset(running, tmp_path), more_records(tmp_path, 3)

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        await append_file(context, dataset_id, path)
        (row,) = await context.jobs.rows_for(JobKind.APPEND, {"dataset_id": dataset_id})
        assert (row.outcome, row.title) == (JobOutcome.DONE, "more.jsonl")
        assert row.detail == {"accepted_count": 3, "rejected_count": 0, "sent_count": 3}


async def test_an_append_with_wrong_counts_is_marked_as_miscounted_and_still_sends_every_record(
    tmp_path: Path,
) -> None:
    def accept_all_but_one(request: RawRequest) -> FakeResponse:
        return FakeResponse.from_json(
            {"accepted": request.body.count(b"\n") - 1, "rejected": 0, "errors": []}
        )

    path = more_records(tmp_path, MAX_RECORDS + 5)
    with FailingServer([], accept_all_but_one) as server:
        async with context_at(tmp_path, server.url) as context:
            appended = await append_file(context, "d", path)
            (row,) = await context.jobs.rows_for(JobKind.APPEND, {"dataset_id": "d"})
        assert row.outcome == JobOutcome.MISCOUNTED
        assert b"".join(request.body for request in server.arrived) == path.read_bytes()
    assert (appended.counted, appended.sent) == (MAX_RECORDS + 3, MAX_RECORDS + 5)


async def test_a_waiting_append_that_is_cancelled_is_stored_as_stopped(tmp_path: Path) -> None:
    path = more_records(tmp_path, 1)

    messages = RecordedMessages()
    with FailingServer([], lambda _request: BUSY_WRITING) as server:
        async with context_at(tmp_path, server.url, messages=messages) as context:
            task = asyncio.create_task(append_file(context, "d", path))
            await until(lambda: bool(messages))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (row,) = await context.jobs.rows_for(JobKind.APPEND, {"dataset_id": "d"})
            assert row.outcome == JobOutcome.STOPPED


async def test_only_csv_rows_that_no_import_accepts_are_rejected(
    running: ServiceAddress, tmp_path: Path
) -> None:
    dataset_id = await filled_dataset(running, tmp_path)
    path = tmp_path / "more.csv"
    rows = [
        b"Later one,,x",
        b"too few",
        b"Later two,y,",
        b"much,too,many,cells",
        b",,no prompt",
        b"caf\xe9,,",
        b"zero\x00byte,,",
    ]
    path.write_bytes(b"\n".join([b"prompt,,", *rows]) + b"\n")

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        appended = await append_file(context, dataset_id, path)
        count = (await context.service.datasets.get(dataset_id)).total_datapoint_count
    messages = {item.record_index: (item.field, item.reason) for item in appended.rejections}
    assert (appended.accepted, appended.rejected, appended.sent, count) == (2, 5, 7, 4)
    assert list(messages) == [2, 4, 5, 6, 7]
    assert messages[2] == ("_raw", "The row has 1 cell, but the header has 3 columns.")
    assert messages[4] == ("_raw", "The row has 4 cells, but the header has 3 columns.")
    assert messages[5][0] == messages[6][0] == messages[7][0] == "prompt"
    assert "UTF-8" in str(messages[6][1])


async def test_a_resumed_append_counts_rows_that_cannot_be_sent(tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text("prompt,topic\n" + "ragged\n" * MAX_RECORDS + "one,a\nragged\ntwo,b\n" * MAX_RECORDS)

    with FailingServer([None, *[ServerFailure.RESET_BEFORE] * 9], accept_all) as server:
        with pytest.raises(Unreachable):
            async with context_at(tmp_path, server.url) as context:
                await append_file(context, "d", path)
        async with context_at(tmp_path, server.url) as context:
            appended = await append_file(context, "d", path)
        sizes = [request.body.count(b"\n") for request in server.arrived]
    assert sizes == [667, 666, 667]
    assert (appended.accepted, appended.rejected) == (2 * MAX_RECORDS, 2 * MAX_RECORDS)
    assert appended.sent == appended.counted == 4 * MAX_RECORDS


async def test_a_column_named_twice_is_rejected_before_anything_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text("prompt,prompt\none,two\n")
    with FailingServer([], accept_all) as server:
        with pytest.raises(UnreadableFile, match="more than once"):
            async with context_at(tmp_path, server.url) as context:
                await append_file(context, "d", path)
        assert not server.arrived
