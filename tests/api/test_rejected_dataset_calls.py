"""Rejected requests about datasets: the error class and the message of each."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, Forbidden, NotFound
from batchwright.service.process import ServiceAddress
from batchwright.wire.account import ParticipantCreate
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.datasets import DatasetCreate, SchemaUpdate
from batchwright.wire.error_parsing import ErrorKind
from batchwright.workflows.messages import describe
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.studies import SCHEMA, client_of

Call = Callable[[ApiClient, str], Awaitable[object]]


async def create_dataset(service: ApiClient, workspace_id: str, **schema: Any) -> str:
    """Create a dataset, a V3 one without `schema`; its id."""
    request = DatasetCreate(name="Prompts", workspace_id=workspace_id, **schema)
    return (await service.datasets.create(request)).id


def get(service: ApiClient, dataset_id: str) -> Awaitable[object]:
    return service.datasets.get(dataset_id)


def change_schema(service: ApiClient, dataset_id: str) -> Awaitable[object]:
    return service.datasets.update_schema(dataset_id, SchemaUpdate(schema=SCHEMA))


def request_upload_url(service: ApiClient, dataset_id: str) -> Awaitable[object]:
    return service.datasets.upload_url(dataset_id, "prompts.csv")


def append(service: ApiClient, dataset_id: str) -> Awaitable[object]:
    return service.datasets.append(dataset_id, JsonLinesBody(b'{"prompt": "one"}\n'))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(get, marks=pytest.mark.spec("D-05")),
        pytest.param(change_schema, marks=pytest.mark.spec("D-20")),
        pytest.param(request_upload_url, marks=pytest.mark.spec("I-07")),
        pytest.param(append, marks=pytest.mark.spec("AP-15")),
    ],
)
@pytest.mark.parametrize("dataset_id", [UNKNOWN_ID, "no id", "../batches", "%00"])
async def test_an_unknown_dataset_is_reported_with_its_id(
    call: Call, dataset_id: str, running: ServiceAddress
) -> None:
    async with client_of(running) as service:
        messages = await rejection_message(call(service, dataset_id), NotFound, 404)
    assert messages == f"There is no dataset {dataset_id} for this token."


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(change_schema, marks=pytest.mark.spec("D-19")),
        pytest.param(request_upload_url, marks=pytest.mark.spec("I-06")),
        pytest.param(append, marks=pytest.mark.spec("AP-14")),
    ],
)
async def test_a_dataset_of_others_is_reported_as_missing_access(
    call: Call, running: ServiceAddress, other_account: ServiceAddress
) -> None:
    async with client_of(running) as service:
        dataset_id = await create_dataset(service, running.workspace_id, schema=SCHEMA)
    async with client_of(other_account) as service:
        messages = await rejection_message(call(service, dataset_id), Forbidden, 403)
    assert "This token has no access to the workspace" in messages
    async with client_of(running) as service:
        unchanged = await service.datasets.get(dataset_id)
    assert (unchanged.schema_version, unchanged.imports, unchanged.total_datapoint_count) == (1, (), 0)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(change_schema, marks=pytest.mark.spec("D-18")),
        pytest.param(append, marks=pytest.mark.spec("AP-13")),
    ],
)
async def test_v4_calls_are_rejected_for_v3_datasets(call: Call, running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset_id = await create_dataset(service, running.workspace_id)
        assert "V3" in await rejection_message(call(service, dataset_id), BadRequest, 400)


@pytest.mark.spec("AP-13")
async def test_an_append_without_a_schema_is_rejected(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        dataset_id = await create_dataset(service, running.workspace_id, schema=None)
        assert "schema" in await rejection_message(append(service, dataset_id), BadRequest, 400)
        assert (await service.datasets.get(dataset_id)).total_datapoint_count == 0


INVALID_CALLS: dict[str, Call] = {
    "a schema without fields": lambda service, dataset_id: service.datasets.update_schema(
        dataset_id, SchemaUpdate(schema={"strict": True, "fields": {}})
    ),
    "no lines": lambda service, dataset_id: service.datasets.append(dataset_id, JsonLinesBody(b"\n")),
    "a file of another type": lambda service, dataset_id: service.datasets.upload_url(dataset_id, "a.zip"),
    "a status": lambda service, dataset_id: service.datasets.status(dataset_id),
    "no e-mail address": lambda service, _: service.participants.create(ParticipantCreate(email="nobody")),
}


@pytest.mark.spec("E-01")
@pytest.mark.parametrize("call", INVALID_CALLS.values(), ids=list(INVALID_CALLS))
async def test_a_400_is_reported_with_the_messages_of_the_service(
    call: Call, running: ServiceAddress
) -> None:
    async with client_of(running) as service:
        dataset_id = await create_dataset(service, running.workspace_id, schema=SCHEMA)
        with pytest.raises(BadRequest) as caught:
            await call(service, dataset_id)
        error = caught.value
    body = json.loads(error.response.raw)["error"]
    assert (error.response.kind, error.status) == (ErrorKind.GENERAL, 400)
    assert (body["status"], body["title"], type(body["error_code"])) == (400, "Bad Request", int)
    detail = body["detail"]
    sentences = [detail] if isinstance(detail, str) else [text for texts in detail.values() for text in texts]
    assert sentences
    assert all(sentence in describe(error).what for sentence in sentences)
