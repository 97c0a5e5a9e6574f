"""Legacy instructions are read and replaced, and their end of support is reported with its date."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from batchwright.api.http.errors import Gone, OutcomeUnknown
from batchwright.api.resources.instructions import LegacyInstructions
from batchwright.base.json_values import JsonObject
from batchwright.client.errors import ChangedMeanwhile
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.messages import describe
from batchwright.workflows.publishing.legacy_instructions import (
    read_instructions,
    replace_instructions,
    sunset_notice,
)
from tests.api.studies import DETAILS
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import SERVER_ERROR, FailingServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at

QUESTION: JsonObject = {"type": "free_text", "description": "Why?"}
NEW: JsonObject = {"type": "free_text", "description": "What else?"}
INSTRUCTIONS = InstructionsWrite.model_validate({"instructions": [QUESTION]})
THEIRS = InstructionsWrite.model_validate(
    {"instructions": [{"type": "free_text", "description": "What do others say?"}]}
)


def with_new(existing: Sequence[InstructionRecord]) -> InstructionsWrite:
    """A request with the existing instructions and a new one."""
    return InstructionsWrite.model_validate({"instructions": [*(record.item for record in existing), NEW]})


@pytest.mark.spec("H-07", "N-01", "N-03")
async def test_each_call_reports_the_end_of_support_and_the_replacement(
    running: ServiceAddress, tmp_path: Path
) -> None:
    messages = RecordedMessages()
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id, messages=messages
    ) as context:
        request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
        batch = await context.service.batches.create(request)
        written = await replace_instructions(context, batch.id, INSTRUCTIONS)
        assert await read_instructions(context, batch.id) == written
        text = [item.description for item in written]
    assert text == ["Why?"]
    assert len(messages) == 2
    assert all("2026-09-01" in sentence and "batch_items" in sentence for sentence in messages)


async def test_instructions_that_someone_else_changed_meanwhile_are_not_replaced(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
        batch = await context.service.batches.create(request)
        registered = await read_instructions(context, batch.id)
        theirs = await replace_instructions(context, batch.id, INSTRUCTIONS, registered)
        with pytest.raises(ChangedMeanwhile) as caught:
            await replace_instructions(context, batch.id, INSTRUCTIONS, registered)
        assert "The instructions of this batch changed" in describe(caught.value).what
        assert await read_instructions(context, batch.id) == theirs


async def test_new_instructions_are_appended_and_do_not_replace_those_of_others(
    running: ServiceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
        batch = await context.service.batches.create(request)
        existing = await replace_instructions(context, batch.id, INSTRUCTIONS, ())
        add = context.service.instructions.add

        async def add_after_another_client(batch_id: str, new: InstructionsWrite) -> LegacyInstructions:
            await add(batch_id, THEIRS)
            return await add(batch_id, new)

        monkeypatch.setattr(context.service.instructions, "add", add_after_another_client)
        saved = await replace_instructions(context, batch.id, with_new(existing), existing)
        assert [item.description for item in saved] == ["Why?", "What else?"]
        stored = await read_instructions(context, batch.id)
        assert [item.description for item in stored] == ["Why?", "What do others say?", "What else?"]
        assert stored[0] == existing[0]


@pytest.mark.parametrize("is_stored", [True, False])
async def test_an_append_whose_response_was_lost_is_looked_up(tmp_path: Path, *, is_stored: bool) -> None:
    before = FakeResponse.from_json([{"id": "i1", **QUESTION}])
    after = FakeResponse.from_json([{"id": "i1", **QUESTION}, {"id": "i2", **NEW}])
    replies = {"GET": [before, after if is_stored else before], "POST": [SERVER_ERROR]}

    existing = (InstructionRecord.model_validate({"id": "i1", **QUESTION}),)
    with FailingServer([], ScriptedReplies(replies)) as server:
        async with context_at(tmp_path, server.url) as context:
            replaced = replace_instructions(context, "b", with_new(existing), existing)
            if is_stored:
                assert [item.id for item in await replaced] == ["i1", "i2"]
            else:
                with pytest.raises(OutcomeUnknown):
                    await replaced
    assert sum(request.line.startswith(b"POST") for request in server.arrived) == 1


def test_the_end_of_support_is_reported_without_a_date() -> None:
    assert "batch_items" in sunset_notice(Deprecation())
    assert "V3 data cannot be shown in one" in sunset_notice(Deprecation())


@pytest.mark.spec("H-07")
@pytest.mark.parametrize("status", [404, 410])
async def test_removed_instructions_are_reported_with_their_replacement(status: int, tmp_path: Path) -> None:
    with EchoServer(FakeResponse(status, b"", {})) as server, pytest.raises(Gone) as caught:
        async with context_at(tmp_path, server.url) as context:
            await read_instructions(context, "b1")
    message = describe(caught.value)
    assert "instructions of batch b1" in message.what
    assert "batch_items" in message.remedy
