"""The deprecated instructions of legacy batches (wire reference, 9)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.client import ApiClient
from batchwright.api.http.errors import BadRequest, NotFound
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch, BatchCreate
from batchwright.wire.instructions import InstructionsWrite
from tests.api.error_responses import UNKNOWN_ID, rejection_message
from tests.api.studies import DETAILS, QUESTIONS, client_of, set_up
from tests.samples.each_type import BETTER, DURATION, UPLOAD, WHY

EXPLAINED: dict[str, Any] = {
    "type": "multiple_choice_with_free_text",
    "description": "What is wrong?",
    "answer_limit": -1,
    "options": [{"label": "Facts", "value": "facts", "heading": "Which?"}],
}


def request(*entries: Mapping[str, Any]) -> InstructionsWrite:
    """A request for these instructions."""
    return InstructionsWrite.model_validate({"instructions": entries})


async def legacy_batch(service: ApiClient, workspace_id: str) -> Batch:
    """A batch without a layout."""
    bare = BatchCreate(name="Legacy", workspace_id=workspace_id, task_details=DETAILS)
    return await service.batches.create(bare)


@pytest.mark.spec("N-01", "N-02", "N-04")
async def test_instructions_of_every_type_are_added_and_listed_with_ids(running: ServiceAddress) -> None:
    requested = [BETTER, EXPLAINED, WHY, DURATION, UPLOAD]

    async with client_of(running) as service:
        batch = await legacy_batch(service, running.workspace_id)
        first = await service.instructions.add(batch.id, request(*requested[:2]))
        later = await service.instructions.add(batch.id, request(*requested[2:]))
        listed = await service.instructions.list(batch.id)
        assert listed.records == (*first.records, *later.records)
        assert len({record.id for record in listed.records if record.id}) == len(requested)
        for sent, record in zip(requested, listed.records, strict=True):
            assert record.item == {**sent, "id": record.id}
            assert record.batch == batch.id
        assert (await service.batches.get(batch.id)).total_instruction_count == len(requested)


@pytest.mark.spec("N-03", "N-04", "N-08")
async def test_instructions_sent_with_their_id_keep_it(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        batch = await legacy_batch(service, running.workspace_id)
        deleted, old = (await service.instructions.add(batch.id, request(WHY, BETTER))).records
        changed = {**old.item, "description": "Which one?"}
        replaced = await service.instructions.replace(batch.id, request(UPLOAD, changed))
        new, retained = replaced.records
        assert retained.item == changed
        assert (retained.id, retained.created_at) == (old.id, old.created_at)
        assert new.id not in {deleted.id, old.id}
        assert await service.instructions.list(batch.id) == replaced


@pytest.mark.spec("H-07")
async def test_every_response_about_instructions_names_the_end_of_support(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        batch = await legacy_batch(service, running.workspace_id)
        for answer in (
            await service.instructions.add(batch.id, request(WHY)),
            await service.instructions.replace(batch.id, request(WHY)),
            await service.instructions.list(batch.id),
        ):
            assert answer.deprecation is not None
            assert str(answer.deprecation.sunset) == "2026-09-01 23:59:59+00:00"


@pytest.mark.spec("N-10")
async def test_instructions_for_a_batch_with_a_layout_are_rejected_and_refer_to_batch_items(
    running: ServiceAddress, data: Path
) -> None:
    async with client_of(running) as service:
        batch = await set_up(service, running.workspace_id, data)
        for call in (service.instructions.add, service.instructions.replace):
            with pytest.raises(BadRequest) as caught:
                await call(batch.id, request(WHY))
            assert caught.value.response.deprecation is not None
            assert "batch_items" in await rejection_message(call(batch.id, request(WHY)), BadRequest, 422)
        requested = await service.instructions.list(batch.id)
        assert [item.type for item in requested.records] == [item["type"] for item in QUESTIONS[1:]]


async def test_instructions_of_an_unknown_batch_are_not_found(running: ServiceAddress) -> None:
    async with client_of(running) as service:
        messages = await rejection_message(service.instructions.list(UNKNOWN_ID), NotFound, 400)
        assert messages == f"There is no list of instructions of batch {UNKNOWN_ID} for this token."
