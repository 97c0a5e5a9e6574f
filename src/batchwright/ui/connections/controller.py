"""Connections as people meet them: checked before they are kept, changed, signed in to, and forgotten."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.local.connections import (
    HOSTED_URL,
    THIS_COMPUTER,
    Connection,
    Connections,
    DuplicateName,
    EnvironmentCredentials,
    FieldError,
    NoSuchConnection,
)
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.connections.remove_dialog import RemoveConnectionDialog
from batchwright.ui.connections.sign_in import DialogMode, SignInDialog, SignInInput

if TYPE_CHECKING:  # what asks a service is imported when an account is to be checked
    from batchwright.wire.users import User


class TokenStoreLike(Protocol):
    """What signs in and out (`workflows.benches`)."""

    async def sign_in(self, name: str, token: str, *, is_kept: bool, has_ring: bool = True) -> None:
        """Use a token from now on; an older one is forgotten."""

    async def sign_out(self, name: str, *, is_kept: bool = True) -> None:
        """Forget a token, also in the key ring where it is kept there."""

    async def token(self, name: str) -> str | None:
        """The token of a connection."""

    def is_in_use(self, name: str) -> bool:
        """Whether this run of the program has the token of a connection."""


CheckAccount = Callable[[str, str, str, str], Awaitable["User"]]
"""Asks the service at an address whose token this is, and whether it reaches a workspace.

