"""Simultaneous requests for a token share one prompt."""

import asyncio

import pytest

from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.token_prompt import CoalescedTokenPrompt

pytestmark = pytest.mark.gui


async def test_a_request_after_the_prompt_was_answered_prompts_again() -> None:
    requests: list[Connection] = []
    late: list[asyncio.Task[bool]] = []

    async def ask(connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
        requests.append(connection)
        if len(requests) == 1:  # it runs before those who wait for the first answer
            late.append(asyncio.create_task(once(THIS_COMPUTER)))
        return len(requests) > 1

    once = CoalescedTokenPrompt(ask)
    assert not any(await asyncio.gather(once(THIS_COMPUTER), once(THIS_COMPUTER)))
    assert await late[0]
    assert len(requests) == 2
    assert await once(THIS_COMPUTER)
    assert len(requests) == 3
