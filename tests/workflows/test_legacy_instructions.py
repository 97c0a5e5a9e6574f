"""Legacy instructions are read and replaced, and their end of support is reported with its date."""

from pathlib import Path

import pytest

from batchwright.api.errors import Gone
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchCreate
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionsWrite
from batchwright.workflows.legacy_instructions import read_instructions, replace_instructions, sunset_notice
from batchwright.workflows.messages import describe
from tests.api.studies import DETAILS
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import RecordedMessages, run_with_context

INSTRUCTIONS = InstructionsWrite.model_validate(
    {"instructions": [{"type": "free_text", "description": "Why?"}]}
)


@pytest.mark.spec("H-07", "N-01", "N-03")
def test_each_call_reports_the_end_of_support_and_the_replacement(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def work(context: WorkflowContext) -> list[str]:
        request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
        batch = await context.service.batches.create(request)
        written = await replace_instructions(context, batch.id, INSTRUCTIONS)
        assert await read_instructions(context, batch.id) == written
        return [item.description for item in written]

    messages = RecordedMessages()
    text = run_with_context(
        tmp_path, running.url, work, token=running.token, workspace=running.workspace_id, messages=messages
    )
    assert text == ["Why?"]
    assert len(messages) == 2
    assert all("2026-09-01" in sentence and "batch_items" in sentence for sentence in messages)


def test_instructions_that_someone_else_changed_meanwhile_are_not_replaced(
    running: ServiceAddress, tmp_path: Path
) -> None:
    async def work(context: WorkflowContext) -> None:
        request = BatchCreate(name="Old", workspace_id=context.workspace_id, task_details=DETAILS)
        batch = await context.service.batches.create(request)
        registered = await read_instructions(context, batch.id)
        theirs = await replace_instructions(context, batch.id, INSTRUCTIONS, registered)
        with pytest.raises(ChangedMeanwhile) as caught:
            await replace_instructions(context, batch.id, INSTRUCTIONS, registered)
        assert "The instructions of this batch changed" in describe(caught.value).what
        assert await read_instructions(context, batch.id) == theirs

    run_with_context(tmp_path, running.url, work, token=running.token, workspace=running.workspace_id)


def test_the_end_of_support_is_reported_without_a_date() -> None:
    assert "batch_items" in sunset_notice(Deprecation())


@pytest.mark.spec("H-07")
@pytest.mark.parametrize("status", [404, 410])
def test_removed_instructions_are_reported_with_their_replacement(status: int, tmp_path: Path) -> None:
    with EchoServer(FakeResponse(status, b"", {})) as server, pytest.raises(Gone) as caught:
        run_with_context(tmp_path, server.url, lambda context: read_instructions(context, "b1"))
    message = describe(caught.value)
    assert "instructions of batch b1" in message.what
    assert "batch_items" in message.remedy
