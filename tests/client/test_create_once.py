"""Copies, collections and test participants are created once, also if the response is lost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from batchwright.api.http.errors import BadRequest, OutcomeUnknown
from batchwright.local.id_registry import RemoteKind
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch
from batchwright.wire.collections import CollectionCreate
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.create_batch import duplicate
from batchwright.workflows.publishing.publish_collection import create_collection
from batchwright.workflows.rehearsal.create_test_participant import (
    ParticipantCreationUnknown,
    create_test_participant,
)
from tests.api.requests import TOKEN
from tests.api.studies import DETAILS
from tests.fakes.failing_server import BAD_GATEWAY, INVALID_JSON, SERVER_ERROR, FailingServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import WORKSPACE, RecordedMessages, ScriptedReplies, context_at

SOURCE, COPY, OLDER = (f"0193a7c0-000{n}-7020-8a1b-4c5d6e7f0020" for n in (1, 2, 3))
LOST = [SERVER_ERROR, BAD_GATEWAY, INVALID_JSON]
COLLECTION = CollectionCreate.model_validate(
    {
        "name": "Vocabulary",
        "workspace_id": WORKSPACE,
        "task_details": DETAILS,
        "collection_items": [{"page_items": [{"type": "free_text", "description": "Why?", "order": 0}]}],
    }
)


def batch(id: str, name: str) -> dict[str, Any]:
    return {"id": id, "name": name, "status": "UNINITIALISED", "workspace_id": WORKSPACE}


def listed(*entries: dict[str, Any]) -> FakeResponse:
    return FakeResponse.from_json({"results": entries, "meta": {"count": len(entries)}})


async def copied(
    folder: Path, lists: Sequence[FakeResponse], answers: Sequence[FakeResponse], messages: RecordedMessages
) -> tuple[Batch, int]:
    """Duplicate a batch with these responses; the copy, and the number of requests that create one."""
    lines = {"GET /api/v1/data-collection/batches": lists, "POST": answers}
    with FailingServer([], ScriptedReplies(lines)) as server:
        source = Batch.model_validate(batch(SOURCE, "Study"))
        async with context_at(folder, server.url, messages=messages) as context:
            created = await duplicate(context, source, "Mine", with_dataset=True)
    return created, sum(request.line.startswith(b"POST") for request in server.arrived)


BEFORE = listed(batch(OLDER, "Mine"), batch(SOURCE, "Study"))
AFTER = listed(batch(COPY, "Mine"), batch(OLDER, "Mine"), batch(SOURCE, "Study"))


@pytest.mark.parametrize("lost", LOST)
async def test_a_copy_whose_response_was_lost_is_identified_among_older_ones_of_its_name(
    lost: FakeResponse, tmp_path: Path
) -> None:
    created, requests = await copied(tmp_path, [BEFORE, AFTER], [lost], messages := RecordedMessages())
    assert (created.id, requests) == (COPY, 1)
    assert (RemoteKind.BATCH, COPY) in messages.created
    assert messages == ["The response was lost; checking whether it was created."]


async def test_a_copy_that_was_not_created_is_requested_again(tmp_path: Path) -> None:
    answers = [SERVER_ERROR, FakeResponse.from_json(batch(COPY, "Mine"), 201)]
    assert (await copied(tmp_path, [BEFORE], answers, RecordedMessages()))[1] == 2


async def test_if_two_may_be_the_copy_or_two_responses_are_lost_the_outcome_is_unknown(
    tmp_path: Path,
) -> None:
    both = listed(batch(COPY, "Mine"), batch(OLDER, "Mine"))
    for lists in ([listed(), both], [listed()]):
        with pytest.raises(OutcomeUnknown) as caught:
            await copied(tmp_path, lists, [SERVER_ERROR], RecordedMessages())
        assert "Check whether it exists" in describe(caught.value).remedy


@pytest.mark.parametrize("form", [{"item_count": 1}, {}])
async def test_a_collection_whose_response_was_lost_is_identified_in_the_list_and_fetched_completely(
    form: dict[str, int], tmp_path: Path
) -> None:
    entry = {"id": COPY, "name": "Vocabulary", "workspace_id": WORKSPACE, **form}
    others = [{**entry, "id": OLDER, "name": "Other"}, {**entry, "id": SOURCE, "item_count": 2}]
    path = "GET /api/v1/data-collection/collections"
    complete = FakeResponse.from_json({**entry, "collection_items": [{"id": OLDER, "page_items": []}]})
    lines = {f"{path}/": [complete], path: [listed(), listed(*others, entry)], "POST": [SERVER_ERROR]}
    with FailingServer([], ScriptedReplies(lines)) as server:
        async with context_at(tmp_path, server.url, messages=(messages := RecordedMessages())) as context:
            created = await create_collection(context, COLLECTION)
    assert (created.id, created.page_count) == (COPY, 1)
    assert (RemoteKind.COLLECTION, COPY) in messages.created
    assert sum(request.line.startswith(b"POST") for request in server.arrived) == 1


@pytest.mark.spec("C-03")
async def test_a_collection_is_created_at_the_real_service(running: ServiceAddress, tmp_path: Path) -> None:
    expected = COLLECTION.model_copy(update={"workspace_id": running.workspace_id})
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        created = await create_collection(context, expected)
    assert created.page_count == 1


async def test_a_test_participant_whose_response_was_lost_is_not_requested_again_automatically(
    tmp_path: Path,
) -> None:
    with (
        FailingServer([], ScriptedReplies({"POST": [SERVER_ERROR]})) as server,
        pytest.raises(ParticipantCreationUnknown) as caught,
    ):
        async with context_at(tmp_path, server.url) as context:
            await create_test_participant(context, "a@b.example")
    assert len(server.arrived) == 1
    assert "Try again" in describe(caught.value).remedy
    assert TOKEN not in str(caught.value)


async def test_the_id_of_a_test_participant_is_reported_and_a_taken_address_rejected(
    running: ServiceAddress, tmp_path: Path
) -> None:
    email = f"tester+{uuid4().hex}@example.org"

    messages = RecordedMessages()
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        created = await create_test_participant(context, email)
        with pytest.raises(BadRequest):
            await create_test_participant(context, email)
    assert messages == [f"Created the test participant {created} for {email}."]
