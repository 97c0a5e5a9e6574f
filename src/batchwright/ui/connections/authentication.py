"""Reaching a service from a window: the person is asked for what that takes, before work and in it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from batchwright.base.i18n import _
from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection, NoSuchConnection
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.connections.token_prompt import CoalescedTokenPrompt

if TYPE_CHECKING:  # what reaches a service is imported after the first stage is shown
    from batchwright.client.resilient_run import RecoveryHooks


def outage_text(connection: str) -> str:
    """What is said while work waits for the service of a connection, which does not answer."""
    if connection == THIS_COMPUTER.name:
        return _("The service on this computer does not answer. Trying again.")
    return _("The service cannot be reached. This goes on by itself when it can.")


class ContextProvider(Protocol):
    """What opens workbenches (`workflows.benches`)."""

    async def bench(self, connection: Connection, tell: Notify) -> WorkflowContext:
        """The workbench of a connection."""


class Authenticator:
    """Gives the workbench of a connection, and another one when its token is not accepted any more.

    Args:
        benches: one for the program.
        find: the connection of a name.
        ask: asks the person for a token, or to unlock the key ring.
        tell: is told what the workbenches tell.
        signed_out: is told of a connection whose token is gone or not accepted.
    """

    def __init__(
        self,
        benches: ContextProvider,
        find: Callable[[str], Awaitable[Connection]],
        ask: CoalescedTokenPrompt,
        tell: Notify,
        signed_out: Callable[[Connection], Awaitable[object]],
    ) -> None:
        self._benches, self._find, self._ask, self._tell = benches, find, ask, tell
        self.signed_out = signed_out

    async def context(self, connection: Connection, *, asks: bool) -> WorkflowContext:
        """The workbench of a connection; `asks` says whether the person may be asked for what it takes.

        Raises:
            NotSignedIn: a token is needed, and the person gave none, or was not to be asked.
            NoKeyRing: the key ring that may hold it cannot be used.
        """
        from batchwright.client.connection_pool import NotSignedIn

        while True:
            try:
                return await self._benches.bench(connection, self._tell)
            except NotSignedIn:
                await self.signed_out(connection)
                if not (asks and await self._ask(connection)):
                    raise
            except KeyringUnavailable as error:
                if not (asks and await self._ask(connection, error)):
                    raise

    def recovery_hooks(self, begun: Connection, away: Callable[[], object] | None) -> "RecoveryHooks | None":
        """What one piece of work at a hosted service waits for; who gave up is not asked about it again."""
        if begun.is_local:
            return None
        from batchwright.client.resilient_run import RecoveryHooks

        gave_up = False

        async def signed_in(refused: WorkflowContext) -> WorkflowContext | None:
            nonlocal gave_up
            newer = None if gave_up else await self._reauthenticated(begun, refused)
            gave_up = newer is None
            return newer

        return RecoveryHooks(away, signed_in)

    async def _reauthenticated(self, begun: Connection, refused: WorkflowContext) -> WorkflowContext | None:
        """A workbench for one whose token was refused, where the same service and workspace are reached.

        None where the person does not sign in, or has signed out, or has the connection lead elsewhere.
        """
        from batchwright.client.connection_pool import NotSignedIn

        with suppress(NotSignedIn, KeyringUnavailable, NoSuchConnection):
            now = await self._find(begun.name)
            if (now.url, now.workspace_id) != (begun.url, begun.workspace_id):
                return None
            newer = await self._benches.bench(now, refused.tell)
            if newer.service is not refused.service:
                return newer
            if await self._ask(now):
                return await self._benches.bench(now, refused.tell)
        return None
