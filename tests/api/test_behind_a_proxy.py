"""The client and the real service with a proxy in between that resets one request: nothing is lost."""

from pathlib import Path

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import OutcomeUnknown
from batchwright.api.participant_client import OpenPage, ParticipantClient, SubmissionFinished
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate
from batchwright.wire.local_routes import simulated_participant
from tests.api.requests import download, retries
from tests.api.studies import DETAILS, UploadedFile, client_of, set_up, upload_data
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy


@pytest.mark.parametrize("error", RESETS)
@pytest.mark.parametrize("nth", range(1, 7))
async def test_reads_and_transfers_recover_from_a_reset(
    nth: int, error: Fault, running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with client_of(running) as direct:
        dataset, _job = await upload_data(direct, running.workspace_id, data)
        dataset_id, batch_id = dataset.id, (await set_up(direct, running.workspace_id, data)).id
    with FaultyProxy(running.url, error, nth) as proxy:
        async with connect(proxy.url, running.token, retry_policy=retries()) as service:
            await service.account.check()
            address = await service.datasets.upload_url(dataset_id, "more.csv")
            import_id = address.import_id or ""

            async def has_arrived() -> bool:
                job = await service.datasets.import_job(dataset_id, import_id)
                return job.status != "uninitialised"

            proxied_url = address.upload_url.replace(running.url, proxy.url)
            await service.transfers.upload(
                data, proxied_url, content_type=address.content_type, has_arrived=has_arrived
            )
            report = await service.batches.report(batch_id)
            await download(service, report.url.replace(running.url, proxy.url), tmp_path / "report.csv")
            job = await service.datasets.import_job(dataset_id, import_id)
            while not job.settled:
                job = await service.datasets.import_job(dataset_id, import_id)
            assert (job.status, job.accepted_count) == ("complete", 2)
        assert proxy.fault_count


@pytest.mark.parametrize(("error", "created"), [(Fault.RESET_BEFORE, 0), (Fault.RESET_AFTER, 1)])
async def test_a_batch_whose_response_was_lost_can_be_found_in_the_list(
    error: Fault, created: int, running: ServiceAddress
) -> None:
    name = f"Lost {error.name}"
    request = BatchCreate(name=name, workspace_id=running.workspace_id, task_details=DETAILS)
    with FaultyProxy(running.url, error, 1) as proxy:
        async with connect(proxy.url, running.token, retry_policy=retries()) as service:
            with pytest.raises(OutcomeUnknown):
                await service.batches.create(request)
            listed = (await service.batches.list(running.workspace_id)).results
            assert sum(batch.name == name for batch in listed) == created


@pytest.mark.parametrize("error", RESETS)
@pytest.mark.parametrize("nth", range(1, 4))
async def test_answers_are_stored_once_whichever_request_is_reset(
    nth: int, error: Fault, running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
    async with client_of(running) as service:
        link = (await service.local.participation(batch.id)).url
    with FaultyProxy(running.url, error, nth) as proxy:
        async with ParticipantClient(retries()) as pages:
            page = await pages.start(link.replace(running.url, proxy.url), simulated_participant(7, nth))
            assert isinstance(page, OpenPage)
            answers = [("i0", "Because"), ("i1", "0")]
            assert isinstance(await pages.answer(page, answers, [("i2", UploadedFile())]), SubmissionFinished)
        assert proxy.fault_count
    async with client_of(running) as service:
        records = list(await service.batches.responses(batch.id))
    assert len(records) == 3
