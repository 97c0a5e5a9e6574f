"""Adding, changing, signing in to and removing connections, with their dialogs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.policy import WORKSPACE, computer_policy
from batchwright.local.connections import (
    THIS_COMPUTER,
    Connection,
    Connections,
    DuplicateName,
    EnvironmentCredentials,
    FieldError,
    NoSuchConnection,
    is_url,
    proposed_credentials,
)
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.connections.known_workspaces import KnownWorkspace
from batchwright.ui.connections.sign_in import DialogMode, RemoveConnectionDialog, SignInDialog, SignInInput

if TYPE_CHECKING:  # imported only when an account is checked
    from batchwright.wire.account import User


class TokenStoreLike(Protocol):
    """Signs in and out (`client.connection_pool.ConnectionPool`)."""

    async def sign_in(self, name: str, token: str, *, is_stored: bool, has_key_ring: bool = True) -> None:
        """Use a token and remove the previous one."""

    async def sign_out(self, name: str, *, is_stored: bool = True) -> None:
        """Remove a token, also from the keyring if it is stored there."""

    async def token(self, name: str) -> str | None:
        """The token of a connection."""

    def is_in_use(self, name: str) -> bool:
        """Whether the token of a connection is known in this run of the program."""


CheckAccount = Callable[[str, str, str, str], Awaitable["User"]]
"""Fetches the owner of a token and checks its access to a workspace.

