"""Appending records as JSON Lines, and the result for each record (Datasets rule 3; wire reference, 4.8)."""

import json
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.workflows.data.append import append_file
from tests.api.studies import client_of, upload_data
from tests.fakes.faulty_proxy import FaultyProxy
from tests.workflows.contexts import context_at


async def filled_dataset(running: ServiceAddress, data: Path) -> str:
    """A dataset with two records."""
    async with client_of(running) as service:
        return (await upload_data(service, running.workspace_id, data))[0].id


@pytest.mark.spec("AP-02")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("more.jsonl", '\ufeff{"prompt": "ü"}\r\n\r\n  {"prompt": "two\\nlines"}\r\n{"prompt": 3}'),
        ("more.csv", 'prompt\nü\n"two\nlines"\n3\n'),
    ],
)
async def test_records_are_sent_as_one_object_per_line(
    name: str, text: str, running: ServiceAddress, data: Path, tmp_path: Path
) -> None:
    dataset_id = await filled_dataset(running, data)
    path = tmp_path / name
    path.write_bytes(text.encode())
    with FaultyProxy(running.url) as proxy:
        async with context_at(
            tmp_path, proxy.url, token=running.token, workspace=running.workspace_id
        ) as context:
            appended = await append_file(context, dataset_id, path)
        (sent,) = [request for request in proxy.requests if request.call.endswith("/datapoints")]
    assert sent.header(b"content-type") == b"application/x-ndjson"
    records = [json.loads(line) for line in sent.body.splitlines()]
    assert [str(record["prompt"]) for record in records] == ["ü", "two\nlines", "3"]
    assert (appended.accepted, appended.rejected) == (3, 0)


@pytest.mark.spec("AP-01", "AP-08", "AP-09")
async def test_the_result_of_each_record_is_reported(running: ServiceAddress, data: Path) -> None:
    dataset_id = await filled_dataset(running, data)
    lines = JsonLinesBody(b'{"prompt": "Third"}\n\n{"prompt": "Third"}\n{"no": 1}\n')

    async with client_of(running) as service:
        result = await service.datasets.append(dataset_id, lines)
        assert (await service.datasets.get(dataset_id)).total_datapoint_count == 3
    assert (result.accepted, result.rejected) == (2, 1)
    (rejected,) = result.errors
    assert (rejected.record_index, rejected.field, bool(rejected.reason)) == (3, "prompt", True)


@pytest.mark.spec("AP-07")
async def test_an_append_without_accepted_records_succeeds_and_reports_each_rejection(
    running: ServiceAddress, data: Path
) -> None:
    dataset_id = await filled_dataset(running, data)

    async with client_of(running) as service:
        result = await service.datasets.append(dataset_id, JsonLinesBody(b'{}\nnonsense\n{"prompt": null}\n'))
        assert (await service.datasets.get(dataset_id)).total_datapoint_count == 2
    assert (result.accepted, result.rejected) == (0, 3)
    assert [(item.record_index, item.field) for item in result.errors] == [
        (1, "prompt"),
        (2, "_raw"),
        (3, "prompt"),
    ]
    assert all(item.reason for item in result.errors)
