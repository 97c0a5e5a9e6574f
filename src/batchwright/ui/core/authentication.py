"""Opening a connection from a window, with a prompt for the token before and during an operation."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from batchwright.base.i18n import _
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection, NoSuchConnection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.token_prompt import CoalescedTokenPrompt

if TYPE_CHECKING:  # imported after the first stage is shown
    from batchwright.client.resilient_run import RecoveryHooks


def outage_text(connection: str) -> str:
    """The message shown while an operation waits for a service that does not respond."""
    if connection == THIS_COMPUTER.name:
        return _("The service on this computer is not answering. This continues when it does.")
    return _("The service is not answering. This continues when it does.")


async def _no_other_token(_rejected: WorkflowContext) -> WorkflowContext | None:
    """The service on this computer has one token."""
    return None


class ContextProvider(Protocol):
    """Opens workflow contexts (`client.connection_pool.ConnectionPool`)."""

    async def context(self, connection: Connection, notify: Notify) -> WorkflowContext:
        """The context of a connection."""


class Authenticator:
    """Provides the workflow context of a connection, and a new one after its token was rejected.

    Args:
        pool: the pool of contexts, one per program.
        find_connection: returns the connection with a name.
        prompt: asks the user for a token, or to unlock the keyring.
        notify: called with the messages of the contexts.
        on_signed_out: called with a connection whose token is missing or rejected.
    """

    def __init__(
        self,
        pool: ContextProvider,
        find_connection: Callable[[str], Awaitable[Connection]],
        prompt: CoalescedTokenPrompt,
        notify: Notify,
        on_signed_out: Callable[[Connection], Awaitable[object]],
    ) -> None:
        self._pool, self._find_connection, self._prompt, self._notify = pool, find_connection, prompt, notify
        self.on_signed_out = on_signed_out

    async def context(self, connection: Connection, *, may_prompt: bool) -> WorkflowContext:
        """The context of a connection; `may_prompt` allows to ask the user for a token.

        Raises:
            NotSignedIn: a token is needed, and the user entered none or must not be asked.
            KeyringUnavailable: the keyring that may contain the token cannot be used.
        """
        from batchwright.client.connection_pool import NotSignedIn

        while True:
            try:
                return await self._pool.context(connection, self._notify)
            except NotSignedIn:
                await self.on_signed_out(connection)
                if not (may_prompt and await self._prompt(connection)):
                    raise
            except KeyringUnavailable as error:
                if not (may_prompt and await self._prompt(connection, error)):
                    raise

    def recovery_hooks(
        self,
        connection: Connection,
        on_outage: Callable[[], object] | None,
        on_recovery: Callable[[], object],
    ) -> "RecoveryHooks":
        """The hooks for one operation.

        At this computer, the service is started again if it has ended; it has no token to ask for. At a
        hosted service, a user who cancels the prompt is not asked again during the operation.
        """
        from batchwright.client.resilient_run import RecoveryHooks

        async def restarted() -> WorkflowContext:
            context = await self.context(connection, may_prompt=False)
            on_recovery()
            return context

        if connection.is_local:
            return RecoveryHooks(on_outage, _no_other_token, restarted)

        gave_up = False

        async def signed_in(rejected: WorkflowContext) -> WorkflowContext | None:
            nonlocal gave_up
            context = None if gave_up else await self._reauthenticated(connection, rejected)
            gave_up = context is None
            return context

        return RecoveryHooks(on_outage, signed_in)

    async def _reauthenticated(
        self, connection: Connection, rejected: WorkflowContext
    ) -> WorkflowContext | None:
        """A new context after the token of another one was rejected.

        None if the user does not sign in, or if the connection was removed or has another address or
        workspace.
        """
        from batchwright.client.connection_pool import NotSignedIn

        with suppress(NotSignedIn, KeyringUnavailable, NoSuchConnection):
            current = await self._find_connection(connection.name)
            if (current.url, current.workspace_id) != (connection.url, connection.workspace_id):
                return None
            context = await self._pool.context(current, rejected.notify)
            if context.service is not rejected.service:
                return context
            if await self._prompt(current):
                return await self._pool.context(current, rejected.notify)
        return None
