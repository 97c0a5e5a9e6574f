"""The connection of one window: which it is, the workbench it gives, and the jobs it knows."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.job_rows import JobRows
from batchwright.workflows.workbench import Tell, Workbench


class Opens(Protocol):
    """What opens workbenches (`workflows.benches`)."""

    async def bench(self, connection: Connection, tell: Tell) -> Workbench:
        """The workbench of a connection."""

    async def job_rows(self) -> JobRows:
        """The jobs of every connection."""


class Session(QObject):
    """Holds the connection of a window and opens its workbench when one is asked for.

    Args:
        benches: one for the program.
        find: the connection of a name.
        sign_in: asks the person for a token; False when none was given.
    """

    changed = Signal()
    """Another connection."""
    told = Signal(str)
    """One sentence about what has just happened or is about to."""

    def __init__(
        self,
        benches: Opens,
        find: Callable[[str], Awaitable[Connection]],
        sign_in: Callable[[Connection], Awaitable[bool]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._benches, self._find, self._sign_in = benches, find, sign_in
        self._connection = THIS_COMPUTER

    @property
    def connection(self) -> Connection:
        """Where requests go."""
        return self._connection

    @property
    def is_live(self) -> bool:
        """Whether what is done reaches a hosted service."""
        return not self._connection.is_local

    async def bench(self) -> Workbench:
        """What workflows work with; starts the service of this computer, or asks for a token, by itself.

        Raises:
            NotSignedIn: a token is needed, and the person gave none.
        """
        from batchwright.workflows.benches import NotSignedIn

        connection = self._connection
        try:
            return await self._benches.bench(connection, self.told.emit)
        except NotSignedIn:
            if not await self._sign_in(connection):
                raise
        return await self._benches.bench(connection, self.told.emit)

    async def choose(self, name: str) -> None:
        """Send requests to another connection from now on.

        Raises:
            KeyError: there is none of that name.
        """
        connection = await self._find(name)
        if connection != self._connection:
            self._connection = connection
            self.changed.emit()

    async def job_rows(self) -> JobRows:
        """The jobs of every connection, for the Jobs stage."""
        return await self._benches.job_rows()
