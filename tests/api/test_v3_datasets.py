"""V3 datasets: records, status, and accepted files (wire reference, 4.1 to 4.5)."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatus, DatasetStatusResponse
from tests.api.conftest import EndlessJobs
from tests.api.error_responses import rejection_message
from tests.api.studies import client_of, poll_until_settled, send_file

REVIEWS = "review,META_TASK_GROUP_ID\nNice mug,g1\nLid leaks,g2\n"


def write_table(folder: Path, name: str = "reviews.csv", text: str = REVIEWS) -> Path:
    """A file of reviews, in an archive if the name ends with `.zip`."""
    path = folder / name
    if path.suffix.lower() == ".zip":
        with ZipFile(path, "w") as archive:
            archive.writestr("reviews.csv", text)
    else:
        path.write_text(text, encoding="utf-8")
    return path


async def v3_dataset(service: ApiClient, workspace_id: str) -> Dataset:
    """A dataset without a file."""
    return await service.datasets.create(DatasetCreate(name="Old", workspace_id=workspace_id))


async def process_file(running: ServiceAddress, path: Path) -> tuple[DatasetStatusResponse, Dataset]:
    """Send a file to a new dataset; its status and its record after the file has been processed."""

    async with client_of(running) as service:
        dataset = await v3_dataset(service, running.workspace_id)
        assert (await send_file(service, dataset.id, path)).import_id is None
        state = await poll_until_settled(lambda: service.datasets.status(dataset.id))
        return state, await service.datasets.get(dataset.id)


@pytest.mark.spec("V-01", "V-02", "V-03", "V-04", "V-07", "ST-07")
async def test_a_new_dataset_has_a_status_and_no_file(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await v3_dataset(service, running.workspace_id)
        assert dataset.status is DatasetStatus.UNINITIALISED
        assert not dataset.is_v4
        assert (dataset.filename, dataset.has_predetermined_grouping_id) == (None, None)
        state = await service.datasets.status(dataset.id)
        assert (state.status, state.settled) == (DatasetStatus.UNINITIALISED, False)


@pytest.mark.spec("V-02", "V-03", "V-05", "V-07", "ST-07")
@pytest.mark.parametrize("name", ["reviews.csv", "REVIEWS.CSV", "reviews.zip", "ünï & 100%.Zip"])
async def test_csv_and_zip_files_are_read(name: str, running: ServiceAddress, tmp_path: Path) -> None:
    state, record = await process_file(running, write_table(tmp_path, name))
    assert (state.status, state.settled, state.reason) == (DatasetStatus.READY, True, None)
    assert (record.status, record.filename) == (DatasetStatus.READY, name)
    assert (record.total_datapoint_count, record.imports) == (2, None)


@pytest.mark.spec("V-04")
@pytest.mark.parametrize(("column", "is_grouped"), [("META_TASK_GROUP_ID", True), ("META_group", False)])
async def test_the_record_reports_whether_the_file_groups_its_rows(
    column: str, is_grouped: bool, running: ServiceAddress, tmp_path: Path
) -> None:
    _state, record = await process_file(
        running, write_table(tmp_path, text=f"review,{column}\nNice mug,g1\n")
    )
    assert record.has_predetermined_grouping_id is is_grouped


@pytest.mark.spec("V-03", "ST-07")
async def test_a_dataset_is_processing_while_its_file_is_read(
    endless_jobs: EndlessJobs, tmp_path: Path
) -> None:
    async with client_of(endless_jobs.running) as service:
        dataset = await v3_dataset(service, endless_jobs.running.workspace_id)
        await send_file(service, dataset.id, write_table(tmp_path))
        state = await service.datasets.status(dataset.id)
        assert (state.status, state.settled) == (DatasetStatus.PROCESSING, False)
        record = await service.datasets.get(dataset.id)
        assert (record.status, record.filename) == (DatasetStatus.PROCESSING, "reviews.csv")


@pytest.mark.spec("V-02", "V-07", "ST-07")
async def test_a_file_that_cannot_be_read_is_an_error_with_its_reason(
    running: ServiceAddress, tmp_path: Path
) -> None:
    state, record = await process_file(running, write_table(tmp_path, text="review,source\nNice mug\n"))
    assert (state.status, state.settled) == (DatasetStatus.ERROR, True)
    assert "Line 2" in (state.reason or "")
    assert (record.status, record.total_datapoint_count) == (DatasetStatus.ERROR, 0)


@pytest.mark.spec("V-06")
@pytest.mark.parametrize("name", ["reviews.jsonl", "reviews.pdf", "reviews.csv.gz", "reviews"])
async def test_an_upload_url_for_an_unsupported_file_is_rejected(name: str, running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await v3_dataset(service, running.workspace_id)
        messages = await rejection_message(service.datasets.upload_url(dataset.id, name), BadRequest, 400)
        assert all(extension in messages for extension in (".csv", ".zip"))
        assert (await service.datasets.status(dataset.id)).status == DatasetStatus.UNINITIALISED
