"""Switching auto-sync changes nothing else, and is repeated if the response is lost."""

from pathlib import Path

import pytest

from batchwright.base.json_values import parse
from batchwright.workflows.publishing.sync import set_auto_sync
from tests.fakes.failing_server import BAD_GATEWAY, INVALID_JSON, SERVER_ERROR, FailingServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import ScriptedReplies, context_at

BATCH = "0193a7c0-0001-7020-8a1b-4c5d6e7f0020"


@pytest.mark.spec("Y-09")
@pytest.mark.parametrize("lost", [SERVER_ERROR, BAD_GATEWAY, INVALID_JSON])
@pytest.mark.parametrize("is_on", [True, False])
async def test_only_auto_sync_is_sent_again_when_the_response_is_lost(
    lost: FakeResponse, is_on: bool, tmp_path: Path
) -> None:
    batch = {"id": BATCH, "status": "READY", "auto_sync_enabled": is_on}
    with FailingServer([], ScriptedReplies({"PATCH": [lost, FakeResponse.from_json(batch)]})) as server:
        async with context_at(tmp_path, server.url) as context:
            changed = await set_auto_sync(context, BATCH, is_on=is_on)
    assert changed.auto_sync_enabled is is_on
    assert [parse(request.body) for request in server.arrived] == [{"auto_sync_enabled": is_on}] * 2
