"""Connections as people meet them: a new one is checked before it is kept, a token asked for when needed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.api.addresses import base_address
from batchwright.api.connection import connect
from batchwright.api.errors import ApiError, BadAddress
from batchwright.local.connections import HOSTED_URL, THIS_COMPUTER, Connection, Connections
from batchwright.local.secrets import NoKeyRing
from batchwright.ui.sign_in import Fault, Given, SignIn
from batchwright.wire.users import User
from batchwright.words import _
from batchwright.workflows.messages import describe


class KeepsTokens(Protocol):
    """What signs in and out (`workflows.benches`)."""

    async def sign_in(self, name: str, token: str, *, is_kept: bool) -> None:
        """Use a token from now on."""

    async def sign_out(self, name: str) -> None:
        """Forget a token."""


Check = Callable[[str, str], Awaitable[User]]
"""Asks the service at an address whose token this is."""


async def whose_token(url: str, token: str) -> User:
    """The owner of a token.

    Raises:
        ApiError: address or token are not accepted, or the service does not answer.
    """
    async with await asyncio.to_thread(connect, url, token) as service:
        return await service.account.check()


class Connecting(QObject):
    """The list of connections, and the dialogs that add to it and sign in."""

    changed = Signal()

    def __init__(
        self, host: QWidget, connections: Connections, tokens: KeepsTokens, check: Check = whose_token
    ) -> None:
        super().__init__(host)
        self._host, self._connections, self._tokens, self._check = host, connections, tokens, check
        self._all: tuple[Connection, ...] = (THIS_COMPUTER,)

    @property
    def all(self) -> tuple[Connection, ...]:
        """The connections, as `look_again` found them; this computer first."""
        return self._all

    async def look_again(self) -> None:
        """Read the list."""
        found = await asyncio.to_thread(self._connections.all)
        if found != self._all:
            self._all = found
            self.changed.emit()

    async def find(self, name: str) -> Connection:
        """The connection of a name.

        Raises:
            KeyError: there is none.
        """
        await self.look_again()
        return {one.name: one for one in self._all}[name]

    async def add(self) -> Connection | None:
        """Ask for a new connection, check it, keep it; None when the person gave up."""
        given, fault = Given(url=HOSTED_URL), None
        while (asked := await self._ask(given, fault, is_new=True)) is not None:
            given = asked
            fault = await self._fault_of(given) or await self._sign_in(given)
            if fault is None:
                connection = Connection(given.name, given.url, given.workspace_id)
                await asyncio.to_thread(self._connections.add, connection)
                await self.look_again()
                return connection
            given = _without_ring(given, fault)
        return None

    async def sign_in(self, connection: Connection) -> bool:
        """Ask for the token of a connection; False when the person gave up."""
        given = Given(connection.name, connection.url, connection.workspace_id)
        fault: Fault | None = None
        while (asked := await self._ask(given, fault, is_new=False)) is not None:
            fault = await self._sign_in(asked)
            if fault is None:
                return True
            given = _without_ring(asked, fault)
        return False

    async def remove(self, connection: Connection) -> None:
        """Forget a connection and its token.

        Raises:
            NoKeyRing: the key ring that may hold the token cannot be used; the connection stays.
        """
        await self._tokens.sign_out(connection.name)
        await asyncio.to_thread(self._connections.remove, connection.name)
        await self.look_again()

    async def _ask(self, given: Given, fault: Fault | None, *, is_new: bool) -> Given | None:
        dialog = SignIn(given, fault, is_new=is_new)
        await dialog.ask(self._host)
        return dialog.taken

    async def _fault_of(self, given: Given) -> Fault | None:
        """What is wrong with a new connection that can be seen from here."""
        await self.look_again()
        if given.name in {one.name for one in self._all}:
            return Fault("name", _("There is a connection of this name already. Choose another."))
        try:
            base_address(given.url)
        except BadAddress:
            return Fault("url", _("This is no address of a service. It begins with https://."))
        return None

    async def _sign_in(self, given: Given) -> Fault | None:
        try:
            await self._check(given.url, given.token)
            await self._tokens.sign_in(given.name, given.token, is_kept=given.is_kept)
        except NoKeyRing as error:
            return Fault("is_kept", str(describe(error)))
        except ApiError as error:
            return Fault("token", str(describe(error)))
        return None


def _without_ring(given: Given, fault: Fault) -> Given:
    return replace(given, is_kept=False) if fault.field == "is_kept" else given
