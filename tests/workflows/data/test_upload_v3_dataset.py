"""Uploading data to a V3 dataset: its status is polled until the file has been read."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from batchwright.api.http.errors import Unreachable
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.data_files.rows import UnreadableFile
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import Dataset
from batchwright.workflows.data.upload_dataset import UploadObserver
from batchwright.workflows.data.upload_v3_dataset import V3ReadFailed, upload_v3_dataset
from tests.fakes.failing_server import FailingServer
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import ScriptedReplies, context_at

ROWS = "review,META_TASK_GROUP_ID\nNice mug,g1\nLid leaks,g2\n"
STATUS = "GET /api/v1/data-collection/datasets/d/status"


def table(folder: Path, name: str = "reviews.csv", text: str = ROWS) -> Path:
    path = folder / name
    if path.suffix == ".zip":
        with ZipFile(path, "w") as archive:
            archive.writestr("reviews.csv", text)
    else:
        path.write_text(text, encoding="utf-8")
    return path


async def upload(running: ServiceAddress, folder: Path, path: Path, url: str = "") -> Dataset:
    async with context_at(
        folder, url or running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        dataset = await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
        rows = await context.jobs.rows_for(JobKind.PROCESSING, {"dataset_id": dataset.id})
        assert (rows[-1].outcome, rows[-1].title) == (JobOutcome.DONE, path.name)
        return dataset


@pytest.mark.spec("V-05", "V-08", "ST-07")
@pytest.mark.parametrize("name", ["reviews.csv", "REVIEWS.CSV", "reviews.zip"])
async def test_a_file_is_sent_and_its_processing_monitored(
    name: str, running: ServiceAddress, tmp_path: Path
) -> None:
    dataset = await upload(running, tmp_path, table(tmp_path, name))
    assert (dataset.status, dataset.total_datapoint_count) == ("READY", 2)
    assert dataset.has_predetermined_grouping_id


@pytest.mark.spec("V-08")
async def test_the_status_is_polled_until_the_file_has_been_read(tmp_path: Path) -> None:
    path = table(tmp_path)
    states = ("UNINITIALISED", "UNINITIALISED", "PROCESSING", "SHELVED", "READY")
    with FailingServer([], lambda _request: FakeResponse()) as storage:
        address = {"upload_url": f"{storage.url}/blob?sig=a%2Fb", "http_method": "PUT"}
        replies = ScriptedReplies(
            {
                "POST": [FakeResponse.from_json({"id": "d", "status": "UNINITIALISED"}, 201)],
                STATUS: [FakeResponse.from_json({"status": state}) for state in states],
                "GET /api/v1/data-collection/datasets/d/upload-url": [FakeResponse.from_json(address, 201)],
                "GET": [FakeResponse.from_json({"id": "d", "status": "READY"})],
            }
        )
        with FailingServer([], replies) as server:
            async with context_at(tmp_path, server.url) as context:
                await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
            polled = [item.call for item in server.arrived if item.call.startswith(STATUS)]
        assert [item.body for item in storage.arrived] == [path.read_bytes()]
    assert len(polled) == len(states) + 1


@pytest.mark.spec("ST-07")
async def test_a_file_that_cannot_be_read_is_reported_with_the_reason(
    running: ServiceAddress, tmp_path: Path
) -> None:
    path = table(tmp_path, text="review,review\nNice mug,g1\n")
    with pytest.raises(V3ReadFailed) as caught:
        await upload(running, tmp_path, path)
    assert caught.value.state.status == "ERROR"
    assert str(caught.value) != "ERROR"


@pytest.mark.parametrize("nth", range(2, 8))
async def test_a_lost_response_creates_no_second_dataset(
    nth: int, running: ServiceAddress, tmp_path: Path
) -> None:
    path = table(tmp_path)
    with FaultyProxy(running.url, Fault.RESET_AFTER, nth) as proxy:
        first = await upload(running, tmp_path, path, proxy.url)
        assert proxy.calls.count("POST /api/v1/data-collection/datasets") == 1
    assert first.total_datapoint_count == 2


async def test_an_interrupted_upload_creates_no_second_dataset(
    running: ServiceAddress, tmp_path: Path
) -> None:
    path, created = table(tmp_path), []

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:

        def stop(_done: int, _total: int | None) -> None:
            raise Unreachable("PUT", "the laptop sleeps", arrived=False)

        observer = UploadObserver(on_created=lambda dataset: created.append(dataset.id), on_progress=stop)
        with pytest.raises(Unreachable):
            await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path, observer)
    assert created == [(await upload(running, tmp_path, path)).id]


async def test_no_v3_dataset_is_created_for_an_unsupported_file(tmp_path: Path) -> None:
    path = table(tmp_path).rename(tmp_path / "reviews.jsonl")
    with FailingServer([], lambda _request: FakeResponse()) as server:
        with pytest.raises(UnreadableFile, match=r"reviews\.jsonl"):
            async with context_at(tmp_path, server.url) as context:
                await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
        assert server.arrived == []
