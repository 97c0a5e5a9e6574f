"""One prompt for a token per connection, shared by all operations of a window that need it."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from batchwright.local.connections import Connection
from batchwright.local.secrets import KeyringUnavailable


class TokenPrompt(Protocol):
    """Asks the user for a token (`ConnectionsController.sign_in`)."""

    async def __call__(
        self, connection: Connection, keyring_error: KeyringUnavailable | None = None, /
    ) -> bool:
        """Whether a token may be available now."""


@dataclass
class _Question:
    """An open prompt and the number of operations that wait for it."""

    answer: asyncio.Future[bool]
    waiting: int = 0


class CoalescedTokenPrompt:
    """Shows one prompt per connection and shares its result with all callers.

    The prompt is closed when no caller waits for it any more.
    """

    def __init__(self, prompt: TokenPrompt) -> None:
        self._prompt = prompt
        self._open: dict[str, _Question] = {}

    async def __call__(
        self, connection: Connection, keyring_error: KeyringUnavailable | None = None, /
    ) -> bool:
        """Whether a token of the connection may be available now."""
        name = connection.name
        prompt = self._open.get(name)
        if prompt is None or prompt.answer.done():
            prompt = _Question(asyncio.ensure_future(self._prompt(connection, keyring_error)))
            self._open[name] = prompt
        prompt.waiting += 1
        try:
            return await asyncio.shield(prompt.answer)
        finally:
            prompt.waiting -= 1
            if not prompt.waiting:
                if self._open.get(name) is prompt:
                    del self._open[name]
                prompt.answer.cancel()
                await asyncio.wait([prompt.answer])
