"""Asking for a token once in a window, however many wait for it: several files that are sent, say."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from batchwright.local.connections import Connection
from batchwright.local.secrets import KeyringUnavailable


class TokenPrompt(Protocol):
    """Asks the person for a token (`ui.connecting`)."""

    async def __call__(self, connection: Connection, no_ring: KeyringUnavailable | None = None, /) -> bool:
        """Whether there may be one now."""


@dataclass
class _Question:
    """What the person is being asked, and how many wait for the answer."""

    answer: asyncio.Future[bool]
    waiting: int = 0


class CoalescedTokenPrompt:
    """Asks the person, and tells the answer to everybody who asks the same meanwhile.

    A question that nobody waits for any more is taken back.
    """

    def __init__(self, ask: TokenPrompt) -> None:
        self._ask = ask
        self._open: dict[str, _Question] = {}

    async def __call__(self, connection: Connection, no_ring: KeyringUnavailable | None = None, /) -> bool:
        """Whether there may be a token of the connection now."""
        name = connection.name
        question = self._open.get(name)
        if question is None or question.answer.done():
            question = _Question(asyncio.ensure_future(self._ask(connection, no_ring)))
            self._open[name] = question
        question.waiting += 1
        try:
            return await asyncio.shield(question.answer)
        finally:
            question.waiting -= 1
            if not question.waiting:
                if self._open.get(name) is question:
                    del self._open[name]
                question.answer.cancel()
                await asyncio.wait([question.answer])
