"""V4 datasets: records, accepted files, and the result of each import (wire reference, 4.1 to 4.6)."""

from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, FeatureOff
from batchwright.service.process import ServiceAddress
from batchwright.wire.datasets import Dataset, DatasetCreate, SchemaUpdate
from batchwright.wire.imports import ImportJob, ImportStatus
from tests.api.error_responses import rejection_message
from tests.api.studies import SCHEMA, client_of, import_file, poll_until_settled, send_file

EVERY_TYPE: dict[str, Any] = {
    "strict": False,
    "fields": {
        "prompt": {"type": "text", "label": "Prömpt"},
        "photo": {"type": "image_url"},
        "clip": {"type": "audio_url"},
        "film": {"type": "video_url", "label": None},
        "source": {"type": "metadata"},
        "session": {"type": "task_group_id"},
    },
    "unknown": [1, 1.0, True],
}


def write_file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def v4_dataset(
    service: ApiClient, workspace_id: str, schema: dict[str, Any] | None = SCHEMA
) -> Dataset:
    return await service.datasets.create(
        DatasetCreate(name="Prompts", workspace_id=workspace_id, schema=schema)
    )


async def import_result(running: ServiceAddress, path: Path) -> ImportJob:
    """The import of a file into a new dataset, after it ended."""

    async with client_of(running) as service:
        dataset = await v4_dataset(service, running.workspace_id)
        return await import_file(service, dataset.id, path)


@pytest.mark.spec("D-04", "D-06")
async def test_a_dataset_is_returned_with_its_schema(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        created = await v4_dataset(service, running.workspace_id, EVERY_TYPE)
        result = await service.datasets.get(created.id)
        assert result == created
        assert (result.is_v4, result.name, result.workspace_id) == (True, "Prompts", running.workspace_id)
        assert result.schema_ == EVERY_TYPE
        assert (result.schema_version, result.imports, result.status) == (1, (), None)


@pytest.mark.spec("D-03")
@pytest.mark.parametrize("schema", [SCHEMA, None])
async def test_a_v4_dataset_needs_the_feature_and_a_v3_one_does_not(
    schema: dict[str, Any] | None, account_without_features: ServiceAddress
) -> None:
    workspace_id = account_without_features.workspace_id

    async with client_of(account_without_features) as service:
        messages = await rejection_message(v4_dataset(service, workspace_id, schema), FeatureOff, 404)
        assert "The workspace does not have this feature" in messages
        old = await service.datasets.create(DatasetCreate(name="Old", workspace_id=workspace_id))
        assert not old.is_v4


@pytest.mark.spec("D-07")
async def test_a_dataset_lists_all_its_imports_with_the_newest_first(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        dataset = await v4_dataset(service, running.workspace_id)
        first = await import_file(service, dataset.id, write_file(tmp_path, "a.csv", "prompt\none\n"))
        second = await import_file(
            service, dataset.id, write_file(tmp_path, "b.jsonl", '{"prompt": 2}\n{}\n')
        )
        unused = await service.datasets.upload_url(dataset.id, "c.csv")
        imports = (await service.datasets.get(dataset.id)).imports or ()
        assert [job.import_id for job in imports] == [unused.import_id, second.import_id, first.import_id]
        assert imports[1:] == (second, first)
        assert [job.status for job in imports] == ["uninitialised", "partial", "complete"]


@pytest.mark.spec("D-14")
async def test_files_of_a_dataset_without_a_schema_are_imported_once_it_has_one(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        dataset = await v4_dataset(service, running.workspace_id, None)
        assert (dataset.is_v4, dataset.schema_, dataset.schema_version) == (True, None, 0)
        pending = await import_file(service, dataset.id, write_file(tmp_path, "a.csv", "prompt\none\n"))
        assert (pending.status, pending.settled) == (ImportStatus.PENDING_SCHEMA, True)
        await service.datasets.update_schema(dataset.id, SchemaUpdate(schema=SCHEMA))
        imported = await poll_until_settled(
            lambda: service.datasets.import_job(dataset.id, pending.import_id)
        )
        assert (imported.status, imported.accepted_count) == (ImportStatus.COMPLETE, 1)


@pytest.mark.spec("D-15")
async def test_the_status_of_a_v4_dataset_is_rejected_and_refers_to_imports(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset = await v4_dataset(service, running.workspace_id)
        assert "import" in await rejection_message(service.datasets.status(dataset.id), BadRequest, 400)


@pytest.mark.spec("I-04")
@pytest.mark.parametrize(
    ("name", "text", "content_type"),
    [
        ("prompts.csv", "prompt\none\ntwo\n", "text/csv"),
        ("prompts.jsonl", '{"prompt": "one"}\n\n{"prompt": "two"}\n', "application/x-ndjson"),
        ("ünï & 100%.JSONL", '{"prompt": "one"}\n{"prompt": "two"}', "application/x-ndjson"),
    ],
)
async def test_csv_and_jsonl_files_are_accepted(
    name: str, text: str, content_type: str, running: ServiceAddress, tmp_path: Path
) -> None:
    async with client_of(running) as service:
        dataset = await v4_dataset(service, running.workspace_id)
        address = await send_file(service, dataset.id, write_file(tmp_path, name, text))
        assert address.content_type == content_type
        job = await poll_until_settled(
            lambda: service.datasets.import_job(dataset.id, address.import_id or "")
        )
        assert (job.status, job.accepted_count, job.filename) == (ImportStatus.COMPLETE, 2, name)
        assert (job.rejected_count, job.errors, job.reason) == (None, None, None)


@pytest.mark.spec("I-13", "I-14")
async def test_a_partial_import_counts_and_lists_rejected_records(
    running: ServiceAddress, tmp_path: Path
) -> None:
    lines = '{"prompt": "one"}\n{"other": 1}\nnonsense\n{"prompt": "two"}\n'
    job = await import_result(running, write_file(tmp_path, "prompts.jsonl", lines))
    assert (job.status, job.accepted_count, job.rejected_count) == (ImportStatus.PARTIAL, 2, 2)
    assert [(item.record_index, item.field) for item in job.errors or ()] == [(1, "prompt"), (2, "_raw")]
    assert all(item.reason for item in job.errors or ())
    assert job.reason is None


@pytest.mark.spec("I-15")
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("prompts.csv", "", "empty"), ("prompts.csv", "prompt,prompt\n1,2\n", "more than once")],
)
async def test_a_failed_import_has_a_reason(
    name: str, text: str, expected: str, running: ServiceAddress, tmp_path: Path
) -> None:
    job = await import_result(running, write_file(tmp_path, name, text))
    assert (job.status, job.settled) == (ImportStatus.FAILED, True)
    assert expected in (job.reason or "")
    assert (job.accepted_count, job.rejected_count, job.errors) == (None, None, None)
