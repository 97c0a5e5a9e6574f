"""What is done with the study's dataset besides uploading: one thing at a time, shown as it goes on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession


class OperationState(Enum):
    """How it stands with a deed."""

    CONNECTING = auto()
    GOING = auto()
    WAITING = auto()
    """The service does something else with the dataset first."""
    OFFLINE = auto()
    """The network is away, and is waited for."""
    ENDED = auto()
    FAILED = auto()
    STOPPED = auto()


@dataclass(frozen=True)
class DatasetOperation:
    """Something that is done with a dataset at a connection, as it stands."""

    connection: str
    title: str
    """What the connection is called."""
    pace: OperationState = OperationState.CONNECTING
    fault: TaskMessage | None = None

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.pace in (
            OperationState.CONNECTING,
            OperationState.GOING,
            OperationState.WAITING,
            OperationState.OFFLINE,
        )

    @property
    def part(self) -> float | None:
        """How much of it is done, from 0 to 1; None where nobody knows."""
        return None


class UpdateProgress(Protocol):
    """Shows that a deed has come further."""

    def __call__(self, **changes: object) -> None:
        """Change what is known of it."""


Work = Callable[[WorkflowContext, RecoveryHooks | None, UpdateProgress], Awaitable[None]]
"""Does a deed, or goes on with it where it was; what it leaves unsaid is that the deed has ended."""


class OperationRunner(QObject):
    """Holds the latest deed, whatever kind it is."""

    changed = Signal()
    ended = Signal()
    """One has ended, well or not."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._describe = session, tasks, describe
        self._number = 0
        self.latest: DatasetOperation | None = None

    @property
    def is_running(self) -> bool:
        """Whether one goes on."""
        return self.latest is not None and self.latest.is_running

    def start(self, deed: DatasetOperation, work: Work) -> None:
        """Do something, unless something else is being done."""
        if self.is_running:
            return
        self._number += 1
        number = self._number
        self._show(deed)
        self._tasks.start(self._name, lambda: self._do(number, work, deed.connection))

    def stop(self) -> None:
        """Do no more; what has arrived stays at the service."""
        self._tasks.cancel(self._name)
        self._turn(self._number, pace=OperationState.STOPPED)

    def forget(self) -> None:
        """Show nothing; what goes on is stopped."""
        self.stop()
        self._show(None)

    @property
    def _name(self) -> str:
        return f"data deed {self._number}"

    async def _do(self, number: int, work: Work, at: str) -> None:
        def turn(**changes: object) -> None:
            self._turn(number, **changes)

        before = OperationState.CONNECTING

        def away() -> None:
            nonlocal before
            if self.latest is not None and self.latest.pace is not OperationState.OFFLINE:
                before = self.latest.pace
                turn(pace=OperationState.OFFLINE)

        def back() -> None:
            if self.latest is not None and self.latest.pace is OperationState.OFFLINE:
                turn(pace=before)

        try:
            await self._session.at_work(lambda bench, waits: work(bench, waits, turn), away, at, back=back)
        except Exception as fault:
            # Whatever goes wrong is shown where the deed stands.
            turn(pace=OperationState.FAILED, fault=self._describe(fault))
        except BaseException:
            turn(pace=OperationState.STOPPED)
            raise
        else:
            turn(pace=OperationState.ENDED)

    def _turn(self, number: int, **changes: object) -> None:
        """Show that the deed of this number has come further; neither a later nor an ended one is touched."""
        if self.latest is None or number != self._number or not self.latest.is_running:
            return
        self._show(replace(self.latest, **changes))  # type: ignore[arg-type]  # named by the dataclass
        if not self.is_running:
            self.ended.emit()

    def _show(self, deed: DatasetOperation | None) -> None:
        self.latest = deed
        self.changed.emit()