What is given last is the file of certificates to trust besides the usual ones, empty where there is none.
"""


async def _check_account(url: str, token: str, workspace_id: str, certificates: str) -> "User":
    from batchwright.workflows.sign_in import check_account

    return await check_account(url, token, workspace_id, certificates)


class ConnectionsController(QObject):
    """The list of connections, and the dialogs that add to it, change it and sign in."""

    changed = Signal()
    list_moved_aside = Signal(object)
    """The `Path` at which a list is kept that could not be read."""
    credentials_changed = Signal(object)
    """A connection is new, or has another token, address or certificate."""

    def __init__(
        self,
        host: QWidget,
        connections: Connections,
        tokens: TokenStoreLike,
        check: CheckAccount = _check_account,
        environment_credentials: EnvironmentCredentials | None = None,
    ) -> None:
        """Create the list; `environment_credentials` are those of the official client."""
        super().__init__(host)
        self.environment_credentials = environment_credentials
        self._host, self._connections, self._tokens, self._check = host, connections, tokens, check
        self._all: tuple[Connection, ...] = (THIS_COMPUTER,)

    @property
    def all(self) -> tuple[Connection, ...]:
        """The connections, as `look_again` found them; this computer first."""
        return self._all

    async def refresh(self) -> None:
        """Read the list."""
        found = tuple(map(self._without_stale_owner, await asyncio.to_thread(self._connections.all)))
        aside, self._connections.set_aside = self._connections.set_aside, None
        if aside is not None:
            self.list_moved_aside.emit(aside)
        if found != self._all:
            self._all = found
            self.changed.emit()

    def _without_stale_owner(self, connection: Connection) -> Connection:
        """A connection, without its owner where the token ended with an earlier run of the program."""
        if connection.is_token_kept or self._tokens.is_in_use(connection.name):
            return connection
        return replace(connection, owner="", email="")

    async def find(self, name: str) -> Connection:
        """The connection of a name.

        Raises:
            NoSuchConnection: there is none.
        """
        await self.refresh()
        found = {one.name: one for one in self._all}.get(name)
        if found is None:
            raise NoSuchConnection(name)
        return found

    async def add(self) -> Connection | None:
        """Ask for a new connection, check it, keep it; None when the person gave up."""
        made: Connection | None = None

        async def keep(given: SignInInput) -> None:
            nonlocal made
            await self._require_free_name(given.name)
            owner = await self._check_account(given, given.token)
            wanted = Connection(
                given.name,
                given.url,
                given.workspace_id,
                certificates=given.certificates,
                is_token_kept=given.stores_token,
            )
            connection = _with_owner(wanted, owner)
            await self._sign_in(connection, given, was_kept=False)
            try:
                await asyncio.to_thread(self._connections.add, connection)
            except (DuplicateName, OSError):
                await self._forget_token(connection)
                raise
            await self.refresh()
            self.credentials_changed.emit(connection)
            made = connection

        begin = self.environment_credentials or EnvironmentCredentials(HOSTED_URL, "")
        await self._ask_until_stored(
            SignInDialog(SignInInput(url=begin.url, token=begin.token), DialogMode.ADD), keep
        )
        return made

    async def change(self, before: Connection) -> None:
        """Ask for another name, address, workspace or token; what leads elsewhere is checked first."""
        begin = SignInInput(before.title, before.url, before.workspace_id, certificates=before.certificates)
        dialog = SignInDialog(begin, DialogMode.CHANGE)

        async def keep(given: SignInInput) -> None:
            if given.name != before.title:
                await self._require_free_name(given.name, but=before)
            label = "" if given.name == before.name else given.name
            there = replace(
                before, url=given.url, workspace_id=given.workspace_id, certificates=given.certificates
            )
            after = replace(there, label=label)
            is_renewed = bool(given.token) or there != before
            if is_renewed:
                token = given.token or await self._stored_token(before, given)
                after = _with_owner(after, await self._check_account(given, token))
            if given.token:
                await self._sign_in(before, given, was_kept=before.is_token_kept)
                after = replace(after, is_token_kept=given.stores_token)
            await self._store(after)
            if is_renewed:
                self.credentials_changed.emit(after)

        await self._ask_until_stored(dialog, keep)

    async def sign_in(self, connection: Connection, no_ring: KeyringUnavailable | None = None) -> bool:
        """Ask for the token of a connection; False when the person gave up.

        Args:
            connection: which one.
            no_ring: why the key ring that may hold the token cannot be read. The person may unlock it
                instead of giving a token; then the token is to be looked for again.
        """
        given = SignInInput(
            connection.title,
            connection.url,
            connection.workspace_id,
            certificates=connection.certificates,
        )
        dialog = SignInDialog(given, DialogMode.TOKEN)
        if no_ring is not None:
            dialog.show_keyring_error(no_ring)

        async def keep(given: SignInInput) -> None:
            if not given.token:
                await self._tokens.token(connection.name)
                return
            owner = await self._check_account(given, given.token)
            await self._sign_in(connection, given, was_kept=connection.is_token_kept)
            known = _with_owner(replace(connection, is_token_kept=given.stores_token), owner)
            await self._store(known)
            self.credentials_changed.emit(known)

        return await self._ask_until_stored(dialog, keep)

    async def forget_owner(self, connection: Connection) -> None:
        """Say no more who is signed in to a connection: its token is gone, or not accepted any more."""
        await self.refresh()
        now = {one.name: one for one in self._all}.get(connection.name)
        if now is not None and (now.owner or now.email):
            with suppress(NoSuchConnection, OSError):  # it says so for longer, and nothing else is lost
                await asyncio.to_thread(self._connections.change, replace(now, owner="", email=""))
            await self.refresh()

    async def remove(self, connection: Connection) -> bool:
        """Forget a connection and its token, if the person wants that; False when not."""
        dialog = RemoveConnectionDialog(connection.title)

        async def attempt() -> bool:
            try:
                await self._tokens.sign_out(connection.name, is_kept=connection.is_token_kept)
            except KeyringUnavailable as error:
                if not dialog.is_token_left:
                    dialog.show_keyring_error(error)
                    return False
            await asyncio.to_thread(self._connections.remove, connection.name)
            await self.refresh()
            return True

        return await dialog.ask_until(self._host, attempt)

    async def _ask_until_stored(
        self, dialog: SignInDialog, keep: Callable[[SignInInput], Awaitable[None]]
    ) -> bool:
        """Show a dialog until what was given is kept; what is wrong is told in it."""

        async def attempt() -> bool:
            from batchwright.client.errors import is_service_error
            from batchwright.workflows.field_errors import field_error_for
            from batchwright.workflows.sign_in import WorkspaceNotAccessible

            fault: FieldError | KeyringUnavailable | None = None
            try:
                await keep(dialog.input)
            except KeyringUnavailable as error:
                fault = error
            except _FieldError as error:
                fault = error.error
            except (WorkspaceNotAccessible, DuplicateName, NoSuchConnection, OSError) as error:
                fault = field_error_for(error)
            except Exception as error:
                if not is_service_error(error):
                    raise
                fault = field_error_for(error)
            dialog.show_result(fault)
            return fault is None

        return await dialog.ask_until(self._host, attempt)

    async def _check_account(self, given: SignInInput, token: str) -> "User":
        return await self._check(given.url, token, given.workspace_id, given.certificates)

    async def _sign_in(self, connection: Connection, given: SignInInput, *, was_kept: bool) -> None:
        """Use a token; a key ring that neither is to keep it nor holds an older one is left alone."""
        has_ring = given.has_keyring and was_kept
        await self._tokens.sign_in(
            connection.name, given.token, is_kept=given.stores_token, has_ring=has_ring
        )

    async def _forget_token(self, connection: Connection) -> None:
        """Forget a token that was just given: there is none without its connection."""
        with suppress(KeyringUnavailable):  # then it holds none
            await self._tokens.sign_out(connection.name, is_kept=connection.is_token_kept)

    async def _store(self, after: Connection) -> None:
        """Keep what a connection is from now on.

        Raises:
            NoSuchConnection: it was removed meanwhile, in another window say.
            OSError: the list cannot be written.
        """
        try:
            await asyncio.to_thread(self._connections.change, after)
        except NoSuchConnection:
            await self._forget_token(after)
            raise
        await self.refresh()

    async def _require_free_name(self, name: str, but: Connection | None = None) -> None:
        await self.refresh()
        if any(name in one.names for one in self._all if but is None or one.name != but.name):
            raise DuplicateName(name)

    async def _stored_token(self, before: Connection, given: SignInInput) -> str:
        """The token that is kept; it is for the address it was given for, and goes nowhere else."""
        from batchwright.workflows.sign_in import is_other_service

        if is_other_service(before.url, given.url):
            raise _FieldError(
                FieldError("token", _("The address is another one. Give the token that belongs to it."))
            )
        is_there = before.is_token_kept or self._tokens.is_in_use(before.name)
        token = await self._tokens.token(before.name) if is_there else None
        if token is None:
            raise _FieldError(FieldError("token", _("No token is kept. Give one.")))
        return token


class _FieldError(Exception):
    """Something is wrong with what was given that no other room knows."""

    def __init__(self, fault: FieldError) -> None:
        super().__init__(fault.text)
        self.error = fault


def _with_owner(connection: Connection, owner: "User") -> Connection:
    from batchwright.workflows.sign_in import token_owner_name

    return replace(connection, owner=token_owner_name(owner), email=owner.email)
