"""The connection of one window: which it is, the workbench it gives, and the jobs it knows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.ui.connections.authentication import Authenticator, ContextProvider
from batchwright.ui.connections.token_prompt import CoalescedTokenPrompt, TokenPrompt

if TYPE_CHECKING:  # what reaches a service is imported after the first stage is shown
    from batchwright.client.job_monitoring.job_watcher import JobWatcher
    from batchwright.client.resilient_run import RecoveryHooks
    from batchwright.local.id_registry import IdRegistry
    from batchwright.local.job_table import JobRow
    from batchwright.local.sent_files import SentFiles

T = TypeVar("T")

Work = Callable[[WorkflowContext, "RecoveryHooks | None"], Awaitable[T]]
"""Does something, or goes on with it where it was; makes nothing twice."""


class ConnectionPoolLike(ContextProvider, Protocol):
    """What opens workbenches, and knows what came of them (`workflows.benches`)."""

    async def job_watcher(self) -> "JobWatcher":
        """The watch over the jobs of every connection."""

    async def sent_files(self) -> "SentFiles":
        """The feedback files sent to whatever connection."""

    async def id_registry(self) -> "IdRegistry":
        """Every id made or seen at whatever connection."""

    async def resume(self, connection: Connection, tell: Notify) -> None:
        """Watch again what had not ended when the program last did."""


async def _nothing(connection: Connection) -> None:
    """What is done about a token that is gone when nothing has to be."""


def _nobody() -> None:
    """Who is told when nobody has to be."""


class ConnectionSession(QObject):
    """Holds the connection of a window and opens its workbench when one is asked for.

    Args:
        benches: one for the program.
        find: the connection of a name.
        sign_in: asks the person for a token, or to unlock the key ring; False when the person gave up.
        signed_out: is told of a connection whose token is gone or not accepted.
    """

    changed = Signal()
    """Another connection."""
    jobs_changed = Signal()
    """Something is new about a job, of whatever connection."""
    job_ended = Signal(object)
    """A `JobRow` that nobody waited for has ended."""
    titles_changed = Signal()
    """Connections are called otherwise."""
    told = Signal(str)
    """One sentence about what has just happened or is about to."""

    def __init__(
        self,
        benches: ConnectionPoolLike,
        find: Callable[[str], Awaitable[Connection]],
        sign_in: TokenPrompt,
        parent: QObject | None = None,
        *,
        signed_out: Callable[[Connection], Awaitable[object]] = _nothing,
    ) -> None:
        super().__init__(parent)
        self._benches, self._find, self._ask = benches, find, CoalescedTokenPrompt(sign_in)
        self._reaching = Authenticator(benches, find, self._ask, self.told.emit, signed_out)
        self._connection = THIS_COMPUTER
        self._watch: JobWatcher | None = None
        self._titles = {THIS_COMPUTER.name: THIS_COMPUTER.title}

    @property
    def connection(self) -> Connection:
        """Where requests go."""
        return self._connection

    @property
    def is_live(self) -> bool:
        """Whether what is done reaches a hosted service."""
        return not self._connection.is_local

    async def context(self, *, asks: bool = True) -> WorkflowContext:
        """What workflows work with; starts the service of this computer, or asks for a token, by itself.

        Args:
            asks: whether a token may be asked for: not where somebody merely looks at something.

        Raises:
            NotSignedIn: a token is needed, and the person gave none, or was not to be asked.
            NoKeyRing: the key ring that may hold it cannot be used, and the person was not to be asked.
        """
        return await self._reaching.context(self._connection, may_prompt=asks)

    async def at_work(
        self,
        work: Work[T],
        away: Callable[[], object] | None = None,
        at: str = "",
        *,
        back: Callable[[], object] = _nobody,
        asks: bool = True,
    ) -> T:
        """Do some work at a connection.

        Where none is named, it is the one in use now, even if another is chosen later.

        At a hosted service it goes on by itself when the network is back, and when the person has signed in
        anew after the token was refused. They are asked only where no other token is at hand already, and
        not when they have signed out themselves.

        Args:
            work: is begun again where it was.
            away: is told at once when the service does not answer, at whatever connection, and each time that
                the network is waited for; without it, the network is not waited for.
            back: is told when the service answers again, where `away` is given.
            at: the name of the connection, for work that was wanted earlier.
            asks: whether a token may be asked for: not where somebody merely looks at something.

        Raises:
            NoSuchConnection: there is none of that name any more.
            NotSignedIn: a token is needed, and the person gave none.
            SignedOut: another one was needed, and the person gave none.
            Exception: whatever else ends the work.
        """
        from batchwright.client.errors import is_token_rejected
        from batchwright.client.resilient_run import outage_reported, run_resiliently

        connection = await self._find(at) if at else self._connection
        bench = await self._reaching.context(connection, may_prompt=asks)
        waits = self._reaching.recovery_hooks(connection, away) if asks else None
        reported = nullcontext() if away is None else outage_reported(away, back)
        try:
            with reported:
                return await run_resiliently(bench, lambda bench: work(bench, waits), waits)
        except Exception as error:
            if is_token_rejected(error):
                await self._reaching.on_signed_out(connection)
            raise

    async def choose(self, name: str) -> None:
        """Send requests to another connection from now on.

        Raises:
            NoSuchConnection: there is none of that name.
        """
        self._take(await self._find(name))

    def title_of(self, name: str) -> str:
        """What the connection of a name is called now."""
        return self._titles.get(name, name)

    def knows(self, name: str) -> bool:
        """Whether there is a connection of a name."""
        return name in self._titles

    def heed(self, connections: Sequence[Connection]) -> None:
        """Take note that connections have changed: one that is gone is left for this computer."""
        found = {one.name: one for one in connections}
        titles = {one.name: one.title for one in connections}
        if titles != self._titles:
            self._titles = titles
            self.titles_changed.emit()
        self._take(found.get(self._connection.name, THIS_COMPUTER))

    async def watch(self) -> "JobWatcher":
        """The watch over the jobs of every connection; what is new there is told from now on."""
        watch = await self._benches.job_watcher()
        if self._watch is None:
            self._watch = watch
            watch.add_listener(self._tell_changed, self._tell_ended)
        return watch

    async def sent_files(self) -> "SentFiles":
        """The feedback files sent to whatever connection."""
        return await self._benches.sent_files()

    async def register(self) -> "IdRegistry":
        """Every id made or seen at whatever connection."""
        return await self._benches.id_registry()

    async def open_jobs(self) -> "list[JobRow]":
        """The jobs to look at, of the connections that there are."""
        rows = await asyncio.to_thread((await self.watch()).rows.open)
        return [row for row in rows if self.knows(row.connection)]

    async def leave_off_jobs(self) -> None:
        """Look no more at jobs of connections that were removed; who adds one again has them looked at."""
        watch = await self.watch()
        for row in await asyncio.to_thread(watch.rows.open):
            if not self.knows(row.connection):
                watch.pause(row.number)

    async def clear_jobs(self) -> None:
        """Take off the list what has ended, and what is of none of the connections."""
        await (await self.watch()).clear_ended(self._titles)

    async def resume_jobs(self, connection: Connection) -> None:
        """Go on watching what had not ended there when the program did.

        Raises:
            NoKeyRing: the key ring, which may hold the token, cannot be used.
            ServiceDidNotStart: the service of this computer ended before it was ready.
            Misconfigured: address or certificates of the connection cannot be used.
        """
        await self.watch()
        await self._benches.resume(connection, self.told.emit)

    async def look_again(self, job: "JobRow") -> None:
        """Look at a job now, and watch it from now on.

        Raises:
            NotSignedIn: a token is needed, and the person gave none.
            NoSuchConnection: its connection was removed.
        """
        from batchwright.client.job_monitoring.monitors import PollFailure

        connection, monitor = await self._find(job.connection), (await self.watch()).poller(job.number)
        is_signed_out = monitor is not None and monitor.poll_failure is PollFailure.SIGNED_OUT
        if is_signed_out and not await self._ask(connection):
            return
        bench = await self._reaching.context(connection, may_prompt=True)
        await bench.jobs.poll_now(job)

    async def begin_again(self, job: "JobRow") -> None:
        """Ask for a failed job once more, and watch it from now on.

        Raises:
            NotSignedIn: a token is needed, and the person gave none.
            NoSuchConnection: its connection was removed.
            ApiError: the request failed.
        """
        from batchwright.workflows.retry_job import retry_job

        await retry_job(await self._reaching.context(await self._find(job.connection), may_prompt=True), job)

    def end(self) -> None:
        """Tell nothing of jobs any more: the window ends."""
        if self._watch is not None:
            self._watch.remove_listener(self._tell_changed, self._tell_ended)
            self._watch = None

    def _take(self, connection: Connection) -> None:
        if connection != self._connection:
            self._connection = connection
            self.changed.emit()

    def _tell_changed(self) -> None:
        self.jobs_changed.emit()

    def _tell_ended(self, job: "JobRow") -> None:
        self.job_ended.emit(job)
