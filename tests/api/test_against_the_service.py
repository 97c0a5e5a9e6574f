"""The API client with the real service in its own process."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import AnswersRejected, BadRequest, LayoutRejected, NotFound, Unauthorized
from batchwright.api.participant_client import NoPage, OpenPage, ParticipantClient
from batchwright.service.process import ServiceAddress
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchCreate, BatchSetup, BatchUpdate
from batchwright.wire.local_routes import AnnotatorsPerTask, PreviewRequest, simulated_participant
from tests.api.error_responses import rejection_message
from tests.api.requests import download, retries
from tests.api.studies import (
    CSV,
    DETAILS,
    LAYOUT,
    QUESTIONS,
    SCHEMA,
    answer_all_pages,
    client_of,
    poll_until_settled,
    set_up,
    upload_data,
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file of two records."""
    path = tmp_path / "my prompts+.csv"
    path.write_bytes(CSV.encode())
    return path


@pytest.mark.spec("A-03")
async def test_the_owner_of_the_token_is_reported(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        user = await service.account.check()
    assert user.id
    assert user.email


async def test_a_wrong_token_is_unauthorized(running: ServiceAddress) -> None:
    with pytest.raises(Unauthorized):
        async with connect(running.url, "wrong") as service:
            await service.account.check()


@pytest.mark.spec("D-01", "I-01", "I-02", "I-03", "I-08", "I-10", "I-12", "I-16")
async def test_a_file_is_uploaded_into_a_dataset(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        dataset, job = await upload_data(service, running.workspace_id, data)
        assert (job.status, job.accepted_count, job.filename) == ("complete", 2, data.name)
        fetched = await service.datasets.get(dataset.id)
        assert (fetched.is_v4, fetched.schema_, fetched.total_datapoint_count) == (True, SCHEMA, 2)
        assert fetched.imports is not None
        assert [imported.import_id for imported in fetched.imports] == [job.import_id]


@pytest.mark.spec("I-05", "I-07", "I-11")
async def test_rejected_dataset_requests_raise_specific_errors(running: ServiceAddress, data: Path) -> None:
    unknown_id = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"

    async with client_of(running) as service:
        dataset, _job = await upload_data(service, running.workspace_id, data)
        with pytest.raises(BadRequest):
            await service.datasets.upload_url(dataset.id, "prompts.zip")
        with pytest.raises(NotFound):
            await service.datasets.upload_url(unknown_id, "prompts.csv")
        with pytest.raises(NotFound):
            await service.datasets.import_job(dataset.id, unknown_id)


async def test_an_unknown_batch_is_not_found_whether_its_row_has_a_400_or_a_404(
    running: ServiceAddress,
) -> None:
    unknown_id = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
    async with client_of(running) as service:
        with pytest.raises(NotFound, check=lambda error: error.status == 400):
            await service.batches.get(unknown_id)
        with pytest.raises(NotFound, check=lambda error: error.status == 404):
            await service.exports.start(unknown_id)


@pytest.mark.spec("B-01", "B-03", "B-05", "B-07", "B-09", "B-11", "B-16", "G-01", "G-05")
async def test_a_batch_is_created_set_up_and_listed(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        assert (batch.status, batch.total_task_count, batch.total_task_groups) == ("READY", 2, 2)
        assert batch.task_details is not None
        assert (batch.name, to_payload(batch.task_details)) == ("Study", to_payload(DETAILS))
        listed = await service.batches.list(running.workspace_id)
        assert batch.id in [item.id for item in listed.results]


async def test_tasks_and_groups_are_listed_by_their_ids(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        tasks, groups = await service.batches.tasks(batch.id), await service.batches.task_groups(batch.id)
        assert (len(set(tasks)), len(set(groups))) == (batch.total_task_count, batch.total_task_groups)


@pytest.mark.spec("B-12", "B-13", "B-15")
async def test_an_update_changes_only_the_fields_that_are_set(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        renamed = await service.batches.update(batch.id, BatchUpdate(name="Renamed"))
        assert (renamed.name, renamed.batch_items) == ("Renamed", batch.batch_items)
        cleared = await service.batches.update(batch.id, BatchUpdate(batch_items=None))
        assert (cleared.name, cleared.batch_items) == ("Renamed", None)


async def test_an_invalid_layout_is_rejected_with_the_path_of_each_item(running: ServiceAddress) -> None:
    request = BatchCreate(
        name="Study", workspace_id=running.workspace_id, task_details=DETAILS, batch_items=LAYOUT
    )
    with pytest.raises(LayoutRejected) as caught:
        async with client_of(running) as service:
            await service.batches.create(request)
    (issue,) = caught.value.issues
    assert (issue.place, issue.type, issue.field) == ((0, 0, 0, 0), "dataset_field", "prompt")


@pytest.mark.spec("G-02")
async def test_setup_without_a_dataset_is_rejected(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        request = BatchCreate(name="Study", workspace_id=running.workspace_id, task_details=DETAILS)
        batch = await service.batches.create(request)
        with pytest.raises(BadRequest):
            await service.batches.set_up(batch.id, BatchSetup())


@pytest.mark.spec("R-01", "R-02")
async def test_a_participant_answers_and_every_answer_arrives(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        (page,) = await answer_all_pages(service, batch.id)
        assert (page.step, page.steps, len(page.instructions)) == (0, 1, 3)
        records = list(await service.batches.responses(batch.id))
        answers = {record.response.type: record.response.answer for record in records}
        assert answers["free_text"] == ({"value": "Because\nof ü"},)
        assert answers["multiple_choice"] == ({"value": 1}, {"value": False})
        (file,) = answers["file_upload"]
        assert isinstance(file, dict)
        assert (file["file_name"], file["content_type"]) == ("proof ü.txt", "text/plain")
        assert {record.participant_id for record in records} == {simulated_participant(7, 0)}
        report = await service.batches.report(batch.id)
        await download(service, report.url, tmp_path / "report.csv")
    with (tmp_path / "report.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    assert len(rows) == 1 + 2 * 3
    assert any("First,\nwith a break" in row for row in rows)
    assert any("Because\nof ü" in row for row in rows)


@pytest.mark.spec("R-04", "R-05", "R-08", "R-09", "R-10")
async def test_an_export_is_created_and_downloaded(
    running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        await answer_all_pages(service, batch.id)
        started = await service.exports.start(batch.id)
        export_id = started.export_id or ""
        export = await poll_until_settled(lambda: service.exports.get(batch.id, export_id))
        transfer = await download(service, export.url or "", tmp_path / "export.zip")
        assert transfer.size == (tmp_path / "export.zip").stat().st_size
        again = await service.exports.start(batch.id)
        assert (again.status, bool(again.url)) == ("complete", True)
        with pytest.raises(NotFound):
            await service.exports.get(batch.id, "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert archive.testzip() is None
        (line,) = archive.read("responses-by-submission.jsonl").splitlines()
        assert len(json.loads(line)["responses"]) == 3


@pytest.mark.spec("F-01", "F-02", "F-03", "F-08", "F-09")
async def test_feedback_is_sent_in_two_steps(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        address = await service.feedback.upload_url("of the study.csv", running.workspace_id)
        assert address.http_method == "PUT"
        assert address.expires_at is not None
        transfer = await service.transfers.upload(data, address.upload_url)
        assert transfer.size == len(CSV.encode())


@pytest.mark.spec("F-06", "E-01")
@pytest.mark.parametrize("name", ["x.exe", "csv", ".csv", "a.csv.gz"])
async def test_feedback_of_another_format_is_rejected(name: str, running: ServiceAddress) -> None:
    async with client_of(running) as service:
        assert ".csv, .xls, .xlsx, .json, .txt, .pdf" in (
            await rejection_message(service.feedback.upload_url(name, running.workspace_id), BadRequest, 400)
        )


async def test_each_group_is_assigned_to_the_requested_number_of_participants(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        expected = AnnotatorsPerTask(annotators_per_task=2)
        assert await service.local.set_annotators_per_task(batch.id, expected) == expected
        for number in range(3):
            await answer_all_pages(service, batch.id, number)
        groups = (await service.local.progress(batch.id)).groups
        assert sorted(group.completed for group in groups) == [1, 2]
        await service.local.reset(batch.id)
        groups = (await service.local.progress(batch.id)).groups
        assert [group.completed for group in groups] == [0, 0]
        assert not list(await service.batches.responses(batch.id))


async def test_a_participant_is_turned_away_when_all_groups_are_full(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        for number in range(2):
            await answer_all_pages(service, batch.id, number)
        link = (await service.local.participation(batch.id)).url
        async with ParticipantClient(retries()) as pages:
            assert await pages.start(link, simulated_participant(7, 9)) is NoPage.FULL
            assert await pages.start(link, simulated_participant(7, 0)) in (NoPage.NOTHING_LEFT, NoPage.FULL)
            with pytest.raises(NotFound):
                await pages.start(link.replace("key=", "key=wrong"), simulated_participant(7, 9))


async def test_rejected_answers_are_reported_with_messages(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        link = (await service.local.participation(batch.id)).url
        async with ParticipantClient(retries()) as pages:
            page = await pages.start(link, simulated_participant(7, 0))
            assert isinstance(page, OpenPage)
            with pytest.raises(AnswersRejected) as caught:
                await pages.answer(page, [("i0", "x")])
            assert len(caught.value.problems) == 3
            assert all(caught.value.problems)
            again = await pages.start(link, simulated_participant(7, 0))
            assert again == page


async def test_a_preview_has_a_url_of_the_service(running: ServiceAddress) -> None:
    request = PreviewRequest(batch_items=LAYOUT, page=0, schema=SCHEMA, record={"prompt": "Hello"})
    async with client_of(running) as service:
        preview = await service.local.preview(request)
    assert preview.url.startswith(running.url)


async def test_participants_see_the_questions_of_the_layout(running: ServiceAddress, data: Path) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        (page,) = await answer_all_pages(service, batch.id)
        assert [item["description"] for item in page.instructions] == [
            item["description"] for item in QUESTIONS[1:]
        ]