Arguments: URL, token, workspace id, and the path of an additional certificate file or "".
"""


async def _check_account(url: str, token: str, workspace_id: str, certificates: str) -> "User":
    from batchwright.workflows.check_account import check_account

    return await check_account(url, token, workspace_id, certificates)


class ConnectionsController(QObject):
    """The list of connections and the dialogs to add, change, sign in to and remove one."""

    changed = Signal()
    unreadable_list_renamed = Signal(object)
    """The list could not be read and was renamed to this `Path`."""
    credentials_changed = Signal(object)
    """A connection was added, or has a new token, address, certificate file or proxy."""

    def __init__(
        self,
        host: QWidget,
        connections: Connections,
        tokens: TokenStoreLike,
        check: CheckAccount = _check_account,
        environment_credentials: EnvironmentCredentials | None = None,
    ) -> None:
        """Create the controller; `environment_credentials` come from the variables of the official client."""
        super().__init__(host)
        self.environment_credentials = environment_credentials
        self._host, self._connections, self._tokens, self._check = host, connections, tokens, check
        self._all: tuple[Connection, ...] = (THIS_COMPUTER,)

    @property
    def all(self) -> tuple[Connection, ...]:
        """The connections as of the last `refresh`; this computer comes first."""
        return self._all

    async def refresh(self) -> None:
        """Read the list."""
        connections = tuple(map(self._without_stale_owner, await asyncio.to_thread(self._connections.all)))
        renamed_to, self._connections.backup_path = self._connections.backup_path, None
        if renamed_to is not None:
            self.unreadable_list_renamed.emit(renamed_to)
        if connections != self._all:
            self._all = connections
            self.changed.emit()

    def _without_stale_owner(self, connection: Connection) -> Connection:
        """The connection without its owner if its token was only used in an earlier run of the program."""
        if connection.is_token_stored or self._tokens.is_in_use(connection.name):
            return connection
        return replace(connection, owner="", email="")

    def notify_network_changed(self) -> None:
        """Emit `credentials_changed` for all hosted connections in use: each needs another client."""
        for connection in self._all:
            if not connection.is_local and self._tokens.is_in_use(connection.name):
                self.credentials_changed.emit(connection)

    async def connection(self, name: str) -> Connection:
        """The connection with this name.

        Raises:
            NoSuchConnection: there is none.
        """
        await self.refresh()
        by_name = {connection.name: connection for connection in self._all}.get(name)
        if by_name is None:
            raise NoSuchConnection(name)
        return by_name

    async def add(self, workspaces: Sequence[KnownWorkspace] = ()) -> Connection | None:
        """Ask for a new connection, check it and store it; None if the user cancelled.

        `workspaces` can be chosen in the dialog.
        """
        added: Connection | None = None

        async def store(entered: SignInInput) -> None:
            nonlocal added
            await self._require_valid_name(entered.name)
            owner = await self._check_account(entered, entered.token)
            unchecked = Connection(
                entered.name,
                entered.url,
                entered.workspace_id,
                certificates=entered.certificates,
                is_token_stored=False,
            )
            connection = await self._sign_in(_with_owner(unchecked, owner), entered, entered.token)
            try:
                await asyncio.to_thread(self._connections.add, connection)
            except (DuplicateName, OSError):
                await self._remove_token(connection)
                raise
            await self.refresh()
            self.credentials_changed.emit(connection)
            added = connection

        proposed = proposed_credentials(self.environment_credentials)
        workspace_id = computer_policy().preset(WORKSPACE) or ""
        initial = SignInInput(url=proposed.url, workspace_id=workspace_id, token=proposed.token)
        await self._run_dialog(SignInDialog(initial, DialogMode.ADD, workspaces), store)
        return added

    async def change(self, before: Connection) -> None:
        """Ask for changes of a connection.

        A new address, workspace or token is checked before it is stored. The token that is used may also be
        stored, or no longer be.
        """
        initial = SignInInput(
            before.title,
            before.url,
            before.workspace_id,
            certificates=before.certificates,
            stores_token=before.is_token_stored,
        )
        dialog = SignInDialog(initial, DialogMode.CHANGE)

        async def store(entered: SignInInput) -> None:
            if entered.name != before.title:
                await self._require_valid_name(entered.name, except_for=before)
            label = "" if entered.name == before.name else entered.name
            target = replace(
                before, url=entered.url, workspace_id=entered.workspace_id, certificates=entered.certificates
            )
            after = replace(target, label=label)
            is_renewed = bool(entered.token) or target != before
            signs_in = bool(entered.token) or entered.stores_token != before.is_token_stored
            token = entered.token
            if not token and (is_renewed or signs_in):
                token = await self._stored_token(before, entered)
            if is_renewed:
                after = _with_owner(after, await self._check_account(entered, token))
            if signs_in:
                after = await self._sign_in(after, entered, token)
            await self._store(after, signs_in=signs_in)
            if is_renewed:
                self.credentials_changed.emit(after)

        await self._run_dialog(dialog, store)

    async def sign_in(self, connection: Connection, keyring_error: KeyringUnavailable | None = None) -> bool:
        """Ask for the token of a connection; False if the user cancelled.

        Args:
            connection: the connection to sign in to.
            keyring_error: why the keyring cannot be read. The user may unlock it instead of entering a
                token; the token is then read from it.
        """
        entered = SignInInput(
            connection.title,
            connection.url,
            connection.workspace_id,
            certificates=connection.certificates,
        )
        dialog = SignInDialog(entered, DialogMode.TOKEN)
        if keyring_error is not None:
            dialog.show_keyring_error(keyring_error)

        async def store(entered: SignInInput) -> None:
            if not entered.token:
                await self._tokens.token(connection.name)
                return
            owner = await self._check_account(entered, entered.token)
            signed_in = await self._sign_in(_with_owner(connection, owner), entered, entered.token)
            await self._store(signed_in, signs_in=True)
            self.credentials_changed.emit(signed_in)

        return await self._run_dialog(dialog, store)

    async def clear_owner(self, connection: Connection) -> None:
        """Remove the owner of a connection whose token is missing or was rejected."""
        await self.refresh()
        now = {connection_now.name: connection_now for connection_now in self._all}.get(connection.name)
        if now is not None and (now.owner or now.email):
            with suppress(NoSuchConnection, OSError):  # only the displayed owner is outdated then
                await asyncio.to_thread(self._connections.change, replace(now, owner="", email=""))
            await self.refresh()

    async def remove(self, connection: Connection) -> bool:
        """Remove a connection and its token after confirmation; False if the user cancelled."""
        dialog = RemoveConnectionDialog(connection.title)

        async def attempt() -> bool:
            try:
                await self._tokens.sign_out(connection.name, is_stored=connection.is_in_keyring)
            except KeyringUnavailable as error:
                if not dialog.leaves_token:
                    dialog.show_keyring_error(error)
                    return False
            await asyncio.to_thread(self._connections.remove, connection.name)
            await self.refresh()
            return True

        return await dialog.ask_until(self._host, attempt)

    async def _run_dialog(
        self, dialog: SignInDialog, store: Callable[[SignInInput], Awaitable[None]]
    ) -> bool:
        """Show a dialog until its input is stored; errors are shown at their fields."""

        async def attempt() -> bool:
            from batchwright.client.errors import is_service_error
            from batchwright.workflows.check_account import WorkspaceNotAccessible
            from batchwright.workflows.messages.api_errors import field_error_for

            error_to_show: FieldError | KeyringUnavailable | None = None
            try:
                await store(dialog.input)
            except KeyringUnavailable as error:
                error_to_show = error
            except _FieldError as error:
                error_to_show = error.error
            except (WorkspaceNotAccessible, DuplicateName, NoSuchConnection, OSError) as error:
                error_to_show = field_error_for(error)
            except Exception as error:
                if not is_service_error(error):
                    raise
                error_to_show = field_error_for(error)
            dialog.show_result(error_to_show)
            return error_to_show is None

        return await dialog.ask_until(self._host, attempt)

    async def _check_account(self, entered: SignInInput, token: str) -> "User":
        return await self._check(entered.url, token, entered.workspace_id, entered.certificates)

    async def _sign_in(self, before: Connection, entered: SignInInput, token: str) -> Connection:
        """Use a token; returns the connection with where its tokens are.

        The keyring is not accessed if it neither stores this token nor an older one.
        """
        await self._tokens.sign_in(
            before.name,
            token,
            is_stored=entered.stores_token,
            has_key_ring=entered.has_keyring and before.is_in_keyring,
        )
        has_old_token = before.is_in_keyring and not entered.has_keyring
        return replace(before, is_token_stored=entered.stores_token, has_old_token=has_old_token)

    async def _remove_token(self, connection: Connection) -> None:
        """Remove a token that was just entered, because its connection could not be stored."""
        with suppress(KeyringUnavailable):  # then it was not stored
            await self._tokens.sign_out(connection.name, is_stored=connection.is_token_stored)

    async def _store(self, after: Connection, *, signs_in: bool) -> None:
        """Store a changed connection. A token that was just entered for it is not used if that fails.

        Raises:
            NoSuchConnection: it was removed meanwhile, for example in another window.
            OSError: the list cannot be written.
        """
        try:
            await asyncio.to_thread(self._connections.change, after)
        except (NoSuchConnection, OSError) as error:
            if signs_in or isinstance(error, NoSuchConnection):
                await self._remove_token(after)
            raise
        await self.refresh()

    async def _require_valid_name(self, name: str, except_for: Connection | None = None) -> None:
        if is_url(name):
            raise _FieldError(FieldError("name", _("Choose a name without “://”.")))
        await self.refresh()
        if any(
            name in connection.names
            for connection in self._all
            if except_for is None or connection.name != except_for.name
        ):
            raise DuplicateName(name)

    async def _stored_token(self, before: Connection, entered: SignInInput) -> str:
        """The stored token. It is never sent to another address than the one it was entered for."""
        from batchwright.workflows.check_account import is_other_service

        if is_other_service(before.url, entered.url):
            raise _FieldError(FieldError("token", _("The URL has changed. Enter the token for it.")))
        is_stored = before.is_token_stored or self._tokens.is_in_use(before.name)
        token = await self._tokens.token(before.name) if is_stored else None
        if token is None:
            raise _FieldError(FieldError("token", _("No token is saved. Enter one.")))
        return token


class _FieldError(Exception):
    """An invalid input that only this controller can detect."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(error.text)
        self.error = error


def _with_owner(connection: Connection, owner: "User") -> Connection:
    from batchwright.workflows.check_account import token_owner_name

    return replace(connection, owner=token_owner_name(owner), email=owner.email)
